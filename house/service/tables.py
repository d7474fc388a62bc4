"""Tables: opened with a schedule, a float, dice and a box; shown; closed. Craps tables and Hooligan counters alike."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar

from sqlalchemy import Connection

from house.domain.bookings import entries_of
from house.domain.dice_sets import read_set
from house.domain.ids import TableId, check_id
from house.domain.ledger import drop_box, table_float
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import equipment, schedules
from house.service.cage import book_event, check_amount
from house.service.desk import Command, House, Work
from house.service.games import GAMES
from house.service.play import known_table, loader, open_table, state_of
from house.service.solvency import check_reserve
from house.store import equipment as pieces
from house.store import ledger, records, sheets
from house.store import tables as store
from house.store.records import canonical
from house.store.tables import StoredTable

TABLE_ID_LENGTH = 40
"""Characters of a table's id at most: rounds and wagers are named by it and a number."""


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
    drop_minor
        Cash in the drop box by the slips.
    exposure_minor
        Most that the house may lose on what rides.
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
    drop_minor: int
    exposure_minor: int
    next_throw: int
    round: str
    state: Mapping[str, Any]
    offered: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed:
    """A closed table: `win_minor` is closer, credits and drop less opener and fills."""

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
        Id of the caller's, at most `TABLE_ID_LENGTH`; a closed table's id is not used again.
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

    scope: ClassVar[Scope] = Scope.TABLES_WRITE
    table: str
    game: str
    schedule: str
    version: int | None = None
    opener_minor: int
    dice: tuple[str, ...]
    box: str | None = None
    method: Method = Method.BOX

    def run(self, work: Work) -> TableView:
        """Check everything, then book the opener and put the set into play."""
        table_id = TableId(check_id(self.table, "table", TABLE_ID_LENGTH))
        check_amount(self.opener_minor, "opener_minor", least=0)
        if self.game not in GAMES:
            limit = ", ".join(GAMES)
            raise Refused(Refusal.BAD_VALUE, f"game must be one of {limit}", "game", self.game[:40], limit)
        if store.get(work.connection, table_id) is not None:
            raise Refused(Refusal.ALREADY_EXISTS, "a table with this id is or was open", "table", table_id)
        schedule = schedules.find(work.connection, self.game, self.schedule, self.version)
        new = read_set(self.dice, self.box, GAMES[self.game].dice)
        table = StoredTable(
            id=table_id,
            game=self.game,
            fingerprint=schedule.fingerprint,
            open=True,
            method=self.method.value,
            opener=self.opener_minor,
            state=canonical(GAMES[self.game].read({}).to_json()),
        )
        store.add(work.unit, table)
        ledger.open_accounts(work.unit, [table_float(table_id), drop_box(table_id)])
        noted = {"game": self.game, "method": self.method.value, "opener": self.opener_minor}
        _note(work, "opened", table, noted, field="opener_minor")
        check_reserve(work.connection, "opener_minor", self.opener_minor)
        equipment.put_in_play(work, table_id, new)
        return _view(work.house, work.connection, known_table(work.connection, table_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSchedule(Command[TableView]):
    """Let new bets at a table be made by another version of its schedule; what rides is settled by its own.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED; BETS_RIDING where the new version has other points and something rides.
    """

    scope: ClassVar[Scope] = Scope.TABLES_WRITE
    approval: ClassVar[Scope | None] = Scope.SCHEDULES_APPROVE
    table: str
    version: int | None = None

    def run(self, work: Work) -> TableView:
        """Note the change; the engine is asked whether what rides can be settled beside the new version."""
        table = open_table(work.connection, self.table)
        name = schedules.of(work.house, work.connection, table.fingerprint).header.name
        new = schedules.find(work.connection, table.game, name, self.version)
        changed = replace(table, fingerprint=new.fingerprint)
        load = loader(work.house, work.connection)
        try:
            GAMES[table.game].offered(state_of(table), new.fingerprint, load)
        except ValueError as error:
            raise Refused(Refusal.BETS_RIDING, str(error), "version", str(new.version)) from None
        _note(work, "schedule", changed, {"before": table.fingerprint})
        store.save(work.unit, changed)
        return _view(work.house, work.connection, changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDice(Command[TableView]):
    """Put other dice and another box into play at a table; those that were there go out of play.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, NOT_IN_PLAY.
    """

    scope: ClassVar[Scope] = Scope.TABLES_WRITE
    table: str
    dice: tuple[str, ...]
    box: str | None = None

    def run(self, work: Work) -> TableView:
        """Change the set."""
        table = open_table(work.connection, self.table)
        new = read_set(self.dice, self.box, GAMES[table.game].dice)
        equipment.put_in_play(work, table.id, new, table.next_throw)
        return _view(work.house, work.connection, table)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Command[TableClosed]):
    """Close a table: its float goes to the vault, its dice and box out of play.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, BETS_RIDING (also a game of Hooligan in progress).
    """

    scope: ClassVar[Scope] = Scope.TABLES_WRITE
    table: str

    def run(self, work: Work) -> TableClosed:
        """Book the closer, and end the table's life."""
        table = open_table(work.connection, self.table)
        if not GAMES[table.game].idle(state_of(table)):
            raise Refused(Refusal.BETS_RIDING, "bets ride, or a game is in progress", "table", table.id)
        account = table_float(TableId(table.id))
        closer = ledger.normal(work.connection, account)
        win = sheets.settled(work.connection, table.id)
        _note(work, "closed", table, {"closer": closer, "throws": table.next_throw})
        equipment.take_out(work, table.id)
        store.close(work.unit, table.id, closer)
        work.unit.checkpoint_wanted = True
        return TableClosed(
            table=table.id,
            opener_minor=table.opener,
            closer_minor=closer,
            win_minor=win,
            throws=table.next_throw,
        )


def _note(
    work: Work,
    event: str,
    table: StoredTable,
    noted: Mapping[str, str | int] = MappingProxyType({}),
    *,
    field: str = "",
) -> None:
    """Write an event of a table into the history, and book what it moves."""
    body = {"fingerprint": table.fingerprint, **noted}
    if entries_of(event, table.id, body) is None:
        records.append(work.unit, "table_event", table.id, {"event": event, **body})
    else:
        book_event(work, "table_event", event, table.id, body, field=field)


def table(house: House, table_id: str) -> TableView:
    """Show a table. Refused: NOT_FOUND."""
    with house.read() as connection:
        return _view(house, connection, known_table(connection, table_id))


def tables(house: House, after: str = "", limit: int = 500) -> tuple[TableView, ...]:
    """List tables by id, closed ones too."""
    with house.read() as connection:
        return tuple(_view(house, connection, one) for one in store.after(connection, after, limit))


def in_play(house: House) -> tuple[str, ...]:
    """Fingerprints of the schedules of open tables."""
    with house.read() as connection:
        return tuple(dict.fromkeys(one.fingerprint for one in store.open_ones(connection)))


def _view(house: House, connection: Connection, table: StoredTable) -> TableView:
    schedule = schedules.of(house, connection, table.fingerprint)
    state = state_of(table)
    in_play = pieces.in_play(connection, table.id)
    load = loader(house, connection)
    return TableView(
        table=table.id,
        game=table.game,
        schedule=schedule.header.name,
        schedule_version=schedule.header.version,
        fingerprint=table.fingerprint,
        open=table.open,
        method=Method(table.method),
        dice=tuple(in_play.dice),
        box=in_play.box,
        opener_minor=table.opener,
        float_minor=ledger.normal(connection, table_float(TableId(table.id))),
        drop_minor=ledger.normal(connection, drop_box(TableId(table.id))),
        exposure_minor=table.exposure,
        next_throw=table.next_throw,
        round=table.round,
        state=state.to_json(),
        offered=GAMES[table.game].offered(state, table.fingerprint, load) if table.open else (),
    )
