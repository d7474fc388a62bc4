"""Banks and chances of ruin against closed forms, a brute walk and bulk play."""

from collections.abc import Mapping
from fractions import Fraction
from math import log

import numpy as np
import pytest

from payouts import ruin
from payouts.craps.decisions import Race, ends
from payouts.dice import totals
from payouts.errors import PayoutError
from payouts.hold import Interval
from payouts.machine import LOSE, win
from payouts.odds import Odds
from payouts.ruin import bank_for_ruin, chance_of_ruin
from payouts.simulation.accounts import ruin as simulated_ruin
from payouts.simulation.automaton import Part, Wager, compile_wagers
from payouts.simulation.play import simulate

PASS = {-100: Fraction(244, 495), 100: Fraction(251, 495)}
PLACE = {-7: Fraction(5, 11), 6: Fraction(6, 11)}
FIELD = {1: Fraction(20, 36), -1: Fraction(14, 36), -2: Fraction(1, 36), -3: Fraction(1, 36)}
STEEP = {3: Fraction(7, 10), -2: Fraction(1, 5), -9: Fraction(1, 10)}
LAWS = pytest.mark.parametrize("law", [PLACE, FIELD, STEEP], ids=["place", "field", "steep"])


def brute(law: Mapping[int, Fraction], bank: int, top: int, rounds: int) -> tuple[float, float]:
    """Chance of ruin by stepping a walk on 1 .. top: what passes the top counts as safe, or as ruined."""
    here = np.zeros(top + 1)
    here[bank] = 1
    lost = safe = 0.0
    for _ in range(rounds):
        after = np.zeros(top + 1)
        for won, chance in law.items():
            share = here * float(chance)
            if won >= 0:
                after[won:] += share[: top + 1 - won]
                safe += share[top + 1 - won :].sum() if won else 0
            else:
                after[:won] += share[-won:]
                lost += share[:-won].sum()
        lost += after[0]
        after[0] = 0
        here = after
    return lost, lost + safe + here.sum()


@pytest.mark.parametrize("bank", [1, 2, 10, 100])
def test_even_money_is_the_gamblers_ruin(bank: int) -> None:
    """Chance (p/q)**B (Feller 1968, XIV.2)."""
    exact = (244 / 251) ** bank
    low, high = chance_of_ruin(PASS, bank * 100)
    assert low <= exact * (1 + 1e-14)
    assert exact * (1 - 1e-14) <= high <= low * (1 + 1e-9)


def test_the_bank_of_even_money_is_the_closed_form() -> None:
    assert bank_for_ruin(PASS, 0.001) == Interval(24500, 24500)
    assert 244 < log(1000) / log(251 / 244) < 245


def test_a_bank_between_two_lattice_steps_is_ruined_like_the_higher_one() -> None:
    assert chance_of_ruin(PASS, 901) == chance_of_ruin(PASS, 1000)


@LAWS
@pytest.mark.parametrize("bank", [1, 5, 40])
def test_chances_agree_with_a_brute_walk(law: Mapping[int, Fraction], bank: int) -> None:
    """The walk goes up to 1,500 steps for 15,000 games; its own bounds are wider than those tested."""
    least, most = brute(law, bank, 1500, 15_000)
    low, high = chance_of_ruin(law, bank)
    assert least - 1e-11 <= high
    assert low <= most + 1e-11
    assert high - low < 1e-8


@LAWS
@pytest.mark.parametrize("chance", [0.1, 0.01, 1e-6])
def test_a_bank_suffices_and_one_step_less_does_not(law: Mapping[int, Fraction], chance: float) -> None:
    bank = bank_for_ruin(law, chance)
    assert bank is not None
    assert chance_of_ruin(law, bank.high)[1] <= chance
    assert bank.low == 1 or chance_of_ruin(law, bank.low - 1)[0] > chance
    assert bank.low == bank.high


@LAWS
def test_bounds_by_the_coefficient_alone_hold_the_solved_bank(law, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = bank_for_ruin(law, 0.001)
    low, high = chance_of_ruin(law, 30)
    monkeypatch.setattr(ruin, "MAX_WORK", 0)
    wide = bank_for_ruin(law, 0.001)
    assert solved is not None
    assert wide is not None
    assert wide.low <= solved.low <= solved.high <= wide.high
    least, most = chance_of_ruin(law, 30)
    assert least <= low <= high <= most


def test_a_game_too_fine_to_solve_is_bounded() -> None:
    """Loss of 997 steps, win of 1,733: the bounds are one greatest win apart."""
    law = {997: Fraction(2, 3), -1733: Fraction(1, 3)}
    bank = bank_for_ruin(law, 0.001)
    assert bank is not None
    assert 0 < bank.high - bank.low <= 1733


@pytest.mark.parametrize("law", [{1: Fraction(1, 2), -1: Fraction(1, 2)}, {1: Fraction(1, 4), -1: Fraction(3, 4)}])
def test_without_an_edge_every_bank_is_ruined(law: Mapping[int, Fraction]) -> None:
    assert bank_for_ruin(law, 0.5) is None
    assert chance_of_ruin(law, 10**6) == (1.0, 1.0)


def test_a_player_who_cannot_win_ruins_nobody() -> None:
    law = {1: Fraction(1, 2), 0: Fraction(1, 2)}
    assert bank_for_ruin(law, 0.5) == Interval(0, 0)
    assert chance_of_ruin(law, 1) == (0.0, 0.0)


def test_bad_chances_and_banks_are_refused() -> None:
    for chance in (0.0, 1.0):
        with pytest.raises(PayoutError, match="chance must be between 0 and 1"):
            bank_for_ruin(PASS, chance)
    with pytest.raises(PayoutError, match="bank_minor must be at least 1"):
        chance_of_ruin(PASS, 0)


def test_chances_agree_with_bulk_play() -> None:
    """Field bets seen from the house: low points of 5,000 sessions of 20,000 throws against the chance without end.

    What 20,000 throws leave out is below exp(-40). The interval has level 1 - 1e-6.
    """
    throws = ends((totals(3, 4, 9, 10, 11), win(Odds(1, 1))), (totals(2), win(Odds(2, 1))),
                  (totals(12), win(Odds(3, 1))), rest=LOSE)  # fmt: skip
    house = Part(Race(throws), lambda payment: -int(payment.odds.to_one) if payment.odds else 1)
    auto = compile_wagers([Wager("field", (house,), 1)])
    play = simulate(auto, 5000, 20_000, np.random.default_rng(8))
    for bank in (5, 20, 60):
        low, high = chance_of_ruin(FIELD, bank)
        estimate = simulated_ruin(play, bank, 1 - 1e-6)
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= low <= high <= estimate.high < estimate.low + 0.1
