"""Stiff sheets: every table's rack over a gaming day or a shift, and the pit's total."""

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from sqlalchemy import Connection

from house.domain.refusals import Refusal, Refused
from house.domain.shift import Period, Sheet
from house.service.desk import House
from house.service.play import known_table
from house.service.proofs import Made, made_at
from house.service.shifts import period_of_shift
from house.store import sheets as store

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """A table's stiff sheet, or the total; minor units.

    Parameters
    ----------
    drop_minor, markers_minor
        Bought in at the table; the part of it that was on markers.
    win_minor
        Closer, credits and drop less opener and fills.
    hold
        Win over drop; None where nothing was dropped.
    variance_minor
        What counts of the drop box found over its slips, below 0 what was short; no part of the win.
    counted_minor
        What two people counted in the rack at the end of the shift; None where nobody did.
    """

    table: str
    opener_minor: int
    fills_minor: int
    credits_minor: int
    drop_minor: int
    markers_minor: int
    closer_minor: int
    win_minor: int
    hold: Fraction | None
    variance_minor: int
    counted_minor: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StiffSheet:
    """The stiff sheets of a period, the pit's total, and the history at which they were made."""

    period: str
    lines: tuple[SheetLine, ...]
    total: SheetLine
    made: Made


def sheet_of_day(house: House, gaming_day: str, table: str | None = None) -> StiffSheet:
    """Make the sheet of a gaming day, YYYY-MM-DD, of one table or of all. Refused: BAD_VALUE, NOT_FOUND (table)."""
    house.sign()
    with house.read() as connection:
        return _sheet(house, connection, store.day(connection, check_day(gaming_day)), {}, table)


def sheet_of_shift(house: House, number: int, table: str | None = None) -> StiffSheet:
    """Make the sheet of a shift; the number after the last is the one in progress. Refused: NOT_FOUND."""
    house.sign()
    with house.read() as connection:
        period = period_of_shift(connection, number)
        return _sheet(house, connection, period, store.counts(connection, number), table)


def check_day(text: str) -> str:
    """Check a gaming day. Refused: BAD_VALUE."""
    try:
        if _DAY.fullmatch(text) is None:
            raise ValueError
        return date.fromisoformat(text).isoformat()
    except ValueError:
        limit = "a day as YYYY-MM-DD"
        raise Refused(Refusal.BAD_VALUE, f"gaming_day must be {limit}", "gaming_day", limit=limit) from None


def check_days(first: str, last: str) -> tuple[str, str]:
    """Check a range of gaming days, both in it. Refused: BAD_VALUE."""
    days = check_day(first), check_day(last)
    if days[1] < days[0]:
        raise Refused(Refusal.BAD_VALUE, "the last day lies before the first", "last", last, f"{first} or later")
    return days


def _sheet(
    house: House, connection: Connection, period: Period, counts: dict[str, tuple[int, int]], table: str | None
) -> StiffSheet:
    names = store.tables(connection, period) if table is None else (known_table(connection, table).id,)
    found = {name: store.of_table(connection, name, period) for name in names}
    sheets = {name: sheet for name, sheet in found.items() if sheet is not None}
    odd = store.variances(connection, period)
    lines = tuple(_line(name, one, odd.get(name, 0), counts.get(name)) for name, one in sheets.items())
    total = _line("total", sum(sheets.values(), Sheet()), sum(line.variance_minor for line in lines), None)
    return StiffSheet(period=period.name, lines=lines, total=total, made=made_at(house, connection))


def _line(name: str, sheet: Sheet, variance: int, counted: tuple[int, int] | None) -> SheetLine:
    return SheetLine(
        table=name,
        opener_minor=sheet.opener_minor,
        fills_minor=sheet.fills_minor,
        credits_minor=sheet.credits_minor,
        drop_minor=sheet.drop_minor,
        markers_minor=sheet.markers_minor,
        closer_minor=sheet.closer_minor,
        win_minor=sheet.win_minor,
        hold=sheet.hold,
        variance_minor=variance,
        counted_minor=None if counted is None else counted[0],
    )
