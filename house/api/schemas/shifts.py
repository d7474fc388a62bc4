"""Shifts, stiff sheets, theoretical win, the day's book, statements and the mispay audit over the wire."""

from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field, model_validator

from house.api.schemas.fields import GREATEST, Answered, Asked, Balance, Count, PlayerId, TableId, Total
from house.api.schemas.reports import Discrepancy
from house.service import shifts

Day = Annotated[str, Field(description="Gaming day", examples=["2026-07-01"])]


class RackCount(Asked):
    """What was counted in a rack."""

    table: TableId
    counted_minor: Annotated[int, Field(strict=True, ge=0, le=GREATEST, description="Counted", examples=[80000])]


class NewShiftEnd(Asked):
    """The end of a shift, with the racks that two people counted."""

    name: Annotated[str, Field(min_length=1, max_length=80, description="Name of the shift", examples=["swing"])]
    counts: Annotated[list[RackCount], Field(max_length=500, description="Racks counted", default_factory=list)]

    def command(self) -> shifts.EndShift:
        """The command that ends the shift."""
        counts = tuple(shifts.RackCount(table=one.table, counted_minor=one.counted_minor) for one in self.counts)
        return shifts.EndShift(name=self.name, counts=counts)


class Shift(Answered):
    """A shift that ended."""

    number: Count
    name: Annotated[str, Field(description="Name of the shift", examples=["swing"])]
    gaming_day: Day
    at_us: Count


class RackCounted(Answered):
    """A rack that was counted, beside what the books say."""

    table: TableId
    counted_minor: Count
    booked_minor: Balance
    difference_minor: Balance


class ShiftEnded(Answered):
    """A shift that ended now, and the racks counted."""

    shift: Shift
    counts: list[RackCounted]


class Made(Answered):
    """The history at which a report was made, and its last signature."""

    currency: Annotated[str, Field(description="ISO 4217 code of the amounts", examples=["USD"])]
    records: Count
    root: Annotated[str, Field(description="Root of the history as the report saw it, hex", examples=["9f86d081"])]
    note: Annotated[str | None, Field(description="Last signed checkpoint; null where the house signs none")]
    signed_records: Annotated[int | None, Field(description="Records that the note signs", examples=[120])]
    signed_root: Annotated[str | None, Field(description="Root that the note signs, hex", examples=["9f86d081"])]


def _fraction(value: Fraction | None) -> tuple[str | None, float | None]:
    return (None, None) if value is None else (f"{value.numerator}/{value.denominator}", float(value))


class SheetLine(Answered):
    """The stiff sheet of a table, or the total."""

    table: Annotated[str, Field(description='Table, or "total"', examples=["craps-1"])]
    opener_minor: Total
    fills_minor: Total
    credits_minor: Total
    drop_minor: Total
    markers_minor: Total
    closer_minor: Total
    win_minor: Total
    hold: Annotated[str | None, Field(description="Win over drop; null where nothing was dropped", examples=["1/4"])]
    hold_decimal: Annotated[float | None, Field(description="The same as a number", examples=[0.25])]
    variance_minor: Total
    counted_minor: Annotated[int | None, Field(description="Counted in the rack; null where nobody did")]

    @model_validator(mode="before")
    @classmethod
    def _read(cls, line: Any) -> Any:
        if isinstance(line, dict):
            return line
        values = {name: getattr(line, name) for name in cls.model_fields if name != "hold_decimal"}
        values["hold"], values["hold_decimal"] = _fraction(line.hold)
        return values


class StiffSheet(Answered):
    """The stiff sheets of a period and the pit's total."""

    period: Annotated[str, Field(description="Gaming day or shift", examples=["2026-07-01"])]
    lines: list[SheetLine]
    total: SheetLine
    made: Made


class LimitLine(Answered):
    """The least win that is not exceeded with a probability lies between two amounts."""

    probability: Annotated[float, Field(description="Probability not to win more", examples=[0.975])]
    low_minor: Total
    high_minor: Total


class Expected(Answered):
    """Theoretical and actual win of a period, with exact limits."""

    period: Annotated[str, Field(description="Gaming day or shift", examples=["2026-07-01"])]
    table: Annotated[str | None, Field(description="Table; null for all")]
    wagers: Count
    handle_minor: Total
    theoretical_minor: Annotated[str, Field(description="Expected win, exact", examples=["-700/99"])]
    theoretical_minor_decimal: Annotated[float, Field(description="The same as a number", examples=[-7.07])]
    actual_minor: Annotated[str, Field(description="What the house won", examples=["1500/1"])]
    actual_minor_decimal: Annotated[float, Field(description="The same as a number", examples=[1500.0])]
    limits: list[LimitLine]
    verdict: Annotated[str, Field(description="inside, outside 95 %, outside 99 %, or none", examples=["inside"])]
    left_out: Annotated[dict[str, int], Field(description="Wagers whose law could not be had, by bet")]
    notes: Annotated[list[str], Field(description="What is exact and what is assumed")]
    made: Made

    @model_validator(mode="before")
    @classmethod
    def _read(cls, report: Any) -> Any:
        if isinstance(report, dict):
            return report
        values = {name: getattr(report, name) for name in cls.model_fields if not name.endswith("_decimal")}
        for name in ("theoretical_minor", "actual_minor"):
            values[name], values[f"{name}_decimal"] = _fraction(values[name])
        limits = ({"probability": p, "low_minor": low, "high_minor": high} for p, low, high in report.limits)
        return {**values, "limits": list(limits), "left_out": dict(report.left_out)}


class BookLine(Answered):
    """One line of one entry of the ledger; debits are positive."""

    seq: Count
    kind: Annotated[str, Field(description="What the entry books", examples=["fill"])]
    at_us: Count
    gaming_day: Day
    table: Annotated[str | None, Field(description="Table")]
    round: Annotated[str | None, Field(description="Round")]
    wager: Annotated[str | None, Field(description="Wager")]
    account: Annotated[str, Field(description="Account", examples=["cage:vault"])]
    amount_minor: Balance
    actor: Annotated[str, Field(description="Who acted", examples=["floorman-1"])]
    authorised_by: Annotated[str | None, Field(description="Who approved it", examples=["cage-1"])]
    reason: Annotated[str | None, Field(description="Why", examples=["fill 17"])]
    record: Count


class Book(Answered):
    """Lines of entries in order."""

    lines: list[BookLine]
    made: Made


class Statement(Answered):
    """What moved a player's accounts."""

    player: PlayerId
    before_minor: Balance
    after_minor: Balance
    lines: list[BookLine]
    made: Made


class Mispay(Discrepancy):
    """Something that was paid otherwise than the schedule pays."""

    record: Annotated[int | None, Field(description="Record that paid it", examples=[17])]
    overpaid_minor: Annotated[int | None, Field(description="Paid above what was due", examples=[500])]


class Mispays(Answered):
    """Every settlement computed again; sound if nothing differs."""

    settlements: Count
    differences: list[Mispay]
    made: Made
