"""The pit at a glance: every table in a line, as whoever walks the floor wants it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from house.domain.ids import TableId
from house.domain.ledger import drop_box, table_float
from house.service import schedules
from house.service.desk import House
from house.service.games import GAMES
from house.service.play import known_table, state_of
from house.store import ledger
from house.store import tables as store
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
