"""Limits that players set themselves, and self-exclusion."""

from fastapi import APIRouter, Response

from house.api.bodies import Once
from house.api.deps import By, Key, SecondPerson, TheHouse, reads, shown, write, writes
from house.api.schemas import player_limits as wire
from house.api.schemas.fields import PlayerId
from house.domain.limits import Measure, Span
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import limits

router = APIRouter(prefix="/players/{player}", tags=["limits"], route_class=Once)


@router.get("/limits", **reads(wire.PlayerLimits, "showLimits", Refusal.NOT_FOUND, scope=Scope.PIT_READ))
def show_limits(house: TheHouse, player: PlayerId) -> wire.PlayerLimits:
    """Show a player's limits and what of them is used."""
    return shown(wire.PlayerLimits, limits.limits(house, player))


@router.put("/limits", **writes(limits.SetLimit, wire.PlayerLimits, "setLimit", Refusal.NOT_FOUND))
async def set_limit(house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.NewLimit) -> Response:
    """Set a limit: the first and a lower one hold at once, a higher one cools off for 24 hours and is confirmed."""
    return await write(house, body.command(player), key, by)


@router.post(
    "/limits/confirmations",
    **writes(limits.ConfirmLimit, wire.PlayerLimits, "confirmLimit", Refusal.NOT_FOUND, Refusal.COOLING_OFF),
)
async def confirm_limit(house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.LimitName) -> Response:
    """Confirm a raise that has cooled off."""
    command = limits.ConfirmLimit(player=player, measure=Measure(body.measure), span=Span(body.span))
    return await write(house, command, key, by)


@router.put("/exclusion", **writes(limits.ExcludePlayer, wire.PlayerLimits, "excludePlayer", Refusal.NOT_FOUND))
async def exclude_player(house: TheHouse, key: Key, by: By, *, player: PlayerId, body: wire.NewExclusion) -> Response:
    """Keep a player from bets and buy-ins; what rides is played out and paid. It is never shortened."""
    return await write(house, limits.ExcludePlayer(player=player, days=body.days), key, by)


@router.post(
    "/readmissions",
    **writes(limits.ReadmitPlayer, wire.PlayerLimits, "readmitPlayer", Refusal.NOT_FOUND, Refusal.COOLING_OFF),
)
async def readmit_player(house: TheHouse, key: Key, by: By, *, player: PlayerId, second: SecondPerson) -> Response:
    """Let a player play again after his exclusion, by two people."""
    return await write(house, limits.ReadmitPlayer(player=player), key, by, second)
