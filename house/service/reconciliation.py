"""The daily reconciliation of dice and boxes, by storage area, and the day's incidents, each with the signed root."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection

from house.domain.lives import FIT, ON_HAND, Event, Kind, State
from house.service import incidents
from house.service.desk import House
from house.service.incidents import Incident
from house.service.proofs import Made, made_at
from house.service.sheets import check_day
from house.store import equipment as store
from house.store.equipment import Counted, Happened
from house.store.unit_of_work import moment

LONG = timedelta(hours=24)
"""Time in play after which a die or a box stands on the report by its serial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaLine:
    """Dice or boxes of one storage area over a gaming day.

    Closing = opening + received + returned + moved - issued - destroyed.

    Parameters
    ----------
    moved
        Moved in less moved out.
    closing, reserve
        What lies there at the end of the day, and how much of it is fit for play.
    suspected, sealed, cancelled, failed
        Events of the day; those pieces lie there still, unless they were destroyed.
    counted, difference
        The day's last physical count, and what it found above the books at that moment; None where nobody counted.
    """

    area: str
    kind: Kind
    opening: int
    received: int
    returned: int
    moved: int
    issued: int
    destroyed: int
    closing: int
    reserve: int
    suspected: int
    sealed: int
    cancelled: int
    failed: int
    counted: int | None
    difference: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InUse:
    """A piece that was in play for more than `LONG` at the end of the day, or now if it is not over: `hours`, whole."""

    kind: Kind
    serial: str
    table: str
    issued_day: str
    hours: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where the pieces' rows do not agree with what happened to them."""

    where: str
    found: str
    due: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """Dice and boxes at the end of a gaming day, or now if it is not over.

    Parameters
    ----------
    in_play
        Pieces in play at the end of the day.
    long_in_use
        Those of them that have been so for more than 24 hours, by the times of the records.
    differences
        Rows that do not agree with the events; only of the latest day on which anything happened.
    """

    gaming_day: str
    lines: tuple[AreaLine, ...]
    in_play: int
    long_in_use: tuple[InUse, ...]
    differences: tuple[Difference, ...]
    made: Made


@dataclass(frozen=True, slots=True, kw_only=True)
class DaysIncidents:
    """Incidents raised on a gaming day, and those from before that were still open when the report was made."""

    gaming_day: str
    incidents: tuple[Incident, ...]
    made: Made


@dataclass(slots=True)
class _Ledger:
    """Pieces as the events until the end of a day leave them, and what the day did by area and kind."""

    day: str
    now: dict[tuple[Kind, str], Happened] = field(default_factory=dict)
    flows: Counter[tuple[str, Kind, str]] = field(default_factory=Counter)
    issued: dict[tuple[Kind, str], Happened] = field(default_factory=dict)
    """How each piece came into play last."""

    def add(self, one: Happened) -> None:
        """Follow an event."""
        before, move = self.now.get((one.move.kind, one.move.serial)), one.move
        self.now[move.kind, move.serial] = one
        if move.event is Event.ISSUED:
            self.issued[move.kind, move.serial] = one
        if one.gaming_day != self.day:
            return
        was_here = before is not None and before.move.state in ON_HAND
        is_here = move.state in ON_HAND
        self.flows[move.area, move.kind, f"event {move.event}"] += 1
        if move.event is Event.MOVED and before is not None:
            self.flows[move.area, move.kind, "moved"] += 1
            self.flows[before.move.area, move.kind, "moved"] -= 1
        elif is_here and not was_here:
            self.flows[move.area, move.kind, "received" if before is None else "returned"] += 1
        elif was_here and not is_here:
            self.flows[move.area, move.kind, "issued" if move.state is State.IN_PLAY else "destroyed"] += 1

    def here(self, area: str, kind: Kind, states: Iterable[State]) -> int:
        """Count what lies in an area in some states."""
        wanted = set(states)
        return sum(
            one.move.area == area and one.move.kind is kind and one.move.state in wanted for one in self.now.values()
        )


def reconciliation(house: House, gaming_day: str) -> Reconciliation:
    """Reconcile dice and boxes at the end of a gaming day (YYYY-MM-DD). Refused: BAD_VALUE."""
    day = check_day(gaming_day)
    with house.read() as connection:
        ledger = _Ledger(day)
        for one in store.until(connection, day):
            ledger.add(one)
        counts = {one.area: one for one in store.counts(connection, day)}
        areas = sorted({one.move.area for one in ledger.now.values()} | set(counts))
        return Reconciliation(
            gaming_day=day,
            lines=tuple(_line(ledger, area, kind, counts.get(area)) for area in areas for kind in Kind),
            in_play=sum(one.move.state is State.IN_PLAY for one in ledger.now.values()),
            long_in_use=tuple(_long(ledger, house.end_of(day))),
            differences=_differences(connection, ledger),
            made=made_at(house, connection),
        )


def _line(ledger: _Ledger, area: str, kind: Kind, counted: Counted | None) -> AreaLine:
    flows = {name: ledger.flows[area, kind, name] for name in ("received", "returned", "moved", "issued", "destroyed")}
    closing = ledger.here(area, kind, ON_HAND)
    opening = closing - flows["received"] - flows["returned"] - flows["moved"] + flows["issued"] + flows["destroyed"]
    happened = {
        event.value: ledger.flows[area, kind, f"event {event}"]
        for event in (Event.SUSPECTED, Event.SEALED, Event.CANCELLED, Event.FAILED)
    }
    found = due = None
    if counted is not None:
        found = counted.dice if kind is Kind.DIE else counted.boxes
        due = counted.due_dice if kind is Kind.DIE else counted.due_boxes
    return AreaLine(
        area=area,
        kind=kind,
        opening=opening,
        closing=closing,
        reserve=ledger.here(area, kind, FIT),
        counted=found,
        difference=None if found is None or due is None else found - due,
        **flows,
        **happened,
    )


def _long(ledger: _Ledger, at: datetime) -> Iterable[InUse]:
    """Pieces that are in play for long at a moment; an inspection in play does not take them out of it."""
    for (kind, serial), one in sorted(ledger.now.items()):
        if one.move.state is State.IN_PLAY and one.table is not None:
            issued = ledger.issued[kind, serial]
            since = at - moment(issued.at_us)
            if since > LONG:
                hours = since // timedelta(hours=1)
                yield InUse(kind=kind, serial=serial, table=one.table, issued_day=issued.gaming_day, hours=hours)


def _differences(connection: Connection, ledger: _Ledger) -> tuple[Difference, ...]:
    """Compare every row with the last event of its piece, if nothing happened after the day."""
    if store.latest_day(connection) > ledger.day:
        return ()
    found = {
        (piece.kind, piece.serial): f"{piece.state} at {piece.table or '-'}, {piece.area}"
        for piece in store.every(connection)
    }
    due = {
        key: f"{one.move.state} at {one.table if one.move.state is State.IN_PLAY else '-'}, {one.move.area}"
        for key, one in ledger.now.items()
    }
    return tuple(
        Difference(where=f"{key[0]} {key[1]}", found=found.get(key, "no row"), due=due.get(key, "never received"))
        for key in sorted({*found, *due})
        if found.get(key) != due.get(key)
    )


def days_incidents(house: House, gaming_day: str) -> DaysIncidents:
    """Report the incidents of a gaming day (YYYY-MM-DD). Refused: BAD_VALUE."""
    day = check_day(gaming_day)
    with house.read() as connection:
        found = incidents.of_day(connection, day)
        return DaysIncidents(gaming_day=day, incidents=found, made=made_at(house, connection))
