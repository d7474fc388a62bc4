"""People in the database: their roles, password hashes, keys, and the approvals that were used."""

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, select, tuple_, update

from house.store import rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit

_PERSON, _KEY, _APPROVAL = rows.table(rows.PersonRow), rows.table(rows.ApiKeyRow), rows.table(rows.ApprovalRow)
_RECORD = rows.table(rows.RecordRow)
_FIND = Prepared(select(_PERSON).where(_PERSON.c.id == bindparam("person")))
_FIND_KEY = select(_KEY).where(_KEY.c.prefix == bindparam("prefix"))
_FIND_BOTH = Prepared(
    select(_KEY, *(column.label(f"person_{column.name}") for column in _PERSON.c))
    .join(_PERSON, _PERSON.c.id == _KEY.c.person)
    .where(_KEY.c.prefix == bindparam("prefix"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPerson:
    """A person as stored; times in microseconds since 1970, `password` as argon2 writes it, None without one."""

    id: str
    name: str
    skeleton: str
    roles: tuple[str, ...]
    password: str | None
    generation: int = 0
    locked: bool = False
    failures: int = 0
    retry_us: int = 0
    added_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key as stored; `digest` is the SHA-256 of its secret in hex."""

    prefix: str
    person: str
    digest: str
    scopes: tuple[str, ...]
    added_us: int
    expires_us: int
    revoked_us: int | None = None
    used_us: int | None = None


def add(unit: Unit, person: StoredPerson) -> None:
    """Add a person."""
    values = {name: getattr(person, name) for name in StoredPerson.__slots__} | {"roles": " ".join(person.roles)}
    unit.connection.execute(insert(_PERSON), values)


def change(unit: Unit, person: str, **values: Any) -> None:
    """Change what is stored of a person; roles are given as a tuple."""
    if "roles" in values:
        values["roles"] = " ".join(values["roles"])
    unit.connection.execute(update(_PERSON).where(_PERSON.c.id == person).values(**values))


def touch(unit: Unit) -> None:
    """Write the first person's count of wrong passwords as it is."""
    first = select(func.min(_PERSON.c.id)).scalar_subquery()
    unit.connection.execute(update(_PERSON).where(_PERSON.c.id == first).values(failures=_PERSON.c.failures))


def find(connection: Connection, person: str) -> StoredPerson | None:
    """Read a person."""
    row = _FIND.first(connection, {"person": person})
    return None if row is None else _person(row)


def after(connection: Connection, person: str, limit: int) -> tuple[StoredPerson, ...]:
    """People by id, beyond one."""
    query = select(_PERSON).where(_PERSON.c.id > person).order_by(_PERSON.c.id).limit(limit)
    return tuple(_person(row) for row in connection.execute(query))


def alike(connection: Connection, skeletons: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Ids of the people under each of some skeletons, in order."""
    query = select(_PERSON.c.skeleton, _PERSON.c.id).where(_PERSON.c.skeleton.in_(skeletons)).order_by(_PERSON.c.id)
    found: dict[str, tuple[str, ...]] = {}
    for skeleton, person in connection.execute(query):
        found[skeleton] = (*found.get(skeleton, ()), person)
    return found


def with_role(connection: Connection, role: str) -> tuple[str, ...]:
    """Ids of the people who have a role and are not locked, in order."""
    query = select(_PERSON.c.id, _PERSON.c.roles).where(_PERSON.c.locked.is_(False)).order_by(_PERSON.c.id)
    return tuple(row.id for row in connection.execute(query) if role in row.roles.split())


def _person(row: Any) -> StoredPerson:
    return StoredPerson(**{**row._asdict(), "roles": tuple(row.roles.split())})


def add_key(unit: Unit, key: StoredKey) -> None:
    """Add a key."""
    values = {name: getattr(key, name) for name in StoredKey.__slots__} | {"scopes": " ".join(key.scopes)}
    unit.connection.execute(insert(_KEY), values)


def revoke_key(unit: Unit, prefix: str) -> None:
    """Revoke a key."""
    unit.connection.execute(update(_KEY).where(_KEY.c.prefix == prefix).values(revoked_us=unit.at_us))


def note_use(unit: Unit, prefix: str) -> None:
    """Note that a key is used."""
    unit.connection.execute(update(_KEY).where(_KEY.c.prefix == prefix).values(used_us=unit.at_us))


def find_key(connection: Connection, prefix: str) -> StoredKey | None:
    """Read a key by its prefix."""
    row = connection.execute(_FIND_KEY, {"prefix": prefix}).one_or_none()
    return None if row is None else _key(row)


def key_and_person(connection: Connection, prefix: str) -> tuple[StoredKey, StoredPerson] | None:
    """Read a key by its prefix, and whose it is."""
    row = _FIND_BOTH.first(connection, {"prefix": prefix})
    return None if row is None else _both(row)


@lru_cache(maxsize=1024)
def _both(row: Any) -> tuple[StoredKey, StoredPerson]:
    """Take a row apart: a program that asks again and again has the same until somebody changes it."""
    said = row._asdict()
    key = {name: said[name] for name in StoredKey.__slots__} | {"scopes": tuple(row.scopes.split())}
    person = {name: said[f"person_{name}"] for name in StoredPerson.__slots__}
    return StoredKey(**key), StoredPerson(**{**person, "roles": tuple(row.person_roles.split())})


def keys_of(
    connection: Connection, person: str, after: StoredKey | None = None, limit: int | None = None
) -> tuple[StoredKey, ...]:
    """Keys of a person, the oldest first, those after one of them; None is no limit."""
    order = tuple_(_KEY.c.added_us, _KEY.c.prefix)
    query = select(_KEY).where(_KEY.c.person == person).order_by(_KEY.c.added_us, _KEY.c.prefix).limit(limit)
    if after is not None:
        query = query.where(order > (after.added_us, after.prefix))
    return tuple(_key(row) for row in connection.execute(query))


def _key(row: Row[Any]) -> StoredKey:
    return StoredKey(**{**row._mapping, "scopes": tuple(row.scopes.split())})


def events(connection: Connection) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbers and bodies of the records about people, in order, without holding them all."""
    query = select(_RECORD.c.number, _RECORD.c.body).where(_RECORD.c.kind == "user_event").order_by(_RECORD.c.number)
    for row in connection.execute(query.execution_options(yield_per=1000)):
        body = json.loads(row.body)
        if "person" in body:
            yield row.number, body


def everything(connection: Connection) -> tuple[tuple[StoredPerson, ...], tuple[StoredKey, ...]]:
    """All people and all keys, by id and prefix."""
    people = connection.execute(select(_PERSON).order_by(_PERSON.c.id))
    keys = connection.execute(select(_KEY).order_by(_KEY.c.prefix))
    return tuple(_person(row) for row in people), tuple(_key(row) for row in keys)


def used(connection: Connection, approval: str) -> bool:
    """Tell whether an approval was used."""
    query = select(func.count()).select_from(_APPROVAL).where(_APPROVAL.c.id == approval)
    return connection.execute(query).scalar_one() > 0


def use(unit: Unit, approval: str) -> None:
    """Use an approval up."""
    unit.connection.execute(insert(_APPROVAL), {"id": approval, "used_us": unit.at_us})
