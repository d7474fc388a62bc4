"""The pit at a glance: every table in a line, as whoever walks the floor wants it, and how its day goes.

What tables won is summed from the entries since it was asked for last. Exact limits take longer, so they are had at
most every `JUDGED_S` seconds and for a sixtieth of the time in all; they say of how many wagers they are.
"""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection

from house.domain.ids import TableId
from house.domain.ledger import drop_box, table_float
from house.service import schedules
from house.service.desk import House
from house.service.expected import Expected, judged
from house.service.games import GAMES
from house.service.play import known_table, state_of
from house.store import ledger, sheets
from house.store import pit as sums
from house.store import tables as store
from house.store.pit import Brought
from house.store.tables import StoredTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """A table at a glance; minor units.

    Parameters
    ----------
    state
        The engine's state as JSON.
    players
        How many stand at it: who is on the rail, has something riding, or plays.
    shooter
        Who has the dice, None for nobody.
    float_minor, drop_minor, riding_minor, exposure_minor
        What the rack holds, the drop box holds, rides, and may at most be lost on it.
    """

    table: str
    game: str
    open: bool
    method: str
    schedule: str
    version: int
    fingerprint: str
    state: Mapping[str, Any]
    players: int
    shooter: str | None
    throws: int
    float_minor: int
    drop_minor: int
    riding_minor: int
    exposure_minor: int


def glances(house: House, after: str = "", limit: int = 500) -> tuple[Glance, ...]:
    """Show every table at a glance, by id, closed ones too."""
    with house.read() as connection:
        return tuple(_glance(house, connection, one) for one in store.after(connection, after, limit))


def glance(house: House, table_id: str) -> Glance:
    """Show one table at a glance. Refused: NOT_FOUND."""
    with house.read() as connection:
        return _glance(house, connection, known_table(connection, table_id))


def _glance(house: House, connection: Connection, table: StoredTable) -> Glance:
    game, state = GAMES[table.game], state_of(table)
    header = schedules.of(house, connection, table.fingerprint).header
    shown = state.to_json()
    at_it = {wager.player for wager in game.riding(state)} | set(shown.get("rail", ()))
    shooter = game.shooter(state)
    if shooter is not None:
        at_it.add(shooter)
        at_it.update(*(shown.get("game") or {}).get("groups", ()))  # who plays among themselves stakes nothing
    return Glance(
        table=table.id,
        game=table.game,
        open=table.open,
        method=table.method,
        schedule=header.name,
        version=header.version,
        fingerprint=table.fingerprint,
        state=shown,
        players=len(at_it),
        shooter=shooter,
        throws=table.next_throw,
        float_minor=ledger.normal(connection, table_float(TableId(table.id))),
        drop_minor=ledger.normal(connection, drop_box(TableId(table.id))),
        riding_minor=table.riding,
        exposure_minor=table.exposure,
    )


JUDGED_S = 10.0
"""Least time between two judgements of a table."""
SHARE = 60
"""A judgement that took so long is made again after so many times as long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """How the gaming day goes at a table; minor units.

    Parameters
    ----------
    won_minor, drop_minor
        What its bets brought, and what was bought in at it.
    judged
        Theoretical against actual win with exact limits, as of a short while ago; None before a wager was decided.
    """

    won_minor: int = 0
    drop_minor: int = 0
    judged: Expected | None = None

    @property
    def hold(self) -> Fraction | None:
        """Win over drop; None where nothing was dropped."""
        return Fraction(self.won_minor, self.drop_minor) if self.drop_minor else None


@dataclass(slots=True)
class _Judgement:
    found: Expected
    again_s: float


@dataclass(slots=True)
class _Day:
    """What is known of a gaming day, by table: sums up to an entry, and the last judgement."""

    day: str = ""
    last: dict[str, tuple[int, Brought]] = field(default_factory=dict)
    judgements: dict[str, _Judgement] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


_NEW = -1, Brought()
_DAYS: "WeakKeyDictionary[House, _Day]" = WeakKeyDictionary()


def today(house: House, tables: Collection[str]) -> dict[str, Today]:
    """Tell how the gaming day goes at some tables."""
    known = _DAYS.setdefault(house, _Day())
    with known.lock, house.read() as connection:
        day, last = house.gaming_day(), sums.last_entry(connection)
        if known.day != day:
            known.day, known.last, known.judgements = day, {}, {}
        _sum(connection, known, tables, last)
        return {table: _today(house, connection, known, table) for table in tables}


def _sum(connection: Connection, known: _Day, tables: Collection[str], last: int) -> None:
    """Bring the sums of some tables up to an entry; those that were asked for together stay together."""
    for after in {known.last.get(table, _NEW)[0] for table in tables} - {last}:
        behind = [table for table in tables if known.last.get(table, _NEW)[0] == after]
        more = sums.brought(connection, behind, known.day, after, last)
        for table in behind:
            known.last[table] = last, known.last.get(table, _NEW)[1] + more.get(table, Brought())


def _today(house: House, connection: Connection, known: _Day, table: str) -> Today:
    (_, brought), now_s = known.last[table], time.monotonic()
    judgement = known.judgements.get(table)
    if judgement is None or now_s >= judgement.again_s:
        found = judged(house, connection, sheets.day(connection, known.day), table)
        took_s = time.monotonic() - now_s
        judgement = known.judgements[table] = _Judgement(found, now_s + max(JUDGED_S, SHARE * took_s))
    shown = judgement.found if judgement.found.limits else None
    return Today(won_minor=brought.won, drop_minor=brought.dropped, judged=shown)
