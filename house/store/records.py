"""The history: what happened in the house, in order, as canonical JSON, each record a leaf of one tree."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select

from house.store import rows, tree
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit
from integrity.proof.tree import append as grow
from integrity.proof.tree import leaf_hash

VERSION = 1
"""Version of the records' form; it stands in each of them."""

HEADER = frozenset({"v", "record", "kind", "table", "at_us", "gaming_day", "by", "second"})
"""What every record says of itself, beside what its kind says."""

_RECORD = rows.table(rows.RecordRow)
_APPEND = Prepared(insert(_RECORD))


@dataclass(frozen=True, slots=True)
class Record:
    """One record; `body` is all of it: text, whole numbers, truth values, null, lists and mappings of these."""

    number: int
    kind: str
    table: str | None
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it stands in the database, not read yet."""

    number: int
    kind: str
    table: str | None
    text: str
    leaf: str


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(body: Mapping[str, Any]) -> str:
    """Write a value in its one form: sorted keys, no spaces, no floats.

    >>> canonical({"b": [1, None], "a": "x"})
    '{"a":"x","b":[1,null]}'
    """
    return _CANONICAL.encode(body)


def append(unit: Unit, kind: str, table: str | None, body: Mapping[str, Any]) -> int:
    """Add a record to the history and return its number.

    What the record books, and what it does to wagers, belongs into the body: `ledger.noted`, `settlements.noted`.
    """
    assert HEADER.isdisjoint(body), f"a record says {HEADER & set(body)} of itself"
    number = unit.frontier.size
    unit.round = body.get("round", unit.round)
    header = {"v": VERSION, "record": number, "kind": kind, "table": table}
    who = {"by": unit.by, "second": unit.second}
    text = canonical({**header, **who, "at_us": unit.at_us, "gaming_day": unit.gaming_day, **body})
    leaf = leaf_hash(text.encode())
    values = {"number": number, "kind": kind, "table_id": table, "body": text, "leaf": leaf.hex()}
    _APPEND.write(unit.connection, values)
    unit.frontier, completed = grow(unit.frontier, leaf)
    tree.keep(unit.connection, completed)
    return number


def get(connection: Connection, number: int) -> Record | None:
    """Read a record by its number."""
    row = connection.execute(select(_RECORD).where(_RECORD.c.number == number)).one_or_none()
    return None if row is None else _record(row)


def of_table(connection: Connection, table: str, start: int = 0) -> Iterator[Record]:
    """Read the records of a table from a number on, in order, without holding them all."""
    query = select(_RECORD).where(_RECORD.c.table_id == table, _RECORD.c.number >= start).order_by(_RECORD.c.number)
    return (_record(row) for row in connection.execute(query.execution_options(yield_per=1000)))


def of_kind(connection: Connection, kind: str) -> Iterator[dict[str, Any]]:
    """Give the bodies of the records of a kind, in order, without holding them all."""
    query = select(_RECORD.c.body).where(_RECORD.c.kind == kind).order_by(_RECORD.c.number)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        yield json.loads(row.body)


def stored(connection: Connection, start: int = 0, end: int = 2**62) -> Iterator[StoredRecord]:
    """Give the records from `start` to before `end` as they stand, in order, without holding them all."""
    query = select(_RECORD).where(_RECORD.c.number >= start, _RECORD.c.number < end).order_by(_RECORD.c.number)
    for number, kind, table, body, leaf in connection.execute(query.execution_options(yield_per=1000)):
        yield StoredRecord(number, kind, table, body, leaf)


def _record(row: Row[Any]) -> Record:
    return Record(row.number, row.kind, row.table_id, json.loads(row.body))


def next_number(connection: Connection) -> int:
    """Number of the next record."""
    return int(connection.execute(select(func.coalesce(func.max(_RECORD.c.number), -1))).scalar_one()) + 1


def count(connection: Connection) -> int:
    """Number of records."""
    return int(connection.execute(select(func.count()).select_from(_RECORD)).scalar_one())
