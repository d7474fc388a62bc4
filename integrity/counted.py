"""A log counted: its tallies with what stands beside them, mergeable; all that an audit without a plan asks for."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

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


def count(reading: Reading) -> Counted:
    """Count a file in one pass."""
    tallies = tally(reading.batches())
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
