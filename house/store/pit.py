"""What bets brought to the racks and what was dropped, by table, from an entry on: for whoever looks at the pit."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, text

from house.domain.ids import TableId
from house.domain.ledger import table_float
from house.store.sheets import OF_THE_RACK
from house.store.sums import halves, joined

_WON = halves("CASE WHEN entry.kind IN :of_the_rack THEN 0 ELSE amount END", "won")
_DROPPED = halves("CASE WHEN entry.kind IN ('drop', 'marker') THEN -amount ELSE 0 END", "dropped")
_BROUGHT = text(f"""
    SELECT posting.account, {_WON}, {_DROPPED}
    FROM entry
    JOIN posting ON posting.seq = entry.seq
    WHERE entry.seq > :after AND entry.seq <= :last AND entry.gaming_day = :day AND posting.account IN :racks
    GROUP BY posting.account
""").bindparams(bindparam("racks", expanding=True), OF_THE_RACK)
_LAST = text("SELECT COALESCE(MAX(seq), -1) FROM entry")


@dataclass(frozen=True, slots=True)
class Brought:
    """What a table's bets brought, and what was dropped at it; minor units."""

    won: int = 0
    dropped: int = 0

    def __add__(self, other: "Brought") -> "Brought":
        return Brought(self.won + other.won, self.dropped + other.dropped)


def brought(connection: Connection, tables: Collection[str], day: str, after: int, last: int) -> dict[str, Brought]:
    """Sums over the entries of a gaming day beyond one up to another, by table."""
    racks = {table_float(TableId(table)).name: table for table in tables}
    found = connection.execute(_BROUGHT, {"day": day, "after": after, "last": last, "racks": list(racks)})
    return {racks[row.account]: Brought(joined(row, "won"), joined(row, "dropped")) for row in found}


def last_entry(connection: Connection) -> int:
    """Number of the last entry; -1 before the first."""
    return int(connection.execute(_LAST).scalar_one())
