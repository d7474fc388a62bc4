"""Players' own limits over the wire."""

from typing import Annotated, Literal

from pydantic import Field

from house.api.schemas.fields import GREATEST, Answered, Asked, PlayerId, Total
from house.domain.limits import Measure, Span
from house.service import limits

MeasureName = Annotated[
    Literal["deposit", "stake", "loss"], Field(description="What a limit bounds", examples=["stake"])
]
SpanName = Annotated[
    Literal["day", "week", "month"],
    Field(description="The gaming day, seven of them, or the calendar month of the gaming day", examples=["day"]),
]


class NewLimit(Asked):
    """A limit that a player asks for; null for none, which is a raise."""

    measure: MeasureName
    span: SpanName
    amount_minor: Annotated[
        int | None, Field(strict=True, ge=0, le=GREATEST, description="The limit; null for none", examples=[50000])
    ]

    def command(self, player: str) -> limits.SetLimit:
        """The command that sets the limit, or asks for a raise."""
        measure, span = Measure(self.measure), Span(self.span)
        return limits.SetLimit(player=player, measure=measure, span=span, amount_minor=self.amount_minor)


class LimitName(Asked):
    """The limit whose raise is confirmed."""

    measure: MeasureName
    span: SpanName


class NewExclusion(Asked):
    """For how many days a player is kept from play; null for ever."""

    days: Annotated[int | None, Field(strict=True, ge=1, le=36500, description="Days; null for ever", examples=[180])]


class LimitView(Answered):
    """A limit, what of it is used, and a raise that cools off."""

    measure: MeasureName
    span: SpanName
    amount_minor: Annotated[int | None, Field(description="In force; null for none", examples=[50000])]
    used_minor: Total
    raise_pending: Annotated[bool, Field(description="Whether a raise was asked for", examples=[True])]
    raised_to_minor: Annotated[int | None, Field(description="To what; null for no limit", examples=[90000])]
    raised_from: Annotated[
        str | None, Field(description="From when it may be confirmed", examples=["2026-07-02T20:00:00Z"])
    ]


class PlayerLimits(Answered):
    """A player's limits, and whether he is kept from play."""

    player: PlayerId
    limits: list[LimitView]
    excluded: Annotated[bool, Field(description="Whether the player is excluded", examples=[False])]
    excluded_until: Annotated[str | None, Field(description="Until when; null for ever, or if not excluded")]
