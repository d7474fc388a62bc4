"""Situations that public engines got wrong, as a table settles them: one test a row of the shared list.

The row's number is in the test's name. Flat bets of 10.00 at the table of tests/golden/craps/table.toml unless the row
says otherwise; the money is what the row derives.
"""

import pytest

from house.domain.refusals import Refusal, Refused
from house.engines import craps
from tests.golden.craps_script import GOLDEN, Desk, new_desk

TABLE = (GOLDEN / "table.toml").read_text()
POINT = {4: "throw 1 3", 5: "throw 1 4", 6: "throw 2 4", 8: "throw 3 5", 9: "throw 4 5", 10: "throw 4 6"}


def desk(*changes: tuple[str, str]) -> Desk:
    """The table with parts of its schedule's text changed."""
    text = TABLE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return new_desk(text)


WHOLE_DOLLARS_EXACT = ('rule = "down"}\nexposure', 'rule = "exact"}\nexposure')
CENTS = ('unit = "1.00", rule', 'unit = "0.01", rule')


def test_A1_a_barred_twelve_ties_the_dont_pass() -> None:
    table = desk()
    assert table.play("bet w ann dont_pass 10.00", "throw 6 6")[1:] == ["w tied returned 10.00"]
    assert table.net("ann") == "0.00"


def test_A3_the_bar_of_the_table_holds_for_the_dont_come_too() -> None:
    bar_two = ('dont_bar = "12"', 'dont_bar = "2"')
    tied, won = desk(bar_two), desk(bar_two)
    assert tied.play(POINT[6], "bet w ann dont_come 10.00", "throw 1 1")[-1] == "w tied returned 10.00"
    won.play(POINT[6], "bet w ann dont_come 10.00", "throw 6 6")
    assert won.net("ann") == "10.00"


def test_A4_bar_two_ties_aces_and_pays_boxcars() -> None:
    for throw, net in (("throw 1 1", "0.00"), ("throw 6 6", "10.00"), ("throw 1 2", "10.00")):
        table = desk(('dont_bar = "12"', 'dont_bar = "2"'))
        table.play("bet w ann dont_pass 10.00", throw)
        assert table.net("ann") == net


def test_A5_bar_ace_deuce_ties_both_ways_of_three() -> None:
    for throw, net in (("throw 1 2", "0.00"), ("throw 2 1", "0.00"), ("throw 1 1", "10.00"), ("throw 6 6", "10.00")):
        table = desk(('dont_bar = "12"', 'dont_bar = "1-2"'))
        table.play("bet w ann dont_pass 10.00", throw)
        assert table.net("ann") == net


def test_A7_a_pass_bet_with_the_puck_on_is_refused_and_a_put_is_booked_as_such() -> None:
    table = desk()
    assert table.play(POINT[6], "bet w ann pass 10.00")[0].startswith("refused bet_closed bets[0].bet")
    table.play("bet w ann put 6 10.00", "throw 3 3")
    assert table.net("ann") == "10.00"
    assert table.history[-1].bet == "put"


def test_A8_a_come_bet_with_the_puck_off_is_refused() -> None:
    assert desk().play("bet w ann come 10.00")[0].startswith("refused bet_closed bets[0].bet")


def test_A9_a_pass_bet_with_a_point_is_neither_reduced_nor_raised() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", POINT[6])
    assert table.do("reduce w 1.00")[0].startswith("refused contract_bet")
    assert table.do("down w")[0].startswith("refused contract_bet")
    assert table.do("press w 5.00")[0].startswith("refused bet_closed")
    assert table.up("ann") == "10.00"


def test_A9_before_the_point_a_pass_bet_is_the_players() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", "press w 5.00", "reduce w 8.00")
    assert table.up("ann") == "7.00"
    table.do("down w")
    assert table.net("ann") == "0.00"


@pytest.mark.parametrize("bet", ["dont_pass", "dont_come"])
def test_A11_betting_wrong_is_refused_on_a_crapless_table(bet: str) -> None:
    table = new_desk("crapless-table")
    table.do("throw 1 1")
    with pytest.raises(Refused, match="no betting wrong at a crapless table") as refused:
        craps.place(table.state, table.schedules, (table.placement(f"w ann {bet} 10.00", toke=False),))
    assert refused.value.refusal is Refusal.BET_NOT_OFFERED


def come_on_six(table: Desk, odds: str) -> Desk:
    """Ann's come bet of 10.00 on the six with odds, the table's point made, so that the next throw is a come-out."""
    table.play(POINT[8], "bet c ann come 10.00", POINT[6], f"bet o ann odds 6 {odds} behind c", "throw 4 4")
    assert table.state.point is None
    return table


def test_B1_a_come_out_seven_takes_the_come_bet_and_leaves_its_odds() -> None:
    table = come_on_six(desk(), "50.00")
    assert table.do("throw 3 4")[1:] == ["c lost lost 10.00", "o returned returned 50.00"]
    assert table.net("ann") == "-10.00"


def test_B3_odds_that_are_off_are_not_paid_either() -> None:
    table = come_on_six(desk(), "50.00")
    said = table.do("throw 3 3")
    assert said[2:] == ["c won winnings 10.00 returned 10.00 at 1 to 1", "o returned returned 50.00"]
    assert table.net("ann") == "10.00"


def test_B4_odds_behind_a_dont_come_stay_on() -> None:
    table = desk()
    table.play(POINT[8], "bet c ann dont_come 10.00", POINT[4], "bet o ann lay_odds 4 20.00 behind c", "throw 4 4")
    table.do("throw 3 4")
    assert table.net("ann") == "20.00"


def test_B5_any_seven_takes_a_come_bet_that_has_travelled() -> None:
    table = desk()
    table.play(POINT[8], "bet c ann come 10.00", POINT[6], "throw 4 4", "throw 3 4")
    assert table.net("ann") == "-10.00"
    assert table.state.wagers == ()


@pytest.mark.parametrize(
    ("throw", "net", "up"),
    [
        ("throw 3 4", "-10.00", "0.00"),
        ("throw 1 1", "10.00", "0.00"),
        ("throw 6 6", "0.00", "0.00"),
        ("throw 2 3", "-10.00", "10.00"),
    ],
)
def test_B7_a_new_dont_come_bet_has_its_own_come_out(throw: str, net: str, up: str) -> None:
    table = desk()
    table.play(POINT[6], "bet c ann dont_come 10.00", throw)
    assert (table.net("ann"), table.up("ann")) == (net, up)


def test_B7_the_dont_come_bet_that_travelled_stands_behind_its_own_number() -> None:
    table = desk()
    table.play(POINT[6], "bet c ann dont_come 10.00", POINT[5], "throw 2 4")
    assert table.up("ann") == "10.00"
    table.do(POINT[9])
    table.do("throw 2 3")
    assert table.net("ann") == "-10.00"


def test_B8_odds_behind_a_come_bet_pay_by_its_own_point() -> None:
    table = desk()
    table.play(POINT[6], "bet c ann come 10.00", POINT[9], "bet o ann odds 9 20.00 behind c", POINT[9])
    assert table.net("ann") == "40.00"


def test_B9_odds_come_back_on_with_the_puck() -> None:
    table = come_on_six(desk(), "50.00")
    table.play(POINT[9], "throw 5 1")
    assert table.net("ann") == "70.00"


def test_B11_odds_come_down_with_the_dont_pass() -> None:
    table = desk()
    table.play("bet w ann dont_pass 10.00", POINT[4], "bet o ann lay_odds 4 60.00 behind w")
    assert table.do("down w") == ["w returned returned 10.00", "o returned returned 60.00"]
    assert table.net("ann") == "0.00"
    assert table.state.wagers == ()


@pytest.mark.parametrize(("point", "unit"), [(6, 6), (8, 6), (5, 3), (9, 3), (4, 2), (10, 2)])
def test_B12_laid_odds_below_a_payable_unit_are_refused(point: int, unit: int) -> None:
    table = desk()
    table.play("bet w ann dont_pass 10.00", POINT[point])
    said = table.do(f"bet o ann lay_odds {point} 1.00 behind w")
    assert said == [f"refused cannot_be_paid bets[0].stake_minor {unit * 100}"]


def test_B12_in_cents_a_dollar_may_be_laid() -> None:
    table = desk(CENTS)
    table.play("bet w ann dont_pass 10.00", POINT[6], "bet o ann lay_odds 6 1.00 behind w", "throw 3 4")
    assert table.net("ann") == "10.83"


@pytest.mark.parametrize(
    ("point", "won"), [(4, "20.00"), (5, "15.00"), (6, "12.00"), (8, "12.00"), (9, "15.00"), (10, "20.00")]
)
def test_B13_odds_pay_true_odds(point: int, won: str) -> None:
    table = desk()
    table.play("bet w ann pass 10.00", POINT[point], f"bet o ann odds {point} 10.00 behind w")
    assert table.do(POINT[point])[-1].startswith(f"o won winnings {won} returned 10.00")


def test_B15_odds_are_never_paid_above_true_odds() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", POINT[5], "bet o ann odds 5 5.00 behind w")
    assert table.do(POINT[5])[-1] == "o won winnings 7.00 returned 5.00 breakage 0.50 at 3 to 2"


def test_B15_an_exact_table_refuses_odds_that_do_not_pay_in_chips() -> None:
    table = desk(WHOLE_DOLLARS_EXACT)
    table.play("bet w ann pass 10.00", POINT[5])
    assert table.do("bet o ann odds 5 5.00 behind w") == ["refused cannot_be_paid bets[0].stake_minor 200"]


def test_B16_the_multiple_limits_the_win_of_laid_odds() -> None:
    ten = (
        "odds_limit = {4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}",
        "odds_limit = {4 = 10, 5 = 10, 6 = 10, 8 = 10, 9 = 10, 10 = 10}",
    )
    table = desk(ten)
    table.play("bet w ann dont_pass 10.00", POINT[4], "bet o ann lay_odds 4 150.00 behind w")
    assert table.do("press o 52.00") == ["refused odds_limit stake_minor 20000"]
    table.play("press o 50.00", "throw 3 4")
    assert table.net("ann") == "110.00"


@pytest.mark.parametrize(("point", "wins"), [(4, "30.00"), (5, "40.00"), (6, "50.00")])
def test_B17_three_four_five_times_lets_sixty_be_laid_on_every_point(point: int, wins: str) -> None:
    table = desk()
    table.play("bet w ann dont_pass 10.00", POINT[point])
    assert table.do(f"bet o ann lay_odds {point} 66.00 behind w") == ["refused odds_limit bets[0].stake_minor 6000"]
    table.do(f"bet o ann lay_odds {point} 60.00 behind w")
    assert table.do("throw 3 4")[-1].startswith(f"o won winnings {wins} returned 60.00")


def test_C1_a_place_bet_rests_on_a_come_out() -> None:
    table = desk()
    table.play("bet w ann place 6 12.00", "throw 3 4")
    assert (table.net("ann"), table.up("ann")) == ("-12.00", "12.00")


@pytest.mark.parametrize(("throw", "net"), [("throw 3 4", "-12.00"), ("throw 3 3", "2.00")])
def test_C2_a_place_bet_called_working_works_on_a_come_out(throw: str, net: str) -> None:
    table = desk()
    table.play("bet w ann place 6 12.00", "call w on", throw)
    assert table.net("ann") == net  # won 14.00 with 12.00 still up, or lost 12.00


def test_C3_place_bets_stay_up_after_a_win() -> None:
    table = desk()
    table.play(POINT[8], "bet w ann place 6 12.00", "throw 3 3", "throw 2 4")
    assert table.up("ann") == "12.00"
    table.do("down w")
    assert table.net("ann") == "28.00"


@pytest.mark.parametrize("bet", ["place 6 12.00", "buy 6 20.00", "hardway 6 10.00"])
def test_C3_every_bet_comes_down_where_the_table_says_so(bet: str) -> None:
    table = desk(('after_win = "stay"', 'after_win = "down"'))
    table.play(POINT[8], f"bet w ann {bet}", "throw 3 3")
    assert table.up("ann") == "0.00"


def test_C5_five_on_the_six_pays_five() -> None:
    table = desk()
    assert (
        table.play(POINT[8], "bet w ann place 6 5.00", "throw 3 3")[-1] == "w won winnings 5.00 breakage 0.83 at 7 to 6"
    )


def test_C5_an_exact_table_refuses_five_on_the_six() -> None:
    assert desk(WHOLE_DOLLARS_EXACT).do("bet w ann place 6 5.00") == ["refused cannot_be_paid bets[0].stake_minor 600"]


def test_C6_ten_on_the_six_pays_eleven() -> None:
    table = desk()
    assert (
        table.play(POINT[8], "bet w ann place 6 10.00", "throw 3 3")[-1]
        == "w won winnings 11.00 breakage 0.66 at 7 to 6"
    )


@pytest.mark.parametrize(("base", "net"), [("bet", "39.00"), ("win", "38.00")])
def test_C9_C10_commission_of_a_buy_on_the_win_is_of_the_stated_base(base: str, net: str) -> None:
    bought = 'commission = {rate = "0.05", base = "bet", when = "win"'
    table = desk((bought, bought.replace("bet", base)))
    table.play(POINT[6], "bet w ann buy 4 20.00", "throw 2 2", "down w")
    assert table.net("ann") == net


def test_C11_commission_of_a_lay_is_of_the_win() -> None:
    table = desk()
    table.play(POINT[6], "bet w ann lay 4 40.00", "throw 3 4", "down w")
    assert table.net("ann") == "19.00"


UP_FRONT = ('base = "bet", when = "win"', 'base = "bet", when = "up_front"')


def test_C15_commission_up_front_comes_back_with_the_bet() -> None:
    table = desk(UP_FRONT)
    assert table.play(POINT[6], "bet w ann buy 4 20.00") == ["w staked commission 1.00"]
    assert table.do("down w") == ["w returned returned 20.00 commission_back 1.00"]
    assert table.net("ann") == "0.00"


def test_C15_staying_up_after_a_win_costs_a_new_commission() -> None:
    table = desk(UP_FRONT)
    table.play(POINT[6], "bet w ann buy 4 20.00")
    assert table.do("throw 2 2")[-1] == "w won winnings 40.00 commission 1.00 at 2 to 1"
    table.do("down w")
    assert table.net("ann") == "39.00"


def test_C17_crapless_odds_on_the_two_pay_six_to_one() -> None:
    table = new_desk("crapless-table")
    table.play("bet w ann pass 5.00", "throw 1 1", "bet o ann odds 2 15.00 behind w")
    table.do("throw 1 1")
    assert table.net("ann") == "95.00"
    assert sum(movement.returned + movement.winnings for movement in table.history) == 11500


def test_C18_the_stake_is_no_part_of_the_winnings() -> None:
    table = new_desk("crapless-table")
    table.play("throw 1 1", "bet w ann place 6 6.00", "throw 3 3")
    assert (table.history[-1].winnings, table.history[-1].returned) == (700, 0)
    table.do("down w")
    assert table.net("ann") == "7.00"


def test_D1_a_hardway_rests_on_a_come_out_and_may_be_called_working() -> None:
    resting, working = desk(), desk()
    resting.play("bet w ann hardway 6 10.00", "throw 3 4")
    assert (resting.net("ann"), resting.up("ann")) == ("-10.00", "10.00")
    working.play("bet w ann hardway 6 10.00", "call w on", "throw 3 4")
    assert (working.net("ann"), working.up("ann")) == ("-10.00", "0.00")


@pytest.mark.parametrize(("word", "up"), [("off", "10.00"), ("on", "0.00")])
def test_D2_hardways_are_off_on_the_come_out_when_the_schedule_says_off(word: str, up: str) -> None:
    table = desk(('hardway = "off"', f'hardway = "{word}"'))
    table.play("bet w ann hardway 6 10.00", "throw 3 4")
    assert table.up("ann") == up


def test_D3_a_call_ends_when_the_puck_moves() -> None:
    table = desk()
    table.play("bet w ann hardway 6 10.00", "call w off", POINT[8], "throw 3 4")
    assert (table.net("ann"), table.up("ann")) == ("-10.00", "0.00")


@pytest.mark.parametrize(("twelve", "won"), [("3 to 1", "30.00"), ("2 to 1", "20.00")])
def test_D6_the_schedule_decides_what_the_field_pays(twelve: str, won: str) -> None:
    table = desk(('12 = "3 to 1"', f'12 = "{twelve}"'))
    assert table.play("bet w ann field 10.00", "throw 6 6")[-1].startswith(f"w won winnings {won} returned 10.00")


@pytest.mark.parametrize(
    ("spot", "throw", "won"),
    [
        ("1-1", "throw 1 1", "30.00"),
        ("1-2", "throw 2 1", "15.00"),
        ("5-6", "throw 5 6", "15.00"),
        ("6-6", "throw 6 6", "30.00"),
    ],
)
def test_D9_hops_on_totals_of_one_way_and_two_are_legal(spot: str, throw: str, won: str) -> None:
    table = desk()
    table.play(f"bet w ann hop {spot} 1.00", throw)
    assert table.net("ann") == won


@pytest.mark.parametrize("spot", ["0-7", "7-0", "2-1", "4"])
def test_D11_a_hop_on_faces_that_no_die_has_is_refused(spot: str) -> None:
    assert desk().do(f"bet w ann hop {spot} 1.00")[0].startswith("refused bad_spot bets[0].spot 1-1, 1-2,")


@pytest.mark.parametrize(("throw", "net"), [("throw 6 6", "27.00"), ("throw 5 6", "12.00"), ("throw 3 4", "-4.00")])
def test_D13_the_losing_units_of_a_horn_are_taken(throw: str, net: str) -> None:
    table = desk()
    table.play("bet w ann horn 4.00", throw)
    assert table.net("ann") == net


def test_D14_a_horn_that_does_not_divide_is_refused_and_a_horn_high_names_the_extra_unit() -> None:
    table = desk()
    assert table.do("bet w ann horn 5.00") == ["refused not_an_increment bets[0].stake_minor 400"]
    table.play("bet w ann horn_high 12 5.00", "throw 6 6")
    assert table.net("ann") == "57.00"  # 2.00 at 30 to 1, less the other three units


@pytest.mark.parametrize(
    ("throw", "net", "result"),
    [
        ("throw 3 4", "0.00", "won"),
        ("throw 6 6", "26.00", "won"),
        ("throw 5 6", "11.00", "won"),
        ("throw 2 3", "-5.00", "lost"),
    ],
)
def test_D15_a_world_bet_on_a_seven_is_a_decision_that_comes_out_even(throw: str, net: str, result: str) -> None:
    table = desk()
    table.play("bet w ann whirl 5.00", throw)
    assert (table.net("ann"), table.history[-1].result, table.history[-1].resolved) == (net, result, 500)


def test_D22_winnings_are_held_at_the_greatest_of_the_schedule() -> None:
    table = desk(('max_winnings = "500.00"', 'max_winnings = "13.00"'))
    said = table.play(POINT[8], "bet w ann place 6 12.00", "throw 3 3")
    assert said[-1] == "w won winnings 13.00 held 1.00 at 7 to 6"


def test_D21_the_felt_is_written_from_the_live_schedule() -> None:
    table = desk(('12 = "3 to 1"', '12 = "2 to 1"'))
    offers = {(offer.bet, offer.spot): offer for offer in craps.open_bets(table.state, table.schedules)}
    assert set(offers["field", ""].pays) == {"1 to 1", "2 to 1"}
    assert offers["place", "6"].pays == ("7 to 6",)
    assert set(table.schedules.current.bets) - {bet for bet, _ in offers} == {
        "come",
        "dont_come",
        "put",
        "odds",
        "lay_odds",
    }


def test_D23_what_is_told_is_what_was_paid() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", POINT[6], "bet o ann odds 6 12.00 behind w", "throw 3 3")
    assert [craps.tell(movement, "USD") for movement in table.history[-2:]] == [
        "pass: 10.00 won at 1 to 1, 10.00 returned",
        "odds 6: 14.00 won at 6 to 5, 12.00 returned",
    ]
    table.play("bet x ann field 5.00", "throw 3 4")
    assert craps.tell(table.history[-1], "USD") == "field: 5.00 lost"
    table.play("bet h ann horn 4.00", "throw 6 6")
    assert craps.tell(table.history[-1], "USD") == "horn: 30.00 won at 30 to 1, 3.00 lost, 1.00 returned"


FIRE_EIGHT_TWICE_AND_SIX = (POINT[8], "throw 4 4", POINT[8], "throw 4 4", POINT[6], "throw 3 3", POINT[4], "throw 3 4")


def test_E2_a_fire_bet_begins_with_the_shooters_hand() -> None:
    table = desk()
    table.play("bet w ann fire 1.00", POINT[8])
    assert table.do("bet v ann fire 1.00")[0].startswith("refused bet_closed bets[0].bet")
    assert table.do("down w")[0].startswith("refused contract_bet")
    table.play("throw 3 4", "bet v ann fire 1.00")
    assert [leg.state for wager in table.state.wagers for leg in wager.legs] == [(0, 0, 0, 0, 0, 0)]


def test_E3_a_point_made_twice_counts_once() -> None:
    table = desk()
    table.play("bet w ann fire 1.00", *FIRE_EIGHT_TWICE_AND_SIX)
    assert table.net("ann") == "-1.00"


def test_E3_four_different_points_pay_at_the_seven_out() -> None:
    table = desk()
    hand = [line for point in (4, 5, 6, 8) for line in (POINT[point], POINT[point])]
    assert (
        table.play("bet w ann fire 1.00", *hand, POINT[9], "throw 3 4")[-1]
        == "w won winnings 24.00 returned 1.00 at 24 to 1"
    )


def test_E4_a_come_out_seven_leaves_a_fire_bet_running() -> None:
    table = desk()
    table.play("bet w ann fire 1.00", "throw 3 4")
    assert table.up("ann") == "1.00"


SMALL = ("throw 1 1", "throw 1 2", "throw 1 3", "throw 1 4", "throw 2 4")


def test_E8_every_throw_counts_for_a_small_bet() -> None:
    table = desk()
    said = table.play("bet w ann small 1.00", *SMALL)
    assert said[-1] == "w won winnings 34.00 returned 1.00 at 34 to 1"
    lost = desk()
    lost.play("bet w ann small 1.00", "throw 1 1", "throw 3 4")
    assert lost.net("ann") == "-1.00"


def test_E10_a_small_bet_that_was_won_is_closed_until_the_next_seven() -> None:
    table = desk()
    table.play("bet w ann small 1.00", *SMALL)
    assert table.do("bet v ann small 1.00")[0].startswith("refused bet_closed bets[0].bet")
    table.do("throw 3 4")
    assert table.do("bet v ann small 1.00") == []


def test_F1_profit_and_returned_stake_are_two_amounts() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", "throw 3 4")
    won = table.history[-1]
    assert (won.winnings, won.returned, table.net("ann")) == (1000, 1000, "10.00")


def test_F2_three_more_on_a_five_dollar_pass_bet_is_eight() -> None:
    table = desk()
    table.play("bet w ann pass 5.00", "press w 3.00")
    assert table.up("ann") == "8.00"


def test_F4_the_minimum_is_kept_by_the_same_id_as_the_bet() -> None:
    table = desk(('min = "5.00"', 'min = "10.00"'))
    assert table.do("bet w ann pass 1.00") == ["refused below_minimum bets[0].stake_minor 1000"]


@pytest.mark.parametrize(
    ("stake", "refused"),
    [
        ("0.01", "refused below_minimum bets[0].stake_minor 500"),
        ("100000000000.00", "refused above_maximum bets[0].stake_minor 50000"),
        ("7.50", "refused not_an_increment bets[0].stake_minor 100"),
    ],
)
def test_F5_stakes_outside_the_limits_are_refused(stake: str, refused: str) -> None:
    assert desk().do(f"bet w ann pass {stake}") == [refused]


def test_F6_two_bets_on_one_spot_count_together() -> None:
    table = desk()
    assert table.do("bet w ann pass 300.00 + v ann pass 300.00") == ["refused above_maximum bets[1].stake_minor 50000"]
    assert table.state.wagers == ()
    table.do("bet w ann pass 300.00")
    assert table.do("press w 201.00") == ["refused above_maximum stake_minor 50000"]
    assert table.do("bet v bob pass 300.00") == []


def test_F18_the_dice_are_settled_as_thrown_in_either_order() -> None:
    for throw in ("throw 1 3", "throw 3 1"):
        table = desk()
        table.play(POINT[8], "bet w ann hardway 4 10.00", throw)
        assert table.net("ann") == "-10.00"


@pytest.mark.parametrize("throw", ["throw 3 cocked 4", "throw 3 4 off", "throw 3 foul 4 foul", "throw 3 void 4"])
def test_F22_a_throw_with_a_die_that_does_not_count_moves_nothing(throw: str) -> None:
    table = desk()
    table.play("bet w ann pass 10.00", POINT[6], "bet f ann field 10.00")
    before = table.state
    assert table.do(throw) == ["no throw"]
    assert table.state == before


def test_F9_a_table_goes_on_from_where_it_stands() -> None:
    table = desk()
    for _ in range(2):
        table.play(*["throw 1 1"] * 100)
    assert table.state.throws_in_hand == 200


def test_F10_bets_that_ride_settle_when_no_new_ones_are_made() -> None:
    table = desk()
    table.play("bet w ann pass 10.00 + h ann hardway 8 5.00", POINT[6], "throw 3 4")
    assert (table.net("ann"), table.up("ann")) == ("-15.00", "0.00")


def test_F21_a_wager_that_cannot_be_paid_at_the_posted_odds_is_refused() -> None:
    table = desk(WHOLE_DOLLARS_EXACT)
    assert table.play(POINT[8], "bet w ann place 6 10.00") == ["refused cannot_be_paid bets[0].stake_minor 600"]
    assert table.do("bet w ann place 6 12.00") == []
