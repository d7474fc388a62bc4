"""Reading configuration: the grammar of values, and every fault of a file at once."""

from datetime import date
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

import pytest

from payouts.currency import money_minor, money_text
from payouts.errors import ScheduleError
from payouts.odds import Odds
from payouts.reading import Percentage, Section, read_file, read_toml


class Colour(StrEnum):
    RED = "red"
    GREEN = "green"


def section(text: str) -> Section:
    return read_toml(text, "f.toml")


@pytest.mark.parametrize(
    ("text", "decimals", "minor"),
    [("0.25", 2, 25), ("15", 2, 1500), ("15.5", 2, 1550), ("0", 2, 0), ("7", 0, 7), ("1.005", 3, 1005),
     ("90071992547409.91", 2, 2**53 - 1)],
)  # fmt: skip
def test_money_is_a_string_of_digits(text: str, decimals: int, minor: int) -> None:
    assert money_minor(text, decimals) == minor


@pytest.mark.parametrize(
    "value",
    ["0.255", "-1", "+1", "1,000", "1_000", "", " 1", "1 ", "1.", ".5", "1e3", "NaN", "Infinity", "٣", "0x10", "$5",
     1, 1.5, True, None, [], "90071992547409.92", "9" * 40],
)  # fmt: skip
def test_anything_else_is_not_money(value: object) -> None:
    assert money_minor(value, 2) is None


def test_a_currency_without_decimals_takes_none() -> None:
    assert money_minor("1.0", 0) is None
    assert money_text(1234, 0) == "1234"


@pytest.mark.parametrize("text", ["9 to 5", "8 for 1", "tie", "1 for 1"])
def test_odds_are_read_and_printed_alike(text: str) -> None:
    assert str(section(f'a = "{text}"').odds("a")) == text


@pytest.mark.parametrize(
    "value",
    ['"9-5"', '"9 to 0"', '"0 to 1"', '"1 for 2"', '"9  to 5"', '"9 to 5 "', '"-9 to 5"', '"9"', "9", "1.8", "true",
     '"9 TO 5"', '"push"', '"1.5 to 1"', '"9999999999 to 1"'],
)  # fmt: skip
def test_a_bare_number_and_other_text_are_no_odds(value: str) -> None:
    root = section(f"a = {value}")
    assert root.odds("a") == Odds(1, 1)
    (fault,) = root.faults()
    assert fault.bound.startswith('odds like "9 to 5" or "8 for 1"')


@pytest.mark.parametrize(
    ("printed", "exact", "holds"),
    [("1.41 %", Fraction(7, 495), True), ("1.4%", Fraction(7, 495), True), ("1 %", Fraction(7, 495), True),
     ("0.1 %", Fraction(5, 10_000), True), ("0.0 %", Fraction(4999, 10_000_000), True),
     ("-2.78 %", Fraction(-1, 36), True),
     ("2.5 %", Fraction(2450, 100_000), True), ("2.4 %", Fraction(2450, 100_000), False),
     ("-2.4 %", Fraction(-2450, 100_000), True), ("51.59 %", Fraction(51590138, 10**8), True)],
)  # fmt: skip
def test_a_percentage_holds_if_the_exact_share_rounds_half_up_to_it(printed: str, exact: Fraction, holds: bool) -> None:
    percentage = Percentage.parse(printed)
    assert percentage is not None
    assert percentage.holds(exact) is holds


@pytest.mark.parametrize("text", ["1.41", "1.41 % ", "% 1", "1,41 %", "1.41 percent", "+1 %", ".5 %"])
def test_anything_else_is_no_percentage(text: str) -> None:
    assert Percentage.parse(text) is None


@pytest.mark.parametrize("text", ["1.41 %", "0.05 %", "-2.78 %", "12 %", "0.0 %"])
def test_a_percentage_is_printed_as_it_was_read(text: str) -> None:
    assert str(Percentage.parse(text)) == text


def test_every_fault_of_a_file_is_raised_at_once_with_file_key_value_and_bound() -> None:
    root = section(
        'a = 5\nb = "x"\nc = "blue"\nd = "1.234"\nunknown = 1\n[e]\nf = "2/0"\nstray = []\n[[g]]\nh = true\n'
    )
    root.text("a")
    root.integer("b", 1, 9)
    root.choice("c", Colour)
    root.money("d", 2)
    root.section("e").fraction("f", Fraction(0), Fraction(1))
    for each in root.sections("g"):
        each.integer("h", 0, 1)
    root.boolean("missing")
    with pytest.raises(ScheduleError) as raised:
        root.finish()
    assert [(fault.key, fault.value) for fault in raised.value.faults] == [
        ("a", "5"), ("b", "'x'"), ("c", "'blue'"), ("d", "'1.234'"), ("missing", "nothing"), ("unknown", "1"),
        ("e.f", "'2/0'"), ("e.stray", "[]"), ("g[0].h", "True"),
    ]  # fmt: skip
    assert {fault.file for fault in raised.value.faults} == {"f.toml"}
    assert all(fault.bound for fault in raised.value.faults)
    assert str(raised.value).count("\n") == 8


def test_defaults_stand_in_only_for_absent_keys() -> None:
    root = section('there = "x"')
    assert root.integer("absent", 1, 9, default=3) == 3
    assert root.boolean("absent", default=True) is True
    assert root.choice("absent", Colour, Colour.GREEN) is Colour.GREEN
    assert root.money("absent", 2, default=7) == 7
    assert root.fraction("absent", Fraction(0), Fraction(1), default=Fraction(1, 2)) == Fraction(1, 2)
    assert root.text("absent", default="y") == "y"
    assert root.faults()[0].key == "there"
    root.integer("there", 1, 9, default=3)
    assert [fault.bound for fault in root.faults()] == ["an integer from 1 to 9"]


def test_true_is_no_integer_and_a_table_is_no_text() -> None:
    root = section("a = true\n[b]\n")
    root.integer("a", 0, 1)
    root.text("b")
    assert [fault.key for fault in root.faults()] == ["a", "b"]


@pytest.mark.parametrize("text", ["day = 2026-11-29", 'day = "2026-11-29"'])
def test_a_day_is_a_toml_date_or_text(text: str) -> None:
    assert section(text).day("day") == date(2026, 11, 29)


@pytest.mark.parametrize("value", ['"2026-13-01"', "2026-11-29T10:00:00", "11", '"soon"', "10:00:00"])
def test_anything_else_is_no_day(value: str) -> None:
    root = section(f"day = {value}")
    root.day("day")
    assert [fault.bound for fault in root.faults()] == ["a day like 2026-11-29"]


@pytest.mark.parametrize("text", ["a = ", "a = 1\na = 2", "[a", "a = " + "[" * 5000 + "]" * 5000])
def test_what_is_no_toml_is_one_fault(text: str) -> None:
    with pytest.raises(ScheduleError) as raised:
        section(text)
    assert raised.value.faults[0].bound == "a TOML file"


def test_numbers_of_thousands_of_digits_are_faults_like_any_other() -> None:
    with pytest.raises(ScheduleError):
        section("a = " + "1" * 5000)
    root = section("a = 0x" + "f" * 5000)
    root.integer("a", 0, 9)
    assert [fault.value for fault in root.faults()] == ["a number of thousands of digits"]


def test_a_file_that_is_missing_or_not_text_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(ScheduleError) as raised:
        read_file(tmp_path / "none.toml")
    assert raised.value.faults[0].bound == "a readable file"
    with pytest.raises(ScheduleError) as raised:
        read_file(Path("a\0b"))
    assert raised.value.faults[0].bound == "a readable file"
    (tmp_path / "latin.toml").write_bytes(b'notes = "caf\xe9"')
    with pytest.raises(ScheduleError) as raised:
        read_file(tmp_path / "latin.toml")
    assert raised.value.faults[0].bound == "UTF-8 text"


def test_an_unknown_key_is_shown_every_key_that_is_known_those_left_out_too() -> None:
    root = section("a = 1\nb = 2")
    root.integer("a", 0, 9)
    root.integer("c", 0, 9, default=3)
    assert not root.has("d")
    (fault,) = root.faults()
    assert (fault.key, fault.bound) == ("b", "a known key (a, c, d)")


def test_a_key_that_is_only_asked_for_is_not_taken() -> None:
    root = section("a = 1")
    assert root.has("a")
    assert [fault.key for fault in root.faults()] == ["a"]
