"""Signed checkpoints of the history, in a file outside the database.

Three files lie beside each other, named by the same beginning: `.key`, which signs and is for nobody else to read;
`.pub`, with which anyone checks; `.checkpoints`, signed notes one after another, an empty line after each. A fourth,
`.tokens`, is the secret of `tokens`.
"""

import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from house.service import secret_files
from integrity.errors import ProofError
from integrity.proof.notes import (
    Checkpoint,
    PrivateKey,
    PublicKey,
    open_checkpoint,
    private_key,
    read_private_key,
    sign_checkpoint,
)
from integrity.proof.tree import Frontier

LONGEST_LAST = 4096
"""Bytes at the end of a file of checkpoints within which the last one lies."""

_NOTE = re.compile(rb"((?:[^\n]+\n)+\n(?:\xe2\x80\x94 [^\n]+\n)+)\n")
"""A text, an empty line, signature lines; and the empty line behind."""

log = logging.getLogger("floorman.history")


class HistoryBroken(ValueError):
    """The history is not the one that was signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealing:
    """How a house signs its history.

    Parameters
    ----------
    place
        Path of the files without their endings.
    name
        Name of the log and of its key: text without spaces and plus signs.
    records, seconds
        A checkpoint follows at the latest after so many records or seconds, and always when a table closes.
    """

    place: Path
    name: str
    records: int = 1000
    seconds: int = 60

    @property
    def key(self) -> Path:
        """The file of the key that signs."""
        return _beside(self.place, ".key")

    @property
    def public(self) -> Path:
        """The file of the key that checks."""
        return _beside(self.place, ".pub")

    @property
    def secret(self) -> Path:
        """The file of the secret that signs the tokens of those who sign in; see `tokens`."""
        return _beside(self.place, ".tokens")

    @property
    def checkpoints(self) -> Path:
        """The file of the checkpoints."""
        return _beside(self.place, ".checkpoints")


def _beside(place: Path, ending: str) -> Path:
    return place.with_name(place.name + ending)


class Seal:
    """The checkpoints of one house: called by the writer after every commit, it signs where it is time.

    Raises
    ------
    HistoryBroken
        When there are checkpoints and no key.
    ValueError
        For a key that others may read, or that has another name.
    """

    def __init__(self, sealing: Sealing, now_s: Callable[[], float] = time.monotonic) -> None:
        self.sealing = sealing
        self._now_s = now_s
        sealing.place.parent.mkdir(parents=True, exist_ok=True)
        self._new = not sealing.key.exists()
        self._key = _open_key(sealing)
        self.last: tuple[str, Checkpoint] | None = None
        """The last checkpoint: its note, and what it says."""
        self._signed_s = now_s()

    @property
    def public(self) -> PublicKey:
        """The key that checks."""
        return self._key.public

    @property
    def age_s(self) -> float:
        """Seconds since the last checkpoint was signed, or the house opened."""
        return self._now_s() - self._signed_s

    def resume(self) -> None:
        """Take up the file where it ends.

        Raises HistoryBroken, and ValueError where the file of the key that checks holds another one.
        """
        _mend(self.sealing.checkpoints)
        note = last_note(self.sealing.checkpoints)
        self.last = None if note is None else (note, self.open(note))
        file = self.sealing.public
        if file.exists() and file.read_text(encoding="utf-8", errors="replace").strip() != str(self.public):
            raise ValueError(f"{file} must be {self.public}, which checks what {self.sealing.key} signs")

    def check_signed(self, size: int) -> None:
        """Check that a history with records has a checkpoint, since its key signed one before the first of them.

        With a new key it may have none: so a copy goes on that was restored unsigned. Raises HistoryBroken.
        """
        if self.last is not None or not size:
            return
        if not self._new:
            file = self.sealing.checkpoints
            raise HistoryBroken(f"the history has {size} records, and no checkpoint of them stands in {file}")
        log.warning("a new key, %s, signs a history of %d records from here", self.sealing.key, size)

    def look(self) -> None:
        """Take the last checkpoint of the file, if this house signed it, to be shown; nothing is written or refused."""
        note = last_note(self.sealing.checkpoints)
        with suppress(HistoryBroken):
            self.last = None if note is None else (note, self.open(note))

    def open(self, note: str) -> Checkpoint:
        """Read a note of this house. Raises HistoryBroken if it is not signed by its key."""
        try:
            return open_checkpoint(note, [self.public], self.sealing.name)
        except ProofError as error:
            raise HistoryBroken(f"{self.sealing.checkpoints}: {error}") from error

    def all(self) -> tuple[tuple[Checkpoint, ...], tuple[str, ...]]:
        """Read every checkpoint of the file, and what is wrong with those that cannot be read."""
        return self.read(notes(self.sealing.checkpoints) if self.sealing.checkpoints.exists() else ())

    def read(self, signed: Iterable[str]) -> tuple[tuple[Checkpoint, ...], tuple[str, ...]]:
        """Read notes, as `all` does those of the file."""
        read: list[Checkpoint] = []
        wrong: list[str] = []
        for note in signed:
            try:
                read.append(self.open(note))
            except HistoryBroken as error:
                wrong.append(str(error))
        return tuple(read), tuple(wrong)

    def sign(self, frontier: Frontier) -> tuple[str, Checkpoint]:
        """Sign the history up to its edge; the note is kept by whoever asks."""
        checkpoint = Checkpoint(self.sealing.name, frontier.size, frontier.root)
        return sign_checkpoint(checkpoint, [self._key]), checkpoint

    def __call__(self, frontier: Frontier, wanted: bool) -> None:
        """Sign the history up to its edge, if there is something new and it is wanted or time."""
        new = frontier.size - (self.last[1].size if self.last else -1)
        late = new >= self.sealing.records or self._now_s() - self._signed_s >= self.sealing.seconds
        if new <= 0 or not (wanted or late or self.last is None):
            return
        note, checkpoint = self.sign(frontier)
        try:
            _append(self.sealing.checkpoints, note)
        except OSError as error:
            log.error("the checkpoint of %d records could not be written: %s", frontier.size, error.strerror)
            return
        self.last = note, checkpoint
        self._signed_s = self._now_s()


def notes(file: Path) -> tuple[str, ...]:
    """Read every note of a file, in order; a last one that was cut short in writing is left out."""
    return notes_in(file.read_bytes())


def notes_in(content: bytes) -> tuple[str, ...]:
    """Read the notes of what stands in a file, as `notes`."""
    return tuple(match[1].decode() for match in _NOTE.finditer(content))


def last_note(file: Path) -> str | None:
    """Read the last note of a file, None if there is no file or no note."""
    match, _ = _end(file)
    return None if match is None else match[1].decode()


def _end(file: Path) -> tuple[re.Match[bytes] | None, int]:
    """Find the last whole note of a file, and how many bytes stand behind it."""
    if not file.exists():
        return None, 0
    with file.open("rb") as opened:
        opened.seek(max(0, opened.seek(0, os.SEEK_END) - LONGEST_LAST))
        end = opened.read()
    match = next(iter(reversed([*_NOTE.finditer(end)])), None)
    return match, len(end) - (match.end() if match else 0)


def _mend(file: Path) -> None:
    """Cut off what a writer that lost its power left of a last note."""
    match, torn = _end(file)
    if match is not None and torn:
        log.warning("%s ended in half a checkpoint, which is cut off", file.name)
        os.truncate(file, file.stat().st_size - torn)


def _append(file: Path, note: str) -> None:
    """Write a note and an empty line behind what stands, in one write, and make sure that it stays."""
    opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        os.write(opened, f"{note}\n".encode())
        os.fsync(opened)
    finally:
        os.close(opened)


def _open_key(sealing: Sealing) -> PrivateKey:
    """Read the key, or make one that its owner alone can read."""
    if not sealing.key.exists():
        _make_key(sealing)
    try:
        key = read_private_key(secret_files.read(sealing.key))
    except ProofError as error:
        raise ProofError(f"{sealing.key}: {error}") from None
    if key.name != sealing.name:
        raise ValueError(f"{sealing.key} must be the key of {sealing.name}, got that of {key.name}")
    return key


def _make_key(sealing: Sealing) -> None:
    key = private_key(sealing.name, secrets.token_bytes(32))
    if sealing.checkpoints.exists():
        raise HistoryBroken(f"{sealing.key}, which signed {sealing.checkpoints}, is not there")
    if secret_files.make(sealing.key, str(key)):
        sealing.public.write_text(f"{key.public}\n", encoding="ascii")
