"""Files -> observations: CSV, JSON Lines and Parquet in batches, with refusals by line, notes, and the file's hash.

Whatever cannot be read for certain is refused and counted; nothing is dropped silently, no base or order is guessed.
"""

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from integrity.columnar import CHUNK, NUMBERS, TEXTS, from_arrow
from integrity.errors import ReadError
from integrity.layouts import Layout, bare_layout, is_header, layout_of
from integrity.observations import Observations, whole_throws
from integrity.rows import Builder, Ledger, in_order, told_apart

ROWS: Final = 1 << 16
"""Rows of text in a batch."""
LOOK: Final = 20
"""First rows that decide which columns hold faces."""

Line = tuple[int, Sequence[str]]


@dataclass(slots=True)
class Reading:
    """A file being read: iterate `batches`, then ask what was refused and noticed.

    `refusals` are words about the first thousand refused rows, each with its line; `refused` counts all of them.
    `totals` int64 (11,) counts totals of two dice, for files that hold nothing else.
    """

    path: Path
    columns: Mapping[str, str]
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def name(self) -> str:
        """Give the file's name."""
        return self.path.name

    @property
    def sha256(self) -> str:
        """Give the hash of the file as it stands."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    @property
    def refused(self) -> int:
        """Count the refused rows."""
        return self.ledger.refused

    @property
    def refusals(self) -> Sequence[str]:
        """Give the first refused rows in words."""
        return self.ledger.refusals

    @property
    def notes(self) -> Sequence[str]:
        """Give what the reader met."""
        return self.ledger.notes

    @property
    def totals(self) -> NDArray[np.int64]:
        """Give the counts of the totals 2 to 12."""
        return self.ledger.totals

    def batches(self) -> Iterator[Observations]:
        """Read the file from its start in batches of whole throws."""
        self.ledger = Ledger()
        ending = self.path.suffix.lower()
        source = _FORMATS.get(ending, _read_csv)(self.path, self.columns, self.ledger)
        yield from whole_throws(in_order(told_apart(each), self.ledger) for each in source)


def read(path: str | Path, columns: Mapping[str, str] | None = None) -> Reading:
    """Open a log: `.jsonl`, `.ndjson` and `.json` as JSON Lines, `.parquet` as Parquet, all else as separated text.

    Parameters
    ----------
    columns
        Which column is which, where the names do not say so: `{"die": "serial", "face": "white+red"}`; besides columns,
        `base` (lowest face of the file, 0 or 1), `separator` and `zone` (of times that name none) may be declared.

    Raises
    ------
    ReadError
        The file is not there, or a declaration is none.
    """
    found = Path(path)
    if not found.is_file():
        raise ReadError(f"log must be a file, got {found}")
    return Reading(found, dict(columns or {}))


def _builder(layout: Layout, declared: Mapping[str, str], ledger: Ledger) -> Builder:
    """Make a builder with the declared base and zone."""
    base = declared.get("base", "1")
    if base not in {"0", "1"}:
        raise ReadError(f"base must be 0 or 1, got {base!r}")
    try:
        zone = ZoneInfo(declared["zone"]) if "zone" in declared else None
    except (ZoneInfoNotFoundError, ValueError):
        raise ReadError(f"zone must be a time zone like Europe/London, got {declared['zone']!r}") from None
    if layout.unused:
        ledger.note(f"columns not used: {', '.join(layout.unused)}")
    return Builder(layout, ledger, int(base), zone)


def _build(lines: Iterable[Line], builder: Builder) -> Iterator[Observations]:
    """Fill batches row by row."""
    for number, cells in lines:
        builder.add(number, cells)
        if len(builder.records) >= ROWS:
            yield from filter(None, [builder.take()])
    yield from filter(None, [builder.take()])
    builder.close()


def _read_csv(path: Path, declared: Mapping[str, str], ledger: Ledger) -> Iterator[Observations]:
    """Read separated text: BOM, any line ends, comments and blank lines, with or without a header."""
    with path.open(encoding="utf-8-sig", newline=None) as file:
        lines = _cells(_text(file, path), _declared_separator(declared), ledger)
        head = list(islice(lines, LOOK))
        if not head:
            return
        if is_header(head[0][1]):
            layout = layout_of(head[0][1], [cells for _, cells in head[1:]], declared)
            head = head[1:]
        else:
            layout = bare_layout(max(len(cells) for _, cells in head))
        yield from _build(chain(head, lines), _builder(layout, declared, ledger))


def _text(file: io.TextIOBase, path: Path) -> Iterator[str]:
    """Read lines of UTF-8."""
    try:
        yield from file
    except UnicodeDecodeError as error:
        raise ReadError(f"{path.name} must be UTF-8 text, got byte {error.object[error.start]:#04x}") from None


def _cells(lines: Iterable[str], separator: str | None, ledger: Ledger) -> Iterator[Line]:
    """Cut lines into cells; comments become notes, blank lines nothing."""
    for number, line in enumerate(lines, 1):
        text = line.strip("\n\ufeff")
        if not text.strip():
            continue
        if text.lstrip().startswith("#"):
            ledger.note(text.strip().lstrip("# ").strip())
            continue
        separator = separator or _separator(text)
        try:
            yield number, next(csv.reader([text], delimiter=separator))
        except csv.Error:
            ledger.refuse(number, f"a cell must have at most {csv.field_size_limit():,} characters")


def _declared_separator(declared: Mapping[str, str]) -> str | None:
    """Give the separator that a file was said to have, None for one to be found."""
    separator = declared.get("separator")
    if separator is not None and (len(separator) != 1 or separator in '"\r\n'):
        raise ReadError(f"separator must be one character, no quote and no end of a line, got {separator!r}")
    return separator


def _separator(line: str) -> str:
    """Find the separator of a first line: the one of tab, semicolon and comma that stands in it most often."""
    return max(("\t", ";", ","), key=line.count) if any(sign in line for sign in "\t;,") else ","


def _read_jsonl(path: Path, declared: Mapping[str, str], ledger: Ledger) -> Iterator[Observations]:
    """Read one JSON object a line; the first object names the columns, later ones may leave some out."""
    with path.open(encoding="utf-8-sig", newline=None) as file:
        objects = _objects(_text(file, path), ledger)
        head = list(islice(objects, LOOK))
        titles = list(dict.fromkeys(name for _, each in head for name in each))
        if not titles:
            return
        rows = ((number, [_spell(each.get(title)) for title in titles]) for number, each in chain(head, objects))
        first = list(islice(rows, len(head)))
        layout = layout_of(titles, [cells for _, cells in first], declared)
        yield from _build(chain(first, rows), _builder(layout, declared, ledger))


def _objects(lines: Iterable[str], ledger: Ledger) -> Iterator[tuple[int, dict[str, Any]]]:
    """Parse the lines, refusing what is not an object."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            each = json.loads(line)
        except (ValueError, RecursionError):
            ledger.refuse(number, "a line must be a JSON object")
            continue
        if isinstance(each, dict):
            yield number, each
        else:
            ledger.refuse(number, f"a line must be a JSON object, got {type(each).__name__}")


def _spell(value: object) -> str:
    """Spell a JSON value as a cell; true and false are no numbers."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _read_parquet(path: Path, declared: Mapping[str, str], ledger: Ledger) -> Iterator[Observations]:
    """Read Parquet: a log in our own columns in arrays, any other through the same rows as text."""
    from pyarrow import ArrowInvalid, parquet, types

    try:
        file = parquet.ParquetFile(path, pre_buffer=False)
    except ArrowInvalid as error:
        raise ReadError(f"{path.name} must be a Parquet file: {error}") from None
    schema = file.schema_arrow
    own = {"throw", "face"} <= set(schema.names) and not declared
    if own and all(types.is_integer(schema.field(name).type) for name in set(NUMBERS) & set(schema.names)):
        yield from _read_own_parquet(path, schema.names, ledger)
        return
    builder, row = None, 0
    for batch in file.iter_batches(batch_size=ROWS):
        columns = [[_spell_arrow(value) for value in column.to_pylist()] for column in batch.columns]
        lines: list[Line] = [(row + at + 1, cells) for at, cells in enumerate(zip(*columns, strict=True))]
        row += len(lines)
        if builder is None:
            layout = layout_of(schema.names, [cells for _, cells in lines[:LOOK]], declared)
            builder = _builder(layout, declared, ledger)
        yield from _build(lines, builder)


def _read_own_parquet(path: Path, names: Sequence[str], ledger: Ledger) -> Iterator[Observations]:
    """Read our own columns of Parquet in arrays; only those that the tallies need are decoded.

    `names` are the file's columns. Nothing is buffered ahead: that would hold the whole file.
    """
    from pyarrow import DictionaryArray, array, parquet

    texts = [name for name in TEXTS if name in names]
    file = parquet.ParquetFile(path, read_dictionary=texts, pre_buffer=False)
    constant = {name: array([text]) for name, text in _constants(file.metadata, texts).items()}
    present = [name for name in (*NUMBERS, *texts, "at") if name in names and name not in constant]
    row = 0
    for batch in file.iter_batches(batch_size=CHUNK, columns=present):
        columns = dict(zip(present, batch.columns, strict=True))
        codes = array(np.zeros(len(batch), dtype=np.int32))
        columns |= {name: DictionaryArray.from_arrays(codes, word) for name, word in constant.items()}
        yield from_arrow(columns, len(batch), ledger, row)
        row += len(batch)


EXACT_BYTES: Final = 32
"""Texts that are shorter stand in the statistics of Parquet whole; some writers cut longer ones."""


def _constants(metadata: Any, names: Collection[str]) -> dict[str, str]:
    """Find text columns that hold one value, by the file's own statistics: they need no decoding."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    found: dict[str, set[str | None]] = {name: set() for name in names}
    for group in groups:
        for column in (group.column(index) for index in range(group.num_columns)):
            if column.path_in_schema in found:
                found[column.path_in_schema].add(_only_value(column.statistics))
    return {name: value for name, values in found.items() if len(values) == 1 for value in values if value is not None}


def _only_value(statistics: Any) -> str | None:
    """Give the one text that a column chunk holds in every row, None where its statistics do not tell."""
    if statistics is None or not statistics.has_min_max or not statistics.has_null_count or statistics.null_count:
        return None
    least = statistics.min
    one = isinstance(least, str) and least == statistics.max and len(least.encode()) < EXACT_BYTES
    return least if one else None


def _spell_arrow(value: object) -> str:
    """Spell a value of a Parquet column as a cell."""
    isoformat: Callable[[], str] | None = getattr(value, "isoformat", None)
    return isoformat() if isoformat else _spell(value)


_FORMATS: Final[Mapping[str, Callable[[Path, Mapping[str, str], Ledger], Iterator[Observations]]]] = {
    ".jsonl": _read_jsonl,
    ".ndjson": _read_jsonl,
    ".json": _read_jsonl,
    ".parquet": _read_parquet,
}


def stated_throws(notes: Iterable[str]) -> int | None:
    """Find the number of throws that a comment states, as in "# 4,310 throws".

    >>> stated_throws(["wet dice", "4,310 throws"])
    4310
    """
    for note in notes:
        if found := re.search(r"([\d,]+)\s+throws", note):
            return int(found[1].replace(",", ""))
    return None
