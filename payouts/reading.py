"""Read a configuration file so that every fault is reported at once.

A `Section` wraps one table of a parsed TOML file. Each of its methods takes a key, says what is allowed there and
returns the value in our types; a fault is noted and a harmless stand-in returned, so that reading goes on. `finish` on
the outermost section then raises all faults together, unknown keys among them: nothing half-read leaves a reader.

A key without a default is required. For a key that may be absent, ask `has` first.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from payouts.currency import MAX_MINOR, money_minor
from payouts.errors import Fault, OddsError, ScheduleError
from payouts.odds import Odds

ChoiceT = TypeVar("ChoiceT", bound=StrEnum)

_PERCENTAGE = re.compile(r"(-?)([0-9]{1,6})(?:\.([0-9]{1,12}))? ?%", re.ASCII)
_FRACTION = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9})|/([1-9][0-9]{0,8}))?", re.ASCII)
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Percentage:
    """A percentage as printed, with the digits that were printed after the point.

    Parameters
    ----------
    value
        The share, 1 for 100 %.
    decimals
        Digits after the point of the percentage.
    """

    value: Fraction
    decimals: int

    @classmethod
    def parse(cls, text: object) -> "Percentage | None":
        """Read "1.41 %"; None if it is no percentage.

        >>> Percentage.parse("1.41 %")
        Percentage(value=Fraction(141, 10000), decimals=2)
        """
        match = _PERCENTAGE.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            return None
        decimals = match[3] or ""
        return cls(Fraction(int(match[1] + match[2] + decimals), 100 * 10 ** len(decimals)), len(decimals))

    def holds(self, exact: Fraction) -> bool:
        """Tell whether the exact share rounds half up to the printed digits.

        >>> Percentage.parse("1.41 %").holds(Fraction(7, 495)), Percentage.parse("1.4 %").holds(Fraction(145, 10000))
        (True, False)
        """
        return Percentage.of(exact, self.decimals).value == self.value

    @classmethod
    def of(cls, exact: Fraction, decimals: int) -> "Percentage":
        """Round an exact share half up to so many digits of its percentage."""
        scale = 100 * 10**decimals
        return cls(Fraction((exact * scale + Fraction(1, 2)) // 1, scale), decimals)

    def __str__(self) -> str:
        scaled = int(self.value * 100 * 10**self.decimals)
        digits = str(abs(scaled)).rjust(self.decimals + 1, "0")
        whole, rest = digits[: len(digits) - self.decimals], digits[len(digits) - self.decimals :]
        return f"{'-' if scaled < 0 else ''}{whole}{'.' + rest if rest else ''} %"


class Section:
    """One table of a configuration file.

    Parameters
    ----------
    table
        The parsed table.
    file
        Name of the file, as shown in faults.
    path
        Dotted key of this table in the file, "" for the whole file.
    """

    def __init__(self, table: Mapping[str, object], file: str, path: str = "") -> None:
        self._table = table
        self._asked: set[str] = set()
        self._known: set[str] = set()
        self._children: list[Section] = []
        self._faults: list[Fault] = []
        self.file = file
        self.path = path

    def has(self, key: str) -> bool:
        """Tell whether the key is there; a key that is only asked for is not yet taken."""
        self._known.add(key)
        return key in self._table

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of this table, in the order of the file."""
        return tuple(self._table)

    def raw(self, key: str) -> object:
        """Take a value as TOML has it, None if absent; the caller checks it and reports with `fault`."""
        self._asked.add(key)
        self._known.add(key)
        return self._table.get(key)

    def fault(self, key: str, bound: str, value: object = None) -> None:
        """Note that the value at `key` is not what it must be."""
        shown = self._shown(key) if value is None else str(value)
        self._faults.append(Fault(self.file, self.dotted(key), shown, bound))

    def dotted(self, key: str) -> str:
        """Name a key of this table within the whole file."""
        return ".".join(part for part in (self.path, key) if part)

    def _shown(self, key: str) -> str:
        if key not in self._table:
            return "nothing"
        try:
            text = repr(self._table[key])
        except ValueError:  # integers of thousands of digits are not written
            return "a number of thousands of digits"
        return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 3] + "..."

    def text(self, key: str, default: str | None = None, pattern: str = ".{1,200}", bound: str = "") -> str:
        """Read text that matches a pattern as a whole; `bound` says the pattern in words."""
        if default is not None and not self.has(key):
            return default
        value = self.raw(key)
        if not isinstance(value, str) or re.fullmatch(pattern, value, re.ASCII | re.DOTALL) is None:
            self.fault(key, bound or "text of 1 to 200 characters")
            return default or ""
        return value

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Read an integer within [low, high]."""
        if default is not None and not self.has(key):
            return default
        value = self.raw(key)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fault(key, f"an integer from {low} to {high}")
            return low
        return value

    def boolean(self, key: str, default: bool | None = None) -> bool:
        """Read true or false."""
        if default is not None and not self.has(key):
            return default
        value = self.raw(key)
        if not isinstance(value, bool):
            self.fault(key, "true or false")
            return False
        return value

    def money(self, key: str, decimals: int, low: int = 1, high: int = MAX_MINOR, default: int | None = None) -> int:
        """Read a money string ("0.25") into minor units within [low, high]; `decimals` are the currency's."""
        if default is not None and not self.has(key):
            return default
        value = money_minor(self.raw(key), decimals)
        if value is None or not low <= value <= high:
            digits = f"with at most {decimals} decimals" if decimals else "without decimals"
            self.fault(key, f"money as a string of digits {digits}, from {low} to {high} minor units")
            return max(low, 1)
        return value

    def fraction(self, key: str, low: Fraction, high: Fraction, default: Fraction | None = None) -> Fraction:
        """Read a decimal or a fraction in a string ("0.05", "1/20") within [low, high]."""
        if default is not None and not self.has(key):
            return default
        raw = self.raw(key)
        match = _FRACTION.fullmatch(raw) if isinstance(raw, str) else None
        value = Fraction(match[0]) if match is not None else None
        if value is None or not low <= value <= high:
            self.fault(key, f'a decimal or fraction in a string ("0.05", "1/20") from {low} to {high}')
            return high
        return value

    def percentage(self, key: str) -> Percentage | None:
        """Read a percentage with its sign ("1.41 %"); None if it is none."""
        value = Percentage.parse(self.raw(key))
        if value is None:
            self.fault(key, 'a percentage like "1.41 %"')
        return value

    def odds(self, key: str) -> Odds:
        """Read odds: "9 to 5", "8 for 1" or "tie"."""
        try:
            return Odds.parse(self.raw(key))
        except OddsError:
            self.fault(key, 'odds like "9 to 5" or "8 for 1" (never less than 1 for 1), or "tie"')
            return Odds(1, 1)

    def choice(self, key: str, words: type[ChoiceT], default: ChoiceT | None = None) -> ChoiceT:
        """Read one of the words of an enumeration."""
        if default is not None and not self.has(key):
            return default
        value = self.raw(key)
        if not isinstance(value, str) or value not in [word.value for word in words]:
            self.fault(key, "one of " + ", ".join(f'"{word.value}"' for word in words))
            return next(iter(words))
        return words(value)

    def day(self, key: str) -> date:
        """Read a day: a TOML date or a string "2026-11-29"."""
        value = self.raw(key)
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        try:
            return date.fromisoformat(str(value))
        except ValueError:
            self.fault(key, "a day like 2026-11-29")
            return date.min

    def section(self, key: str, required: bool = False) -> "Section":
        """Read a table within this one; an absent table is read as an empty one unless it is required."""
        value = self.raw(key)
        if (value is not None or required) and not isinstance(value, dict):
            self.fault(key, "a table")
        return self._child(value if isinstance(value, dict) else {}, key)

    def sections(self, key: str) -> tuple["Section", ...]:
        """Read an array of tables; an absent one is read as empty."""
        value = self.raw(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.fault(key, "an array of tables")
            return ()
        return tuple(self._child(each, f"{key}[{index}]") for index, each in enumerate(value))

    def _child(self, table: Mapping[str, object], key: str) -> "Section":
        child = Section(table, self.file, self.dotted(key))
        self._children.append(child)
        return child

    def faults(self) -> tuple[Fault, ...]:
        """Everything at fault so far, unknown keys of this table and those within it included."""
        unknown = (
            Fault(self.file, self.dotted(key), self._shown(key), self._known_keys())
            for key in self._table
            if key not in self._asked
        )
        within = (fault for child in self._children for fault in child.faults())
        return (*self._faults, *unknown, *within)

    def _known_keys(self) -> str:
        known = ", ".join(sorted(self._known))
        return f"a known key ({known})" if known else "absent: no key is known here"

    def finish(self) -> None:
        """Raise every fault of this table and of those within it.

        Raises
        ------
        ScheduleError
            If there is any fault; `faults` lists all of them.
        """
        refuse(self.faults())

    def finish_here(self) -> None:
        """Raise what was noted in this table so far, where what else may stand in it is not known.

        Raises
        ------
        ScheduleError
            If there is any fault.
        """
        refuse(self._faults)


def refuse(faults: Iterable[Fault]) -> None:
    """Raise the faults together, each once, if there are any."""
    distinct = tuple(dict.fromkeys(faults))
    if distinct:
        raise ScheduleError(distinct)


def read_toml(text: str, file: str) -> Section:
    """Parse the text of a TOML file.

    Raises
    ------
    ScheduleError
        If the text is no TOML.
    """
    try:
        return Section(tomllib.loads(text), file)
    except ValueError as error:
        raise ScheduleError((Fault(file, "", str(error), "a TOML file"),)) from None
    except RecursionError:
        raise ScheduleError((Fault(file, "", "tables nested too deeply", "a TOML file"),)) from None


def read_file(path: Path) -> str:
    """Read the text of a configuration file.

    Raises
    ------
    ScheduleError
        If there is no such file, or it is not UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ScheduleError((Fault(str(path), "", f"a byte at {error.start}", "UTF-8 text"),)) from None
    except OSError as error:
        raise ScheduleError((Fault(str(path), "", error.strerror or str(error), "a readable file"),)) from None
    except ValueError as error:  # a path with a null character
        raise ScheduleError((Fault(repr(str(path)), "", str(error), "a readable file"),)) from None
