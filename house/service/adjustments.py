"""Adjustments for throws that can be corrected no more, and what players owe since their wallets were short."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from house.domain import corrections as domain
from house.domain.corrections import Cause, Direction, owed
from house.domain.ids import PlayerId
from house.domain.ledger import Entry, wallet
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.cage import check_amount, known_player
from house.service.desk import Command, House, Work
from house.service.play import known_table
from house.service.solvency import check_reserve
from house.store import ledger
from house.store.ledger import Booking
from house.store.tables import StoredTable

__all__ = ["Adjust", "Adjusted", "Cause", "CollectOwed", "Direction", "Owed", "debtors", "lent_by", "owed_by", "owing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owed:
    """What a player owes the house, minor units."""

    player: str
    owed_minor: int


def owing(table: str | None, entries: Sequence[Entry], balances: Mapping[str, int], reason: str) -> tuple[Booking, ...]:
    """The entries by which what is short after all others is owed.

    Parameters
    ----------
    balances
        Signed balances before the others, minor units; an account that is not there has 0.
    """
    covering = domain.covering(domain.net_of(entries), balances)
    return tuple(Booking(entry, table, reason=reason) for entry in covering)


def lent_by(work: Work, table: str | None, entries: Sequence[Entry], reason: str) -> tuple[Booking, ...]:
    """What `owing` says of the balances as they are; accounts of those who owe for the first time are opened."""
    names = sorted(domain.net_of(entries))
    balances = {one.account: one.signed for one in ledger.balances(work.connection, names)}
    bookings = owing(table, entries, balances, reason)
    debtors = {line.account: None for one in bookings for line in one.entry.postings if line.account.endswith(OWED)}
    known = {one.account for one in ledger.balances(work.connection, list(debtors))}
    new = [_debtor(account) for account in debtors if account not in known]
    ledger.open_accounts(work.unit, [owed(player) for player in new])
    return bookings


OWED = ":owed"


def _debtor(account: str) -> PlayerId:
    """The player whose debt an account keeps."""
    return PlayerId(account.removeprefix("player:").removesuffix(OWED))


def owed_by(connection: Connection, bookings: Sequence[Booking]) -> tuple[Owed, ...]:
    """What the players owe who owe more by some entries."""
    accounts = {line.account for one in bookings for line in one.entry.postings if line.account.endswith(OWED)}
    found = ledger.balances(connection, sorted(accounts))
    return tuple(Owed(player=_debtor(one.account), owed_minor=one.normal) for one in found)


def check_made(table: StoredTable, number: int) -> None:
    """Check that a table made a throw. Refused: NOT_FOUND."""
    if not 0 <= number < table.next_throw:
        limit = f"0 to {table.next_throw - 1}" if table.next_throw else "none yet"
        raise Refused(Refusal.NOT_FOUND, "no such throw was made at the table", "throw", str(number)[:40], limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted:
    """What an adjustment did: the number of its record, and what the player has and owes after it."""

    record: int
    player: str
    wallet_minor: int
    owed_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjust(Command[Adjusted]):
    """Pay a player, or take from him, what a throw paid wrongly that can be corrected no more.

    Parameters
    ----------
    table, throw
        The throw, at a table that may be closed.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS (the vault, but for what tables may still lose).
    """

    scope: ClassVar[Scope] = Scope.CORRECTIONS_WRITE
    approval: ClassVar[Scope] = Scope.CORRECTIONS_APPROVE
    player: str
    direction: Direction
    amount_minor: int
    table: str
    throw: int
    cause: Cause

    def run(self, work: Work) -> Adjusted:
        """Book the amount, and what a wallet that is short of it owes."""
        check_amount(self.amount_minor, "amount_minor")
        player = known_player(work.connection, self.player)
        table = known_table(work.connection, self.table)
        check_made(table, self.throw)
        entry = domain.adjusted(player, self.direction, self.amount_minor)
        lent = lent_by(work, table.id, [entry], self.cause.value)
        noted = {
            "player": player,
            "direction": self.direction.value,
            "amount": self.amount_minor,
            "number": self.throw,
            "reason": self.cause.value,
        }
        bookings = [Booking(entry, table.id, reason=self.cause.value), *lent]
        record = ledger.book(work.unit, "adjustment", table.id, noted, bookings, field="amount_minor")
        if self.direction is Direction.TO_PLAYER:
            check_reserve(work.connection, "amount_minor", self.amount_minor)
        return _adjusted(work.connection, player, record)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectOwed(Command[Adjusted]):
    """Take what a player owes from his wallet. Refused: BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Adjusted:
        """Book the amount."""
        check_amount(self.amount_minor, "amount_minor")
        player = known_player(work.connection, self.player)
        due = owed_minor(work.connection, player)
        if self.amount_minor > due:
            message, limit = "the player does not owe so much", f"at most {due}"
            raise Refused(Refusal.BAD_VALUE, message, "amount_minor", str(self.amount_minor), limit)
        noted = {"player": player, "amount": self.amount_minor}
        booking = Booking(domain.collected(player, self.amount_minor))
        record = ledger.book(work.unit, "owed_collected", None, noted, [booking], field="amount_minor")
        return _adjusted(work.connection, player, record)


def owed_minor(connection: Connection, player: PlayerId) -> int:
    """What a player owes since a correction or an adjustment, minor units."""
    found = ledger.balances(connection, [owed(player).name])
    return found[0].normal if found else 0


def _adjusted(connection: Connection, player: PlayerId, record: int) -> Adjusted:
    has = ledger.normal(connection, wallet(player))
    return Adjusted(record=record, player=player, wallet_minor=has, owed_minor=owed_minor(connection, player))


def debtors(house: House, after: str = "", limit: int | None = None) -> tuple[Owed, ...]:
    """List the players beyond one who owe the house since a correction or an adjustment, by id; None lists them all."""
    with house.read() as connection:
        found = (Owed(player=_debtor(one.account), owed_minor=one.normal) for one in ledger.ending(connection, OWED))
        due = sorted((one for one in found if one.owed_minor and one.player > after), key=lambda one: one.player)
    return tuple(due[:limit])
