"""A certificate of the best player's game: what every position between frames is worth, and what is chosen there.

A certificate is plain values for JSON, which the caller writes; `payouts.hooligan.checker` verifies it without
solving. The positions are those between frames that play can reach, named by the open boxes and the score so far
("62H 41"). Each has its worth, a float or an exact fraction "a/b", and its policy: for each throw a string with a
letter for every tally of `tallies.tallies`, the letter of `LETTERS` at the place of the option chosen; the option after
the last number's is to take up all dice. Everything else that a player decides (an optional natural, stopping early,
the last Hooligan) is to take what is worth more.
"""

from collections.abc import Iterable, Sequence
from string import ascii_letters, digits
from typing import Any

from payouts.errors import PayoutError
from payouts.hooligan.exact import ExactSolver, Frame, Numbers
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.solver import Solution
from payouts.hooligan.solver.law import chosen_options
from payouts.hooligan.tallies import options, tallies

FORMAT = "floorman-hooligan-certificate-1"
LETTERS = digits + ascii_letters


def position_key(numbers: Numbers, hooligan_open: bool, score: int) -> str:
    """Name a position between frames.

    >>> position_key((6, 2), True, 41)
    '62H 41'
    """
    return f"{''.join(map(str, numbers))}{'H' * hooligan_open} {score}"


def certificate(solved: Solution) -> dict[str, Any]:
    """Write down a solution of the best player in floats.

    Raises
    ------
    PayoutError
        When the solution is of another kind of player.
    """
    if solved.player is not Player.OPTIMAL:
        raise PayoutError(f"solved must be of the best player, got {solved.player}")
    swept, plan = solved.swept, solved.swept.plan
    positions: dict[str, Any] = {
        position_key((), True, int(score)): {"worth": float(worth)}
        for score, worth in zip(plan.keys[plan.last_frame], swept.values[plan.last_frame], strict=True)
    }
    for layer, play in zip(plan.layers, swept.layers, strict=True):
        worths, scores = swept.values[layer.cells].tolist(), plan.keys[layer.cells].tolist()
        by_throw = [chosen_options(layer, own).T.tolist() for own in play.own]
        for cell, which in enumerate(layer.set_of.tolist()):
            key = position_key(layer.sets[which], layer.hooligan_open, scores[cell])
            positions[key] = {"worth": worths[cell], "policy": [_letters(throw[cell]) for throw in by_throw]}
    return _document(solved.rules, [int(pay) for pay in solved.pays], solved.mean, positions)


def exact_certificate(rules: HooliganRules, pays: Sequence[int]) -> dict[str, Any]:
    """Solve in exact fractions and write the solution down; some seconds for the full game."""
    solver = ExactSolver(rules, pays)
    mean = solver.mean()
    positions: dict[str, Any] = {}
    for numbers, hooligan_open, score in solver.met():
        entry: dict[str, Any] = {"worth": str(solver.value(numbers, hooligan_open, score))}
        if numbers:
            entry["policy"] = _policy(rules, numbers, solver.frame(numbers, hooligan_open, score))
        positions[position_key(numbers, hooligan_open, score)] = entry
    return _document(rules, pays, str(mean), positions)


def _document(
    rules: HooliganRules, pays: Sequence[int], mean: float | str, positions: dict[str, Any]
) -> dict[str, Any]:
    return {"format": FORMAT, "rules": rules.to_json(), "pays": list(pays), "mean": mean, "positions": positions}


def _letters(chosen: Iterable[int]) -> str:
    return "".join(LETTERS[option] for option in chosen)


def _policy(rules: HooliganRules, numbers: Numbers, frame: Frame) -> list[str]:
    """Best option of every tally after each throw; ties go to the first."""
    again = len(numbers) * (rules.dice + 1)
    policy = []
    for throw, named in enumerate(frame.named, 1):
        last = throw == rules.throws_per_frame
        values = named if last else (*named, frame.before[throw])
        listed = (options(rules, tally) for tally, _ in tallies(rules, len(numbers)))
        policy.append(_letters(max(each if last else (*each, again), key=values.__getitem__) for each in listed))
    return policy
