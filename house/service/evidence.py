"""The history in files, to be checked elsewhere: written by the house, verified with its public key alone.

A folder holds `records.jsonl`, one canonical record a line; `leaves`, the hash of every record, 32 bytes each, by which
a record that was changed is found exactly; `checkpoints`, every signed note, an empty line after each; and `key.pub`,
which is there for convenience: whoever checks takes the key from somewhere else.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from house.service.checkpoints import notes, notes_in
from house.service.desk import House
from house.service.retrace import Retraced
from house.store import records, tree
from house.store.checks import MOST, Discrepancy
from house.store.records import StoredRecord
from integrity.errors import ProofError
from integrity.proof.notes import Checkpoint, PublicKey, open_checkpoint
from integrity.proof.offline import Check, check_history
from integrity.proof.tree import Frontier, append, leaf_hash

RECORDS, LEAVES, CHECKPOINTS, KEY = "records.jsonl", "leaves", "checkpoints", "key.pub"
HASH_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What an export was found to be.

    Parameters
    ----------
    check
        The records against the checkpoints.
    records, settlements, entries
        Records that were played again, and the settlements and entries in them.
    discrepancies
        What does not follow from the records before it, at most `MOST`.
    """

    check: Check
    records: int
    settlements: int
    entries: int
    discrepancies: tuple[Discrepancy, ...]

    @property
    def holds(self) -> bool:
        """Whether everything is as it was signed, and everything settled as it must be."""
        return self.check.holds and not self.discrepancies


def export(house: House, folder: Path) -> int:
    """Write the history into a folder that is new or empty; return the number of records.

    The checkpoints are read before the records, so that none is signed beyond what is written. What was written since
    the last one is signed too, by a checkpoint that stands in the folder alone, unless the history does not lead to
    those before: so an honest export ends with a checkpoint over all of it.

    Raises
    ------
    ValueError
        When the folder holds something, or the house signs no checkpoints.
    """
    if house.seal is None:
        raise ValueError("the history must have been signed to be exported")
    if folder.exists() and any(folder.iterdir()):
        raise ValueError(f"folder must be new or empty, got {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    signed = house.seal.sealing.checkpoints.read_bytes()
    with (
        house.read() as connection,
        (folder / RECORDS).open("wb") as lines,
        (folder / LEAVES).open("wb") as leaves,
    ):
        end, sound = _written(records.stored(connection), lines, leaves, house.seal.read(notes_in(signed)))
    if sound:
        signed = "".join(f"{note}\n" for note in (*notes_in(signed), house.seal.sign(end)[0])).encode()
    (folder / CHECKPOINTS).write_bytes(signed)
    (folder / KEY).write_text(f"{house.seal.public}\n", encoding="ascii")
    return end.size


def _written(
    stored: Iterable[StoredRecord],
    lines: BinaryIO,
    leaves: BinaryIO,
    checkpoints: tuple[Sequence[Checkpoint], Sequence[str]],
) -> tuple[Frontier, bool]:
    """Write records and their hashes; give the edge of their tree, and whether it may be signed.

    It may where every record is as it was sealed, they lead to every checkpoint before, and some follow the last.
    """
    signed, wrong = checkpoints
    due = {one.size: one.root for one in signed}
    end, sound = Frontier(), not wrong
    for record in stored:
        line = record.text.encode()
        leaf = leaf_hash(line)
        sound &= (record.number, record.leaf) == (end.size, leaf.hex())
        lines.write(line + b"\n")
        leaves.write(tree.read(record.leaf) or bytes(HASH_BYTES))
        end, _ = append(end, leaf)
        sound &= due.get(end.size, end.root) == end.root
    return end, sound and end.size > max(due, default=0)


def verify(folder: Path, key: PublicKey, earlier: Sequence[Path] = ()) -> Verified:
    """Check an export with the public key alone, and play every settlement again.

    Parameters
    ----------
    earlier
        Files of checkpoints that were kept from before: the history must continue them.

    Raises
    ------
    OSError
        For a file that cannot be read.
    """
    check = check_records(folder, key, earlier)
    retraced = Retraced()
    found: list[Discrepancy] = []
    if check.holds:
        for line in _lines(folder / RECORDS):
            found += retraced.add(json.loads(line))
            if len(found) > MOST:
                break
    return Verified(
        check=check,
        records=retraced.records,
        settlements=retraced.settlements,
        entries=retraced.entries,
        discrepancies=tuple(found[:MOST]),
    )


def check_records(folder: Path, key: PublicKey, earlier: Sequence[Path] = ()) -> Check:
    """Check that the records are those that were signed, as `verify`, and play nothing again."""
    try:
        signed = [_opened(note, key) for file in (folder / CHECKPOINTS, *earlier) for note in _notes(file)]
        return check_history(_lines(folder / RECORDS), signed, _leaves(folder / LEAVES))
    except ProofError as error:
        return Check(False, 0, 0, None, False, str(error))


def _notes(file: Path) -> tuple[str, ...]:
    """Read the notes of a file, which may also be a single one."""
    found = notes(file)
    return found or (file.read_text(encoding="utf-8", errors="replace"),)


def _opened(note: str, key: PublicKey) -> Checkpoint:
    try:
        return open_checkpoint(note, [key], key.name)
    except ProofError as error:
        size = [*note.split("\n"), ""][1][:20]
        raise ProofError(f"checkpoint of {size or 'no'} records: {error}") from error


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        for line in opened:
            yield line.removesuffix(b"\n")


def _leaves(file: Path) -> list[bytes]:
    """Read the hashes of the records; none where they were not exported."""
    content = file.read_bytes() if file.exists() else b""
    return [content[start : start + HASH_BYTES] for start in range(0, len(content), HASH_BYTES)]
