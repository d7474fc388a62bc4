"""A throw of all dice as the game sees it: how many show each open number, and what may then be named."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, factorial, prod

from payouts.hooligan.rules import HooliganRules

Tally = tuple[int, ...]
"""Dice that show each open number, the largest number first."""


def sets(rules: HooliganRules, size: int) -> tuple[tuple[int, ...], ...]:
    """Sets of so many open numbers, each with its largest first.

    >>> sets(HooliganRules(faces=3), 2)
    ((3, 2), (3, 1), (2, 1))
    """
    everything = [
        tuple(number for number in range(rules.faces, 0, -1) if mask >> (number - 1) & 1)
        for mask in range((1 << rules.faces) - 1, -1, -1)
    ]
    return tuple(numbers for numbers in everything if len(numbers) == size)


def straights(rules: HooliganRules) -> tuple[tuple[int, ...], ...]:
    """Straights of the game.

    >>> straights(HooliganRules())
    ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
    """
    return tuple(tuple(range(low, low + rules.dice)) for low in range(1, rules.faces - rules.dice + 2))


def straight_tally(numbers: tuple[int, ...], straight: tuple[int, ...]) -> Tally:
    """Tally of a straight over open numbers."""
    return tuple(int(number in straight) for number in numbers)


@cache
def tallies(rules: HooliganRules, numbers: int) -> tuple[tuple[Tally, int], ...]:
    """Tallies of a throw over so many open numbers, with their weights out of faces ** dice.

    >>> tallies(HooliganRules(dice=2), 1)
    (((0,), 25), ((1,), 10), ((2,), 1))
    """
    return tuple(_weighed(rules, numbers))


def _weighed(rules: HooliganRules, numbers: int) -> Iterator[tuple[Tally, int]]:
    closed = rules.faces - numbers
    for tally in product(range(rules.dice + 1), repeat=numbers):
        rest = rules.dice - sum(tally)
        if rest >= 0 and (closed or rest == 0):
            yield tally, factorial(rules.dice) // prod(map(factorial, (*tally, rest))) * closed**rest


def options(rules: HooliganRules, tally: Tally) -> tuple[int, ...]:
    """Numbers that a tally lets the player name: each as its place times (dice + 1) plus how many lie.

    >>> options(HooliganRules(), (0, 2)), options(HooliganRules(point_must_show=True), (0, 2))
    ((0, 8), (8,))
    """
    shown = rules.point_must_show and any(tally)
    return tuple(place * (rules.dice + 1) + count for place, count in enumerate(tally) if count or not shown)


def hit_chances(rules: HooliganRules, count: int) -> tuple[Fraction, ...]:
    """Chances of 0, 1, ... hits of the point in one throw, once it has been hit `count` times.

    >>> hit_chances(HooliganRules(), 4)
    (Fraction(5, 6), Fraction(1, 6))
    """
    thrown = rules.dice - count % rules.dice
    return tuple(
        Fraction(comb(thrown, hits) * (rules.faces - 1) ** (thrown - hits), rules.faces**thrown)
        for hits in range(thrown + 1)
    )


@cache
def expected_hits(rules: HooliganRules, count: int, throws_left: int) -> Fraction:
    """Mean count of hits at the end of the frame.

    >>> expected_hits(HooliganRules(), 0, 3)
    Fraction(63755245, 30233088)
    """
    if throws_left == 0:
        return Fraction(count)
    after = enumerate(hit_chances(rules, count))
    return sum((weight * expected_hits(rules, count + hits, throws_left - 1) for hits, weight in after), Fraction())
