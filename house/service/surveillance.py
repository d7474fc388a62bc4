"""The throw log for those who watch: batches for the laboratory, rows for export."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from house.service.desk import House


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
    raise NotImplementedError


def observations(house: House, table_id: str | None = None, batch_rows: int = 65536) -> Iterator[Any]:
    """Give the log to the laboratory, by table and throw, in batches of `integrity.observations`."""
    raise NotImplementedError


def export(house: House, path: Path, table_id: str | None = None) -> int:
    """Write the log to a file: JSON Lines, CSV or Parquet by the suffix (.jsonl, .csv, .parquet); return its rows.

    Raises
    ------
    ValueError
        For another suffix.
    """
    raise NotImplementedError
