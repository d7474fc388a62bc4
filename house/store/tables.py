"""Gaming tables in the database: what they are, and the state of the game."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, Connection, bindparam, insert, select, text, update

from house.domain.ids import TableId
from house.domain.ledger import drop_box, table_float
from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_TABLE = rows.table(rows.GamingTableRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """A gaming table.

    Parameters
    ----------
    fingerprint
        Schedule by which new bets are made.
    state
        The engine's state, as JSON text.
    round, rounds, wagers
        The round in progress, "" for none; rounds begun and wagers made so far.
    riding
        Stakes on the layout, minor units.
    exposure
        Most that the house may lose on what rides, minor units.
    state_before
        The state before the last throw, "" before the first: what a correction of it starts from.
    stakes_seen
        Riding stakes of earlier throws, counted by class (`house.domain.stake_class`), as JSON text.
    """

    id: str
    game: str
    fingerprint: str
    open: bool
    method: str
    opener: int
    closer: int | None = None
    state: str
    round: str = ""
    rounds: int = 0
    wagers: int = 0
    next_throw: int = 0
    riding: int = 0
    exposure: int = 0
    stakes_seen: str = "{}"
    state_before: str = ""


_CHANGES = (
    "fingerprint",
    "state",
    "round",
    "rounds",
    "wagers",
    "next_throw",
    "riding",
    "exposure",
    "stakes_seen",
    "state_before",
)
_GET = Prepared(select(_TABLE).where(_TABLE.c.id == bindparam("table")))
_AFTER = select(_TABLE).where(_TABLE.c.id > bindparam("table")).order_by(_TABLE.c.id).limit(bindparam("most"))
_SAVE = Prepared(
    update(_TABLE)
    .where(_TABLE.c.id == bindparam("table"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGES})
)


def add(unit: Unit, table: StoredTable) -> None:
    """Open a table."""
    names = ("id", "game", "method", "opener", *_CHANGES)
    values = {name: getattr(table, name) for name in names}
    unit.connection.execute(insert(_TABLE), {**values, "opened_us": unit.at_us, "status": "open"})


def save(unit: Unit, table: StoredTable) -> None:
    """Keep what a command changed."""
    values = {f"new_{name}": getattr(table, name) for name in _CHANGES}
    _SAVE.write(unit.connection, {**values, "table": table.id})


def close(unit: Unit, table_id: str, closer: int) -> None:
    """Close a table."""
    values = {"status": "closed", "closer": closer, "closed_us": unit.at_us}
    unit.connection.execute(update(_TABLE).where(_TABLE.c.id == table_id).values(values))


def get(connection: Connection, table_id: str) -> StoredTable | None:
    """A table by id, open or closed."""
    row = _GET.first(connection, {"table": table_id})
    return None if row is None else _stored(row)


def after(connection: Connection, table_id: str, limit: int) -> tuple[StoredTable, ...]:
    """Tables by id, beyond one."""
    return tuple(_stored(row) for row in connection.execute(_AFTER, {"table": table_id, "most": limit}))


def open_ones(connection: Connection) -> tuple[StoredTable, ...]:
    """Open tables, by id."""
    query = select(_TABLE).where(_TABLE.c.status == "open").order_by(_TABLE.c.id)
    return tuple(_stored(row) for row in connection.execute(query))


def open_by_method(connection: Connection, method: str) -> tuple[StoredTable, ...]:
    """Open tables where dice are thrown by one method."""
    query = select(_TABLE).where(_TABLE.c.status == "open", _TABLE.c.method == method).order_by(_TABLE.c.id)
    return tuple(_stored(row) for row in connection.execute(query))


def _stored(row: Any) -> StoredTable:
    return StoredTable(**{name: getattr(row, name) for name in _KEPT}, open=row.status == "open")


_KEPT = ("id", "game", "method", "opener", "closer", *_CHANGES)

_UNCOVERED = Prepared(
    text("""
    SELECT COALESCE(SUM(exposure - covered), 0) AS minor
    FROM (SELECT gaming_table.id, exposure, rack.balance + box.balance AS covered
        FROM gaming_table
        JOIN account AS rack ON rack.name = 'house:table:' || gaming_table.id || '\\:float'
        JOIN account AS box ON box.name = 'house:table:' || gaming_table.id || '\\:drop'
        WHERE status = 'open' AND gaming_table.id <> :but) AS open_tables
    WHERE exposure > covered
""").columns(minor=BigInteger)
)
_COVER = Prepared(
    text("SELECT SUM(balance) AS minor FROM account WHERE name IN (:rack, :box)").columns(minor=BigInteger)
)


def reserved(connection: Connection, but: str = "") -> int:
    """What open tables may lose beyond their racks and drop boxes, in all but one; minor units."""
    return int(_UNCOVERED.first(connection, {"but": but}).minor)


def cover(connection: Connection, table_id: str) -> int:
    """What a table's rack and drop box hold together, minor units."""
    names = {"rack": table_float(TableId(table_id)).name, "box": drop_box(TableId(table_id)).name}
    return int(_COVER.first(connection, names).minor)
