"""Tables over the wire."""

from typing import Annotated, Any, Literal

from pydantic import Field

from house.api.schemas.fields import (
    Amount,
    Answered,
    Asked,
    Balance,
    BoxSerial,
    Count,
    DieSerial,
    EngineState,
    Fingerprint,
    RoundId,
    ScheduleName,
    TableId,
    Total,
    Version,
)
from house.service import tables

Game = Annotated[Literal["craps", "hooligan"], Field(description="Game of the table", examples=["craps"])]
Method = Annotated[
    Literal["box", "gallery", "hand", "machine", "rng"], Field(description="How dice are thrown", examples=["hand"])
]
DiceInPlay = Annotated[
    list[DieSerial], Field(min_length=1, max_length=64, description="Dice in play", examples=[["R-0017", "R-0018"]])
]
BoxInPlay = Annotated[BoxSerial | None, Field(description="Box in play, or null")]


class NewTable(Asked):
    """A table to open."""

    table: TableId
    game: Game
    schedule: ScheduleName
    version: Annotated[Version | None, Field(description="Version of the schedule; null for the newest")] = None
    opener_minor: Amount
    dice: DiceInPlay
    box: BoxInPlay = None
    method: Method = "box"

    def command(self) -> tables.OpenTable:
        """The command that opens the table."""
        return tables.OpenTable(
            table=self.table,
            game=self.game,
            schedule=self.schedule,
            version=self.version,
            opener_minor=self.opener_minor,
            dice=tuple(self.dice),
            box=self.box,
            method=tables.Method(self.method),
        )


class NewSchedule(Asked):
    """A version of the table's schedule by which new bets are made."""

    version: Annotated[Version | None, Field(description="Version of the schedule; null for the newest")]


class NewDice(Asked):
    """Dice and a box to put into play in place of those that are."""

    dice: DiceInPlay
    box: BoxInPlay = None


class Table(Answered):
    """A table as the pit sees it."""

    table: TableId
    game: Game
    schedule: ScheduleName
    schedule_version: Version
    fingerprint: Fingerprint
    open: Annotated[bool, Field(description="Whether the table is open", examples=[True])]
    method: Method
    dice: Annotated[list[DieSerial], Field(description="Dice in play")]
    box: BoxInPlay
    opener_minor: Balance
    float_minor: Balance
    drop_minor: Balance
    exposure_minor: Balance
    next_throw: Count
    round: RoundId
    state: EngineState
    offered: Annotated[list[dict[str, Any]], Field(description="What may be done now: bets or choices")]


class TableClosed(Answered):
    """A closed table; `win_minor` is closer, credits and drop less opener and fills."""

    table: TableId
    opener_minor: Balance
    closer_minor: Balance
    win_minor: Total
    throws: Count
