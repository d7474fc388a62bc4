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


def test_a_call_of_a_flat_bet_is_a_contract(write: Any) -> None:
    flat = write("/tables/craps-1/bets", {"bets": [{"player": "bob", "bet": "pass", "stake_minor": 1500}]})
    answer = write("/tables/craps-1/calls", {"calls": [{"wager": flat.json()["wagers"][0], "call": "off"}]})
    assert (answer.status_code, answer.json()["code"]) == (409, "contract_bet")


def test_another_version_of_the_schedule_must_be_published(write: Any) -> None:
    same = write("/tables/craps-1/schedule-changes", {"version": None})
    assert (same.status_code, same.json()["schedule_version"]) == (201, 1)
    unknown = write("/tables/craps-1/schedule-changes", {"version": 99})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
