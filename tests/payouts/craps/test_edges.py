"""Rows of edges, the edge as a function of the stake, parlays."""

import json
from fractions import Fraction

import pytest

from payouts.craps.edges import as_json, edges, edges_by_stake
from payouts.craps.lines import line_return
from payouts.craps.parlay import parlay_return
from payouts.dice import Dice
from payouts.errors import PayoutError
from payouts.schedule import load, shipped
from tests.payouts.craps.offers import brought, offer

STRIP = load(shipped("craps", "strip-345x"))
BUY = (
    '[bets.buy]\npays = {4 = "2 to 1"}\nlimits = {min = "20.00", max = "100.00", increment = "1.00"}\n'
    'commission = {rate = "0.05", base = "bet", when = "win", rounding = "down", unit = "1.00"}'
)


def test_every_bet_and_spot_on_offer_has_a_row() -> None:
    rows = edges(STRIP)
    assert [(row.bet, row.variant) for row in rows] == [(bet, spot) for bet in STRIP.bets for spot in STRIP.spots(bet)]
    assert len([row for row in rows if row.bet == "hop"]) == 21


def test_chances_of_a_row_add_to_one() -> None:
    assert {row.win + row.tie + row.lose for row in edges(STRIP)} == {Fraction(1)}


def test_the_row_of_the_pass_line() -> None:
    (row,) = edges(STRIP, "pass")
    assert (row.edge_made, row.edge_per_throw, row.win) == (Fraction(7, 495), Fraction(7, 1671), Fraction(244, 495))
    assert (row.variance, row.expected_throws) == (1 - Fraction(7, 495) ** 2, Fraction(557, 165))
    assert row.element_of_risk == Fraction(7, 1870)
    assert row.standard_deviation == pytest.approx(0.99990000520356)


def test_a_row_as_json_has_fractions_with_decimal_twins() -> None:
    document = as_json(STRIP, edges(STRIP, "dont_pass")[0])
    assert (document["edge_made"], document["edge_made_decimal"]) == ("3/220", 3 / 220)
    assert (document["bet"], document["variant"], document["stake"]) == ("dont_pass", "", "15.00")
    assert as_json(STRIP, edges(STRIP, "field")[0])["element_of_risk"] is None
    json.dumps([as_json(STRIP, row) for row in edges(STRIP)], allow_nan=False)


def test_fractions_of_thousands_of_digits_are_written_whole() -> None:
    first = [Fraction(n, 100) for n in (14, 15, 16, 16, 15, 24)]
    second = [Fraction(n, 1000) for n in (163, 171, 161, 165, 169, 171)]
    (row,) = edges(STRIP, "all", dice=Dice.of(first, second))
    written = as_json(STRIP, row)["variance"]
    assert isinstance(written, str)
    over = written.partition("/")[2]
    assert len(over) > 4300  # the limit of int to text
    assert row.variance.denominator % 10**9 == int(over[-9:])


def test_a_bet_that_is_not_offered_is_refused_with_those_that_are() -> None:
    with pytest.raises(PayoutError, match=r"bet must be one of pass, .*, got hardways"):
        edges(STRIP, "hardways")


@pytest.mark.parametrize("stake", [1400, 500_100, 1550])
def test_a_stake_that_a_bet_does_not_take_is_refused(stake: int) -> None:
    with pytest.raises(PayoutError, match=r"stake must be .* on (pass|place)"):
        edges(STRIP, "pass", stake)


def test_without_a_bet_only_those_that_take_the_stake_are_listed() -> None:
    listed = {row.bet for row in edges(STRIP, stake_minor=500)}
    assert "horn_high" in listed
    assert "horn" not in listed  # five dollars are no four equal parts
    assert "pass" not in listed  # below the minimum


def test_the_edge_of_a_buy_saws_with_the_stake() -> None:
    # commission of a whole dollar on 20 to 39 dollars: (1/3) 1 / stake
    curve = edges_by_stake(offer(BUY), "buy", "4", range(1900, 4100, 50))
    assert [stake for stake, _ in curve] == [*range(2000, 4100, 100)]
    assert all(edge == Fraction(100, 3 * stake) for stake, edge in curve[:-1])
    assert curve[-1] == (4000, Fraction(1, 60))


def test_a_parlay_of_yo_is_yo_twice() -> None:
    schedule = offer('[bets.yo]\npays = "15 to 1"')
    twice = parlay_return(schedule, "yo", "", 100, wins=2)
    assert twice.law == ((-100, 1 - Fraction(1, 18) ** 2), (25_500, Fraction(1, 18) ** 2))
    assert twice.edge_made == 1 - Fraction(8, 9) ** 2
    assert twice.throws == 1 + Fraction(1, 18)
    assert parlay_return(schedule, "yo", "", 100, wins=1) == brought(schedule, "yo", stake=100)


def test_a_parlay_keeps_what_the_limit_does_not_take() -> None:
    schedule = offer('[bets.yo]\npays = "15 to 1"\nlimits = {min = "1.00", max = "10.00", increment = "1.00"}')
    twice = parlay_return(schedule, "yo", "", 100, wins=2)
    # of 16.00 paid, 10.00 ride and 6.00 are kept
    assert [net for net, _ in twice.law] == [-100, 500, 16_500]


def test_a_parlay_of_a_dont_bet_is_left_up_on_a_tie() -> None:
    schedule = offer('[bets.dont_pass]\npays = "1 to 1"')
    won = Fraction(949, 1980) / Fraction(35, 36)
    assert dict(parlay_return(schedule, "dont_pass", "", 100, wins=2).law) == {-100: 1 - won**2, 300: won**2}


def test_a_parlay_of_several_legs_or_no_wins_is_refused() -> None:
    with pytest.raises(PayoutError, match="1 or more wins on a bet of one leg, got 2 on horn"):
        parlay_return(STRIP, "horn", "", 400, wins=2)
    with pytest.raises(PayoutError, match="got 0 on yo"):
        parlay_return(STRIP, "yo", "", 400, wins=0)


def test_a_line_bet_with_odds_has_a_whole_law() -> None:
    # pass with single odds: 8/36 win 1 and 4/36 lose 1 at once; by points 4 win 3, 5 win 5/2, 6 win 11/5, else lose 2
    line = line_return(STRIP, "pass", "", dict.fromkeys((4, 5, 6, 8, 9, 10), 1))
    law = dict(line.law)
    assert law[Fraction(1)] == Fraction(8, 36)
    assert law[Fraction(3)] == 2 * Fraction(3, 36) * Fraction(3, 9)
    assert law[Fraction(11, 5)] == 2 * Fraction(5, 36) * Fraction(5, 11)
    assert law[Fraction(-2)] == sum(Fraction(w, 36) * Fraction(6, w + 6) for w in (3, 4, 5, 5, 4, 3))
    assert sum(law.values()) == 1
    assert line.at_risk == 1 + Fraction(24, 36)
    assert line.variance == sum(net**2 * chance for net, chance in line.law) - Fraction(7, 495) ** 2


def test_odds_behind_a_dont_bet_are_limited_by_their_win() -> None:
    # multiples of the win: 3 on 4 and 10 lay 6, 4 on 5 and 9 lay 6, 5 on 6 and 8 lay 6
    assert line_return(STRIP, "dont_pass").at_risk == 1 + Fraction(24, 36) * 6


def test_only_bets_on_the_line_take_odds() -> None:
    with pytest.raises(PayoutError, match="bet must be one of pass, come, put, dont_pass, dont_come"):
        line_return(STRIP, "field")


def test_loaded_dice_change_every_figure_by_their_law() -> None:
    # a die with 1/5 of sixes: P(6-6) = 1/25, so boxcars at 30 to 1 pay the player
    loaded = Dice.of([Fraction(4, 25)] * 5 + [Fraction(5, 25)])
    (row,) = edges(STRIP, "boxcars", dice=loaded)
    assert row.edge_made == 1 - Fraction(31, 25)
    assert row.win == Fraction(1, 25)
