"""The log's columns and states: what a batch of rows is and when a row is valid.

A batch is a frozen struct of arrays, one row per die of a throw, in the order of throwing. Text columns are codes into
a tuple of names, -1 for null. The rows of one throw stand together and in one batch (`whole_throws` sees to that).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrity.errors import ObservationError

FACES: Final = 6
NO_TIME: Final = np.iinfo(np.int64).min


class State(IntEnum):
    """What became of a die; only `OK` counts, and the states from `COCKED` to `VOID` void the whole throw."""

    OK = 0
    COCKED = 1
    OFF = 2
    FOUL = 3
    VOID = 4
    KEPT = 5


STATES: Final[tuple[str, ...]] = tuple(state.name.lower() for state in State)
VOIDING: Final = (State.COCKED, State.OFF, State.FOUL, State.VOID)
METHODS: Final = ("box", "gallery", "hand", "machine", "rng")
SOURCES: Final = ("dealer", "camera", "import", "rng")


@dataclass(frozen=True, slots=True)
class Names:
    """A text column: codes int32 (n,) into `names`, -1 for null."""

    codes: NDArray[np.int32]
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Sequence[str | None]) -> "Names":
        """Code the values in order of first appearance.

        >>> Names.of(["a", None, "a"]).codes.tolist()
        [0, -1, 0]
        """
        known: dict[str, int] = {}
        codes = [-1 if value is None else known.setdefault(value, len(known)) for value in values]
        return cls(np.array(codes, dtype=np.int32), tuple(known))

    @classmethod
    def constant(cls, rows: int, value: str | None = None) -> "Names":
        """Repeat one value, or null, over `rows` rows."""
        return cls(np.full(rows, -1 if value is None else 0, dtype=np.int32), () if value is None else (value,))

    def take(self, rows: NDArray[Any] | slice) -> "Names":
        """Select rows; the names stay."""
        return Names(self.codes[rows], self.names)

    def values(self) -> list[str | None]:
        """Spell the column out."""
        return [None if code < 0 else self.names[code] for code in self.codes.tolist()]


TEXT_COLUMNS: Final = ("table", "game", "round", "method", "box", "shooter", "die", "source")


@dataclass(frozen=True, slots=True)
class Observations:
    """A batch of rows, each column of shape (n,).

    `face` is 0 for null, `stake_class` -1 for null, `slot` -1 where the source does not tell the dice apart, `at`
    microseconds since 1970 in UTC or `NO_TIME`. `weight` repeats a row (counts per face); it needs `ordered` false,
    which says that the rows have no order of throwing: nothing about order can be asked then.
    """

    throw: NDArray[np.int64]
    face: NDArray[np.int8]
    state: NDArray[np.int8]
    slot: NDArray[np.int8]
    stake_class: NDArray[np.int8]
    at: NDArray[np.int64]
    table: Names
    die: Names
    box: Names
    shooter: Names
    game: Names
    round: Names
    method: Names
    source: Names
    weight: NDArray[np.int64] | None = None
    ordered: bool = field(default=True)

    def __post_init__(self) -> None:
        """Check the lengths and the ranges that no row may leave."""
        rows = len(self.throw)
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name == "ordered" or value is None:
                continue
            length = len(value.codes) if isinstance(value, Names) else len(value)
            if length != rows:
                raise ObservationError(f"{each.name} must have {rows} rows, got {length}")
        _check_rows(self)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.throw)

    def take(self, rows: NDArray[Any] | slice) -> "Observations":
        """Select rows by index, mask or slice; they were checked already."""
        taken = object.__new__(Observations)
        for name in _COLUMNS:
            value = getattr(self, name)
            if isinstance(value, Names):
                value = value.take(rows)
            elif isinstance(value, np.ndarray):
                value = value[rows]
            object.__setattr__(taken, name, value)
        return taken

    def starts(self) -> NDArray[np.int64]:
        """Find the first row of every throw, shape (throws,)."""
        if not len(self):
            return np.zeros(0, dtype=np.int64)
        changed = self.throw[1:] != self.throw[:-1]
        if len(self.table.names) > 1 or self.table.codes.min() < 0:
            changed |= self.table.codes[1:] != self.table.codes[:-1]
        return np.concatenate(([0], np.flatnonzero(changed) + 1)).astype(np.int64)


_COLUMNS: Final = tuple(each.name for each in fields(Observations))


def _check_rows(batch: Observations) -> None:
    """Refuse what can never stand in a row, naming the first offender."""
    if not len(batch):
        return
    rules: Mapping[str, tuple[NDArray[np.int8], int, int, str]] = {
        "face": (batch.face, 0, FACES, "1 to 6, or 0 for null"),
        "state": (batch.state, 0, len(STATES) - 1, f"one of {', '.join(STATES)}"),
        "slot": (batch.slot, -1, np.iinfo(np.int8).max, "0 or more, or -1"),
        "stake_class": (batch.stake_class, -1, 3, "0 to 3, or -1 for null"),
    }
    for name, (column, low, high, rule) in rules.items():
        if column.min() < low or column.max() > high:
            row = int(np.argmax((column < low) | (column > high)))
            raise ObservationError(f"{name} in row {row} must be {rule}, got {column[row]}")
    if batch.face.min() == 0 and (blank := (batch.face == 0) & (batch.state == State.OK)).any():
        raise ObservationError(f"face in row {int(np.argmax(blank))} must be 1 to 6 where the state is ok, got null")
    if batch.weight is not None and batch.ordered:
        raise ObservationError("ordered must be false where rows carry weights, got true")


def observations(
    face: ArrayLike,
    *,
    throw: ArrayLike | None = None,
    state: Sequence[str] | None = None,
    slot: ArrayLike | None = None,
    stake_class: ArrayLike | None = None,
    at: ArrayLike | None = None,
    weight: ArrayLike | None = None,
    ordered: bool = True,
    **text: Sequence[str | None] | str | None,
) -> Observations:
    """Make a batch from arrays, lists or the columns of a data frame.

    Parameters
    ----------
    face
        Faces 1..6, 0 for null; shape (n,), or (throws, dice) for one row a throw, where `die` may name the columns.
    throw
        Number of each row's throw; by default every row (or every row of the matrix) is a throw of its own.
    text
        `table`, `game`, `round`, `method`, `box`, `shooter`, `die`, `source`: one value for all rows, or one a row.

    Examples
    --------
    >>> batch = observations([[1, 6], [2, 2]], die=["red", "white"], box="B1")
    >>> batch.throw.tolist(), batch.die.values()
    ([0, 0, 1, 1], ['red', 'white', 'red', 'white'])
    """
    unknown = set(text) - set(TEXT_COLUMNS)
    if unknown:
        raise ObservationError(f"columns must be among {', '.join(TEXT_COLUMNS)}, got {', '.join(sorted(unknown))}")
    faces = np.asarray(face)
    if faces.size and not np.issubdtype(faces.dtype, np.integer):
        raise ObservationError(f"face must be whole numbers, got {faces.dtype}")
    if faces.ndim not in (1, 2):
        raise ObservationError(f"face must have one or two dimensions, got {faces.ndim}")
    dice = 1 if faces.ndim == 1 else faces.shape[1]
    if faces.ndim == 2 and slot is None:
        slot = np.tile(np.arange(dice), faces.shape[0])
    if faces.ndim == 2 and throw is not None and np.size(throw) == faces.shape[0]:
        throw = np.repeat(np.asarray(throw), dice)
    rows = faces.size
    if rows and (faces.min() < 0 or faces.max() > FACES):
        raise ObservationError(f"face must be 1 to 6, or 0 for null, got {faces.min()} to {faces.max()}")
    return Observations(
        throw=np.repeat(np.arange(rows // max(dice, 1)), dice) if throw is None else np.asarray(throw, dtype=np.int64),
        face=faces.reshape(-1).astype(np.int8),
        state=_state_codes(state, rows),
        slot=_integers(slot, rows, 0, np.int8),
        stake_class=_integers(stake_class, rows, -1, np.int8),
        at=_integers(at, rows, NO_TIME, np.int64),
        weight=None if weight is None else np.asarray(weight, dtype=np.int64),
        ordered=ordered,
        **{name: _text(text.get(name), rows, dice) for name in TEXT_COLUMNS},
    )


def from_columns(table: Any) -> Observations:
    """Take the columns of a data frame, or of any mapping of names to columns of one length.

    Parameters
    ----------
    table
        Whatever gives a column by name and lists its names by `keys()` or `columns`; names are those of the log's
        columns, `face` at least. Rows of one throw stand together, in the order of throwing.

    Examples
    --------
    >>> from_columns({"face": [3, 5], "die": ["d", None], "throw": [0, 1]}).die.values()
    ['d', None]
    """
    names = [str(name) for name in (table.columns if hasattr(table, "columns") else table.keys())]
    known = {*TEXT_COLUMNS, *_NUMBER_COLUMNS, "face", "state"}
    if "face" not in names or set(names) - known:
        raise ObservationError(f"columns must be face and any of {', '.join(sorted(known))}, got {', '.join(names)}")
    columns = {name: np.asarray(table[name]) for name in names}
    text = {
        name: [str(each) if isinstance(each, str | int) else None for each in columns[name].tolist()]
        for name in (*TEXT_COLUMNS, "state")
        if name in columns
    }
    numbers = {name: columns[name] for name in _NUMBER_COLUMNS if name in columns}
    return observations(columns["face"], **numbers, **text)  # type: ignore[arg-type]


_NUMBER_COLUMNS: Final = ("throw", "slot", "stake_class")


def _integers(values: ArrayLike | None, rows: int, default: int, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """Give a column, or the default for every row."""
    return np.full(rows, default, dtype=dtype) if values is None else np.asarray(values).astype(dtype)


def _state_codes(states: Sequence[str] | None, rows: int) -> NDArray[np.int8]:
    """Code the words of the state column."""
    if states is None:
        return np.zeros(rows, dtype=np.int8)
    unknown = sorted(set(states) - set(STATES))
    if unknown:
        raise ObservationError(f"state must be one of {', '.join(STATES)}, got {unknown[0]!r}")
    return np.array([STATES.index(state) for state in states], dtype=np.int8)


def _text(values: Sequence[str | None] | str | None, rows: int, dice: int) -> Names:
    """Give one value for all rows, one a column of a matrix of faces, or one a row."""
    if values is None or isinstance(values, str):
        return Names.constant(rows, values)
    if len(values) == rows:
        return Names.of(list(values))
    if len(values) == dice:
        return Names.of(list(values) * (rows // dice))
    if dice and len(values) == rows // dice:
        return Names.of([value for value in values for _ in range(dice)])
    raise ObservationError(f"a text column must have {rows} rows, got {len(values)}")


def concatenate(batches: Sequence[Observations]) -> Observations:
    """Join batches of one log, in order."""
    if not batches:
        return observations(np.zeros(0, dtype=np.int8))
    if len(batches) == 1:
        return batches[0]
    columns: dict[str, Any] = {}
    for each in fields(Observations):
        values = [getattr(batch, each.name) for batch in batches]
        if isinstance(values[0], Names):
            columns[each.name] = _join(values)
        elif isinstance(values[0], np.ndarray):
            columns[each.name] = np.concatenate(values)
    return replace(batches[0], **columns)


def _join(columns: Sequence[Names]) -> Names:
    """Join text columns over one tuple of names."""
    if all(column.names == columns[0].names for column in columns):
        return Names(np.concatenate([column.codes for column in columns]), columns[0].names)
    known: dict[str, int] = {}
    parts = []
    for column in columns:
        lookup = np.array([*(known.setdefault(name, len(known)) for name in column.names), -1], dtype=np.int32)
        parts.append(lookup[column.codes])
    return Names(np.concatenate(parts), tuple(known))


def whole_throws(batches: Iterable[Observations]) -> Iterator[Observations]:
    """Move rows over the edges of batches so that no throw is cut in two; what is whole stays as it is."""
    held: Observations | None = None
    for batch in batches:
        if not len(batch):
            continue
        more = 0 if held is None else _continued(held, batch)
        if held is not None and more:
            cut = _last_start(held)
            if cut:
                yield held.take(slice(0, cut))
            held = concatenate([held.take(slice(cut, None)), batch.take(slice(0, more))])
            if more == len(batch):
                continue
        if held is not None:
            yield held
        held = batch.take(slice(more, None)) if more else batch
    if held is not None:
        yield held


def _last_start(batch: Observations) -> int:
    """Find the first row of the last throw, looking backward from the end in ever longer steps."""
    rows, step = len(batch), 64
    while step < rows:
        starts = batch.take(slice(rows - step, None)).starts()
        if len(starts) > 1:
            return rows - step + int(starts[-1])
        step *= 8
    return int(batch.starts()[-1])


def _continued(held: Observations, batch: Observations) -> int:
    """Count the first rows of a batch that belong to the throw held back."""
    last = held.table.codes[-1]
    table = None if last < 0 else held.table.names[last]
    for row in range(len(batch)):
        code = batch.table.codes[row]
        if batch.throw[row] != held.throw[-1] or (None if code < 0 else batch.table.names[code]) != table:
            return row
    return len(batch)
