"""Part A of the integrity cases: the arithmetic. One test a row, its number in the name."""

import csv
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from integrity.dependence import serial_test, transition_test, transitions
from integrity.errors import LaboratoryError
from integrity.fit import g_test, null_law, pearson, too_even, whole_counts
from integrity.plan import judge, plan_by_throws
from integrity.power import throws_needed
from integrity.sequential import face_battery, face_path, log10_evalue
from integrity.tails import chi2_tail

DATA = Path(__file__).parents[1] / "data"


def test_a1_a_zero_cell_counts_zero_in_g() -> None:
    counts = [0, 10, 10, 10, 10, 20]
    likelihood, chi2 = g_test(counts), pearson(counts)
    assert likelihood.statistic == pytest.approx(40 * math.log(2), rel=1e-12)
    assert likelihood.pvalue == pytest.approx(4.1e-5, rel=0.01)
    assert chi2.statistic == pytest.approx(20.0, rel=1e-12)
    assert chi2.pvalue == pytest.approx(0.00125, rel=1e-3)
    assert pearson(counts, law="exact").pvalue == pytest.approx(0.00134, rel=1e-3)


def test_a2_no_throws_give_no_p_and_an_e_of_one() -> None:
    result = pearson([0] * 6)
    assert (result.law, result.statistic, result.pvalue) == ("no data", None, None)
    assert judge(plan_by_throws("load", 100), 0, result.log10_pvalue) == "no_data"
    assert float(log10_evalue(face_battery(), [0] * 6)) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("call", [pearson, g_test, too_even])
def test_a3_nan_never_becomes_a_pass(call: object) -> None:
    with pytest.raises(LaboratoryError):
        call([math.nan, 1, 1, 1, 1, 1])  # type: ignore[operator]
    with pytest.raises(LaboratoryError):
        call([1, 1, 1, 1, 1, 1], [math.nan, *[1 / 5] * 5])  # type: ignore[operator]


def test_a4_twelve_sixes_get_the_exact_law_and_say_so() -> None:
    result = pearson([0, 0, 0, 0, 0, 12])
    assert result.law == "exact"
    assert result.pvalue == pytest.approx(float(Fraction(6, 6**12)), rel=1e-12)
    asymptotic = pearson([0, 0, 0, 0, 0, 12], law="asymptotic").pvalue
    assert result.pvalue / asymptotic == pytest.approx(227, rel=0.01)


def test_a5_three_throws_are_too_few_and_the_plan_says_how_many() -> None:
    result = pearson([3, 0, 0, 0, 0, 0])
    assert result.pvalue == pytest.approx(1 / 36, rel=1e-12)
    plan = plan_by_throws("load", throws_needed("load", 0.1))
    assert judge(plan, result.n, result.log10_pvalue) == "too_few"
    # the methods note has 300 for a load of 0.1, by a test that is a little too eager
    assert 300 <= plan.throws <= 324


def test_a6_expected_counts_are_computed_never_typed() -> None:
    # 47 throws: expected 47/6 each; chi2 = 6/47 sum x^2 - 47 in fractions
    counts = [8, 8, 8, 8, 8, 7]
    assert pearson(counts).statistic == pytest.approx(
        float(Fraction(6 * sum(c * c for c in counts), 47) - 47), rel=1e-9
    )
    with pytest.raises(LaboratoryError, match="null must"):
        pearson(counts, [7.0] * 6)


@pytest.mark.parametrize("faces", [6, 20])
def test_a9_a_null_of_equal_floats_is_taken(faces: int) -> None:
    assert sum([1 / faces] * faces) != 1.0 or faces not in (6, 20)
    assert math.fsum(null_law([1 / faces] * faces, faces)) == pytest.approx(1.0, abs=1e-15)
    assert float(log10_evalue(face_battery((1 / faces,) * faces), [0] * faces)) == pytest.approx(0.0, abs=1e-12)


def test_a10_six_hundred_sixes_do_not_overflow() -> None:
    path = face_path(face_battery(), np.full(600, 6))
    assert np.all(np.isfinite(path))
    # the best component gives ln 6 a throw less its price
    assert path[-1] / math.log(10) == pytest.approx(600 * math.log10(6), abs=20)


def test_a11_log10_p_is_finite_however_small() -> None:
    assert pearson([20_000, 0, 0, 0, 0, 0]).log10_pvalue == pytest.approx(-21_707.80, abs=0.005)
    assert chi2_tail(100_000.0, 5)[1] == pytest.approx(-21_707.80, abs=0.005)
    with (DATA / "wolf_joint.csv").open() as file:
        joint = [int(row["count"]) for row in csv.DictReader(file)]
    assert pearson(joint, [1 / 36] * 36).log10_pvalue == pytest.approx(-59.38, abs=0.005)


def test_a13_degrees_of_freedom_come_from_the_die() -> None:
    assert pearson([0, 0, 30, 30, 30, 30]).df == 5
    assert pearson([0] + [10] * 19, [1 / 20] * 20).df == 19


def test_a14_critical_values_are_computed() -> None:
    # 25 df at 10 %: 34.3816, not the 34.28 of a typed table
    assert float(special.chdtri(25, 0.1)) == pytest.approx(34.3816, abs=5e-5)
    assert chi2_tail(34.3816, 25)[0] == pytest.approx(0.1, abs=1e-5)


def test_a17_percentages_are_not_counts() -> None:
    for shares in ([15.1, 16.9, 15.7, 16.5, 16.1, 19.6], [0.151, 0.169, 0.157, 0.165, 0.161, 0.197]):
        with pytest.raises(LaboratoryError, match="counts must"):
            pearson(shares)
    with pytest.raises(LaboratoryError, match="shares"):
        whole_counts([15.0, 17.0, 16.0, 16.0, 16.0, 20.0])


def test_a18_order_tests_pass_a_known_good_and_fail_a_known_bad_stream() -> None:
    good = np.random.default_rng(18).integers(1, 7, 5000)
    bad = np.tile([1, 2, 3, 4, 5, 6], 800)
    # a good stream fails one of the two at 0.1 % with chance 0.2 %; the seed is fixed
    assert serial_test(good).pvalue > 0.001
    assert transition_test(transitions(good)).pvalue > 0.001
    assert serial_test(bad).log10_pvalue < -100
    assert transition_test(transitions(bad)).log10_pvalue < -100


def test_a20_p_is_never_above_one() -> None:
    for counts in ([1] * 6, [10] * 6, [0, 0, 0, 0, 0, 1], [7, 8, 8, 8, 8, 8]):
        for law in ("exact", "asymptotic"):
            assert 0.0 < pearson(counts, law=law).pvalue <= 1.0
