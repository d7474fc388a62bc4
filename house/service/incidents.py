"""Incidents: what the laboratory raised, who looks into it, what was noted, and for which reason it was closed.

An incident is never opened again. After it is closed the same subject must show ten times the evidence to raise the
next one.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar

from sqlalchemy import Connection

from house.domain.ids import check_id, check_text
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import alarms, watch
from house.service.desk import Command, House, Work
from house.service.people import scopes_of
from house.service.watch import Watched
from house.store import incidents as store
from house.store import people, records, watches
from house.store.incidents import StoredIncident
from house.store.unit_of_work import moment

TEXT = 2000
"""Characters of a note at most."""


class Reason(StrEnum):
    """Why an incident is closed."""

    CONFIRMED = "confirmed"  # the piece is crooked and was sealed or cancelled
    WORN = "worn"  # worn or damaged without intent
    CLEARED = "cleared"  # inspected, and nothing found
    MISREAD = "misread"  # the faces were entered or read wrongly
    FALSE_ALARM = "false_alarm"  # chance: one of those that the budget allows


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happened to an incident: raised, assigned, noted or ended; `text` is what was said, or to whom."""

    record: int
    at: datetime
    event: str
    by: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """An alarm, and what became of it.

    Parameters
    ----------
    accused
        What it is about, in words: "die R-0017", "pair a + b", or "order" for repeats.
    dice, box, shooter
        The set and the box in play, and who had the dice, at the throw that raised it.
    monitor, monitored
        Kind of the monitor and the dice that it watches.
    log10_evalue, bar, weight, alpha, pit_alpha
        The evidence when it was raised and where the monitor alarms; the monitor's share of its set's budget; the
        budgets of the set and of the pit. Decimal text, as the record has them.
    throws
        Throws of the set until then.
    custody
        Numbers of the records of each die's life until then.
    """

    incident: int
    status: str
    table: str
    throw: int
    raised_at: datetime
    gaming_day: str
    accused: str
    attack: str
    words: str
    check: str
    dice: tuple[str, ...]
    box: str | None
    shooter: str | None
    monitor: str
    monitored: tuple[str, ...]
    log10_evalue: str
    bar: str
    weight: str
    alpha: str
    pit_alpha: str
    throws: int
    custody: Mapping[str, tuple[int, ...]]
    assigned: str | None
    reason: str | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignIncident(Command[Incident]):
    """Give an open incident to a person to look into, who may.

    Refused: NOT_FOUND (also a person who is not known, or locked), INCIDENT_CLOSED, BAD_VALUE.
    """

    scope: ClassVar[Scope] = Scope.INCIDENTS_WRITE
    incident: int
    person: str

    def run(self, work: Work) -> Incident:
        """Note who looks into it."""
        found = _open(work.connection, self.incident)
        person = check_id(self.person, "person")
        known = people.find(work.connection, person)
        if known is None or known.locked:
            raise Refused(Refusal.NOT_FOUND, "nobody with this id may enter the house", "person", person)
        if self.scope not in scopes_of(known):
            message = f"who looks into an incident needs the scope {self.scope}"
            raise Refused(Refusal.BAD_VALUE, message, "person", person)
        _note(work, found, "assigned", {"person": person})
        store.change(work.unit, found.number, assigned=person)
        return shown(work.connection, replace(found, assigned=person))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteIncident(Command[Incident]):
    """Note something about an incident, open or closed. Refused: NOT_FOUND, BAD_VALUE."""

    scope: ClassVar[Scope] = Scope.INCIDENTS_WRITE
    incident: int
    text: str

    def run(self, work: Work) -> Incident:
        """Keep the note."""
        found = _known(work.connection, self.incident)
        _note(work, found, "noted", {"text": _said(self.text)})
        return shown(work.connection, found)


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseIncident(Command[Incident]):
    """Close an incident for a reason; it is never opened again. Refused: NOT_FOUND, INCIDENT_CLOSED, BAD_VALUE."""

    scope: ClassVar[Scope] = Scope.INCIDENTS_WRITE
    incident: int
    reason: Reason
    text: str

    def run(self, work: Work) -> Incident:
        """Note the reason, and the evidence that the next incident about the same must exceed tenfold."""
        found = _open(work.connection, self.incident)
        now = _watched(work, found)
        evidence = f"{alarms.greatest(now.watch.dice, now.panel, now.state, found.subject):.4f}"
        said = {"reason": self.reason.value, "text": _said(self.text), "evidence_at_close": evidence}
        _note(work, found, "ended", said)
        reason = self.reason.value
        store.change(work.unit, found.number, status="closed", reason=reason, evidence_at_close=evidence)
        watch.rebar(work, found.watch)
        closed = replace(found, status="closed", reason=reason, evidence_at_close=evidence)
        return shown(work.connection, closed)


def _watched(work: Work, incident: StoredIncident) -> Watched:
    """The monitors of an incident's set as they stand."""
    for sets in work.unit.memory.values():
        for each in sets:
            if each.watch.number == incident.watch:
                found: Watched = each
                return found
    return watch.load(work.connection, watches.get(work.connection, incident.watch))


def _said(text: str) -> str:
    return check_text(text, "text", TEXT)


def _note(work: Work, incident: StoredIncident, event: str, said: Mapping[str, str]) -> None:
    body = {"event": event, "incident": incident.number, **said}
    store.note(work.unit, incident.number, event, records.append(work.unit, "incident", incident.table, body))


def _known(connection: Connection, number: int) -> StoredIncident:
    found = store.get(connection, number)
    if found is None:
        raise Refused(Refusal.NOT_FOUND, "no incident has this number", "incident", str(number)[:20])
    return found


def _open(connection: Connection, number: int) -> StoredIncident:
    found = _known(connection, number)
    if found.status != "open":
        raise Refused(Refusal.INCIDENT_CLOSED, "the incident is closed, and is never opened again", "incident")
    return found


def incident(house: House, number: int) -> Incident:
    """Show an incident. Refused: NOT_FOUND."""
    with house.read() as connection:
        return shown(connection, _known(connection, number))


def incidents(
    house: House, after: int = -1, limit: int = 500, *, status: str | None = None, table: str | None = None
) -> tuple[Incident, ...]:
    """List incidents by number, of a status ("open", "closed") and a table if these are asked."""
    with house.read() as connection:
        found = store.after(connection, after, limit, status=status, table=table)
        return tuple(shown(connection, one) for one in found)


def of_day(connection: Connection, gaming_day: str) -> tuple[Incident, ...]:
    """Incidents of a gaming day, and those from before that are still open."""
    return tuple(shown(connection, one) for one in store.of_day(connection, gaming_day))


def shown(connection: Connection, stored: StoredIncident) -> Incident:
    """An incident as it is shown."""
    events = [(event, json.loads(text)) for event, text in store.events(connection, stored.number)]
    raised: dict[str, Any] = events[0][1]
    said = {name: raised[name] for name in _SAID}
    return Incident(
        incident=stored.number,
        status=stored.status,
        table=stored.table,
        throw=stored.throw,
        raised_at=moment(raised["at_us"]),
        gaming_day=stored.gaming_day,
        accused=stored.subject,
        dice=tuple(raised["dice"]),
        monitored=tuple(raised["monitored"]),
        custody={die: tuple(numbers) for die, numbers in raised["custody"].items()},
        assigned=stored.assigned,
        reason=stored.reason,
        steps=tuple(_step(event, body) for event, body in events),
        **said,
    )


_SAID = (
    "attack", "words", "check", "box", "shooter", "monitor", "log10_evalue", "bar", "weight", "alpha", "pit_alpha",
    "throws",
)  # fmt: skip


def _step(event: str, body: Mapping[str, Any]) -> Step:
    text = body.get("text") or body.get("person") or body.get("words") or ""
    at = moment(body["at_us"])
    return Step(record=body["record"], at=at, event=event, by=body["by"], text=text)
