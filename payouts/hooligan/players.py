"""Kinds of player, as what each prefers: ranks of the options, by which a higher one is taken and a tie goes by payout.

The best player ranks nothing and looks at the payout alone, so he has no table here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import factorial

from payouts.hooligan.last_frame import MAKE, chance
from payouts.hooligan.rules import HOOLIGAN_POINTS, HooliganRules, Natural
from payouts.hooligan.tallies import expected_hits, options, sets, straight_tally, straights, tallies


class Player(StrEnum):
    """A kind of player."""

    OPTIMAL = "optimal"  # the greatest mean payout
    SCORE = "score"  # the greatest mean score, ties broken by payout
    SIMPLE = "simple"  # every natural; the open number that shows most after the first throw, ties to the higher
    BLIND = "blind"  # every natural; 6 down to 1, each named before its frame


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks after one throw of a frame: higher is preferred, equal ones go by payout.

    Parameters
    ----------
    named
        Rank of each option of `tallies.options`.
    again
        Rank of taking up all dice.
    take
        Rank of taking a natural; it matters where a natural is optional.
    """

    named: tuple[int, ...]
    again: int
    take: int


Preferences = dict[tuple[tuple[int, ...], bool], tuple[Ranks, ...]]
"""Ranks after each throw, by the open numbers (largest first) and whether Hooligan is open."""


@lru_cache(maxsize=256)
def preferences(rules: HooliganRules, player: Player) -> Preferences:
    """Table of what a player prefers; that of the best player is empty."""
    match player:
        case Player.OPTIMAL:
            return {}
        case Player.SCORE:
            return _score_tables(rules)[0]
        case Player.SIMPLE:
            return _fixed(rules, lambda number, count: count * (rules.faces + 1) + number)
        case Player.BLIND:
            return _fixed(rules, lambda number, _: number)


def greatest_mean_score(rules: HooliganRules) -> Fraction:
    """Exact greatest mean score of a game.

    >>> float(greatest_mean_score(HooliganRules()))
    65.399796506253...
    """
    return _score_tables(rules)[1]


def _fixed(rules: HooliganRules, rank: Callable[[int, int], int]) -> Preferences:
    """Ranks of a player who names by a rule after the first throw, never takes up, and takes every natural."""
    highest = (rules.dice + 1) * (rules.faces + 1)
    table: Preferences = {}
    for numbers in _every_set(rules):
        named = tuple(rank(number, count) for number in numbers for count in range(rules.dice + 1))
        ranks = (Ranks(named, -1, highest),) * rules.throws_per_frame
        table[numbers, False] = table[numbers, True] = ranks
    return table


def _every_set(rules: HooliganRules) -> list[tuple[int, ...]]:
    return [each for size in range(1, rules.faces + 1) for each in sets(rules, size)]


@dataclass(frozen=True, slots=True)
class _Frame:
    """A frame of the player of the greatest mean score; values are mean scores times `unit`.

    Parameters
    ----------
    named
        Value of each option after each throw.
    before
        Value before each throw with no point named, and after the last: worth no more than anything.
    best
        Value of the best option of each tally on the first throw.
    """

    named: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]
    best: dict[tuple[int, ...], int]


@lru_cache(maxsize=64)
def _score_tables(rules: HooliganRules) -> tuple[Preferences, Fraction]:
    """Solve for the greatest mean score, in whole numbers so that ties are exact; the score so far does not matter."""
    unit = rules.faces ** (rules.dice * rules.throws_per_frame * (rules.faces + 1))
    values: dict[tuple[tuple[int, ...], bool], int] = {}
    values |= {((), False): 0, ((), True): _whole(HOOLIGAN_POINTS * chance(rules, MAKE) * unit)}
    table: Preferences = {}
    for numbers in _every_set(rules):
        bonus: dict[tuple[int, ...], int] = {}
        for box in (False, True):
            named = _named_values(rules, numbers, {n: values[_without(numbers, n), box] for n in numbers}, unit)
            take = HOOLIGAN_POINTS * unit + values.get((numbers, False), 0)
            frame = _frame(rules, numbers, named, take if box else None, bonus)
            bonus = {tally: HOOLIGAN_POINTS * unit + best for tally, best in frame.best.items()}
            values[numbers, box] = frame.before[0]
            table[numbers, box] = tuple(
                _dense(frame.named[throw], frame.before[throw + 1], take) for throw in range(rules.throws_per_frame)
            )
    everything = tuple(range(rules.faces, 0, -1))
    return table, Fraction(values[everything, True], unit)


def _named_values(
    rules: HooliganRules, numbers: tuple[int, ...], after: dict[int, int], unit: int
) -> tuple[tuple[int, ...], ...]:
    """Value of naming each number with each count of dice that show it, after each throw."""
    return tuple(
        tuple(
            _whole(number * expected_hits(rules, count, left) * unit) + after[number]
            for number in numbers
            for count in range(rules.dice + 1)
        )
        for left in range(rules.throws_per_frame - 1, -1, -1)
    )


def _frame(
    rules: HooliganRules,
    numbers: tuple[int, ...],
    named: tuple[tuple[int, ...], ...],
    take: int | None,
    bonus: dict[tuple[int, ...], int],
) -> _Frame:
    """Solve a frame from its last throw to its first; `take` is the value of a natural while Hooligan is open."""
    total, weighed = rules.faces**rules.dice, tallies(rules, len(numbers))
    before, best = [-1], {}
    for values in reversed(named):
        best = {tally: max(before[0], *(values[option] for option in options(rules, tally))) for tally, _ in weighed}
        before.insert(0, _whole(Fraction(sum(weight * best[tally] for tally, weight in weighed), total)))
    if take is not None:
        for tally in (straight_tally(numbers, straight) for straight in straights(rules)):
            credited = {Natural.AUTOMATIC: take, Natural.OPTIONAL: max(take, best[tally]), Natural.BONUS: bonus[tally]}
            gain = credited[rules.natural] - best[tally]
            before[0] += _whole(Fraction(factorial(rules.dice) * gain, total))
    return _Frame(named, tuple(before), best)


def _dense(named: tuple[int, ...], again: int, take: int) -> Ranks:
    """Number values by their order, equal ones alike."""
    place = {value: rank for rank, value in enumerate(sorted({*named, again, take}))}
    return Ranks(tuple(place[value] for value in named), place[again], place[take])


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    return tuple(each for each in numbers if each != number)


def _whole(value: Fraction) -> int:
    assert value.denominator == 1, "the unit holds every value of the game"
    return value.numerator
