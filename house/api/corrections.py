"""Corrections of a table's last throw, adjustments for older ones, and who owes since."""

from fastapi import APIRouter, Request, Response

from house.api.bodies import Once
from house.api.deps import (
    AfterId,
    AfterNumber,
    By,
    Key,
    Limit,
    SecondPerson,
    TheHouse,
    page,
    reads,
    write,
    writes,
)
from house.api.schemas import cage as cage_wire
from house.api.schemas import corrections as wire
from house.api.schemas.fields import PlayerId, TableId
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import adjustments, corrections

router = APIRouter(tags=["corrections"], route_class=Once)


@router.post(
    "/tables/{table}/corrections",
    **writes(
        corrections.CorrectThrow,
        wire.Corrected,
        "correctThrow",
        *(Refusal.NOT_FOUND, Refusal.TOO_LATE, Refusal.TABLE_CLOSED, Refusal.WRONG_METHOD),
        *(Refusal.BAD_THROW, Refusal.BAD_CHOICE, Refusal.INSUFFICIENT_FUNDS),
    ),
)
async def correct_throw(
    house: TheHouse, key: Key, by: By, *, table: TableId, body: wire.NewCorrection, second: SecondPerson
) -> Response:
    """Correct the table's last throw: what was booked since is taken back, and the throw settled as it was.

    Wagers taken down since, calls and the rail stand as far as the corrected throw allows; bets made since come back.
    """
    return await write(house, body.command(table), key, by, second)


@router.get(
    "/tables/{table}/corrections",
    **reads(Page[wire.Correction], "listCorrections", Refusal.NOT_FOUND, scope=Scope.PIT_READ),
)
def list_corrections(
    request: Request, house: TheHouse, table: TableId, after: AfterNumber = -1, limit: Limit = PAGE
) -> Page[wire.Correction]:
    """List the corrections at a table by the number of their records, with what was logged at first."""
    found = corrections.corrections(house, table, after, limit)
    cursor = found[-1].record if len(found) == limit else None
    return page(request, wire.Correction, found, limit, cursor)


@router.post(
    "/players/{player}/adjustments",
    **writes(adjustments.Adjust, wire.Adjusted, "adjust", Refusal.NOT_FOUND, Refusal.INSUFFICIENT_FUNDS),
)
async def adjust(
    house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.NewAdjustment, second: SecondPerson
) -> Response:
    """Pay a player, or take from the wallet, what a throw paid wrongly that can be corrected no more."""
    return await write(house, body.command(player), key, by, second)


@router.post(
    "/players/{player}/owed-payments",
    **writes(adjustments.CollectOwed, wire.Adjusted, "collectOwed", Refusal.NOT_FOUND, Refusal.INSUFFICIENT_FUNDS),
)
async def collect_owed(house: TheHouse, key: Key, by: By, player: PlayerId, body: cage_wire.Sum) -> Response:
    """Take what a player owes from the wallet."""
    return await write(house, adjustments.CollectOwed(player=player, amount_minor=body.amount_minor), key, by)


@router.get("/owed", **reads(Page[wire.Owed], "listOwed", scope=Scope.BOOKS_READ))
def list_owed(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Owed]:
    """List the players who owe the house since a correction or an adjustment, by id."""
    found = adjustments.debtors(house, after, limit)
    return page(request, wire.Owed, found, limit, found[-1].player if len(found) == limit else None)
