"""The history: what happened in the house, in order, as canonical JSON."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, insert, select

from house.store import rows
from house.store.unit_of_work import Unit

_RECORD = rows.table(rows.RecordRow)
_APPEND = insert(_RECORD)


@dataclass(frozen=True, slots=True)
class Record:
    """One record; `body` holds text, whole numbers, truth values, null, lists and mappings of these."""

    number: int
    kind: str
    table: str | None
    at_us: int
    body: dict[str, Any]


def canonical(body: Mapping[str, Any]) -> str:
    """Write a value in its one form: sorted keys, no spaces, no floats.

    >>> canonical({"b": [1, None], "a": "x"})
    '{"a":"x","b":[1,null]}'
    """
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def append(unit: Unit, kind: str, table: str | None, body: Mapping[str, Any]) -> int:
    """Add a record to the history and return its number."""
    number = unit.take_record()
    values = {
        "number": number,
        "kind": kind,
        "table_id": table,
        "at_us": unit.at_us,
        "gaming_day": unit.gaming_day,
        "body": canonical(body),
    }
    unit.connection.execute(_APPEND, values)
    return number


def get(connection: Connection, number: int) -> Record | None:
    """Read a record by its number."""
    row = connection.execute(select(_RECORD).where(_RECORD.c.number == number)).one_or_none()
    return None if row is None else Record(row.number, row.kind, row.table_id, row.at_us, json.loads(row.body))


def of_table(connection: Connection, table: str) -> Iterator[Record]:
    """Read the records of a table, in order, without holding them all."""
    query = select(_RECORD).where(_RECORD.c.table_id == table).order_by(_RECORD.c.number)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        yield Record(row.number, row.kind, row.table_id, row.at_us, json.loads(row.body))


def count(connection: Connection) -> int:
    """Number of records."""
    return int(connection.execute(select(func.count()).select_from(_RECORD)).scalar_one())
