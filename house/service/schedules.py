"""Payout schedules as the house publishes them: a version, once published, never changes."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock, Thread
from typing import ClassVar, TypeAlias

from sqlalchemy import Connection

from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.desk import Command, House, Work, perform
from house.store import house as house_store
from house.store import records
from house.store import schedules as store
from house.store.schedules import StoredSchedule
from payouts.craps.terms import CrapsSchedule
from payouts.hooligan.terms import HooliganSchedule
from payouts.schedule import parse

Schedule: TypeAlias = CrapsSchedule | HooliganSchedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A published version of a schedule; `body` is the text of its file."""

    game: str
    name: str
    version: int
    fingerprint: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishSchedule(Command[Published]):
    """Publish a schedule, given as the text of its file.

    Publishing a version again with the same fingerprint changes nothing.

    Raises
    ------
    ScheduleError
        The text has faults; all of them are listed.
    Refused
        SCHEDULE_CHANGED: this version stands with another fingerprint. BAD_VALUE: the schedule has another currency.
    """

    scope: ClassVar[Scope] = Scope.SCHEDULES_WRITE
    approval: ClassVar[Scope | None] = Scope.SCHEDULES_APPROVE
    body: str

    def run(self, work: Work) -> Published:
        """Keep the version, and note it in the history."""
        schedule = _parsed(self.body)
        head = schedule.header
        books = house_store.currency(work.connection)
        if head.currency != books:
            message = "the schedule must be in the currency of the books"
            raise Refused(Refusal.BAD_VALUE, message, field="body", value=head.currency, limit=books)
        new = StoredSchedule(head.game.value, head.name, head.version, schedule.fingerprint, self.body)
        known = store.version(work.connection, new.game, new.name, new.version)
        if known is not None and known.fingerprint != new.fingerprint:
            message = f"version {new.version} of {new.name} stands with another fingerprint; publish a new version"
            raise Refused(Refusal.SCHEDULE_CHANGED, message, "version", str(new.version), known.fingerprint)
        if known is None:
            store.add(work.unit, new)
            noted = {name: getattr(new, name) for name in ("game", "name", "version", "fingerprint")}
            noted["text"] = new.body
            records.append(work.unit, "schedule", None, noted)
        return _published(known or new)


def publish(house: House, text: str) -> Published:
    """Publish a schedule file's text, unless that very text is published already.

    A new text is read, and every fault refused, before the writer is asked; its key is the text itself.

    Raises
    ------
    ScheduleError, Refused
        As `PublishSchedule`.
    """
    with house.read() as connection:
        known = store.by_body(connection, text)
    if known is not None:
        return _published(known)
    _parsed(text)
    key = "schedule-" + hashlib.sha256(text.encode()).hexdigest()
    return perform(house, PublishSchedule(body=text), key).answer


def schedules(house: House) -> tuple[Published, ...]:
    """List every published version, by game, name and version."""
    with house.read() as connection:
        return tuple(_published(one) for one in store.every(connection))


def find(connection: Connection, game: str, name: str, version: int | None) -> Published:
    """Find a version, or the newest. Refused: NOT_FOUND."""
    found = store.version(connection, game, name, version)
    if found is None:
        wanted = name if version is None else f"{name} version {version}"
        raise Refused(Refusal.NOT_FOUND, f"no schedule {wanted} of {game} is published", "schedule", wanted[:80])
    return _published(found)


def of(house: House, connection: Connection, fingerprint: str) -> Schedule:
    """Read the schedule with a fingerprint from the history."""
    if fingerprint not in house.schedules:
        stored = store.by_fingerprint(connection, fingerprint)
        assert stored is not None, f"no schedule with fingerprint {fingerprint} is published"
        house.schedules[fingerprint] = _parsed(stored.body)
    schedule: Schedule = house.schedules[fingerprint]
    return schedule


def read_ahead(house: House, fingerprints: Iterable[str]) -> Thread:
    """Read schedules in the background: each takes about a second, for which nobody need wait who comes later."""
    with house.read() as connection:
        stored = [store.by_fingerprint(connection, one) for one in dict.fromkeys(fingerprints)]

    def reading() -> None:
        for one in stored:
            if one is not None:
                house.schedules[one.fingerprint] = _parsed(one.body)

    thread = Thread(target=reading, name="floorman-read-ahead", daemon=True)
    thread.start()
    return thread


def pays_goods(schedule: Schedule) -> bool:
    """Tell whether a schedule pays in goods, which cost the house less than their face value."""
    return isinstance(schedule, HooliganSchedule) and schedule.trade_cost != 1


def _parsed(text: str) -> Schedule:
    with _READING:
        return _read(text)


@lru_cache(maxsize=64)
def _read(text: str) -> Schedule:
    return parse(text, "schedule")


_READING = Lock()
"""Held while a schedule is read: who asks for the same one meanwhile waits for it, and does not read it too."""


def _published(stored: StoredSchedule) -> Published:
    return Published(
        game=stored.game,
        name=stored.name,
        version=stored.version,
        fingerprint=stored.fingerprint,
        body=stored.body,
    )
