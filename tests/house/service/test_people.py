"""People: added, given roles, locked, and never without an admin; and all of it as the history says."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from house.domain.people import WATCHING, Role, Scope
from house.domain.refusals import Refusal, Refused
from house.service import access, people, reports
from house.service.desk import inspect_house, perform
from house.service.people import AddPerson, LockPerson, RevokeApiKey, SetRoles, UnlockPerson
from house.service.roster import breaches
from tests.house.pits import Pit
from tests.house.service.staff import PASSWORD, hire, signed_in, token_of
from tests.house.tampering import edit


def refusal(pit: Pit, command: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        pit.do(command)
    return refused.value


def test_somebody_is_added_with_roles_in_the_order_of_the_trade(pit: Pit) -> None:
    added = pit.do(AddPerson(person="p-1", name="  Ann  ", roles=(Role.CAGE, Role.DEALER, Role.CAGE)))
    assert added == people.person(pit.house, "p-1") == people.people(pit.house)[0]
    assert (added.name, added.roles, added.locked, added.signs_in) == ("Ann", (Role.DEALER, Role.CAGE), False, False)


@pytest.mark.parametrize(
    ("person", "roles", "expected"),
    [
        ("p-1", (Role.DEALER,), (Refusal.ALREADY_EXISTS, "person")),
        ("house", (Role.DEALER,), (Refusal.ALREADY_EXISTS, "person")),
        ("p 2", (Role.DEALER,), (Refusal.BAD_VALUE, "person")),
        ("p-2", (), (Refusal.BAD_VALUE, "roles")),
        ("p-2", (Role.CAGE, Role.SURVEILLANCE), (Refusal.BAD_VALUE, "roles")),
        ("p-2", (Role.AUDITOR, Role.ADMIN), (Refusal.BAD_VALUE, "roles")),
    ],
)
def test_nobody_is_added_who(sqlite_pit: Pit, person: str, roles: Any, expected: Any) -> None:
    hire(sqlite_pit, "p-1", Role.DEALER, password=None)
    found = refusal(sqlite_pit, AddPerson(person=person, name="Somebody", roles=roles))
    assert (found.refusal, found.field) == expected


def test_somebody_unknown_is_not_found(sqlite_pit: Pit) -> None:
    for command in (LockPerson(person="x"), UnlockPerson(person="x"), RevokeApiKey(prefix="x")):
        assert refusal(sqlite_pit, command).refusal is Refusal.NOT_FOUND
    with pytest.raises(Refused, match="not_found"):
        people.keys(sqlite_pit.house, "x")


def test_the_last_admin_stays(sqlite_pit: Pit) -> None:
    hire(sqlite_pit, "p-1", Role.ADMIN, password=None)
    for command in (LockPerson(person="p-1"), SetRoles(person="p-1", roles=(Role.DEALER,))):
        assert refusal(sqlite_pit, command).refusal is Refusal.LAST_ADMIN
    hire(sqlite_pit, "p-2", Role.ADMIN, Role.CAGE, password=None)
    assert sqlite_pit.do(LockPerson(person="p-1")).locked
    assert refusal(sqlite_pit, LockPerson(person="p-2")).refusal is Refusal.LAST_ADMIN
    assert sqlite_pit.do(SetRoles(person="p-2", roles=(Role.ADMIN,))).roles == (Role.ADMIN,)
    sqlite_pit.do(UnlockPerson(person="p-1"))
    assert sqlite_pit.do(SetRoles(person="p-2", roles=(Role.AUDITOR,))).roles == (Role.AUDITOR,)


def test_only_who_may_write_people_adds_any(sqlite_pit: Pit) -> None:
    by = signed_in(sqlite_pit, "p-1", *(role for role in Role if role is not Role.ADMIN and role not in WATCHING))
    with pytest.raises(Refused) as refused:
        perform(sqlite_pit.house, AddPerson(person="p-2", name="x", roles=(Role.ADMIN,)), "key", by)
    assert (refused.value.refusal, refused.value.limit) == (Refusal.NOT_ALLOWED, Scope.PEOPLE_WRITE)


def story(pit: Pit) -> str:
    """Everything that can happen to people; the prefix of a key that is not revoked."""
    hire(pit, "p-1", Role.ADMIN)
    hire(pit, "p-2", Role.DEALER)
    by = access.actor(pit.house, token_of(pit, "p-2"))
    changed = access.new_password(pit.house, by, PASSWORD, "quite another password", "own")
    perform(pit.house, changed, "own", by)
    given = access.hashed(pit.house, "given to him by hand", "p-2", "reset")
    pit.do(people.ResetPassword(person="p-2", password_hash=given))
    perform(pit.house, people.SignOut(), "out", by)
    pit.do(SetRoles(person="p-2", roles=(Role.CAGE,)))
    pit.do(LockPerson(person="p-2"))
    pit.do(UnlockPerson(person="p-2"))
    old, _ = access.add_key(pit.house, "p-2", 10, "old")
    pit.do(RevokeApiKey(prefix=old.answer.prefix))
    kept, _ = access.add_key(pit.house, "p-2", 10, "kept", scopes=(Scope.PIT_READ,))
    return kept.answer.prefix


def test_the_history_says_all_of_people_by_their_ids_alone(pit: Pit) -> None:
    story(pit)
    with pit.house.read() as connection:
        bodies = connection.execute(
            text("SELECT body FROM record WHERE kind = 'user_event' AND body LIKE '%\"person\"%' ORDER BY number")
        ).scalars()
        events = [json.loads(body) for body in bodies]
    assert [event["event"] for event in events] == [
        *("added", "added", "password_set", "password_reset", "signed_out", "roles_set", "locked", "unlocked"),
        *("key_added", "key_revoked", "key_added"),
    ]
    assert [event["by"] for event in events if event["event"] == "password_set"] == ["p-2"]
    said = json.dumps(events)
    assert not [word for word in ("P-1", "P-2", PASSWORD, "argon2", "quite another") if word in said]


def test_people_are_as_the_history_says(pit: Pit) -> None:
    story(pit)
    assert reports.check(pit.house).discrepancies == ()


TAMPERINGS = {
    "a role": ("UPDATE person SET roles = 'admin cage' WHERE id = 'p-2'", "person p-2"),
    "a lock that was taken off": ("UPDATE person SET locked = 1 WHERE id = 'p-2'", "person p-2"),
    "tokens that live again": ("UPDATE person SET generation = 1 WHERE id = 'p-2'", "person p-2"),
    "a password": ("UPDATE person SET password = '$argon2id$planted' WHERE id = 'p-1'", "person p-1"),
    "somebody": (
        "INSERT INTO person VALUES ('p-3', 'x', 'x', 'admin', NULL, 0, 0, 0, 0, 0)",
        "person p-3",
    ),
    "somebody who is gone": ("DELETE FROM person WHERE id = 'p-1'", "person p-1"),
    "what a key may": ("UPDATE api_key SET scopes = 'people:write' WHERE prefix = ?", "key ?"),
    "a key's secret": (f"UPDATE api_key SET digest = '{'0' * 64}' WHERE prefix = ?", "key ?"),
    "a key's end": ("UPDATE api_key SET expires_us = expires_us + 1 WHERE prefix = ?", "key ?"),
    "a key's person": ("UPDATE api_key SET person = 'p-1' WHERE prefix = ?", "key ?"),
    "keys that live again": ("UPDATE api_key SET revoked_us = NULL WHERE prefix <> ?", None),
}


def test_every_edit_of_people_in_the_database_is_found(sqlite_pit: Pit, tmp_path: Path) -> None:
    prefix = story(sqlite_pit)
    sqlite_pit.house.close()
    wrong = {}
    for number, (what, (statement, where)) in enumerate(TAMPERINGS.items()):
        copy = tmp_path / f"{number}.db"
        shutil.copy(sqlite_pit.url.removeprefix("sqlite:///"), copy)
        edit(f"sqlite:///{copy}", (statement, (prefix,) if "?" in statement else ()))
        with inspect_house(f"sqlite:///{copy}") as house, house.read() as read:
            found = [one.where for one in breaches(read)]
        if len(found) != 1 or (where is not None and found != [where.replace("?", prefix)]):
            wrong[what] = found
    assert wrong == {}
