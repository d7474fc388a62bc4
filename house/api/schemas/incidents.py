"""Incidents and the live laboratory over the wire."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from house.api.schemas.equipment import Custody, PersonId
from house.api.schemas.fields import Answered, Asked, Count, DieSerial, TableId
from house.service import incidents
from house.service.incidents import Reason

Said = Annotated[
    str, Field(min_length=1, max_length=incidents.TEXT, description="In words", examples=["Both dice inspected"])
]
Evidence = Annotated[float, Field(description="Evidence as log10 of an e-value", examples=[4.02])]
Decimal = Annotated[str, Field(description="A number as decimal text or a fraction", examples=["3.8783"])]
Which = Annotated[list[DieSerial], Field(description="Serials of dice", examples=[["R-0017"]])]


class NewAssignment(Asked):
    """Who looks into an incident."""

    person: PersonId


class NewNote(Asked):
    """Something to be noted."""

    text: Said


class NewClosing(Asked):
    """Why an incident is closed."""

    reason: Annotated[
        Literal["confirmed", "worn", "cleared", "misread", "false_alarm"],
        Field(description="The reason", examples=["confirmed"]),
    ]
    text: Said

    def command(self, number: int) -> incidents.CloseIncident:
        """The command that closes it."""
        return incidents.CloseIncident(incident=number, reason=Reason(self.reason), text=self.text)


class Step(Answered):
    """Something that happened to an incident."""

    record: Annotated[Count, Field(description="Record of the history that proves it")]
    at: Annotated[datetime, Field(description="When")]
    event: Annotated[str, Field(description="raised, assigned, noted or ended", examples=["assigned"])]
    by: Annotated[str, Field(description="Who did it", examples=["kim"])]
    text: Annotated[str, Field(description="What was said, or to whom it was given", examples=["lee"])]


class Incident(Answered):
    """An alarm of the laboratory, and what became of it."""

    incident: Count
    status: Annotated[Literal["open", "closed"], Field(description="Whether it is open", examples=["open"])]
    table: TableId
    throw: Annotated[Count, Field(description="Throw of the table that raised it")]
    raised_at: Annotated[datetime, Field(description="When it was raised")]
    gaming_day: Annotated[str, Field(description="Gaming day", examples=["2026-11-29"])]
    accused: Annotated[str, Field(description="What it is about", examples=["die R-0017"])]
    attack: Annotated[str, Field(description="The cheat that fits best", examples=["load"])]
    words: Annotated[str, Field(description="What was seen, how strong, how large, what to check next")]
    check: Annotated[str, Field(description="The physical checks to do next")]
    dice: Annotated[Which, Field(description="The set in play")]
    box: Annotated[str | None, Field(description="Box in play, or null", examples=["B-03"])]
    shooter: Annotated[str | None, Field(description="Who had the dice, or null", examples=["ann"])]
    monitor: Annotated[str, Field(description="Kind of the monitor", examples=["faces"])]
    monitored: Which
    log10_evalue: Annotated[Decimal, Field(description="log10 e when it was raised")]
    bar: Annotated[Decimal, Field(description="log10 e at which the monitor alarms")]
    weight: Annotated[Decimal, Field(description="The monitor's share of its set's budget", examples=["0.225000"])]
    alpha: Annotated[Decimal, Field(description="The set's budget of false alarms", examples=["1/1700"])]
    pit_alpha: Annotated[Decimal, Field(description="The pit's budget of false alarms", examples=["1/100"])]
    throws: Annotated[Count, Field(description="Throws of the set until then")]
    custody: Annotated[
        dict[str, list[int]],
        Field(description="Records of each die's life until then", examples=[{"R-0017": [3, 5]}]),
    ]
    assigned: Annotated[str | None, Field(description="Who looks into it, or null", examples=["lee"])]
    reason: Annotated[str | None, Field(description="Why it was closed, or null", examples=["confirmed"])]
    steps: list[Step]


class Line(Answered):
    """One monitor of a set of dice in play."""

    table: TableId
    watch: Annotated[Count, Field(description="Number of the set")]
    throws: Annotated[Count, Field(description="How often it was thrown")]
    monitor: Annotated[str, Field(description="Kind of the monitor", examples=["faces"])]
    dice: Which
    weight: Annotated[float, Field(description="Share of the pit's budget", examples=[0.0132])]
    bar: Annotated[Evidence, Field(description="Where it alarms, log10 e")]
    log10_evalue: Evidence
    max_log10_evalue: Annotated[Evidence, Field(description="The most that it has been, log10 e")]
    adjusted_log10_pvalue: Annotated[float, Field(description="Holm's adjusted anytime p, log10", examples=[-2.4])]
    accused: Annotated[bool, Field(description="Whether it accuses", examples=[False])]
    listed: Annotated[bool, Field(description="Whether it is on the work list", examples=[False])]


class Board(Answered):
    """Every monitor of the dice in play, the accused first."""

    alpha: Annotated[Decimal, Field(description="Budget of false alarms", examples=["1/100"])]
    given: Annotated[Decimal, Field(description="What was given out of it so far", examples=["1/1700"])]
    lines: list[Line]
    open_incidents: Annotated[list[int], Field(description="Numbers of open incidents", examples=[[0]])]


class FaceCount(Answered):
    """How often a die showed a face, with bounds of its chance that hold at every throw at once (99 %)."""

    face: Annotated[int, Field(description="Face", examples=[6])]
    count: Count
    low: Annotated[float, Field(description="Least chance", examples=[0.14])]
    high: Annotated[float, Field(description="Greatest chance", examples=[0.2])]


class Point(Answered):
    """Evidence on a die's faces after so many throws."""

    throws: Count
    log10_evalue: Evidence


class Used(Answered):
    """Where a die was used."""

    table: TableId
    throws: Count
    first_throw: Annotated[Count, Field(description="First throw of the table with it")]
    last_throw: Annotated[Count, Field(description="Last throw of the table with it")]


class DieEvidence(Answered):
    """All that is known of a die."""

    custody: Custody
    throws: Annotated[Count, Field(description="Throws that count")]
    faces: list[FaceCount]
    path: list[Point]
    moves: Annotated[
        list[list[Count]], Field(description="How often each face (rows, from 1) was followed by each (columns)")
    ]
    used: list[Used]
    incidents: list[Incident]


class Audited(Answered):
    """An audit of the house's own log, as the command line gives it."""

    audit: Annotated[
        dict[str, Any], Field(description="Verdict, budget and findings", examples=[{"verdict": "not_shown"}])
    ]
