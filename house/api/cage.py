"""The cage: players and their money, the house's own."""

from fastapi import APIRouter, Request, Response

from house.api.bodies import Once
from house.api.deps import AfterId, By, Key, Limit, SecondPerson, TheHouse, page, reads, shown, write, writes
from house.api.schemas import cage as wire
from house.api.schemas.fields import PlayerId
from house.api.schemas.pages import PAGE, Page
from house.api.schemas.slips import TokeBox
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import cage

router = APIRouter(tags=["cage"], route_class=Once)

LIMITED = (Refusal.PLAYER_EXCLUDED, Refusal.PLAYER_LIMIT)
"""Refusals by what a player asked for himself."""


@router.post("/players", **writes(cage.RegisterPlayer, wire.Player, "registerPlayer", Refusal.ALREADY_EXISTS))
async def register_player(house: TheHouse, key: Key, by: By, body: wire.NewPlayer) -> Response:
    """Register a player under an id of the caller's; the name is kept apart from every record of play."""
    return await write(house, body.command(), key, by)


@router.get("/players", **reads(Page[wire.Player], "listPlayers", scope=Scope.PIT_READ))
def list_players(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Player]:
    """List players by id."""
    players = cage.players(house, after, limit)
    return page(request, wire.Player, players, limit, players[-1].player if len(players) == limit else None)


@router.get("/players/{player}", **reads(wire.PlayerBalance, "showPlayer", Refusal.NOT_FOUND, scope=Scope.PIT_READ))
def show_player(house: TheHouse, player: PlayerId) -> wire.PlayerBalance:
    """Show a player's money: in the wallet, and riding on layouts."""
    return shown(wire.PlayerBalance, cage.balance(house, player))


@router.post(
    "/players/{player}/buy-ins", **writes(cage.BuyIn, wire.PlayerBalance, "buyIn", Refusal.NOT_FOUND, *LIMITED)
)
async def buy_in(house: TheHouse, key: Key, by: By, player: PlayerId, body: wire.Sum) -> Response:
    """Take a player's money at the cage, into the wallet."""
    return await write(house, cage.BuyIn(player=player, amount_minor=body.amount_minor), key, by)


@router.post(
    "/players/{player}/cash-outs",
    **writes(cage.CashOut, wire.PlayerBalance, "cashOut", Refusal.NOT_FOUND, Refusal.INSUFFICIENT_FUNDS),
)
async def cash_out(house: TheHouse, key: Key, by: By, player: PlayerId, body: wire.Sum) -> Response:
    """Pay a player out at the cage, from the wallet."""
    return await write(house, cage.CashOut(player=player, amount_minor=body.amount_minor), key, by)


@router.post(
    "/players/{player}/tokes",
    **writes(cage.Toke, wire.PlayerBalance, "toke", Refusal.NOT_FOUND, Refusal.INSUFFICIENT_FUNDS),
)
async def toke(house: TheHouse, key: Key, by: By, player: PlayerId, body: wire.Sum) -> Response:
    """Give the dealers a tip from a player's wallet."""
    return await write(house, cage.Toke(player=player, amount_minor=body.amount_minor), key, by)


@router.post("/funds", **writes(cage.FundHouse, wire.Vault, "fundHouse"))
async def fund_house(house: TheHouse, key: Key, by: By, body: wire.Sum) -> Response:
    """Put the house's own money into the vault: what openers and winnings are paid from."""
    return await write(house, cage.FundHouse(amount_minor=body.amount_minor), key, by)


@router.post("/withdrawals", **writes(cage.WithdrawCapital, wire.Vault, "withdrawCapital", Refusal.INSUFFICIENT_FUNDS))
async def withdraw_capital(house: TheHouse, key: Key, by: By, body: wire.Sum, *, second: SecondPerson) -> Response:
    """Take the house's own money out of the vault; what players own and tables may lose stays."""
    return await write(house, cage.WithdrawCapital(amount_minor=body.amount_minor), key, by, second)


@router.get("/tokes", **reads(TokeBox, "showTokes", scope=Scope.BOOKS_READ))
def show_tokes(house: TheHouse) -> TokeBox:
    """Show the dealers' money that is not paid out yet, and what they owe since a correction."""
    return shown(TokeBox, cage.tokes(house))


@router.post("/tokes/payments", **writes(cage.PayTokes, TokeBox, "payTokes", Refusal.INSUFFICIENT_FUNDS))
async def pay_tokes(house: TheHouse, key: Key, by: By, body: wire.Sum) -> Response:
    """Pay the dealers out of their box; what they owe since a correction is withheld from it first."""
    return await write(house, cage.PayTokes(amount_minor=body.amount_minor), key, by)


@router.get("/funds", **reads(wire.Vault, "showVault", scope=Scope.BOOKS_READ))
def show_vault(house: TheHouse) -> wire.Vault:
    """Show the house's own money, its players', and what its tables may still lose."""
    return shown(wire.Vault, cage.vault(house))
