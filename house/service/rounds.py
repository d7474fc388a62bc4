"""Rounds that other systems play on the house's wallets: bet, win, rollback, end, and what becomes of what hangs.

A call names its idempotency key; the money that it moves has an id of its sender's (`transaction`) besides, which
counts once for ever, under whatever key and in whatever order it comes (`house.domain.rounds`). Stakes ride until a
win, a rollback or the end of the round. The money of rounds lies in a rack of its own, which has no floor: a win is
paid though the house is short, and though the player was locked or excluded meanwhile. Only new bets ask for that.
"""

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from house.domain import rounds as domain
from house.domain.ids import PlayerId, check_id
from house.domain.ledger import ROUNDS, ROUNDS_WIN, VAULT, Entry, EntryKind, moves, wallet
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.rounds import Kind, Known, Transfer
from house.service.cage import check_amount, known_player
from house.service.desk import Command, House, Work, perform
from house.store import house as house_store
from house.store import ledger, records
from house.store import rounds as store
from house.store.ledger import Booking
from house.store.rounds import StoredTransfer
from house.store.unit_of_work import microseconds

LEASE_S = 86_400
LONGEST_LEASE_S = 30 * 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a message did, the same whenever it is repeated.

    Parameters
    ----------
    transaction
        Of the first message that did this: a second rollback of a bet is answered as the first was.
    reference
        The bet of a win or a rollback; None for a bet.
    tombstone
        Whether the bet of a rollback was not known, so that it will never count.
    wallet_minor
        The player's wallet after the first message.
    """

    transaction: str
    kind: Kind
    round: str
    player: str
    amount_minor: int
    reference: str | None
    tombstone: bool
    wallet_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BetOnRound(Command[Carried]):
    """Take a player's stake for a round.

    Parameters
    ----------
    currency
        Must be that of the books.
    lease_s
        Seconds for which the round is live at least; what is open afterwards may be recovered.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, MISMATCH, ROLLED_BACK, BET_CLOSED (the round ended), INSUFFICIENT_FUNDS, or as any other
        bet of the player is refused.
    """

    scope: ClassVar[Scope] = Scope.ROUNDS_WRITE
    transaction: str
    round: str
    player: str
    amount_minor: int
    currency: str
    lease_s: int = LEASE_S

    def run(self, work: Work) -> Carried:
        """Hold the stake."""
        if type(self.lease_s) is not int or not 1 <= self.lease_s <= LONGEST_LEASE_S:
            limit = f"a whole number from 1 to {LONGEST_LEASE_S}"
            raise Refused(Refusal.BAD_VALUE, f"lease_s must be {limit}", "lease_s", str(self.lease_s)[:40], limit)
        return _carry(work, _read(self, Kind.BET, self.transaction), self.currency, self.lease_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class WinOnRound(Command[Carried]):
    """Pay a player what a bet of his won, the stake in it; the first win settles the bet.

    Parameters
    ----------
    reference
        Transaction of the bet.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND (no such bet was taken), MISMATCH, ROLLED_BACK. Never for want of money, or because the
        player or the round is closed to new bets.
    """

    scope: ClassVar[Scope] = Scope.ROUNDS_WRITE
    transaction: str
    reference: str
    round: str
    player: str
    amount_minor: int
    currency: str

    def run(self, work: Work) -> Carried:
        """Pay it."""
        return _carry(work, _read(self, Kind.WIN, self.reference), self.currency)


@dataclass(frozen=True, slots=True, kw_only=True)
class RollBackBet(Command[Carried]):
    """Undo a bet, whether it came already or not: if not, it never counts.

    Parameters
    ----------
    reference
        Transaction of the bet.
    amount_minor
        Its stake.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND (the player), MISMATCH (player, round, amount or currency are not those of the bet),
        SETTLED (a win was paid on it).
    """

    scope: ClassVar[Scope] = Scope.ROUNDS_WRITE
    transaction: str
    reference: str
    round: str
    player: str
    amount_minor: int
    currency: str

    def run(self, work: Work) -> Carried:
        """Give the stake back, or keep the tombstone."""
        return _carry(work, _read(self, Kind.ROLLBACK, self.reference), self.currency)


def _read(asked: BetOnRound | WinOnRound | RollBackBet, kind: Kind, bet: str) -> Transfer:
    """Check the form of a message. Refused: BAD_VALUE."""
    check_amount(asked.amount_minor, "amount_minor")
    return Transfer(
        id=check_id(asked.transaction, "transaction"),
        kind=kind,
        round=check_id(asked.round, "round"),
        player=PlayerId(asked.player),
        amount=asked.amount_minor,
        bet=check_id(bet, "reference"),
    )


def _carry(work: Work, sent: Transfer, currency: str, lease_s: int | None = None) -> Carried:
    """Carry a message out once, and answer it as it was answered first."""
    known_player(work.connection, sent.player)
    books = house_store.currency(work.connection)
    if currency != books:
        raise Refused(Refusal.MISMATCH, "the books are in another currency", "currency", currency[:8], books)
    first = store.get(work.connection, sent.id)
    if first is not None:
        domain.check_repeat(sent, first.transfer)
        return _carried(work.connection, first)
    _check_reference(work.connection, sent)
    known = store.known(work.connection, sent.bet, sent.round)
    if sent.kind is Kind.ROLLBACK and known.rollback is not None:
        done = store.reversal(work.connection, sent.bet)
        assert done is not None, "a rollback that is known is kept"
        domain.check_same_bet(sent, done.transfer)
        return _carried(work.connection, done)
    entry = domain.book(sent, known)
    return _carried(work.connection, _keep(work, sent, entry, lease_s))


def _check_reference(connection: Connection, sent: Transfer) -> None:
    """Check that what a win or a rollback refers to is a bet, if it is known."""
    found = None if sent.kind is Kind.BET else store.get(connection, sent.bet)
    if found is not None and found.transfer.kind is not Kind.BET:
        message = f"it is the transaction of a {found.transfer.kind}"
        raise Refused(Refusal.MISMATCH, message, "reference", sent.bet, "the transaction of a bet")


def _keep(work: Work, sent: Transfer, entry: Entry | None, lease_s: int | None) -> StoredTransfer:
    """Write the record of a message with its entry, and keep the message."""
    lease_us = None if lease_s is None else work.unit.at_us + lease_s * 1_000_000
    own = wallet(sent.player).name
    moved = 0 if entry is None else -sum(line.amount for line in entry.postings if line.account == own)
    after = ledger.normal(work.connection, wallet(sent.player)) + moved
    noted = {
        "event": sent.kind.value,
        "transaction": sent.id,
        "round": sent.round,
        "player": sent.player,
        "amount": sent.amount,
        "reference": sent.bet,
        "lease_us": lease_us,
        "wallet": after,
    }
    bookings = [] if entry is None else [Booking(entry, round=sent.round, wager=sent.bet)]
    record = ledger.book(work.unit, "round", None, noted, bookings, field="amount_minor")
    kept = StoredTransfer(transfer=sent, lease_us=lease_us, wallet_after=after, record=record)
    store.add(work.unit, kept)
    return kept


def _carried(connection: Connection, kept: StoredTransfer) -> Carried:
    one = kept.transfer
    body = records.get(connection, kept.record)
    assert body is not None, "a transfer has its record"
    return Carried(
        transaction=one.id,
        kind=one.kind,
        round=one.round,
        player=one.player,
        amount_minor=one.amount,
        reference=None if one.kind is Kind.BET else one.bet,
        tombstone="entries" not in body.body,
        wallet_minor=kept.wallet_after,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A round that takes no bets any more, and the bets that were lost with it."""

    round: str
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRound(Command[Ended]):
    """End a round: bets on which no win was paid are lost. A win or a rollback may still come. Refused: BAD_VALUE."""

    scope: ClassVar[Scope] = Scope.ROUNDS_WRITE
    round: str

    def run(self, work: Work) -> Ended:
        """Let the house keep what is open; an ended round is answered as before."""
        check_id(self.round, "round")
        done = store.end_record(work.connection, self.round)
        if done is not None:
            body = records.get(work.connection, done)
            assert body is not None, "an end has its record"
            return Ended(round=self.round, lost=tuple(body.body["bets"]) if body.body["event"] == "end" else ())
        bets = store.open_bets(work.connection, self.round)
        bookings = [Booking(domain.lost(bet), round=self.round, wager=bet.id) for bet in bets]
        noted = {"event": "end", "round": self.round, "bets": [bet.id for bet in bets]}
        record = ledger.book(work.unit, "round", None, noted, bookings)
        store.end(work.unit, self.round, record)
        return Ended(round=self.round, lost=tuple(bet.id for bet in bets))


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """Rounds whose lease ran out, and the stakes that went back to their players."""

    rounds: tuple[str, ...]
    bets: int
    returned_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoverRounds(Command[Recovered]):
    """Return the stakes that hang in rounds whose lease ran out, and end those rounds.

    A live round is left alone, whatever its sender does; nothing is guessed of who won. Each bet is returned once, by a
    rollback of the house's own, after which neither a win nor a rollback of the sender moves anything.
    """

    scope: ClassVar[Scope] = Scope.ROUNDS_WRITE
    most: int = 100

    def run(self, work: Work) -> Recovered:
        """Recover at most as many rounds."""
        check_amount(self.most, "most")
        found = store.expired(work.connection, work.unit.at_us, min(self.most, 1000))
        bets = [bet for round_ in found for bet in _recover(work, round_)]
        return Recovered(rounds=found, bets=len(bets), returned_minor=sum(bet.amount for bet in bets))


def _recover(work: Work, round_: str) -> tuple[Transfer, ...]:
    bets = store.open_bets(work.connection, round_)
    bookings = [
        Booking(domain.returned(bet, Known(bet=bet)), round=round_, wager=bet.id, reason="lease_expired")
        for bet in bets
    ]
    wallets = {bet.player: ledger.normal(work.connection, wallet(bet.player)) for bet in bets}
    noted = {"event": "recovered", "round": round_, "bets": domain.recovered(bets, wallets)}
    record = ledger.book(work.unit, "round", None, noted, bookings)
    for kept in store.returned({**noted, "record": record}):
        store.add(work.unit, kept)
    store.end(work.unit, round_, record)
    return bets


def recover(house: House) -> int:
    """Recover every round whose lease ran out, for the house itself; return how many there were."""
    count = 0
    while True:
        with house.read() as connection:
            if not store.expired(connection, microseconds(house.now()), 1):
                return count
        reply = perform(house, RecoverRounds(), f"recovery-{house.entropy(16).hex()}")
        count += len(reply.answer.rounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsMoney:
    """The money of rounds: what lies in their rack, what the house won by them, and the stakes that ride."""

    float_minor: int
    win_minor: int
    held_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRounds(Command[RoundsMoney]):
    """Bring what rounds brought to the vault, or what they cost from there. Refused: INSUFFICIENT_FUNDS (the vault)."""

    scope: ClassVar[Scope] = Scope.VAULT_WRITE

    def run(self, work: Work) -> RoundsMoney:
        """Empty the rack of the rounds."""
        lies = ledger.normal(work.connection, ROUNDS)
        if lies:
            entry = swept(lies)
            noted = {"event": "sweep", "amount": lies}
            ledger.book(work.unit, "round", None, noted, [Booking(entry)], field="amount_minor")
        return _money(work.connection)


def swept(lies: int) -> Entry:
    """Bring a signed amount from the rack of the rounds to the vault."""
    debit, credit = (VAULT, ROUNDS) if lies > 0 else (ROUNDS, VAULT)
    return moves(EntryKind.ROUND_SWEEP, (debit, credit, abs(lies)))


def money(house: House) -> RoundsMoney:
    """Return the money of rounds."""
    with house.read() as connection:
        return _money(connection)


def _money(connection: Connection) -> RoundsMoney:
    return RoundsMoney(
        float_minor=ledger.normal(connection, ROUNDS),
        win_minor=ledger.normal(connection, ROUNDS_WIN),
        held_minor=sum(store.held(connection).values()),
    )
