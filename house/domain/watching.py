"""The budget of false alarms of a pit, and how it is given out to sets of dice as they come into play."""

from dataclasses import dataclass
from fractions import Fraction

MOST_DICE = 8
"""Dice that are watched together; a larger set is watched in groups by serial, pairs across groups not at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    """How a house watches its dice.

    Parameters
    ----------
    alpha
        The chance that any monitor of the house ever alarms though everything is fair.
    sets
        Dice and sets of dice for which the budget is meant: the first so many have shares of a similar size.
    """

    alpha: Fraction = Fraction(1, 100)
    sets: int = 64

    def share(self, number: int) -> Fraction:
        """Share of the budget of the set that is watched as the `number`-th, from 1; all shares ever add to 1.

        A share that is given out never changes, so something is always kept back for the sets to come.

        Examples
        --------
        >>> Watching(sets=1).share(1), Watching(sets=1).share(2), Watching(sets=16).share(1)
        (Fraction(1, 2), Fraction(1, 6), Fraction(1, 17))
        >>> sum(Watching(sets=4).share(number) for number in range(1, 10_000)) < 1
        True
        """
        return Fraction(self.sets, (number + self.sets - 1) * (number + self.sets))


DEFAULT = Watching()


def groups(dice: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Divide the dice in play at a table into what is watched: sets of dice by serial, and then every die by itself.

    Examples
    --------
    >>> groups(("b", "a"))
    (('a', 'b'), ('a',), ('b',))
    """
    ordered = tuple(sorted(dice))
    sets = tuple(ordered[start : start + MOST_DICE] for start in range(0, len(ordered), MOST_DICE))
    return (*(one for one in sets if len(one) > 1), *((die,) for die in ordered))
