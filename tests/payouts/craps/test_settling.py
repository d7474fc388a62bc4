"""From the end of a bet to whole cents: winnings, breakage, cap, commission, units."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from payouts.craps.settling import (
    check_stake,
    default_stake,
    least_paid_stake,
    leg_stakes,
    payable_unit,
    settle,
    stake_unit,
    up_front_commission,
)
from payouts.craps.terms import Base, Commission, CommissionRounding, When
from payouts.errors import InexactStakeError, PayoutError
from payouts.machine import LOSE, TIE, Outcome, win
from payouts.odds import Odds, Rounding, RoundingRule
from payouts.schedule import load, shipped
from tests.payouts.craps.offers import brought, offer

DOLLARS = 'rounding = {unit = "1.00", rule = "down"}\n'
PLACE = '[bets.place]\npays = {4 = "9 to 5", 5 = "7 to 5", 6 = "7 to 6"}\n'
HORN = '[bets.horn]\npays = {2 = "30 to 1", 3 = "15 to 1", 11 = "15 to 1", 12 = "30 to 1"}\n'
OFFERED = offer(PLACE)
BUY = '[bets.buy]\npays = {4 = "2 to 1"}\n'


def commission(rounding: str, unit: int = 100, minimum: int = 0, base: str = "bet") -> Commission:
    return Commission(Fraction(1, 20), Base(base), When.WIN, CommissionRounding(rounding), unit, minimum)


@pytest.mark.parametrize(
    ("rounding", "charged"), [("down", 100), ("nearest", 200), ("up", 200), ("none", 150)], ids=str
)
def test_commission_of_thirty_dollars_by_its_rounding(rounding: str, charged: int) -> None:
    # 5 % of $30 is $1.50; halves go up
    assert commission(rounding).charge(3000, 6000) == charged


@pytest.mark.parametrize(
    ("rounding", "charged"), [("down", 100), ("nearest", 100), ("up", 200), ("none", 101)], ids=str
)
def test_commission_of_a_broken_amount(rounding: str, charged: int) -> None:
    # 5 % of $20.01 is $1.0005: a part of a cent counts as a cent where nothing is rounded
    assert commission(rounding).charge(2001, 4002) == charged


def test_commission_has_a_base_and_a_minimum() -> None:
    assert commission("none", base="win").charge(2000, 4000) == 200
    assert commission("down", minimum=100).charge(500, 1000) == 100


def test_commission_on_a_win_is_never_more_than_the_winnings() -> None:
    text = BUY + 'commission = {rate = "0.05", base = "bet", when = "win", rounding = "down", minimum = "1.00"}'
    schedule = offer(text)
    settled = settle(schedule.bets["buy"], Rounding(), 10, win(Odds(2, 1)))
    assert (settled.winnings, settled.commission, settled.net(10)) == (20, 20, 0)


def test_commission_up_front_is_on_the_win_that_would_be_paid() -> None:
    text = BUY + 'commission = {rate = "0.05", base = "win", when = "up_front", rounding = "none"}'
    schedule = offer(text, DOLLARS)
    assert up_front_commission(schedule.bets["buy"], schedule.table.rounding, 2500, "4") == 250
    assert settle(schedule.bets["buy"], schedule.table.rounding, 2500, win(Odds(2, 1))).commission == 0


def test_a_tie_returns_the_stake_and_a_loss_takes_it() -> None:
    terms = offer(PLACE).bets["place"]
    assert [settle(terms, Rounding(), 500, end).net(500) for end in (TIE, LOSE)] == [0, -500]
    assert settle(terms, Rounding(), 500, TIE).outcome is Outcome.TIE


def test_breakage_stays_with_the_house() -> None:
    settled = settle(offer(PLACE).bets["place"], Rounding(100), 500, win(Odds(7, 6)))
    assert (settled.winnings, settled.breakage) == (500, 83)


@given(
    stake=st.integers(1, 10**9),
    odds=st.builds(Odds, st.integers(1, 1000), st.integers(1, 1000)),
    unit=st.sampled_from([1, 5, 25, 100, 500]),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_winnings_are_whole_chips_never_above_the_price_and_less_than_a_chip_below(
    stake: int, odds: Odds, unit: int
) -> None:
    settled = settle(OFFERED.bets["place"], Rounding(unit), stake, win(odds))
    assert settled.winnings % unit == 0
    assert 0 <= stake * odds.to_one - settled.winnings < unit
    assert settled.winnings + settled.breakage == stake * odds.to_one // 1


def test_units_of_stakes() -> None:
    schedule = offer(PLACE + HORN + 'limits = {increment = "1.00"}', DOLLARS)
    assert [payable_unit(schedule, "place", spot) for spot in ("4", "5", "6")] == [500, 500, 600]
    assert stake_unit(schedule, "place", "6") == 100
    assert stake_unit(schedule, "horn") == 400
    exact = offer(PLACE, 'rounding = {unit = "1.00", rule = "exact"}')
    assert [stake_unit(exact, "place", spot) for spot in ("4", "5", "6")] == [500, 500, 600]


def test_a_horn_high_takes_fifths_with_two_on_the_high_number() -> None:
    schedule = offer(HORN.replace("horn", "horn_high"))
    legs = schedule.legs("horn_high", "11")
    assert leg_stakes(legs, 500) == (100, 100, 200, 100)
    with pytest.raises(PayoutError, match="multiple of 5"):
        leg_stakes(legs, 502)


def test_the_default_stake_pays_commission_exactly_too_where_the_limits_leave_room() -> None:
    text = BUY + 'commission = {rate = "0.05", base = "bet", when = "win", rounding = "down", unit = "1.00"}\n'
    roomy = offer(text + 'limits = {min = "5.00", max = "100.00", increment = "1.00"}')
    tight = offer(text + 'limits = {min = "5.00", max = "15.00", increment = "1.00"}')
    assert default_stake(roomy, "buy", "4") == 2000
    assert default_stake(tight, "buy", "4") == 500


def test_a_stake_that_would_win_nothing_is_refused() -> None:
    schedule = offer('[bets.place_to_lose]\npays = {4 = "5 to 11"}', DOLLARS)
    assert least_paid_stake(schedule, "place_to_lose", "4") == 220
    with pytest.raises(InexactStakeError, match=r"at least 3\.00 USD on place_to_lose 4 to win anything"):
        check_stake(schedule, "place_to_lose", "4", 200)
    check_stake(schedule, "place_to_lose", "4", 300)


@pytest.mark.parametrize("stake", [0, -100])
def test_a_stake_of_nothing_is_refused(stake: int) -> None:
    with pytest.raises(InexactStakeError):
        check_stake(offer(PLACE), "place", "6", stake)


def test_a_repeated_price_in_the_other_unit_is_the_same_price() -> None:
    assert (
        brought(offer('[bets.yo]\npays = "16 for 1"'), "yo").law
        == brought(offer('[bets.yo]\npays = "15 to 1"'), "yo").law
    )


def test_the_exact_rule_refuses_to_settle_what_it_should_not_have_taken() -> None:
    terms = load(shipped("craps", "uk")).bets["place"]
    with pytest.raises(InexactStakeError):
        settle(terms, Rounding(25, RoundingRule.EXACT), 500, win(Odds(7, 6)))
