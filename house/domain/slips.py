"""Slips: the papers by which chips go between vault and rack, and cash into a drop box."""

from collections.abc import Mapping
from enum import StrEnum

from house.domain.refusals import Refusal, Refused


class SlipKind(StrEnum):
    """What a slip moves; slips of each kind are numbered densely from 1."""

    FILL = "fill"  # chips from the vault to a table's rack
    CREDIT = "credit"  # chips from a table's rack to the vault


def check_denominations(denominations: Mapping[int, int], amount: int) -> None:
    """Check that chips by denomination are worth the amount of their slip.

    Parameters
    ----------
    denominations
        How many chips of each value in minor units; empty where they are not told.

    Raises
    ------
    Refused
        BAD_VALUE.

    Examples
    --------
    >>> check_denominations({100_00: 20, 25_00: 4}, 2_100_00)
    >>> check_denominations({100_00: 20}, 2_100_00)
    Traceback (most recent call last):
    house.domain.refusals.Refused: bad_value: the chips must be worth the amount
    """
    if not denominations:
        return
    positive = all(value > 0 and count > 0 for value, count in denominations.items())
    worth = sum(value * count for value, count in denominations.items())
    if not positive or worth != amount:
        message = "the chips must be worth the amount"
        raise Refused(Refusal.BAD_VALUE, message, "chips", str(worth)[:40], str(amount))


def check_reason(reason: str) -> str:
    """Check why something was undone: 3 to 200 characters that can be seen. Refused: BAD_VALUE."""
    text = reason.strip()
    if not 3 <= len(text) <= 200 or not text.isprintable():
        limit = "3 to 200 characters that can be seen"
        raise Refused(Refusal.BAD_VALUE, f"reason must be {limit}", "reason", limit=limit)
    return text
