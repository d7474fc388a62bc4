"""Slips, the drop and markers: chips and cash that come to a table and leave it."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from house.api.bodies import Once
from house.api.cage import LIMITED
from house.api.deps import By, Key, Limit, SecondPerson, TheHouse, page, reads, shown, write, writes
from house.api.schemas import slips as wire
from house.api.schemas.cage import PlayerBalance
from house.api.schemas.fields import GREATEST, PlayerId, TableId
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.domain.slips import SlipKind
from house.service import markers, slips

router = APIRouter(tags=["slips"], route_class=Once)

_AT_A_TABLE = (Refusal.NOT_FOUND, Refusal.TABLE_CLOSED)
Number = Annotated[int, Path(ge=1, le=GREATEST, description="Number of the slip")]
Kind = Annotated[SlipKind, Path(description="Kind of the slip")]


@router.post(
    "/tables/{table}/slips",
    **writes(slips.WriteSlip, wire.Slip, "writeSlip", *_AT_A_TABLE, Refusal.BAD_VALUE, Refusal.INSUFFICIENT_FUNDS),
)
async def write_slip(
    house: TheHouse, key: Key, by: By, *, table: TableId, body: wire.NewSlip, second: SecondPerson
) -> Response:
    """Fill a table's rack from the vault, or credit the vault from the rack; slips are numbered densely by kind."""
    return await write(house, body.command(table), key, by, second)


@router.get("/slips/{kind}", **reads(Page[wire.Slip], "listSlips", scope=Scope.BOOKS_READ))
def list_slips(
    request: Request,
    house: TheHouse,
    kind: Kind,
    after: Annotated[int, Query(ge=0, le=GREATEST, description="Slips after this number")] = 0,
    limit: Limit = PAGE,
) -> Page[wire.Slip]:
    """List slips of a kind by number, voided ones too."""
    found = slips.slips(house, kind, after, limit)
    return page(request, wire.Slip, found, limit, found[-1].number if len(found) == limit else None)


@router.post(
    "/slips/{kind}/{number}/void",
    **writes(
        slips.VoidSlip,
        wire.Slip,
        "voidSlip",
        *_AT_A_TABLE,
        *(Refusal.BAD_VALUE, Refusal.INSUFFICIENT_FUNDS, Refusal.STATE_CHANGED),
    ),
)
async def void_slip(
    house: TheHouse, key: Key, by: By, *, kind: Kind, number: Number, body: wire.NewVoid, second: SecondPerson
) -> Response:
    """Undo a slip by a counter-entry; its number stays used."""
    return await write(house, slips.VoidSlip(kind=kind, number=number, reason=body.reason), key, by, second)


@router.post(
    "/tables/{table}/buy-ins",
    **writes(slips.TableBuyIn, PlayerBalance, "buyInAtTable", *_AT_A_TABLE, *LIMITED),
)
async def buy_in_at_table(house: TheHouse, key: Key, by: By, *, table: TableId, body: wire.TableBuyIn) -> Response:
    """Take a player's cash at a table: it goes into the drop box, and chips of the rack are the player's."""
    command = slips.TableBuyIn(table=table, player=body.player, amount_minor=body.amount_minor)
    return await write(house, command, key, by)


@router.post("/tables/{table}/drop-counts", **writes(slips.CountDrop, wire.DropCounted, "countDrop", Refusal.NOT_FOUND))
async def count_drop(
    house: TheHouse, key: Key, by: By, *, table: TableId, body: wire.NewDropCount, second: SecondPerson
) -> Response:
    """Count a table's drop box into the vault; what differs from its slips is booked apart."""
    return await write(house, slips.CountDrop(table=table, counted_minor=body.counted_minor), key, by, second)


@router.get("/players/{player}/credit", **reads(wire.Credit, "showCredit", Refusal.NOT_FOUND, scope=Scope.BOOKS_READ))
def show_credit(house: TheHouse, player: PlayerId) -> wire.Credit:
    """Show what a player owes on markers, and may."""
    return shown(wire.Credit, markers.credit(house, player))


@router.put(
    "/players/{player}/credit", **writes(markers.SetCreditLine, wire.Credit, "setCreditLine", Refusal.NOT_FOUND)
)
async def set_credit_line(
    house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.NewCreditLine, second: SecondPerson
) -> Response:
    """Agree what a player may owe at most."""
    return await write(house, markers.SetCreditLine(player=player, line_minor=body.line_minor), key, by, second)


@router.post(
    "/players/{player}/markers",
    **writes(
        markers.IssueMarker,
        wire.Credit,
        "issueMarker",
        *(*_AT_A_TABLE, Refusal.ABOVE_MAXIMUM, *LIMITED, Refusal.INSUFFICIENT_FUNDS),
    ),
)
async def issue_marker(
    house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.NewMarker, second: SecondPerson
) -> Response:
    """Give a player chips against a signed marker."""
    command = markers.IssueMarker(player=player, amount_minor=body.amount_minor, table=body.table)
    return await write(house, command, key, by, second)


@router.post(
    "/players/{player}/markers/payments",
    **writes(markers.RedeemMarker, wire.Credit, "redeemMarker", Refusal.NOT_FOUND, Refusal.INSUFFICIENT_FUNDS),
)
async def redeem_marker(house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.MarkerPayment) -> Response:
    """Let a player pay back what he owes."""
    command = markers.RedeemMarker(player=player, amount_minor=body.amount_minor, cash=body.cash)
    return await write(house, command, key, by)
