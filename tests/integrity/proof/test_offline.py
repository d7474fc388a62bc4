"""Histories against checkpoints: every tampering is found and the first bad record named."""

import numpy as np
import pytest

from integrity.errors import ProofError
from integrity.proof.notes import Checkpoint
from integrity.proof.offline import check_history
from integrity.proof.records import canonical
from integrity.proof.tree import EMPTY_ROOT, leaf_hash, root

RECORDS = [canonical({"index": i, "faces": [i % 6 + 1, i * 7 % 6 + 1]}) for i in range(100)]
HASHES = [leaf_hash(record) for record in RECORDS]


def checkpoint(size: int, records: list[bytes] = RECORDS) -> Checkpoint:
    """Commit to the first records."""
    return Checkpoint("house", size, root([leaf_hash(record) for record in records[:size]]))


CHECKPOINTS = [checkpoint(size) for size in (30, 64, 90)]


def test_an_honest_history_holds() -> None:
    for hashes in (None, HASHES):
        check = check_history(iter(RECORDS[:90]), CHECKPOINTS, hashes)
        assert (check.holds, check.proved, check.unproved, check.first_bad) == (True, 90, 0, None)
    assert check_history([], [Checkpoint("house", 0, EMPTY_ROOT)]).holds


def test_records_after_the_last_checkpoint_do_not_hold_and_the_first_of_them_is_named() -> None:
    """Else a history could be cut anywhere, with the checkpoints behind the cut."""
    for hashes in (None, HASHES):
        check = check_history(iter(RECORDS), CHECKPOINTS, hashes)
        assert (check.holds, check.proved, check.unproved) == (False, 90, 10)
        assert (check.first_bad, check.located) == (90, True)
        assert check.reason == "10 records from 90 to 99 follow the last signed checkpoint: nothing vouches for them"


@pytest.mark.parametrize("kind", ["edit", "delete", "insert", "swap", "double"])
def test_every_tampering_is_found_and_the_first_bad_record_named(kind: str) -> None:
    rng = np.random.default_rng(74)
    for at in rng.integers(0, 89, size=60).tolist():
        changed = list(RECORDS)
        if kind == "edit":
            changed[at] = canonical({"index": at, "faces": [6, 6, 6]})
        elif kind == "delete":
            del changed[at]
        elif kind == "insert":
            changed.insert(at, canonical({"index": at, "extra": True}))
        elif kind == "swap":
            changed[at], changed[at + 1] = changed[at + 1], changed[at]
        else:
            changed.insert(at, changed[at])
        named = check_history(changed, CHECKPOINTS, HASHES)
        first = at + 1 if kind == "double" else at
        assert (named.holds, named.first_bad, named.located) == (False, first, True)
        # without the leaf hashes the stretch between checkpoints is named
        blind = check_history(changed, CHECKPOINTS)
        start = max(size for size in (0, 30, 64) if size <= first)
        assert (blind.holds, blind.first_bad) == (False, start)
        assert not blind.located


@pytest.mark.parametrize("length", [0, 1, 29, 30, 89])
def test_a_cut_tail_is_found(length: int) -> None:
    check = check_history(RECORDS[:length], CHECKPOINTS, HASHES)
    assert (check.holds, check.first_bad) == (False, length)
    assert "missing" in check.reason


def test_a_record_gone_from_the_last_stretch_is_located_by_the_hashes_alone() -> None:
    changed = [*RECORDS[:70], *RECORDS[71:90]]
    named, blind = check_history(changed, CHECKPOINTS, HASHES), check_history(changed, CHECKPOINTS)
    assert (named.holds, named.first_bad, named.located) == (False, 70, True)
    assert (blind.holds, blind.first_bad, blind.located) == (False, 64, False)


def test_a_record_spelt_otherwise_is_bad_even_beyond_the_last_checkpoint() -> None:
    changed = [*RECORDS[:95], RECORDS[95].replace(b":", b": ", 1), *RECORDS[96:]]
    check = check_history(changed, CHECKPOINTS)
    assert (check.holds, check.first_bad, check.located) == (False, 95, True)


def test_a_suffix_rewritten_with_its_own_hashes_is_found() -> None:
    forged = [*RECORDS[:50], *(canonical({"index": i, "faces": [6, 6]}) for i in range(50, 100))]
    check = check_history(forged, CHECKPOINTS, [leaf_hash(record) for record in forged])
    # the forged hashes lead to the checkpoint of 30 only, the next stretch holds the forgery
    assert (check.holds, check.proved, check.first_bad) == (False, 30, 30)


def test_a_fork_and_strangers_are_refused() -> None:
    with pytest.raises(ProofError, match="forked"):
        check_history(RECORDS, [checkpoint(64), Checkpoint("house", 64, bytes(32))])
    with pytest.raises(ProofError, match="one log"):
        check_history(RECORDS, [checkpoint(30), Checkpoint("other", 64, bytes(32))])
    with pytest.raises(ProofError, match="at least one"):
        check_history(RECORDS, [])


def test_an_older_database_does_not_reach_a_newer_checkpoint() -> None:
    # the database of size 64 put back: it agrees with every old checkpoint, and the latest one shows the loss
    check = check_history(RECORDS[:64], CHECKPOINTS)
    assert (check.holds, check.proved, check.first_bad) == (False, 64, 64)
