"""Wagers at a craps table: all bets of a window in one command, take-downs, working calls, the rail."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from house.engines.protocol import Movement
from house.service.desk import Command, House


class Call(StrEnum):
    """What a player may call a wager: working, off, or back to the rule of the table."""

    WORKING = "working"
    OFF = "off"
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """One bet of a window.

    Parameters
    ----------
    bet
        Id of the bet, as the schedule names it.
    spot
        Where on the layout: a number ("6"), a hop ("2-3"), or "".
    parent
        For odds: the wager behind which they lie.
    toke
        A bet for the dealers: same rules, kept apart in the accounts.
    """

    player: str
    bet: str
    stake_minor: int
    spot: str = ""
    parent: str | None = None
    toke: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDown:
    """A wager to take down; `stake_minor` of it, or all of it."""

    wager: str
    stake_minor: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerCall:
    """A wager and what it is called."""

    wager: str
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What a command did at a table.

    Parameters
    ----------
    wagers
        Ids of the wagers of a `PlaceBets`, in its order.
    state
        The engine's state after it, as JSON.
    """

    table: str
    movements: tuple[Movement, ...]
    calls: tuple[str, ...]
    wagers: tuple[str, ...]
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceBets(Command[Moved]):
    """Put bets on the layout: all or none; bets of several players may come in one command.

    Raises
    ------
    Refused
        By the engine (field names the bet's index, "bets[2].stake_minor"), and INSUFFICIENT_FUNDS, NOT_FOUND,
        TABLE_CLOSED.
    """

    table: str
    bets: tuple[Bet, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDownBets(Command[Moved]):
    """Take wagers down, whole or in part; all or none. Refused: CONTRACT_BET, NOT_FOUND, TABLE_CLOSED."""

    table: str
    wagers: tuple[TakeDown, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWagers(Command[Moved]):
    """Call wagers working or off; all or none. Refused: NOT_FOUND, BET_CLOSED, TABLE_CLOSED."""

    table: str
    calls: tuple[WagerCall, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRail(Command[Moved]):
    """Let a player stand at the rail: the dice come to players in the order in which they joined."""

    table: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveRail(Command[Moved]):
    """Let a player leave the rail; his wagers stay."""

    table: str
    player: str


def riding(house: House, table_id: str) -> tuple[Mapping[str, Any], ...]:
    """List the wagers riding at a table: wager, player, bet, spot, stake_minor, made_at_record."""
    raise NotImplementedError
