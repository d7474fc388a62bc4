"""Identifiers as distinct types, all opaque text; and the form that new ones have."""

import re
import unicodedata
from typing import NewType

from house.domain.refusals import Refusal, Refused

TableId = NewType("TableId", str)
PlayerId = NewType("PlayerId", str)
WagerId = NewType("WagerId", str)
RoundId = NewType("RoundId", str)
DieSerial = NewType("DieSerial", str)
BoxSerial = NewType("BoxSerial", str)

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*", re.ASCII)
_NAME_BYTES = 200
_UNSEEN = ("Cc", "Cf", "Cn", "Co", "Cs")


def is_id(text: object, longest: int = 64) -> bool:
    """Tell whether something has the form of an id.

    >>> is_id("craps-1"), is_id("a b"), is_id("x" * 65), is_id(None)
    (True, False, False, False)
    """
    return isinstance(text, str) and len(text) <= longest and _ID.fullmatch(text) is not None


def check_id(text: str, field: str, longest: int = 64) -> str:
    """Check an id that is to be new in the house.

    Parameters
    ----------
    longest
        Greatest number of characters.

    Raises
    ------
    Refused
        BAD_VALUE, naming the field.

    Examples
    --------
    >>> check_id("craps-1", "table")
    'craps-1'
    """
    if not is_id(text, longest):
        limit = f"1 to {longest} letters, digits, dots, hyphens and underscores, the first a letter or digit"
        raise Refused(Refusal.BAD_VALUE, f"{field} must be {limit}", field=field, limit=limit)
    return text


def check_name(text: str) -> str:
    """Check a person's name and bring it to NFKC.

    Raises
    ------
    Refused
        BAD_VALUE: empty, longer than 200 bytes of UTF-8, or with characters that cannot be seen.
    """
    name = unicodedata.normalize("NFKC", text).strip()
    unseen = any(unicodedata.category(character) in _UNSEEN for character in name)
    if not name or unseen or len(name.encode()) > _NAME_BYTES:
        limit = f"1 to {_NAME_BYTES} bytes of characters that can be seen"
        raise Refused(Refusal.BAD_VALUE, f"name must be {limit}", field="name", limit=limit)
    return name


def check_text(text: str, field: str, most: int) -> str:
    """Check what somebody wrote for others to read, in one line or several.

    Raises
    ------
    Refused
        BAD_VALUE: blank, longer than `most` characters, or with some that cannot be seen or turn the line around.

    Examples
    --------
    >>> check_text("swings at one diagonal", "seen", 200)
    'swings at one diagonal'
    """
    unseen = any(unicodedata.category(one) in _UNSEEN for one in text if one not in "\r\n\t")
    if not 1 <= len(text.strip()) <= most or unseen:
        limit = f"1 to {most} characters that can be seen"
        raise Refused(Refusal.BAD_VALUE, f"{field} must be {limit}", field, limit=limit)
    return text
