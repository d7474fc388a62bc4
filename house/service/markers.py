"""Markers: credit that a player takes against his signature, up to a line that two people agreed to, and pays back."""

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from house.domain.ids import PlayerId
from house.domain.ledger import marker
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.cage import book_event, check_amount, known_player
from house.service.desk import Command, House, Work
from house.service.play import open_table
from house.service.solvency import check_reserve
from house.store import ledger, records
from house.store import slips as store


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """What a player owes on markers, and the most that he may."""

    player: str
    owed_minor: int
    line_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetCreditLine(Command[Credit]):
    """Agree what a player may owe at most; below what he owes, he only pays back. Refused: BAD_VALUE, NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    player: str
    line_minor: int

    def run(self, work: Work) -> Credit:
        """Note and keep the line."""
        check_amount(self.line_minor, "line_minor", least=0)
        player = known_player(work.connection, self.player)
        before = store.credit_line(work.connection, player)
        noted = {"event": "credit_line", "player": player, "before": before, "line": self.line_minor}
        records.append(work.unit, "limit_change", None, noted)
        store.set_credit_line(work.unit, player, self.line_minor)
        return _credit(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueMarker(Command[Credit]):
    """Give a player chips against a signed marker: from a table's rack, or from the vault at the cage.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, TABLE_CLOSED, ABOVE_MAXIMUM (the line), PLAYER_EXCLUDED, PLAYER_LIMIT, INSUFFICIENT_FUNDS
        (the house's own money must cover what tables may still lose).
    """

    scope: ClassVar[Scope] = Scope.SLIPS_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    player: str
    amount_minor: int
    table: str | None = None

    def run(self, work: Work) -> Credit:
        """Check the line and book the marker."""
        check_amount(self.amount_minor, "amount_minor")
        player = known_player(work.connection, self.player)
        table = None if self.table is None else open_table(work.connection, self.table).id
        credit = _credit(work.connection, player)
        owed = credit.owed_minor + self.amount_minor
        if owed > credit.line_minor:
            message = "the player's markers would pass the credit line"
            raise Refused(Refusal.ABOVE_MAXIMUM, message, "amount_minor", str(owed), str(credit.line_minor))
        noted = {"player": player, "amount": self.amount_minor}
        book_event(work, "cage", "marker", table, noted, field="amount_minor")
        check_reserve(work.connection, "amount_minor", self.amount_minor)
        return _credit(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeemMarker(Command[Credit]):
    """Let a player pay back what he owes, in cash or from his wallet.

    Refused: BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS.
    """

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    player: str
    amount_minor: int
    cash: bool = True

    def run(self, work: Work) -> Credit:
        """Book the payment."""
        check_amount(self.amount_minor, "amount_minor")
        player = known_player(work.connection, self.player)
        noted = {"player": player, "amount": self.amount_minor, "cash": self.cash}
        book_event(work, "cage", "marker_paid", None, noted, field="amount_minor")
        return _credit(work.connection, player)


def credit(house: House, player: str) -> Credit:
    """Return what a player owes and may owe. Refused: NOT_FOUND."""
    with house.read() as connection:
        return _credit(connection, known_player(connection, player))


def _credit(connection: Connection, player: PlayerId) -> Credit:
    owed = ledger.normal(connection, marker(player))
    return Credit(player=player, owed_minor=owed, line_minor=store.credit_line(connection, player))
