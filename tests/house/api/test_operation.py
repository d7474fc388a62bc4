"""What whoever runs the house sees of it: figures, readiness, logs; and what he may limit."""

import io
import json
import logging
import shutil
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house import logs
from house.api.limits import MOST, Limit
from house.app import create_app
from house.domain.people import Role
from house.service import condition
from house.service.access import admit
from house.settings import Level, load_settings
from tests.house.api.conftest import sign_in


@pytest.fixture
def figures(client: TestClient) -> Any:
    """The figures by name and labels, as they are at the moment."""

    def read() -> dict[str, float]:
        text = client.get("/metrics").text
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in lines}

    return read


def test_the_figures_follow_what_happens(client: TestClient, write: Any, figures: Any) -> None:
    before = figures()
    assert write("/players/ann/buy-ins", {"amount_minor": 5}).status_code == 201
    assert write("/players/ann/buy-ins", {"amount_minor": -5}).status_code == 422
    after = figures()
    assert after["floorman_history_records"] == before["floorman_history_records"] + 1
    for name, count in {
        'floorman_command_seconds_count{command="BuyIn"}': 1,
        'floorman_command_seconds_bucket{command="BuyIn",le="+Inf"}': 1,
        'floorman_requests_total{method="POST",operation="buyIn",status="201"}': 1,
        'floorman_requests_total{method="POST",operation="buyIn",status="422"}': 1,
    }.items():
        assert after[name] - before.get(name, 0) == count, name


def test_the_figures_hold_what_the_operator_asks_for(client: TestClient, figures: Any) -> None:
    found = figures()
    assert found['floorman_table_float_minor{table="craps-1"}'] == 100_000_00
    assert found['floorman_table_exposure_minor{table="craps-1"}'] == 0
    assert {
        "floorman_writer_waiting",
        "floorman_writer_retries_total",
        "floorman_writer_failures_total",
        "floorman_checkpoint_records",
        "floorman_checkpoint_age_seconds",
        "floorman_incidents_open",
        "floorman_feed_following",
        "floorman_disk_free_bytes",
        "process_resident_memory_bytes",
    } <= set(found)
    assert "floorman_check_age_seconds" not in found  # nothing was checked yet


def test_a_check_of_the_books_is_told_with_its_age(client: TestClient, figures: Any) -> None:
    state = client.app.state  # type: ignore[attr-defined]
    state.figures.last_check = condition.check_invariants(state.house)
    found = figures()
    assert found["floorman_check_discrepancies"] == 0
    assert 0 <= found["floorman_check_age_seconds"] < 60
    state.figures.last_check = None


def test_figures_are_for_those_who_may_read_the_books(client: TestClient) -> None:
    bare = TestClient(client.app)
    assert bare.get("/metrics").status_code == 401
    bare.app = client.app
    sign_in(bare, "dealer-of-figures", Role.DEALER)
    assert bare.get("/metrics").status_code == 403


def test_a_house_that_is_ready_says_of_what(client: TestClient) -> None:
    answer = client.get("/readyz").json()
    assert answer["status"] == "ready"
    assert set(answer["conditions"]) == {"writer", "database", "disk", "checkpoint", "books"}


@pytest.mark.parametrize("broken", ["disk", "books", "checkpoint"])
def test_a_house_that_is_not_ready_names_what_is_not(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    state = client.app.state  # type: ignore[attr-defined]
    if broken == "disk":
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5 << 20))
    elif broken == "books":
        monkeypatch.setattr(state.figures, "last_check", condition.LastCheck(0.0, 3))
    else:
        monkeypatch.setattr(condition, "_unsigned_s", lambda _: 1e6)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
    assert [fault["pointer"] for fault in answer.json()["errors"]] == [f"/{broken}"]
    assert client.get("/healthz").json() == {"status": "ok"}


def test_openapi_shows_the_problem_of_a_house_that_is_not_ready(client: TestClient) -> None:
    answers = client.get("/openapi.json").json()["paths"]["/readyz"]["get"]["responses"]
    examples = answers["503"]["content"]["application/problem+json"]["examples"]
    assert examples["not_ready"]["value"]["code"] == "not_ready"


def test_every_list_of_the_api_has_pages_or_says_why_it_has_none(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    whole = set()
    for path in described["paths"].values():
        answer = path.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        name = answer.get("application/json", {}).get("schema", {}).get("$ref", "").rpartition("/")[2]
        fields = described["components"]["schemas"].get(name, {}).get("properties", {})
        if "items" in fields and "next" not in fields:
            whole.add((path["get"]["operationId"], "of one moment" in path["get"]["description"]))
    assert whole == {("listBets", True), ("showRealised", True)}


def test_a_house_whose_writer_stopped_is_not_ready(tmp_path: Any) -> None:
    settings = replace(load_settings(environment={}), database=f"sqlite:///{tmp_path / 'house.db'}")
    with TestClient(create_app(settings)) as client:
        assert client.get("/readyz").status_code == 200
        client.app.state.house.writer.close()  # type: ignore[attr-defined]
        answer = client.get("/readyz")
    assert "/writer" in [fault["pointer"] for fault in answer.json()["errors"]]


@pytest.fixture
def limited(client: TestClient) -> Iterator[TestClient]:
    """A second application on the same house, which lets two requests a second in and two passwords a minute."""
    house = client.app.state.house  # type: ignore[attr-defined]
    settings = replace(load_settings(environment={}), requests_per_s=2, sign_ins_per_min=2, check_minutes=0)
    with TestClient(create_app(settings, house)) as other:
        yield other


def test_more_requests_than_a_second_has_are_429_with_the_time_to_wait(limited: TestClient) -> None:
    answers = [limited.get("/healthz") for _ in range(6)]
    assert [answer.status_code for answer in answers][:4] == [200] * 4
    last = answers[-1]
    assert (last.status_code, last.json()["code"]) == (429, "too_many_requests")
    assert last.headers["retry-after"] == "1"
    assert last.headers["content-type"] == "application/problem+json"


def test_each_token_that_is_good_has_a_bucket_of_its_own(limited: TestClient) -> None:
    house = limited.app.state.house  # type: ignore[attr-defined]
    for person in ("bucket-1", "bucket-2"):
        _, key = admit(house, person, (Role.DEALER,), 1, person)
        headers = {"Authorization": f"Bearer {key}"}
        answers = [limited.get("/v1/myself", headers=headers).status_code for _ in range(5)]
        assert answers == [200] * 5  # the first counts against the address


def test_no_bucket_comes_of_a_token_that_is_made_up(limited: TestClient) -> None:
    answers = [
        limited.get("/v1/myself", headers={"Authorization": f"Bearer {number}"}).status_code for number in range(6)
    ]
    assert answers[-1] == 429


def test_a_method_that_is_made_up_makes_no_figure_of_its_own(client: TestClient) -> None:
    for number in range(3):
        assert client.request(f"WORD{number}", "/v1/people").status_code == 405
    assert "WORD" not in client.get("/metrics").text


def test_passwords_are_tried_seldom_whatever_token_comes_along(limited: TestClient) -> None:
    body = {"grant_type": "password", "username": "nobody", "password": "wrong wrong wrong"}
    codes = [
        limited.post("/v1/tokens", data=body, headers={"Authorization": f"Bearer {n}"}).status_code for n in range(4)
    ]
    assert codes[2:] == [429, 429]
    assert 429 not in codes[:2]
    assert limited.get("/healthz").status_code == 200


def test_a_limit_forgets_those_whose_bucket_is_full() -> None:
    now = [0.0]
    limit = Limit(1.0, 2, lambda: now[0])
    for number in range(MOST):
        limit.wait_s(f"{number}")
    now[0] = 10.0
    limit.wait_s("one more")
    assert len(limit._buckets) == 1
    for number in range(MOST + 5):  # none of them full: the older half goes
        limit.wait_s(f"{number}")
    assert MOST // 2 < len(limit._buckets) <= MOST


@pytest.fixture
def lines() -> Iterator[Any]:
    """The log of the house, as a server writes it."""
    root, own = logging.getLogger(), logging.getLogger("floorman")
    before = root.handlers, root.level, own.level
    stream = io.StringIO()
    logs.configure(Level.INFO, stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers, root.level = before[0], before[1]
    own.setLevel(before[2])


def test_a_request_is_one_line_with_its_numbers_and_without_its_body(
    write: Any, lines: Any, client: TestClient
) -> None:
    answer = write("/players", {"player": "logged", "name": "Secret Name"})
    bet = {"bets": [{"player": "bob", "bet": "field", "stake_minor": 15_00}]}
    placed = write("/tables/craps-1/bets", bet)
    refused = write("/players/logged/cash-outs", {"amount_minor": 77_77})
    assert (answer.status_code, placed.status_code, refused.status_code) == (201, 201, 402)
    one, two, three = (line for line in lines() if line["event"] == "request")
    assert one["request"] == answer.headers["x-request-id"]
    assert (one["operation"], one["status"], one["person"], one["level"]) == ("registerPlayer", 201, "boss", "info")
    assert one["records"][0] == one["records"][1]
    assert "entries" not in one
    assert (two["table"], two["entries"][0] <= two["entries"][1]) == ("craps-1", True)
    assert two["round"] == client.get("/v1/tables/craps-1").json()["round"]
    assert "records" not in three
    text = json.dumps(lines())
    assert not [word for word in ("Secret", "Name", "7777", "Bearer", "stake") if word in text]


@pytest.mark.parametrize("address", ["/v1/tables/{}", "/v1/tables/{}/wagers", "/tables/{}", "/v1/{}"])
def test_text_of_an_address_that_is_no_id_is_not_logged(client: TestClient, lines: Any, address: str) -> None:
    for word in ("Ann%20Archer", "Ann%0AArcher", "Ann'Archer", "Ann" * 30):
        assert client.get(address.format(word)).status_code in (200, 401, 404, 405, 422)
    assert "Ann" not in json.dumps(lines())
    assert "Ann" not in client.get("/metrics").text


def test_an_error_is_logged_by_its_type_and_place_and_not_by_its_text(lines: Any) -> None:
    try:
        try:
            raise KeyError("Secret Name")
        except KeyError as error:
            raise ValueError("Secret Name") from error
    except ValueError as error:
        logging.getLogger("floorman.api").error("request %s failed", "abc", exc_info=error)
    (line,) = lines()
    assert line["error"] == ["ValueError", "KeyError"]
    assert line["places"][0].startswith("tests/house/api/test_operation.py:")
    assert "Secret" not in json.dumps(line)
