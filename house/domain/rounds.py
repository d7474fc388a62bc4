"""Rounds of other systems: bets, wins and rollbacks under the ids of their sender, each of which counts once.

What is known of a bet decides what a message about it does, and nothing else: no session, no lock, no clock.

====================  ==================  =======================  ===============================
known of the bet      bet comes           win comes                rollback comes
====================  ==================  =======================  ===============================
nothing               taken, held         refused: NOT_FOUND       a tombstone: the bet never counts
open                  as before           settles the bet, paid    the stake comes back
won                   as before           paid besides             refused: SETTLED
lost (round ended)    as before           paid                     the stake comes back
undone                as before           refused: ROLLED_BACK     as before
tombstone             refused for good    refused: ROLLED_BACK     as before
====================  ==================  =======================  ===============================

"As before" is the answer that the first message was given. A win that was paid is never taken back by a message: what a
player won is his, and a mistake in it is an adjustment of two people. Whoever wants a paid round undone asks for that.
A message under a known id that says anything else than the first is refused: MISMATCH.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from house.domain.ids import PlayerId
from house.domain.ledger import DEPOSITS, ROUNDS, ROUNDS_WIN, Account, Entry, EntryKind, moves, riding, wallet
from house.domain.refusals import Refusal, Refused


class Kind(StrEnum):
    """What a message does."""

    BET = "bet"
    WIN = "win"
    ROLLBACK = "rollback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """A message about a player's money in a round.

    Parameters
    ----------
    id
        The sender's own, used once.
    amount
        Minor units, at least 1: the stake of a bet, or of the bet to undo; what a win pays, the stake in it.
    bet
        Id of the bet that it is about; a bet's own.
    """

    id: str
    kind: Kind
    round: str
    player: PlayerId
    amount: int
    bet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a bet: itself, its rollback, whether a win was paid on it, and whether its round ended."""

    bet: Transfer | None = None
    rollback: Transfer | None = None
    won: bool = False
    ended: bool = False

    @property
    def open(self) -> bool:
        """Whether the stake is held."""
        return self.bet is not None and self.rollback is None and not self.won and not self.ended


def book(transfer: Transfer, known: Known) -> Entry | None:
    """Say what a new message books; None for a tombstone.

    Raises
    ------
    Refused
        MISMATCH, NOT_FOUND, ROLLED_BACK, SETTLED, BET_CLOSED (a bet on a round that ended).
    """
    return _BOOK[transfer.kind](transfer, known)


def _bet(transfer: Transfer, known: Known) -> Entry:
    if known.rollback is not None:
        raise _rolled_back(transfer)
    if known.ended:
        raise Refused(Refusal.BET_CLOSED, "the round takes no bets any more", "round", transfer.round)
    own, held = wallet(transfer.player), riding(transfer.player)
    return moves(EntryKind.ROUND_BET, (own, held, transfer.amount))


def _win(transfer: Transfer, known: Known) -> Entry:
    bet = known.bet
    if bet is None:
        raise Refused(Refusal.NOT_FOUND, "no bet with this id was taken", "reference", transfer.bet)
    _check_same(transfer, bet, "player", "round")
    if known.rollback is not None:
        raise _rolled_back(transfer)
    paid = (
        (ROUNDS_WIN, wallet(bet.player), transfer.amount),
        (DEPOSITS, ROUNDS, transfer.amount),
    )
    return moves(EntryKind.ROUND_WIN, *(_stake_lost(bet) if known.open else ()), *paid)


def _rollback(transfer: Transfer, known: Known) -> Entry | None:
    bet = known.bet
    if bet is None:
        return None
    _check_same(transfer, bet, "player", "round", "amount")
    if known.won:
        raise Refused(Refusal.SETTLED, "a win was paid on this bet", "reference", bet.id)
    return returned(bet, known)


_BOOK = {Kind.BET: _bet, Kind.WIN: _win, Kind.ROLLBACK: _rollback}


def returned(bet: Transfer, known: Known) -> Entry:
    """Give the stake of a bet back, from where it is held or from what the house won by it."""
    if known.open:
        return moves(EntryKind.ROUND_ROLLBACK, (riding(bet.player), wallet(bet.player), bet.amount))
    pairs = ((ROUNDS_WIN, wallet(bet.player), bet.amount), (DEPOSITS, ROUNDS, bet.amount))
    return moves(EntryKind.ROUND_ROLLBACK, *pairs)


def lost(bet: Transfer) -> Entry:
    """Let the house keep the stake of an open bet."""
    return moves(EntryKind.ROUND_LOST, *_stake_lost(bet))


def _stake_lost(bet: Transfer) -> tuple[tuple[Account, Account, int], ...]:
    return (riding(bet.player), ROUNDS_WIN, bet.amount), (ROUNDS, DEPOSITS, bet.amount)


def check_repeat(transfer: Transfer, first: Transfer) -> None:
    """Check that a message under a known id says what the first said. Refused: MISMATCH."""
    _check_same(transfer, first, "kind", "player", "round", "amount", "bet")


def check_same_bet(transfer: Transfer, first: Transfer) -> None:
    """Check that a second rollback of a bet says of it what the first said. Refused: MISMATCH."""
    _check_same(transfer, first, "player", "round", "amount")


def _check_same(transfer: Transfer, first: Transfer, *fields: str) -> None:
    for name in fields:
        given, due = getattr(transfer, name), getattr(first, name)
        if given != due:
            message = f"{name} differs from that of {first.kind} {first.id}"
            raise Refused(Refusal.MISMATCH, message, _FIELDS.get(name, name), str(given), str(due))


_FIELDS = {"amount": "amount_minor", "bet": "reference", "kind": "transaction"}


def _rolled_back(transfer: Transfer) -> Refused:
    return Refused(Refusal.ROLLED_BACK, "this bet was undone for good", "transaction", transfer.id)


def recovery(bet: Transfer) -> Transfer:
    """The rollback of a bet that a recovery makes; no sender can use its id, which has a colon."""
    return replace(bet, id=f"recovered:{bet.id}", kind=Kind.ROLLBACK)


def recovered(bets: Sequence[Transfer], wallets: Mapping[PlayerId, int]) -> list[dict[str, str | int]]:
    """What the record of a recovery says of each bet: its player's wallet is the one after its stake came back.

    Parameters
    ----------
    wallets
        Of each player before the recovery, minor units.
    """
    after = dict(wallets)
    said: list[dict[str, str | int]] = []
    for bet in bets:
        after[bet.player] += bet.amount
        said.append({"bet": bet.id, "player": bet.player, "amount": bet.amount, "wallet": after[bet.player]})
    return said
