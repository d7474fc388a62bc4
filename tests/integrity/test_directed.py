"""Fifteen contrasts and the law of their maximum."""

import math

import numpy as np
import pytest
from scipy import stats

from integrity.directed import (
    COEFFICIENTS,
    CONTRASTS,
    directed,
    exact_contrasts,
    max_contrast_critical,
    max_contrast_tail,
)
from integrity.errors import LaboratoryError
from integrity.tails import normal_tail


def test_contrasts_add_to_zero_and_have_length_one() -> None:
    assert len(CONTRASTS) == 15
    assert COEFFICIENTS.sum(axis=1) == pytest.approx(np.zeros(15), abs=1e-15)
    assert (COEFFICIENTS**2).sum(axis=1) == pytest.approx(np.ones(15), abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "attack", "faces", "shift"),
    [
        ([160, 160, 160, 160, 160, 200], "load", (6,), 1 / 30),
        ([90, 100, 100, 100, 100, 110], "tilt", (6,), 10 / 600),
        ([120, 90, 90, 90, 90, 120], "flats", (1, 6), 20 / 600),
    ],
)
def test_the_cause_is_named_with_its_size(counts: list[int], attack: str, faces: tuple[int, ...], shift: float) -> None:
    result = directed(counts)
    assert (result.attack, result.faces) == (attack, faces)
    assert result.shift == pytest.approx(shift, rel=1e-12)
    assert result.interval[0] < shift < result.interval[1]


def test_every_contrast_is_the_deviate_of_its_exact_tail() -> None:
    z = directed([10, 20, 30, 15, 25, 44]).z
    assert stats.norm.sf(z[5]) == pytest.approx(stats.binom.sf(43, 144, 1 / 6), rel=1e-9)
    assert stats.norm.sf(z[6]) == pytest.approx(stats.binom.sf(53, 144, 1 / 3), rel=1e-9)
    assert stats.norm.sf(z[14]) == pytest.approx(stats.binom.sf(43, 54, 1 / 2), rel=1e-9)


def test_contrasts_stay_finite_far_out() -> None:
    result = directed([20_000, 0, 0, 0, 0, 0])
    assert all(math.isfinite(z) for z in result.z)
    # the face alone: log10 p = -20,000 log10 6, and at most fifteen times that for the maximum
    assert result.log10_pvalue == pytest.approx(-20_000 * math.log10(6) + math.log10(15), abs=0.01)


@pytest.mark.parametrize("n", [12, 60, 300])
def test_fair_dice_are_rejected_at_most_as_often_as_alpha_says(n: int) -> None:
    # 40,000 fair dice at 1 %: 1 % + 4 sd = 1.2 %
    greatest = exact_contrasts(np.random.default_rng(23).multinomial(n, [1 / 6] * 6, size=40_000)).max(axis=1)
    assert np.mean(greatest >= max_contrast_critical(0.01)) <= 0.012


def test_law_of_the_maximum_agrees_with_simulation() -> None:
    # 200,000 normal vectors: four standard errors at 5 % are 0.002
    normal = np.random.default_rng(21).standard_normal((200_000, 6)) @ COEFFICIENTS.T
    greatest = normal.max(axis=1)
    for z in (2.0, 2.64, 3.167):
        expected = float(np.mean(greatest >= z))
        assert max_contrast_tail(z)[0] == pytest.approx(
            expected, abs=4 * math.sqrt(expected / 200_000) + 0.01 * expected
        )


def test_law_of_the_maximum_lies_between_one_and_fifteen_normal_tails_and_never_jumps() -> None:
    grid = np.linspace(0.5, 12.0, 200)
    logs = [max_contrast_tail(float(z))[1] for z in grid]
    assert logs == sorted(logs, reverse=True)
    for z, log10_pvalue in zip(grid, logs, strict=True):
        single = normal_tail(float(z))[1]
        assert single <= log10_pvalue <= single + math.log10(15) + 1e-12


def test_critical_value_is_where_the_tail_is_alpha() -> None:
    assert max_contrast_critical(0.01) == pytest.approx(3.167, abs=0.005)
    assert max_contrast_tail(max_contrast_critical(0.001))[0] == pytest.approx(0.001, rel=1e-6)


def test_drawn_law_is_never_zero_and_says_so() -> None:
    result = directed([0, 0, 0, 0, 0, 600], draws=99, rng=np.random.default_rng(1))
    assert (result.pvalue, result.law) == (0.01, "monte carlo (B=99)")


def test_interval_covers_the_true_shift_nineteen_times_in_twenty() -> None:
    # 1,000 loaded dice, 95 % +- 4 sd (2.8 %); the load is large, so that the right contrast is always chosen
    law = [0.12] * 5 + [0.4]
    samples = np.random.default_rng(22).multinomial(2000, law, size=1000)
    covered = [result.interval[0] <= 0.4 - 1 / 6 <= result.interval[1] for result in map(directed, samples)]
    assert np.mean(covered) == pytest.approx(0.95, abs=0.028)


def test_no_throws_give_no_statistic() -> None:
    assert directed([0] * 6).statistic is None


def test_only_dice_of_six_have_axes() -> None:
    with pytest.raises(LaboratoryError, match="six faces"):
        directed([1, 2, 3, 4])
