"""Rounds of other systems: bet, win, rollback, end; and what becomes of what hangs."""

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Header, Response

from house.api.bodies import Once
from house.api.deps import By, Key, TheHouse, reads, shown, write, writes
from house.api.schemas import rounds as wire
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import round_views, rounds

router = APIRouter(prefix="/rounds", tags=["rounds"], route_class=Once)

OF_A_MESSAGE = (Refusal.NOT_FOUND, Refusal.MISMATCH)
Within = Annotated[
    int | None,
    Header(
        alias="Answer-Within-Ms",
        ge=1,
        le=60_000,
        description="Milliseconds after which the caller waits no longer: a bet that is not begun by then is not taken",
        examples=[3000],
    ),
]


@router.post(
    "/bets",
    **writes(
        rounds.BetOnRound,
        wire.Carried,
        "betOnRound",
        *OF_A_MESSAGE,
        *(Refusal.ROLLED_BACK, Refusal.BET_CLOSED, Refusal.INSUFFICIENT_FUNDS),
        *(Refusal.PLAYER_EXCLUDED, Refusal.PLAYER_LIMIT),
    ),
)
async def bet_on_round(house: TheHouse, key: Key, by: By, body: wire.RoundBet, within: Within = None) -> Response:
    """Take a stake for a round; it rides until a win, a rollback or the end of the round."""
    patience = None if within is None else timedelta(milliseconds=within)
    return await write(house, body.command(), key, by, within=patience)


@router.post("/wins", **writes(rounds.WinOnRound, wire.Carried, "winOnRound", *OF_A_MESSAGE, Refusal.ROLLED_BACK))
async def win_on_round(house: TheHouse, key: Key, by: By, body: wire.RoundWin) -> Response:
    """Pay what a bet won, the stake in it; never refused because player, round or table is closed to new bets."""
    return await write(house, body.command(), key, by)


@router.post("/rollbacks", **writes(rounds.RollBackBet, wire.Carried, "rollBackBet", *OF_A_MESSAGE, Refusal.SETTLED))
async def roll_back_bet(house: TheHouse, key: Key, by: By, body: wire.RoundRollback) -> Response:
    """Undo a bet on which no win was paid; of a bet that never came it is noted that it never counts."""
    return await write(house, body.command(), key, by)


@router.post("/{round}/ends", **writes(rounds.EndRound, wire.RoundEnded, "endRound"))
async def end_round(house: TheHouse, key: Key, by: By, round: wire.SystemRound) -> Response:  # noqa: A002
    """End a round: bets on which no win was paid are lost, and no more are taken."""
    return await write(house, rounds.EndRound(round=round), key, by)


@router.post("/recoveries", **writes(rounds.RecoverRounds, wire.Recovered, "recoverRounds"))
async def recover_rounds(house: TheHouse, key: Key, by: By, body: wire.Recovery) -> Response:
    """Return the stakes that hang in rounds whose lease ran out; a live round is left alone."""
    return await write(house, rounds.RecoverRounds(most=body.most), key, by)


@router.post("/sweeps", **writes(rounds.SweepRounds, wire.RoundsMoney, "sweepRounds", Refusal.INSUFFICIENT_FUNDS))
async def sweep_rounds(house: TheHouse, key: Key, by: By) -> Response:
    """Bring what rounds brought to the vault, or what they cost from there."""
    return await write(house, rounds.SweepRounds(), key, by)


@router.get("", **reads(wire.RoundsMoney, "showRounds", scope=Scope.BOOKS_READ))
def show_rounds(house: TheHouse) -> wire.RoundsMoney:
    """Show the money of rounds: their rack, what the house won by them, and the stakes that ride."""
    return shown(wire.RoundsMoney, rounds.money(house))


@router.get("/{round}", **reads(wire.Round, "showRound", Refusal.NOT_FOUND, scope=Scope.PIT_READ))
def show_round(house: TheHouse, round: wire.SystemRound) -> wire.Round:  # noqa: A002
    """Show a round: its bets, what became of each, and those that will never count."""
    return shown(wire.Round, round_views.round_view(house, round))
