"""Order and togetherness of faces."""

import math
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from scipy import stats

from integrity.dependence import (
    matching_pairs,
    pair_test,
    pairs_held,
    proportion_cutoff,
    repeats,
    repeats_fair,
    repetition_cutoff,
    serial_test,
    sevens_avoided,
    sorted_chance,
    sortedness,
    transition_test,
    transitions,
)
from integrity.errors import LaboratoryError


def test_transitions_are_counted_by_previous_and_next() -> None:
    table = transitions([1, 1, 2, 6, 1])
    assert table[0, 0] == table[0, 1] == table[1, 5] == table[5, 0] == 1
    assert table.sum() == 4


def test_serial_statistic_is_the_sum_over_circular_pairs() -> None:
    faces = [1, 2, 2, 6, 5, 1, 1]
    pairs = [(faces[i], faces[(i + 1) % 7]) for i in range(7)]
    psi2 = 36 / 7 * sum(pairs.count(p) ** 2 for p in set(pairs)) - 7
    psi1 = 6 / 7 * sum(faces.count(f) ** 2 for f in set(faces)) - 7
    assert serial_test(faces).statistic == pytest.approx(psi2 - psi1, rel=1e-12)


@pytest.mark.parametrize("counts", [[2, 1, 1], [3, 2, 0], [2, 2, 2], [4, 1, 1]])
def test_moments_of_repeats_are_those_of_all_orders(counts: list[int]) -> None:
    # second route: every order of the multiset
    faces = [face for face, count in enumerate(counts) for _ in range(count)]
    seen = [sum(a == b for a, b in pairwise(order)) for order in permutations(faces)]
    mean, deviation = np.mean(seen), np.std(seen)
    result = repeats([*counts, 0, 0, 0], 1)
    assert result.statistic == pytest.approx((1 - mean) / deviation, rel=1e-9)


def test_repeats_of_a_loaded_die_are_rejected_as_often_as_alpha_says() -> None:
    # 2,000 loaded dice of 500 throws at 5 %: 4 sd = 2 %; against 1/6 nearly all would be rejected
    law = [0.1] * 5 + [0.5]
    faces = np.random.default_rng(41).choice(6, size=(2000, 500), p=law)
    results = [repeats(np.bincount(die, minlength=6), int((die[1:] == die[:-1]).sum())).pvalue for die in faces]
    assert np.mean(np.array(results) <= 0.05) == pytest.approx(0.05, abs=0.02)
    assert repeats_fair(int((faces[0][1:] == faces[0][:-1]).sum()), 499).pvalue < 1e-6


def test_transition_table_of_a_loaded_die_is_quiet() -> None:
    # the seed is fixed; a fair p falls below 0.001 once in 1,000
    faces = np.random.default_rng(42).choice(6, size=5000, p=[0.1] * 5 + [0.5]) + 1
    assert transition_test(transitions(faces)).pvalue > 0.001
    assert pair_test(transitions(faces)).df == 25


def test_binomial_tests_are_exact() -> None:
    assert pairs_held(30, 100).pvalue == pytest.approx(stats.binom.sf(29, 100, 1 / 6), rel=1e-12)
    assert sevens_avoided(10, 100).pvalue == pytest.approx(stats.binom.cdf(10, 100, 1 / 6), rel=1e-12)
    assert sevens_avoided(10, 100).statistic == pytest.approx(0.1, rel=1e-12)
    assert sevens_avoided(10, 100).observed == (10, 90)
    assert pairs_held(0, 0).law == "no data"


def test_matching_pairs_have_mean_ten_sixths_and_variance_fifty_thirty_sixths() -> None:
    # all 6^5 throws of five dice
    matches = [sum(a == b for i, a in enumerate(t) for b in t[:i]) for t in product(range(6), repeat=5)]
    assert np.mean(matches) == pytest.approx(10 / 6, rel=1e-12)
    assert np.var(matches) == pytest.approx(50 / 36, rel=1e-12)
    z = (2000 - 1000 * 10 / 6) / math.sqrt(1000 * 50 / 36)
    assert matching_pairs(2000, 1000).statistic == pytest.approx(z, rel=1e-12)


@pytest.mark.parametrize("dice", [2, 3, 5])
def test_chance_of_a_sorted_throw_counts_multisets(dice: int) -> None:
    assert sorted_chance(dice) == pytest.approx(math.comb(dice + 5, dice) / 6**dice, rel=1e-12)


def test_sorted_log_is_found_and_a_fair_one_is_not() -> None:
    assert sortedness(95, 100, 5).log10_pvalue < -100
    assert sortedness(3, 100, 5).pvalue > 0.5
    assert sortedness(100, 100, 1).law == "no data"


def test_health_cutoffs_are_those_of_the_standard() -> None:
    # NIST SP 800-90B 4.4 with H = log2 6; 129 of 512 as recomputed in the methods note
    assert (repetition_cutoff(2**-20), repetition_cutoff(2**-30)) == (9, 13)
    assert proportion_cutoff() == 129
    assert stats.binom.sf(128, 512, 1 / 6) <= 2**-20 < stats.binom.sf(127, 512, 1 / 6)


def test_impossible_input_is_refused() -> None:
    for call in (lambda: repetition_cutoff(0.0), lambda: proportion_cutoff(2.0), lambda: sorted_chance(0)):
        with pytest.raises(LaboratoryError):
            call()
    assert serial_test([1]).law == "no data"
    assert repeats([1, 1, 0, 0, 0, 0], 0).law == "no data"
