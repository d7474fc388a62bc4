"""Players in the database."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import zip_longest

from sqlalchemy import Connection, bindparam, insert, select

from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_PLAYER = rows.table(rows.PlayerRow)
_STORED = select(_PLAYER.c.id, _PLAYER.c.name, _PLAYER.c.skeleton)
_ASKED = tuple(f"player_{place}" for place in range(8))
_KNOWN = Prepared(select(_PLAYER.c.id).where(_PLAYER.c.id.in_([bindparam(name) for name in _ASKED])))
"""Eight at once; where fewer are asked for, the last fills the places."""


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
    asked, found = [*players], set[str]()
    for start in range(0, len(asked), len(_ASKED)):
        some = asked[start : start + len(_ASKED)]
        values = dict(zip_longest(_ASKED, some, fillvalue=some[-1]))
        found.update(row.id for row in _KNOWN.rows(connection, values))
    return found


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
