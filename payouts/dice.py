"""The exact law of a throw of two dice, for fair dice and for given face probabilities, and sets of throws as text."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from payouts.errors import PayoutError
from payouts.machine import Throw

FACES = (1, 2, 3, 4, 5, 6)
THROWS: tuple[Throw, ...] = tuple((first, second) for first in FACES for second in FACES)
"""All 36 throws; `index` is the place of a throw here."""
HARD = frozenset(throw for throw in THROWS if throw[0] == throw[1])
EASY = frozenset(THROWS) - HARD

_PAIR = re.compile(r"([1-6])-([1-6])", re.ASCII)


def index(throw: Throw) -> int:
    """Place of a throw in `THROWS`.

    >>> index((1, 1)), index((6, 6))
    (0, 35)
    """
    return 6 * throw[0] + throw[1] - 7


def totals(*wanted: int) -> frozenset[Throw]:
    """Throws with one of these totals."""
    return frozenset(throw for throw in THROWS if sum(throw) in wanted)


def pair(first: int, second: int) -> frozenset[Throw]:
    """Throws that show these two faces, in either order."""
    return frozenset({(first, second), (second, first)})


def throw_set(text: str) -> frozenset[Throw]:
    """Read a set of throws: totals, pairs and the words "hard" and "easy", separated by commas.

    Raises
    ------
    PayoutError
        If a part is no total from 2 to 12, no pair of faces from 1 to 6 and neither word.

    Examples
    --------
    >>> sorted(throw_set("2, 1-2")), len(throw_set("hard, 7"))
    ([(1, 1), (1, 2), (2, 1)], 12)
    """
    return frozenset().union(*(_throws_named(part.strip()) for part in text.split(",")))


def _throws_named(part: str) -> frozenset[Throw]:
    words = {"hard": HARD, "easy": EASY}
    if part in words:
        return words[part]
    match = _PAIR.fullmatch(part)
    if match is not None:
        return pair(int(match[1]), int(match[2]))
    if part in map(str, range(2, 13)):
        return totals(int(part))
    raise PayoutError(f'throws must be totals from 2 to 12, pairs like "1-2", "hard" or "easy", got {part!r}')


@dataclass(frozen=True, slots=True)
class Dice:
    """The law of a throw of two dice.

    Parameters
    ----------
    weights
        36 integers in the order of `THROWS`.
    whole
        Their sum.
    """

    weights: tuple[int, ...]
    whole: int

    @classmethod
    def of(cls, first: Sequence[Fraction], second: Sequence[Fraction] | None = None) -> "Dice":
        """Law of two independent dice with these six face probabilities each.

        Parameters
        ----------
        second
            Probabilities of the second die; those of the first if left out.

        Raises
        ------
        PayoutError
            If there are not six probabilities of at least 0 that add to exactly 1.
        """
        other = first if second is None else second
        for die in (first, other):
            if len(die) != len(FACES) or min(die) < 0 or sum(die) != 1:
                raise PayoutError(f"a die must have six probabilities of at least 0 that add to 1, got {list(die)}")
        products = [one * two for one in first for two in other]
        whole = lcm(*(chance.denominator for chance in products))
        return cls(tuple(int(chance * whole) for chance in products), whole)

    def chance(self, throws: Iterable[Throw]) -> Fraction:
        """Chance of a set of throws."""
        return Fraction(sum(self.weights[index(throw)] for throw in throws), self.whole)


FAIR = Dice((1,) * 36, 36)
"""Two fair dice."""
