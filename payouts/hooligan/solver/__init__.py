"""Hooligan solved exactly: values, laws of the final score, greatest chances of every score.

Figures are float64 with a relative error below `error_bound(rules)`; all sums are of numbers that are not negative.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec

import numpy as np

from payouts.errors import SolverLimitError
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.solver.law import final_law
from payouts.hooligan.solver.plan import Plan, plan
from payouts.hooligan.solver.sweep import Sweep, error_bound, layer_preferences, sweep
from payouts.hooligan.solver.trie import Floats

__all__ = [
    "COMPILER",
    "GREATEST_PAYOUT",
    "Solution",
    "error_bound",
    "greatest_chances",
    "mean_payout",
    "settled_law",
    "solve",
]

COMPILER = find_spec("numba") is not None
"""Whether the compiler of the extra `fast` is installed."""

GREATEST_PAYOUT = 2**53
"""Greatest payout, in minor units, that a float holds exactly."""


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A player's game solved.

    Parameters
    ----------
    pays
        Payout of each final score, in minor units. Shape (perfect score + 1,).
    mean
        Mean payout of a game, in minor units.
    law
        Chance of each final score. Shape of `pays`; sums to 1, and its mean payout is `mean`.
    swept
        Values and play of every position between frames.
    """

    rules: HooliganRules
    player: Player
    pays: Floats
    mean: float
    law: Floats
    swept: Sweep


def solve(
    rules: HooliganRules, pays: Sequence[int], player: Player = Player.OPTIMAL, *, compiled: bool = False
) -> Solution:
    """Solve a game for a player.

    Parameters
    ----------
    pays
        Payout of each final score from 0 to the perfect one, in minor units; it need not rise with the score.
    compiled
        Whether to use the compiled loops of the extra `fast`, which take some seconds to compile the first time.

    Raises
    ------
    SolverLimitError
        When the payouts are not one for each score, or not whole numbers from 0 to `GREATEST_PAYOUT`; when compiled
        loops are wanted and the extra is not installed.

    Examples
    --------
    >>> hundred = [0] * 84 + [100] * 6 + [200] * 4 + [0] * 242
    >>> round(solve(HooliganRules(), hundred).mean, 8)
    12.10246542
    """
    solved = _swept(rules, pays, player, keep_play=True, compiled=compiled)
    start = _start(solved.plan)
    return Solution(
        rules=rules,
        player=player,
        pays=solved.values[solved.plan.final].copy(),
        mean=float(solved.values[start]),
        law=final_law(solved, start),
        swept=solved,
    )


@lru_cache(maxsize=32)
def settled_law(rules: HooliganRules, player: Player) -> tuple[float, ...] | None:
    """Law of a player whom no payout moves, whatever the schedule pays; None for one who looks at payouts.

    Notes
    -----
    A player who ranks his options is moved by payouts only where two of them rank level. Without such a place one sweep
    answers for every schedule of the rules.

    Examples
    --------
    >>> settled_law(HooliganRules(), Player.OPTIMAL) is None
    True
    """
    read = _read(rules, player)
    throws = range(1, rules.throws_per_frame + 1)
    ranked = (layer_preferences(read, layer, player, throw) for layer in plan(read).layers for throw in throws)
    if any(each is None or each.tie.any() or each.take_tie.any() for each in ranked):
        return None
    return tuple(map(float, solve(rules, [1] * (rules.perfect_score + 1), player).law))


def mean_payout(rules: HooliganRules, pays: Sequence[int], player: Player = Player.OPTIMAL) -> float:
    """Mean payout of a game in minor units, as `solve` finds it, without the law."""
    return _mean_payout(rules, tuple(pays), player)


@lru_cache(maxsize=512)
def _mean_payout(rules: HooliganRules, pays: tuple[int, ...], player: Player) -> float:
    """Find the mean once: claims, readings and sheets ask for the same ones."""
    solved = _swept(rules, pays, player, keep_play=False, compiled=False)
    return float(solved.values[_start(solved.plan)])


def greatest_chances(rules: HooliganRules) -> Floats:
    """Greatest chance to reach each score from 0 to the perfect one, each by a player who wants that score alone.

    One sweep over what is still needed solves all of them.

    Examples
    --------
    >>> round(float(greatest_chances(HooliganRules())[84]), 6)
    0.102864
    """
    needs = plan(rules, "need")
    solved = sweep(needs, np.array([0.0, 1.0]), keep_play=False)
    scores = range(1, rules.perfect_score + 1)
    return np.array([1.0, *(solved.values[needs.cell(_all(rules), True, -score)] for score in scores)])


def _swept(rules: HooliganRules, pays: Sequence[int], player: Player, *, keep_play: bool, compiled: bool) -> Sweep:
    wanted = rules.perfect_score + 1
    if len(pays) != wanted:
        raise SolverLimitError(f"pays must be {wanted} payouts, one for each score from 0, got {len(pays)}")
    wrong = next((each for each in pays if each != int(each) or not 0 <= each <= GREATEST_PAYOUT), None)
    if wrong is not None:
        raise SolverLimitError(f"pays must be whole numbers from 0 to {GREATEST_PAYOUT}, got {wrong}")
    if compiled and not COMPILER:
        raise SolverLimitError('compiled must be False where the extra "fast" is not installed, got True')
    return sweep(
        plan(_read(rules, player)), np.array(pays, dtype=np.float64), player, keep_play=keep_play, compiled=compiled
    )


def _read(rules: HooliganRules, player: Player) -> HooliganRules:
    """Rules as they bind a player: the blind one names before the frame's first throw, when no number shows."""
    return replace(rules, point_must_show=False) if player is Player.BLIND else rules


def _all(rules: HooliganRules) -> tuple[int, ...]:
    return tuple(range(rules.faces, 0, -1))


def _start(of: Plan) -> int:
    return of.cell(_all(of.rules), True, 0)
