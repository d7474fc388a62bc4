"""What a cell of a log may say: faces in digits and glyphs, states in words, numbers, times. Nothing is guessed."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from integrity.errors import LaboratoryError
from integrity.observations import FACES, STATES, State

_DIGIT_BLOCKS: Final = (ord("0"), 0xFF10, 0x0660, 0x06F0)
"""Zeros of the digits taken by value: ASCII, full-width, Arabic-Indic, extended Arabic-Indic."""
DIGITS: Final[Mapping[str, int]] = {chr(zero + digit): digit for zero in _DIGIT_BLOCKS for digit in range(10)}
GLYPHS: Final[Mapping[str, int]] = {chr(0x2680 + pip): pip + 1 for pip in range(FACES)}
"""Die faces U+2680 to U+2685; a variation selector may follow."""

WORDS: Final[Mapping[str, State]] = {
    **{name: State(code) for code, name in enumerate(STATES)},
    "c": State.COCKED,
    "-": State.VOID,
    "no roll": State.VOID,
    "no throw": State.VOID,
    "ghost": State.VOID,
    "still": State.OK,
}
"""State words; without regard to case."""


class TokenError(LaboratoryError):
    """A cell that says nothing a log may say; the message says what it must be."""


def face_of(token: str, base: int = 1) -> int:
    """Read a face, 1..6; with `base` 0 the file counts its faces 0..5.

    >>> face_of("6"), face_of("\\u2685\\ufe0f"), face_of("\\uff16"), face_of("\\u0666"), face_of("0", base=0)
    (6, 6, 6, 6, 1)
    """
    text = token.strip()
    glyph = GLYPHS.get(text.removesuffix("\ufe0f"))
    if glyph is not None and base == 1:
        return glyph
    digit = DIGITS.get(text)
    if digit is not None and base <= digit < base + FACES:
        return digit - base + 1
    if text == "0":
        raise TokenError("face must be 1 to 6, got 0 (declare base=0 if the file counts 0 to 5)")
    raise TokenError(f"face must be {base} to {base + FACES - 1}, got {token!r}")


def face_or_state(token: str, base: int = 1) -> tuple[int, State]:
    """Read a cell that holds a face, or in its place the word that says why there is none.

    >>> face_or_state("5"), face_or_state("cocked")
    ((5, <State.OK: 0>), (0, <State.COCKED: 1>))
    """
    state = WORDS.get(token.strip().lower())
    if state is not None and state is not State.OK:
        return 0, state
    return face_of(token, base), State.OK


def state_of(token: str) -> State:
    """Read a state word."""
    state = WORDS.get(token.strip().lower())
    if state is None:
        raise TokenError(f"state must be one of {', '.join(STATES)}, got {token!r}")
    return state


def number_of(token: str, name: str, low: int, high: int) -> int:
    """Read a whole number in ASCII digits within bounds."""
    text = token.strip()
    if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20 and low <= int(text) <= high:
        return int(text)
    raise TokenError(f"{name} must be a whole number from {low} to {high}, got {token!r}")


def time_of(token: str, zone: ZoneInfo | None = None) -> int | None:
    """Read an ISO 8601 time as microseconds since 1970 in UTC; None if it names no zone and none is declared."""
    try:
        moment = datetime.fromisoformat(token.strip())
    except ValueError:
        raise TokenError(f"at must be a time like 2026-01-31T21:15:00Z, got {token!r}") from None
    if moment.tzinfo is None:
        if zone is None:
            return None
        moment = moment.replace(tzinfo=zone)
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds
