"""Columns of a record batch -> observations, in arrays. Rows that no log may have are refused one by one."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import SLOTS
from integrity.observations import FACES, NO_TIME, STATES, Names, Observations, State
from integrity.rows import MOST_THROWS, Ledger

NUMBERS: Final[Mapping[str, int]] = {"throw": -1, "face": 0, "slot": -1, "stake_class": -1}
"""Number columns of our own log, and what stands for null."""
TEXTS: Final = ("table", "box", "shooter", "die", "state")
"""Text columns that the tallies need; the others are not decoded."""
_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "throw": (0, MOST_THROWS),
    "face": (0, FACES),
    "slot": (-1, SLOTS),
    "stake_class": (-1, 3),
}
CHUNK: Final = 1 << 18
"""Rows of a batch: few enough that its columns stay in the cache while they are counted."""
_MICROSECONDS: Final[Mapping[str, tuple[int, int]]] = {
    "s": (1_000_000, 1),
    "ms": (1000, 1),
    "us": (1, 1),
    "ns": (1, 1000),
}


def from_arrow(columns: Mapping[str, Any], rows: int, ledger: Ledger, before: int = 0) -> Observations:
    """Take columns of a record batch by name; rows are counted from `before` + 1 in refusals."""
    numbers = {name: _numbers(columns.get(name), rows, null) for name, null in NUMBERS.items()}
    texts = {name: _names(columns.get(name), rows) for name in TEXTS}
    state, wrong = _states(texts.pop("state"))
    bad = _faults(numbers, state, wrong)
    for row in [] if bad is None else np.flatnonzero(bad).tolist():
        told = ", ".join(f"{name}={column[row].as_py()}" for name, column in columns.items() if name != "at")
        ledger.refuse(
            before + row + 1, f"a row must hold a throw, and a face of 1 to 6 or a state without one, got {told}"
        )
    keep = slice(None) if bad is None else ~bad
    blank = Names.constant(rows).take(keep)
    return Observations(
        numbers["throw"][keep].astype(np.int64, copy=False),
        numbers["face"][keep].astype(np.int8, copy=False),
        state[keep],
        numbers["slot"][keep].astype(np.int8, copy=False),
        numbers["stake_class"][keep].astype(np.int8, copy=False),
        _times(columns.get("at"), rows, ledger)[keep],
        **{name: column.take(keep) for name, column in texts.items()},
        game=blank,
        round=blank,
        method=blank,
        source=blank,
        weight=None,
        ordered=True,
    )


def _faults(
    numbers: Mapping[str, NDArray[np.integer[Any]]], state: NDArray[np.int8], wrong: NDArray[np.bool_] | None
) -> NDArray[np.bool_] | None:
    """Find the rows (n,) that no log may have, None if there are none: the least and the greatest tell that faster."""
    found = [] if wrong is None else [wrong]
    for name, (least, most) in _RANGES.items():
        column = numbers[name]
        if column.min(initial=least) < least or column.max(initial=least) > most:
            found.append((column < least) | (column > most))
    if numbers["face"].min(initial=1) < 1:
        found.append((numbers["face"] == 0) & (state == State.OK))
    bad = np.logical_or.reduce(found) if found else None
    return bad if bad is not None and bad.any() else None


def _numbers(column: Any, rows: int, null: int) -> NDArray[np.integer[Any]]:
    """Take whole numbers as wide as they stand in the file, or null for every row; signed, so that null has room."""
    if column is None:
        return np.full(rows, null, dtype=np.int8)
    if not column.null_count:
        return np.asarray(column)
    return np.asarray(column.cast("int64").fill_null(null))


def _names(column: Any, rows: int) -> Names:
    """Take a text column, or null for every row; serials that are written as numbers are spelt."""
    if column is None:
        return Names.constant(rows)
    if not hasattr(column, "indices"):
        column = column.cast("string").dictionary_encode()
    codes = column.indices.fill_null(-1) if column.null_count else column.indices
    return Names(np.asarray(codes, dtype=np.int32), tuple(column.dictionary.to_pylist()))


def _states(column: Names) -> tuple[NDArray[np.int8], NDArray[np.bool_] | None]:
    """Take state words: codes, and which rows hold a word that is none; null is ok, as where a log has no states."""
    known = [STATES.index(name) if name in STATES else -1 for name in column.names]
    lookup = np.array([*known, State.OK], dtype=np.int8)
    if not lookup.any():
        return np.zeros(len(column.codes), dtype=np.int8), None
    state = lookup[column.codes]
    return np.maximum(state, 0), state < 0


def _times(column: Any, rows: int, ledger: Ledger) -> NDArray[np.int64]:
    """Take times as microseconds in UTC; times without a zone, and what is no time, are not used."""
    if column is None:
        return np.full(rows, NO_TIME, dtype=np.int64)
    if getattr(column.type, "tz", None) is None:
        ledger.note("times without a zone were not used")
        return np.full(rows, NO_TIME, dtype=np.int64)
    times, divide = _MICROSECONDS[column.type.unit]
    whole = column.cast("int64")
    null = np.asarray(whole.is_null()) if whole.null_count else None
    micro = np.asarray(whole.fill_null(0) if whole.null_count else whole, dtype=np.int64)
    micro = micro * times if times > 1 else micro // divide if divide > 1 else micro
    return micro if null is None else np.where(null, NO_TIME, micro)
