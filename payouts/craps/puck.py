"""The puck: what a throw does to the table's point, in one place for the tables and for the bets over a hand."""

from collections.abc import Collection
from enum import StrEnum

from payouts.machine import Throw

OFF = 0
"""The puck is off: the next throw is a come-out."""
BOX_NUMBERS = (4, 5, 6, 8, 9, 10)
"""Points of ordinary craps."""
CRAPLESS_NUMBERS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
"""Points of crapless craps: every total but 7."""


class Event(StrEnum):
    """What a throw was to the table."""

    NATURAL = "natural"
    CRAPS = "craps"
    POINT_SET = "point_set"
    POINT_MADE = "point_made"
    SEVEN_OUT = "seven_out"
    NUMBER = "number"  # a throw with the puck on that decides nothing


def follow(points: Collection[int], point: int, throw: Throw) -> tuple[int, Event]:
    """Follow the puck through a throw.

    Parameters
    ----------
    points
        Totals that become points at this table.
    point
        The point that is on, or `OFF`.

    Returns
    -------
    tuple of int and Event
        The point after the throw, `OFF` if there is none, and what the throw was.

    Examples
    --------
    >>> follow(BOX_NUMBERS, OFF, (6, 5))
    (0, <Event.NATURAL: 'natural'>)
    >>> follow(BOX_NUMBERS, 4, (1, 6))
    (0, <Event.SEVEN_OUT: 'seven_out'>)
    """
    total = sum(throw)
    if point == OFF:
        if total in points:
            return total, Event.POINT_SET
        return OFF, Event.NATURAL if total in (7, 11) else Event.CRAPS
    if total == point:
        return OFF, Event.POINT_MADE
    return (OFF, Event.SEVEN_OUT) if total == 7 else (point, Event.NUMBER)
