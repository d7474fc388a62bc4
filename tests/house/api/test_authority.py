"""Who may do what over HTTP: what OpenAPI declares is what the application holds to."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.app import create_app
from house.domain.people import MONEY, Role
from house.settings import load_settings
from tests.house.api.matrix import PUBLIC, Staff, a_few, asked, everything, operations


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a house with nothing in it, and no token."""
    file: Path = tmp_path_factory.mktemp("authority") / "house.db"
    settings = replace(load_settings(environment={}), database=f"sqlite:///{file}", sign_ins_per_min=100_000)
    with TestClient(create_app(settings)) as client:
        yield client


@pytest.fixture(scope="module")
def described(empty: TestClient) -> dict[str, Any]:
    """The OpenAPI description."""
    document: dict[str, Any] = empty.get("/openapi.json").json()
    return document


def test_every_operation_declares_what_it_needs(described: dict[str, Any]) -> None:
    bare = {operation.id for operation in operations(described) if operation.scopes is None}
    assert bare == PUBLIC


def test_every_operation_that_needs_something_says_401_and_403(described: dict[str, Any]) -> None:
    for operation in operations(described):
        assert {401, 403} <= operation.answers or operation.id in PUBLIC, operation


def test_the_way_to_sign_in_is_described(described: dict[str, Any]) -> None:
    (scheme,) = described["components"]["securitySchemes"].values()
    assert scheme["type"] == "oauth2"
    assert scheme["flows"]["password"]["tokenUrl"] == "/v1/tokens"
    used = {scope for operation in operations(described) for scope in operation.scopes or ()}
    assert used <= set(scheme["flows"]["password"]["scopes"])


def test_no_operation_of_money_is_open_to_who_watches(described: dict[str, Any]) -> None:
    moving = [one for one in operations(described) if one.scopes is not None and one.scopes & MONEY]
    assert len(moving) >= 20
    assert not [one.id for one in moving if one.may(Role.SURVEILLANCE) or one.may(Role.AUDITOR)]


def test_a_few_cells_of_each_operation_are_as_declared(empty: TestClient, described: dict[str, Any]) -> None:
    staff, found = Staff(empty.app.state.house), operations(described)  # type: ignore[attr-defined]
    cells = [*a_few(found)]
    assert len(cells) >= 600
    assert len([*everything(found)]) >= 3600
    wrong = [(cell, answer) for cell in cells if (answer := asked(empty, staff, cell)) != cell.expected]
    assert wrong == []


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic Ym9zczpib3Nz", "bearer x", "Bearer a.b", "Bearer " + "a." * 5000, "Bearer \xff"],
)
def test_no_other_header_lets_anybody_in(empty: TestClient, header: str) -> None:
    answer = empty.get("/v1/funds", headers={"Authorization": header.encode("latin-1")})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
    assert answer.headers["www-authenticate"].startswith('Bearer realm="floorman"')


def test_who_may_not_is_told_so_before_his_body_is_looked_at(empty: TestClient) -> None:
    answer = empty.post("/v1/funds", json={"amount_minor": "x"}, headers={"Idempotency-Key": "early"})
    assert answer.status_code == 401
