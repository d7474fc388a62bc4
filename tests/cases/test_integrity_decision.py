"""Part B of the integrity cases: the decision, as far as it is arithmetic. One test a row, its number in the name."""

import csv
import math
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from integrity.audit import Verdict, audit
from integrity.dependence import repeats, repeats_fair, serial_test, transition_test, transitions
from integrity.directed import directed, exact_contrasts, max_contrast_critical
from integrity.errors import LaboratoryError, PlanError
from integrity.fit import pearson, pearson_statistic, too_even
from integrity.homogeneity import homogeneity
from integrity.locks import lock_log10_evalue
from integrity.multiplicity import benjamini_hochberg, e_benjamini_hochberg, holm
from integrity.observations import observations
from integrity.plan import judge, plan_by_throws, what_was_not_seen
from integrity.sequential import Evidence, face_battery, face_path, log10_evalue
from integrity.totals import total_band, total_law

DATA = Path(__file__).parents[1] / "data"
FAIR = np.full(6, 1 / 6)


def robots() -> dict[str, np.ndarray]:
    """Give the faces of the nine robot dice, in order."""
    faces: dict[str, list[int]] = defaultdict(list)
    with (DATA / "robot_d6_throws.csv").open() as file:
        for row in csv.DictReader(file):
            faces[row["die_id"]].append(int(row["face"]))
    return {die: np.array(thrown) for die, thrown in faces.items()}


def test_b1_watching_chi2_accuses_fair_dice_and_watching_e_does_not() -> None:
    # 300 fair dice of 5,000 throws looked at every 10: about 17 % red lights (4 sd = 8.7 %) against at most 1 % (+ 2 %)
    rng = np.random.default_rng(101)
    counts = rng.multinomial(10, FAIR, size=(300, 500)).cumsum(axis=1)
    looks = pearson_statistic(counts.astype(np.float64), FAIR)
    assert np.mean((looks > 15.086).any(axis=1)) == pytest.approx(0.17, abs=0.087)
    evidence = log10_evalue(face_battery(), counts[:, ::4])
    assert np.mean((evidence >= 2.0).any(axis=1)) <= 0.03
    # a fixed-n p is shown only at the n fixed beforehand
    with pytest.raises(PlanError, match="planned"):
        judge(plan_by_throws("load", 1000), 1010, -3.0)


def test_b3_many_dice_flag_the_same_three_robots() -> None:
    dice = robots()
    counts = np.array([np.bincount(faces, minlength=7)[1:] for faces in dice.values()])
    logs = [pearson(row).log10_pvalue for row in counts]
    names = np.array(list(dice))
    by_holm = set(names[holm(logs) <= -2.0])
    assert set(names[benjamini_hochberg(logs) <= -2.0]) == by_holm
    assert set(names[e_benjamini_hochberg(log10_evalue(face_battery(), counts), 0.01)]) == by_holm
    assert len(by_holm) == 3
    assert sum("crystal" in name for name in by_holm) == 1
    assert sum("skew" in name for name in by_holm) == 2


def test_b4_alpha_is_the_share_of_fair_dice_called_biased() -> None:
    # the rule "from the 90 % point" calls 10 % of fair dice biased (9.6 % at n = 60); alpha 1 % calls 1 %
    samples = np.random.default_rng(104).multinomial(60, FAIR, size=4000).astype(np.float64)
    statistics = pearson_statistic(samples, FAIR)
    assert np.mean(statistics > 9.236) == pytest.approx(0.096, abs=0.019)
    plan = plan_by_throws("load", 60)
    verdicts = [judge(plan, 60, pearson(s.astype(int)).log10_pvalue) for s in samples[:1000]]
    assert verdicts.count("crooked") / 1000 <= 0.01 + 4 * math.sqrt(0.01 * 0.99 / 1000)


def test_b5_a_small_chi2_is_no_fault_of_the_die() -> None:
    even = [100, 101, 99, 100, 100, 100]
    assert pearson(even).pvalue > 0.99
    assert judge(plan_by_throws("load", 600), 600, pearson(even).log10_pvalue) == "not_shown"


def test_b6_counts_that_are_too_even_accuse_the_log() -> None:
    result = too_even([1000, 1001, 999, 1000, 1000, 1000])
    assert result.pvalue == pytest.approx(9.5e-9, rel=0.005)
    assert result.test == "too_even"


def test_b7_greatest_contrast_has_its_own_law() -> None:
    assert max_contrast_critical(0.01) == pytest.approx(3.167, abs=0.005)
    # measured at n = 600 on 20,000 fair dice: 1 %, a little less as counts are whole (4 sd), while
    # "worst |z| >= 2.5" rejects far more
    samples = np.random.default_rng(107).multinomial(600, FAIR, size=20_000)
    greatest = exact_contrasts(samples).max(axis=1)
    assert np.mean(greatest >= max_contrast_critical(0.01)) == pytest.approx(0.0095, abs=4 * 0.0007)
    z = (samples - 100) / math.sqrt(600 * 5 / 36)
    assert np.mean(np.abs(z).max(axis=1) >= 2.5) == pytest.approx(0.076, abs=4 * 0.0019)


def test_b10_flats_with_a_mean_of_three_and_a_half_are_found_by_counts() -> None:
    flats = [250, 125, 125, 125, 125, 250]
    assert sum(face * count for face, count in enumerate(flats, start=1)) / 1000 == 3.5
    assert pearson(flats).log10_pvalue < -10
    assert directed(flats).attack == "flats"


def test_b9_band_of_the_mean_of_two_dice_narrows_with_n() -> None:
    # 7 +- 0.25 is left by 80 % of the means of 6 throws: 70.5 <= total <= 73.5 is no band for twelve dice
    few = total_band(12, coverage=0.99)
    many = total_band(200, coverage=0.99)
    assert (few[0] / 6, few[1] / 6) == pytest.approx((4.5, 9.5), abs=0.34)
    assert (many[0] / 100, many[1] / 100) == pytest.approx((7 - 0.62, 7 + 0.62), abs=0.02)
    law = total_law(12)
    assert 1 - law[41 - 12 : 43 - 12 + 1].sum() == pytest.approx(0.80, abs=0.01)


def test_b12_totals_of_forty_dice_are_shown_with_their_band() -> None:
    law = total_law(40)
    assert math.sqrt(40 * 35 / 12) == pytest.approx(10.8, abs=0.01)
    assert law[120 - 40 : 165 - 40 + 1].sum() == pytest.approx(0.96, abs=0.005)
    low, high = total_band(40, coverage=0.96)
    assert low >= 117
    assert high <= 163


def test_b13_not_shown_says_what_would_have_been_missed() -> None:
    # the lead-filled die: chi2 6.7, p 0.24 at 200 throws
    with (DATA / "small_count_sets.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if sum(map(int, [row["count"]])) and "lead" in row["set_id"]]
    counts = [int(row["count"]) for row in rows]
    result = pearson(counts)
    assert result.n == 200
    assert result.statistic == pytest.approx(6.7, abs=0.05)
    assert result.pvalue == pytest.approx(0.2439, abs=0.0005)
    assert judge(plan_by_throws("load", 200), 200, result.log10_pvalue) == "not_shown"
    sentence = what_was_not_seen(200)
    assert "200 throws" in sentence
    assert "0.13" in sentence


def test_b16_repeats_of_a_loaded_die_are_judged_by_its_own_margins() -> None:
    dice = robots()
    orange = next(faces for die, faces in dice.items() if "orange" in die and "crystal" in die)
    counts = np.bincount(orange, minlength=7)[1:]
    repeated = int((orange[1:] == orange[:-1]).sum())
    assert counts.max() / counts.sum() == pytest.approx(0.24, abs=0.01)
    # against 1/6 the exact binomial test, two-sided in the row, accuses the die of a memory that it has not
    n = orange.size - 1
    assert binomtest(repeated, n, 1 / 6).pvalue == pytest.approx(0.0017, abs=0.0001)
    assert repeats_fair(repeated, n).pvalue == pytest.approx(
        binomtest(repeated, n, 1 / 6, alternative="greater").pvalue, rel=1e-9
    )
    table = transitions(orange)
    assert transition_test(table).pvalue == pytest.approx(0.35, abs=0.01)
    assert repeats(counts, repeated).pvalue > 0.04
    assert float(lock_log10_evalue(table, "repeats", None)) < 0.0


def test_b17_overlapping_pairs_are_tested_by_the_difference_on_30_df() -> None:
    # 3,000 fair streams of 2,000: the difference rejects 1 % + 4 sd
    rng = np.random.default_rng(117)
    pvalues = [serial_test(rng.integers(1, 7, 2000)).pvalue for _ in range(1500)]
    assert np.mean(np.array(pvalues) <= 0.01) <= 0.01 + 4 * math.sqrt(0.01 * 0.99 / 1500)
    assert serial_test(rng.integers(1, 7, 2000)).df == 30


def test_b18_faces_in_turn_pass_as_faces_and_fail_as_order() -> None:
    faces = np.tile([1, 2, 3, 4, 5, 6], 100)
    assert pearson(np.bincount(faces, minlength=7)[1:]).pvalue == 1.0
    result = transition_test(transitions(faces))
    assert (result.statistic, result.df) == (pytest.approx(2995.0, abs=0.5), 25)
    assert int((faces[1:] == faces[:-1]).sum()) == 0


def test_b19_two_crooked_dice_that_cancel_are_found_apart() -> None:
    a, b = [200, 200, 200, 200, 160, 240], [200, 200, 200, 200, 240, 160]
    assert pearson(np.add(a, b)).statistic == pytest.approx(0.0, abs=1e-12)
    for die in (a, b):
        assert pearson(die).statistic == pytest.approx(16.0, rel=1e-12)
        assert pearson(die).pvalue == pytest.approx(0.0068, abs=5e-5)
    both = homogeneity([a, b])
    assert (both.statistic, both.df) == (pytest.approx(32.0, rel=1e-12), 5)
    assert both.pvalue == pytest.approx(5.9e-6, rel=0.01)


def test_b20_box_is_a_factor() -> None:
    # 1-or-6 share in jars 402 of 1,200, in the open box 121 of 300; the jar-against-box contrast, picked afterwards
    result = homogeneity([[402, 798], [121, 179]])
    assert result.pvalue == pytest.approx(0.026, abs=0.001)


def test_b24_running_e_keeps_its_maximum_and_p_is_monotone() -> None:
    evidence, seen = Evidence(), []
    path = face_path(face_battery(), np.r_[np.full(30, 6), np.random.default_rng(124).integers(1, 6, 300)])
    for value in path:
        evidence = evidence.then(float(value))
        seen.append(evidence.log10_pvalue)
    assert seen == sorted(seen, reverse=True)
    assert evidence.log10_pvalue < -2.0


def test_b26_work_lists_take_current_e() -> None:
    # ten dice whose e once stood at 1,000 and is 1 now: e-BH on current values lists nobody
    once, now = np.full(10, 3.0), np.zeros(10)
    assert e_benjamini_hochberg(once, 0.01).all()
    assert not e_benjamini_hochberg(now, 0.01).any()


def test_b23_what_made_somebody_look_is_left_out_and_the_rest_decides() -> None:
    # twenty sixes on end, then a fair die: with the streak the evidence is huge, without it there is none
    faces = np.concatenate((np.full(20, 6), np.random.default_rng(23).integers(1, 7, 400)))
    minute = 60_000_000
    log = observations(faces, die="d", at=np.arange(420) * minute)
    assert audit(log).verdict is Verdict.CROOKED
    for start in (20, datetime(1970, 1, 1, 0, 20, tzinfo=UTC)):
        found = audit(log, start=start)
        assert (found.verdict, found.throws, found.missing) == (Verdict.NOT_SHOWN, 400, 0)
        assert found.notes == (f"20 rows from before the start, {start}, were left out",)
    with pytest.raises(LaboratoryError, match="start must name its time zone"):
        audit(log, start=datetime(1970, 1, 1, 0, 20))  # noqa: DTZ001
    with pytest.raises(LaboratoryError, match="start must be the number of a throw"):
        audit(observations(faces), start=datetime(1970, 1, 1, 0, 20, tzinfo=UTC))
