"""Players in the database."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from house.store import rows
from house.store.unit_of_work import Unit

_PLAYER = rows.table(rows.PlayerRow)
_KNOWN = select(_PLAYER.c.id).where(_PLAYER.c.id.in_(bindparam("players", expanding=True)))


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """A player as registered."""

    id: str
    name: str


def add(unit: Unit, player: str, name: str) -> None:
    """Register a player."""
    unit.connection.execute(insert(_PLAYER), {"id": player, "name": name, "registered_us": unit.at_us})


def known(connection: Connection, players: Collection[str]) -> set[str]:
    """Those of some ids that are registered."""
    return set(connection.execute(_KNOWN, {"players": list(players)}).scalars())


def after(connection: Connection, player: str, limit: int) -> tuple[StoredPlayer, ...]:
    """Players by id, beyond one."""
    query = select(_PLAYER.c.id, _PLAYER.c.name).where(_PLAYER.c.id > player).order_by(_PLAYER.c.id).limit(limit)
    return tuple(StoredPlayer(row.id, row.name) for row in connection.execute(query))


def get(connection: Connection, player: str) -> StoredPlayer | None:
    """A player by id."""
    row = connection.execute(select(_PLAYER.c.id, _PLAYER.c.name).where(_PLAYER.c.id == player)).one_or_none()
    return None if row is None else StoredPlayer(row.id, row.name)
