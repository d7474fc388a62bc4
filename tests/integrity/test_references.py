"""Reference results on real dice by two routes (T6): ours, and the definitions in fractions and plain loops.

Chi-square and G to 1e-9 relative, exact p to 1e-9, log10 e to 1e-4, published figures as printed.
"""

import csv
import math
from collections import defaultdict
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from integrity.fit import g_test, pearson, too_even
from integrity.homogeneity import homogeneity
from integrity.sequential import SHARES, SIZES, TOTALS, face_battery, log10_evalue
from integrity.tails import chi2_tail
from integrity.totals import total_law

DATA = Path(__file__).parents[1] / "data"


def column(name: str, key: str, value: str) -> dict[str, list[int]]:
    """Read counts by a key."""
    found: dict[str, list[int]] = defaultdict(list)
    with (DATA / name).open() as file:
        for row in csv.DictReader(file):
            found[row[key] if key else ""].append(int(row[value]))
    return found


SETS = column("small_count_sets.csv", "set_id", "count")
WOLF = column("wolf_marginals.csv", "die", "count")
LABBY = column("labby_faces.csv", "", "count_rounded_from_frequency")[""]
ALL = {**SETS, **WOLF, "labby": LABBY, "streak": [20_000, 0, 0, 0, 0, 0], "gap": [0, 10, 10, 10, 10, 20]}


@pytest.mark.parametrize("name", ALL)
def test_chi2_and_g_agree_with_fractions(name: str) -> None:
    counts, n = ALL[name], sum(ALL[name])
    chi2 = Fraction(6 * sum(c * c for c in counts), n) - n
    g = 2 * math.fsum(c * (math.log(6 * c) - math.log(n)) for c in counts if c)
    assert pearson(counts, law="asymptotic").statistic == pytest.approx(float(chi2), rel=1e-9)
    assert g_test(counts, law="asymptotic").statistic == pytest.approx(g, rel=1e-9)


def upper_tail_of_odd_degrees(statistic: float, df: int) -> float:
    """Chi-square tail of odd df by its finite series: erfc and powers (Abramowitz, Stegun 26.4.4)."""
    x = math.sqrt(statistic)
    term, total = x, x if df > 1 else 0.0
    for k in range(3, df - 1, 2):
        term *= statistic / k
        total += term
    return math.erfc(x / math.sqrt(2)) + math.sqrt(2 / math.pi) * math.exp(-statistic / 2) * total


@pytest.mark.parametrize("name", [name for name in ALL if name != "streak"])
def test_p_agrees_with_the_finite_series_of_five_degrees(name: str) -> None:
    result = pearson(ALL[name], law="asymptotic")
    assert result.pvalue == pytest.approx(upper_tail_of_odd_degrees(result.statistic, 5), rel=1e-9)


def test_published_figures_come_out_as_printed() -> None:
    assert pearson(SETS["lead_die_200"]).statistic == pytest.approx(6.7, abs=0.005)
    assert pearson(SETS["lead_die_200"]).pvalue == pytest.approx(0.2439, abs=5e-5)
    assert pearson(SETS["wet_wood_dice_4132"]).pvalue == pytest.approx(7e-6, abs=5e-7)
    assert pearson(SETS["wood_die_121"]).pvalue == pytest.approx(0.5, abs=0.15)
    # counts rebuilt from four decimals, each +-16: the paper's 25.0 lies within
    assert pearson(LABBY).statistic == pytest.approx(25.0, abs=0.5)
    totals = [525, 943, 1484, 1864, 2418, 2934, 2454, 1948, 1490, 1005, 483]
    assert totals == column("software_2d6_sums.csv", "", "count")[""]
    software = pearson(totals, tuple(total_law(2).tolist()))
    assert (software.df, software.statistic) == (10, pytest.approx(9.82, abs=0.005))


def test_wolfs_dice_deviate_as_jaynes_reports() -> None:
    with (DATA / "wolf_joint.csv").open() as file:
        joint = np.array([int(row["count"]) for row in csv.DictReader(file)])
    assert math.sqrt(np.mean((joint - 20_000 / 36) ** 2)) == pytest.approx(76.87, abs=0.005)
    shares = np.array(WOLF["white"]) / 20_000
    assert math.log(6) + float(shares @ np.log(shares)) == pytest.approx(0.006769, abs=5e-7)
    # the same gap is G / 2n
    assert g_test(WOLF["white"]).statistic / 40_000 == pytest.approx(0.006769, abs=5e-7)
    # red and white together: order and togetherness are another matter than their faces
    assert homogeneity(joint.reshape(6, 6)).df == 25


def test_exact_p_agrees_with_the_sum_over_all_outcomes_in_fractions() -> None:
    for counts in ([4, 3, 2, 1, 0, 2], [0, 0, 6, 4, 1, 1], [0, 0, 0, 0, 0, 12]):
        n, seen = sum(counts), sum(c * c for c in counts)
        upper = lower = 0
        for five in product(range(n + 1), repeat=5):
            last = n - sum(five)
            if last < 0:
                continue
            outcome = (*five, last)
            ways = math.factorial(n) // math.prod(math.factorial(c) for c in outcome)
            squares = sum(c * c for c in outcome)
            upper += ways if squares >= seen else 0
            lower += ways if squares <= seen else 0
        assert pearson(counts, law="exact").pvalue == pytest.approx(float(Fraction(upper, 6**n)), rel=1e-9)
        assert too_even(counts).pvalue == pytest.approx(float(Fraction(lower, 6**n)), rel=1e-9)


def log_e_by_the_book(counts: list[int]) -> float:
    """The battery again, component by component in plain loops, from the sizes, totals and shares alone."""
    sixth, axes = 1 / 6, ((1, 6), (2, 5), (3, 4))
    laws: dict[str, list[list[float]]] = {name: [] for name in SHARES}
    for face in range(1, 7):
        for size in SIZES:
            laws["load"].append([sixth + size if f == face else sixth - size / 5 for f in range(1, 7)])
            if size < sixth:
                moved = {face: size, 7 - face: -size}
                laws["tilt"].append([sixth + moved.get(f, 0.0) for f in range(1, 7)])
        laws["missing"].append([0.0 if f == face else 1 / 5 for f in range(1, 7)])
        for lacking in set(range(1, 7)) - {face}:
            weights = {face: 2 / 6, lacking: 0.0}
            laws["doubled"].append([weights.get(f, sixth) for f in range(1, 7)])
    for axis in axes:
        for size in SIZES:
            laws["flats"].append([sixth + size / 2 if f in axis else sixth - size / 4 for f in range(1, 7)])
    for trio in {frozenset(t) for t in product(range(1, 7), repeat=3) if len(set(t)) == 3}:
        laws["few_faces"].append([1 / 3 if f in trio else 0.0 for f in range(1, 7)])
    logs = []
    for name, of in laws.items():
        for law in of:
            if all(p > 0 for p, c in zip(law, counts, strict=True) if c):
                value = math.fsum(c * math.log(6 * p) for p, c in zip(law, counts, strict=True) if c)
                logs.append(math.log(SHARES[name] / len(of)) + value)
    n = sum(counts)
    for total in TOTALS:
        cells = math.fsum(math.lgamma(total / 6 + c) - math.lgamma(total / 6) + c * math.log(6) for c in counts)
        value = math.lgamma(total) - math.lgamma(total + n) + cells
        logs.append(math.log(SHARES["any"] / len(TOTALS)) + value)
    top = max(logs)
    return top + math.log(math.fsum(math.exp(value - top) for value in logs))


@pytest.mark.parametrize("name", ALL)
def test_log10_e_agrees_with_plain_loops(name: str) -> None:
    expected = log_e_by_the_book(ALL[name]) / math.log(10)
    assert float(log10_evalue(face_battery(), ALL[name])) == pytest.approx(expected, abs=1e-4)


def test_log10_p_is_finite_at_the_reference() -> None:
    assert chi2_tail(100_000.0, 5)[1] == pytest.approx(-21_707.80, abs=0.005)
    assert pearson(ALL["streak"]).log10_pvalue == pytest.approx(-21_707.80, abs=0.005)
