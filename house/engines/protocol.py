"""What every game engine shares: pure functions from a table's state and a command to a new state and movements.

An engine moves no money. It says what each wager's money does (`Movement`), and the service turns that into postings. A
state is a frozen value that converts to and from JSON, so that a table survives a restart.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from house.domain.ids import PlayerId, WagerId


class Result(StrEnum):
    """What happened to a wager."""

    STAKED = "staked"  # the player put it on the layout, or added to it
    WON = "won"
    LOST = "lost"
    TIED = "tied"  # settled without a winner; the stake comes back or stays, as `returned` says
    RETURNED = "returned"  # taken down, or came down with its parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """What one wager's money does in one step; minor units, every amount at least 0.

    Parameters
    ----------
    staked
        Wallet to riding.
    returned
        Riding to wallet.
    lost
        Riding to the house's win.
    winnings
        House's win to wallet, the stake not in it and the commission not taken from it.
    commission
        Wallet to the house's win.
    commission_back
        The house's win to wallet: up-front commission of a bet taken down.
    breakage
        What rounding of the winnings left with the house; part of no other amount.
    held
        Winnings above the schedule's greatest, which are not paid; part of no other amount.
    resolved
        The stake that this step decided (won, lost or tied), whether it came down or stays; part of no other amount.
        Percentages per bet resolved are measured against it.
    odds
        The price that was paid, as printed ("9 to 5"), or "".
    toke
        The wager was made for the dealers: its money is kept apart.
    """

    wager: WagerId
    player: PlayerId
    bet: str
    spot: str
    result: Result
    staked: int = 0
    returned: int = 0
    lost: int = 0
    winnings: int = 0
    commission: int = 0
    commission_back: int = 0
    breakage: int = 0
    held: int = 0
    resolved: int = 0
    odds: str = ""
    toke: bool = False


StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Played(Generic[StateT]):
    """A table after a command, and what the command did to the wagers on it."""

    state: StateT
    movements: tuple[Movement, ...] = ()
    calls: tuple[str, ...] = ()  # what the stickman says, for people: "seven-out", "point is six"
