"""A house on a real SQLite file behind the real application, with a craps table and a Hooligan counter open."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.app import create_app
from house.domain.people import Role
from house.service.access import admit
from house.service.desk import perform
from house.service.equipment import RegisterEquipment
from house.settings import load_settings
from tests.opened import Opened

Write = Callable[..., Any]
APPROVING = "approving"
"""Word of `write` for the command that a second person approves."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, opened: Opened) -> Iterator[TestClient]:
    """A client of an application whose house has two open tables and two players."""
    file = opened(tmp_path_factory.mktemp("api"))
    settings = replace(load_settings(environment={}), database=f"sqlite:///{file}")
    settings = replace(settings, requests_per_s=10**6, sign_ins_per_min=10**5)
    with TestClient(create_app(settings)) as client:
        sign_in(client)
        _open(client)
        yield client


@pytest.fixture(scope="module")
def write(client: TestClient) -> Write:
    """Post a body under a new idempotency key, or the one given."""
    keys = count()

    def post(
        path: str, body: dict[str, Any] | None = None, key: str | None = None, method: str = "POST", **more: str
    ) -> Any:
        headers = {"Idempotency-Key": key or f"test-{next(keys)}", "Content-Type": "application/json", **more}
        content = b"" if body is None else json.dumps(body).encode()
        operation = headers.pop(APPROVING, None)
        if operation is not None:
            headers["Second-Person"] = approval_of(client, operation, method, f"/v1{path}", content)
        return client.request(method, f"/v1{path}", content=content, headers=headers)

    return post


def sign_in(client: TestClient, person: str = "boss", *roles: Role) -> None:
    """Let a client ask as somebody, an admin unless roles are given, with a key of his own."""
    house = client.app.state.house  # type: ignore[attr-defined]
    _, key = admit(house, person, roles or (Role.ADMIN,), 1, f"key-of-{person}")
    client.headers["Authorization"] = f"Bearer {key}"


def register(client: TestClient, *dice: str, boxes: tuple[str, ...] = ()) -> None:
    """Let the house itself register dice and boxes; people receive them by two."""
    house = client.app.state.house  # type: ignore[attr-defined]
    perform(house, RegisterEquipment(dice=dice, boxes=boxes), f"register-{dice[0]}")


PASSWORD = "ankle deep in chips"


@pytest.fixture(scope="module")
def second(client: TestClient, write: Write) -> Callable[[str], dict[str, str]]:
    """Make the word by which `write` lets a second person, an admin too, approve its request."""
    added = write("/people", {"person": "second", "name": "Second", "roles": ["admin"], "password": PASSWORD})
    assert added.status_code == 201, added.text

    def approve(operation: str) -> dict[str, str]:
        return {APPROVING: operation}

    return approve


def approval_of(
    client: TestClient, operation: str, method: str, path: str, content: bytes, *, person: str = "second"
) -> str:
    """Let a second person approve one request."""
    body = {"person": person, "password": PASSWORD, "operation": operation}
    body["content"] = hashlib.sha256(f"{method} {path}\n".encode() + content).hexdigest()
    approval: str = client.post("/v1/approvals", json=body).json()["approval"]
    return approval


def _open(client: TestClient) -> None:
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("/funds", {"amount_minor": 1_000_000_00}),
        ("/players", {"player": "ann", "name": "Ann Archer"}),
        ("/players", {"player": "bob", "name": "Bob Boxman"}),
        ("/players/ann/buy-ins", {"amount_minor": 10_000_00}),
        ("/players/bob/buy-ins", {"amount_minor": 10_000_00}),
        (
            "/tables",
            {
                "table": "craps-1",
                "game": "craps",
                "schedule": "strip-345x",
                "opener_minor": 100_000_00,
                "dice": ["D-1", "D-2"],
                "method": "hand",
            },
        ),
        (
            "/tables",
            {
                "table": "hooligan-1",
                "game": "hooligan",
                "schedule": "scarne-quarter",
                "opener_minor": 10_000_00,
                "dice": [f"D-{n}" for n in range(3, 8)],
                "box": "B-1",
            },
        ),
        ("/tables/craps-1/rail", {"player": "ann"}),
        ("/tables/craps-1/rail", {"player": "bob"}),
    ]
    register(client, *(f"D-{n}" for n in range(1, 13)), boxes=("B-1", "B-2"))
    for number, (path, body) in enumerate(bodies):
        answer = client.post(f"/v1{path}", json=body, headers={"Idempotency-Key": f"open-{number}"})
        assert answer.status_code == 201, (path, answer.text)
