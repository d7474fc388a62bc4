"""Rounds of other systems over the wire."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from house.api.schemas.fields import ID, Amount, Answered, Asked, Balance, Count, PlayerId, Total
from house.service import rounds


def _id(description: str, example: str) -> object:
    return Field(pattern=ID, min_length=1, max_length=64, description=description, examples=[example])


Transaction = Annotated[str, _id("Id of this money move at its sender's; it counts once for ever", "t-9f21")]
Reference = Annotated[str, _id("Transaction of the bet", "t-9f20")]
SystemRound = Annotated[str, _id("Id of the round at its sender's", "roulette-3-20261129-118")]
Currency = Annotated[
    str, Field(pattern=r"^[A-Z]{3}$", description="Currency, which must be that of the books", examples=["USD"])
]
LeaseS = Annotated[
    int,
    Field(
        strict=True,
        ge=1,
        le=rounds.LONGEST_LEASE_S,
        description="Seconds for which the round is live; a stake that hangs afterwards may be returned",
        examples=[3600],
    ),
]


class _Message(Asked):
    """What every message about money in a round says."""

    transaction: Transaction
    round: SystemRound
    player: PlayerId
    amount_minor: Amount
    currency: Currency


class RoundBet(_Message):
    """A stake for a round."""

    lease_s: LeaseS = rounds.LEASE_S

    def command(self) -> rounds.BetOnRound:
        """The command that takes it."""
        return rounds.BetOnRound(**self.model_dump())


class RoundWin(_Message):
    """What a bet won, the stake in it."""

    reference: Reference

    def command(self) -> rounds.WinOnRound:
        """The command that pays it."""
        return rounds.WinOnRound(**self.model_dump())


class RoundRollback(_Message):
    """A bet to undo, with its stake."""

    reference: Reference

    def command(self) -> rounds.RollBackBet:
        """The command that undoes it."""
        return rounds.RollBackBet(**self.model_dump())


class Carried(Answered):
    """What a message did; a repeat of it is answered alike, under whatever key."""

    transaction: Annotated[str, Field(description="Of the first message that did this", examples=["t-9f21"])]
    kind: Annotated[Literal["bet", "win", "rollback"], Field(description="What it did", examples=["bet"])]
    round: SystemRound
    player: PlayerId
    amount_minor: Amount
    reference: Annotated[str | None, Field(description="The bet of a win or a rollback", examples=["t-9f20"])]
    tombstone: Annotated[bool, Field(description="Whether the bet was not known and will never count")]
    wallet_minor: Balance


class RoundEnded(Answered):
    """A round that takes no bets any more."""

    round: SystemRound
    lost: Annotated[list[str], Field(description="Bets that were lost with it", examples=[["t-9f20"]])]


class Recovery(Asked):
    """How many rounds to recover at most."""

    most: Annotated[int, Field(strict=True, ge=1, le=1000, description="Rounds at most", examples=[100])] = 100


class Recovered(Answered):
    """Rounds whose lease ran out, and what went back to their players."""

    rounds: Annotated[list[str], Field(description="Rounds that are over now", examples=[["r-118"]])]
    bets: Count
    returned_minor: Total


class RoundsMoney(Answered):
    """The money of rounds: their rack, what the house won, and the stakes that ride."""

    float_minor: Balance
    win_minor: Balance
    held_minor: Balance


class RoundBetState(Answered):
    """A bet of a round, and what became of it."""

    transaction: Transaction
    player: PlayerId
    amount_minor: Amount
    state: Annotated[
        Literal["open", "won", "lost", "rolled_back"], Field(description="What became of it", examples=["open"])
    ]
    paid_minor: Balance
    live_until: Annotated[
        datetime, Field(description="Until when the round is live for it, UTC", examples=["2026-11-30T21:04:05Z"])
    ]


class Round(Answered):
    """A round of another system."""

    round: SystemRound
    ended: Annotated[bool, Field(description="Whether it takes no bets any more", examples=[False])]
    bets: list[RoundBetState]
    tombstones: Annotated[list[str], Field(description="Bets that will never count", examples=[["t-9f1f"]])]
