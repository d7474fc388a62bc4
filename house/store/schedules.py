"""Published schedules in the database."""

from dataclasses import dataclass

from sqlalchemy import Connection, Select, insert, select

from house.store import rows
from house.store.unit_of_work import Unit

_SCHEDULE = rows.table(rows.ScheduleRow)


@dataclass(frozen=True, slots=True)
class StoredSchedule:
    """A published version; `body` is the text of its file."""

    game: str
    name: str
    version: int
    fingerprint: str
    body: str


def add(unit: Unit, schedule: StoredSchedule) -> None:
    """Publish a version."""
    values = {name: getattr(schedule, name) for name in ("game", "name", "version", "fingerprint", "body")}
    unit.connection.execute(insert(_SCHEDULE), {**values, "published_us": unit.at_us})


def version(connection: Connection, game: str, name: str, number: int | None) -> StoredSchedule | None:
    """A version of a schedule, or the newest."""
    query = select(_SCHEDULE).where(_SCHEDULE.c.game == game, _SCHEDULE.c.name == name)
    if number is not None:
        query = query.where(_SCHEDULE.c.version == number)
    return next(iter(_read(connection, query.order_by(_SCHEDULE.c.version.desc()).limit(1))), None)


def by_fingerprint(connection: Connection, fingerprint: str) -> StoredSchedule | None:
    """The version with a fingerprint."""
    return next(iter(_read(connection, select(_SCHEDULE).where(_SCHEDULE.c.fingerprint == fingerprint))), None)


def by_body(connection: Connection, body: str) -> StoredSchedule | None:
    """The version that was published with this very text."""
    return next(iter(_read(connection, select(_SCHEDULE).where(_SCHEDULE.c.body == body))), None)


def every(connection: Connection) -> tuple[StoredSchedule, ...]:
    """All versions, by game, name and number."""
    order = (_SCHEDULE.c.game, _SCHEDULE.c.name, _SCHEDULE.c.version)
    return _read(connection, select(_SCHEDULE).order_by(*order))


def _read(connection: Connection, query: Select[tuple[object, ...]]) -> tuple[StoredSchedule, ...]:
    return tuple(
        StoredSchedule(row.game, row.name, row.version, row.fingerprint, row.body) for row in connection.execute(query)
    )
