"""Dice and boxes in the database: what each is now, and what happened to it, a line an event."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Table, bindparam, delete, func, insert, select, update

from house.domain.dice_sets import InPlay
from house.domain.ids import BoxSerial, DieSerial
from house.domain.lives import ON_HAND, Event, Kind, State
from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_DIE = rows.table(rows.DieRow)
_BOX = rows.table(rows.BoxRow)
_EVENT = rows.table(rows.PieceEventRow)
_COUNT = rows.table(rows.CountRow)
_HAND = rows.table(rows.HandRow)
KINDS: Mapping[Kind, Table] = {Kind.DIE: _DIE, Kind.BOX: _BOX}
_IN_PLAY = {
    table: Prepared(select(table.c.serial).where(table.c.table_id == bindparam("table")).order_by(table.c.serial))
    for table in KINDS.values()
}
_LYING = Prepared(select(_HAND.c.dice).where(_HAND.c.table_id == bindparam("table")))
_LIFT = Prepared(delete(_HAND).where(_HAND.c.table_id == bindparam("table")))
_LAY = Prepared(insert(_HAND))


@dataclass(frozen=True, slots=True)
class Piece:
    """A die or a box: where it stands in its life, where it is in play, and since when (microseconds since 1970)."""

    kind: Kind
    serial: str
    state: State
    table: str | None
    area: str
    maker: str
    lot: str
    since_us: int


@dataclass(frozen=True, slots=True)
class Move:
    """An event of a piece: what it is after it, and the area where it is stored or from which it was issued."""

    kind: Kind
    serial: str
    event: Event
    state: State
    area: str


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of a piece as it is kept."""

    record: int
    move: Move
    table: str | None
    at_us: int
    gaming_day: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A physical count of a storage area, and what was due by the books."""

    record: int
    area: str
    dice: int
    boxes: int
    due_dice: int
    due_boxes: int


def add(unit: Unit, pieces: Sequence[Piece]) -> None:
    """Register dice or boxes."""
    for kind, table in KINDS.items():
        values = [
            {name: getattr(piece, name) for name in ("serial", "state", "area", "maker", "lot", "since_us")}
            | {"registered_us": unit.at_us}
            for piece in pieces
            if piece.kind is kind
        ]
        if values:
            unit.connection.execute(insert(table), values)


def pieces(connection: Connection, kind: Kind, serials: Collection[str]) -> dict[str, Piece]:
    """Those of some serials that are registered."""
    table = KINDS[kind]
    return {
        row.serial: _piece(kind, row) for row in connection.execute(select(table).where(table.c.serial.in_(serials)))
    }


def after(connection: Connection, kind: Kind, serial: str, limit: int) -> tuple[Piece, ...]:
    """Dice or boxes by serial, beyond one."""
    table = KINDS[kind]
    query = select(table).where(table.c.serial > serial).order_by(table.c.serial).limit(limit)
    return tuple(_piece(kind, row) for row in connection.execute(query))


def every(connection: Connection) -> Iterator[Piece]:
    """All pieces, dice first."""
    return (_piece(kind, row) for kind, table in KINDS.items() for row in connection.execute(select(table)))


def latest_day(connection: Connection) -> str:
    """Last gaming day on which anything happened to a piece; "" if nothing ever did."""
    return str(connection.execute(select(func.coalesce(func.max(_EVENT.c.gaming_day), ""))).scalar_one())


def at_table(connection: Connection, table_id: str) -> tuple[Piece, ...]:
    """Dice and boxes in play at a table, each kind by serial."""
    return tuple(
        _piece(kind, row)
        for kind, table in KINDS.items()
        for row in connection.execute(select(table).where(table.c.table_id == table_id).order_by(table.c.serial))
    )


def _piece(kind: Kind, row: Row[Any]) -> Piece:
    return Piece(kind, row.serial, State(row.state), row.table_id, row.area, row.maker, row.lot, row.since_us)


def in_play(connection: Connection, table_id: str) -> InPlay:
    """Dice, by serial, and box in play at a table."""
    return InPlay(
        tuple(DieSerial(serial) for serial in _serials(connection, _DIE, table_id)),
        next((BoxSerial(serial) for serial in _serials(connection, _BOX, table_id)), None),
    )


def _serials(connection: Connection, table: Table, table_id: str) -> Sequence[str]:
    return [row.serial for row in _IN_PLAY[table].rows(connection, {"table": table_id})]


def move(unit: Unit, moves: Sequence[Move], record: int, table_id: str | None) -> None:
    """Keep what a record did to pieces; `table_id` is the table where it did."""
    for each in moves:
        table = KINDS[each.kind]
        at_it = table_id if each.state is State.IN_PLAY else None
        values: dict[str, Any] = {"state": each.state, "table_id": at_it, "area": each.area}
        if each.event is not Event.PASSED or each.state is not State.IN_PLAY:  # else it is in play as long as before
            values["since_us"] = unit.at_us
        unit.connection.execute(update(table).where(table.c.serial == each.serial).values(values))
    lines = [
        {
            **{name: getattr(each, name) for name in _MOVED},
            "record": record,
            "line": line,
            "table_id": table_id,
            "at_us": unit.at_us,
            "gaming_day": unit.gaming_day,
        }
        for line, each in enumerate(moves)
    ]
    if lines:
        unit.connection.execute(insert(_EVENT), lines)


_MOVED = ("kind", "serial", "event", "state", "area")


def noted(moves: Sequence[Move]) -> dict[str, Any]:
    """What a record says of its moves: kind, serial, event, state after it, area."""
    return {"moves": [[getattr(each, name) for name in _MOVED] for each in moves]}


def history(connection: Connection, kind: Kind, serial: str) -> tuple[Happened, ...]:
    """Everything that happened to a piece, in order."""
    query = select(_EVENT).where(_EVENT.c.kind == kind, _EVENT.c.serial == serial).order_by(_EVENT.c.record)
    return tuple(_happened(row) for row in connection.execute(query))


def until(connection: Connection, gaming_day: str) -> Iterator[Happened]:
    """Everything that happened to any piece until the end of a gaming day, in order."""
    query = select(_EVENT).where(_EVENT.c.gaming_day <= gaming_day).order_by(_EVENT.c.record, _EVENT.c.line)
    return (_happened(row) for row in connection.execute(query.execution_options(yield_per=1000)))


def _happened(row: Row[Any]) -> Happened:
    moved = Move(Kind(row.kind), row.serial, Event(row.event), State(row.state), row.area)
    return Happened(row.record, moved, row.table_id, row.at_us, row.gaming_day)


def of_records(connection: Connection) -> Iterator[tuple[int, list[Any]]]:
    """Events of pieces by the record that made them, each as the record says it, with table and time."""
    query = select(_EVENT).order_by(_EVENT.c.record, _EVENT.c.line).execution_options(yield_per=1000)
    for record, group in groupby(connection.execute(query), key=lambda row: row.record):
        yield record, [as_recorded(dict(row._mapping), row.table_id) for row in group]


def as_recorded(values: Mapping[str, Any], table: str | None) -> list[Any]:
    """A line of a record's moves with its table, time and gaming day."""
    return [*(values[name] for name in _MOVED), table, values["at_us"], values["gaming_day"]]


def keep_count(unit: Unit, counted: Counted) -> None:
    """Keep a physical count."""
    names = ("record", "area", "dice", "boxes", "due_dice", "due_boxes")
    values = {name: getattr(counted, name) for name in names}
    unit.connection.execute(insert(_COUNT), {**values, "gaming_day": unit.gaming_day})


def counts(connection: Connection, gaming_day: str) -> tuple[Counted, ...]:
    """Physical counts of a gaming day, in order."""
    found = connection.execute(select(_COUNT).where(_COUNT.c.gaming_day == gaming_day).order_by(_COUNT.c.record))
    return tuple(Counted(row.record, row.area, row.dice, row.boxes, row.due_dice, row.due_boxes) for row in found)


def counts_of_records(connection: Connection) -> Iterator[tuple[int, list[Any]]]:
    """Physical counts by record, as the record says them."""
    for row in connection.execute(select(_COUNT).order_by(_COUNT.c.record).execution_options(yield_per=1000)):
        yield row.record, [[row.area, row.dice, row.boxes, row.due_dice, row.due_boxes, row.gaming_day]]


def on_hand(connection: Connection, kind: Kind, area: str) -> int:
    """How many pieces lie in a storage area by the books."""
    table = KINDS[kind]
    query = select(func.count()).where(table.c.area == area, table.c.state.in_([*ON_HAND]))
    return int(connection.execute(query.select_from(table)).scalar_one())


def lying(connection: Connection, table_id: str) -> tuple[str, ...]:
    """Dice by slot as they lie at a table where dice are kept; none before its first throw."""
    found = _LYING.first(connection, {"table": table_id})
    return () if found is None else tuple(json.loads(found.dice))


def lay(unit: Unit, table_id: str, dice: Sequence[str]) -> None:
    """Keep how the dice lie at a table."""
    _LIFT.write(unit.connection, {"table": table_id})
    _LAY.write(unit.connection, {"table_id": table_id, "dice": json.dumps(list(dice))})
