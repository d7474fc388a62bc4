"""Players in the database."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select

from house.store import rows
from house.store.unit_of_work import Unit

_PLAYER = rows.table(rows.PlayerRow)
_STORED = select(_PLAYER.c.id, _PLAYER.c.name, _PLAYER.c.skeleton)
_KNOWN = select(_PLAYER.c.id).where(_PLAYER.c.id.in_(bindparam("players", expanding=True)))


@dataclass(frozen=True, slots=True)
class StoredPlayer:
    """A player as registered; names that look alike have one skeleton."""

    id: str
    name: str
    skeleton: str


def add(unit: Unit, player: StoredPlayer) -> None:
    """Register a player."""
    values = {"id": player.id, "name": player.name, "skeleton": player.skeleton, "registered_us": unit.at_us}
    unit.connection.execute(insert(_PLAYER), values)


def known(connection: Connection, players: Collection[str]) -> set[str]:
    """Those of some ids that are registered."""
    return set(connection.execute(_KNOWN, {"players": list(players)}).scalars())


def after(connection: Connection, player: str, limit: int) -> tuple[StoredPlayer, ...]:
    """Players by id, beyond one."""
    query = _STORED.where(_PLAYER.c.id > player).order_by(_PLAYER.c.id).limit(limit)
    return tuple(StoredPlayer(*row) for row in connection.execute(query))


def alike(connection: Connection, skeletons: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Ids of the players under each of some skeletons, in order."""
    found: dict[str, tuple[str, ...]] = {}
    query = select(_PLAYER.c.skeleton, _PLAYER.c.id).where(_PLAYER.c.skeleton.in_(skeletons)).order_by(_PLAYER.c.id)
    for skeleton, player in connection.execute(query):
        found[skeleton] = (*found.get(skeleton, ()), player)
    return found


def get(connection: Connection, player: str) -> StoredPlayer | None:
    """A player by id."""
    row = connection.execute(_STORED.where(_PLAYER.c.id == player)).one_or_none()
    return None if row is None else StoredPlayer(*row)
