"""The layout over HTTP: presses, take-downs, calls, another version of the schedule."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.app import create_app
from house.settings import load_settings
from tests.house.api.conftest import register, sign_in


@pytest.fixture(scope="module")
def hardway(write: Any) -> str:
    """A hard 6 of $5 that ann has on the layout; hardways are off on the come-out, so it rides."""
    bets = [{"player": "ann", "bet": "hardway", "spot": "6", "stake_minor": 500}]
    return str(write("/tables/craps-1/bets", {"bets": bets}).json()["wagers"][0])


def test_a_press_adds_to_the_wager_that_rides(write: Any, hardway: str) -> None:
    answer = write("/tables/craps-1/presses", {"wagers": [{"wager": hardway, "stake_minor": 1000}]})
    assert answer.status_code == 201
    (movement,) = answer.json()["movements"]
    assert (movement["wager"], movement["result"], movement["staked"]) == (hardway, "staked", 1000)


def test_a_press_beyond_the_greatest_stake_names_its_bound(write: Any, hardway: str) -> None:
    answer = write("/tables/craps-1/presses", {"wagers": [{"wager": hardway, "stake_minor": 10_000_000}]})
    assert (answer.status_code, answer.json()["code"]) == (422, "above_maximum")
    assert answer.json()["errors"][0]["pointer"] == "/wagers/0/stake_minor"


@pytest.mark.parametrize(
    ("bet", "stake", "bound"),
    [
        # config/schedules/craps/strip-345x.toml: pass from 15.00 to 5,000.00 in steps of 1.00.
        ("pass", 1_00, "must be at least 1500"),
        ("pass", 15_50, "must be a multiple of 100"),
        ("pass", 6_000_00, "must be at most 500000 in all"),
    ],
)
def test_a_bound_says_whether_it_is_a_least_a_greatest_or_a_step(write: Any, bet: str, stake: int, bound: str) -> None:
    answer = write("/tables/craps-1/bets", {"bets": [{"player": "bob", "bet": bet, "stake_minor": stake}]})
    assert answer.json()["errors"][0]["detail"] == bound


def test_a_bet_beyond_the_wallet_names_the_bets_and_what_there_is(write: Any) -> None:
    assert write("/players", {"player": "poor", "name": "Poor Player"}).status_code == 201
    assert write("/players/poor/buy-ins", {"amount_minor": 20_00}).status_code == 201
    bets = [{"player": "poor", "bet": "field", "stake_minor": 15_00} for _ in range(2)]
    answer = write("/tables/craps-1/bets", {"bets": bets})
    assert (answer.status_code, answer.json()["code"]) == (402, "insufficient_funds")
    (fault,) = answer.json()["errors"]
    assert (fault["pointer"], fault["detail"]) == ("/bets", "must be at most 2000")


def test_a_die_that_could_not_be_read_is_named_where_the_body_has_it(write: Any) -> None:
    dice = [{"die": "D-1", "face": 3}, {"die": "D-2", "face": None}]
    answer = write("/tables/craps-1/throws", {"dice": dice})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_throw")
    assert answer.json()["errors"][0]["pointer"] == "/dice/1/face"
    single = write("/tables/craps-1/throws", {"dice": dice[:1]})
    assert (single.json()["code"], single.json()["errors"][0]["pointer"]) == ("bad_throw", "/dice")


def test_a_call_of_a_flat_bet_is_a_contract(write: Any) -> None:
    flat = write("/tables/craps-1/bets", {"bets": [{"player": "bob", "bet": "pass", "stake_minor": 1500}]})
    answer = write("/tables/craps-1/calls", {"calls": [{"wager": flat.json()["wagers"][0], "call": "off"}]})
    assert (answer.status_code, answer.json()["code"]) == (409, "contract_bet")
    assert answer.json()["errors"][0]["pointer"] == "/calls/0/wager"


def test_another_version_of_the_schedule_must_be_published(write: Any, second: Any) -> None:
    change, approval = "/tables/craps-1/schedule-changes", "ChangeSchedule"
    same = write(change, {"version": None}, **second(approval))
    assert (same.status_code, same.json()["schedule_version"]) == (201, 1)
    unknown = write(change, {"version": 99}, **second(approval))
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")


@pytest.fixture
def unfunded(tmp_path: Path) -> Iterator[TestClient]:
    """A client of a house without capital."""
    settings = replace(load_settings(environment={}), database=f"sqlite:///{tmp_path / 'house.db'}")
    with TestClient(create_app(settings)) as client:
        sign_in(client)
        yield client


def test_a_house_without_money_of_its_own_takes_no_bet_that_it_could_not_pay_and_keeps_what_players_own(
    unfunded: TestClient,
) -> None:
    keys = count()

    def post(path: str, **body: Any) -> Any:
        return unfunded.post(f"/v1{path}", json=body, headers={"Idempotency-Key": f"unfunded-{next(keys)}"})

    register(unfunded, "D-1", "D-2")
    for player in ("ann", "bob"):
        post("/players", player=player, name=player)
        post(f"/players/{player}/buy-ins", amount_minor=5_000_00)
    table = {"table": "t", "game": "craps", "schedule": "strip-345x", "dice": ["D-1", "D-2"], "method": "hand"}
    opened = post("/tables", **table, opener_minor=20_00)
    assert (opened.status_code, opened.json()["code"]) == (402, "insufficient_funds")
    post("/funds", amount_minor=20_00)
    assert post("/tables", **table, opener_minor=20_00).status_code == 201
    post("/tables/t/rail", player="bob")
    assert post("/players/ann/cash-outs", amount_minor=5_000_00).status_code == 201
    bet = {"player": "bob", "bet": "pass"}
    refused = post("/tables/t/bets", bets=[{**bet, "stake_minor": 21_00}])
    assert (refused.status_code, refused.json()["code"]) == (409, "exposure_limit")
    (fault,) = refused.json()["errors"]
    assert (fault["pointer"], fault["detail"]) == (
        "/bets",
        "must be a stake with which the table's exposure is at most 2000",
    )
    post("/tables/t/bets", bets=[{**bet, "stake_minor": 20_00}])
    thrown = post("/tables/t/throws", dice=[{"die": "D-1", "face": 3}, {"die": "D-2", "face": 4}])
    assert thrown.status_code == 201, thrown.text
    (movement,) = thrown.json()["movements"]
    assert movement["winnings"] == 20_00
    assert post("/players/bob/cash-outs", amount_minor=5_020_00).status_code == 201
    assert unfunded.get("/v1/funds").json()["free_minor"] == 0
    assert unfunded.get("/v1/reports/check").json()["discrepancies"] == []


@pytest.mark.parametrize(
    "path", ["/v1/tables/{table}/throws", "/v1/tables/{table}/draws", "/v1/tables/{table}/closings"]
)
def test_what_settles_with_the_vault_says_that_it_may_be_short(client: TestClient, path: str) -> None:
    assert "402" in client.get("/openapi.json").json()["paths"][path]["post"]["responses"]
