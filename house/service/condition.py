"""The condition of a running house: whether it can take commands, and how it stands, for whoever runs it."""

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from house.domain.ids import TableId
from house.domain.ledger import table_float
from house.service.desk import House
from house.store import checks, incidents, ledger
from house.store import tables as store

CHECKPOINTS_LATE = 3
"""The history is late when it was not signed for so many times the seconds of a checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition of being ready: its name, whether it is met, and what was found, in a sentence."""

    name: str
    met: bool
    found: str


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When the invariants were asked of the database, on the monotonic clock, and how many did not hold."""

    at_s: float
    discrepancies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """An open table; minor units."""

    table: str
    float_minor: int
    exposure_minor: int
    throws: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a house stands.

    Parameters
    ----------
    records, signed
        Records of the history, and those of the last checkpoint; None without checkpoints.
    unsigned_s
        Seconds since the last checkpoint, 0 while nothing is unsigned; None without checkpoints.
    incidents
        Alarms that nobody has closed.
    free_bytes
        Free bytes where the house writes; None where it writes over a network.
    """

    records: int
    signed: int | None
    unsigned_s: float | None
    incidents: int
    free_bytes: int | None
    tables: tuple[OpenTable, ...]


def standing(house: House) -> Standing:
    """Ask how a house stands."""
    with house.read() as connection:
        tables = store.open_ones(connection)
        floats = {one.account: one.normal for one in ledger.balances(connection, [_rack(one.id) for one in tables])}
        return Standing(
            records=house.writer.size,
            signed=None if house.seal is None or house.seal.last is None else house.seal.last[1].size,
            unsigned_s=_unsigned_s(house),
            incidents=len(incidents.after(connection, -1, 10_000, status="open", table=None)),
            free_bytes=_free(house),
            tables=tuple(
                OpenTable(
                    table=one.id,
                    float_minor=floats[_rack(one.id)],
                    exposure_minor=one.exposure,
                    throws=one.next_throw,
                )
                for one in tables
            ),
        )


def _rack(table: str) -> str:
    return table_float(TableId(table)).name


def _unsigned_s(house: House) -> float | None:
    seal = house.seal
    if seal is None or seal.last is None:
        return None
    return seal.age_s if house.writer.size > seal.last[1].size else 0.0


def _places(house: House) -> Iterator[Path]:
    """Folders of this machine that the house writes to."""
    if house.file is not None:
        yield house.file.parent
    if house.seal is not None:
        yield house.seal.sealing.place.parent


def _free(house: House) -> int | None:
    return min((shutil.disk_usage(place).free for place in _places(house)), default=None)


def conditions(house: House, reserve_bytes: int, last_check: LastCheck | None = None) -> tuple[Condition, ...]:
    """Ask whether a house can take commands: writer, database, disk, history and books.

    Parameters
    ----------
    reserve_bytes
        Free bytes that there must be.
    last_check
        The last check of the invariants, if there was one.
    """
    return tuple(
        Condition(name=name, met=met, found=found)
        for name, (met, found) in {
            "writer": (house.writer.alive, "carries out commands" if house.writer.alive else "has stopped"),
            "database": _database(house),
            "disk": _disk(house, reserve_bytes),
            "checkpoint": _checkpoint(house),
            "books": _books(last_check),
        }.items()
    )


def _database(house: House) -> tuple[bool, str]:
    try:
        with house.read() as connection:
            ledger.count(connection)
    except SQLAlchemyError:
        return False, "does not answer"
    return True, "answers"


def _disk(house: House, reserve_bytes: int) -> tuple[bool, str]:
    try:
        free = _free(house)
    except OSError:
        return False, "cannot be asked"
    if free is None:
        return True, "is the database server's"
    return free >= reserve_bytes, f"has {free >> 20} MiB free, {reserve_bytes >> 20} MiB are kept"


def _checkpoint(house: House) -> tuple[bool, str]:
    age = _unsigned_s(house)
    if age is None or house.seal is None:
        return house.seal is None, "this house signs none" if house.seal is None else "is not there"
    most = CHECKPOINTS_LATE * house.seal.sealing.seconds
    return age <= most, f"records are unsigned for {age:.0f} s, {most} s at most" if age else "nothing is unsigned"


def _books(last_check: LastCheck | None) -> tuple[bool, str]:
    if last_check is None:
        return True, "the end of the history was verified when the house opened"
    bad = last_check.discrepancies
    return bad == 0, f"{bad} discrepancies in the last check" if bad else "every invariant held in the last check"


def check_invariants(house: House) -> LastCheck:
    """Ask the database whether the invariants of the books hold."""
    with house.read() as connection:
        return LastCheck(time.monotonic(), sum(1 for _ in checks.breaches(connection)))
