"""A log counted: its tallies with what stands beside them, mergeable; all that an audit without a plan asks for."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from integrity.errors import LaboratoryError
from integrity.observations import NO_TIME, Observations, whole_throws
from integrity.readers import Reading
from integrity.rows import MOST_KEPT, Ledger
from integrity.tallies import Tallies, tally


@dataclass(frozen=True, slots=True)
class Counted:
    """The tallies of a log, what its readers refused and noticed, and (name, SHA-256) of each of its files."""

    tallies: Tallies
    ledger: Ledger = field(default_factory=Ledger)
    files: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """Name the log: by its only file, or the first and the number of the others."""
        if not self.files:
            return "observations"
        more = f" and {len(self.files) - 1} more" if len(self.files) > 1 else ""
        return self.files[0][0] + more

    @property
    def sha256(self) -> str | None:
        """Give the file's hash; of several, that of their list as `sha256sum` prints it."""
        if len(self.files) < 2:
            return self.files[0][1] if self.files else None
        return hashlib.sha256("".join(f"{digest}  {name}\n" for name, digest in self.files).encode()).hexdigest()


Start = int | datetime
"""Where the test begins: the number of a throw, or a time with its zone."""


def from_start(
    batches: Iterable[Observations], start: Start | None, note: Callable[[str], None]
) -> Iterator[Observations]:
    """Leave out the throws before a start, and note at the end how many rows these were.

    A log that was begun, or looked at, because of a streak must not count that streak as evidence.

    Raises
    ------
    LaboratoryError
        The start is a time without a zone, or a throw has no time to compare with it.
    """
    if start is None:
        yield from batches
        return
    if isinstance(start, datetime) and start.tzinfo is None:
        raise LaboratoryError(f"start must name its time zone, got {start}")
    earlier = 0
    for batch in whole_throws(batches):
        starts = batch.starts()
        early = np.repeat(_early(batch, starts, start), np.diff(np.append(starts, len(batch))))
        earlier += int(early.sum())
        yield batch.take(~early) if early.any() else batch
    note(f"{earlier:,} rows from before the start, {start}, were left out")


def _early(batch: Observations, starts: NDArray[np.int64], start: Start) -> NDArray[np.bool_]:
    """Tell which throws, given by their first rows, come before the start."""
    if isinstance(start, int):
        return np.asarray(batch.throw[starts] < start)
    at = batch.at[starts]
    if (at == NO_TIME).any():
        raise LaboratoryError("start must be the number of a throw where throws have no time with its zone, got a time")
    return np.asarray(at < round(start.timestamp() * 1_000_000))


def count(reading: Reading, start: Start | None = None) -> Counted:
    """Count a file in one pass, from a start on."""

    def note(words: str) -> None:
        reading.ledger.note(words)  # the ledger is a new one once reading begins

    tallies = tally(from_start(reading.batches(), start, note))
    return Counted(tallies, reading.ledger, ((reading.name, reading.sha256),))


def joined(parts: Sequence[Counted]) -> Counted:
    """Append parts of one log in order; the parts stay as they are. Refused rows are told with their file."""
    tallies, ledger = Tallies(), Ledger()
    for part in parts:
        tallies.merge(part.tallies)
        ledger.refused += part.ledger.refused
        ledger.totals += part.ledger.totals
        where = f"{part.name}, " if len(part.files) == 1 else ""
        ledger.refusals += [where + each for each in part.ledger.refusals]
        for note in part.ledger.notes:
            ledger.note(note)
    del ledger.refusals[MOST_KEPT:]
    return Counted(tallies, ledger, tuple(file for part in parts for file in part.files))
