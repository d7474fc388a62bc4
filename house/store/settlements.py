"""What each command did to each wager, as it was booked; and sums of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, case, func, insert, select

from house.domain.shift import Period
from house.store import rows
from house.store.prepared import Prepared
from house.store.rows import AMOUNTS
from house.store.unit_of_work import Unit

_SETTLEMENT = rows.table(rows.SettlementRow)
_SCHEDULE = rows.table(rows.ScheduleRow)
_ENTRY = rows.table(rows.EntryRow)
_ADD = Prepared(insert(_SETTLEMENT))
STANDS = _SETTLEMENT.c.record.not_in(select(rows.table(rows.UndoneRow).c.record))
"""Condition of every sum over movements: no correction took the movement back."""

__all__ = [
    "AMOUNTS",
    "FIELDS",
    "STANDS",
    "Settlement",
    "add",
    "brought",
    "count",
    "decided",
    "in_record",
    "noted",
    "of_records",
    "of_table",
    "sums",
]

WORDS = ("wager", "player", "bet", "spot", "result", "odds", "toke")
FIELDS = (*WORDS, *AMOUNTS)
"""Columns that hold a movement of the engines, named as there."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """A movement that was booked.

    Parameters
    ----------
    fingerprint
        Schedule under which the wager was made.
    seq
        The ledger entry, None where no money moved.
    movement
        `FIELDS` of it.
    """

    fingerprint: str
    seq: int | None
    movement: Mapping[str, Any]


def noted(settlements: Sequence[Settlement]) -> dict[str, Any]:
    """What a record says of its movements, what is 0, empty or false left out; nothing if there are none."""
    return {"movements": [in_record(one) for one in settlements]} if settlements else {}


def in_record(one: Settlement) -> dict[str, Any]:
    """A movement as its record holds it."""
    values = {"fingerprint": one.fingerprint, **one.movement}
    return {"seq": one.seq} | {name: value for name, value in values.items() if value not in (0, "", False)}


def add(unit: Unit, table: str, record: int, settlements: Sequence[Settlement]) -> None:
    """Keep what a record did to wagers at a table."""
    if not settlements:
        return
    values = [
        {
            "record": record,
            "line": line,
            "table_id": table,
            "fingerprint": settlement.fingerprint,
            "seq": settlement.seq,
            **settlement.movement,
        }
        for line, settlement in enumerate(settlements)
    ]
    _ADD.write(unit.connection, *values)


def of_table(connection: Connection, table: str) -> Iterator[tuple[int, Settlement]]:
    """Movements booked at a table with the number of their record, in order."""
    query = (
        select(_SETTLEMENT).where(_SETTLEMENT.c.table_id == table).order_by(_SETTLEMENT.c.record, _SETTLEMENT.c.line)
    )
    for row in connection.execute(query.execution_options(yield_per=1000)):
        yield row.record, Settlement(row.fingerprint, row.seq, {name: row._mapping[name] for name in FIELDS})


def of_records(connection: Connection) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Movements by the record that made them, each as it stands in the record, with its table."""
    query = select(_SETTLEMENT).order_by(_SETTLEMENT.c.record, _SETTLEMENT.c.line)
    rows = connection.execute(query.execution_options(yield_per=1000))
    for record, group in groupby(rows, key=lambda row: row.record):
        kept = [
            (Settlement(row.fingerprint, row.seq, {name: row._mapping[name] for name in FIELDS}), row.table_id)
            for row in group
        ]
        yield record, [{**in_record(one), "table": table} for one, table in kept]


def sums(connection: Connection, table: str | None) -> Sequence[Any]:
    """Sums over wagers of players (not of dealers), by game, schedule, bet and spot; what was corrected is left out."""
    column = _SETTLEMENT.c
    keys = (_SCHEDULE.c.game, _SCHEDULE.c.name, _SCHEDULE.c.version, column.fingerprint, column.bet, column.spot)
    decided = column.result.in_(("won", "lost", "tied"))
    query = (
        select(
            *keys,
            func.sum(case((decided, 1), else_=0)).label("settled"),
            func.sum(case((column.result == "tied", column.resolved), else_=0)).label("tied"),
            *(func.sum(column[name]).label(name) for name in AMOUNTS),
        )
        .join(_SCHEDULE, _SCHEDULE.c.fingerprint == column.fingerprint)
        .where(column.toke.is_(False), STANDS)
        .group_by(*keys)
        .order_by(*keys)
    )
    if table is not None:
        query = query.where(column.table_id == table)
    return connection.execute(query).all()


def count(connection: Connection) -> int:
    """Number of movements booked."""
    return int(connection.execute(select(func.count()).select_from(_SETTLEMENT)).scalar_one())


@dataclass(frozen=True, slots=True)
class Decided:
    """Wagers on one bet and spot that one record decided, by their stakes in minor units, rising."""

    fingerprint: str
    bet: str
    spot: str
    stakes: tuple[int, ...]


def _within(period: Period, table: str | None) -> Sequence[Any]:
    """Conditions on movements that booked something in a period, at one table or all.

    Those of a day are told by the gaming day of their record, which stands on its entries: where the clock went back,
    records of another day lie between. Whatever is decided moves money.
    """
    column, (first, end) = _SETTLEMENT.c, period.records
    conditions = [STANDS, column.record >= first, column.record < end]
    if period.day is not None:
        booked = select(_ENTRY.c.seq).where(_ENTRY.c.seq == column.seq, _ENTRY.c.gaming_day == period.day)
        conditions.append(booked.exists())
    return conditions if table is None else [*conditions, column.table_id == table]


def decided(connection: Connection, period: Period, table: str | None) -> list[Decided]:
    """Wagers decided in a period, of players and of dealers, those that go together as one."""
    column = _SETTLEMENT.c
    query = (
        select(column.record, column.fingerprint, column.bet, column.spot, column.resolved)
        .where(*_within(period, table), column.result.in_(("won", "lost", "tied")), column.resolved > 0)
        .order_by(column.record, column.fingerprint, column.bet, column.spot, column.resolved)
    )
    found = connection.execute(query.execution_options(yield_per=1000))
    groups = groupby(found, key=lambda row: tuple(row[:4]))
    return [
        Decided(fingerprint, bet, spot, tuple(row.resolved for row in group))
        for (_, fingerprint, bet, spot), group in groups
    ]


def brought(connection: Connection, period: Period, table: str | None) -> dict[str, tuple[int, int]]:
    """What wagers brought by the fingerprint of their schedule: kept (lost and commission) and paid, minor units."""
    column = _SETTLEMENT.c
    kept = func.sum(column.lost + column.commission - column.commission_back)
    query = select(column.fingerprint, kept.label("kept"), func.sum(column.winnings).label("paid"))
    found = connection.execute(query.where(*_within(period, table)).group_by(column.fingerprint))
    return {row.fingerprint: (int(row.kept), int(row.paid)) for row in found}
