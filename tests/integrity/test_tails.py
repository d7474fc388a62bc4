"""Tails as logarithms, against scipy.stats where it is still finite and against series where it is not."""

import math
from itertools import pairwise

import pytest
from scipy import stats

from integrity.errors import LaboratoryError
from integrity.tails import binomial_tail, chi2_lower_tail, chi2_tail, normal_tail


@pytest.mark.parametrize(("statistic", "df"), [(0.0, 5), (3.0, 1), (20.0, 5), (150.0, 25), (1200.0, 30)])
def test_chi2_tail_agrees_with_scipy_stats_where_that_is_finite(statistic: float, df: int) -> None:
    pvalue, log10_pvalue = chi2_tail(statistic, df)
    assert pvalue == pytest.approx(stats.chi2.sf(statistic, df), rel=1e-12)
    assert log10_pvalue == pytest.approx(stats.chi2.logsf(statistic, df) / math.log(10), rel=1e-12, abs=1e-15)


def test_chi2_tail_is_continuous_where_the_continued_fraction_takes_over() -> None:
    # d(log10 p) / dx of 5 df far out is close to -1 / (2 ln 10) (1 - 3 / x), no jump between neighbours
    logs = [chi2_tail(x / 4, 5)[1] for x in range(5200, 5500)]
    steps = [later - earlier for earlier, later in pairwise(logs)]
    assert min(steps) > -0.25 / (2 * math.log(10))
    assert max(steps) < -0.25 / (2 * math.log(10)) * (1 - 4 / 1300)


def test_chi2_tail_of_two_degrees_is_the_exponential_law_however_far_out() -> None:
    # Q(1, x / 2) = exp(-x / 2) exactly
    assert chi2_tail(1e6, 2)[1] == pytest.approx(-5e5 / math.log(10), rel=1e-14)


def test_chi2_lower_tail_agrees_with_scipy_stats_and_stays_finite_at_zero() -> None:
    assert chi2_lower_tail(0.002, 5)[0] == pytest.approx(stats.chi2.cdf(0.002, 5), rel=1e-12)
    # P(a, x) -> x^a / Gamma(a + 1) for small x, here a = 2.5
    assert chi2_lower_tail(2e-200, 5)[1] == pytest.approx(2.5 * -200 - math.log10(math.gamma(3.5)), rel=1e-12)
    assert math.isfinite(chi2_lower_tail(0.0, 5)[1])


def test_normal_tail_stays_finite_where_the_plain_tail_underflows() -> None:
    assert normal_tail(1.96)[0] == pytest.approx(stats.norm.sf(1.96), rel=1e-12)
    # Mills: log Q(z) = -z^2 / 2 - log(z sqrt(2 pi)) - 1 / z^2 + ...
    z = 500.0
    series = -z * z / 2 - math.log(z * math.sqrt(2 * math.pi)) - 1 / z**2
    assert normal_tail(z)[1] == pytest.approx(series / math.log(10), rel=1e-12)


def test_binomial_tail_is_exact_for_all_successes_however_many() -> None:
    assert binomial_tail(5000, 5000, 1 / 6)[1] == pytest.approx(-5000 * math.log10(6), rel=1e-13)
    assert binomial_tail(30, 100, 1 / 6)[0] == pytest.approx(stats.binom.sf(29, 100, 1 / 6), rel=1e-12)
    assert binomial_tail(0, 100, 1 / 6) == (1.0, 0.0)


def test_binomial_tail_beyond_underflow_matches_the_sum_of_its_terms() -> None:
    n, k, p = 3000, 1500, 1 / 6
    logs = [stats.binom.logpmf(j, n, p) for j in range(k, k + 200)]
    expected = (logs[0] + math.log(math.fsum(math.exp(v - logs[0]) for v in logs))) / math.log(10)
    assert binomial_tail(k, n, p)[1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "call", [lambda: chi2_tail(math.nan, 5), lambda: chi2_tail(1.0, 0), lambda: normal_tail(math.nan)]
)
def test_what_is_no_number_is_refused(call: object) -> None:
    with pytest.raises(LaboratoryError):
        call()  # type: ignore[operator]
