"""The layout over HTTP: presses, take-downs, calls, another version of the schedule."""

from typing import Any

import pytest


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


def test_another_version_of_the_schedule_must_be_published(write: Any) -> None:
    same = write("/tables/craps-1/schedule-changes", {"version": None})
    assert (same.status_code, same.json()["schedule_version"]) == (201, 1)
    unknown = write("/tables/craps-1/schedule-changes", {"version": 99})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
