"""Signed tokens: short JSON web tokens under one secret of the house, in one algorithm that no token can choose.

The secret lies beside the key that signs the history, readable by its owner alone, and is made when the house opens for
the first time. Without it every token is void and no API key is known any less: those are in the database.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

import jwt

from house.domain.refusals import Refusal, Refused
from house.service import secret_files

ALGORITHM = "HS256"
ISSUER = "floorman"
SECRET_BYTES = 32
REQUIRED = ("iss", "aud", "sub", "iat", "exp", "jti")
LONGEST = 2048
"""Characters of the longest token that is read."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says.

    Parameters
    ----------
    person, generation
        Whose it is, and the generation of his tokens that it belongs to.
    id
        Its own id.
    expires_s
        When it ends, in seconds since 1970.
    more
        What only one kind of token says.
    """

    person: str
    generation: int
    id: str
    expires_s: int
    more: dict[str, Any]


def make(
    secret: bytes, audience: str, person: str, generation: int, *, now: datetime, life: timedelta, **more: Any
) -> tuple[str, datetime]:
    """Make a token; return it and when it ends, a whole second."""
    issued = int(now.timestamp())
    expires = issued + int(life.total_seconds())
    said = {
        **more,
        "iss": ISSUER,
        "aud": audience,
        "sub": person,
        "gen": generation,
        "iat": issued,
        "exp": expires,
        "jti": secrets.token_urlsafe(16),
    }
    return jwt.encode(said, secret, algorithm=ALGORITHM), datetime.fromtimestamp(expires, now.tzinfo)


def read(secret: bytes, audience: str, token: str, now: datetime | None) -> Claims:
    """Read a token for an audience; without a time, also one that ended.

    Raises
    ------
    Refused
        NOT_SIGNED_IN: forged, expired, for another audience, or no token at all.
    """
    try:
        claims = _signed(secret, audience, token)
    except (jwt.InvalidTokenError, ValueError, KeyError) as error:
        raise not_signed_in() from error
    if now is not None and now.timestamp() >= claims.expires_s:
        raise not_signed_in()
    return claims


@lru_cache(maxsize=4096)
def _signed(secret: bytes, audience: str, token: str) -> Claims:
    """Read what a token says if it is signed and whole; a token comes with many requests and says the same in each."""
    if len(token) > LONGEST:
        raise ValueError("too long")
    options: Any = {"require": list(REQUIRED), "verify_exp": False, "verify_iat": False}  # the house's clock is asked
    said = jwt.decode(token, secret, [ALGORITHM], options, audience=audience, issuer=ISSUER)
    person, generation, number, expires = (said.pop(name) for name in ("sub", "gen", "jti", "exp"))
    if type(expires) is not int or type(generation) is not int:
        raise ValueError("not as the house makes them")
    return Claims(person, generation, str(number), expires, said)


def not_signed_in() -> Refused:
    """Say that a credential is not good, whatever is wrong with it."""
    return Refused(Refusal.NOT_SIGNED_IN, "sign in: the token or key is missing, wrong, expired or ended")


def derive(secret: bytes, *parts: str) -> bytes:
    """Derive 32 bytes from the secret that nobody can foretell, the same for the same parts.

    >>> derive(bytes(32), "a", "bc") == derive(bytes(32), "ab", "c")
    False
    """
    message = b"".join(len(part.encode()).to_bytes(4) + part.encode() for part in parts)
    return hmac.digest(secret, b"floorman derived\n" + message, hashlib.sha256)


def open_secret(file: Path) -> bytes:
    """Read the secret of a house, or make one that its owner alone can read.

    Raises
    ------
    ValueError
        For a file that others may read, or that is not 32 bytes of chance in hex.
    """
    if not file.exists():
        secret_files.make(file, secrets.token_hex(SECRET_BYTES))
    return check_secret(secret_files.read(file), str(file))


def check_secret(text: str, where: str) -> bytes:
    """Check that a secret is 32 bytes in hex, and not words or a pattern.

    Bytes of chance repeat so much that fewer than 16 of 32 differ in less than one of 10 ** 10 secrets.

    Examples
    --------
    >>> check_secret("00" * 32, "file")
    Traceback (most recent call last):
        ...
    ValueError: file must hold 32 bytes of chance in hex
    """
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES or len(set(secret)) < SECRET_BYTES // 2 or secret.isascii():
        raise ValueError(f"{where} must hold {SECRET_BYTES} bytes of chance in hex")
    return secret
