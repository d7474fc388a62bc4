"""Corrections and adjustments over the wire."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from house.api.schemas.fields import Amount, Answered, Asked, Balance, Calls, EngineState, PlayerId, TableId
from house.api.schemas.play import Movement, ShownFace, StateOfDie
from house.domain.throws import DieState
from house.service import adjustments, corrections

Throw = Annotated[int, Field(strict=True, ge=0, description="Number of the throw at its table", examples=[117])]
Person = Annotated[str, Field(description="Who", examples=["boxman-2"])]
RecordNumber = Annotated[int, Field(description="Number of the record in the history", examples=[20417])]
Reason = Annotated[
    Literal["miskeyed", "misread", "miscalled"],
    Field(description="Read well and keyed wrong, read wrong, or called no throw wrongly", examples=["misread"]),
]


class Shows(Asked):
    """What a die really showed."""

    face: ShownFace
    state: StateOfDie = "ok"


class NewCorrection(Asked):
    """What the dice of a table's last throw really showed."""

    throw: Throw
    dice: Annotated[list[Shows], Field(min_length=1, max_length=5, description="Every die, in the order logged")]
    reason: Reason

    def command(self, table: str) -> corrections.CorrectThrow:
        """The command that corrects the throw."""
        return corrections.CorrectThrow(
            table=table,
            throw=self.throw,
            dice=tuple(corrections.Shown(face=die.face, state=DieState(die.state)) for die in self.dice),
            reason=corrections.Reason(self.reason),
        )


class Owed(Answered):
    """What a player owes since a correction or an adjustment took more than the wallet held."""

    player: PlayerId
    owed_minor: Balance


class Corrected(Answered):
    """What a correction did."""

    record: RecordNumber
    table: TableId
    throw: Throw
    void: Annotated[bool, Field(description="Whether the throw counts for nothing now", examples=[False])]
    undone: Annotated[list[int], Field(description="Records whose entries it took back", examples=[[20411, 20412]])]
    movements: list[Movement]
    calls: Calls
    owed: Annotated[list[Owed], Field(description="Players whose wallets were short, and what they owe now")]
    state: EngineState


class DieShown(Answered):
    """Face and state of a die."""

    face: ShownFace
    state: StateOfDie


class Correction(Answered):
    """A correction as it stands in the history."""

    record: RecordNumber
    table: TableId
    throw: Throw
    reason: Reason
    at: Annotated[datetime, Field(description="When it was made, UTC", examples=["2026-11-29T21:04:05Z"])]
    by: Person
    second: Annotated[str | None, Field(description="Who approved it", examples=["pit-boss-1"])]
    dice: Annotated[list[str], Field(description="Serials of the dice", examples=[["R-0017", "R-0018"]])]
    logged: Annotated[list[DieShown], Field(description="What was logged at first")]
    shows: Annotated[list[DieShown], Field(description="What it says that the dice showed")]
    undone: Annotated[list[int], Field(description="Records whose entries it took back", examples=[[20411, 20412]])]


class NewAdjustment(Asked):
    """Money between the house and a player for a throw that can be corrected no more."""

    direction: Annotated[Literal["to_player", "from_player"], Field(description="Whom it pays", examples=["to_player"])]
    amount_minor: Amount
    table: TableId
    throw: Throw
    cause: Annotated[
        Literal["misread", "mispaid", "late_bet", "dispute", "written_off"],
        Field(description="Why", examples=["mispaid"]),
    ]

    def command(self, player: str) -> adjustments.Adjust:
        """The command that adjusts."""
        return adjustments.Adjust(
            player=player,
            direction=adjustments.Direction(self.direction),
            amount_minor=self.amount_minor,
            table=self.table,
            throw=self.throw,
            cause=adjustments.Cause(self.cause),
        )


class Adjusted(Answered):
    """What a player has and owes after an adjustment."""

    record: RecordNumber
    player: PlayerId
    wallet_minor: Balance
    owed_minor: Balance
