"""Intervals of faces, planned and watched, and the certificate of a set of dice."""

import math

import numpy as np
import pytest
from scipy import stats

from integrity.errors import LaboratoryError
from integrity.intervals import certify, confidence_sequence, margin, simultaneous, throws_to_certify


def test_simultaneous_bounds_are_clopper_pearson_with_alpha_shared() -> None:
    low, high = simultaneous([[20, 30, 10, 0, 25, 15]], 0.06)
    exact = stats.binomtest(30, 100).proportion_ci(0.99, method="exact")
    assert (low[0, 1], high[0, 1]) == (pytest.approx(exact.low, rel=1e-9), pytest.approx(exact.high, rel=1e-9))
    assert low[0, 3] == 0.0


def test_confidence_sequence_ends_where_its_e_process_reaches_the_bar() -> None:
    # beta-binomial mixture against p: ln E(p) = ln B(10+x, 50+n-x) - ln B(10, 50) - x ln p - (n-x) ln(1-p)
    counts = np.array([20, 30, 10, 5, 25, 10])
    low, high = confidence_sequence(counts, 0.01)
    for x, left, right in zip(counts, low, high, strict=True):
        mixed = stats.betabinom.logpmf(x, 100, 10, 50)
        for p in (left, right):
            assert mixed - stats.binom.logpmf(x, 100, p) == pytest.approx(math.log(600), abs=1e-6)


def test_confidence_sequence_covers_at_every_throw_at_once() -> None:
    # 300 loaded dice watched for 3,000 throws: any miss at any look at 5 % at most, + 4 sd = 10 %
    law = np.array([0.1, 0.1, 0.15, 0.15, 0.2, 0.3])
    counts = np.random.default_rng(81).multinomial(10, law, size=(300, 300)).cumsum(axis=1)
    low, high = confidence_sequence(counts, 0.05, cells=6)
    missed = ((low > law) | (high < law)).any(axis=(1, 2))
    assert missed.mean() <= 0.10


def test_watching_costs_width_but_not_much() -> None:
    fixed, watched = simultaneous([1000] * 6), confidence_sequence([1000] * 6)
    assert 1.0 < (watched[1] - watched[0])[0] / (fixed[1] - fixed[0])[0] < 1.5


def test_no_throws_say_nothing() -> None:
    low, high = confidence_sequence([0] * 6)
    assert (low.tolist(), high.tolist()) == ([0.0] * 6, [1.0] * 6)


def test_margin_is_that_of_the_planning_note() -> None:
    # 7.03 / sqrt(n) for five dice at 5 %, 8.02 at 1 %, where 5 % takes about 103,000 throws even if perfect
    assert margin(10_000) == pytest.approx(0.0703, abs=5e-5)
    assert margin(10_000, alpha=0.01) == pytest.approx(0.0802, abs=5e-5)
    assert throws_to_certify(0.05) == pytest.approx(103_000, rel=0.002)


def test_dice_are_certified_when_even_the_bound_is_within() -> None:
    even = certify([[20_000] * 6] * 5, 0.05)
    assert even.certified
    assert even.estimate == 0.0
    # exact bound against the normal margin of 120,000 throws at 1 %
    assert even.bound == pytest.approx(margin(120_000, alpha=0.01), rel=0.01)
    loaded = certify([[20_000] * 6] * 4 + [[19_000, 20_000, 20_000, 20_000, 20_000, 21_000]], 0.05)
    assert loaded.estimate == pytest.approx(0.05, rel=1e-12)
    assert not loaded.certified


def test_impossible_input_is_refused() -> None:
    for call in (
        lambda: simultaneous([1, 2, 3], alpha=0.0),
        lambda: confidence_sequence([5]),
        lambda: certify([[0] * 6], 0.05),
        lambda: margin(0),
        lambda: throws_to_certify(1.5),
    ):
        with pytest.raises(LaboratoryError):
            call()
