"""`floorman token PERSON --role ROLE`: a key made on the database, told once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from house.domain.people import ROLES, Role
from house.service import access, people
from house.service.desk import open_house

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'house.db'}"


def test_a_key_is_made_for_somebody_new_and_is_all_that_is_printed(run: Run, url: str) -> None:
    code, out, err = run("token", "camera-1", "--role", "integration", "--role", "dealer", "--database", url)
    assert (code, out.count("\n"), "camera-1" in err, out.strip() in err) == (0, 1, True, False)
    with open_house(url) as house:
        found = access.actor(house, out.strip())
        assert (found.id, found.scopes) == ("camera-1", ROLES[Role.INTEGRATION] | ROLES[Role.DEALER])
        assert people.person(house, "camera-1").signs_in is False


def test_somebody_known_gets_another_key_for_no_more_than_he_may(run: Run, url: str) -> None:
    assert run("token", "p-1", "--role", "floorman", "--database", url)[0] == 0
    code, out, _ = run("token", "p-1", "--role", "dealer", "--days", "3", "--database", url, "--json")
    told = json.loads(out)
    assert (code, told["person"], set(told["scopes"])) == (0, "p-1", ROLES[Role.DEALER])
    code, out, err = run("token", "p-1", "--role", "admin", "--database", url)
    assert (code, out) == (2, "")
    assert "a key can do no more than its person" in err


@pytest.mark.parametrize(
    "wrong", [("p 1", "--role", "dealer"), ("house", "--role", "admin"), ("p-1", "--role", "king"), ("p-1",)]
)
def test_what_makes_no_key_is_told_with_code_2(run: Run, url: str, wrong: tuple[str, ...]) -> None:
    code, out, err = run("token", *wrong, "--database", url)
    assert (code, out) == (2, "")
    assert err


def test_an_admin_who_forgot_his_password_gets_in_by_a_new_admins_key(run: Run, url: str) -> None:
    with open_house(url) as house:
        given = access.hashed(house, "forgotten since long", "boss", "boss")
        add = people.AddPerson(person="boss", name="Boss", roles=(Role.ADMIN,), password_hash=given)
        access.perform(house, add, "boss")
    key = run("token", "rescue", "--role", "admin", "--days", "1", "--database", url)[1].strip()
    with open_house(url) as house:
        by = access.actor(house, key)
        given = access.hashed(house, "remembered at last", "boss", "reset")
        access.perform(house, people.ResetPassword(person="boss", password_hash=given), "reset", by)
        assert access.sign_in(house, "boss", "remembered at last").actor.id == "boss"
