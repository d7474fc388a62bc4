"""Rounds of other systems over HTTP."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.domain.people import Role
from tests.house.api.conftest import Write, sign_in

BET = {"transaction": "t-1", "round": "r-1", "player": "ann", "amount_minor": 10_00, "currency": "USD"}


def of_bet(transaction: str, **more: Any) -> dict[str, Any]:
    return {**BET, "transaction": transaction, "reference": "t-1", **more}


def test_a_round_over_http_from_bet_to_end(client: TestClient, write: Write) -> None:
    before = client.get("/v1/players/ann").json()["wallet_minor"]
    taken = write("/rounds/bets", BET)
    assert (taken.status_code, taken.json()["wallet_minor"]) == (201, before - 10_00)
    assert write("/rounds/bets", BET).json() == taken.json()
    paid = write("/rounds/wins", of_bet("t-2", amount_minor=25_00))
    assert (paid.json()["kind"], paid.json()["wallet_minor"]) == ("win", before + 15_00)
    late = write("/rounds/rollbacks", of_bet("t-3"))
    assert (late.status_code, late.json()["code"]) == (409, "settled")
    assert write("/rounds/r-1/ends").json() == {"round": "r-1", "lost": []}
    shown = client.get("/v1/rounds/r-1").json()
    assert (shown["ended"], shown["bets"][0]["state"], shown["bets"][0]["paid_minor"]) == (True, "won", 25_00)
    assert client.get("/v1/rounds").json()["held_minor"] == 0


def test_a_rollback_that_comes_first_is_a_tombstone_and_the_late_bet_a_problem(write: Write) -> None:
    back = write("/rounds/rollbacks", {**BET, "transaction": "x-9", "reference": "t-9", "round": "r-9"})
    assert (back.status_code, back.json()["tombstone"]) == (201, True)
    bet = write("/rounds/bets", {**BET, "transaction": "t-9", "round": "r-9"})
    assert (bet.status_code, bet.json()["code"]) == (409, "rolled_back")


@pytest.mark.parametrize(
    ("changed", "status", "code"),
    [
        ({"amount_minor": 0}, 422, "invalid_request"),
        ({"amount_minor": -1}, 422, "invalid_request"),
        ({"currency": "EUR"}, 409, "mismatch"),
        ({"player": "nobody"}, 404, "not_found"),
        ({"lease_s": 0}, 422, "invalid_request"),
        ({"amount_minor": 9_000_000_00}, 402, "insufficient_funds"),
    ],
)
def test_a_bet_that_cannot_be_taken_is_a_problem_that_says_why(
    write: Write, changed: dict[str, Any], status: int, code: str
) -> None:
    answer = write("/rounds/bets", {**BET, "transaction": "t-20", "round": "r-20", **changed})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_caller_who_waits_no_longer_is_told_that_nothing_was_done(client: TestClient, write: Write) -> None:
    slow = write("/rounds/bets", {**BET, "transaction": "t-30", "round": "r-30"}, **{"Answer-Within-Ms": "30000"})
    assert slow.status_code == 201
    assert write("/rounds/bets", BET, **{"Answer-Within-Ms": "0"}).status_code == 422
    house = client.app.state.house  # type: ignore[attr-defined]
    before, clock = client.get("/v1/players/ann").json(), house._clock
    try:
        house._clock = lambda: clock().replace(year=2020)  # the call was asked long before it is carried out
        late = write("/rounds/bets", {**BET, "transaction": "t-31", "round": "r-30"}, **{"Answer-Within-Ms": "1"})
    finally:
        house._clock = clock
    assert (late.status_code, late.json()["code"]) == (503, "house_is_busy")
    assert client.get("/v1/players/ann").json() == before


def test_only_an_integration_sends_rounds(client: TestClient, write: Write) -> None:
    admin = client.headers["Authorization"]
    try:
        sign_in(client, "dealer-7", Role.DEALER)
        assert write("/rounds/bets", {**BET, "transaction": "t-40", "round": "r-40"}).status_code == 403
        sign_in(client, "gateway-1", Role.INTEGRATION)
        assert write("/rounds/bets", {**BET, "transaction": "t-40", "round": "r-40"}).status_code == 201
        assert write("/rounds/recoveries", {}).json()["rounds"] == []
    finally:
        client.headers["Authorization"] = admin
