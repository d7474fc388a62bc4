"""The solver against published values, against a slow exact walk of the rules, and against itself."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from payouts.errors import SolverLimitError
from payouts.hooligan.exact import ExactSolver
from payouts.hooligan.last_frame import AVOID, MAKE, chance
from payouts.hooligan.players import Player, greatest_mean_score
from payouts.hooligan.rules import Choice, ChoiceKind, HooliganKeep, HooliganRules, Natural, Position
from payouts.hooligan.solver import error_bound, greatest_chances, mean_payout, solve
from payouts.hooligan.tallies import expected_hits
from tests.payouts.hooligan.slow_walk import Policy, SlowWalk

RULES = HooliganRules()
PRINTED = [0] * 84 + [100] * 6 + [200] * 4 + [0] * 242
READINGS = [
    HooliganRules(),
    HooliganRules(natural=Natural.OPTIONAL, hooligan_keep=HooliganKeep.NONE),
    HooliganRules(natural=Natural.OPTIONAL, point_must_show=True, may_stop_early=True),
    HooliganRules(natural=Natural.BONUS, may_stop_early=True),
    HooliganRules(natural=Natural.BONUS, point_must_show=True),
]


def name_of(rules: HooliganRules) -> str:
    flags = ("show" * rules.point_must_show, "stop" * rules.may_stop_early)
    return "-".join(
        [
            f"{rules.dice}d{rules.faces}x{rules.throws_per_frame}",
            rules.natural,
            rules.hooligan_keep,
            *filter(None, flags),
        ]
    )


# Published values: the table of rules/hooligan.md, to the digits shown there


def test_greatest_mean_score() -> None:
    assert round(mean_payout(RULES, range(336)), 10) == 65.3997965063
    assert round(float(greatest_mean_score(RULES)), 10) == 65.3997965063


def test_chances_of_the_last_hooligan() -> None:
    assert chance(HooliganRules(throws_per_frame=1), MAKE) == Fraction(5, 162)
    assert chance(RULES, MAKE) == Fraction(319695199, 1224440064)
    assert round(float(chance(HooliganRules(hooligan_keep=HooliganKeep.NONE), MAKE)), 10) == 0.0897641977


def test_player_who_wants_no_hooligan_makes_it_by_a_natural_alone() -> None:
    """After any other first throw he keeps all five dice; an optional natural he declines."""
    assert chance(RULES, AVOID) == Fraction(5, 162)
    assert chance(HooliganRules(natural=Natural.OPTIONAL), AVOID) == 0


@pytest.mark.parametrize(("score", "wanted"), [(84, 0.102864), (90, 0.039649), (94, 0.018175), (100, 0.004794)])
def test_greatest_chance_of_a_score(score: int, wanted: float) -> None:
    assert round(float(greatest_chances(RULES)[score]), 6) == wanted


@pytest.mark.soak
def test_greatest_mean_payout_of_the_two_printed_bands_is_within_the_bound_of_the_exact_fraction() -> None:
    assert within(RULES, mean_payout(RULES, PRINTED), ExactSolver(RULES, PRINTED).mean())


def test_greatest_mean_payout_of_the_two_printed_bands() -> None:
    mean = mean_payout(RULES, PRINTED)
    assert round(mean / 100, 10) == 0.1210246542
    assert round(100 * (1 - mean / 25), 6) == 51.590138


def test_dice_a_frame_of_a_point_fixed_blind() -> None:
    assert expected_hits(RULES, 0, 3) == Fraction(63755245, 30233088)


def test_blind_player_scores_what_his_frames_make() -> None:
    """By hand: six blind frames of E = 63755245/30233088 dice; Hooligan by a natural or in the last frame.

    A natural comes on the first throw of a frame with chance q = 5/162 while the box is open, and replaces nothing: the
    number frame is played later. So the box scores with chance 1 - (1 - q)^6 (1 - h), h the chance of the last frame.
    """
    straight, last = Fraction(5, 162), chance(RULES, MAKE)
    # A number frame that starts while Hooligan is open has no straight on its first throw. Its mean changes: a straight
    # shows one of each of 2 to 5, and 1 or 6 in one of the two straights.
    plain = expected_hits(RULES, 0, 3)
    after_one = expected_hits(RULES, 1, 2)
    after_none = expected_hits(RULES, 0, 2)
    total = Fraction()
    for place, number in enumerate(range(6, 0, -1)):
        shown = straight if 1 < number < 6 else straight / 2
        cut = (plain - shown * after_one - (straight - shown) * after_none) / (1 - straight)
        still_open = (1 - straight) ** (place + 1)  # no natural up to and including this frame's first throw
        total += number * (still_open * cut + (1 - still_open) * plain)
    made = 1 - (1 - straight) ** 6 * (1 - last)
    wanted = float(total + 20 * made)
    assert solve(RULES, range(336), Player.BLIND).mean == pytest.approx(wanted, rel=error_bound(RULES))


# The slow walk: exact fractions, event by event through the rules module, on reduced games


def irregular(rules: HooliganRules, seed: int) -> list[int]:
    """Payouts that rise and fall with the score."""
    random = Random(seed)
    return [random.choice((0, 0, random.randrange(1, 1000))) for _ in range(rules.perfect_score + 1)]


TINY = [
    HooliganRules(throws, natural, must_show, kept, stop, dice, faces)
    for (dice, faces, throws), natural, must_show, kept, stop in product(
        [(2, 3, 2), (2, 2, 3)], Natural, (False, True), HooliganKeep, (False, True)
    )
]
SMALL = [
    *(HooliganRules(2, natural, dice=3, faces=3) for natural in Natural),
    HooliganRules(1, Natural.AUTOMATIC, dice=4, faces=4),
    HooliganRules(1, Natural.AUTOMATIC, dice=4, faces=3),  # no straight is possible
]
LARGER = [
    HooliganRules(2, natural, must_show, HooliganKeep.ANY, stop, 3, 4)
    for natural, must_show, stop in product(Natural, (False, True), (False, True))
]
FEW = [*TINY[::7], *SMALL[:3]]
THINNED = [pytest.param(rules, marks=[pytest.mark.soak] if each % 2 else []) for each, rules in enumerate(FEW)]
"""Readings of which every other one is walked in the long checks alone."""

WALKED = [*TINY[:24], *TINY[24::5], *SMALL]
"""Readings that the slow walk can do; two of three in the long checks."""


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, marks=[pytest.mark.soak] if each % 3 else [], id=name_of(rules))
        for each, rules in enumerate(WALKED)
    ],
)
def test_exact_solver_equals_the_slow_walk(rules: HooliganRules) -> None:
    pays = irregular(rules, seed=1)
    (walked,) = SlowWalk(rules, lambda score: (Fraction(pays[score]),)).game()
    assert ExactSolver(rules, pays).mean() == walked


def within(rules: HooliganRules, solved: float, exact: Fraction) -> bool:
    return abs(Fraction(solved) - exact) <= Fraction(error_bound(rules)) * exact


@pytest.mark.parametrize("rules", [*TINY, *SMALL, *LARGER], ids=name_of)
def test_solver_is_within_its_bound_of_the_exact_solver(rules: HooliganRules) -> None:
    pays = irregular(rules, seed=1)
    assert within(rules, mean_payout(rules, pays), ExactSolver(rules, pays).mean())


@pytest.mark.parametrize("rules", THINNED, ids=name_of)
def test_player_of_the_score_agrees_with_the_slow_walk_ties_by_payout(rules: HooliganRules) -> None:
    """Fractions compare exactly, so a tie in mean score is a tie, and the payout breaks it."""
    pays = irregular(rules, seed=2)
    score, payout = SlowWalk(rules, lambda score: (Fraction(score), Fraction(pays[score]))).game()
    assert greatest_mean_score(rules) == score
    assert within(rules, mean_payout(rules, pays, Player.SCORE), payout)


def wants_the_last_hooligan(rules: HooliganRules) -> Callable[[Position, tuple[Choice | None, ...]], Choice | None]:
    """The last frame of the simple and the blind player: what makes a straight most often, by its own slow walk."""
    walk = SlowWalk(rules, lambda score: (Fraction(score),))
    return lambda position, choices: max(choices, key=lambda choice: walk.after(position, choice))


def human(rules: HooliganRules, rank: Callable[[Position, int], tuple[int, ...]]) -> Policy:
    """A player who takes every natural, never takes up dice or stops, and names the number of the highest rank."""
    last = wants_the_last_hooligan(rules)

    def policy(position: Position, choices: tuple[Choice | None, ...]) -> Choice | None:
        kinds = {choice.kind: choice for choice in choices if choice is not None}
        if ChoiceKind.TAKE in kinds:
            return kinds[ChoiceKind.TAKE]
        if not position.open_numbers:
            return last(position, choices)
        if None in choices:
            return None
        named = [choice for choice in choices if choice is not None and choice.kind is ChoiceKind.NAME]
        return max(named, key=lambda choice: rank(position, choice.point))

    return policy


@pytest.mark.parametrize("rules", THINNED, ids=name_of)
def test_simple_player_agrees_with_the_slow_walk(rules: HooliganRules) -> None:
    pays = irregular(rules, seed=3)
    policy = human(rules, lambda position, number: (position.dice.count(number), number))
    (exact,) = SlowWalk(rules, lambda score: (Fraction(pays[score]),), policy).game()
    assert within(rules, mean_payout(rules, pays, Player.SIMPLE), exact)


@pytest.mark.parametrize("rules", [rules for rules in FEW if not rules.point_must_show], ids=name_of)
def test_blind_player_agrees_with_the_slow_walk(rules: HooliganRules) -> None:
    pays = irregular(rules, seed=4)
    policy = human(rules, lambda _, number: (number,))
    (exact,) = SlowWalk(rules, lambda score: (Fraction(pays[score]),), policy).game()
    assert within(rules, mean_payout(rules, pays, Player.BLIND), exact)


@pytest.mark.parametrize("rules", [*TINY, *SMALL], ids=name_of)
def test_greatest_chances_agree_with_the_exact_solver(rules: HooliganRules) -> None:
    solved = greatest_chances(rules)
    for score in range(1, rules.perfect_score + 1, 4):
        exact = ExactSolver(rules, [int(final >= score) for final in range(rules.perfect_score + 1)]).mean()
        assert within(rules, float(solved[score]), exact)


# The law of the final score


@pytest.mark.parametrize("rules", THINNED[:7], ids=name_of)
def test_law_agrees_with_the_slow_walk_score_by_score(rules: HooliganRules) -> None:
    """Where two plays tie in payout their laws may differ; the human player has no ties."""
    policy = human(rules, lambda position, number: (position.dice.count(number), number))
    scores = range(rules.perfect_score + 1)
    worth = SlowWalk(rules, lambda score: tuple(Fraction(score == each) for each in scores), policy).game()
    law = solve(rules, irregular(rules, seed=5), Player.SIMPLE).law
    for solved, exact in zip(law, worth, strict=True):
        assert within(rules, float(solved), exact)


@pytest.mark.parametrize("player", list(Player))
@pytest.mark.parametrize("rules", READINGS, ids=name_of)
def test_law_sums_to_one_and_its_mean_is_the_value(rules: HooliganRules, player: Player) -> None:
    solved = solve(rules, PRINTED, player)
    assert solved.law.min() >= 0
    assert solved.law.sum() == pytest.approx(1, rel=error_bound(rules))
    assert float(solved.law @ np.array(PRINTED)) == pytest.approx(solved.mean, rel=2 * error_bound(rules))


@pytest.mark.parametrize("throws", [1, 2, 4, 5])
def test_other_throw_counts_keep_their_chances_together(throws: int) -> None:
    rules = HooliganRules(throws_per_frame=throws)
    solved = solve(rules, range(rules.perfect_score + 1))
    assert len(solved.law) == 5 * throws * 21 + 20 + 1
    assert solved.law.sum() == pytest.approx(1, rel=error_bound(rules))
    assert solved.mean == pytest.approx(float(greatest_mean_score(rules)), rel=error_bound(rules))


# Relations that hold for any payouts


def test_greatest_chances_are_the_values_of_single_scores_and_fall() -> None:
    chances = greatest_chances(RULES)
    assert len(chances) == 336
    assert chances[0] == 1
    assert (chances[1:] <= chances[:-1] * (1 + 2 * error_bound(RULES))).all()
    for score in (1, 20, 65, 84, 120, 200, 335):
        pays = [int(final >= score) for final in range(336)]
        assert float(chances[score]) == pytest.approx(mean_payout(RULES, pays), rel=2 * error_bound(RULES), abs=0)


def test_perfect_score_has_the_chance_of_throwing_it() -> None:
    """By hand: 335 needs, in each number frame, all five dice alike in three throws running, and Hooligan.

    Each frame of a number is made with dice all alike: the first throw shows five of any open number (k / 6^5 with k
    open), or the straight of a natural; then two throws of five of that number. Taking up never helps. The last
    Hooligan is played when no natural came. With h the chance of the last frame, it follows set by set.
    """
    straight, last = Fraction(5, 162), chance(RULES, MAKE)
    five = Fraction(1, 6**5)
    closed = [Fraction(1)]
    still_open = [last]
    for size in range(1, 7):
        frame = size * five**3
        closed.append(frame * closed[size - 1])
        still_open.append(frame * still_open[size - 1] + straight * closed[size])
    assert float(greatest_chances(RULES)[335]) == pytest.approx(float(still_open[6]), rel=error_bound(RULES), abs=0)


def test_best_player_is_never_worse_than_any_other() -> None:
    best = mean_payout(RULES, PRINTED)
    assert all(mean_payout(RULES, PRINTED, player) <= best for player in Player)


def test_value_is_convex_and_scales_with_the_payouts() -> None:
    first, second = irregular(RULES, 6), irregular(RULES, 7)
    value = mean_payout(RULES, [a + b for a, b in zip(first, second, strict=True)])
    assert value <= (mean_payout(RULES, first) + mean_payout(RULES, second)) * (1 + error_bound(RULES))
    tripled = mean_payout(RULES, [3 * pay for pay in first])
    assert tripled == pytest.approx(3 * mean_payout(RULES, first), rel=2 * error_bound(RULES))


@pytest.mark.parametrize("pays", [[0] * 335, [0] * 337, [-1] + [0] * 335, [0.5] + [0] * 335, [2**53 + 1] + [0] * 335])
def test_payouts_that_cannot_be_represented_are_refused(pays: list[int]) -> None:
    with pytest.raises(SolverLimitError, match="pays must be"):
        mean_payout(RULES, pays)


@pytest.mark.parametrize("rules", [*READINGS, *SMALL], ids=name_of)
def test_compiled_loops_find_the_same_value_and_law(rules: HooliganRules) -> None:
    pays = irregular(rules, seed=11)
    plain, fast = solve(rules, pays), solve(rules, pays, compiled=True)
    assert fast.mean == pytest.approx(plain.mean, rel=error_bound(rules))
    assert fast.law == pytest.approx(plain.law, rel=error_bound(rules), abs=0)


@pytest.mark.parametrize("player", [Player.SCORE, Player.SIMPLE, Player.BLIND])
def test_compiled_loops_find_the_same_law_of_every_player(player: Player) -> None:
    plain, fast = solve(RULES, PRINTED, player), solve(RULES, PRINTED, player, compiled=True)
    assert fast.law == pytest.approx(plain.law, rel=error_bound(RULES), abs=0)


def test_compiled_loops_are_refused_where_the_extra_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("payouts.hooligan.solver.COMPILER", False)
    with pytest.raises(SolverLimitError, match='compiled must be False where the extra "fast"'):
        solve(RULES, PRINTED, compiled=True)
