"""What came to each rack and left it over a gaming day or a shift, summed from the ledger; the shifts that ended."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, select, text

from house.domain.ids import TableId
from house.domain.ledger import EntryKind, table_float
from house.domain.shift import Period, Sheet
from house.store import rows
from house.store.sums import halves, joined
from house.store.unit_of_work import Unit

_SHIFT, _COUNT = rows.table(rows.ShiftRow), rows.table(rows.RackCountRow)
_ENTRY = rows.table(rows.EntryRow)

_OF_THE_RACK = (
    EntryKind.OPENER,
    EntryKind.CLOSER,
    EntryKind.FILL,
    EntryKind.CREDIT,
    EntryKind.SLIP_VOID,
    EntryKind.DROP,
    EntryKind.MARKER,
)
"""Kinds of entries by which a rack is filled and emptied; what others bring to it, bets brought."""
OF_THE_RACK: BindParameter[list[str]] = bindparam("of_the_rack", [kind.value for kind in _OF_THE_RACK], expanding=True)

_WITHIN = "(entry.gaming_day = :day OR entry.seq BETWEEN :first AND :last)"
_EARLIER = halves("CASE WHEN entry.gaming_day < :day OR entry.seq < :first THEN amount ELSE 0 END", "earlier")
_CAME = halves(f"CASE WHEN {_WITHIN} AND amount > 0 THEN amount ELSE 0 END", "came")
_WENT = halves(f"CASE WHEN {_WITHIN} AND amount < 0 THEN -amount ELSE 0 END", "went")
_SUMS = text(f"""
    SELECT entry.kind, {_EARLIER}, {_CAME}, {_WENT}
    FROM posting
    JOIN entry ON entry.seq = posting.seq
    WHERE account = :rack
    GROUP BY entry.kind
""")
_SETTLED = text(f"""
    SELECT {halves("amount", "settled")}
    FROM posting
    JOIN entry ON entry.seq = posting.seq
    WHERE account = :rack AND kind NOT IN :of_the_rack
""").bindparams(OF_THE_RACK)
_TABLES = text("""
    SELECT id FROM gaming_table WHERE status = 'open'
    UNION
    SELECT table_id FROM entry WHERE gaming_day = :day AND table_id IS NOT NULL
    UNION
    SELECT table_id FROM entry WHERE seq BETWEEN :first AND :last AND table_id IS NOT NULL
    UNION
    SELECT SUBSTR(account, 13, LENGTH(account) - 18)
    FROM posting
    JOIN entry ON entry.seq = posting.seq
    WHERE account LIKE 'house\\:table\\:%\\:float' AND (entry.gaming_day < :day OR entry.seq < :first)
    GROUP BY account
    HAVING SUM(amount) <> 0
    ORDER BY 1
""")
_VARIANCE = text(f"""
    SELECT entry.table_id, {halves("-amount", "found")}
    FROM posting
    JOIN entry ON entry.seq = posting.seq
    WHERE account = 'house:variance' AND {_WITHIN}
    GROUP BY entry.table_id
""")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredShift:
    """A shift that ended: `end_entry` and `end_record` are the first numbers that are not in it."""

    number: int
    name: str
    end_entry: int
    end_record: int
    gaming_day: str
    at_us: int


def _bounds(period: Period) -> dict[str, str | int]:
    """Parameters by which entries are in a period; nothing is on the day "" or among no numbers."""
    if period.day is not None:
        return {"day": period.day, "first": -1, "last": -2}
    return {"day": "", "first": period.entries[0], "last": period.entries[1] - 1}


def of_table(connection: Connection, table: str, period: Period) -> Sheet | None:
    """A table's sheet over a period; None where nothing lay there and nothing moved."""
    found = connection.execute(_SUMS, {"rack": table_float(TableId(table)).name, **_bounds(period)}).all()
    sums = {row.kind: (joined(row, "earlier"), joined(row, "came"), joined(row, "went")) for row in found}
    if not any(any(values) for values in sums.values()):
        return None
    earlier = sum(values[0] for values in sums.values())
    moved = sum(came - went for _, came, went in sums.values())

    def of(kind: EntryKind) -> tuple[int, int]:
        return sums.get(kind.value, (0, 0, 0))[1:]

    opened, (void_credit, void_fill) = of(EntryKind.OPENER), of(EntryKind.SLIP_VOID)
    home_back, home = of(EntryKind.CLOSER)
    markers = of(EntryKind.MARKER)[1]
    return Sheet(
        opener_minor=earlier + opened[0],
        fills_minor=of(EntryKind.FILL)[0] - void_fill,
        credits_minor=of(EntryKind.CREDIT)[1] - void_credit,
        drop_minor=of(EntryKind.DROP)[1] + markers,
        markers_minor=markers,
        closer_minor=earlier + moved + home - home_back,
    )


def settled(connection: Connection, table: str) -> int:
    """What the bets of a table brought to its rack, in minor units."""
    return joined(connection.execute(_SETTLED, {"rack": table_float(TableId(table)).name}).one(), "settled")


def tables(connection: Connection, period: Period) -> tuple[str, ...]:
    """Tables that are open, whose racks held something as a period began, or at which something was booked in it."""
    return tuple(connection.execute(_TABLES, _bounds(period)).scalars())


def variances(connection: Connection, period: Period) -> dict[str, int]:
    """What counts of drop boxes in a period found over their slips, by table; below 0 what was short."""
    return {row.table_id: joined(row, "found") for row in connection.execute(_VARIANCE, _bounds(period))}


def day(connection: Connection, gaming_day: str) -> Period:
    """A gaming day as a period; its records are from the first to the last that made an entry on it.

    Where the clock went back, records of another day are among them.
    """
    query = select(func.min(_ENTRY.c.seq), func.max(_ENTRY.c.seq), func.min(_ENTRY.c.record), func.max(_ENTRY.c.record))
    first, last, record, final = connection.execute(query.where(_ENTRY.c.gaming_day == gaming_day)).one()
    if first is None:
        return Period(gaming_day, gaming_day, (0, 0), (0, 0))
    return Period(gaming_day, gaming_day, (first, last + 1), (record, final + 1))


def shift(connection: Connection, number: int) -> StoredShift | None:
    """A shift that ended, by number."""
    row = connection.execute(select(_SHIFT).where(_SHIFT.c.number == number)).one_or_none()
    return None if row is None else StoredShift(**row._mapping)


def shifts(connection: Connection, after: int, limit: int) -> tuple[StoredShift, ...]:
    """Shifts that ended by number, beyond one."""
    query = select(_SHIFT).where(_SHIFT.c.number > after).order_by(_SHIFT.c.number).limit(limit)
    return tuple(StoredShift(**row._mapping) for row in connection.execute(query))


def last_shift(connection: Connection) -> StoredShift | None:
    """The shift that ended last."""
    row = connection.execute(select(_SHIFT).order_by(_SHIFT.c.number.desc()).limit(1)).one_or_none()
    return None if row is None else StoredShift(**row._mapping)


def add_shift(unit: Unit, ended: StoredShift, counts: Iterable[tuple[str, int, int]]) -> None:
    """Keep a shift that ended, and what was counted in racks: table, counted and booked, minor units."""
    values = {
        name: getattr(ended, name) for name in ("number", "name", "end_entry", "end_record", "gaming_day", "at_us")
    }
    unit.connection.execute(insert(_SHIFT), values)
    made = [
        {"shift": ended.number, "table_id": table, "counted": counted, "booked": booked}
        for table, counted, booked in counts
    ]
    if made:
        unit.connection.execute(insert(_COUNT), made)


def counts(connection: Connection, number: int) -> dict[str, tuple[int, int]]:
    """What was counted in racks at the end of a shift, and what the books said: by table, minor units."""
    query = select(_COUNT).where(_COUNT.c.shift == number)
    return {row.table_id: (row.counted, row.booked) for row in connection.execute(query)}


def of_records(connection: Connection) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Shifts with the racks that were counted (table, counted, booked), by the record that ended them, in order."""
    racks: dict[int, list[list[Any]]] = {}
    for row in connection.execute(select(_COUNT).order_by(_COUNT.c.table_id)):
        racks.setdefault(row.shift, []).append([row.table_id, row.counted, row.booked])
    for row in connection.execute(select(_SHIFT).order_by(_SHIFT.c.end_record)):
        values = dict(row._mapping)
        yield values.pop("end_record"), [{**values, "counts": sorted(racks.get(row.number, []))}]
