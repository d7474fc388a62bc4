"""The craps table: state, rail, bets of a window, changes, calls, exposure, schedules of two versions."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.domain.ids import PlayerId, WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps
from house.engines.craps import CrapsState, Schedules
from tests.golden.craps_script import GOLDEN, Desk, craps_schedule, new_desk

TABLE = (GOLDEN / "table.toml").read_text()


def desk(text: str = TABLE) -> Desk:
    return new_desk(text)


def placement(wager: str, bet: str, stake: int, spot: str = "", parent: str | None = None) -> Placement:
    behind = WagerId(parent) if parent else None
    return Placement(wager=WagerId(wager), player=PlayerId("ann"), bet=bet, spot=spot, stake=stake, parent=behind)


def test_a_state_survives_a_trip_through_json_text() -> None:
    table = desk()
    table.play("bet a ann pass 10.00 + b ann fire 1.00 + c bob horn 4.00", "throw 4 2", "toke t ann hardway 6 1.00")
    table.play("bet o ann odds 6 10.00 behind a", "call t off")
    assert CrapsState.from_json(json.loads(json.dumps(table.state.to_json()))) == table.state


def test_the_dice_go_round_on_a_seven_out_alone() -> None:
    table = desk()
    table.do("rail ann bob")
    table.play("throw 3 4", "throw 1 1", "throw 5 6")
    assert (table.state.rail[0], table.state.hand, table.state.throws_in_hand) == ("sam", 1, 3)
    table.play("throw 2 2", "throw 2 2", "throw 2 2", "throw 3 4")
    assert (table.state.rail, table.state.hand, table.state.throws_in_hand) == (("ann", "bob", "sam"), 2, 0)


def test_a_shooter_who_leaves_hands_his_point_to_the_next() -> None:
    table = desk()
    table.play("rail ann", "bet w ann pass 10.00", "throw 2 2")
    assert table.do("leave sam") == ["new shooter"]
    assert (table.state.rail, table.state.point, table.state.hand) == (("ann",), 4, 1)
    table.do("throw 2 2")
    assert table.net("ann") == "10.00"


def test_without_a_shooter_nobody_throws() -> None:
    table = desk()
    table.do("leave sam")
    assert table.do("throw 3 4") == ["refused not_in_play shooter"]


def test_nobody_stands_at_the_rail_twice_or_leaves_what_he_did_not_join() -> None:
    table = desk()
    assert table.do("rail sam") == ["refused already_exists player"]
    assert table.do("leave ann") == ["refused not_found player"]


def test_a_throw_of_three_dice_is_refused() -> None:
    table = desk()
    with pytest.raises(Refused) as refused:
        craps.throw(table.state, table.schedules, read_throw((1, 2, 3), None, dice=3))
    assert (refused.value.refusal, refused.value.field, refused.value.limit) == (Refusal.BAD_THROW, "dice", "2")


def test_one_bad_bet_of_a_window_refuses_them_all_and_is_named() -> None:
    table = desk()
    before = table.state
    said = table.do("bet a ann pass 10.00 + b ann hardway 5 5.00 + c ann field 1.00")
    assert said == ["refused bad_spot bets[1].spot 4, 6, 8, 10"]
    assert table.state == before


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("bet a ann nonsense 10.00", "refused bet_not_offered bets[0].bet"),
        ("bet a ann place 10.00", "refused bad_spot bets[0].spot 4, 5, 6, 8, 9, 10"),
        ("bet a ann pass 6 10.00", "refused bad_spot bets[0].spot none"),
        ("bet a ann come 1.00", "refused bet_closed bets[0].bet"),
        ("bet a ann odds 6 10.00 behind nobody", "refused no_parent_bet bets[0].parent pass, come, put"),
        ("bet a ann odds 10.00", "refused no_parent_bet bets[0].parent pass, come, put"),
        ("bet a ann field 1.50", "refused below_minimum bets[0].stake_minor 500"),
        ("bet a ann field 0", "refused below_minimum bets[0].stake_minor 500"),
        ("bet a ann field 500.50", "refused above_maximum bets[0].stake_minor 50000"),
        ("bet a ann field 5.50", "refused not_an_increment bets[0].stake_minor 100"),
        ("bet a ann field 5.00 behind b", "refused no_parent_bet bets[0].parent none"),
        ("bet a ann field 5.00 + a ann yo 1.00", "refused already_exists bets[1].wager"),
    ],
)
def test_a_bet_is_refused_by_its_first_reason(line: str, refused: str) -> None:
    assert desk().do(line) == [refused]


@pytest.mark.parametrize(
    "line",
    [
        "bet o ann odds 6 10.00 behind w",  # no point yet
        "bet o ann odds 10.00 behind w",
        "bet o bob odds 6 10.00 behind w",  # another player's
        "bet o ann lay_odds 6 10.00 behind w",  # another kind
    ],
)
def test_odds_need_a_parent_of_their_kind_with_its_number(line: str) -> None:
    table = desk()
    table.do("bet w ann pass 10.00")
    assert table.do(line)[0].split()[1] == "no_parent_bet"
    table.do("throw 2 2")
    assert table.do("bet o ann odds 6 10.00 behind w")[0].split()[1] == "no_parent_bet"
    assert table.do("bet o bob odds 4 10.00 behind w")[0].split()[1] == "no_parent_bet"


def test_odds_without_a_spot_stand_on_their_parents_number() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", "throw 4 5", "bet o ann odds 10.00 behind w")
    assert table.state.wagers[-1].spot == "9"


def test_several_odds_behind_one_bet_count_together() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", "throw 2 2", "bet o ann odds 4 20.00 behind w")
    assert table.do("bet p ann odds 4 11.00 behind w") == ["refused odds_limit bets[0].stake_minor 3000"]
    assert table.do("bet p ann odds 4 10.00 behind w") == []


def test_a_dont_pass_is_reduced_no_further_than_its_odds_allow() -> None:
    table = desk()
    table.play("bet w ann dont_pass 10.00", "throw 2 2", "bet o ann lay_odds 4 60.00 behind w")
    assert table.do("reduce w 1.00") == ["refused odds_limit stake_minor 5400"]
    table.do("reduce o 6.00")
    assert table.do("reduce w 1.00") == ["w returned returned 1.00"]


def test_nothing_is_added_to_a_dont_pass_that_has_its_point() -> None:
    table = desk()
    table.play("bet w ann dont_pass 10.00", "throw 2 2")
    assert table.do("press w 5.00") == ["refused bet_closed wager"]


def test_a_part_of_a_wager_is_less_than_all_of_it() -> None:
    table = desk()
    table.do("bet w ann place 6 12.00")
    assert table.do("reduce w 12.00") == ["refused above_maximum stake_minor 1199"]
    assert table.do("reduce w 0") == ["refused below_minimum stake_minor 1"]
    assert table.do("reduce w 8.00") == ["refused below_minimum stake_minor 500"]


def test_pressing_a_bought_number_costs_the_difference_of_its_commission() -> None:
    table = desk(TABLE.replace('base = "bet", when = "win"', 'base = "bet", when = "up_front"'))
    table.do("bet w ann buy 4 20.00")
    assert table.do("press w 40.00") == ["w staked commission 2.00"]
    assert table.do("reduce w 40.00") == ["w returned returned 40.00 commission_back 2.00"]
    assert table.do("down w") == ["w returned returned 20.00 commission_back 1.00"]


@pytest.mark.parametrize("bet", ["pass", "dont_pass", "fire"])
def test_flats_and_bets_over_a_hand_always_work(bet: str) -> None:
    table = desk()
    table.do(f"bet w ann {bet} 5.00")
    assert table.do("call w off") == ["refused contract_bet wager"]


HOT_SIX = """
[bets.hot_six]
shape = "count"
count = "6"
ends = "7"
opens = "any_time"
pays = {3 = "8 to 1"}
limits = {min = "1.00", max = "100.00", increment = "1.00"}
"""


def test_a_bet_that_the_schedule_alone_defines_is_played() -> None:
    table = desk(TABLE + HOT_SIX)
    table.play("bet w ann hot_six 5.00", "throw 2 4")
    assert table.do("call w off") == ["refused contract_bet wager"]
    assert table.do("down w") == ["refused contract_bet wager"]
    table.do("throw 3 3")
    assert table.do("throw 5 1")[-1] == "w won winnings 40.00 returned 5.00 at 8 to 1"


def test_a_lay_bet_works_on_a_come_out_by_the_choice_of_the_house() -> None:
    working, resting = desk(), desk(TABLE.replace('lay = "on"', 'lay = "off"'))
    for table, net in ((working, "19.00"), (resting, "0.00")):
        table.play("bet w ann lay 4 40.00", "throw 3 4", "down w")
        assert table.net("ann") == net


def test_odds_called_off_are_returned_when_their_parent_is_decided() -> None:
    table = desk()
    table.play("bet w ann pass 10.00", "throw 2 2", "bet o ann odds 4 10.00 behind w", "call o off")
    assert table.do("throw 3 4")[-2:] == ["w lost lost 10.00", "o returned returned 10.00"]


def test_an_order_is_booked_as_its_parts() -> None:
    table = desk()
    table.do("bet w ann inside 44.00")
    assert [(wager.id, wager.bet, wager.spot, wager.stake) for wager in table.state.wagers] == [
        ("w/1", "place", "5", 1000),
        ("w/2", "place", "6", 1200),
        ("w/3", "place", "8", 1200),
        ("w/4", "place", "9", 1000),
    ]
    assert table.do("bet v ann inside 45.00") == ["refused not_an_increment bets[0].stake_minor 2200"]


def test_a_come_out_seven_opens_what_waits_for_a_seven_and_not_what_waits_for_a_new_hand() -> None:
    table = desk()
    table.do("throw 1 1")
    assert table.do("bet s ann small 1.00") == ["refused bet_closed bets[0].bet"]
    table.do("throw 3 4")
    assert table.do("bet s ann small 1.00") == []
    assert table.do("bet f ann fire 1.00") == ["refused bet_closed bets[0].bet"]
    table.play("throw 2 2", "throw 3 4")
    assert table.do("bet f ann fire 1.00") == []


def test_exposure_is_the_sum_of_the_greatest_winnings() -> None:
    table = desk()
    table.do("bet a ann pass 10.00 + b ann field 5.00 + c bob horn 4.00 + d bob place 6 12.00")
    # 10 at 1 to 1, 5 at 3 to 1, a unit of 1 at 30 to 1 (the other units lose), 12 at 7 to 6.
    assert craps.exposure(table.state, table.schedules) == 1000 + 1500 + 3000 + 1400


def test_a_bet_beyond_the_tables_exposure_is_refused() -> None:
    table = desk(TABLE.replace('exposure = "50000.00"', 'exposure = "100.00"'))
    assert table.do("bet a ann pass 90.00 + b bob pass 11.00") == ["refused exposure_limit bets[1].stake_minor 10000"]
    assert table.do("bet a ann pass 90.00 + b bob pass 10.00") == []
    assert table.do("press b 1.00") == ["refused exposure_limit stake_minor 10000"]


def test_wagers_on_one_spot_do_not_win_together_what_one_may_not() -> None:
    table = desk(TABLE.replace('max_winnings = "500.00"', 'max_winnings = "19.00"'))
    table.do("bet a ann place 6 12.00")  # wins 14.00
    assert table.do("bet b ann place 6 6.00") == ["refused winnings_limit bets[0].stake_minor 1900"]
    assert table.do("bet b ann place 6 5.00") == []  # 5.00 more
    assert table.do("bet d ann place 8 12.00 + e ann place 8 5.00 + f ann place 8 6.00") == [
        "refused winnings_limit bets[2].stake_minor 1900"
    ]
    assert table.do("bet c bob place 6 12.00") == []


def test_a_smaller_exposure_of_a_new_version_lets_stakes_be_reduced() -> None:
    first = craps_schedule(TABLE)
    second = craps_schedule(TABLE.replace("version = 1", "version = 2").replace("50000.00", "10.00"))
    table = Desk(Schedules(first))
    table.play("rail sam", "bet a ann place 6 60.00")
    table.schedules = Schedules(second, earlier=(first,))
    assert table.do("bet b ann field 5.00") == ["refused exposure_limit bets[0].stake_minor 1000"]
    assert table.do("reduce a 12.00") == ["a returned returned 12.00"]


def test_a_bet_is_settled_by_the_version_under_which_it_was_made() -> None:
    first = craps_schedule(TABLE)
    second = craps_schedule(TABLE.replace("version = 1", "version = 2").replace('6 = "7 to 6"', '6 = "1 to 1"'))
    table = Desk(Schedules(first))
    table.play("rail sam", "throw 2 2", "bet a ann place 6 12.00")
    table.schedules = Schedules(second, earlier=(first,))
    assert table.do("press a 12.00") == ["refused bet_closed wager"]
    table.do("bet b ann place 6 12.00")
    assert table.do("throw 3 3")[-2:] == ["a won winnings 14.00 at 7 to 6", "b won winnings 12.00 at 1 to 1"]


def test_a_schedule_with_other_points_waits_for_an_empty_layout() -> None:
    with pytest.raises(ValueError, match="earlier must have the points"):
        Schedules(craps_schedule(TABLE), earlier=(craps_schedule("crapless-table"),))


def test_a_toke_is_settled_by_the_same_rules_and_told_apart() -> None:
    table = desk()
    table.play("toke t ann yo 1.00", "throw 5 6")
    assert [movement.toke for movement in table.history] == [True, True]
    assert table.history[-1].winnings == 1500


def test_offers_follow_the_puck_and_name_the_parent_of_odds() -> None:
    table = desk()
    before = {offer.bet for offer in craps.open_bets(table.state, table.schedules)}
    assert {"pass", "dont_pass", "small", "fire"} <= before
    assert not before & {"come", "put", "odds"}
    table.do("bet w ann pass 10.00")
    assert "odds" not in {offer.bet for offer in craps.open_bets(table.state, table.schedules)}
    table.do("throw 2 2")
    offers = craps.open_bets(table.state, table.schedules)
    assert not {offer.bet for offer in offers} & {"pass", "small", "fire", "lay_odds"}
    assert [(one.spot, one.parent, one.max_minor, one.pays) for one in offers if one.bet == "odds"] == [
        ("4", "w", 3000, ("2 to 1",))
    ]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=25))
def test_whatever_is_offered_is_accepted_and_no_stake_is_lost_from_sight(
    moves: list[tuple[int, int, int]],
) -> None:
    table = desk()
    for number, (pick, first, second) in enumerate(moves):
        offers = craps.open_bets(table.state, table.schedules)
        offer = offers[pick % len(offers)]
        stake = -(-offer.min_minor // offer.unit_minor) * offer.unit_minor
        order = Placement(
            wager=WagerId(f"w{number}"),
            player=PlayerId(f"p{number}"),
            bet=offer.bet,
            spot=offer.spot,
            stake=stake,
            parent=offer.parent,
        )
        if offer.parent is None:
            table.take(craps.place(table.state, table.schedules, (order,)))
        table.do(f"throw {first} {second}")
        put_up = sum(one.staked for one in table.history)
        assert put_up == sum(one.returned + one.lost for one in table.history) + sum(
            wager.stake for wager in table.state.wagers
        )
