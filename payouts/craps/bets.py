"""What a bet is: its id, its names, when it may be made and the machines that it is."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from payouts.machine import Machine

if TYPE_CHECKING:
    from payouts.craps.terms import CrapsSchedule


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


def no_spot(_schedule: "CrapsSchedule", _bet: str) -> tuple[str, ...]:
    """The one spot of a bet that has none to choose."""
    return ("",)


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


LegsOf = Callable[["CrapsSchedule", str, str], tuple[Leg, ...]]
SpotsOf = Callable[["CrapsSchedule", str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet of the catalogue, or one that a schedule file defines.

    Parameters
    ----------
    names
        Printed name, then the trade's other names.
    come_out
        The word of the table's option `come_out` that says whether the bet works on a come-out; "on" or "off" where
        no option does.
    contract
        Whether it stays until it is decided, once it has a point.
    parents
        Ids of the bets behind which it stands.
    orders
        For a bet that is an order for other bets: (bet, spot, units of the stake). The dealer books each leg as a wager
        of its own (`leg.bet` at `leg.spot`).
    definition
        For a bet that a schedule file defines: its definition in canonical text; "" in the catalogue.
    """

    id: str
    names: tuple[str, ...]
    group: Group
    prices: Prices
    make: LegsOf
    spots_of: SpotsOf = no_spot
    opens: Opens = Opens.ANY_TIME
    come_out: str = "on"
    contract: bool = False
    parents: tuple[str, ...] = ()
    orders: tuple[tuple[str, str, int], ...] = ()
    definition: str = ""

    @property
    def booked_as_parts(self) -> bool:
        """Whether the bet is only an order for others."""
        return bool(self.orders)

    def legs(self, schedule: "CrapsSchedule", spot: str = "") -> tuple[Leg, ...]:
        """Legs of the bet at a spot under a schedule that offers it."""
        return self.make(schedule, self.id, spot)

    def spots(self, schedule: "CrapsSchedule") -> tuple[str, ...]:
        """Spots at which a schedule that offers the bet takes it."""
        return self.spots_of(schedule, self.id)
