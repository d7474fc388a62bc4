"""Slips, the drop, markers and the dealers' box over the wire."""

from typing import Annotated, Literal

from pydantic import Field

from house.api.schemas.fields import GREATEST, Amount, Answered, Asked, Balance, Count, PlayerId, TableId
from house.domain.slips import SlipKind
from house.service import slips

SlipKinds = Annotated[Literal["fill", "credit"], Field(description="What a slip moves", examples=["fill"])]
SlipNumber = Annotated[int, Field(strict=True, ge=1, le=GREATEST, description="Number of a slip", examples=[17])]
Reason = Annotated[str, Field(min_length=3, max_length=200, description="Why", examples=["wrong table"])]


class TableBuyIn(Asked):
    """A player's cash at a table."""

    player: PlayerId
    amount_minor: Amount


class Chips(Asked):
    """Chips of one value."""

    value_minor: Amount
    count: Annotated[int, Field(strict=True, ge=1, le=10**6, description="How many", examples=[20])]


class NewSlip(Asked):
    """A fill or a credit; the chips, where they are told, must be worth the amount."""

    kind: SlipKinds
    amount_minor: Amount
    chips: Annotated[list[Chips], Field(max_length=64, description="Chips by value", default_factory=list)]

    def command(self, table: str) -> slips.WriteSlip:
        """The command that writes the slip."""
        found: dict[int, int] = {}
        for one in self.chips:
            found[one.value_minor] = found.get(one.value_minor, 0) + one.count
        kind = SlipKind(self.kind)
        return slips.WriteSlip(kind=kind, table=table, amount_minor=self.amount_minor, denominations=found)


class NewVoid(Asked):
    """Why a slip is voided."""

    reason: Reason


class Slip(Answered):
    """A fill or a credit by its number; a voided one says why."""

    kind: SlipKinds
    number: SlipNumber
    table: TableId
    amount_minor: Amount
    denominations: Annotated[dict[int, int], Field(description="Chips by value", examples=[{"10000": 20}])]
    by: Annotated[str, Field(description="Who wrote it", examples=["floorman-1"])]
    second: Annotated[str | None, Field(description="Who approved it", examples=["cage-1"])]
    at_us: Count
    gaming_day: Annotated[str, Field(description="Gaming day", examples=["2026-07-01"])]
    record: Count
    voided: Annotated[str | None, Field(description="Why it was voided; null for one that stands")]


class NewDropCount(Asked):
    """What was counted in a drop box."""

    counted_minor: Annotated[int, Field(strict=True, ge=0, le=GREATEST, description="Counted", examples=[30000])]


class DropCounted(Answered):
    """A drop box that was counted, beside its slips."""

    table: TableId
    counted_minor: Count
    slips_minor: Count
    variance_minor: Balance


class NewMarker(Asked):
    """A marker that a player signs, at a table or, without one, at the cage."""

    amount_minor: Amount
    table: Annotated[TableId | None, Field(description="Table whose rack gives the chips; null for the cage")] = None


class MarkerPayment(Asked):
    """What a player pays back, in cash or from the wallet."""

    amount_minor: Amount
    cash: Annotated[bool, Field(description="In cash; else from the wallet", examples=[True])] = True


class NewCreditLine(Asked):
    """The most that a player may owe on markers."""

    line_minor: Annotated[int, Field(strict=True, ge=0, le=GREATEST, description="Credit line", examples=[500000])]


class Credit(Answered):
    """What a player owes on markers, and may."""

    player: PlayerId
    owed_minor: Balance
    line_minor: Balance


class TokeBox(Answered):
    """The dealers' money that is not paid out yet, and what is withheld from it before they are paid."""

    tokes_minor: Balance
    owed_minor: Balance
