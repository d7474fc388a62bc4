"""Seeds of the house's own generator, and the throws that were reserved and drawn under them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, Select, bindparam, func, insert, select, union_all, update

from house.store import rows
from house.store.unit_of_work import Unit

_SEED = rows.table(rows.SeedRow)
_DRAW = rows.table(rows.DrawRow)
_THROW = rows.table(rows.ThrowRow)
_DIE = rows.table(rows.ThrowDieRow)
_TABLE = rows.table(rows.GamingTableRow)
_RECORD = rows.table(rows.RecordRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSeed:
    """A seed of the house for one player.

    Parameters
    ----------
    number
        Which of the player's seeds, from 0; the lowest that is not revealed is in use, the one after it is the next.
    secret
        The seed's 32 bytes.
    client
        The player's own seed; None until he names one for this commitment.
    committed, revealed
        Records that published the commitment and the seed; the latter None while the seed is secret.
    """

    commitment: str
    player: str
    number: int
    secret: bytes = field(repr=False)
    client: str | None = None
    committed: int
    revealed: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reserved:
    """The nonce of a throw that is to be drawn, under a seed of the house and one of the player."""

    seed: StoredSeed
    client: str
    nonce: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDraw:
    """A nonce that was taken and the throw for which it was.

    Parameters
    ----------
    faces
        None shown while it is not thrown.
    record
        Body of the throw's record as it stands in the history, JSON; None while it is not thrown.
    """

    nonce: int
    client: str
    table: str
    throw: int
    faces: tuple[int, ...]
    record: str | None


_COLUMNS = ("commitment", "player", "number", "client", "committed", "revealed")
_SECRET = (
    select(_SEED).where(_SEED.c.player == bindparam("player"), _SEED.c.revealed.is_(None)).order_by(_SEED.c.number)
)
_NEXT_NONCE = select(func.coalesce(func.max(_DRAW.c.nonce), -1) + 1).where(_DRAW.c.seed == bindparam("seed"))
_ADD_DRAW = insert(_DRAW)


def add(unit: Unit, seed: StoredSeed) -> None:
    """Keep a seed whose commitment was published."""
    values = {name: getattr(seed, name) for name in _COLUMNS}
    unit.connection.execute(insert(_SEED), {**values, "secret": seed.secret.hex()})


def secret(connection: Connection, player: str) -> tuple[StoredSeed, ...]:
    """Seeds of a player that are not revealed: the one in use and the next; none before the first commitment."""
    return tuple(_stored(row) for row in connection.execute(_SECRET, {"player": player}))


def get(connection: Connection, commitment: str) -> StoredSeed | None:
    """A seed by its commitment."""
    row = connection.execute(select(_SEED).where(_SEED.c.commitment == commitment)).one_or_none()
    return None if row is None else _stored(row)


def every(connection: Connection) -> Iterator[StoredSeed]:
    """All seeds, by player and number."""
    query = select(_SEED).order_by(_SEED.c.player, _SEED.c.number)
    return (_stored(row) for row in connection.execute(query.execution_options(yield_per=1000)))


def named_before(connection: Connection, seed: StoredSeed, client: str) -> bool:
    """Tell whether the player of a seed named a client seed for an earlier one."""
    earlier = (_SEED.c.player == seed.player) & (_SEED.c.number < seed.number)
    kept = select(_SEED.c.client).where(earlier, _SEED.c.client == client)
    drawn = select(_DRAW.c.client).join(_SEED, _SEED.c.commitment == _DRAW.c.seed).where(earlier)
    query = union_all(kept, drawn.where(_DRAW.c.client == client)).limit(1)
    return connection.execute(query).first() is not None


def set_client(unit: Unit, commitment: str, client: str) -> None:
    """Keep the client seed that the player named for a commitment."""
    unit.connection.execute(update(_SEED).where(_SEED.c.commitment == commitment).values(client=client))


def reveal(unit: Unit, commitment: str, record: int) -> None:
    """Mark a seed as published by a record."""
    unit.connection.execute(update(_SEED).where(_SEED.c.commitment == commitment).values(revealed=record))


def next_nonce(connection: Connection, commitment: str) -> int:
    """Count of the next throw under a seed, dense from 0."""
    return int(connection.execute(_NEXT_NONCE, {"seed": commitment}).scalar_one())


def reserve(unit: Unit, taken: Reserved, table: str, throw: int) -> None:
    """Keep which seeds and nonce are for a throw: a seed and a nonce make one throw, ever."""
    values = {"seed": taken.seed.commitment, "nonce": taken.nonce, "client": taken.client}
    unit.connection.execute(_ADD_DRAW, {**values, "table_id": table, "number": throw})


def reserved(connection: Connection, table: str, throw: int) -> Reserved | None:
    """What was reserved for a throw."""
    row = connection.execute(_RESERVED, {"table": table, "throw": throw}).one_or_none()
    return None if row is None else Reserved(seed=_stored(row), client=row.drawn_for, nonce=row.nonce)


def awaited(connection: Connection, commitment: str) -> str | None:
    """Table where the next throw is reserved under a seed; None if there is none."""
    query = (
        select(_TABLE.c.id)
        .join(_DRAW, (_DRAW.c.table_id == _TABLE.c.id) & (_DRAW.c.number == _TABLE.c.next_throw))
        .where(_DRAW.c.seed == commitment, _TABLE.c.status == "open")
    )
    return connection.execute(query.limit(1)).scalar_one_or_none()


def draws(connection: Connection, commitment: str, after: int = -1, limit: int | None = None) -> Iterator[StoredDraw]:
    """Nonces taken under a seed, in order, beyond one, and what they showed."""
    query = _DRAWS.where(_DRAW.c.seed == commitment, _DRAW.c.nonce > after)
    if limit is not None:
        query = query.where(_DRAW.c.nonce <= after + limit)
    lines = connection.execute(query.execution_options(yield_per=1000))
    for (nonce, client, table, throw, record), dice in groupby(lines, key=lambda line: tuple(line[:5])):
        faces = tuple(die.face for die in dice if die.face is not None)
        yield StoredDraw(nonce=nonce, client=client, table=table, throw=throw, faces=faces, record=record)


_DRAWS: Select[Any] = (
    select(_DRAW.c.nonce, _DRAW.c.client, _DRAW.c.table_id, _DRAW.c.number, _RECORD.c.body, _DIE.c.face)
    .outerjoin(_THROW, (_THROW.c.table_id == _DRAW.c.table_id) & (_THROW.c.number == _DRAW.c.number))
    .outerjoin(_DIE, (_DIE.c.table_id == _DRAW.c.table_id) & (_DIE.c.number == _DRAW.c.number))
    .outerjoin(_RECORD, _RECORD.c.number == _THROW.c.record)
    .order_by(_DRAW.c.nonce, _DIE.c.slot)
)
_RESERVED = (
    select(_SEED, _DRAW.c.nonce, _DRAW.c.client.label("drawn_for"))
    .join(_DRAW, _DRAW.c.seed == _SEED.c.commitment)
    .where(_DRAW.c.table_id == bindparam("table"), _DRAW.c.number == bindparam("throw"))
)


def _stored(row: Row[Any]) -> StoredSeed:
    values = row._mapping
    return StoredSeed(**{name: values[name] for name in _COLUMNS}, secret=bytes.fromhex(values["secret"]))
