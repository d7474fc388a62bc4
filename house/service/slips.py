"""Fills, credits and the drop: how chips and cash come to a table and leave it, each with two people."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from sqlalchemy import Connection

from house.domain.ids import TableId
from house.domain.ledger import drop_box, table_float
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.slips import SlipKind, check_denominations, check_reason
from house.service.cage import Balance, balance_of, book_event, check_amount, known_player
from house.service.desk import Command, House, Work
from house.service.play import known_table, open_table
from house.service.solvency import check_reserve
from house.store import ledger
from house.store import slips as store
from house.store.slips import StoredSlip


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A fill or a credit, by its number.

    Parameters
    ----------
    number
        Dense from 1 within the kind, over all tables; a voided slip keeps its number.
    denominations
        Chips by value in minor units; empty where they were not told.
    voided
        Why it was voided; None for one that stands.
    """

    kind: SlipKind
    number: int
    table: str
    amount_minor: int
    denominations: dict[int, int]
    by: str
    second: str | None
    at_us: int
    gaming_day: str
    record: int
    voided: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteSlip(Command[Slip]):
    """Bring chips to a table's rack from the vault (a fill), or from the rack to the vault (a credit).

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, TABLE_CLOSED; INSUFFICIENT_FUNDS where the vault (but for what tables may still lose) or
        the rack does not hold the amount.
    """

    scope: ClassVar[Scope] = Scope.SLIPS_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    kind: SlipKind
    table: str
    amount_minor: int
    denominations: Mapping[int, int] = field(default_factory=dict)

    def run(self, work: Work) -> Slip:
        """Number the slip and book it."""
        check_amount(self.amount_minor, "amount_minor")
        check_denominations(self.denominations, self.amount_minor)
        table = open_table(work.connection, self.table)
        number = store.next_number(work.connection, self.kind.value)
        chips = {str(value): count for value, count in self.denominations.items()}
        noted = {"slip": number, "amount": self.amount_minor, "denominations": chips}
        name, event = f"{self.kind} {number}", self.kind.value
        record = book_event(work, "slip", event, table.id, noted, field="amount_minor", reason=name)
        _check_moved(work.connection, table.id, self.kind, self.amount_minor)
        slip = StoredSlip(
            kind=self.kind.value,
            number=number,
            table=table.id,
            amount=self.amount_minor,
            denominations=dict(self.denominations),
            by=work.unit.by,
            second=work.unit.second,
            at_us=work.unit.at_us,
            gaming_day=work.unit.gaming_day,
            record=record,
        )
        store.add(work.unit, slip)
        return _slip(slip)


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidSlip(Command[Slip]):
    """Undo a slip by a counter-entry; its number stays used.

    Refused: BAD_VALUE (reason), NOT_FOUND, TABLE_CLOSED, STATE_CHANGED (voided already), INSUFFICIENT_FUNDS.
    """

    scope: ClassVar[Scope] = Scope.SLIPS_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    kind: SlipKind
    number: int
    reason: str

    def run(self, work: Work) -> Slip:
        """Book the amount back and note why."""
        reason = check_reason(self.reason)
        slip = store.get(work.connection, self.kind.value, self.number)
        if slip is None:
            raise Refused(Refusal.NOT_FOUND, "no slip of this kind has this number", "number", str(self.number)[:40])
        open_table(work.connection, slip.table)
        if slip.voided is not None:
            raise Refused(Refusal.STATE_CHANGED, "the slip is void already", "number", str(slip.number))
        back = _OTHER[self.kind]
        noted = {"slip_kind": slip.kind, "slip": slip.number, "amount": slip.amount, "reason": reason}
        why = f"{slip.kind} {slip.number}: {reason}"
        record = book_event(work, "slip", "slip_void", slip.table, noted, field="number", reason=why)
        _check_moved(work.connection, slip.table, back, slip.amount, "number")
        store.void(work.unit, slip, reason, record)
        return _slip(replace(slip, voided=reason))


_OTHER = {SlipKind.FILL: SlipKind.CREDIT, SlipKind.CREDIT: SlipKind.FILL}


def _check_moved(connection: Connection, table: str, kind: SlipKind, amount: int, name: str = "amount_minor") -> None:
    """Check what was moved: a fill leaves what tables may lose, a credit takes no more than lay in the rack."""
    if kind is SlipKind.FILL:
        check_reserve(connection, name, amount)
    elif (left := ledger.normal(connection, table_float(TableId(table)))) < 0:
        message, limit = "the rack does not hold the amount", f"at most {max(0, amount + left)}"
        raise Refused(Refusal.INSUFFICIENT_FUNDS, message, name, str(amount), limit)


def _slip(slip: StoredSlip) -> Slip:
    return Slip(
        kind=SlipKind(slip.kind),
        number=slip.number,
        table=slip.table,
        amount_minor=slip.amount,
        denominations=slip.denominations,
        by=slip.by,
        second=slip.second,
        at_us=slip.at_us,
        gaming_day=slip.gaming_day,
        record=slip.record,
        voided=slip.voided,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBuyIn(Command[Balance]):
    """Take a player's cash at a table: it goes into the drop box, and chips from the rack are the player's.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, TABLE_CLOSED, PLAYER_EXCLUDED, PLAYER_LIMIT.
    """

    scope: ClassVar[Scope] = Scope.SLIPS_WRITE
    table: str
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book the cash into the box, the chips from the rack behind the wallet."""
        check_amount(self.amount_minor, "amount_minor")
        player = known_player(work.connection, self.player)
        table = open_table(work.connection, self.table)
        noted = {"player": player, "amount": self.amount_minor}
        book_event(work, "cage", "drop", table.id, noted, field="amount_minor")
        return balance_of(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class DropCounted:
    """A drop box that was counted; `variance_minor` is what was found over its slips, below 0 what was short."""

    table: str
    counted_minor: int
    slips_minor: int
    variance_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountDrop(Command[DropCounted]):
    """Count a table's drop box into the vault; two people count. Refused: BAD_VALUE, NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    table: str
    counted_minor: int

    def run(self, work: Work) -> DropCounted:
        """Book what was counted; what differs from the slips is booked apart."""
        check_amount(self.counted_minor, "counted_minor", least=0)
        table = known_table(work.connection, self.table)
        slips = ledger.normal(work.connection, drop_box(TableId(table.id)))
        noted = {"counted": self.counted_minor, "slips": slips}
        book_event(work, "cage", "drop_count", table.id, noted, field="counted_minor")
        over = self.counted_minor - slips
        return DropCounted(table=table.id, counted_minor=self.counted_minor, slips_minor=slips, variance_minor=over)


def slips(house: House, kind: SlipKind, after: int = 0, limit: int = 500) -> tuple[Slip, ...]:
    """List slips of a kind by number, voided ones too."""
    with house.read() as connection:
        return tuple(_slip(one) for one in store.after(connection, kind.value, after, limit))
