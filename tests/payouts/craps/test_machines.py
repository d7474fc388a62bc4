"""Machines run by hand over throws: what each throw does, as the rules say it."""

import pytest

from payouts.craps.catalogue import CATALOGUE
from payouts.craps.puck import BOX_NUMBERS, CRAPLESS_NUMBERS, OFF, Event, follow
from payouts.craps.terms import CrapsSchedule
from payouts.machine import Machine, Outcome
from payouts.schedule import load, shipped, shipped_names
from tests.payouts.craps.offers import CRAPLESS, offer

REPLAY = (
    '[bets.replay]\npays = {4x3 = "120 to 1", 4x4 = "1000 to 1", 6x3 = "70 to 1", 6x4 = "100 to 1", 8x3 = "70 to 1"}'
)
TEXTS = {
    "pass": '[bets.pass]\npays = "1 to 1"',
    "dont_pass": '[bets.dont_pass]\npays = "1 to 1"',
    "hardway": '[bets.hardway]\npays = {6 = "9 to 1"}',
    "ride_the_line": '[bets.ride_the_line]\npays = {3 = "tie", 4 = "2 to 1", 6 = "6 to 1"}',
    "sharp_shooter": '[bets.sharp_shooter]\npays = {2 = "3 to 1"}',
    "hot_shooter": '[bets.hot_shooter]\npays = {3 = "1 to 1", 5 = "4 to 1"}',
    "different_doubles": '[bets.different_doubles]\npays = {3 = "4 to 1", 4 = "8 to 1", 5 = "15 to 1", 6 = "100 to 1"}',
    "repeater": '[bets.repeater]\npays = {2 = "40 for 1"}',
    "replay": REPLAY,
    "point_seven": '[bets.point_seven]\npays = "7 to 1"',
    "seven_point": '[bets.seven_point]\npays = "7 to 1"',
    "seven_point_seven": '[bets.seven_point_seven]\npays = {seven = "2 to 1", point_seven = "3 to 1"}',
    "four_throws_no_seven": '[bets.four_throws_no_seven]\npays = "1 to 1"',
    "place_to_lose": '[bets.place_to_lose]\npays = {4 = "5 to 11"}',
    "midway": '[bets.midway]\npays = {6 = "1 to 1", 7 = "1 to 1", 8 = "1 to 1", hard = "2 to 1"}',
}  # fmt: skip


def ending(machine: Machine, throws: str) -> str:
    """Price or outcome with which a machine ends, "riding" if it has not; a throw after the end is a mistake."""
    state, ended = machine.start(), ""
    for each in throws.split():
        assert not ended, "the bet has ended before the last throw"
        after = machine.step(state, (int(each[0]), int(each[1])))
        if isinstance(after, tuple):
            state = after
        else:
            ended = str(after.odds) if after.odds else after.outcome.value
    return ended or "riding"


@pytest.mark.parametrize(
    ("bet", "spot", "throws", "end"),
    [
        ("pass", "", "56", "1 to 1"),
        ("pass", "", "66", "lose"),
        ("pass", "", "22 56 66 31", "1 to 1"),
        ("pass", "", "22 34", "lose"),
        ("dont_pass", "", "66", "tie"),
        ("dont_pass", "", "11", "1 to 1"),
        ("dont_pass", "", "56", "lose"),
        ("dont_pass", "", "46 11 66 34", "1 to 1"),
        ("hardway", "6", "22 33", "9 to 1"),
        ("hardway", "6", "24", "lose"),
        ("hardway", "6", "61", "lose"),
        ("place_to_lose", "4", "66 13", "lose"),
        ("place_to_lose", "4", "34", "5 to 11"),
        ("midway", "", "44", "2 to 1"),
        ("midway", "", "53", "1 to 1"),
        ("midway", "", "34", "1 to 1"),
        ("midway", "", "63", "lose"),
        # two naturals and a point made are three wins; craps on the come-out neither counts nor ends it
        ("ride_the_line", "", "34 56 66 22 31 11 46 43", "tie"),
        ("ride_the_line", "", "34 56 22 34", "lose"),
        ("ride_the_line", "", "34 34 34 34 34 34", "6 to 1"),
        # a point made twice counts twice; a come-out 7 does not end it
        ("sharp_shooter", "", "22 31 34 13 22", "3 to 1"),
        ("sharp_shooter", "", "22 31 13 34", "lose"),
        # the seven-out is a throw of the hand
        ("hot_shooter", "", "22 34", "lose"),
        ("hot_shooter", "", "22 66 34", "1 to 1"),
        ("hot_shooter", "", "34 34 34 34 34", "4 to 1"),
        ("different_doubles", "", "11 22 22 33 34", "4 to 1"),
        ("different_doubles", "", "11 22 22 12 34", "lose"),
        ("different_doubles", "", "11 22 33 44 55 66", "100 to 1"),
        ("repeater", "2", "11 66 56 11", "40 for 1"),
        ("repeater", "2", "11 34", "lose"),
        # 6 made three times, then out
        ("replay", "", "33 51 24 42 33 24 55 34", "70 to 1"),
        ("replay", "", "33 51 24 42 33 24 42 15 55 34", "100 to 1"),
        # 4 made four times ends it at once
        ("replay", "", "22 31 13 22 22 31 13 13", "1000 to 1"),
        # 6 three times and then 4 three times: the better one is paid
        ("replay", "", "33 51 24 42 33 24 22 31 13 22 22 31 55 34", "120 to 1"),
        ("replay", "", "33 51 24 42 22 31 13 22 34 55 34", "lose"),
        ("point_seven", "", "22 34", "7 to 1"),
        ("point_seven", "", "22 31", "lose"),
        ("point_seven", "", "34", "lose"),
        ("seven_point", "", "34 22", "7 to 1"),
        ("seven_point", "", "34 66", "lose"),
        ("seven_point", "", "56", "lose"),
        ("seven_point_seven", "", "34", "2 to 1"),
        ("seven_point_seven", "", "22 34", "3 to 1"),
        ("seven_point_seven", "", "66", "lose"),
        ("four_throws_no_seven", "", "22 66 56 11", "1 to 1"),
        ("four_throws_no_seven", "", "22 66 34", "lose"),
        ("four_throws_no_seven", "", "22 66 56", "riding"),
    ],
)
def test_a_bet_ends_as_the_rules_say(bet: str, spot: str, throws: str, end: str) -> None:
    assert ending(offer(TEXTS[bet]).legs(bet, spot)[0].machine, throws) == end


@pytest.mark.parametrize(
    ("throws", "end"),
    [("34", "1 to 1"), ("11 34", "lose"), ("11 66 11", "1 to 1"), ("56 65", "1 to 1"), ("66 34", "lose")],
)
def test_crapless_craps_wins_on_seven_alone_and_makes_a_point_of_every_other_total(throws: str, end: str) -> None:
    assert ending(offer(TEXTS["pass"], CRAPLESS).legs("pass", "")[0].machine, throws) == end


@pytest.mark.parametrize(
    ("points", "point", "throw", "after", "event"),
    [
        (BOX_NUMBERS, OFF, (3, 4), OFF, Event.NATURAL),
        (BOX_NUMBERS, OFF, (6, 6), OFF, Event.CRAPS),
        (BOX_NUMBERS, OFF, (4, 4), 8, Event.POINT_SET),
        (BOX_NUMBERS, 8, (2, 6), OFF, Event.POINT_MADE),
        (BOX_NUMBERS, 8, (3, 4), OFF, Event.SEVEN_OUT),
        (BOX_NUMBERS, 8, (5, 6), 8, Event.NUMBER),
        (CRAPLESS_NUMBERS, OFF, (5, 6), 11, Event.POINT_SET),
        (CRAPLESS_NUMBERS, OFF, (1, 1), 2, Event.POINT_SET),
        (CRAPLESS_NUMBERS, OFF, (1, 6), OFF, Event.NATURAL),
    ],
)
def test_the_puck_follows_every_throw(
    points: tuple[int, ...], point: int, throw: tuple[int, int], after: int, event: Event
) -> None:
    assert follow(points, point, throw) == (after, event)


@pytest.mark.parametrize("name", shipped_names("craps"))
def test_states_are_tuples_of_integers_and_machines_are_values(name: str) -> None:
    schedule = load(shipped("craps", name))
    assert isinstance(schedule, CrapsSchedule)
    for bet in schedule.bets:
        for spot in schedule.spots(bet):
            for leg in schedule.legs(bet, spot):
                state = leg.machine.start()
                assert all(type(each) is int for each in state)
                after = leg.machine.step(state, (6, 4))
                assert not isinstance(after, tuple) or all(type(each) is int for each in after)
                assert hash(leg.machine) == hash(leg.machine)
                assert leg.weight >= 1


def test_every_bet_of_the_catalogue_has_a_printed_name_and_its_own_id() -> None:
    assert all(name and bet.id == name and bet.names[0] for name, bet in CATALOGUE.items())
    printed = [bet.names[0] for bet in CATALOGUE.values()]
    assert len({*printed}) == len(printed)


def test_the_trades_other_names_are_in_the_catalogue() -> None:
    synonyms = {
        "aces": "snake eyes", "boxcars": "midnight", "yo": "yo-leven", "any_seven": "big red", "whirl": "world",
        "pass": "front line", "dont_pass": "back line", "all": "make 'em all", "seven_point_seven": "Muggsy's corner",
    }  # fmt: skip
    assert all(name in CATALOGUE[bet].names for bet, name in synonyms.items())


def test_a_tie_price_and_one_for_one_are_ties() -> None:
    for price in ("tie", "1 for 1"):
        machine = offer(f'[bets.yo]\npays = "{price}"').legs("yo", "")[0].machine
        after = machine.step(machine.start(), (5, 6))
        assert not isinstance(after, tuple)
        assert after.outcome is Outcome.TIE
