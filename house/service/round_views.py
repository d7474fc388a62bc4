"""Rounds of other systems as they stand: bets, what became of each, and those that will never count."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from house.domain.refusals import Refusal, Refused
from house.domain.rounds import Kind
from house.service.desk import House
from house.store import rounds as store
from house.store.rounds import StoredTransfer
from house.store.unit_of_work import moment


class BetState(StrEnum):
    """What became of a bet."""

    OPEN = "open"
    WON = "won"
    LOST = "lost"
    ROLLED_BACK = "rolled_back"


@dataclass(frozen=True, slots=True, kw_only=True)
class BetView:
    """A bet of a round: what became of it, what its wins paid, and until when its round is live."""

    transaction: str
    player: str
    amount_minor: int
    state: BetState
    paid_minor: int
    live_until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView:
    """A round: whether it is over, its bets in the order in which they came, and bets that will never count."""

    round: str
    ended: bool
    bets: tuple[BetView, ...]
    tombstones: tuple[str, ...]


def round_view(house: House, round_: str) -> RoundView:
    """Show a round. Refused: NOT_FOUND."""
    with house.read() as connection:
        kept, ended = store.of_round(connection, round_), store.ended(connection, round_)
    if not kept and not ended:
        raise Refused(Refusal.NOT_FOUND, "no such round is known", "round", round_[:64])
    bets = [one for one in kept if one.transfer.kind is Kind.BET]
    back = {one.transfer.bet for one in kept if one.transfer.kind is Kind.ROLLBACK}
    paid: dict[str, int] = {}
    for one in kept:
        if one.transfer.kind is Kind.WIN:
            paid[one.transfer.bet] = paid.get(one.transfer.bet, 0) + one.transfer.amount
    return RoundView(
        round=round_,
        ended=ended,
        bets=tuple(_bet_view(one, one.transfer.id in back, paid.get(one.transfer.id, 0), ended) for one in bets),
        tombstones=tuple(sorted(back - {one.transfer.id for one in bets})),
    )


def _bet_view(kept: StoredTransfer, back: bool, paid: int, ended: bool) -> BetView:
    states = ((back, BetState.ROLLED_BACK), (paid > 0, BetState.WON), (ended, BetState.LOST), (True, BetState.OPEN))
    assert kept.lease_us is not None, "a bet has a lease"
    return BetView(
        transaction=kept.transfer.id,
        player=kept.transfer.player,
        amount_minor=kept.transfer.amount,
        state=next(state for holds, state in states if holds),
        paid_minor=paid,
        live_until=moment(kept.lease_us),
    )
