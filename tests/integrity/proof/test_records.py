"""The one encoding of a record."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrity.errors import ProofError
from integrity.proof.records import canonical, parse

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
records = st.dictionaries(texts, values, max_size=5)


def test_keys_are_ordered_by_their_utf16_code_units() -> None:
    # the example of RFC 8785 section 3.2.3
    record = {
        "\u20ac": "Euro Sign",
        "\r": "Carriage Return",
        "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One",
        "\U0001f600": "Emoji: Grinning Face",
        "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis",
    }
    order = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert list(json.loads(canonical(record))) == order


def test_texts_are_escaped_as_rfc_8785_says() -> None:
    # RFC 8785 section 3.2.2.2: short forms where they exist, \u00xx in lower case for other controls, all else as it is
    assert canonical({"a": '\u20ac$\x0f\nA\'B"\\"/\b\t\f\r\x7f\u2028'}) == (
        '{"a":"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/\\b\\t\\f\\r\x7f\u2028"}'.encode()
    )


@given(records)
def test_a_record_has_one_encoding_and_comes_back(record: dict[str, object]) -> None:
    encoded = canonical(record)
    assert parse(encoded) == record
    assert canonical(dict(reversed(record.items()))) == encoded


@pytest.mark.parametrize(
    "record",
    [
        {"a": 1.5},
        {"a": float("nan")},
        {"a": 2**53},
        {"a": -(2**53)},
        {"a": "\ud800"},
        {"\udc00": 1},
        {1: "a"},
        {"a": b"x"},
        [1],
    ],
)
def test_what_has_no_one_encoding_is_refused(record: object) -> None:
    with pytest.raises(ProofError):
        canonical(record)  # type: ignore[arg-type]


def test_records_may_not_be_bottomless() -> None:
    deep: dict[str, object] = {}
    for _ in range(40):
        deep = {"a": deep}
    with pytest.raises(ProofError, match="levels"):
        canonical(deep)


@pytest.mark.parametrize(
    "encoded",
    [
        b'{"a": 1}',
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a":1.0}',
        b'{"a":1e3}',
        b'{"a":-0}',
        b'{"a":01}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\ud800"}',
        b'{"a":NaN}',
        b"\xff",
        b"",
        b"[]",
        b'{"a":1}\n',
        b"[" * 100_000,
    ],
)
def test_any_other_spelling_is_refused(encoded: bytes) -> None:
    with pytest.raises(ProofError):
        parse(encoded)
