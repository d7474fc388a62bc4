"""The one encoding of a record: JSON by RFC 8785, integers and texts only, so that equal records have equal bytes."""

import json
from typing import Final

from integrity.errors import ProofError

Value = str | int | bool | None | list["Value"] | dict[str, "Value"]

GREATEST: Final = 2**53 - 1
"""Integers beyond this are not the same in every reader of JSON."""
DEEPEST: Final = 32


def canonical(record: dict[str, Value]) -> bytes:
    """Return the bytes of a record: UTF-8, keys in order of their UTF-16 code units, no spaces.

    Raises
    ------
    ProofError
        Floating numbers, integers beyond 2^53 - 1, lone surrogates, keys that are no text, more than 32 levels.

    >>> canonical({"throw": 7, "faces": [3, 4], "box": None})
    b'{"box":null,"faces":[3,4],"throw":7}'
    """
    if not isinstance(record, dict):
        raise ProofError(f"record must be an object, got {type(record).__name__}")
    text = json.dumps(_ordered(record, "record", 1), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


def _ordered(value: Value, where: str, depth: int) -> Value:
    """Return `value` with the keys of every object in order, or refuse what has no one encoding."""
    if depth > DEEPEST:
        raise ProofError(f"{where} must have at most {DEEPEST} levels")
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise ProofError(f"keys of {where} must be texts, got {key!r}")
            _checked_text(key, where)
        keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return {key: _ordered(value[key], f"{where}.{key}", depth + 1) for key in keys}
    if isinstance(value, list | tuple):
        return [_ordered(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
    if isinstance(value, str):
        return _checked_text(value, where)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        if abs(value) > GREATEST:
            raise ProofError(f"{where} must be an integer within 2^53 - 1, got {value}")
        return int(value)
    raise ProofError(f"{where} must be a text, an integer, a boolean, null, a list or an object, got {value!r}")


def _checked_text(text: str, where: str) -> str:
    """Refuse lone surrogates, which UTF-8 cannot carry."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ProofError(f"{where} must be well-formed text, got a lone surrogate")
    return str(text)


def parse(encoded: bytes) -> dict[str, Value]:
    """Return the record of canonical bytes; anything that `canonical` would have written otherwise is refused."""
    try:
        record = json.loads(encoded.decode(), object_pairs_hook=_no_doubles, parse_float=_no_float)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ProofError(f"record must be canonical JSON, got {error}") from error
    if not isinstance(record, dict) or canonical(record) != encoded:
        raise ProofError("record must be canonical JSON, got another spelling")
    return record


def _no_doubles(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ProofError("record must not have a key twice")
    return found


def _no_float(text: str) -> Value:
    raise ProofError(f"record must not have floating numbers, got {text}")
