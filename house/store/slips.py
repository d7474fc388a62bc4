"""Slips in the database: fills and credits by number, those that were voided, and credit lines."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, and_, func, insert, select, text

from house.store import rows
from house.store.records import canonical
from house.store.unit_of_work import Unit

_SLIP, _VOID = rows.table(rows.SlipRow), rows.table(rows.SlipVoidRow)
_LINE = rows.table(rows.CreditLineRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSlip:
    """A slip: who wrote and who approved it, and why it was voided, if it was.

    Parameters
    ----------
    denominations
        Chips by value in minor units; empty where they were not told.
    at_us
        Time, microseconds since 1970.
    """

    kind: str
    number: int
    table: str
    amount: int
    denominations: dict[int, int]
    by: str
    second: str | None
    at_us: int
    gaming_day: str
    record: int
    voided: str | None = None
    voided_by: str | None = None
    void_record: int | None = None


def next_number(connection: Connection, kind: str) -> int:
    """Number of the next slip of a kind."""
    query = select(func.coalesce(func.max(_SLIP.c.number), 0)).where(_SLIP.c.kind == kind)
    return int(connection.execute(query).scalar_one()) + 1


def add(unit: Unit, slip: StoredSlip) -> None:
    """Keep a slip."""
    values = {name: getattr(slip, name) for name in ("kind", "number", "amount", "by", "second", "record", "at_us")}
    chips = canonical({str(value): count for value, count in slip.denominations.items()})
    unit.connection.execute(
        insert(_SLIP), {**values, "table_id": slip.table, "denominations": chips, "gaming_day": slip.gaming_day}
    )


def void(unit: Unit, slip: StoredSlip, reason: str, record: int) -> None:
    """Keep that a slip was voided."""
    who = {"by": unit.by, "second": unit.second, "at_us": unit.at_us}
    unit.connection.execute(
        insert(_VOID), {"kind": slip.kind, "number": slip.number, "reason": reason, "record": record, **who}
    )


_SLIPS = (
    select(_SLIP, _VOID.c.reason.label("voided"), _VOID.c.by.label("voided_by"), _VOID.c.record.label("void_record"))
    .outerjoin(_VOID, and_(_VOID.c.kind == _SLIP.c.kind, _VOID.c.number == _SLIP.c.number))
    .order_by(_SLIP.c.kind, _SLIP.c.number)
)


def get(connection: Connection, kind: str, number: int) -> StoredSlip | None:
    """Find a slip."""
    row = connection.execute(_SLIPS.where(_SLIP.c.kind == kind, _SLIP.c.number == number)).one_or_none()
    return None if row is None else _stored(row)


def after(connection: Connection, kind: str, number: int, limit: int) -> tuple[StoredSlip, ...]:
    """Slips of a kind by number, beyond one."""
    query = _SLIPS.where(_SLIP.c.kind == kind, _SLIP.c.number > number).limit(limit)
    return tuple(_stored(row) for row in connection.execute(query))


def _stored(row: Row[Any]) -> StoredSlip:
    values = dict(row._mapping)
    chips = {int(value): count for value, count in json.loads(values.pop("denominations")).items()}
    return StoredSlip(table=values.pop("table_id"), denominations=chips, **values)


def credit_line(connection: Connection, player: str) -> int:
    """The most that a player may owe on markers; 0 where nothing was agreed."""
    query = select(_LINE.c.amount).where(_LINE.c.player == player)
    return int(connection.execute(query).scalar_one_or_none() or 0)


_SET_LINE = text("""
    INSERT INTO credit_line (player, amount) VALUES (:player, :amount)
    ON CONFLICT (player) DO UPDATE SET amount = excluded.amount
""")


def set_credit_line(unit: Unit, player: str, amount: int) -> None:
    """Keep what a player may owe at most."""
    unit.connection.execute(_SET_LINE, {"player": player, "amount": amount})


def credit_lines(connection: Connection) -> dict[str, int]:
    """The most that each player may owe on markers, minor units."""
    return {row.player: int(row.amount) for row in connection.execute(select(_LINE))}


def of_records(connection: Connection) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Slips and what voided them, by the record that made them, in order."""
    found: dict[int, list[dict[str, Any]]] = {}
    for table in (_SLIP, _VOID):
        for row in connection.execute(select(table)):
            values = dict(row._mapping)
            found.setdefault(values.pop("record"), []).append(values)
    yield from sorted(found.items())
