"""Tables: opened with a schedule, a float, dice and a box; shown; closed. Craps tables and Hooligan counters alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from house.service.desk import Command, House


class Method(StrEnum):
    """How dice are thrown at a table."""

    BOX = "box"
    GALLERY = "gallery"
    HAND = "hand"
    MACHINE = "machine"
    RNG = "rng"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table as the pit sees it.

    Parameters
    ----------
    schedule, schedule_version, fingerprint
        The version by which new bets are made.
    float_minor
        What the rack holds by the books.
    next_throw
        Number that the next throw at this table gets; dense from 0.
    round
        The round in progress: the throw with its betting window in craps, a player's game in Hooligan; "" for none.
    state
        The engine's state as JSON.
    offered
        What may be done now, as the engine says it: bets or choices.
    """

    table: str
    game: str
    schedule: str
    schedule_version: int
    fingerprint: str
    open: bool
    method: Method
    dice: tuple[str, ...]
    box: str | None
    opener_minor: int
    float_minor: int
    next_throw: int
    round: str
    state: Mapping[str, Any]
    offered: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A closed table: `win_minor` is closer less opener."""

    table: str
    opener_minor: int
    closer_minor: int
    win_minor: int
    throws: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable(Command[TableView]):
    """Open a table; its opener comes from the vault.

    Parameters
    ----------
    table
        Id of the caller's; a closed table's id is not used again.
    game
        "craps" or "hooligan".
    schedule, version
        A published schedule; without a version, the newest.
    dice
        Serials put into play: at least as many as a throw of the game takes.

    Raises
    ------
    Refused
        ALREADY_EXISTS, NOT_FOUND (schedule, die or box), NOT_IN_PLAY (a die or box is at another table, or too few
        dice), INSUFFICIENT_FUNDS (the vault).
    """

    table: str
    game: str
    schedule: str
    version: int | None = None
    opener_minor: int
    dice: tuple[str, ...]
    box: str | None = None
    method: Method = Method.BOX


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDice(Command[TableView]):
    """Put other dice and another box into play at a table; those that were there go out of play.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, NOT_IN_PLAY.
    """

    table: str
    dice: tuple[str, ...]
    box: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Command[TableClosed]):
    """Close a table: its float goes to the vault, its dice and box out of play.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, BETS_RIDING (also a game of Hooligan in progress).
    """

    table: str


def table(house: House, table_id: str) -> TableView:
    """Show a table. Refused: NOT_FOUND."""
    raise NotImplementedError


def tables(house: House, after: str = "", limit: int = 500) -> tuple[TableView, ...]:
    """List tables by id, closed ones too."""
    raise NotImplementedError
