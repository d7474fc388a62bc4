"""Money: whole minor units of one currency."""

import re
from dataclasses import dataclass

GREATEST_MINOR = 2**53 - 1
"""Largest amount that is kept, in minor units; every JSON reader holds it exactly."""

_OTHER_DECIMALS = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "ISK": 0, "BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3}


def decimals(currency: str) -> int:
    """Digits behind the point in a currency (ISO 4217), two for most.

    >>> decimals("USD"), decimals("JPY")
    (2, 0)
    """
    return _OTHER_DECIMALS.get(currency, 2)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units with its currency; amounts of two currencies never meet.

    >>> str(Money(1250, "USD") + Money(50, "USD"))
    '13.00 USD'
    """

    minor: int
    currency: str

    def __post_init__(self) -> None:
        assert abs(self.minor) <= GREATEST_MINOR, f"minor must be within {GREATEST_MINOR}, got {self.minor}"
        assert re.fullmatch("[A-Z]{3}", self.currency, re.ASCII), f"currency must be ISO 4217, got {self.currency!r}"

    def __add__(self, other: "Money") -> "Money":
        assert self.currency == other.currency, f"cannot add {other.currency} to {self.currency}"
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return self + -other

    def __neg__(self) -> "Money":
        return Money(-self.minor, self.currency)

    def __str__(self) -> str:
        return f"{amount(self.minor, self.currency)} {self.currency}"


def amount(minor: int, currency: str) -> str:
    """Minor units as the currency prints them, without its name.

    >>> amount(-1250, "USD"), amount(1250, "JPY")
    ('-12.50', '1250')
    """
    digits = decimals(currency)
    whole, part = divmod(abs(minor), 10**digits)
    return f"{'-' if minor < 0 else ''}{whole}" + (f".{part:0{digits}d}" if digits else "")
