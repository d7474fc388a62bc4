"""Hooligan in bulk plays real dice by the solver's choices, and its scores follow the solver's law."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

from payouts.errors import PayoutError
from payouts.hooligan.percentages import figures
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.hooligan.schedule import Band, HooliganSchedule
from payouts.schedule import load, shipped
from payouts.simulation import hooligan as module
from payouts.simulation.hooligan import HooliganPlay, simulate_hooligan

PVALUE = 1e-7
"""Level of each chi-square test; with the 70 of this file a false alarm has a chance of about 1e-5 at any seed."""


@pytest.fixture(scope="module")
def quarter() -> HooliganSchedule:
    schedule = load(shipped("hooligan", "scarne-quarter"))
    assert isinstance(schedule, HooliganSchedule)
    return schedule


def under(schedule: HooliganSchedule, rules: HooliganRules) -> HooliganSchedule:
    """The same price under other rules, paying scores in the upper third, but not the very highest."""
    top = rules.perfect_score
    bands = (Band(top // 3, top // 2, 100), Band(top // 2 + 1, top - 2, 300))
    return replace(schedule, rules=rules, bands=bands)


def played(schedule: HooliganSchedule, player: Player, games: int, seed: int = 1, **options) -> HooliganPlay:
    return simulate_hooligan(schedule, player, games, np.random.default_rng(seed), **options)


def pvalue(play: HooliganPlay, law: tuple[float, ...]) -> float:
    """Chi-square of scores against a law; scores that are expected fewer than 20 times are one class."""
    expected = np.array(law) * play.games
    often = expected >= 20
    cells = np.append(expected[often], max(expected[~often].sum(), 1e-9))
    seen = np.append(play.scores[often], play.scores[~often].sum())
    if cells[-1] < 20:
        assert seen[-1] < 80
        cells, seen = cells[:-1], seen[:-1]
    return float(chi2.sf(((seen - cells) ** 2 / cells).sum(), len(cells) - 1))


@pytest.mark.parametrize("player", list(Player))
def test_scores_of_the_full_game_follow_the_exact_law(quarter: HooliganSchedule, player: Player) -> None:
    play = played(quarter, player, 100_000)
    assert play.games == 100_000
    assert pvalue(play, figures(quarter, player).law) > PVALUE


READINGS = [
    HooliganRules(throws, natural, shows, keep, early, dice, faces)
    for throws, natural, shows, keep, early in product(
        (1, 3), list(Natural), (False, True), list(HooliganKeep), (False, True)
    )
    for dice, faces in (((3, 4),) if shows == early else ((2, 3),))
]


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(
            rules,
            marks=[pytest.mark.soak] if each % 5 else [],
            id="-".join(map(str, rules.to_json().values())),
        )
        for each, rules in enumerate(READINGS)
    ],
)
def test_every_reading_follows_its_exact_law_on_smaller_dice(quarter: HooliganSchedule, rules: HooliganRules) -> None:
    schedule = under(quarter, rules)
    player = (Player.OPTIMAL, Player.SCORE)[(rules.throws_per_frame + rules.dice) % 2]
    assert pvalue(played(schedule, player, 20_000), figures(schedule, player).law) > PVALUE


@pytest.mark.parametrize("natural", list(Natural))
@pytest.mark.parametrize("player", list(Player))
def test_every_player_follows_his_exact_law_with_two_straights(
    quarter: HooliganSchedule, player: Player, natural: Natural
) -> None:
    rules = HooliganRules(natural=natural, may_stop_early=True, point_must_show=True, dice=4, faces=5)
    schedule = under(quarter, rules)
    assert pvalue(played(schedule, player, 30_000), figures(schedule, player).law) > PVALUE


def test_a_player_who_is_hurt_by_the_last_hooligan_misses_it(quarter: HooliganSchedule) -> None:
    """Only low scores pay: the optimal player avoids the straight, and the law says how often he still makes it."""
    rules = HooliganRules(dice=4, faces=5)
    schedule = replace(quarter, rules=rules, bands=(Band(0, 30, 100),))
    assert pvalue(played(schedule, Player.OPTIMAL, 50_000), figures(schedule, Player.OPTIMAL).law) > PVALUE


def test_estimates_cover_the_exact_figures(quarter: HooliganSchedule) -> None:
    """Level 1 - 1e-6 for each of five intervals."""
    exact = figures(quarter)
    play = played(quarter, Player.OPTIMAL, 50_000, seed=3)
    level = 1 - 1e-6
    for estimate, true in (
        (play.mean_minor(level), exact.mean_minor),
        (play.house_edge(level), exact.house_edge),
        (play.score_mean(level), exact.score_mean),
        *((chance, band.chance) for (_, _, chance), band in zip(play.bands(level), exact.bands, strict=True)),
    ):
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low <= true <= estimate.high
    assert play.house_edge().value == pytest.approx(1 - play.mean_minor().value / quarter.stake_minor)


def test_dice_that_always_show_six_score_perfectly_on_it_and_nothing_elsewhere(quarter: HooliganSchedule) -> None:
    """Three throws of five sixes are 90 points; the other numbers and Hooligan are never made."""
    play = played(quarter, Player.SIMPLE, 50, die=[Fraction(0)] * 5 + [Fraction(1)])
    assert play.scores[90] == 50


def expected_hits(chance: float, count: int = 0, throws: int = 3) -> float:
    """Mean hits of a frame whose point shows with this chance; five dice are thrown again after every fifth hit."""
    if throws == 0:
        return count
    dice = 5 - count % 5
    weights = (comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(dice + 1))
    return sum(weight * expected_hits(chance, count + hits, throws - 1) for hits, weight in enumerate(weights))


def test_dice_that_show_only_one_and_six_score_as_binomial_frames_do(quarter: HooliganSchedule) -> None:
    """No straight can come; the blind player's frames of 6 and 1 have a mean of 7 times the hits at chance 1/2."""
    die = [Fraction(1, 2), *[Fraction(0)] * 4, Fraction(1, 2)]
    mean = played(quarter, Player.BLIND, 20_000, die=die).score_mean(1 - 1e-6)
    assert mean.low is not None
    assert mean.high is not None
    assert mean.low <= 7 * expected_hits(0.5) <= mean.high < mean.low + 4


def test_the_same_seed_plays_the_same_games(quarter: HooliganSchedule) -> None:
    small = under(quarter, HooliganRules(dice=3, faces=4))
    first, second, other = (played(small, Player.SCORE, 2000, seed) for seed in (5, 5, 6))
    assert (first.scores == second.scores).all()
    assert (first.scores != other.scores).any()


def test_progress_tells_the_games_of_every_batch(quarter: HooliganSchedule, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr(module, "BATCH", 100)
    played(under(quarter, HooliganRules(dice=3, faces=4)), Player.BLIND, 250, progress=told.append)
    assert told == [100, 100, 50]


@pytest.mark.parametrize("die", [[Fraction(1, 6)] * 5, [Fraction(1, 5)] * 6, [Fraction(-1), Fraction(2), *[0] * 4]])
def test_chances_of_faces_that_are_none_are_refused(quarter: HooliganSchedule, die) -> None:
    with pytest.raises(PayoutError, match="die must have 6 chances"):
        played(quarter, Player.SIMPLE, 10, die=die)


def test_no_games_are_refused(quarter: HooliganSchedule) -> None:
    with pytest.raises(PayoutError, match="games must be at least 1"):
        played(quarter, Player.SIMPLE, 0)
