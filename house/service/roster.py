"""Who may act, as the history says it: roles, locks, passwords and keys follow from their records."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Connection

from house.store import people as store
from house.store.checks import Discrepancy
from house.store.people import StoredKey, StoredPerson

AS_RECORDED = "people and keys are as they were recorded"


def trace_of(password: str | None) -> str | None:
    """What the history says of a password: a digest of its salted hash, by which nobody can try words."""
    return None if password is None else hashlib.sha256(password.encode()).hexdigest()


def breaches(connection: Connection) -> Iterator[Discrepancy]:
    """Find the people and keys that are not as the history says: who may act follows from it."""
    due: dict[str, dict[str, Any]] = {}
    for _, body in store.events(connection):
        _EVENTS[body["event"]](due, body)
    people_, keys_ = store.everything(connection)
    found = {f"person {one.id}": _state(one) for one in people_} | {
        f"key {one.prefix}": _key_state(one) for one in keys_
    }
    for where in sorted(due.keys() | found.keys()):
        if due.get(where) != found.get(where):
            yield Discrepancy(invariant=AS_RECORDED, where=where, found=str(found.get(where)), due=str(due.get(where)))


def _state(person: StoredPerson) -> dict[str, Any]:
    return {
        "roles": list(person.roles),
        "locked": person.locked,
        "generation": person.generation,
        "password": trace_of(person.password),
    }


def _key_state(key: StoredKey) -> dict[str, Any]:
    state = {"person": key.person, "scopes": list(key.scopes), "expires_us": key.expires_us, "digest": key.digest}
    return state | {"revoked": key.revoked_us is not None}


def _added(due: dict[str, dict[str, Any]], body: dict[str, Any]) -> None:
    added = {"roles": body["roles"], "locked": False, "generation": 0, "password": body["password"]}
    due[f"person {body['person']}"] = added


def _changed(due: dict[str, dict[str, Any]], body: dict[str, Any]) -> None:
    state = due[f"person {body['person']}"]
    state["generation"] += 1
    state |= {name: body[name] for name in ("roles", "password") if name in body}
    state |= {"locked": {"locked": True, "unlocked": False}.get(body["event"], state["locked"])}


def _key_added(due: dict[str, dict[str, Any]], body: dict[str, Any]) -> None:
    state = {name: body[name] for name in ("person", "scopes", "expires_us", "digest")}
    due[f"key {body['prefix']}"] = state | {"revoked": False}


def _key_revoked(due: dict[str, dict[str, Any]], body: dict[str, Any]) -> None:
    due[f"key {body['prefix']}"]["revoked"] = True


_EVENTS: Mapping[str, Callable[[dict[str, dict[str, Any]], dict[str, Any]], None]] = {
    "added": _added,
    **dict.fromkeys(("roles_set", "password_set", "password_reset", "locked", "unlocked", "signed_out"), _changed),
    "key_added": _key_added,
    "key_revoked": _key_revoked,
}
"""What each record of a person does to the state of people and keys."""
