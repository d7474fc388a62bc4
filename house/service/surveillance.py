"""The throw log for those who watch: batches for the laboratory, rows for export."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from house.service.desk import House
from house.service.play import known_table
from house.store import throws as store
from house.store.unit_of_work import moment
from integrity.observations import STATES, Names, Observations

COLUMNS = ("table", "game", "round", "method", "box", "shooter", "die", "source")
_STORED = {"table": "table_id"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowRow:
    """One die of one throw: a row of the throw log (rules/formats, section 2), and its gaming day as YYYY-MM-DD."""

    throw: int
    at: datetime
    table: str
    game: str
    round: str
    method: str
    box: str | None
    shooter: str | None
    slot: int
    die: str | None
    face: int | None
    state: str
    stake_class: int | None
    source: str
    gaming_day: str


def throws(house: House, table_id: str, after: int = -1, limit: int = 500) -> tuple[ThrowRow, ...]:
    """List the rows of up to `limit` throws of a table that follow throw number `after`. Refused: NOT_FOUND."""
    with house.read() as connection:
        known_table(connection, table_id)
        return tuple(_row(row) for row in store.page(connection, table_id, after, limit))


def _row(row: Any) -> ThrowRow:
    return ThrowRow(
        throw=row.number,
        at=moment(row.at_us),
        table=row.table_id,
        game=row.game,
        round=row.round,
        method=row.method,
        box=row.box,
        shooter=row.shooter,
        slot=row.slot,
        die=row.die,
        face=row.face,
        state=row.state,
        stake_class=row.stake_class,
        source=row.source,
        gaming_day=row.gaming_day,
    )


def observations(
    house: House,
    table_id: str | None = None,
    batch_rows: int = 65536,
    *,
    days: tuple[str | None, str | None] = (None, None),
) -> Iterator[Observations]:
    """Give the log to the laboratory, by table and throw, in batches that never divide a throw.

    All batches see one state of the log, that of the first.

    Parameters
    ----------
    days
        First and last gaming day, YYYY-MM-DD, both counted in; None for no bound.
    """
    first, last = days[0] or "", days[1] or "9999"
    codes = {state: code for code, state in enumerate(STATES)}
    with house.read() as connection:
        for rows in store.batches(connection, table_id, batch_rows):
            within = [row for row in rows if first <= row.gaming_day <= last] if any(days) else rows
            if within:
                yield _batch(within, codes)


def _batch(rows: Sequence[Any], codes: dict[str, int]) -> Observations:
    text = {name: Names.of([getattr(row, _STORED.get(name, name)) for row in rows]) for name in COLUMNS}
    return Observations(
        throw=np.array([row.number for row in rows], dtype=np.int64),
        face=np.array([row.face or 0 for row in rows], dtype=np.int8),
        state=np.array([codes[row.state] for row in rows], dtype=np.int8),
        slot=np.array([row.slot for row in rows], dtype=np.int8),
        stake_class=np.array([-1 if row.stake_class is None else row.stake_class for row in rows], dtype=np.int8),
        at=np.array([row.at_us for row in rows], dtype=np.int64),
        table=text["table"],
        game=text["game"],
        round=text["round"],
        method=text["method"],
        box=text["box"],
        shooter=text["shooter"],
        die=text["die"],
        source=text["source"],
    )


def export(house: House, path: Path, table_id: str | None = None) -> int:
    """Write the log to a file: JSON Lines, CSV or Parquet by the suffix (.jsonl, .csv, .parquet); return its rows.

    No cell of the CSV can be taken for a formula: every text is an id, which begins with a letter or digit.

    Raises
    ------
    ValueError
        For another suffix.
    """
    write = _WRITERS.get(path.suffix)
    if write is None:
        raise ValueError(f"path must end in one of {', '.join(_WRITERS)}, got {path.name!r}")
    with house.read() as connection:
        parts = ([_row(row) for row in part] for part in store.batches(connection, table_id, 65536))
        return write(path, parts)


_NAMES = tuple(field.name for field in fields(ThrowRow))


def _plain(row: ThrowRow) -> dict[str, Any]:
    return dict(zip(_NAMES, astuple(row), strict=True)) | {"at": row.at.isoformat(timespec="microseconds")}


def _jsonl(path: Path, parts: Iterable[list[ThrowRow]]) -> int:
    written = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for part in parts:
            file.writelines(json.dumps(_plain(row), separators=(",", ":")) + "\n" for row in part)
            written += len(part)
    return written


def _csv(path: Path, parts: Iterable[list[ThrowRow]]) -> int:
    written = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_NAMES)
        for part in parts:
            writer.writerows(_plain(row).values() for row in part)
            written += len(part)
    return written


def _parquet(path: Path, parts: Iterable[list[ThrowRow]]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = {name: pa.string() for name in (*COLUMNS, "state", "gaming_day")}
    small = {"slot": pa.int8(), "face": pa.int8(), "stake_class": pa.int8()}
    types = {**text, **small, "throw": pa.int64(), "at": pa.timestamp("us", tz="UTC")}
    schema = pa.schema([(name, types[name]) for name in _NAMES])
    written = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as file:
        for part in parts:
            rows = [dict(zip(_NAMES, astuple(row), strict=True)) for row in part]
            file.write_table(pa.Table.from_pylist(rows, schema=schema))
            written += len(rows)
    return written


_WRITERS: dict[str, Callable[[Path, Iterable[list[ThrowRow]]], int]] = {
    ".jsonl": _jsonl,
    ".csv": _csv,
    ".parquet": _parquet,
}
