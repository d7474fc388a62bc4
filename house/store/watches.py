"""Watched sets of dice in the database, where they were in play, and snapshots of their monitors."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import groupby

from sqlalchemy import Connection, and_, delete, func, insert, select
from sqlalchemy import Row as SqlRow

from house.store import rows
from house.store.unit_of_work import Unit

_WATCH = rows.table(rows.WatchRow)
_SPAN = rows.table(rows.WatchSpanRow)
_SNAPSHOT = rows.table(rows.SnapshotRow)


@dataclass(frozen=True, slots=True)
class Watch:
    """A set of dice that is watched together.

    Parameters
    ----------
    number
        Counts from 1 in the order in which sets first came into play.
    dice
        Serials, sorted: the panel's dice in their order.
    alpha, pit_alpha
        Its own budget of false alarms, given once for ever; and the budget of the pit out of which it was given.
    """

    number: int
    dice: tuple[str, ...]
    alpha: Fraction
    pit_alpha: Fraction


@dataclass(frozen=True, slots=True)
class Span:
    """Throws of a set at a table: from `first` to before `end`, None while it is the last set there."""

    record: int
    table: str
    first: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The monitors of a set, saved, before throw `next_throw` of the span that a record began."""

    watch: int
    span: int
    next_throw: int
    state: bytes


def find(connection: Connection, dice: Sequence[str]) -> Watch | None:
    """The watch of a set."""
    row = connection.execute(select(_WATCH).where(_WATCH.c.dice == _text(dice))).one_or_none()
    return None if row is None else _watch(row)


def get(connection: Connection, number: int) -> Watch:
    """A watch that is known to be there."""
    return _watch(connection.execute(select(_WATCH).where(_WATCH.c.number == number)).one())


def every(connection: Connection) -> tuple[Watch, ...]:
    """All watches, in order."""
    return tuple(_watch(row) for row in connection.execute(select(_WATCH).order_by(_WATCH.c.number)))


def next_number(connection: Connection) -> int:
    """Number of the next watch, from 1."""
    return int(connection.execute(select(func.coalesce(func.max(_WATCH.c.number), 0))).scalar_one()) + 1


def add(unit: Unit, watch: Watch, record: int) -> None:
    """Begin to watch a set."""
    values = {"number": watch.number, "dice": _text(watch.dice), "record": record}
    budget = {"alpha": str(watch.alpha), "pit_alpha": str(watch.pit_alpha)}
    unit.connection.execute(insert(_WATCH), {**values, **budget})


def begin(unit: Unit, watches: Sequence[Watch], record: int, table: str, first_throw: int) -> None:
    """Note that sets came into play at a table."""
    values = {"record": record, "table_id": table, "first_throw": first_throw}
    unit.connection.execute(insert(_SPAN), [{**values, "watch": watch.number} for watch in watches])


def spans(connection: Connection, watch: int, since: int = 0) -> tuple[Span, ...]:
    """Where a set was in play, in order, from the span that a record began."""
    later = _SPAN.alias()
    query = (
        select(_SPAN.c.record, _SPAN.c.table_id, _SPAN.c.first_throw, func.min(later.c.first_throw).label("end"))
        .outerjoin(later, and_(later.c.table_id == _SPAN.c.table_id, later.c.record > _SPAN.c.record))
        .where(_SPAN.c.watch == watch, _SPAN.c.record >= since)
        .group_by(_SPAN.c.record, _SPAN.c.table_id, _SPAN.c.first_throw)
        .order_by(_SPAN.c.record)
    )
    return tuple(Span(row.record, row.table_id, row.first_throw, row.end) for row in connection.execute(query))


def at_table(connection: Connection, table: str) -> tuple[tuple[Watch, Span], ...]:
    """Sets that came into play last at a table, with the span since then."""
    return at_throw(connection, table, 2**62)


def at_throw(connection: Connection, table: str, throw: int) -> tuple[tuple[Watch, Span], ...]:
    """Sets that were in play at a throw of a table, with their spans, whose end is not looked for."""
    last = (
        select(func.max(_SPAN.c.record))
        .where(_SPAN.c.table_id == table, _SPAN.c.first_throw <= throw)
        .scalar_subquery()
    )
    query = (
        select(_WATCH, _SPAN.c.record.label("span"), _SPAN.c.first_throw)
        .join(_SPAN, _SPAN.c.watch == _WATCH.c.number)
        .where(_SPAN.c.record == last)
        .order_by(_WATCH.c.number)
    )
    return tuple((_watch(row), Span(row.span, table, row.first_throw, None)) for row in connection.execute(query))


def of_die(connection: Connection, serial: str) -> tuple[Watch, ...]:
    """Watches of the sets that a die was in, in order."""
    return tuple(watch for watch in every(connection) if serial in watch.dice)


def keep(unit: Unit, snapshot: Snapshot) -> None:
    """Keep a snapshot in place of the one before."""
    forget(unit, snapshot.watch)
    values = {name: getattr(snapshot, name) for name in ("watch", "span", "next_throw", "state")}
    unit.connection.execute(insert(_SNAPSHOT), {**values, "digest": _digest(snapshot)})


def forget(unit: Unit, watch: int) -> None:
    """Drop the snapshot of a set: its monitors are worked out anew from the throws."""
    unit.connection.execute(delete(_SNAPSHOT).where(_SNAPSHOT.c.watch == watch))


def snapshot(connection: Connection, watch: int) -> Snapshot | None:
    """The snapshot of a set; None if there is none, or it is not as it was kept."""
    row = connection.execute(select(_SNAPSHOT).where(_SNAPSHOT.c.watch == watch)).one_or_none()
    if row is None:
        return None
    found = Snapshot(row.watch, row.span, row.next_throw, bytes(row.state))
    return found if _digest(found) == row.digest else None


def _digest(snapshot: Snapshot) -> str:
    head = f"{snapshot.watch} {snapshot.span} {snapshot.next_throw}\n".encode()
    return sha256(head + snapshot.state).hexdigest()


def _text(dice: Sequence[str]) -> str:
    return json.dumps(list(dice))


def _watch(row: SqlRow[tuple[object, ...]]) -> Watch:
    values = row._mapping
    return Watch(
        values["number"],
        tuple(json.loads(values["dice"])),
        Fraction(values["alpha"]),
        Fraction(values["pit_alpha"]),
    )


def of_records(connection: Connection) -> Iterator[tuple[int, list[list[object]]]]:
    """Sets that came into play by record, as the record says them, with the table."""
    query = (
        select(_SPAN.c.record, _SPAN.c.table_id, _WATCH)
        .join(_WATCH, _WATCH.c.number == _SPAN.c.watch)
        .order_by(_SPAN.c.record, _SPAN.c.watch)
    )
    rows = connection.execute(query.execution_options(yield_per=1000))
    for record, group in groupby(rows, key=lambda row: row[0]):
        yield record, [[row.number, json.loads(row.dice), row.alpha, row.pit_alpha, row.table_id] for row in group]
