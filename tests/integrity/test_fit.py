"""Tests of fit of one die, checked against enumeration in fractions and scipy.stats."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from integrity.errors import LaboratoryError
from integrity.fit import (
    all_outcomes,
    exact_multinomial,
    g_test,
    monte_carlo_pvalue,
    pearson,
    too_even,
    whole_counts,
)

counts_of_six = st.lists(st.integers(0, 400), min_size=6, max_size=6).filter(lambda c: sum(c) > 0)


def enumerated_pearson(counts: list[int]) -> Fraction:
    """Second route: every sequence of throws counted in fractions (few throws only)."""
    n, squares = sum(counts), sum(c * c for c in counts)
    hits = sum(
        1 for throws in product(range(6), repeat=n) if sum(throws.count(face) ** 2 for face in range(6)) >= squares
    )
    return Fraction(hits, 6**n)


@pytest.mark.parametrize("counts", [[1, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 1], [3, 1, 1, 0, 0, 0], [5, 0, 0, 0, 0, 0]])
def test_exact_pearson_counts_sequences(counts: list[int]) -> None:
    assert pearson(counts, law="exact").pvalue == pytest.approx(float(enumerated_pearson(counts)), rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(counts_of_six)
def test_asymptotic_laws_agree_with_scipy(counts: list[int]) -> None:
    ours, likelihood = pearson(counts, law="asymptotic"), g_test(counts, law="asymptotic")
    assert ours.statistic == pytest.approx(stats.chisquare(counts).statistic, rel=1e-9, abs=1e-9)
    theirs = stats.power_divergence(counts, lambda_="log-likelihood")
    assert likelihood.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-9)
    assert likelihood.pvalue == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-300)


def test_exact_law_by_listing_agrees_with_dynamic_programming() -> None:
    # a null off by one part in 1e12 forces the list of outcomes; both are the same law to many digits
    nearly = [1 / 6 + 1e-13, *[1 / 6] * 4, 1 / 6 - 1e-13]
    by_list = pearson([0, 1, 3, 7, 2, 9], nearly, law="exact")
    assert by_list.pvalue == pytest.approx(pearson([0, 1, 3, 7, 2, 9], law="exact").pvalue, rel=1e-9)


def test_exact_pearson_takes_121_throws() -> None:
    result = pearson([30, 10, 21, 20, 20, 20], law="exact")
    assert result.law == "exact"
    assert result.pvalue == pytest.approx(stats.chi2.sf(result.statistic, 5), rel=0.05)


def test_red_trick_die_shows_that_two_exact_tests_may_disagree() -> None:
    # the methods note quotes 7.0e-4 (multinomial) against 7.2e-5 (Pearson) for one die: different orders of outcomes.
    # Here only that both are exact laws of their own statistic: for 3 throws alike both give 1/36
    assert exact_multinomial([3, 0, 0, 0, 0, 0]).pvalue == pytest.approx(1 / 36, rel=1e-12)
    assert exact_multinomial([2, 1, 0, 0, 0, 0]).pvalue == pytest.approx(float(1 - Fraction(20 * 6, 216)), rel=1e-12)


def test_all_outcomes_are_listed_once() -> None:
    outcomes = all_outcomes(7, 4)
    assert outcomes.shape == (math.comb(10, 3), 4)
    assert np.unique(outcomes, axis=0).shape == outcomes.shape
    assert np.all(outcomes.sum(axis=1) == 7)


def test_exact_laws_add_to_one() -> None:
    assert pearson([4, 4, 4, 4, 4, 4], law="exact").pvalue == pytest.approx(1.0, abs=1e-12)
    assert exact_multinomial([4, 4, 4, 4, 4, 4]).pvalue == pytest.approx(1.0, abs=1e-12)


def test_unequal_null_is_tested_on_its_own_law() -> None:
    null = [0.5, 0.25, 0.25]
    assert pearson([50, 25, 25], null).statistic == 0.0
    # at least as far as (4,0,0), statistic 4: (4,0,0), (0,4,0) x 2, (1,3,0) x 2, (0,3,1) x 2, (0,2,2)
    fractions = Fraction(16 + 2 * 1 + 2 * 8 + 2 * 4 + 6, 256)
    assert pearson([4, 0, 0], null, law="exact").pvalue == pytest.approx(float(fractions), rel=1e-12)


def test_monte_carlo_is_never_zero_and_says_how_many_were_drawn() -> None:
    result = pearson([600, 0, 0, 0, 0, 0], law="monte carlo", draws=499, rng=np.random.default_rng(1))
    assert result.pvalue == 1 / 500
    assert result.law == "monte carlo (B=499)"
    assert monte_carlo_pvalue(3.0, np.array([1.0, 3.0, 5.0])) == 0.75


def test_monte_carlo_agrees_with_the_exact_law() -> None:
    exact = pearson([2, 2, 9, 3, 2, 2], law="exact").pvalue
    drawn = pearson([2, 2, 9, 3, 2, 2], law="monte carlo", draws=20_000, rng=np.random.default_rng(2)).pvalue
    assert exact is not None
    # four standard errors: false alarms 6e-5
    assert drawn == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 20_000))


def test_few_throws_get_the_exact_law_and_many_the_asymptotic() -> None:
    assert pearson([5, 5, 5, 5, 5, 4]).law == "exact"
    assert pearson([5, 5, 5, 5, 5, 5]).law == "asymptotic"
    assert pearson([1] * 20, [1 / 20] * 20, rng=np.random.default_rng(3)).law.startswith("exact")
    assert pearson([3] * 40 + [0], [1 / 41] * 41, rng=np.random.default_rng(3)).law == "exact"


def test_too_even_is_exact_for_few_throws() -> None:
    # all six faces once in six throws: 6! / 6^6
    assert too_even([1, 1, 1, 1, 1, 1]).pvalue == pytest.approx(720 / 46656, rel=1e-12)


def test_result_keeps_its_inputs() -> None:
    result = pearson([1, 2, 3, 4, 5, 6])
    assert result.observed == (1, 2, 3, 4, 5, 6)
    assert result.n == 21
    assert result.df == 5


@pytest.mark.parametrize(
    ("counts", "n"),
    [
        ([0.151, 0.169, 0.157, 0.165, 0.161, 0.197], None),
        ([15.0, 17.0, 16.0, 16.0, 17.0, 19.0], None),
        ([1.0, math.nan, 1.0, 1.0, 1.0, 1.0], None),
        ([-1, 2, 3, 4, 5, 6], None),
        ([1, 2, 3, 4, 5, 6], 22),
        (["1", "2"], None),
    ],
)
def test_what_cannot_be_counts_is_refused(counts: list[float], n: int | None) -> None:
    with pytest.raises(LaboratoryError, match="counts must"):
        whole_counts(counts, n)


def test_whole_floating_numbers_that_add_to_a_hundred_are_counts_once_n_says_so() -> None:
    assert whole_counts([15.0, 17.0, 16.0, 16.0, 17.0, 19.0], n=100).tolist() == [15, 17, 16, 16, 17, 19]
    assert whole_counts([15, 17, 16, 16, 17, 19]).sum() == 100


@pytest.mark.parametrize("null", [[0.5] * 6, [1 / 5] * 5, [0.0, 0.2, 0.2, 0.2, 0.2, 0.2]])
def test_nulls_that_are_no_law_are_refused(null: list[float]) -> None:
    with pytest.raises(LaboratoryError, match="null must"):
        pearson([1, 2, 3, 4, 5, 6], null)


def test_false_alarms_of_the_exact_law_stay_below_alpha() -> None:
    # 4,000 fair dice of 24 throws at 5 %: at most 0.05 + 4 sd = 0.064 (false alarm of this test 3e-5)
    rng = np.random.default_rng(4)
    samples = rng.multinomial(24, [1 / 6] * 6, size=4_000)
    alarms = sum(pearson(sample, law="exact").pvalue <= 0.05 for sample in samples)
    assert alarms / 4_000 <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 4_000)
