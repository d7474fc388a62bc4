"""Signed notes of C2SP with Ed25519, and the checkpoint of a log that they carry (tlog-checkpoint).

A checkpoint is a text of three lines or more: the log's name, its size, its root in base64, and extensions. A note is a
text, an empty line, and signature lines. Keys are written as texts, so that they fit on a line of a report:
`name+hash+key`, the private one with `PRIVATE+KEY+` before.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from integrity.errors import ProofError

ED25519: Final = b"\x01"
_NAME: Final = re.compile(r"[^\s+]+")
_SIGNATURE_LINE: Final = re.compile(r"— ([^\s+]+) ([A-Za-z0-9+/]+={0,2})")
_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
LONGEST_NOTE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that checks signatures: `name+hash+base64`."""

    name: str
    raw: bytes

    @property
    def hash(self) -> bytes:
        """Give the four bytes that name the key in a signature line."""
        return key_hash(self.name, self.raw)

    def __str__(self) -> str:
        return f"{self.name}+{self.hash.hex()}+{base64.b64encode(ED25519 + self.raw).decode()}"


@dataclass(frozen=True, slots=True, repr=False)
class PrivateKey:
    """A key that signs: `PRIVATE+KEY+name+hash+base64`. Its repr shows the public key only."""

    name: str
    seed: bytes

    @property
    def public(self) -> PublicKey:
        """Give the public key."""
        return PublicKey(self.name, Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw())

    def __str__(self) -> str:
        encoded = base64.b64encode(ED25519 + self.seed).decode()
        return f"PRIVATE+KEY+{self.name}+{self.public.hash.hex()}+{encoded}"

    def __repr__(self) -> str:
        return f"PrivateKey({self.public})"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log commits to: its name, size, root hash (32 bytes), and extension lines."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        lines = (self.origin, *self.extensions)
        if any(not line or any(ord(c) < 32 or c == "\x7f" for c in line) for line in lines):
            raise ProofError("origin and extensions must be lines of text, not empty")
        if self.size < 0 or len(self.root) != 32:
            raise ProofError(f"size must be at least 0 and root 32 bytes, got {self.size} and {len(self.root)} bytes")

    @property
    def text(self) -> str:
        """Give the signed text."""
        lines = (self.origin, str(self.size), base64.b64encode(self.root).decode(), *self.extensions)
        return "\n".join(lines) + "\n"


def key_hash(name: str, raw: bytes) -> bytes:
    """Return the first four bytes of SHA-256 of name, newline, algorithm and public key."""
    return sha256(name.encode() + b"\n" + ED25519 + raw).digest()[:4]


def private_key(name: str, seed: bytes) -> PrivateKey:
    """Make a key from 32 secret random bytes, which the caller draws."""
    if not _NAME.fullmatch(name) or len(seed) != 32:
        raise ProofError("name must be a text without spaces or +, seed 32 bytes")
    return PrivateKey(name, seed)


def read_private_key(text: str) -> PrivateKey:
    """Read `PRIVATE+KEY+name+hash+base64`; the message of a refusal never shows it."""
    if not text.startswith("PRIVATE+KEY+"):
        raise ProofError("private key must begin with PRIVATE+KEY+")
    name, named, seed = _key_parts(text.removeprefix("PRIVATE+KEY+").strip())
    key = PrivateKey(name, seed)
    if key.public.hash != named:
        raise ProofError(f"private key of {name} must carry its own hash")
    return key


def read_public_key(text: str) -> PublicKey:
    """Read `name+hash+base64`."""
    name, named, raw = _key_parts(text.strip())
    key = PublicKey(name, raw)
    if key.hash != named:
        raise ProofError(f"public key of {name} must carry its own hash")
    return key


def _key_parts(text: str) -> tuple[str, bytes, bytes]:
    name, _, rest = text.partition("+")
    named, _, encoded = rest.partition("+")
    raw = _decoded(encoded)
    if not _NAME.fullmatch(name) or not re.fullmatch("[0-9a-f]{8}", named) or len(raw) != 33 or raw[:1] != ED25519:
        raise ProofError("key must be name+hash+base64 of an Ed25519 key")
    return name, bytes.fromhex(named), raw[1:]


def _decoded(text: str) -> bytes:
    """Decode base64 of one spelling only."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return raw if base64.b64encode(raw).decode() == text else b""


def sign(text: str, keys: Sequence[PrivateKey]) -> str:
    """Return the note of a text with one signature line a key; a second key may be a witness's."""
    if not text.endswith("\n") or any(ord(c) < 32 and c != "\n" for c in text):
        raise ProofError("text of a note must end with a newline and have no control characters")
    lines = []
    for key in keys:
        signature = Ed25519PrivateKey.from_private_bytes(key.seed).sign(text.encode())
        lines.append(f"— {key.name} {base64.b64encode(key.public.hash + signature).decode()}\n")
    return text + "\n" + "".join(lines)


def open_note(note: str, keys: Iterable[PublicKey]) -> tuple[str, tuple[str, ...]]:
    """Return the text of a note and the names of the keys that signed it.

    Raises
    ------
    ProofError
        A malformed note, a signature of a known key that does not hold, or no signature of a known key.
    """
    known = {(key.name, key.hash): key for key in keys}
    if len(note) > LONGEST_NOTE or not note.endswith("\n"):
        raise ProofError("note must end with a newline and be shorter than a million characters")
    text, gap, signatures = note.rpartition("\n\n")
    if not gap or not signatures or any(ord(c) < 32 and c != "\n" for c in note):
        raise ProofError("note must be a text, an empty line and signatures")
    text += "\n"
    signers = []
    for line in signatures.removesuffix("\n").split("\n"):
        match = _SIGNATURE_LINE.fullmatch(line)
        raw = _decoded(match[2]) if match else b""
        if match is None or len(raw) < 5:
            raise ProofError(f"signature line must be '— name base64', got {line[:80]!r}")
        key = known.get((match[1], raw[:4]))
        if key is None:
            continue
        try:
            Ed25519PublicKey.from_public_bytes(key.raw).verify(raw[4:], text.encode())
        except (InvalidSignature, ValueError) as error:
            raise ProofError(f"signature of {key.name} does not hold") from error
        signers.append(key.name)
    if not signers:
        raise ProofError("note must be signed by a known key")
    return text, tuple(signers)


def sign_checkpoint(checkpoint: Checkpoint, keys: Sequence[PrivateKey]) -> str:
    """Return the signed note of a checkpoint."""
    return sign(checkpoint.text, keys)


def open_checkpoint(note: str, keys: Iterable[PublicKey], origin: str | None = None) -> Checkpoint:
    """Return the checkpoint of a note signed by a known key; `origin`, if given, must be its name."""
    text, _ = open_note(note, keys)
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < 3 or not _SIZE.fullmatch(lines[1]):
        raise ProofError("checkpoint must have a name, a size and a root")
    checkpoint = Checkpoint(lines[0], int(lines[1]), _decoded(lines[2]), tuple(lines[3:]))
    if origin is not None and checkpoint.origin != origin:
        raise ProofError(f"checkpoint must be of {origin}, got {checkpoint.origin}")
    return checkpoint
