"""People: who may act and in which roles, their passwords and their keys for programs.

Passwords come here hashed already, and keys as digests: `access` does both before the writer is asked. The history
knows people by their ids alone.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from pydantic import Field
from sqlalchemy import Connection

from house.domain.ids import check_id, check_name
from house.domain.names import skeleton
from house.domain.people import HOUSE, MONEY, ROLES, WATCHING, PersonId, Role, Scope
from house.domain.refusals import Refusal, Refused
from house.service.desk import Command, House, Work
from house.service.roster import trace_of
from house.store import people as store
from house.store import records
from house.store.people import StoredKey, StoredPerson
from house.store.unit_of_work import moment

DAYS = range(1, 367)
"""Days that a key may live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who may act; the id is opaque, the name is kept apart from every record.

    Parameters
    ----------
    signs_in
        Whether he has a password.
    lookalikes
        Ids of others whose name looks the same.
    """

    person: str
    name: str
    roles: tuple[Role, ...]
    locked: bool
    signs_in: bool
    lookalikes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key for programs, without its secret.

    Parameters
    ----------
    prefix
        What the key begins with, its name.
    scopes
        What may be done with it, as long as its person may.
    used_at
        About when it was used last, to ten minutes; None if it never was.
    """

    prefix: str
    person: str
    scopes: tuple[Scope, ...]
    expires_at: datetime
    revoked: bool
    used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddPerson(Command[Person]):
    """Add somebody under an id of the caller's, with roles and perhaps a password. Refused: BAD_VALUE, ALREADY_EXISTS.

    Parameters
    ----------
    password_hash
        As `access.hashed` makes it; None for somebody who acts by keys only.
    """

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str
    name: str
    roles: tuple[Role, ...]
    password_hash: str | None = None

    def run(self, work: Work) -> Person:
        """Add the person and note the id and the roles."""
        if store.find(work.connection, check_id(self.person, "person")) or self.person == HOUSE.id:
            raise Refused(Refusal.ALREADY_EXISTS, "a person with this id is known", "person", self.person)
        name = check_name(self.name)
        new = StoredPerson(
            id=self.person,
            name=name,
            skeleton=skeleton(name),
            roles=_roles(self.roles),
            password=self.password_hash,
            added_us=work.unit.at_us,
        )
        store.add(work.unit, new)
        _note(work, "added", new.id, roles=list(new.roles), password=trace_of(new.password))
        return _shown(work.connection, [new])[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOwner(Command[Person]):
    """Add the first admin to a house that has none. Refused: BAD_VALUE, NOT_ALLOWED, ALREADY_EXISTS."""

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str
    name: str
    password_hash: str

    def run(self, work: Work) -> Person:
        """Add the admin if the house has none."""
        if store.with_role(work.connection, Role.ADMIN):
            raise Refused(Refusal.NOT_ALLOWED, "the house has an admin, who adds people")
        owner = AddPerson(person=self.person, name=self.name, roles=(Role.ADMIN,), password_hash=self.password_hash)
        return owner.run(work)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPassword(Command[Person]):
    """Change one's own password, which ends one's older tokens. Refused: BAD_VALUE, NOT_FOUND.

    Parameters
    ----------
    proved
        Whether the old password was given, as `access` found out. It does not tell one request from another: a repeat
        after the change proves nothing with the old password any more and is answered as before.
    """

    scope: ClassVar[Scope] = Scope.SELF_WRITE
    password_hash: str
    proved: Annotated[bool, Field(exclude=True)]

    def run(self, work: Work) -> Person:
        """Keep the new hash."""
        person = _known(work.connection, work.by.id)
        if not self.proved:
            raise Refused(Refusal.BAD_VALUE, "the old password is not right", "old")
        return _new_password(work, person, "password_set", self.password_hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOut(Command[Person]):
    """End all one's sessions: this token and all older ones are void; keys go on. Refused: NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.SELF_WRITE

    def run(self, work: Work) -> Person:
        """Begin a new generation of tokens."""
        return _change(work, _known(work.connection, work.by.id), "signed_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetPassword(Command[Person]):
    """Give somebody a new password, which ends the older tokens. Refused: NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str
    password_hash: str

    def run(self, work: Work) -> Person:
        """Keep the new hash."""
        person = _known(work.connection, self.person)
        return _new_password(work, person, "password_reset", self.password_hash)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetRoles(Command[Person]):
    """Give somebody other roles, which ends the older tokens. Refused: BAD_VALUE, NOT_FOUND, LAST_ADMIN."""

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str
    roles: tuple[Role, ...]

    def run(self, work: Work) -> Person:
        """Keep the roles and note what was before."""
        person, roles = _known(work.connection, self.person), _roles(self.roles)
        if Role.ADMIN not in roles:
            _check_not_last(work.connection, person)
        return _change(work, person, "roles_set", {"roles": list(roles), "before": list(person.roles)}, roles=roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class LockPerson(Command[Person]):
    """Lock somebody out: tokens and keys are void. Refused: NOT_FOUND, LAST_ADMIN."""

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str

    def run(self, work: Work) -> Person:
        """Lock."""
        person = _known(work.connection, self.person)
        _check_not_last(work.connection, person)
        return _change(work, person, "locked", locked=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlockPerson(Command[Person]):
    """Let somebody in again who was locked or gave wrong passwords; older tokens stay void. Refused: NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str

    def run(self, work: Work) -> Person:
        """Unlock and forget the wrong passwords."""
        person = _known(work.connection, self.person)
        return _change(work, person, "unlocked", locked=False, failures=0, retry_us=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddApiKey(Command[ApiKey]):
    """Add a key for a program that acts for somebody. Refused: BAD_VALUE, NOT_FOUND.

    `access.add_key` makes prefix and secret and gives the secret beside the answer; here is only its digest.

    Parameters
    ----------
    scopes
        What may be done with the key; none for all that the person may.
    days
        Days that it lives.
    """

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    person: str
    prefix: str
    digest: str
    scopes: tuple[Scope, ...] = ()
    days: int

    def run(self, work: Work) -> ApiKey:
        """Keep the digest and note prefix and scopes."""
        person = _known(work.connection, self.person)
        if self.days not in DAYS:
            limit = f"{DAYS[0]} to {DAYS[-1]}"
            raise Refused(Refusal.BAD_VALUE, f"days must be {limit}", "days", str(self.days)[:40], limit)
        allowed = scopes_of(person)
        if strangers := sorted(set(self.scopes) - allowed):
            message = "a key can do no more than its person"
            raise Refused(Refusal.BAD_VALUE, message, "scopes", strangers[0], ", ".join(sorted(allowed)))
        new = StoredKey(
            prefix=self.prefix,
            person=person.id,
            digest=self.digest,
            scopes=tuple(sorted(set(self.scopes) or allowed)),
            added_us=work.unit.at_us,
            expires_us=work.unit.at_us + self.days * 86_400_000_000,
        )
        store.add_key(work.unit, new)
        noted = {"prefix": new.prefix, "scopes": list(new.scopes), "expires_us": new.expires_us, "digest": new.digest}
        _note(work, "key_added", person.id, **noted)
        return _key(new)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeApiKey(Command[ApiKey]):
    """Revoke a key, for ever. Refused: NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.PEOPLE_WRITE
    prefix: str

    def run(self, work: Work) -> ApiKey:
        """Revoke; a key that is revoked already stays so."""
        key = store.find_key(work.connection, self.prefix)
        if key is None:
            raise Refused(Refusal.NOT_FOUND, "no key has this prefix", "prefix", self.prefix[:64])
        if key.revoked_us is None:
            store.revoke_key(work.unit, key.prefix)
            _note(work, "key_revoked", key.person, prefix=key.prefix)
        revoked = store.find_key(work.connection, self.prefix)
        assert revoked is not None
        return _key(revoked)


def people(house: House, after: str = "", limit: int = 500) -> tuple[Person, ...]:
    """List people by id."""
    with house.read() as connection:
        return _shown(connection, store.after(connection, after, limit))


def person(house: House, person: str) -> Person:
    """Show somebody. Refused: NOT_FOUND."""
    with house.read() as connection:
        return _shown(connection, [_known(connection, person)])[0]


def keys(house: House, person: str, after: str = "", limit: int | None = None) -> tuple[ApiKey, ...]:
    """List somebody's keys, the oldest first: those after one of them, if its prefix is given; None is no limit.

    Refused: NOT_FOUND.
    """
    with house.read() as connection:
        owner = _known(connection, person).id
        last = store.find_key(connection, after) if after else None
        if after and (last is None or last.person != owner):
            raise Refused(Refusal.NOT_FOUND, "no key of this person has this prefix", "after", after[:64])
        return tuple(_key(key) for key in store.keys_of(connection, owner, last, limit))


def scopes_of(person: StoredPerson) -> frozenset[Scope]:
    """What somebody may do in all his roles."""
    return _scopes_of(person.roles)


@lru_cache(maxsize=1024)
def _scopes_of(roles: tuple[str, ...]) -> frozenset[Scope]:
    return frozenset().union(*(ROLES[Role(role)] for role in roles))


def _roles(roles: Iterable[Role]) -> tuple[str, ...]:
    found = tuple(role.value for role in Role if role in set(roles))
    if not found:
        limit = ", ".join(Role)
        raise Refused(Refusal.BAD_VALUE, "roles must be one or more", "roles", "", limit)
    watching = [role for role in WATCHING if role.value in found]
    if watching and any(ROLES[Role(role)] & MONEY for role in found):
        message = f"who is {watching[0]} must hold no role by which money moves"
        raise Refused(Refusal.BAD_VALUE, message, "roles", ", ".join(found), "roles that do not write money")
    return found


def _known(connection: Connection, person: str) -> StoredPerson:
    found = store.find(connection, person)
    if found is None:
        raise Refused(Refusal.NOT_FOUND, "no person with this id is known", "person", person[:64])
    return found


def _check_not_last(connection: Connection, person: StoredPerson) -> None:
    """Check that an admin is left without somebody. Refused: LAST_ADMIN."""
    if store.with_role(connection, Role.ADMIN) == (person.id,):
        raise Refused(Refusal.LAST_ADMIN, "somebody must stay who can add people", "person", person.id)


def _change(work: Work, person: StoredPerson, event: str, noted: dict[str, Any] | None = None, **values: Any) -> Person:
    """Change somebody, end his older tokens and note it."""
    store.change(work.unit, person.id, generation=person.generation + 1, **values)
    _note(work, event, person.id, **(noted or {}))
    return _shown(work.connection, [_known(work.connection, person.id)])[0]


def _new_password(work: Work, person: StoredPerson, event: str, password: str) -> Person:
    noted = {"password": trace_of(password)}
    return _change(work, person, event, noted, password=password, failures=0, retry_us=0)


def _note(work: Work, event: str, person: str, **more: Any) -> None:
    records.append(work.unit, "user_event", None, {"event": event, "person": person, **more})


def _shown(connection: Connection, found: Iterable[StoredPerson]) -> tuple[Person, ...]:
    found = tuple(found)
    alike = store.alike(connection, {one.skeleton for one in found})
    return tuple(
        Person(
            person=PersonId(one.id),
            name=one.name,
            roles=tuple(Role(role) for role in one.roles),
            locked=one.locked,
            signs_in=one.password is not None,
            lookalikes=tuple(other for other in alike.get(one.skeleton, ()) if other != one.id),
        )
        for one in found
    )


def _key(key: StoredKey) -> ApiKey:
    return ApiKey(
        prefix=key.prefix,
        person=key.person,
        scopes=tuple(Scope(scope) for scope in key.scopes),
        expires_at=moment(key.expires_us),
        revoked=key.revoked_us is not None,
        used_at=None if key.used_us is None else moment(key.used_us),
    )
