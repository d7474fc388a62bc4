"""The reconciliation of dice and the day's incidents over the wire."""

from typing import Annotated, Literal

from pydantic import Field

from house.api.schemas.fields import Answered, Count, TableId
from house.api.schemas.incidents import Incident
from house.api.schemas.shifts import Made

Day = Annotated[str, Field(description="Gaming day", examples=["2026-11-29"])]
Whole = Annotated[int, Field(description="How many, signed", examples=[-2])]
KindOf = Annotated[Literal["die", "box"], Field(description="Dice or boxes", examples=["die"])]


class AreaLine(Answered):
    """Dice or boxes of one storage area over a gaming day."""

    area: Annotated[str, Field(description="Storage area", examples=["pit"])]
    kind: KindOf
    opening: Annotated[Whole, Field(description="On hand before the day")]
    received: Count
    returned: Annotated[Count, Field(description="Came back from play")]
    moved: Annotated[Whole, Field(description="Moved in less moved out")]
    issued: Annotated[Count, Field(description="Went into play")]
    destroyed: Count
    closing: Annotated[Count, Field(description="On hand at the end of the day")]
    reserve: Annotated[Count, Field(description="Of these, fit for play")]
    suspected: Count
    sealed: Count
    cancelled: Count
    failed: Annotated[Count, Field(description="Failed an inspection")]
    counted: Annotated[Count | None, Field(description="The day's last physical count, or null")]
    difference: Annotated[Whole | None, Field(description="What it found above the books, or null")]


class InUse(Answered):
    """A piece that is in play for more than 24 hours."""

    kind: KindOf
    serial: Annotated[str, Field(description="Serial", examples=["R-0017"])]
    table: TableId
    issued_day: Day
    hours: Annotated[Count, Field(description="Whole hours since then, until the end of the day or now", examples=[31])]


class Difference(Answered):
    """Where a piece's row does not agree with what happened to it."""

    where: Annotated[str, Field(description="Which piece", examples=["die R-0017"])]
    found: Annotated[str, Field(description="What the row says", examples=["ready at -, pit"])]
    due: Annotated[str, Field(description="What its last event says", examples=["sealed at -, pit"])]


class Reconciliation(Answered):
    """Dice and boxes at the end of a gaming day, or now if it is not over."""

    gaming_day: Day
    lines: list[AreaLine]
    in_play: Annotated[Count, Field(description="Pieces in play at the end of the day")]
    long_in_use: list[InUse]
    differences: list[Difference]
    made: Made


class DaysIncidents(Answered):
    """Incidents of a gaming day, and those from before that are open."""

    gaming_day: Day
    incidents: list[Incident]
    made: Made
