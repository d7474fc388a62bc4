"""Sums of amounts in SQL that no number of them brings beyond the integers of a database: in two halves of 32 bits."""

from typing import Any


def halves(amount: str, name: str) -> str:
    """Words that sum an amount as `name`_high and `name`_low; `joined` reads them.

    >>> halves("amount", "won")
    'SUM((amount) >> 32) AS won_high, SUM((amount) & 4294967295) AS won_low'
    """
    return f"SUM(({amount}) >> 32) AS {name}_high, SUM(({amount}) & 4294967295) AS {name}_low"


def joined(row: Any, name: str) -> int:
    """The sum of a row that `halves` made; 0 where nothing was summed."""
    high, low = getattr(row, f"{name}_high"), getattr(row, f"{name}_low")
    return 0 if low is None else (int(high) << 32) + int(low)
