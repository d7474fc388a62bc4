"""Rows of the list of situations in craps that are about prices, edges, loading and the guard; each by its number."""

from fractions import Fraction

import pytest

from payouts.chain import solve
from payouts.craps.edges import edges
from payouts.craps.lines import line_return
from payouts.craps.settling import check_stake, default_stake, settle, stake_unit
from payouts.errors import InexactStakeError
from payouts.machine import Outcome
from payouts.odds import Odds
from payouts.schedule import load, shipped
from tests.payouts.craps.offers import CRAPLESS, brought, edge, faults, offer

DOLLARS = 'rounding = {unit = "1.00", rule = "down"}\n'
COMMISSION = 'commission = {{rate = "0.05", base = "{base}", when = "{when}", rounding = "down", unit = "1.00"}}'
BY_DOLLAR = 'limits = {min = "1.00", max = "5000.00", increment = "1.00"}'


def won(bets: str, bet: str, spot: str, stake: int, throw: tuple[int, int], *, table: str = "") -> int:
    """Net gain in cents when one throw decides every leg of a bet."""
    schedule = offer(bets, table)
    net = 0
    legs = schedule.legs(bet, spot)
    for leg in legs:
        part = stake * leg.weight // sum(each.weight for each in legs)
        payment = leg.machine.step(leg.machine.start(), throw)
        assert not isinstance(payment, tuple), "the throw decides the bet"
        net += settle(schedule.bets[leg.bet], schedule.table.rounding, part, payment).net(part)
    return net


def field(**prices: str) -> str:
    usual = {"2": "2 to 1", "3": "1 to 1", "4": "1 to 1", "9": "1 to 1", "10": "1 to 1", "11": "1 to 1", "12": "3 to 1"}
    priced = usual | {total.lstrip("t"): price for total, price in prices.items()}
    return "[bets.field]\npays = {" + ", ".join(f'{total} = "{price}"' for total, price in priced.items()) + "}\n"


def test_A3_a_table_barring_two_bars_it_on_dont_come_too() -> None:
    schedule = offer('[bets.dont_come]\npays = "1 to 1"', 'dont_bar = "2"')
    machine = schedule.legs("dont_come", "")[0].machine
    assert machine.step(machine.start(), (1, 1)) == solve(machine).endings[1][0]
    assert [machine.step(machine.start(), throw).outcome for throw in ((1, 1), (6, 6))] == [Outcome.TIE, Outcome.WIN]
    assert brought(schedule, "dont_come").edge_made == Fraction(3, 220)


def test_A5_a_table_barring_ace_deuce() -> None:
    got = brought(offer('[bets.dont_pass]\npays = "1 to 1"', 'dont_bar = "1-2"'), "dont_pass")
    assert (got.edge_made, got.edge_resolved) == (Fraction(41, 990), Fraction(41, 935))


def test_A7_a_put_bet_on_each_point_has_its_own_edge() -> None:
    schedule = offer('[bets.put]\npays = "1 to 1"')
    assert [brought(schedule, "put", spot).edge_made for spot in ("4", "5", "6")] == [
        Fraction(1, 3), Fraction(1, 5), Fraction(1, 11),
    ]  # fmt: skip


def test_A11_a_dont_bet_is_not_offered_at_a_crapless_table() -> None:
    for bet in ("dont_pass", "dont_come"):
        (fault,) = faults(f'[bets.{bet}]\npays = "1 to 1"', CRAPLESS)
        assert fault.key == f"bets.{bet}"
        assert "not offered at a table where 2, 3, 11 or 12 is a point" in fault.bound


def test_A12_the_edge_of_a_dont_bet_says_whether_ties_count() -> None:
    row = edges(load(shipped("craps", "strip-345x")), "dont_pass")[0]
    assert (row.edge_made, row.edge_resolved) == (Fraction(3, 220), Fraction(27, 1925))


def test_B12_laid_odds_of_a_dollar_on_six_cannot_be_paid_in_dollars() -> None:
    bets = """
[bets.dont_pass]
pays = "1 to 1"
[bets.lay_odds]
pays = {4 = "1 to 2", 5 = "2 to 3", 6 = "5 to 6", 8 = "5 to 6", 9 = "2 to 3", 10 = "1 to 2"}
"""
    schedule = offer(bets, DOLLARS + "odds_limit = {4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}\n")
    for spot, unit in (("6", 600), ("9", 300), ("4", 200)):
        with pytest.raises(InexactStakeError) as refused:
            check_stake(schedule, "lay_odds", spot, 100)
        assert refused.value.unit_minor == unit


def test_B15_odds_of_five_dollars_on_five_are_never_paid_above_true_odds() -> None:
    schedule = offer(
        '[bets.pass]\npays = "1 to 1"\n[bets.odds]\n'
        'pays = {4 = "2 to 1", 5 = "3 to 2", 6 = "6 to 5", 8 = "6 to 5", 9 = "3 to 2", 10 = "2 to 1"}',
        DOLLARS + "odds_limit = {4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}\n",
    )
    assert brought(schedule, "odds", "5", 500).edge_made == Fraction(1, 25)


@pytest.mark.parametrize(("stake", "net", "house"), [(500, 500, Fraction(1, 11)), (1000, 1100, Fraction(1, 22))])
def test_C5_C6_place_six_pays_down_to_the_dollar(stake: int, net: int, house: Fraction) -> None:
    bets = '[bets.place]\npays = {6 = "7 to 6"}'
    assert won(bets, "place", "6", stake, (3, 3), table=DOLLARS) == net
    assert edge(bets, "place", "6", stake, DOLLARS) == house


def test_C7_the_smallest_stake_paid_exactly_on_six_with_a_minimum_of_fifteen_is_eighteen() -> None:
    schedule = offer('[bets.place]\npays = {6 = "7 to 6"}\nlimits = {min = "15.00", increment = "1.00"}', DOLLARS)
    assert default_stake(schedule, "place", "6") == 1800


@pytest.mark.parametrize(("base", "net", "house"), [("bet", 3900, Fraction(1, 60)), ("win", 3800, Fraction(1, 30))])
def test_C9_C10_commission_of_a_buy_is_taken_from_the_base_that_the_table_says(
    base: str, net: int, house: Fraction
) -> None:
    bets = f'[bets.buy]\npays = {{4 = "2 to 1"}}\n{BY_DOLLAR}\n{COMMISSION.format(base=base, when="win")}'
    assert won(bets, "buy", "4", 2000, (2, 2)) == net
    assert edge(bets, "buy", "4", 2000) == house


@pytest.mark.parametrize(("when", "house"), [("up_front", Fraction(1, 41)), ("win", Fraction(1, 60))])
def test_C11_a_lay_of_forty_is_charged_one_dollar(when: str, house: Fraction) -> None:
    bets = f'[bets.lay]\npays = {{4 = "1 to 2"}}\n{BY_DOLLAR}\n{COMMISSION.format(base="win", when=when)}'
    got = brought(offer(bets), "lay", "4", 4000)
    assert got.edge_made == house
    assert got.at_risk_minor == (4100 if when == "up_front" else 4000)


@pytest.mark.parametrize(("when", "house"), [("up_front", Fraction(1, 26)), ("win", Fraction(1, 75))])
def test_C13_the_edge_of_a_buy_is_a_function_of_the_stake(when: str, house: Fraction) -> None:
    bets = f'[bets.buy]\npays = {{10 = "2 to 1"}}\n{BY_DOLLAR}\n{COMMISSION.format(base="bet", when=when)}'
    assert edge(bets, "buy", "10", 2500) == house


def test_C14_an_unknown_word_for_rounding_is_refused_at_load() -> None:
    commission = COMMISSION.format(base="bet", when="win").replace("down", "floor")
    (fault,) = faults(f'[bets.buy]\npays = {{4 = "2 to 1"}}\n{commission}')
    assert (fault.key, fault.value) == ("bets.buy.commission.rounding", "'floor'")
    assert fault.bound == 'one of "down", "nearest", "up", "none"'


def test_C18_the_price_is_winnings_without_the_stake() -> None:
    assert won('[bets.place]\npays = {6 = "7 to 6"}', "place", "6", 600, (2, 4)) == 700


def test_C19_crapless_pass_with_double_odds() -> None:
    schedule = load(shipped("craps", "crapless"))
    twice = dict.fromkeys(schedule.table.points, 2)
    assert line_return(schedule, "pass", "", twice).element_of_risk == Fraction(373, 18480)


def test_D5_a_winning_total_of_the_field_without_a_payout_is_refused() -> None:
    found = faults('[bets.field]\npays = {2 = "2 to 1", 12 = "3 to 1"}')
    assert {fault.key for fault in found} == {f"bets.field.pays.{total}" for total in (3, 4, 9, 10, 11)}
    assert {fault.value for fault in found} == {"nothing"}


@pytest.mark.parametrize(
    ("two", "twelve", "house"), [(2, 2, Fraction(1, 18)), (2, 3, Fraction(1, 36)), (3, 3, Fraction(0))]
)
def test_D6_the_settings_of_the_field_decide(two: int, twelve: int, house: Fraction) -> None:
    bets = field(t2=f"{two} to 1", t12=f"{twelve} to 1")
    assert edge(bets, "field") == house
    assert won(bets, "field", "", 100, (1, 1)) == 100 * two
    assert won(bets, "field", "", 100, (6, 6)) == 100 * twelve


def test_D7_a_field_with_a_players_edge_is_computed_and_flagged() -> None:
    (fault,) = faults(field(t11="2 to 1"))
    assert fault.key == "bets.field"
    assert fault.value == "an edge of -1/36 (-2.7778 %) at a stake of 0.01 USD"


@pytest.mark.parametrize(
    ("spot", "throw", "price"), [("1-1", (1, 1), 30), ("1-2", (2, 1), 15), ("5-6", (5, 6), 15), ("6-6", (6, 6), 30)]
)
def test_D9_every_pair_of_faces_may_be_hopped(spot: str, throw: tuple[int, int], price: int) -> None:
    bets = '[bets.hop]\npays = {easy = "15 to 1", hard = "30 to 1"}'
    assert spot in offer(bets).spots("hop")
    assert won(bets, "hop", spot, 100, throw) == 100 * price


def test_D10_an_easy_hop_at_twenty_is_flagged() -> None:
    (fault,) = faults('[bets.hop]\npays = {easy = "20 to 1"}')
    assert fault.value.startswith("an edge of -1/6 ")


def test_D11_there_is_no_hop_on_faces_that_dice_do_not_have() -> None:
    spots = offer('[bets.hop]\npays = {easy = "15 to 1", hard = "30 to 1"}').spots("hop")
    assert len(spots) == 21
    assert "0-7" not in spots


HORN = '[bets.horn]\npays = {2 = "30 to 1", 3 = "15 to 1", 11 = "15 to 1", 12 = "30 to 1"}\n' + BY_DOLLAR


def test_D13_the_payout_of_a_horn_is_reduced_by_its_three_losing_units() -> None:
    assert won(HORN, "horn", "", 400, (6, 6)) == 2700
    assert won(HORN, "horn", "", 400, (5, 6)) == 1200


def test_D14_a_horn_of_five_dollars_is_refused_with_the_unit_named() -> None:
    schedule = offer(HORN)
    with pytest.raises(InexactStakeError, match=r"multiple of 4\.00 USD on horn, got 5\.00 USD") as refused:
        check_stake(schedule, "horn", "", 500)
    assert refused.value.unit_minor == stake_unit(schedule, "horn") == 400


def test_D15_a_world_bet_on_seven_neither_gains_nor_loses() -> None:
    bets = (
        '[bets.whirl]\npays = {2 = "30 to 1", 3 = "15 to 1", 7 = "4 to 1", 11 = "15 to 1", 12 = "30 to 1"}\n'
        + BY_DOLLAR
    )
    assert [won(bets, "whirl", "", 500, throw) for throw in ((3, 4), (6, 6), (5, 6))] == [0, 2600, 1100]
    got = brought(offer(bets), "whirl")
    assert (got.edge_made, got.edge_resolved) == (Fraction(2, 15), Fraction(4, 25))


@pytest.mark.parametrize(
    ("bet", "price", "as_to", "as_for"),
    [("any_seven", 5, Fraction(0), Fraction(1, 6)), ("any_craps", 8, Fraction(0), Fraction(1, 9)),
     ("yo", 16, Fraction(1, 18), Fraction(1, 9)), ("aces", 31, Fraction(1, 9), Fraction(5, 36))],
)  # fmt: skip
def test_D17_for_one_is_not_to_one(bet: str, price: int, as_to: Fraction, as_for: Fraction) -> None:
    assert edge(f'[bets.{bet}]\npays = "{price} to 1"', bet) == as_to
    assert edge(f'[bets.{bet}]\npays = "{price} for 1"', bet) == as_for


def test_D18_the_unit_of_a_price_is_kept_as_printed() -> None:
    assert str(offer('[bets.yo]\npays = "15 for 1"').bets["yo"].price("")) == "15 for 1"
    assert edge('[bets.yo]\npays = "15 for 1"', "yo") == Fraction(1, 6)
    assert edge('[bets.yo]\npays = "15 to 1"', "yo") == Fraction(1, 9)


def test_D19_eleven_at_fifteen_to_one_is_a_ninth_whatever_is_printed() -> None:
    bets = '[bets.yo]\npays = "15 to 1"'
    assert faults(bets, top='declared = {yo = "11.11 %"}\n') == ()
    (fault,) = faults(bets, top='declared = {yo = "11.9 %"}\n')
    assert (fault.key, fault.value) == ("declared.yo", "11.9 %")
    assert fault.bound == "11.1 %, the exact edge of yo being 1/9"


def test_D22_winnings_are_held_at_the_cap() -> None:
    bets = '[bets.yo]\npays = "15 to 1"\nlimits = {min = "1.00", max = "100.00", max_winnings = "1000.00"}'
    schedule = offer(bets)
    machine = schedule.legs("yo", "")[0].machine
    payment = machine.step(machine.start(), (5, 6))
    assert not isinstance(payment, tuple)
    settled = settle(schedule.bets["yo"], schedule.table.rounding, 10_000, payment)
    assert (settled.winnings, settled.withheld) == (100_000, 50_000)
    # 34 ways lose the stake, 2 ways win ten times it
    assert brought(schedule, "yo", stake=10_000).edge_made == Fraction(34 - 2 * 10, 36)


def played(bet: str, throws: str, text: str) -> object:
    """Run the machine of a bet over throws, and say how it ends: its price, or the outcome."""
    machine = offer(text).legs(bet, "")[0].machine
    state = machine.start()
    for each in throws.split():
        after = machine.step(state, (int(each[0]), int(each[1])))
        if not isinstance(after, tuple):
            return str(after.odds) if after.odds else after.outcome
        state = after
    return "riding"


FIRE = '[bets.fire]\npays = {4 = "24 to 1", 5 = "249 to 1", 6 = "999 to 1"}'


def test_E3_the_same_point_twice_counts_once_for_the_fire_bet() -> None:
    # points 8, 8, 6, then point 4 and out: two different points; with 4 and 5 made too it is four
    assert played("fire", "44 62 53 35 33 24 22 16", FIRE) is Outcome.LOSE
    assert played("fire", "44 62 53 35 33 24 22 31 14 23 55 61", FIRE) == "24 to 1"


def test_E4_a_seven_on_the_come_out_does_not_end_the_fire_bet() -> None:
    assert played("fire", "34 16 52", FIRE) == "riding"


def test_E6_chances_of_four_five_and_six_points() -> None:
    law = dict(solve(offer(FIRE).legs("fire", "")[0].machine).endings)
    chance = {str(payment.odds): chance for payment, chance in law.items()}
    assert f"{float(chance['24 to 1']) * 100:.4f}" == "0.8798"
    assert f"{float(chance['249 to 1']) * 100:.4f}" == "0.1640"
    assert f"{float(1 / chance['999 to 1']):.1f}" == "6156.3"


def test_E7_fire_for_one_is_a_point_dearer_than_to_one() -> None:
    to_one = edge('[bets.fire]\npays = {4 = "25 to 1", 5 = "250 to 1", 6 = "1000 to 1"}', "fire")
    for_one = edge('[bets.fire]\npays = {4 = "25 for 1", 5 = "250 for 1", 6 = "1000 for 1"}', "fire")
    assert [f"{float(each) * 100:.2f}" for each in (to_one, for_one)] == ["19.70", "20.76"]


def test_E8_small_counts_throws_of_the_come_out_and_any_seven_loses() -> None:
    small = '[bets.small]\npays = "34 to 1"'
    assert played("small", "11 12 22 14 33", small) == "34 to 1"
    assert played("small", "11 12 22 34", small) is Outcome.LOSE


def test_E11_small_tall_and_all_in_both_units() -> None:
    small = edge('[bets.small]\npays = "35 for 1"', "small")
    assert f"{float(small) * 100:.2f}" == "7.76"
    everything = [edge(f'[bets.all]\npays = "{price}"', "all") for price in ("174 to 1", "175 for 1", "175 to 1")]
    assert [f"{float(each) * 100:.2f}" for each in everything] == ["7.99", "7.99", "7.46"]


def test_E12_the_order_of_the_totals_does_not_matter_for_all() -> None:
    everything = '[bets.all]\npays = "174 to 1"'
    rising, falling = "11 12 13 14 15 26 36 46 56 66", "66 56 46 36 26 15 14 13 12 11"
    assert played("all", rising, everything) == played("all", falling, everything) == "174 to 1"
    assert played("all", rising.removesuffix(" 66"), everything) == "riding"


def test_E14_a_repeater_of_two_twos_at_forty_for_one() -> None:
    assert edge('[bets.repeater]\npays = {2 = "40 for 1"}', "repeater", "2") == Fraction(9, 49)


def test_F1_the_edge_is_reckoned_on_profit_and_not_on_what_comes_back() -> None:
    assert won("[bets.field]\n" + field().partition("\n")[2], "field", "", 1000, (4, 5)) == 1000


def test_F16_rounding_never_favours_the_player_at_any_stake() -> None:
    schedule = offer('[bets.place]\npays = {6 = "7 to 6", 4 = "9 to 5"}\nlimits = {max = "60.00"}', DOLLARS)
    for spot, exact in (("6", Fraction(1, 66)), ("4", Fraction(1, 15))):
        seen = [brought(schedule, "place", spot, stake).edge_made for stake in range(100, 6001)]
        assert min(seen) == exact


def test_F17_a_fair_bet_is_refused_unless_it_is_accepted() -> None:
    fair = field(t2="3 to 1")
    (fault,) = faults(fair)
    assert fault.value == "an edge of 0 (0.0000 %) at a stake of 0.01 USD"
    (warning,) = offer(fair + "player_edge_accepted = true\n", top="").warnings
    assert warning == "bets.field: the player's edge is accepted: an edge of 0 (0.0000 %) at a stake of 0.01 USD"


def test_F21_a_wager_that_cannot_be_paid_at_the_posted_odds_is_refused_where_the_table_says_exact() -> None:
    schedule = offer('[bets.place]\npays = {6 = "7 to 6"}', 'rounding = {unit = "1.00", rule = "exact"}')
    with pytest.raises(InexactStakeError) as refused:
        check_stake(schedule, "place", "6", 500)
    assert refused.value.unit_minor == 600


def test_odds_are_named_in_the_unit_of_the_layout() -> None:
    assert Odds.parse("8 for 1").to_one == Odds.parse("7 to 1").to_one == 7
