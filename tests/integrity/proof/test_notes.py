"""Signed notes: the vector of the Go reference implementation, and what is not accepted."""

import numpy as np
import pytest

from integrity.errors import ProofError
from integrity.proof.notes import (
    Checkpoint,
    open_checkpoint,
    open_note,
    private_key,
    read_private_key,
    read_public_key,
    sign,
    sign_checkpoint,
)
from integrity.proof.tree import EMPTY_ROOT

# golang.org/x/mod/sumdb/note, note_test.go
PRIVATE = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
SIGNATURE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
HOUSE = private_key("house.example/log", bytes(range(32)))
WITNESS = private_key("witness.example", bytes(range(1, 33)))
CHECKPOINT = Checkpoint("house.example/log", 7, bytes(range(32)), ("shift swing",))
NOTE = sign_checkpoint(CHECKPOINT, [HOUSE])


def test_keys_and_note_are_those_of_the_reference_byte_for_byte() -> None:
    key = read_private_key(PRIVATE)
    assert str(key) == PRIVATE
    assert str(key.public) == PUBLIC
    assert sign(TEXT, [key]) == TEXT + "\n" + SIGNATURE
    assert open_note(TEXT + "\n" + SIGNATURE, [read_public_key(PUBLIC)]) == (TEXT, ("PeterNeumann",))


def test_a_checkpoint_comes_back_from_its_note() -> None:
    assert open_checkpoint(NOTE, [HOUSE.public], "house.example/log") == CHECKPOINT
    assert NOTE.split("\n")[:4] == [
        "house.example/log",
        "7",
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
        "shift swing",
    ]


def test_a_witness_may_sign_too_and_unknown_signatures_are_passed_over() -> None:
    note = sign_checkpoint(CHECKPOINT, [HOUSE, WITNESS])
    assert open_note(note, [HOUSE.public, WITNESS.public])[1] == ("house.example/log", "witness.example")
    assert open_note(note, [WITNESS.public])[1] == ("witness.example",)
    with pytest.raises(ProofError, match="known key"):
        open_note(NOTE, [WITNESS.public])


def test_a_replaced_key_of_the_same_name_is_not_the_key() -> None:
    forged = sign_checkpoint(CHECKPOINT, [private_key("house.example/log", bytes(32))])
    with pytest.raises(ProofError, match="known key"):
        open_checkpoint(forged, [HOUSE.public])


def test_no_note_with_a_bit_changed_is_accepted() -> None:
    raw, rng, refused = NOTE.encode(), np.random.default_rng(73), 0
    for _ in range(1500):
        bit = int(rng.integers(len(raw) * 8))
        changed = bytes(byte ^ (1 << bit % 8 if i == bit // 8 else 0) for i, byte in enumerate(raw))
        try:
            open_checkpoint(changed.decode("utf-8", "surrogateescape"), [HOUSE.public])
        except ProofError:
            refused += 1
    assert refused == 1500


def test_no_public_key_with_a_character_changed_is_read() -> None:
    # as the reference implementation's own test: every piece, and every character moved by one
    for start in range(len(PUBLIC)):
        for end in (start + 1, len(PUBLIC) - 1, len(PUBLIC)):
            if (start, end) != (0, len(PUBLIC)):
                with pytest.raises(ProofError):
                    read_public_key(PUBLIC[start:end])
    for i, character in enumerate(PUBLIC):
        with pytest.raises(ProofError):
            read_public_key(PUBLIC[:i] + chr(ord(character) + 1) + PUBLIC[i + 1 :])


@pytest.mark.parametrize(
    "note",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n- house.example/log AAAA\n",
        NOTE.removesuffix("\n"),
        NOTE + "\n",
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("— ", "—  "),
        NOTE.replace("\n", "\r\n"),
        "x" * 1_000_001 + "\n",
    ],
)
def test_malformed_notes_are_refused(note: str) -> None:
    with pytest.raises(ProofError):
        open_note(note, [HOUSE.public])


@pytest.mark.parametrize("size", ["-1", "07", "7 ", "1e3", "", "99999999999999999999"])
def test_checkpoints_with_another_spelling_of_their_size_are_refused(size: str) -> None:
    lines = CHECKPOINT.text.split("\n")
    note = sign("\n".join([lines[0], size, *lines[2:]]), [HOUSE])
    with pytest.raises(ProofError):
        open_checkpoint(note, [HOUSE.public])


def test_a_checkpoint_of_another_log_is_refused() -> None:
    with pytest.raises(ProofError, match="must be of other"):
        open_checkpoint(NOTE, [HOUSE.public], "other")
    with pytest.raises(ProofError, match="root"):
        open_checkpoint(sign("house\n1\nAAAA\n", [HOUSE]), [HOUSE.public])


def test_secrets_are_not_shown() -> None:
    assert str(HOUSE).split("+")[-1] not in repr(HOUSE)
    with pytest.raises(ProofError) as refusal:
        read_private_key(PRIVATE[:-1])
    assert "AYEK" not in str(refusal.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda: private_key("two words", bytes(32)),
        lambda: private_key("a+b", bytes(32)),
        lambda: private_key("a", bytes(31)),
        lambda: Checkpoint("a\nb", 0, EMPTY_ROOT),
        lambda: Checkpoint("", 0, EMPTY_ROOT),
        lambda: Checkpoint("a", -1, EMPTY_ROOT),
        lambda: Checkpoint("a", 1, b""),
        lambda: Checkpoint("a", 1, EMPTY_ROOT, ("",)),
        lambda: sign("no newline", [HOUSE]),
    ],
)
def test_impossible_keys_and_checkpoints_are_refused(call: object) -> None:
    with pytest.raises(ProofError):
        call()  # type: ignore[operator]
