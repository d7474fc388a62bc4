"""Shifts: where one ends and the next begins, and what two people counted in the racks there."""

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from house.domain.ids import TableId, check_name
from house.domain.ledger import table_float
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.shift import Period
from house.service.cage import check_amount
from house.service.desk import Command, House, Work
from house.service.play import open_table
from house.store import ledger, records
from house.store import sheets as store
from house.store.sheets import StoredShift


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCount:
    """What was counted in the rack of an open table, in minor units."""

    table: str
    counted_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCounted:
    """A rack that was counted, beside what the books say; `difference_minor` is below 0 where it is short."""

    table: str
    counted_minor: int
    booked_minor: int
    difference_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A shift that ended: its number from 1, its name, its gaming day as it ended, and when that was.

    Parameters
    ----------
    at_us
        Microseconds since 1970.
    """

    number: int
    name: str
    gaming_day: str
    at_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftEnded:
    """A shift that ended now, and the racks that were counted."""

    shift: Shift
    counts: tuple[RackCounted, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndShift(Command[ShiftEnded]):
    """End the shift of the house; the next begins with what the books say of the racks.

    Parameters
    ----------
    name
        As the house calls it: "day", "swing", "graveyard".
    counts
        Racks that two people counted; what differs from the books stands on the sheet and is booked by nobody.

    Raises
    ------
    Refused
        BAD_VALUE, NOT_FOUND, TABLE_CLOSED.
    """

    scope: ClassVar[Scope] = Scope.TABLES_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    name: str
    counts: tuple[RackCount, ...] = ()

    def run(self, work: Work) -> ShiftEnded:
        """Note the counts, and where the shift ends."""
        name = check_name(self.name)
        counted = [_counted(work.connection, one, place) for place, one in enumerate(self.counts)]
        if len({one.table for one in counted}) < len(counted):
            raise Refused(Refusal.BAD_VALUE, "a rack is counted once", "counts")
        before = store.last_shift(work.connection)
        number = 1 if before is None else before.number + 1
        lines = [[one.table, one.counted_minor, one.booked_minor] for one in counted]
        noted = {"event": "ended", "shift": number, "name": name, "end_entry": work.unit.next_entry, "counts": lines}
        record = records.append(work.unit, "shift", None, noted)
        ended = StoredShift(
            number=number,
            name=name,
            end_entry=work.unit.next_entry,
            end_record=record,
            gaming_day=work.unit.gaming_day,
            at_us=work.unit.at_us,
        )
        store.add_shift(work.unit, ended, [(one.table, one.counted_minor, one.booked_minor) for one in counted])
        work.unit.checkpoint_wanted = True
        return ShiftEnded(shift=_shift(ended), counts=tuple(counted))


def _counted(connection: Connection, one: RackCount, place: int) -> RackCounted:
    check_amount(one.counted_minor, f"counts[{place}].counted_minor", least=0)
    table = open_table(connection, one.table)
    booked = ledger.normal(connection, table_float(TableId(table.id)))
    return RackCounted(
        table=table.id,
        counted_minor=one.counted_minor,
        booked_minor=booked,
        difference_minor=one.counted_minor - booked,
    )


def shifts(house: House, after: int = 0, limit: int = 500) -> tuple[Shift, ...]:
    """List the shifts that ended, by number."""
    with house.read() as connection:
        return tuple(_shift(one) for one in store.shifts(connection, after, limit))


def _shift(stored: StoredShift) -> Shift:
    return Shift(number=stored.number, name=stored.name, gaming_day=stored.gaming_day, at_us=stored.at_us)


def period_of_shift(connection: Connection, number: int) -> Period:
    """The period of a shift; the number after the last is the shift in progress. Refused: NOT_FOUND."""
    last = store.last_shift(connection)
    begun = 0 if last is None else last.number
    if not 1 <= number <= begun + 1:
        limit = f"from 1 to {begun + 1}"
        raise Refused(Refusal.NOT_FOUND, "no shift has this number", "shift", str(number)[:40], limit)
    before, ended = store.shift(connection, number - 1), store.shift(connection, number)
    first = (0, 0) if before is None else (before.end_entry, before.end_record)
    end = (2**62, 2**62) if ended is None else (ended.end_entry, ended.end_record)
    name = f"shift {number} in progress" if ended is None else f"shift {number} ({ended.name})"
    return Period(name, None, (first[0], end[0]), (first[1], end[1]))
