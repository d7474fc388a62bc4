"""The house's own generator: faces that follow from a secret seed of the house, a seed of the player and a count.

The house publishes the commitment of its seed before the player names his own; when the seed is revealed, anyone can
compute every face again (`house/verify_fair.py`). Neither side can choose faces: the player does not know the house's
seed, and the house fixed it before it knew the player's.
"""

import hashlib
import hmac
from collections.abc import Iterator
from itertools import count, islice

SEED_BYTES = 32
"""Length of a seed of the house."""

COMMITMENT_DOMAIN = b"floorman seed commitment 1\n"
"""What is hashed before the seed: no outcome is made by the same function of the same bytes."""

_SIDES = 6
_USED = 256 - 256 % _SIDES
"""Bytes from here on are passed over: 252 is the greatest multiple of 6 in a byte, so each face has 42 bytes."""


def commitment(seed: bytes) -> str:
    """Return the promise of a seed of the house, published before it is used: SHA-256 in hex.

    Examples
    --------
    >>> commitment(bytes(32))
    '7ad320ec17aff14ddc3f445a5ca4e754c705c79ddff62a226142c13c3c2671a1'
    """
    assert len(seed) == SEED_BYTES, "a seed of the house is 32 bytes"
    return hashlib.sha256(COMMITMENT_DOMAIN + seed).hexdigest()


def face_of(byte: int) -> int | None:
    """Return the face that a byte of the stream shows; None for one that is passed over.

    >>> [face_of(byte) for byte in (0, 5, 6, 251, 252, 255)]
    [1, 6, 1, 6, None, None]
    """
    return byte % _SIDES + 1 if byte < _USED else None


def faces(seed: bytes, client: str, nonce: int, number: int) -> tuple[int, ...]:
    """Return the faces of one throw of the generator.

    The bytes are those of HMAC-SHA256 under the seed, of `client:nonce:0`, then `client:nonce:1` and so on.

    Parameters
    ----------
    seed
        32 bytes, the secret of the house.
    client
        The player's seed.
    nonce
        Which throw under this seed of the house, from 0; never used twice.
    number
        Dice of the throw.

    Examples
    --------
    >>> faces(bytes(32), "client", 0, 10)
    (4, 6, 2, 1, 5, 1, 2, 3, 1, 5)
    >>> faces(bytes(range(32)), "alice", 1, 10)
    (6, 5, 5, 1, 6, 3, 4, 4, 2, 2)
    """
    shown = (face_of(byte) for byte in _bytes(seed, f"{client}:{nonce}:"))
    return tuple(islice((face for face in shown if face is not None), number))


def _bytes(seed: bytes, message: str) -> Iterator[int]:
    for cursor in count():
        yield from hmac.digest(seed, f"{message}{cursor}".encode(), "sha256")
