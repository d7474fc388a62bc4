"""What bets are made of: groups, when they may be made, how they are priced, legs."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from payouts.machine import Machine


class Group(StrEnum):
    """Groups of bets as the layout has them."""

    LINE = "line"
    ODDS = "odds"
    PLACE = "place"
    BUY_LAY = "buy and lay"
    BIG = "big"
    HARDWAY = "hardway"
    ONE_THROW = "one throw"
    COMPOSITE = "composite"
    HAND = "hand"
    OTHER = "other houses"


class Opens(StrEnum):
    """When a bet may be made."""

    ANY_TIME = "any_time"
    COME_OUT = "come_out"  # the puck is off
    POINT_ON = "point_on"  # the puck is on
    BEHIND = "behind"  # behind a bet of `parents` that has its point
    AFTER_SEVEN = "after_seven"  # before the first throw after a 7, or the table's first
    NEW_HAND = "new_hand"  # before a shooter's first throw


@dataclass(frozen=True, slots=True)
class Leg:
    """One part of a wager.

    Parameters
    ----------
    weight
        Units of the stake that are on this leg, out of the weights of all legs together.
    label
        What the part is called, "" where the wager is one part.
    bet
        Id of the bet under whose terms the leg is settled.
    spot
        Spot of that bet.
    """

    weight: int
    machine: Machine
    label: str
    bet: str
    spot: str


def no_keys(_points: tuple[int, ...]) -> tuple[str, ...]:
    """Keys of a price that is not written as a table."""
    return ()


@dataclass(frozen=True, slots=True)
class Prices:
    """How a schedule writes the price of a bet.

    Parameters
    ----------
    single
        Whether one price may be given ("1 to 1").
    keys
        Keys of a table of prices for a table's points; empty if none may be given.
    every
        Whether a table must price every key; else at least one.
    """

    single: bool
    keys: Callable[[tuple[int, ...]], tuple[str, ...]] = no_keys
    every: bool = False
