"""Corrections of throws: what each says now, and which records they took back."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select

from house.store import rows
from house.store.unit_of_work import Unit

_CORRECTION = rows.table(rows.CorrectionRow)
_DIE = rows.table(rows.CorrectionDieRow)
_UNDONE = rows.table(rows.UndoneRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCorrection:
    """A correction of a throw.

    Parameters
    ----------
    dice
        Face and state of each die, in the order of the throw's.
    undone
        Records that it took back, rising.
    """

    record: int
    table: str
    number: int
    reason: str
    dice: tuple[tuple[int | None, str], ...]
    undone: tuple[int, ...]


def add(unit: Unit, correction: StoredCorrection) -> None:
    """Keep a correction."""
    values = {"table_id": correction.table, "number": correction.number, "reason": correction.reason}
    unit.connection.execute(insert(_CORRECTION), {"record": correction.record, **values})
    dice = [
        {"record": correction.record, "slot": slot, "face": face, "state": state}
        for slot, (face, state) in enumerate(correction.dice)
    ]
    unit.connection.execute(insert(_DIE), dice)
    undone = [{"record": record, "correction": correction.record} for record in correction.undone]
    unit.connection.execute(insert(_UNDONE), undone)


def page(connection: Connection, table: str, after: int, limit: int) -> tuple[StoredCorrection, ...]:
    """Corrections at a table that follow a record, in order."""
    numbers = (
        select(_CORRECTION.c.record)
        .where(_CORRECTION.c.table_id == table, _CORRECTION.c.record > after)
        .order_by(_CORRECTION.c.record)
        .limit(limit)
    )
    return tuple(_read(connection, _dice().where(_CORRECTION.c.record.in_(numbers.scalar_subquery()))))


def every(connection: Connection) -> Iterator[StoredCorrection]:
    """All corrections, in order."""
    return _read(connection, _dice())


def last(connection: Connection, table: str, number: int) -> tuple[tuple[int | None, str], ...]:
    """Face and state of each die of a throw as its last correction has them; none where it was never corrected."""
    latest = select(func.max(_CORRECTION.c.record)).where(
        _CORRECTION.c.table_id == table, _CORRECTION.c.number == number
    )
    found = connection.execute(select(_DIE).where(_DIE.c.record == latest.scalar_subquery()).order_by(_DIE.c.slot))
    return tuple((row.face, row.state) for row in found)


def _dice() -> Select[Any]:
    return (
        select(_CORRECTION, _DIE.c.face, _DIE.c.state)
        .join(_DIE, _DIE.c.record == _CORRECTION.c.record)
        .order_by(_CORRECTION.c.record, _DIE.c.slot)
    )


def _read(connection: Connection, dice: Select[Any]) -> Iterator[StoredCorrection]:
    for head, group in groupby(connection.execute(dice), key=lambda row: tuple(row[:4])):
        record, table, number, reason = head
        undone = select(_UNDONE.c.record).where(_UNDONE.c.correction == record).order_by(_UNDONE.c.record)
        yield StoredCorrection(
            record=record,
            table=table,
            number=number,
            reason=reason,
            dice=tuple((row.face, row.state) for row in group),
            undone=tuple(connection.execute(undone).scalars()),
        )


def count(connection: Connection) -> int:
    """Number of corrections."""
    return int(connection.execute(select(func.count()).select_from(_CORRECTION)).scalar_one())
