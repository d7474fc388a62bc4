"""The throw log in the database: one row a throw and one row a die, as they were logged.

Whoever reads the log (`page`, `batches`) is given each throw once, as its last correction has it; what is held against
the records (`by_record`, `of_records`) is what was logged at first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, case, func, insert, select

from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_THROW = rows.table(rows.ThrowRow)
_DIE = rows.table(rows.ThrowDieRow)
_TABLE = rows.table(rows.GamingTableRow)
_CORRECTION = rows.table(rows.CorrectionRow)
_CORRECTED_DIE = rows.table(rows.CorrectionDieRow)
_ADD_THROW = Prepared(insert(_THROW))
_ADD_DICE = Prepared(insert(_DIE))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredThrow:
    """A throw as it is logged."""

    table: str
    number: int
    round: str
    method: str
    box: str | None
    shooter: str | None
    source: str
    stake_class: int | None
    void: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDie:
    """A die of a throw."""

    die: str
    face: int | None
    state: str


def add(unit: Unit, throw: StoredThrow, dice: Sequence[StoredDie], record: int) -> None:
    """Log a throw; slots count from 0 in the order given."""
    values = {name: getattr(throw, name) for name in _THROW_COLUMNS}
    times = {"at_us": unit.at_us, "gaming_day": unit.gaming_day, "table_id": throw.table, "record": record}
    _ADD_THROW.write(unit.connection, {**values, **times})
    place = {"table_id": throw.table, "number": throw.number}
    lines = [
        {**place, "slot": slot, "die": die.die, "face": die.face, "state": die.state} for slot, die in enumerate(dice)
    ]
    _ADD_DICE.write(unit.connection, *lines)


_THROW_COLUMNS = ("number", "round", "method", "box", "shooter", "source", "stake_class", "void")

_LATEST = (
    select(func.max(_CORRECTION.c.record).label("record"), _CORRECTION.c.table_id, _CORRECTION.c.number)
    .group_by(_CORRECTION.c.table_id, _CORRECTION.c.number)
    .subquery("latest")
)
_CORRECTED = (
    select(_LATEST.c.table_id, _LATEST.c.number, _CORRECTED_DIE.c.slot, _CORRECTED_DIE.c.face, _CORRECTED_DIE.c.state)
    .join(_CORRECTED_DIE, _CORRECTED_DIE.c.record == _LATEST.c.record)
    .subquery("corrected")
)
"""Dice of the throws that were corrected, as the last correction of each has them."""

_LOG = (
    select(
        _THROW.c.number,
        _THROW.c.at_us,
        _THROW.c.table_id,
        _TABLE.c.game,
        _THROW.c.round,
        _THROW.c.method,
        _THROW.c.box,
        _THROW.c.shooter,
        _THROW.c.source,
        _THROW.c.stake_class,
        _THROW.c.gaming_day,
        _DIE.c.slot,
        _DIE.c.die,
        case((_CORRECTED.c.slot.is_(None), _DIE.c.face), else_=_CORRECTED.c.face).label("face"),
        func.coalesce(_CORRECTED.c.state, _DIE.c.state).label("state"),
    )
    .join(_DIE, (_DIE.c.table_id == _THROW.c.table_id) & (_DIE.c.number == _THROW.c.number))
    .outerjoin(
        _CORRECTED,
        (_CORRECTED.c.table_id == _DIE.c.table_id)
        & (_CORRECTED.c.number == _DIE.c.number)
        & (_CORRECTED.c.slot == _DIE.c.slot),
    )
    .join(_TABLE, _TABLE.c.id == _THROW.c.table_id)
    .order_by(_THROW.c.table_id, _THROW.c.number, _DIE.c.slot)
)


def page(connection: Connection, table: str, after: int, limit: int) -> Sequence[Any]:
    """Rows of the log of up to `limit` throws after one, a row for each die."""
    query = _LOG.where(_THROW.c.table_id == table, _THROW.c.number > after, _THROW.c.number <= after + limit)
    return connection.execute(query).all()


def parts(connection: Connection, table: str, first: int, end: int | None, most: int = 500) -> Iterator[Sequence[Any]]:
    """Rows of the log of the throws from one to before another, None for all, in parts of up to `most` throws."""
    after = first - 1
    while end is None or after + 1 < end:
        found = page(connection, table, after, most if end is None else min(most, end - after - 1))
        if not found:
            return
        yield found
        after = found[-1].number


def batches(connection: Connection, table: str | None, size: int) -> Iterator[Sequence[Any]]:
    """Rows of the log of a table, or of all by table, in parts of about `size` rows that never divide a throw."""
    query: Select[Any] = _LOG if table is None else _LOG.where(_THROW.c.table_id == table)
    held: list[Any] = []
    for part in connection.execute(query.execution_options(yield_per=size)).partitions():
        held.extend(part)
        last = held[-1]
        cut = next(
            place
            for place in range(len(held), 0, -1)
            if place == 1 or (held[place - 1].table_id, held[place - 1].number) != (last.table_id, last.number)
        )
        if cut > 1:
            yield held[:cut]
            held = held[cut:]
    if held:
        yield held


def logged(connection: Connection, table: str, number: int) -> tuple[int, tuple[StoredDie, ...]]:
    """The record of a throw, and its dice as they were logged at first."""
    dice = select(_DIE).where(_DIE.c.table_id == table, _DIE.c.number == number).order_by(_DIE.c.slot)
    record = select(_THROW.c.record).where(_THROW.c.table_id == table, _THROW.c.number == number)
    return (
        int(connection.execute(record).scalar_one()),
        tuple(StoredDie(die=row.die, face=row.face, state=row.state) for row in connection.execute(dice)),
    )


def by_record(connection: Connection, table: str) -> Iterator[tuple[int, int, list[tuple[str, int | None, str]]]]:
    """Throws of a table in order: number of the record, number of the throw, and die, face and state of each slot."""
    query = (
        select(_THROW.c.record, _THROW.c.number, _DIE.c.die, _DIE.c.face, _DIE.c.state)
        .join(_DIE, (_DIE.c.table_id == _THROW.c.table_id) & (_DIE.c.number == _THROW.c.number))
        .where(_THROW.c.table_id == table)
        .order_by(_THROW.c.number, _DIE.c.slot)
    )
    rows = connection.execute(query.execution_options(yield_per=1000))
    for (record, number), dice in groupby(rows, key=lambda row: (row.record, row.number)):
        yield record, number, [(row.die, row.face, row.state) for row in dice]


IN_RECORD = ("table", "number", "round", "method", "box", "shooter", "source", "stake_class", "at_us", "gaming_day")
"""What the record of a throw says of it, beside its dice, under the names of the log."""


def of_records(connection: Connection) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Throws by the record that made them: `IN_RECORD`, whether they are void, and die, face and state of each slot."""
    columns = [_THROW.c["table_id" if name == "table" else name] for name in IN_RECORD]
    query = (
        select(_THROW.c.record, *columns, _THROW.c.void, _DIE.c.die, _DIE.c.face, _DIE.c.state)
        .outerjoin(_DIE, (_DIE.c.table_id == _THROW.c.table_id) & (_DIE.c.number == _THROW.c.number))
        .order_by(_THROW.c.record, _THROW.c.table_id, _THROW.c.number, _DIE.c.slot)
    )
    rows = connection.execute(query.execution_options(yield_per=1000))
    throws = ((head, list(dice)) for head, dice in groupby(rows, key=lambda row: tuple(row[:-3])))
    for record, group in groupby(throws, key=lambda one: one[0][0]):
        yield (
            record,
            [
                dict(zip((*IN_RECORD, "void"), head[1:], strict=True))
                | {"dice": [(die.die, die.face, die.state) for die in dice]}
                for head, dice in group
            ],
        )


def count(connection: Connection) -> int:
    """Number of throws."""
    return int(connection.execute(select(func.count()).select_from(_THROW)).scalar_one())
