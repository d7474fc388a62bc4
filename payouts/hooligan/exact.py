"""The best player's mean payout as an exact fraction, and the exact value of every position between frames.

A plain dynamic programme in whole numbers: the value of a position with so many throws of a game left is held in units
of 1 / faces ** (dice * throws left), so that no fraction is ever reduced. It takes some seconds for the full game where
the solver takes hundredths of one, shares none of its index arrays, and is what the solver's error bound is held to.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial
from operator import itemgetter, mul

from payouts.errors import SolverLimitError
from payouts.hooligan.last_frame import AVOID, MAKE, chance
from payouts.hooligan.rules import HOOLIGAN_POINTS, HooliganRules, Natural
from payouts.hooligan.tallies import hit_chances, options, straight_tally, straights, tallies

Numbers = tuple[int, ...]
"""Open numbers, the largest first."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame from one position.

    Parameters
    ----------
    named
        After each throw, the value of each option of `tallies.options`.
    before
        Value before each throw with no point named.
    first
        Value of each tally of the first throw, played as any throw.
    """

    named: tuple[tuple[int, ...], ...]
    before: tuple[int, ...]
    first: tuple[int, ...]


class ExactSolver:
    """Exact values for the player who maximises the mean payout.

    Parameters
    ----------
    pays
        Payout of each final score from 0 to the perfect one, whole and not negative.

    Raises
    ------
    SolverLimitError
        When the payouts are not one for each score, or not whole numbers from 0.

    Examples
    --------
    >>> small = HooliganRules(throws_per_frame=1, dice=2, faces=2)
    >>> ExactSolver(small, range(small.perfect_score + 1)).mean()
    Fraction(173, 8)
    """

    def __init__(self, rules: HooliganRules, pays: Sequence[int]) -> None:
        if len(pays) != rules.perfect_score + 1:
            raise SolverLimitError(f"pays must be {rules.perfect_score + 1} payouts, got {len(pays)}")
        wrong = [pay for pay in pays if pay != int(pay) or pay < 0]
        if wrong:
            raise SolverLimitError(f"pays must be whole numbers from 0, got {wrong[0]}")
        self.rules = rules
        self.pays = tuple(map(int, pays))
        self.throw_unit: int = rules.faces**rules.dice
        self.frame_unit: int = self.throw_unit**rules.throws_per_frame
        self._known: dict[tuple[Numbers, bool, int], int] = {}

    def mean(self) -> Fraction:
        """Mean payout of a game, in the unit of the payouts."""
        return self.value(tuple(range(self.rules.faces, 0, -1)), True, 0)

    def value(self, numbers: Numbers, hooligan_open: bool, score: int) -> Fraction:
        """Mean payout from a position between frames."""
        return Fraction(self.units(numbers, hooligan_open, score), self.frame_unit ** (len(numbers) + hooligan_open))

    def units(self, numbers: Numbers, hooligan_open: bool, score: int) -> int:
        """Value of a position in units of 1 / frame_unit ** (frames left)."""
        place = (numbers, hooligan_open, score)
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._units(*place)
        return known

    def met(self) -> tuple[tuple[Numbers, bool, int], ...]:
        """Positions between frames that have been valued: open numbers, box, score; games that are over left out."""
        return tuple(place for place in self._known if place[0] or place[1])

    def _units(self, numbers: Numbers, hooligan_open: bool, score: int) -> int:
        if numbers:
            return self.frame(numbers, hooligan_open, score).before[0]
        if not hooligan_open:
            return self.pays[score]
        made, missed = self.pays[score + HOOLIGAN_POINTS], self.pays[score]
        scored = int(chance(self.rules, MAKE if made >= missed else AVOID) * self.frame_unit)
        return scored * made + (self.frame_unit - scored) * missed

    def frame(self, numbers: Numbers, hooligan_open: bool, score: int) -> Frame:
        """Solve one frame from a position, from its last throw to its first."""
        named = self._named_values(numbers, hooligan_open, score)
        weights, last, others = _leaves(self.rules, len(numbers))
        first: list[int] = []
        before: list[int] = []
        for values in reversed(named):
            # After the last throw no dice can be taken up; else that is one option more.
            listed, choosers = ((*values, before[0]), others) if before else (values, last)
            first = [max(chooser(listed)) for chooser in choosers]
            before.insert(0, sum(map(mul, first, weights)))
        if hooligan_open:
            before[0] += self._naturals(numbers, score, first)
        return Frame(named, tuple(before), tuple(first))

    def _naturals(self, numbers: Numbers, score: int, first: list[int]) -> int:
        """What straights on the first throw are worth more than the same throw played as any other."""
        taken = self.units(numbers, False, score + HOOLIGAN_POINTS) * (self.frame_unit // self.throw_unit)
        leaves = _straight_leaves(self.rules, numbers)
        match self.rules.natural:
            case Natural.AUTOMATIC:
                worth = [taken for _ in leaves]
            case Natural.OPTIONAL:
                worth = [max(taken, first[leaf]) for leaf in leaves]
            case Natural.BONUS:
                closed = self.frame(numbers, False, score + HOOLIGAN_POINTS).first
                worth = [closed[leaf] * self.frame_unit for leaf in leaves]
        gains = (value - first[leaf] for value, leaf in zip(worth, leaves, strict=True))
        return factorial(self.rules.dice) * sum(gains)

    def _named_values(self, numbers: Numbers, hooligan_open: bool, score: int) -> tuple[tuple[int, ...], ...]:
        """Value of naming each number with each count of dice that show it, after each throw."""
        rules = self.rules
        by_left: list[list[int]] = [[] for _ in range(rules.throws_per_frame)]
        for number in numbers:
            rest = tuple(each for each in numbers if each != number)
            counts = range(rules.dice * rules.throws_per_frame + 1)
            values = [self.units(rest, hooligan_open, score + number * count) for count in counts]
            ended = values
            for left in range(rules.throws_per_frame):
                if left:
                    values = self._throw_once(values, ended, left)
                by_left[left] += values[: rules.dice + 1]
        return tuple(tuple(values) for values in reversed(by_left))

    def _throw_once(self, values: list[int], ended: list[int], left: int) -> list[int]:
        """Value of each count of hits with one throw more to come, or of stopping where that is allowed and better."""
        rules = self.rules
        rows = rules.dice * (rules.throws_per_frame - left) + 1
        going = [sum(map(mul, _hit_ways(rules, count), values[count:])) for count in range(rows)]
        if not rules.may_stop_early:
            return going
        scale = self.throw_unit**left
        return [max(value, stopped * scale) for value, stopped in zip(going, ended, strict=False)]


@lru_cache(maxsize=1024)
def _hit_ways(rules: HooliganRules, count: int) -> tuple[int, ...]:
    """Ways of 0, 1, ... hits in the next throw, out of faces ** dice."""
    return tuple(int(chance * rules.faces**rules.dice) for chance in hit_chances(rules, count))


Chooser = Callable[[tuple[int, ...]], tuple[int, ...]]


@lru_cache(maxsize=256)
def _leaves(rules: HooliganRules, size: int) -> tuple[tuple[int, ...], tuple[Chooser, ...], tuple[Chooser, ...]]:
    """Weights of the tallies over so many numbers, and what picks the values of each one's options from all values.

    The first pickers are of the last throw, the others have taking up all dice as the last of the values. An option is
    picked twice where it is the only one, so that each picks a tuple.
    """
    again = size * (rules.dice + 1)
    listed = [options(rules, tally) for tally, _ in tallies(rules, size)]
    return (
        tuple(weight for _, weight in tallies(rules, size)),
        tuple(itemgetter(*each, each[0]) for each in listed),
        tuple(itemgetter(*each, again) for each in listed),
    )


@lru_cache(maxsize=1024)
def _straight_leaves(rules: HooliganRules, numbers: Numbers) -> tuple[int, ...]:
    """Place of each straight's tally among the tallies."""
    listed = [tally for tally, _ in tallies(rules, len(numbers))]
    return tuple(listed.index(straight_tally(numbers, straight)) for straight in straights(rules))
