"""The guard over every legal stake, against trying each of them; odds above true odds; claims."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from payouts.craps.guard import worst
from payouts.craps.returns import mean_return, wager_return
from payouts.craps.settling import legal_stakes
from payouts.schedule import load, shipped, shipped_names
from tests.payouts.craps.offers import CRAPLESS, faults, offer

LINE = '[bets.pass]\npays = "1 to 1"\n[bets.dont_pass]\npays = "1 to 1"\n'
LIMIT = "odds_limit = {4 = 3, 5 = 4, 6 = 5, 8 = 5, 9 = 4, 10 = 3}\n"
TRUE = {"4": "2 to 1", "5": "3 to 2", "6": "6 to 5", "8": "6 to 5", "9": "3 to 2", "10": "2 to 1"}


def priced(prices: dict[str, str]) -> str:
    return "pays = {" + ", ".join(f'{key} = "{price}"' for key, price in prices.items()) + "}\n"


def bought(limits: str, price: str, **commission: str) -> str:
    terms = ", ".join(f'{key} = "{value}"' for key, value in commission.items())
    return f'[bets.buy]\npays = {{4 = "{price}"}}\nlimits = {{{limits}}}\ncommission = {{{terms}}}'


def tried_one_by_one(bets: str, table: str, bet: str, spot: str) -> tuple[Fraction, int]:
    schedule = offer(bets, table)
    low, high, step = legal_stakes(schedule, bet, spot)
    return min((wager_return(schedule, bet, spot, stake).edge_made, stake) for stake in range(low, high + 1, step))


OFFERS = given(
    commission=st.fixed_dictionaries(
        {
            "rate": st.sampled_from(["0", "0.01", "0.05", "1/30", "0.2"]),
            "base": st.sampled_from(["bet", "win"]),
            "when": st.sampled_from(["win", "up_front"]),
            "rounding": st.sampled_from(["down", "nearest", "up", "none"]),
            "unit": st.sampled_from(["0.01", "0.03", "0.25", "1.00"]),
            "minimum": st.sampled_from(["0", "0.02", "0.40", "1.00"]),
        }
    ),
    stakes=st.tuples(st.integers(1, 300), st.integers(0, 3000), st.sampled_from(["0.01", "0.05", "0.10"])),
    cap=st.sampled_from(["", ', max_winnings = "0.50"', ', max_winnings = "7.00"']),
    price=st.sampled_from(["2 to 1", "9 to 5", "7 to 3", "41 to 20"]),
    chip=st.sampled_from(["0.01", "0.05", "0.25"]),
)


def check_worst(commission: dict[str, str], stakes: tuple[int, int, str], cap: str, price: str, chip: str) -> None:
    """Hold the worst stake of a price against trying each."""
    least, width, increment = stakes
    limits = f'min = "{least / 100:.2f}", max = "{(least + width) / 100:.2f}", increment = "{increment}"{cap}'
    bets = bought(limits, price, **commission)
    table = f'rounding = {{unit = "{chip}", rule = "down"}}'
    if faults(bets, table, "player_edge_accepted = true\n"):
        return  # no legal stake at all
    schedule = offer(bets, table)
    edge, stake = tried_one_by_one(bets, table, "buy", "4")
    found = worst(schedule, "buy", "4")
    if edge > 0:
        assert found is None
    else:
        assert found is not None
        assert (found[1], found[0]) == (edge, stake)


@settings(max_examples=15, deadline=None, derandomize=True)
@OFFERS
def test_the_worst_stake_is_that_of_trying_every_legal_stake(**offered: Any) -> None:
    check_worst(**offered)


@pytest.mark.soak
@settings(max_examples=200, deadline=None, derandomize=True)
@OFFERS
def test_the_worst_stake_of_many_prices_is_that_of_trying_every_legal_stake(**offered: Any) -> None:
    check_worst(**offered)


def test_commission_rounded_down_without_a_minimum_gives_small_bets_away() -> None:
    dollar = {"rate": "0.05", "base": "bet", "when": "win", "rounding": "down", "unit": "1.00", "minimum": "0"}
    free = bought('min = "5.00", max = "500.00", increment = "1.00"', "2 to 1", **dollar)
    (fault,) = faults(free)
    assert (fault.key, fault.value) == ("bets.buy.4", "an edge of 0 (0.0000 %) at a stake of 5.00 USD")
    assert faults(free.replace('minimum = "0"', 'minimum = "1.00"')) == ()
    assert faults(free.replace('min = "5.00"', 'min = "20.00"')) == ()


@pytest.mark.parametrize("name", shipped_names("craps"))
def test_no_legal_stake_of_a_shipped_schedule_has_a_players_edge(name: str) -> None:
    schedule = load(shipped("craps", name))
    assert schedule.warnings == ()
    for bet in schedule.bets:
        for spot in schedule.spots(bet):
            low, high, step = legal_stakes(schedule, bet, spot)
            for stake in {low, min(high, low + step), min(high, low + 7 * step), high}:
                _, mean = mean_return(schedule, bet, spot, stake)
                assert mean < 0 or (bet in ("odds", "lay_odds") and mean <= 0)


@pytest.mark.parametrize(
    ("bet", "spot", "price", "right"),
    [("odds", "4", "21 to 10", "2 to 1"), ("odds", "6", "4 to 3", "6 to 5"), ("odds", "9", "8 to 5", "3 to 2")],
)
def test_odds_above_true_odds_are_refused_whatever_the_file_accepts(
    bet: str, spot: str, price: str, right: str
) -> None:
    text = f"{LINE}[bets.{bet}]\n{priced(TRUE | {spot: price})}"
    for top in ("", "player_edge_accepted = true\n"):
        (fault,) = faults(text, LIMIT, top)
        assert (fault.key, fault.value) == (f"bets.{bet}.pays.{spot}", price)
        assert fault.bound == f"at most true odds, {right}"


def test_laid_odds_at_the_prices_of_taken_odds_are_refused_at_every_point() -> None:
    found = faults(f"{LINE}[bets.lay_odds]\n{priced(TRUE)}", LIMIT)
    assert {fault.key for fault in found} == {f"bets.lay_odds.pays.{point}" for point in TRUE}


def test_free_odds_at_true_odds_are_judged_together_with_their_flat_bet() -> None:
    assert faults(f"{LINE}[bets.odds]\n{priced(TRUE)}", LIMIT) == ()


def test_place_to_lose_at_inverted_prices_is_refused_on_each_spot() -> None:
    # 5:9, 5:7 and 6:7 give the player 1/27, 1/35 and 1/77
    found = faults('[bets.place_to_lose]\npays = {4 = "5 to 9", 5 = "5 to 7", 6 = "6 to 7"}')
    assert [(fault.key, fault.value.split()[3]) for fault in found] == [
        ("bets.place_to_lose.4", "-1/27"), ("bets.place_to_lose.5", "-1/35"), ("bets.place_to_lose.6", "-1/77"),
    ]  # fmt: skip


def test_a_bet_too_large_to_be_solved_is_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("payouts.chain", "payouts.craps.guard"):
        monkeypatch.setattr(f"{module}.MOST_STATES", 2_000)
    (fault,) = faults('[bets.replay]\npays = {9 = "1000 to 1"}', CRAPLESS)
    assert (fault.key, fault.bound) == ("bets.replay", "a bet of at most 2000 states")


@pytest.mark.soak
def test_a_bet_of_more_than_a_hundred_thousand_states_is_refused() -> None:
    (fault,) = faults('[bets.replay]\npays = {9 = "1000 to 1"}', CRAPLESS)
    assert (fault.key, fault.bound) == ("bets.replay", "a bet of at most 100000 states")


def test_a_price_too_fine_to_try_every_stake_is_still_refused_with_stake_and_edge() -> None:
    (fault,) = faults('[bets.place]\npays = {4 = "999999999 to 499999999"}\nlimits = {max = "90000000.00"}')
    # the period is 4,999,999.99; at the greatest stake the price is above true odds still
    assert fault.key == "bets.place.4"
    assert fault.value.startswith("an edge of -")
    assert fault.value.endswith("at a stake of 90000000.00 USD")


def test_a_chip_so_coarse_that_the_house_keeps_its_edge_at_every_stake_passes() -> None:
    # true odds in whole dollars: 1.30 to 1.40 is paid 2.00, 1.50 is paid 3.00
    fair = '[bets.place]\npays = {4 = "2 to 1"}\nlimits = {min = "1.30", max = "1.40", increment = "0.01"}'
    assert faults(fair, 'rounding = {unit = "1.00", rule = "down"}') == ()
    assert faults(fair.replace("1.40", "1.50"), 'rounding = {unit = "1.00", rule = "down"}') != ()


def test_acceptance_inside_one_bet_covers_only_that_bet() -> None:
    bets = '[bets.yo]\npays = "20 to 1"\nplayer_edge_accepted = true\n[bets.aces]\npays = "40 to 1"\n'
    (fault,) = faults(bets)
    assert fault.key == "bets.aces"


def test_limits_that_leave_no_stake_that_can_be_paid_are_refused() -> None:
    bets = '[bets.horn]\npays = {2 = "30 to 1", 3 = "15 to 1", 11 = "15 to 1", 12 = "30 to 1"}\n'
    (fault,) = faults(bets + 'limits = {min = "1.00", max = "3.00", increment = "1.00"}')
    assert (fault.key, fault.value) == ("bets.horn.limits", "none for horn")
    assert "a multiple of 4.00 USD" in fault.bound


@pytest.mark.parametrize(
    ("claim", "right"),
    [('pass = "1.41 %"', None), ('pass = "1.4 %"', None), ('pass = "1.42 %"', "1.41 %"), ('pass = "1.414 %"', None),
     ('dont_pass = "1.40 %"', "1.36 %"), ('dont_pass = "1.364 %"', None)],
)  # fmt: skip
def test_a_claim_holds_if_the_exact_edge_per_bet_made_rounds_to_it(claim: str, right: str | None) -> None:
    found = faults(LINE, top=f"declared = {{{claim}}}\n")
    if right is None:
        assert found == ()
    else:
        assert found[0].bound.startswith(f"{right}, the exact edge")


def test_a_claim_without_a_spot_must_hold_at_every_spot() -> None:
    place = '[bets.place]\npays = {6 = "7 to 6", 8 = "7 to 6", 4 = "9 to 5"}\n'
    (fault,) = faults(place, top='declared = {place = "1.52 %"}\n')
    assert fault.bound == "6.67 %, the exact edge of place 4 being 1/15"
    assert faults(place, top='declared = {place = {6 = "1.52 %", 8 = "1.52 %", 4 = "6.67 %"}}\n') == ()


@pytest.mark.parametrize("claim", ['field = "2.78 %"', 'pass = {4 = "1.41 %"}'])
def test_a_claim_about_what_is_not_on_offer_is_refused(claim: str) -> None:
    (fault,) = faults(LINE, top=f"declared = {{{claim}}}\n")
    assert fault.bound == "a claim about a bet on offer and one of its spots"
