"""Holm, BH and e-BH against plain definitions; averages and budgets of evidence."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from integrity.errors import LaboratoryError
from integrity.multiplicity import (
    anytime_log10_pvalue,
    average_log10_evalue,
    benjamini_hochberg,
    e_benjamini_hochberg,
    holm,
    log10_evalue_of_pvalue,
    product_log10_evalue,
    shares_of_budget,
)

logs = st.lists(st.floats(-400, 0), min_size=1, max_size=12)


def step_down(log10_pvalues: list[float], alpha: float) -> set[int]:
    """Holm by its definition: walk up from the smallest p while p <= alpha / (those left)."""
    order = sorted(range(len(log10_pvalues)), key=lambda i: log10_pvalues[i])
    rejected: set[int] = set()
    for rank, index in enumerate(order):
        if log10_pvalues[index] + math.log10(len(order) - rank) > math.log10(alpha):
            break
        rejected.add(index)
    return rejected


@given(logs)
def test_holm_accuses_what_its_definition_accuses(log10_pvalues: list[float]) -> None:
    adjusted = holm(log10_pvalues)
    assert {i for i, value in enumerate(adjusted) if value <= math.log10(0.01)} == step_down(log10_pvalues, 0.01)


@given(logs)
def test_bh_marks_what_its_definition_marks(log10_pvalues: list[float]) -> None:
    ordered = sorted(log10_pvalues)
    m = len(ordered)
    passing = [k for k in range(1, m + 1) if ordered[k - 1] + math.log10(m) - math.log10(k) <= math.log10(0.05)]
    marked = int(np.count_nonzero(benjamini_hochberg(log10_pvalues) <= math.log10(0.05)))
    assert marked >= (max(passing) if passing else 0)
    assert {ordered[i] for i in range(marked)} <= set(ordered[: max(passing)] if passing else [])


def test_weighted_holm_gives_the_share_of_the_accused_to_the_others() -> None:
    # weights 1/2, 1/4, 1/4: p1 at alpha / 2 first, then each of the others has half of what is left
    adjusted = holm(np.log10([0.004, 0.004, 0.1]), [0.5, 0.25, 0.25])
    assert 10**adjusted == pytest.approx([0.008, 0.008, 0.1], rel=1e-12)
    assert holm([-3.0, -2.0], [7.0, 7.0]) == pytest.approx(holm([-3.0, -2.0]), abs=1e-12)


def test_weighted_e_bh_counts_evidence_by_its_share() -> None:
    # m = 2, alpha 0.1: e times weight must reach 20 / k
    assert e_benjamini_hochberg(np.log10([14.0, 30.0]), 0.1, [1.5, 0.5]).tolist() == [True, True]
    assert e_benjamini_hochberg(np.log10([14.0, 19.0]), 0.1, [1.5, 0.5]).tolist() == [True, False]


def test_e_bh_takes_the_largest_k_that_reaches_its_line() -> None:
    # m = 4, alpha 0.1: e_(k) >= 40 / k: 39 misses 40, but 21 reaches 20 at k = 2, so both are marked
    assert e_benjamini_hochberg(np.log10([39.0, 21.0, 1.0, 0.5]), 0.1).tolist() == [True, True, False, False]
    assert e_benjamini_hochberg([], 0.1).tolist() == []


def test_evidence_far_beyond_floating_point_is_kept() -> None:
    assert holm([-30_000.0, -1.0])[0] == -30_000.0 + math.log10(2)
    assert average_log10_evalue([20_000.0, 0.0]) == pytest.approx(20_000 - math.log10(2), rel=1e-14)


def test_average_with_weights_below_one_keeps_the_rest_as_cash() -> None:
    # 0.25 x 100 + 0.75 x 1
    assert 10 ** average_log10_evalue([2.0], [0.25]) == pytest.approx(25.75, rel=1e-12)
    assert product_log10_evalue([1.0, 2.0, -0.5]) == 2.5


def test_anytime_p_is_one_over_the_largest_e_and_at_most_one() -> None:
    assert anytime_log10_pvalue([3.0, -2.0]).tolist() == [-3.0, 0.0]


def test_calibrated_e_has_mean_one_under_a_uniform_p() -> None:
    # with kappa = 1/2 and p = u^2, e(p) dp = e(u^2) 2u du must be du
    for u in (0.001, 0.1, 0.5, 0.9):
        assert 10 ** log10_evalue_of_pvalue(2 * math.log10(u)) * 2 * u == pytest.approx(1.0, rel=1e-12)


def test_budget_gives_each_monitor_the_line_of_its_share() -> None:
    lines = shares_of_budget({"faces": 0.5, "repeats": 0.5}, 0.01)
    assert lines["faces"] == pytest.approx(math.log10(200), rel=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda: holm([0.5]),
        lambda: holm([math.nan]),
        lambda: shares_of_budget({"a": 0.7, "b": 0.4}, 0.01),
        lambda: shares_of_budget({"a": 1.0}, 0.0),
        lambda: average_log10_evalue([1.0, 1.0], [0.9, 0.9]),
        lambda: e_benjamini_hochberg([1.0], 1.5),
        lambda: holm([-1.0, -2.0], [1.0]),
        lambda: holm([-1.0, -2.0], [1.0, 0.0]),
    ],
)
def test_impossible_input_is_refused(call: object) -> None:
    with pytest.raises(LaboratoryError):
        call()  # type: ignore[operator]
