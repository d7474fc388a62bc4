"""Bulk play converges to the exact chain, for every bet of every shipped schedule.

For each bet the sum of n independent gains, less n times the exact mean, is held against Bernstein's inequality for the
greatest partial sum of at most m terms (Freedman 1975): it passes x with a chance of at most
2 exp(-x**2 / (2 (m variance + range x / 3))). m is 5 % above the bets that the throws should decide, and n <= m is
asserted. Each check has DELTA; the checks of all schedules together raise a false alarm with a chance below
591 * 2 * DELTA = 0.0012 at any seed. The seed is fixed.
"""

from fractions import Fraction
from math import log, sqrt

import numpy as np
import pytest

from payouts.craps.lines import line_return
from payouts.craps.returns import Return, wager_return
from payouts.craps.settling import default_stake
from payouts.craps.terms import CrapsSchedule
from payouts.dice import FAIR, Dice
from payouts.schedule import load, shipped, shipped_names
from payouts.simulation.accounts import accounts
from payouts.simulation.automaton import compile_wagers
from payouts.simulation.play import simulate
from payouts.simulation.standing import Order, lone_wager, standing_wagers

DELTA = 1e-6
SESSIONS, THROWS, SEED = 2048, 800, 20261129
LOADED = Dice.of([Fraction(3, 20), *[Fraction(1, 6)] * 4, Fraction(11, 60)])
CHECKED: set[object] = set()
"""Bets that an earlier schedule has in common with a later one are played once."""


def schedule_of(name: str) -> CrapsSchedule:
    schedule = load(shipped("craps", name))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


def most(terms: float, variance: float, spread: float) -> float:
    """Deviation of a partial sum of at most `terms` terms that is passed with chance `DELTA`."""
    weight = log(2 / DELTA)
    return weight * spread / 3 + sqrt((weight * spread / 3) ** 2 + 2 * weight * terms * variance)


def check(schedule: CrapsSchedule, bet: str, spot: str, exact: Return, dice: Dice) -> None:
    auto = compile_wagers([lone_wager(schedule, bet, spot)], schedule.table.points)
    play = simulate(auto, SESSIONS, THROWS, np.random.default_rng(SEED), dice=dice)
    (account,) = accounts(play)
    terms = 1.05 * play.throws / float(exact.throws) + 100
    assert account.bets <= terms
    spread = float(exact.law[-1][0] - exact.law[0][0])
    drift = account.net_minor - account.bets * exact.mean
    assert abs(float(drift)) <= most(terms, float(exact.variance), spread), (bet, spot)
    wins = account.win.value * account.bets - account.bets * exact.win
    assert abs(float(wins)) <= most(terms, float(exact.win * (1 - exact.win)), 1.0), (bet, spot)
    assert account.stake_minor == exact.at_risk_minor


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in ("crapless", "strip-345x") else [pytest.mark.soak])
        for name in shipped_names("craps")
    ],
)
def test_every_bet_of_a_shipped_schedule_converges_to_its_exact_return(name: str) -> None:
    schedule = schedule_of(name)
    for bet in schedule.bets:
        for spot in schedule.spots(bet):
            stake = default_stake(schedule, bet, spot)
            exact = wager_return(schedule, bet, spot, stake)
            key = (tuple(leg.machine for leg in schedule.legs(bet, spot)), exact.law)
            if key not in CHECKED:
                CHECKED.add(key)
                check(schedule, bet, spot, exact, FAIR)


@pytest.mark.parametrize("bet", ["pass", "dont_pass", "place", "lay", "hardway", "field", "horn", "buffalo", "small"])
def test_bets_thrown_with_loaded_dice_converge_to_their_exact_return(bet: str) -> None:
    schedule = schedule_of("strip-345x")
    spot = schedule.spots(bet)[0]
    stake = default_stake(schedule, bet, spot)
    check(schedule, bet, spot, wager_return(schedule, bet, spot, stake, LOADED), LOADED)


@pytest.mark.parametrize(("flat", "odds"), [("pass", "odds"), ("dont_pass", "lay_odds"), ("come", "odds")])
def test_a_line_bet_with_full_odds_has_the_exact_element_of_risk(flat: str, odds: str) -> None:
    """Odds of come bets work here on a come-out too, as the exact line has them; bound as above."""
    schedule = schedule_of("strip-345x")
    stake = 6000
    exact = line_return(schedule, flat)
    wagers = standing_wagers(schedule, [Order(flat, stake_minor=stake), Order(odds)])
    always_on = [wager if wager.behind is None else _working(wager) for wager in wagers]
    play = simulate(compile_wagers(always_on), SESSIONS, THROWS, np.random.default_rng(SEED))
    books = accounts(play)
    terms = 1.05 * play.throws / float(exact.throws) + 100
    gains = [gain for gain, _ in exact.law]
    drift = sum(book.net_minor for book in books) / stake - books[0].bets * exact.mean
    assert abs(float(drift)) <= most(terms, float(exact.variance), float(gains[-1] - gains[0]))
    # The handle per flat bet: at most 1 + 6 units, so its variance is at most 9.
    handle = sum(book.handle_minor for book in books) / stake - books[0].bets * exact.at_risk
    assert abs(float(handle)) <= most(terms, 9.0, 6.0)


def _working(wager):
    from dataclasses import replace

    from payouts.simulation.automaton import always

    return replace(wager, working=always)
