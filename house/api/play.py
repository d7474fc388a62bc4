"""Play at a table: bets, the rail, games of Hooligan, throws."""

from fastapi import APIRouter, Request, Response

from house.api.bodies import Once
from house.api.deps import AfterNumber, By, Key, Limit, TheHouse, page, reads, write, writes
from house.api.schemas import play as wire
from house.api.schemas.fields import PlayerId, TableId
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import hooligan, surveillance, throws, wagers

router = APIRouter(prefix="/tables/{table}", tags=["play"], route_class=Once)

AT_A_TABLE = (Refusal.NOT_FOUND, Refusal.TABLE_CLOSED, Refusal.WRONG_GAME)
OF_A_BET = (
    Refusal.NOT_YOUR_TURN,
    Refusal.NO_SEEDS,
    Refusal.BET_NOT_OFFERED,
    Refusal.BAD_SPOT,
    Refusal.BET_CLOSED,
    Refusal.NO_PARENT_BET,
    Refusal.BELOW_MINIMUM,
    Refusal.ABOVE_MAXIMUM,
    Refusal.NOT_AN_INCREMENT,
    Refusal.CANNOT_BE_PAID,
    Refusal.ODDS_LIMIT,
    Refusal.WINNINGS_LIMIT,
    Refusal.EXPOSURE_LIMIT,
    Refusal.PLAYER_EXCLUDED,
    Refusal.PLAYER_LIMIT,
    Refusal.INSUFFICIENT_FUNDS,
)


@router.post("/bets", **writes(wagers.PlaceBets, wire.Moved, "placeBets", *AT_A_TABLE, *OF_A_BET))
async def place_bets(house: TheHouse, key: Key, by: By, table: TableId, body: wire.Bets) -> Response:
    """Place all bets of a betting window, of any number of players: all or none."""
    return await write(house, body.command(table), key, by)


@router.post(
    "/throws",
    **writes(
        throws.Throw,
        wire.Settled,
        "settleThrow",
        *(Refusal.NOT_FOUND, Refusal.TABLE_CLOSED, Refusal.WRONG_METHOD),
        *(Refusal.NOT_IN_PLAY, Refusal.BAD_THROW, Refusal.BAD_CHOICE, Refusal.NOT_YOUR_TURN),
        *(Refusal.WRONG_GAME, Refusal.INSUFFICIENT_FUNDS),
    ),
)
async def settle_throw(house: TheHouse, key: Key, by: By, table: TableId, body: wire.NewThrow) -> Response:
    """Settle a throw, with the player's choice before it; one die that is not ok voids the throw."""
    return await write(house, body.command(table), key, by)


@router.get("/bets", **reads(wire.Riding, "listBets", Refusal.NOT_FOUND, Refusal.WRONG_GAME, scope=Scope.PIT_READ))
def list_bets(house: TheHouse, table: TableId) -> wire.Riding:
    """List the wagers that ride at a table: all of one moment, not in pages, which would be of several moments."""
    return wire.Riding(items=[dict(wager) for wager in wagers.riding(house, table)])


@router.post(
    "/take-downs",
    **writes(wagers.TakeDownBets, wire.Moved, "takeDownBets", *AT_A_TABLE, Refusal.CONTRACT_BET, *OF_A_BET),
)
async def take_down_bets(house: TheHouse, key: Key, by: By, table: TableId, body: wire.TakeDowns) -> Response:
    """Take wagers down, whole or in part: all or none."""
    return await write(house, body.command(table), key, by)


@router.post(
    "/presses", **writes(wagers.PressBets, wire.Moved, "pressBets", *AT_A_TABLE, Refusal.CONTRACT_BET, *OF_A_BET)
)
async def press_bets(house: TheHouse, key: Key, by: By, table: TableId, body: wire.Presses) -> Response:
    """Add to wagers that ride: all or none."""
    return await write(house, body.command(table), key, by)


@router.post(
    "/calls",
    **writes(wagers.CallWagers, wire.Moved, "callWagers", *AT_A_TABLE, Refusal.CONTRACT_BET, Refusal.BET_CLOSED),
)
async def call_wagers(house: TheHouse, key: Key, by: By, table: TableId, body: wire.WagerCalls) -> Response:
    """Call wagers working or off: all or none."""
    return await write(house, body.command(table), key, by)


@router.post("/rail", **writes(wagers.JoinRail, wire.Moved, "joinRail", *AT_A_TABLE, Refusal.ALREADY_EXISTS))
async def join_rail(house: TheHouse, key: Key, by: By, table: TableId, body: wire.AtTheRail) -> Response:
    """Let a player stand at the rail: the dice come to players in the order in which they joined."""
    return await write(house, wagers.JoinRail(table=table, player=body.player), key, by)


@router.delete("/rail/{player}", **writes(wagers.LeaveRail, wire.Moved, "leaveRail", *AT_A_TABLE))
async def leave_rail(house: TheHouse, key: Key, by: By, table: TableId, player: PlayerId) -> Response:
    """Let a player leave the rail; the player's wagers stay."""
    return await write(house, wagers.LeaveRail(table=table, player=player), key, by)


@router.post(
    "/games",
    **writes(
        hooligan.StartGame,
        wire.GameMoved,
        "startGame",
        *AT_A_TABLE,
        *(Refusal.NO_SEEDS, Refusal.BET_CLOSED, Refusal.EXPOSURE_LIMIT),
        *(Refusal.PLAYER_EXCLUDED, Refusal.PLAYER_LIMIT, Refusal.INSUFFICIENT_FUNDS),
    ),
)
async def start_game(house: TheHouse, key: Key, by: By, table: TableId, body: wire.NewGame) -> Response:
    """Take a player's stake and start a game of Hooligan against the house."""
    return await write(house, body.command(table), key, by)


@router.post(
    "/peer-games", **writes(hooligan.StartPeerGame, wire.GameMoved, "startPeerGame", *AT_A_TABLE, Refusal.BET_CLOSED)
)
async def start_peer_game(house: TheHouse, key: Key, by: By, table: TableId, body: wire.NewPeerGame) -> Response:
    """Start a game of Hooligan among players; it moves no money."""
    return await write(house, body.command(table), key, by)


@router.post(
    "/choices",
    **writes(hooligan.Choose, wire.GameMoved, "choose", *AT_A_TABLE, Refusal.NOT_IN_PLAY, Refusal.BAD_CHOICE),
)
async def choose(house: TheHouse, key: Key, by: By, table: TableId, body: wire.NewChoice) -> Response:
    """Make a choice without a throw behind it, one that ends the last frame; any other belongs to its throw."""
    return await write(house, hooligan.Choose(table=table, choice=body.choice), key, by)


@router.get("/throws", **reads(Page[wire.ThrowRow], "listThrows", Refusal.NOT_FOUND, scope=Scope.PIT_READ))
def list_throws(
    request: Request, house: TheHouse, table: TableId, after: AfterNumber = -1, limit: Limit = PAGE
) -> Page[wire.ThrowRow]:
    """List the throw log of a table, one row a die; the limit counts throws."""
    rows = surveillance.throws(house, table, after, limit)
    full = len({row.throw for row in rows}) == limit
    return page(request, wire.ThrowRow, rows, limit, rows[-1].throw if full else None)
