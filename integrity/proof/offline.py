"""Records against signed checkpoints, with the public key alone: they hold, or which is the first that does not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from integrity.errors import ProofError
from integrity.proof.notes import Checkpoint
from integrity.proof.records import parse
from integrity.proof.tree import Frontier, append, leaf_hash, root


@dataclass(frozen=True, slots=True)
class Check:
    """What an offline check found.

    Attributes
    ----------
    holds
        Whether every record is the one that was signed: none differs, none is missing and none is left over.
    proved
        Records proved from the beginning.
    unproved
        Records after the last checkpoint that could be read, which nothing vouches for.
    first_bad
        Index of the first record that does not hold, or None; records before it are as signed if `located`.
    located
        Whether `first_bad` is the very record, or only the first of the stretch in which one is bad.
    reason
        One sentence.
    """

    holds: bool
    proved: int
    unproved: int
    first_bad: int | None
    located: bool
    reason: str


def check_history(
    records: Iterable[bytes],
    checkpoints: Sequence[Checkpoint],
    leaf_hashes: Sequence[bytes] | None = None,
) -> Check:
    """Check records in order against checkpoints whose signatures have been opened already.

    Parameters
    ----------
    records
        The bytes of every record from the first on; read once, not held.
    checkpoints
        At least one, of one log. They are put in order of size; two of one size must have one root, or the log forked.
        The last is over all records: a history that ends behind it was cut off, together with its later checkpoints.
        One that was cut exactly at an older checkpoint is in order by itself; it takes a later checkpoint to see that.
    leaf_hashes
        The leaf hash of every record, if the export carries them. If they lead to the signed root they are as signed,
        and the first record that differs is located; without them only its stretch between checkpoints is known.
    """
    ordered = sorted(checkpoints, key=lambda checkpoint: checkpoint.size)
    _one_log(ordered)
    frontier, proved, count, pending = Frontier(), 0, 0, list(ordered)
    trusted = _trusted_hashes(leaf_hashes, ordered)
    while pending and pending[0].size == 0:
        if frontier.root != pending.pop(0).root:
            return Check(False, 0, 0, 0, False, "the checkpoint of the empty log has another root")
    for index, record in enumerate(records):
        try:
            parse(record)
        except ProofError as error:
            return Check(False, proved, 0, index, True, f"record {index}: {error}")
        leaf = leaf_hash(record)
        if index < len(trusted) and trusted[index] != leaf:
            return Check(False, index, 0, index, True, f"record {index} is not the record that was signed")
        frontier, _ = append(frontier, leaf)
        count = index + 1
        while pending and pending[0].size == count:
            if pending.pop(0).root != frontier.root:
                reason = f"a record from {proved} to {count - 1} is not the record that was signed"
                return Check(False, proved, 0, proved, proved == count - 1, reason)
            proved = count
    if pending:
        located = count <= max(proved, len(trusted))
        first = count if located else proved
        reason = f"{pending[-1].size - count} records from {first} to {pending[-1].size - 1} are missing"
        return Check(False, proved, count - proved, first, located, reason)
    if count > proved:
        reason = f"{count - proved} records from {proved} to {count - 1} follow the last signed checkpoint"
        return Check(False, proved, count - proved, proved, True, f"{reason}: nothing vouches for them")
    return Check(True, proved, 0, None, True, f"{proved} records are as signed")


def _one_log(ordered: Sequence[Checkpoint]) -> None:
    """Refuse checkpoints of different logs, and forks."""
    if not ordered:
        raise ProofError("checkpoints must be at least one")
    for earlier, later in pairwise(ordered):
        if earlier.origin != later.origin:
            raise ProofError(f"checkpoints must be of one log, got {earlier.origin} and {later.origin}")
        if earlier.size == later.size and earlier.root != later.root:
            raise ProofError(f"the log has forked: two signed checkpoints of size {later.size} have different roots")


def _trusted_hashes(leaf_hashes: Sequence[bytes] | None, ordered: Sequence[Checkpoint]) -> Sequence[bytes]:
    """Return the leaf hashes up to the greatest checkpoint that they lead to; none if there is none."""
    for checkpoint in reversed(ordered) if leaf_hashes else ():
        assert leaf_hashes is not None
        if len(leaf_hashes) >= checkpoint.size and root(leaf_hashes[: checkpoint.size]) == checkpoint.root:
            return leaf_hashes[: checkpoint.size]
    return ()
