"""Homogeneity of boxes, shooters and stakes, within dice."""

import math

import numpy as np
import pytest
from scipy import stats

from integrity.errors import LaboratoryError
from integrity.homogeneity import contrast_between, homogeneity, stratified, stratum_statistics


def test_homogeneity_agrees_with_scipy() -> None:
    table = np.random.default_rng(31).integers(5, 60, size=(4, 6))
    result = homogeneity(table)
    theirs = stats.chi2_contingency(table, correction=False)
    assert (result.statistic, result.df) == (pytest.approx(theirs.statistic, rel=1e-12), theirs.dof)
    assert result.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def test_rows_and_faces_never_seen_carry_no_degrees() -> None:
    result = homogeneity([[10, 12, 0], [14, 9, 0], [0, 0, 0]])
    assert result.df == 1
    assert homogeneity([[10, 12, 3]]).law == "no data"
    assert homogeneity(np.zeros((3, 6), dtype=int)).law == "no data"


def test_a_loaded_die_that_prefers_one_box_does_not_accuse_the_box() -> None:
    # die 1 is loaded in both boxes and met box 1 nine times in ten; die 2 is fair and met box 2
    loaded, fair = np.array([100, 100, 100, 100, 100, 400]), np.array([150] * 6)
    dice = np.array([[loaded * 9, loaded], [fair, fair * 9]])
    assert stratified(dice).statistic == pytest.approx(0.0, abs=1e-9)
    assert homogeneity(dice.sum(axis=0)).log10_pvalue < -100


def test_a_crooked_box_is_seen_within_every_die() -> None:
    fair, crooked = [100] * 6, [80, 100, 100, 100, 100, 120]
    dice = [[fair, crooked]] * 5
    result = stratified(dice)
    assert result.df == 25
    assert result.statistic == pytest.approx(5 * homogeneity([fair, crooked]).statistic, rel=1e-12)
    assert stratum_statistics(dice)[:, 1].tolist() == [5.0] * 5


def test_drawn_p_agrees_with_fisher_on_a_small_table() -> None:
    # Fisher's exact two-sided p of [[3, 1], [1, 3]] is 34/70
    result = homogeneity([[3, 1], [1, 3]], draws=4000, rng=np.random.default_rng(32))
    assert result.law == "monte carlo (B=4000)"
    # four standard errors: false alarms 6e-5
    assert result.pvalue == pytest.approx(34 / 70, abs=4 * math.sqrt(0.25 / 4000))


def test_fair_tables_are_rejected_as_often_as_alpha_says() -> None:
    # 3,000 tables at 5 %: 4 sd = 1.6 %
    tables = np.random.default_rng(33).multinomial(120, [1 / 6] * 6, size=(3000, 3))
    rejected = np.mean([homogeneity(table).pvalue <= 0.05 for table in tables])
    assert rejected == pytest.approx(0.05, abs=0.016)


def test_differences_of_shares_have_their_errors() -> None:
    difference, error = contrast_between([30, 70], [50, 50])
    assert difference.tolist() == pytest.approx([-0.2, 0.2])
    assert error[0] == pytest.approx(math.sqrt(0.3 * 0.7 / 100 + 0.25 / 100), rel=1e-12)


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(LaboratoryError):
        stratified([[1, 2], [3, 4]])
    with pytest.raises(LaboratoryError):
        contrast_between([1, 2], [1, 2, 3])
