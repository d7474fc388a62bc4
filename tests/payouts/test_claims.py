"""Published percentages: they hold, or hold under another reading, unit, base or rounding, or not at all."""

from fractions import Fraction

import pytest

from payouts.claims import Verdict, check_claims
from payouts.errors import ScheduleError

HOOLIGAN = """
game = "hooligan"
name = "published"
version = 1
currency = "USD"
stake = "0.25"
[[pays]]
score = [84, 89]
pays = "1.00"
[[pays]]
score = [90, 93]
pays = "2.00"
[declared]
"""
CRAPS = """
game = "craps"
name = "published"
version = 1
currency = "USD"
[table]
odds_limit = {4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}
come_out = {place = "off"}
[bets.pass]
pays = "1 to 1"
limits = {min = "5.00", max = "1000.00", increment = "1.00"}
[bets.dont_pass]
pays = "1 to 1"
limits = {min = "5.00", max = "1000.00", increment = "1.00"}
[bets.place]
pays = {4 = "9 to 5", 5 = "7 to 5", 6 = "7 to 6", 8 = "7 to 6", 9 = "7 to 5", 10 = "9 to 5"}
limits = {min = "5.00", max = "1000.00", increment = "1.00"}
[bets.yo]
pays = "15 to 1"
limits = {min = "1.00", max = "100.00", increment = "1.00"}
[declared]
"""


def verdict(text: str) -> Verdict:
    (only,) = check_claims(text, "claim.toml")
    return only


def ways(checked: Verdict) -> set[tuple[str, ...]]:
    return {each.departures for each in checked.explanations}


def test_right_percentage_holds_as_written() -> None:
    checked = verdict(HOOLIGAN + 'optimal = "51.59 %"')
    assert checked.holds
    assert ways(checked) == {()}
    assert Fraction("0.51590137") < checked.edges[""] < Fraction("0.51590139")  # 51.590138 % in rules of the game


def test_percentage_that_was_cut_off_holds_rounded_down() -> None:
    """51.590138... is 51.591 rounded up to three digits, and 51.590 cut off as well as rounded."""
    checked = verdict(HOOLIGAN + 'optimal = "51.591 %"')
    assert not checked.holds
    assert ("rounded up",) in ways(checked)


def test_percentage_of_another_reading_is_found_by_its_option() -> None:
    """With early stopping the best player's mean is $0.132162, so the house keeps 47.135 %."""
    checked = verdict(HOOLIGAN + 'optimal = "47.135 %"')
    assert not checked.holds
    assert checked.explanations[0].departures == ("may_stop_early = true",)


def test_percentage_of_another_unit_is_found() -> None:
    """Payouts on top of a stake that comes back: the winning player gets a quarter more."""
    written = HOOLIGAN.replace('"1.00"', '"1.25"').replace('"2.00"', '"2.25"') + 'optimal = "1 %"'
    on_top = verdict(written).edges[""]
    assert ('pays are "to 1": the stake is returned on top',) in ways(
        verdict(HOOLIGAN + f'optimal = "{float(100 * on_top):.3f} %"')
    )


def test_percentage_against_another_player_is_found() -> None:
    """The player of the greatest mean score gets $0.104542 of a quarter: 58.183 %."""
    checked = verdict(HOOLIGAN + 'optimal = "58.183 %"')
    assert ("against the player score",) in ways(checked)


def test_percentage_that_nothing_explains_has_no_explanation() -> None:
    checked = verdict(HOOLIGAN + 'optimal = "12.345678 %"')
    assert not checked.holds
    assert checked.explanations == ()


def test_player_edge_is_no_obstacle_to_a_claim() -> None:
    free = HOOLIGAN.replace('stake = "0.25"', 'stake = "0.10"')
    checked = verdict(free + 'optimal = "-21.02 %"')  # 1 - 12.1024654 / 10
    assert checked.holds


# Craps: 7/495 on the pass line, 3/220 and 27/1925 on don't pass made and resolved, 1/9 and 1/6 on yo


def test_craps_percentage_holds_per_bet_made() -> None:
    checked = verdict(CRAPS + 'pass = "1.41 %"')
    assert checked.holds
    assert checked.edges == {"": Fraction(7, 495)}


def test_craps_percentage_per_bet_resolved_is_named() -> None:
    checked = verdict(CRAPS + 'dont_pass = "1.40 %"')
    assert not checked.holds
    assert checked.edges == {"": Fraction(3, 220)}
    assert ("per bet resolved",) in ways(checked)


def test_craps_percentage_of_the_other_unit_is_named() -> None:
    """15 for 1 on yo keeps 1/6, 15 to 1 keeps 1/9."""
    checked = verdict(CRAPS + 'yo = "16.67 %"')
    assert not checked.holds
    assert ("prices in the other unit",) in ways(checked)


def test_craps_percentage_of_one_spot_is_named() -> None:
    """7 to 6 on the six keeps 1/66; 9 to 5 on the four keeps 1/15."""
    checked = verdict(CRAPS + 'place = "1.52 %"')
    assert not checked.holds
    assert {("on 6 alone",), ("on 8 alone",)} <= ways(checked)
    assert verdict(CRAPS + "place = {6 = '1.52 %'}").holds


BUY = """[bets.buy]
pays = {10 = "2 to 1"}
commission = {rate = "0.05", base = "bet", when = "win", rounding = "down", unit = "1.00", minimum = "1.00"}
limits = {min = "20.00", max = "1000.00", increment = "1.00"}
[declared]
"""


def test_craps_percentage_of_a_commission_at_another_time_is_named() -> None:
    """Buy 10 for $20, $1 of commission: 1/60 on a win, 1/21 up front; of the $40 win, $2: 1/30 on a win."""
    up_front = verdict(CRAPS.replace("[declared]", BUY) + 'buy = "4.76 %"')
    assert up_front.edges == {"10": Fraction(1, 60)}
    assert ('commission.when = "up_front"',) in ways(up_front)
    assert ('commission.base = "win"',) in ways(verdict(CRAPS.replace("[declared]", BUY) + 'buy = "3.33 %"'))


def test_craps_percentage_at_another_stake_is_named() -> None:
    """Buy 10 for $25, still $1 on a win: 1/75 (cases/craps.md, C13)."""
    checked = verdict(CRAPS.replace("[declared]", BUY) + 'buy = "1.33 %"')
    assert not checked.holds
    assert ("at a stake of 25.00 USD",) in ways(checked)


def test_craps_percentage_with_another_bar_is_named() -> None:
    """Bar 1-2 keeps 41/990 = 4.14 % (cases/craps.md, A5)."""
    assert ('table.dont_bar = "1-2"',) in ways(verdict(CRAPS + 'dont_pass = "4.14 %"'))


def test_all_claims_of_a_file_are_checked() -> None:
    checked = check_claims(CRAPS + 'pass = "1.41 %"\nyo = "11.11 %"\ndont_pass = "9 %"', "claim.toml")
    assert [(each.key, each.holds) for each in checked] == [("pass", True), ("yo", True), ("dont_pass", False)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (HOOLIGAN, "declared"),
        (HOOLIGAN + 'expert = "5 %"', "declared.expert"),
        (CRAPS + 'hop = "5 %"', "declared.hop"),
        (CRAPS + 'place.3 = "5 %"', "declared.place.3"),
        (HOOLIGAN.replace("[84, 89]", "[89, 84]") + 'optimal = "5 %"', "pays[0].score"),
    ],
)
def test_claim_that_cannot_be_checked_is_refused_by_its_key(text: str, key: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        check_claims(text, "claim.toml")
    assert key in {fault.key for fault in caught.value.faults}
