"""Do counts depend on something that they must not depend on: box, shooter, slot, half of the log, size of the stakes?

Tables are subjects x faces. Dice come first: a table stratified by die compares boxes within each die only, so that a
loaded die that visits one box more often does not accuse the box, nor a crooked box its dice.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrity.errors import LaboratoryError
from integrity.fit import Result, monte_carlo_pvalue, no_data, result_of, whole_counts
from integrity.tails import chi2_tail


def homogeneity(
    table: ArrayLike, *, draws: int = 0, rng: np.random.Generator | None = None, test: str = "homogeneity"
) -> Result:
    """Test that all rows share one law, whatever it is.

    Parameters
    ----------
    table
        Counts, shape (subjects, faces). Rows and faces never seen are left out of the degrees of freedom, for they
        carry no information here (unlike in a test of fit).
    draws, rng
        If given, Monte Carlo with both margins fixed, which is exact for any table.
    test
        Name to report.

    Notes
    -----
    Pearson's chi-square on (r - 1)(c - 1) df, asymptotic unless drawn.
    """
    return stratified(np.asarray(table)[None, ...], draws=draws, rng=rng, test=test)


def stratified(
    tables: ArrayLike, *, draws: int = 0, rng: np.random.Generator | None = None, test: str = "stratified homogeneity"
) -> Result:
    """Test within every stratum (a die) that its rows (boxes, shooters, stake classes) share one law.

    Parameters
    ----------
    tables
        Counts, shape (strata, subjects, faces). Statistics and degrees of freedom of the strata add.
    draws, rng
        If given, Monte Carlo with all margins fixed.
    """
    counts = whole_counts(tables)
    if counts.ndim != 3:
        raise LaboratoryError(f"tables must have shape (strata, subjects, faces), got {counts.shape}")
    live = [cleaned for stratum in counts if min((cleaned := _nonempty(stratum)).shape) > 1]
    df = sum((stratum.shape[0] - 1) * (stratum.shape[1] - 1) for stratum in live)
    if df == 0:
        return no_data(test, counts)
    value = math.fsum(_independence(stratum) for stratum in live)
    n = sum(int(stratum.sum()) for stratum in live)
    if draws and rng is not None:
        drawn = np.zeros(draws)
        for stratum in live:
            drawn += [_independence(shuffled) for shuffled in _with_margins(stratum, draws, rng)]
        pvalue = monte_carlo_pvalue(value, drawn)
        tail = (pvalue, math.log10(pvalue))
        return result_of(test, value, df, tail, f"monte carlo (B={draws})", n=n, observed=counts)
    return result_of(test, value, df, chi2_tail(value, df), "asymptotic", n=n, observed=counts)


def _nonempty(table: NDArray[np.int64]) -> NDArray[np.int64]:
    kept: NDArray[np.int64] = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    return kept


def _independence(table: NDArray[np.int64]) -> float:
    """Return Pearson's chi-square of independence of a table without empty margins."""
    rows, columns = table.sum(axis=1, dtype=np.float64), table.sum(axis=0, dtype=np.float64)
    expected = np.outer(rows, columns) / rows.sum()
    return float(((table - expected) ** 2 / expected).sum())


def _with_margins(table: NDArray[np.int64], draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw tables with the margins of `table` under independence, shape (draws, rows, columns).

    Row after row takes its share of what is left of the columns (multivariate hypergeometric).
    """
    rows = table.sum(axis=1)
    drawn = np.empty((draws, *table.shape), dtype=np.int64)
    for sample in drawn:
        left = table.sum(axis=0)
        for row, size in zip(sample[:-1], rows[:-1], strict=True):
            row[:] = rng.multivariate_hypergeometric(left, int(size), method="marginals")
            left = left - row
        sample[-1] = left
    return drawn


def contrast_between(first: ArrayLike, second: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the differences of shares by face, first less second, and their standard errors.

    Describes what a homogeneity test found; not a test.
    """
    a, b = whole_counts(first), whole_counts(second)
    if a.shape != b.shape or a.ndim != 1 or not a.sum() or not b.sum():
        raise LaboratoryError(f"counts must be two rows of throws over the same faces, got {a.shape} and {b.shape}")
    p, q = a / a.sum(), b / b.sum()
    return p - q, np.sqrt(p * (1 - p) / a.sum() + q * (1 - q) / b.sum())


def stratum_statistics(tables: ArrayLike) -> NDArray[np.float64]:
    """Return chi-square and df of every stratum, shape (strata, 2): where the heterogeneity sits."""
    rows = []
    for stratum in whole_counts(tables):
        kept = _nonempty(stratum)
        df = max(kept.shape[0] - 1, 0) * max(kept.shape[1] - 1, 0)
        rows.append((_independence(kept) if df else 0.0, float(df)))
    return np.array(rows)
