"""The last frame, with Hooligan alone open: exact chances of a straight for a player who wants it, and who does not."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod

from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural, is_straight

Dice = tuple[int, ...]
"""Faces in rising order; of kept dice, fewer than a full hand."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the player wants of the last frame."""

    make: bool

    @property
    def better(self) -> Callable[..., Fraction]:
        """The better of several chances of a straight."""
        return max if self.make else min


MAKE, AVOID = Wish(True), Wish(False)


@cache
def hands(dice: int, faces: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Each hand of so many fair dice, in rising order, with its chance.

    >>> dict(hands(2, 6))[(1, 2)]
    Fraction(1, 18)
    """
    return tuple(
        (hand, Fraction(factorial(dice), prod(map(factorial, Counter(hand).values())) * faces**dice))
        for hand in combinations_with_replacement(range(1, faces + 1), dice)
    )


@cache
def chance(rules: HooliganRules, wish: Wish) -> Fraction:
    """Chance that the last frame scores, before its first throw.

    >>> chance(HooliganRules(), MAKE)
    Fraction(319695199, 1224440064)
    """
    left = rules.throws_per_frame - 1
    return sum(
        (weight * after_first(rules, wish, left, hand) for hand, weight in hands(rules.dice, rules.faces)), Fraction()
    )


def after_first(rules: HooliganRules, wish: Wish, left: int, hand: Dice) -> Fraction:
    """Chance that the frame scores once the first throw lies, with so many throws left."""
    if not is_straight(rules, hand):
        return after_throw(rules, wish, left, hand)
    declinable = rules.natural is Natural.OPTIONAL and rules.hooligan_keep is HooliganKeep.ANY
    return Fraction(wish.make or not declinable)


def after_throw(rules: HooliganRules, wish: Wish, left: int, hand: Dice) -> Fraction:
    """Chance that the frame scores once a later throw lies."""
    if rules.hooligan_keep is HooliganKeep.NONE:
        return Fraction(1) if is_straight(rules, hand) else _never_kept(rules, left)
    if left == 0:
        return Fraction(is_straight(rules, hand))
    return _best_keep(rules, wish, left, hand)


def _never_kept(rules: HooliganRules, left: int) -> Fraction:
    straight = sum((weight for hand, weight in hands(rules.dice, rules.faces) if is_straight(rules, hand)), Fraction())
    return 1 - (1 - straight) ** left


@cache
def _best_keep(rules: HooliganRules, wish: Wish, left: int, hand: Dice) -> Fraction:
    keeps = {kept for size in range(len(hand) + 1) for kept in combinations(hand, size)}
    return wish.better(with_kept(rules, wish, left, kept) for kept in keeps)


@cache
def with_kept(rules: HooliganRules, wish: Wish, left: int, kept: Dice) -> Fraction:
    """Chance that the frame scores when these dice are kept, all to end it, with `left` throws still to come."""
    if len(kept) == rules.dice:
        return Fraction(is_straight(rules, kept))
    return sum(
        (
            weight * after_throw(rules, wish, left - 1, tuple(sorted(kept + thrown)))
            for thrown, weight in hands(rules.dice - len(kept), rules.faces)
        ),
        Fraction(),
    )
