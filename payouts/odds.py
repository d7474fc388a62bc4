"""Odds in the two units of the trade, and winnings in whole minor units."""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from payouts.errors import InexactStakeError, OddsError, PayoutError

_ODDS = re.compile(r"([1-9][0-9]{0,8}) (to|for) ([1-9][0-9]{0,8})", re.ASCII)


class Unit(StrEnum):
    """`to`: winnings beside the stake that comes back. `for`: everything that comes back, stake included."""

    TO = "to"
    FOR = "for"


@dataclass(frozen=True, slots=True)
class Odds:
    """A price as the layout prints it, "9 to 5" or "8 for 1".

    The unit is kept, because "15 to 1" and "15 for 1" are different bets.
    """

    numerator: int
    denominator: int
    unit: Unit = Unit.TO

    def __post_init__(self) -> None:
        if self.numerator < 0 or self.denominator < 1:
            raise OddsError(f"odds must be positive integers, got {self.numerator} {self.unit} {self.denominator}")
        if self.unit is Unit.FOR and self.numerator < self.denominator:
            raise OddsError(f"odds must be at least 1 for 1, got {self.numerator} for {self.denominator}")

    @classmethod
    def parse(cls, text: object) -> "Odds":
        """Read "9 to 5", "8 for 1" or "tie".

        Examples
        --------
        >>> str(Odds.parse("8 for 1")), Odds.parse("8 for 1").to_one
        ('8 for 1', Fraction(7, 1))
        """
        if text == "tie":
            return TIE_ODDS
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise OddsError(f'odds must be like "9 to 5" or "8 for 1", got {text!r}')
        return cls(int(match[1]), int(match[3]), Unit(match[2]))

    @property
    def to_one(self) -> Fraction:
        """Winnings per unit of stake, the stake not in it."""
        ratio = Fraction(self.numerator, self.denominator)
        return ratio - 1 if self.unit is Unit.FOR else ratio

    def __str__(self) -> str:
        return "tie" if self == TIE_ODDS else f"{self.numerator} {self.unit} {self.denominator}"


TIE_ODDS = Odds(0, 1)


class RoundingRule(StrEnum):
    """`down`: breakage to the house. `exact`: a stake that cannot be paid exactly is refused."""

    DOWN = "down"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Rounding:
    """How winnings become chips: the smallest chip, in minor units, and the rule."""

    unit_minor: int = 1
    rule: RoundingRule = RoundingRule.DOWN

    def __post_init__(self) -> None:
        if self.unit_minor < 1:
            raise PayoutError(f"unit_minor must be at least 1, got {self.unit_minor}")


@dataclass(frozen=True, slots=True)
class Winnings:
    """What a winning bet receives beside its stake, and what rounding left with the house; minor units."""

    paid: int
    breakage: int


def winnings(stake_minor: int, odds: Odds, rounding: Rounding) -> Winnings:
    """Pay a stake at given odds, never above them.

    Parameters
    ----------
    stake_minor
        Minor units, at least 1.

    Raises
    ------
    InexactStakeError
        Under the rule "exact", when the winnings are no whole number of units.

    Examples
    --------
    >>> winnings(500, Odds(7, 6), Rounding(100))
    Winnings(paid=500, breakage=83)
    """
    if stake_minor < 1:
        raise PayoutError(f"stake_minor must be at least 1, got {stake_minor}")
    parts = odds.numerator - odds.denominator if odds.unit is Unit.FOR else odds.numerator
    due, left = divmod(stake_minor * parts, odds.denominator)
    paid = due // rounding.unit_minor * rounding.unit_minor
    if rounding.rule is RoundingRule.EXACT and (paid != due or left):
        unit = exact_stake(odds, rounding)
        raise InexactStakeError(f"stake_minor must be a multiple of {unit} to be paid {odds}, got {stake_minor}", unit)
    return Winnings(paid=paid, breakage=due - paid)


def exact_stake(odds: Odds, rounding: Rounding) -> int:
    """Smallest stake, in minor units, of which every multiple is paid exactly.

    >>> exact_stake(Odds(7, 6), Rounding(100))
    600
    """
    return (odds.to_one / rounding.unit_minor).denominator
