"""Incidents in the database: what each is now, and the records in which something happened to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select, update

from house.store import rows
from house.store.unit_of_work import Unit

_INCIDENT = rows.table(rows.IncidentRow)
_EVENT = rows.table(rows.IncidentEventRow)
_RECORD = rows.table(rows.RecordRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredIncident:
    """An incident.

    Parameters
    ----------
    subject
        What it is about within its set: the key of monitors that speak of the same thing.
    reason, evidence_at_close
        Code of the reason for which it was closed, and log10 e then; None while it is open.
    raised
        Number of the record that raised it.
    """

    number: int
    watch: int
    subject: str
    table: str
    throw: int
    raised: int
    gaming_day: str
    status: str = "open"
    assigned: str | None = None
    reason: str | None = None
    evidence_at_close: str | None = None


def next_number(connection: Connection) -> int:
    """Number of the next incident, from 0."""
    return int(connection.execute(select(func.coalesce(func.max(_INCIDENT.c.number), -1))).scalar_one()) + 1


def add(unit: Unit, incident: StoredIncident) -> None:
    """Keep an incident that a record raised."""
    names = ("number", "watch", "subject", "throw", "raised", "gaming_day", "status")
    values = {name: getattr(incident, name) for name in names}
    unit.connection.execute(insert(_INCIDENT), {**values, "table_id": incident.table})
    note(unit, incident.number, "raised", incident.raised)


def note(unit: Unit, number: int, event: str, record: int) -> None:
    """Keep that a record did something to an incident."""
    unit.connection.execute(insert(_EVENT), {"record": record, "incident": number, "event": event})


def change(unit: Unit, number: int, **values: str) -> None:
    """Change what an incident is now: status, assigned, reason, evidence_at_close."""
    unit.connection.execute(update(_INCIDENT).where(_INCIDENT.c.number == number).values(values))


def get(connection: Connection, number: int) -> StoredIncident | None:
    """An incident by number."""
    row = connection.execute(select(_INCIDENT).where(_INCIDENT.c.number == number)).one_or_none()
    return None if row is None else _stored(row)


def of_watch(connection: Connection, watch: int) -> tuple[StoredIncident, ...]:
    """Incidents of a set, in order."""
    query = select(_INCIDENT).where(_INCIDENT.c.watch == watch).order_by(_INCIDENT.c.number)
    return tuple(_stored(row) for row in connection.execute(query))


def after(
    connection: Connection, number: int, limit: int, *, status: str | None, table: str | None
) -> tuple[StoredIncident, ...]:
    """Incidents by number, beyond one, of a status and a table if these are asked."""
    query = select(_INCIDENT).where(_INCIDENT.c.number > number)
    if status is not None:
        query = query.where(_INCIDENT.c.status == status)
    if table is not None:
        query = query.where(_INCIDENT.c.table_id == table)
    return tuple(_stored(row) for row in connection.execute(query.order_by(_INCIDENT.c.number).limit(limit)))


def of_day(connection: Connection, gaming_day: str) -> tuple[StoredIncident, ...]:
    """Incidents raised on a gaming day, and those from before that are open, in order."""
    open_before = (_INCIDENT.c.gaming_day < gaming_day) & (_INCIDENT.c.status == "open")
    query = select(_INCIDENT).where((_INCIDENT.c.gaming_day == gaming_day) | open_before)
    return tuple(_stored(row) for row in connection.execute(query.order_by(_INCIDENT.c.number)))


def events(connection: Connection, number: int) -> Sequence[tuple[str, str]]:
    """What happened to an incident, in order: the event, and the text of its record."""
    query = (
        select(_EVENT.c.event, _RECORD.c.body)
        .join(_RECORD, _RECORD.c.number == _EVENT.c.record)
        .where(_EVENT.c.incident == number)
        .order_by(_EVENT.c.record)
    )
    return [(row.event, row.body) for row in connection.execute(query)]


def of_records(connection: Connection) -> Iterator[tuple[int, list[Any]]]:
    """What happened to incidents by record: number and event."""
    query = select(_EVENT).order_by(_EVENT.c.record).execution_options(yield_per=1000)
    return ((row.record, [[row.incident, row.event]]) for row in connection.execute(query))


def _stored(row: Row[Any]) -> StoredIncident:
    values = dict(row._mapping)
    return StoredIncident(**{"table" if name == "table_id" else name: value for name, value in values.items()})
