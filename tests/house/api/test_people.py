"""People over HTTP: signing in, approvals, the first owner, keys; what is secret is told once and kept nowhere."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.app import create_app
from house.service import access
from house.settings import load_settings
from tests.house.api.conftest import PASSWORD, approval_of

FORM = "application/x-www-form-urlencoded"
OWNER = {"person": "o-1", "name": "Olive Owner", "password": PASSWORD}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a house that Olive claimed, with her token."""
    file: Path = tmp_path_factory.mktemp("people") / "house.db"
    settings = replace(load_settings(environment={}), database=f"sqlite:///{file}", sign_ins_per_min=100_000)
    with TestClient(create_app(settings)) as client:
        code = access.first_run_code(client.app.state.house)  # type: ignore[attr-defined]
        wrong = client.post("/v1/owner", json={**OWNER, "code": "A" * 24}, headers={"Idempotency-Key": "wrong"})
        assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (403, "/code")
        claims = [
            client.post("/v1/owner", json={**OWNER, "code": code}, headers={"Idempotency-Key": "claim"})
            for _ in range(2)
        ]
        assert [claim.status_code for claim in claims] == [201, 201]
        assert claims[0].content == claims[1].content
        assert [claim.headers.get("idempotency-replayed") for claim in claims] == [None, "true"]
        client.headers["Authorization"] = f"Bearer {token(client, 'o-1')}"
        yield client


def token(client: TestClient, person: str, password: str = PASSWORD) -> str:
    answer = client.post("/v1/tokens", json={"username": person, "password": password})
    assert answer.status_code == 200, answer.text
    given: str = answer.json()["access_token"]
    return given


def write(
    client: TestClient, path: str, body: dict[str, Any] | None, key: str, method: str = "POST", **more: str
) -> Any:
    return client.request(method, f"/v1{path}", json=body, headers={"Idempotency-Key": key, **more})


def test_who_signs_in_gets_a_token_in_the_form_of_oauth(own: TestClient) -> None:
    form = {"grant_type": "password", "username": "o-1", "password": PASSWORD, "scope": ""}
    for answer in (
        own.post("/v1/tokens", data=form),
        own.post("/v1/tokens", json={"username": "o-1", "password": PASSWORD}),
    ):
        body = answer.json()
        assert (answer.status_code, body["token_type"], body["expires_in"]) == (200, "bearer", 900)
        assert "people:write" in body["scope"].split()
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"json": {"username": "o-1", "password": "not the right one"}}, 401),
        ({"json": {"username": "nobody", "password": PASSWORD}}, 401),
        ({"data": {"username": "o-1", "password": "not the right one"}}, 401),
        ({"data": {"username": "o-1"}}, 422),
        ({"json": {"username": "o-1"}}, 422),
        ({"json": {"username": "o-1", "password": 1}}, 422),
        ({"json": {"username": "o-1", "password": "x" * 513}}, 422),
        ({"json": {"username": "o 1", "password": PASSWORD}}, 422),
        ({"json": {"username": "o-1", "password": PASSWORD, "more": 1}}, 422),
        ({"json": ["o-1", PASSWORD]}, 422),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400),
        ({"content": b"\xff", "headers": {"Content-Type": "application/json"}}, 400),
        (
            {"content": b"username=%00&password=%ff", "headers": {"Content-Type": FORM}},
            422,
        ),
        ({"content": b"", "headers": {"Content-Type": "text/plain"}}, 422),
        ({"files": {"username": b"o-1"}}, 422),
    ],
)
def test_nobody_signs_in_by(own: TestClient, given: dict[str, Any], status: int) -> None:
    answer = own.post("/v1/tokens", **given)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert PASSWORD not in answer.text


def test_a_token_is_renewed_and_says_who_asks(own: TestClient) -> None:
    renewed = own.post("/v1/tokens/renewals").json()["access_token"]
    myself = own.get("/v1/myself", headers={"Authorization": f"Bearer {renewed}"}).json()
    assert myself["person"] == "o-1"
    assert myself["scopes"] == sorted(myself["scopes"])


def test_a_key_is_told_in_its_answer_alone_and_a_repeat_tells_the_same(own: TestClient) -> None:
    person = {"person": "camera-1", "name": "Camera", "roles": ["integration"]}
    assert write(own, "/people", person, "camera").json()["signs_in"] is False
    body = {"scopes": ["pit:read", "throws:write"], "days": 7}
    first, again = (write(own, "/people/camera-1/keys", body, "camera-key") for _ in range(2))
    assert (first.status_code, first.content) == (201, again.content)
    assert again.headers["idempotency-replayed"] == "true"
    key = first.json()["key"]
    asks = {"Authorization": f"Bearer {key}"}
    assert own.get("/v1/tables", headers=asks).status_code == 200
    assert own.get("/v1/funds", headers=asks).json()["code"] == "not_allowed"
    (listed,) = own.get("/v1/people/camera-1/keys").json()["items"]
    assert (listed["prefix"], listed["revoked"], "key" in listed) == (key.partition(".")[0], False, False)
    assert write(own, f"/keys/{listed['prefix']}/revocations", None, "camera-end").json()["revoked"] is True
    assert own.get("/v1/tables", headers=asks).status_code == 401


def test_keys_come_in_pages_the_oldest_first(own: TestClient) -> None:
    for person in ("reader-1", "reader-2"):
        asked = {"person": person, "name": person.title(), "roles": ["integration"]}
        assert write(own, "/people", asked, person).status_code == 201
    body = {"scopes": ["pit:read"], "days": 7}
    made = [write(own, "/people/reader-1/keys", body, f"reader-key-{n}").json()["prefix"] for n in range(3)]
    link, found = "/v1/people/reader-1/keys?limit=2", []
    while link:
        page = own.get(link).json()
        found.append([one["prefix"] for one in page["items"]])
        link = page["next"]
    assert found == [made[:2], made[2:]]
    other = own.get(f"/v1/people/reader-2/keys?after={made[0]}")
    assert (other.status_code, other.json()["code"]) == (404, "not_found")


def test_who_signs_out_ends_all_his_sessions_and_not_his_keys(own: TestClient) -> None:
    new = {"person": "s-1", "name": "Sam", "roles": ["dealer"], "password": PASSWORD}
    assert write(own, "/people", new, "sam").status_code == 201
    key = write(own, "/people/s-1/keys", {"days": 7}, "sam-key").json()["key"]
    sessions = [{"Authorization": f"Bearer {token(own, 's-1')}"} for _ in range(2)]
    out = write(own, "/sign-outs", None, "out", **sessions[0])
    assert (out.status_code, out.json()["person"]) == (201, "s-1")
    assert [own.get("/v1/myself", headers=one).status_code for one in sessions] == [401, 401]
    program = {"Authorization": f"Bearer {key}"}
    again = write(own, "/sign-outs", None, "out", **program)
    assert (again.content, again.headers["idempotency-replayed"]) == (out.content, "true")
    assert own.get("/v1/myself", headers=program).status_code == 200


def test_roles_locks_and_passwords_are_the_admins(own: TestClient) -> None:
    new = {"person": "d-1", "name": "Dora Dealer", "roles": ["dealer", "dealer"], "password": PASSWORD}
    assert write(own, "/people", new, "dora").json()["roles"] == ["dealer"]
    dora = {"Authorization": f"Bearer {token(own, 'd-1')}"}
    assert own.get("/v1/people", headers=dora).json()["code"] == "not_allowed"
    changed = write(own, "/people/d-1/roles", {"roles": ["auditor"]}, "roles", "PUT")
    assert changed.json()["roles"] == ["auditor"]
    assert own.get("/v1/tables", headers=dora).status_code == 401
    assert write(own, "/people/d-1/locks", None, "lock").json()["locked"] is True
    locked = own.post("/v1/tokens", json={"username": "d-1", "password": PASSWORD})
    assert (locked.status_code, locked.json()["code"]) == (401, "not_signed_in")
    assert write(own, "/people/d-1/unlocks", None, "unlock").json()["locked"] is False
    reset = write(own, "/people/d-1/password", {"password": "given to her by hand"}, "reset", "PUT")
    assert reset.status_code == 201
    dora = {"Authorization": f"Bearer {token(own, 'd-1', 'given to her by hand')}"}
    body = {"old": "given to her by hand", "password": "one that she chose"}
    first, again = (write(own, "/password", body, "own", "PUT", **dora) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 401)  # the change ended the token that made it
    dora = {"Authorization": f"Bearer {token(own, 'd-1', 'one that she chose')}"}
    again = write(own, "/password", body, "own", "PUT", **dora)
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"password": "short"}, "/password"),
        ({"roles": []}, "/roles"),
        ({"roles": ["croupier"]}, "/roles/0"),
        ({"name": "\u202e"}, "/name"),
        ({"person": "a b"}, "/person"),
    ],
)
def test_a_fault_of_a_new_person_is_named(own: TestClient, body: dict[str, Any], pointer: str) -> None:
    new = {"person": "f-1", "name": "Faulty", "roles": ["dealer"], "password": PASSWORD} | body
    answer = write(own, "/people", new, f"fault{pointer}")
    assert answer.status_code == 422
    assert pointer in {fault["pointer"] for fault in answer.json()["errors"]}


def test_the_last_admin_cannot_be_locked(own: TestClient) -> None:
    answer = write(own, "/people/o-1/locks", None, "suicide")
    assert (answer.status_code, answer.json()["code"]) == (409, "last_admin")


def test_a_house_with_an_admin_is_claimed_by_nobody(own: TestClient) -> None:
    house = own.app.state.house  # type: ignore[attr-defined]
    assert access.first_run_code(house) is None
    late = write(own, "/owner", {**OWNER, "person": "o-2", "code": "AAAAAA-AAAAAA-AAAAAA-AAAAAA"}, "late")
    assert late.status_code == 403


def test_what_two_must_want_is_refused_to_one_and_done_for_two(client: TestClient, write: Any, second: Any) -> None:
    change = "/tables/craps-1/schedule-changes"
    alone = write(change, {"version": None})
    assert (alone.status_code, alone.json()["code"]) == (403, "second_person_needed")
    content = json.dumps({"version": None}).encode()
    approval = {"Second-Person": approval_of(client, "ChangeSchedule", "POST", f"/v1{change}", content)}
    for path, body in ((change, {"version": 1}), (change.replace("craps-1", "hooligan-1"), {"version": None})):
        other = write(path, body, **approval)
        assert (other.status_code, other.json()["code"]) == (403, "second_person_needed")
    assert write(change, {"version": None}, "once", **approval).status_code == 201
    assert write(change, {"version": None}, "once", **approval).headers["Idempotency-Replayed"] == "true"
    used = write(change, {"version": None}, **approval)
    assert (used.status_code, used.json()["code"]) == (403, "second_person_needed")
    assert client.get("/v1/history/records?after=-1&limit=500").status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"person": "second", "password": "not the right one", "operation": "ChangeSchedule"}, 403),
        ({"person": "boss", "password": PASSWORD, "operation": "ChangeSchedule"}, 403),
        ({"person": "second", "password": PASSWORD, "operation": "Toke"}, 404),
        ({"person": "second", "password": PASSWORD, "operation": "Change Schedule"}, 422),
        ({"person": "second", "password": PASSWORD, "operation": "ChangeSchedule", "content": "all"}, 422),
    ],
)
@pytest.mark.usefixtures("second")
def test_no_approval_comes_of(client: TestClient, body: dict[str, Any], status: int) -> None:
    answer = client.post("/v1/approvals", json={"content": "0" * 64, **body})
    assert answer.status_code == status
    assert PASSWORD not in answer.text
