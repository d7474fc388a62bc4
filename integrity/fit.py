"""Does one die fit its null law: Pearson, G, the exact laws for few throws, Monte Carlo, and "too even".

Counts are whole numbers, one a face, in the order of the faces; null probabilities are an argument. Degrees of freedom
come from the type of the die, never from the faces that happened to show.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.tails import chi2_lower_tail, chi2_tail

FAIR_D6: Final = (1 / 6,) * 6
FEW_EXPECTED: Final = 5.0
"""Below this expected count in any cell the asymptotic law is not used where an exact one can be had."""
EXACT_PEARSON_MAX_THROWS: Final = 121
EXACT_MAX_OUTCOMES: Final = 1_100_000
"""Outcomes that an enumeration holds at most; six faces reach it at n = 38."""

Law = Literal["auto", "exact", "asymptotic", "monte carlo"]
Statistic = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Result:
    """What one fixed-sample test found, with what it was given.

    Attributes
    ----------
    test
        Name of the test.
    statistic, df
        Undefined (None) where there is no data; `df` is None for laws without degrees of freedom.
    pvalue, log10_pvalue
        None where there is no data; `log10_pvalue` is always finite, `pvalue` may underflow to 0.
    law
        "exact", "monte carlo (B=...)", "asymptotic" or "no data".
    n
        Number of observations that entered the test.
    observed, null
        The inputs, flattened; `null` is empty where the margins were estimated.
    """

    test: str
    statistic: float | None
    df: int | None
    pvalue: float | None
    log10_pvalue: float | None
    law: str
    n: int
    observed: tuple[int, ...]
    null: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.pvalue is not None:
            assert 0.0 <= self.pvalue <= 1.0, f"pvalue outside [0, 1]: {self.pvalue}"
            assert self.log10_pvalue is not None
            assert math.isfinite(self.log10_pvalue)


def result_of(
    test: str,
    statistic: float,
    df: int | None,
    tail: tuple[float, float],
    law: str,
    *,
    n: int,
    observed: NDArray[np.int64],
    null: Sequence[float] = (),
) -> Result:
    """Build a Result from (p, log10 p); a p that rounding pushed just above 1 is 1, anything else outside is a bug."""
    if not math.isfinite(statistic):
        raise LaboratoryError(f"{test}: statistic must be finite, got {statistic}")
    pvalue = 1.0 if 1.0 < tail[0] <= 1.0 + 1e-9 else tail[0]
    return Result(
        test, statistic, df, pvalue, min(tail[1], 0.0), law, n, tuple(int(c) for c in observed.ravel()), tuple(null)
    )


def no_data(test: str, observed: NDArray[np.int64], null: Sequence[float] = ()) -> Result:
    """Build the Result of a test without throws: no statistic, no p."""
    return Result(test, None, None, None, None, "no data", 0, tuple(int(c) for c in observed.ravel()), tuple(null))


def whole_counts(values: ArrayLike, n: int | None = None) -> NDArray[np.int64]:
    """Return `values` as int64 counts, any shape, or refuse what cannot be counts.

    Parameters
    ----------
    values
        Counts. Floating numbers are taken if they are whole and do not look like shares.
    n
        The stated total, if known: it must agree, and settles whether floating numbers that add to 1 or 100 are counts.

    Raises
    ------
    LaboratoryError
        NaN, negative or fractional values; floating numbers that add to about 1 or 100 with no `n`; another total.
    """
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise LaboratoryError(f"counts must be whole numbers, got {array.dtype}")
    if not np.all(np.isfinite(array)):
        raise LaboratoryError("counts must be whole numbers, got NaN or infinity")
    total = float(array.sum())
    if array.dtype.kind == "f":
        if n is None and array.size > 1 and (abs(total - 1) <= 0.02 or abs(total - 100) <= 1.0):
            raise LaboratoryError(
                f"counts must be whole numbers of throws, got shares or percentages that add to {total:g}"
            )
        if np.any(array != np.rint(array)):
            raise LaboratoryError("counts must be whole numbers, got fractions (are these shares or percentages?)")
    if np.any(array < 0):
        raise LaboratoryError(f"counts must be at least 0, got {array.min()}")
    if n is not None and total != n:
        raise LaboratoryError(f"counts must add to the stated n = {n}, got {total:g}")
    return array.astype(np.int64)


def null_law(null: Sequence[float], faces: int) -> NDArray[np.float64]:
    """Return the null probabilities as an array that adds to 1.

    They must be positive and add to 1 within 1e-9 (six times 1/6 does not add to 1 exactly); they are renormalised.
    """
    law = np.asarray(null, dtype=np.float64)
    if law.shape != (faces,):
        raise LaboratoryError(f"null must have one probability for each of {faces} faces, got {law.size}")
    if not np.all(law > 0.0) or not abs(float(law.sum()) - 1.0) <= 1e-9:
        raise LaboratoryError(f"null must be positive and add to 1 within 1e-9, got a total of {law.sum():.12g}")
    scaled: NDArray[np.float64] = law / law.sum()
    return scaled


def _one_die(counts: ArrayLike, null: Sequence[float], n: int | None) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    observed = whole_counts(counts, n)
    if observed.ndim != 1 or observed.size < 2:
        raise LaboratoryError(f"counts must be one number for each face, got shape {observed.shape}")
    return observed, null_law(null, observed.size)


def pearson_statistic(counts: NDArray[np.float64], law: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sum (x - np)^2 / (np) over the last axis; counts shape (..., faces)."""
    expected = counts.sum(axis=-1, keepdims=True) * law
    statistic: NDArray[np.float64] = np.sum((counts - expected) ** 2 / expected, axis=-1)
    return statistic


def g_statistic(counts: NDArray[np.float64], law: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 2 sum x ln(x / (np)) over the last axis, a zero cell counting 0; counts shape (..., faces)."""
    expected = counts.sum(axis=-1, keepdims=True) * law
    # sum(x - np) is 0: adding it keeps every term non-negative (Cressie and Read 1984) and the sum exact near 0
    statistic: NDArray[np.float64] = 2.0 * np.sum(special.xlogy(counts, counts / expected) - counts + expected, axis=-1)
    return np.maximum(statistic, 0.0)


def pearson(
    counts: ArrayLike,
    null: Sequence[float] = FAIR_D6,
    *,
    n: int | None = None,
    law: Law = "auto",
    draws: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Result:
    """Test fit by Pearson's chi-square.

    Parameters
    ----------
    counts
        Counts by face.
    null
        Null probabilities by face.
    n
        The stated number of throws, checked against the counts.
    law
        "auto" takes the exact law where an expected count is below 5 and the law can be had, Monte Carlo where it
        cannot and `rng` is given, else the asymptotic law. The law used is in the result.
    draws, rng
        Size and source of Monte Carlo.

    Notes
    -----
    Exact law for equal probabilities: dynamic programming on (sum, sum of squares), up to 121 throws; for other nulls
    all outcomes are listed while there are at most 1.1 million.

    >>> result = pearson([0, 0, 0, 0, 0, 12])
    >>> result.law, f"{result.pvalue:.3e}"
    ('exact', '2.756e-09')
    """
    return _fit("pearson", pearson_statistic, counts, null, n=n, law=law, draws=draws, rng=rng)


def g_test(
    counts: ArrayLike,
    null: Sequence[float] = FAIR_D6,
    *,
    n: int | None = None,
    law: Law = "auto",
    draws: int = 9_999,
    rng: np.random.Generator | None = None,
) -> Result:
    """Test fit by the likelihood ratio G; arguments as for `pearson`.

    The exact law lists all outcomes: up to 38 throws of a d6.

    >>> f"{g_test([0, 10, 10, 10, 10, 20]).statistic:.4f}"
    '27.7259'
    """
    return _fit("g", g_statistic, counts, null, n=n, law=law, draws=draws, rng=rng)


def _fit(
    test: str,
    statistic: Statistic,
    counts: ArrayLike,
    null: Sequence[float],
    *,
    n: int | None,
    law: Law,
    draws: int,
    rng: np.random.Generator | None,
) -> Result:
    observed, probabilities = _one_die(counts, null, n)
    throws, df = int(observed.sum()), observed.size - 1
    if throws == 0:
        return no_data(test, observed, null)
    value = float(statistic(observed.astype(np.float64), probabilities))
    equal = bool(np.all(probabilities == probabilities[0]))
    by_squares = test == "pearson" and equal and throws <= EXACT_PEARSON_MAX_THROWS
    listable = math.comb(throws + df, df) <= EXACT_MAX_OUTCOMES
    few = throws * float(probabilities.min()) < FEW_EXPECTED
    if law == "auto":
        law = (
            "exact" if few and (by_squares or listable) else "monte carlo" if few and rng is not None else "asymptotic"
        )
    if law == "exact":
        if by_squares:
            tail = _exact_pearson_tail(observed)
        elif listable:
            tail = _listed_tail(observed, probabilities, statistic)
        else:
            raise LaboratoryError(f"n must be small enough for the exact law of {test}, got {throws}")
        return result_of(test, value, df, tail, "exact", n=throws, observed=observed, null=null)
    if law == "monte carlo":
        if rng is None:
            raise LaboratoryError("rng must be given for a Monte Carlo law, got None")
        pvalue = monte_carlo_pvalue(value, statistic(multinomial(throws, probabilities, draws, rng), probabilities))
        tail = (pvalue, math.log10(pvalue))
        return result_of(test, value, df, tail, f"monte carlo (B={draws})", n=throws, observed=observed, null=null)
    return result_of(test, value, df, chi2_tail(value, df), "asymptotic", n=throws, observed=observed, null=null)


def too_even(counts: ArrayLike, null: Sequence[float] = FAIR_D6, *, n: int | None = None) -> Result:
    """Test for counts that are closer to expectation than chance brings them: an invented or quota-filled log.

    The p-value is the left tail of Pearson's statistic, exact up to 60 throws of a fair die. It accuses the log, never
    the die.

    >>> f"{too_even([1000, 1001, 999, 1000, 1000, 1000]).pvalue:.1e}"
    '9.5e-09'
    """
    observed, probabilities = _one_die(counts, null, n)
    throws, df = int(observed.sum()), observed.size - 1
    if throws == 0:
        return no_data("too_even", observed, null)
    value = float(pearson_statistic(observed.astype(np.float64), probabilities))
    if throws <= 60 and bool(np.all(probabilities == probabilities[0])):
        squares, weights = sum_of_squares_law(throws, observed.size)
        pvalue = float(weights[squares <= int(np.sum(observed**2))].sum())
        return result_of(
            "too_even", value, df, (pvalue, math.log10(pvalue)), "exact", n=throws, observed=observed, null=null
        )
    return result_of(
        "too_even", value, df, chi2_lower_tail(value, df), "asymptotic", n=throws, observed=observed, null=null
    )


def exact_multinomial(counts: ArrayLike, null: Sequence[float] = FAIR_D6, *, n: int | None = None) -> Result:
    """Test fit by the total probability of the outcomes that are no likelier than the one seen.

    The statistic is ln P(seen).
    All C(n + k - 1, k - 1) outcomes are listed: at most 38 throws of a d6. Raises LaboratoryError beyond.
    """
    observed, probabilities = _one_die(counts, null, n)
    throws, df = int(observed.sum()), observed.size - 1
    if throws == 0:
        return no_data("exact_multinomial", observed, null)
    if math.comb(throws + df, df) > EXACT_MAX_OUTCOMES:
        raise LaboratoryError(f"n must be small enough to list all outcomes, got {throws}")
    outcomes = all_outcomes(throws, observed.size)
    log_chances = _log_multinomial(outcomes, probabilities)
    seen = float(_log_multinomial(observed.astype(np.float64)[None, :], probabilities)[0])
    # outcomes that tie differ in the last digits of their logarithms only
    pvalue = float(np.exp(log_chances[log_chances <= seen + 1e-9]).sum())
    return result_of(
        "exact_multinomial", seen, None, (pvalue, math.log10(pvalue)), "exact", n=throws, observed=observed, null=null
    )


def monte_carlo_pvalue(statistic: float, simulated: NDArray[np.float64]) -> float:
    """Return (r + 1) / (B + 1), r the simulated statistics at least as large: never 0 (Phipson and Smyth 2010)."""
    tolerance = 1e-9 * max(1.0, abs(statistic))
    return (int(np.count_nonzero(simulated >= statistic - tolerance)) + 1) / (simulated.size + 1)


def multinomial(throws: int, law: NDArray[np.float64], draws: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw counts of `throws` throws, shape (draws, faces)."""
    return rng.multinomial(throws, law, size=draws).astype(np.float64)


def all_outcomes(throws: int, faces: int) -> NDArray[np.float64]:
    """List all counts of `throws` throws, shape (C(throws + faces - 1, faces - 1), faces)."""
    rows = np.arange(throws + 1, dtype=np.int64)[:, None]
    for _ in range(faces - 2):
        left = throws - rows.sum(axis=1)
        repeats = left + 1
        starts = np.repeat(np.cumsum(repeats) - repeats, repeats)
        nexts = np.arange(int(repeats.sum()), dtype=np.int64) - starts
        rows = np.column_stack([np.repeat(rows, repeats, axis=0), nexts])
    return np.column_stack([rows, throws - rows.sum(axis=1)]).astype(np.float64)


def _log_multinomial(counts: NDArray[np.float64], law: NDArray[np.float64]) -> NDArray[np.float64]:
    n = counts[0].sum()
    logs: NDArray[np.float64] = (
        special.gammaln(n + 1) - special.gammaln(counts + 1).sum(axis=-1) + special.xlogy(counts, law).sum(axis=-1)
    )
    return logs


def _listed_tail(observed: NDArray[np.int64], law: NDArray[np.float64], statistic: Statistic) -> tuple[float, float]:
    outcomes = all_outcomes(int(observed.sum()), observed.size)
    values = statistic(outcomes, law)
    seen = float(statistic(observed.astype(np.float64), law))
    chances = np.exp(_log_multinomial(outcomes[values >= seen - 1e-9 * max(1.0, seen)], law))
    pvalue = float(np.sort(chances).sum())
    return pvalue, math.log10(pvalue)


def _exact_pearson_tail(observed: NDArray[np.int64]) -> tuple[float, float]:
    squares, weights = sum_of_squares_law(int(observed.sum()), observed.size)
    pvalue = float(weights[squares >= int(np.sum(observed**2))].sum())
    return pvalue, math.log10(pvalue)


@lru_cache(maxsize=64)
def sum_of_squares_law(throws: int, faces: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the exact law of sum x^2 for equal faces, as (values, probabilities), by dynamic programming.

    `weights[s, q]` sums prod 1 / x_i! over the faces done so far with sum x = s and (sum x^2 - sum x) / 2 = q; all
    terms are positive, so that the smallest tail keeps its relative accuracy.
    """
    tops = throws * (throws - 1) // 2
    inverse = np.exp(-special.gammaln(np.arange(throws + 1) + 1.0))
    weights = np.zeros((throws + 1, tops + 1))
    for x in range(throws + 1):
        weights[x, x * (x - 1) // 2] = inverse[x]
    for face in range(1, faces):
        grown = np.zeros_like(weights)
        last = face == faces - 1
        for x in range(throws + 1):
            q = x * (x - 1) // 2
            if last:
                grown[throws, q:] += inverse[x] * weights[throws - x, : tops + 1 - q]
            else:
                reach = (throws - x) * (throws - x - 1) // 2 + 1
                grown[x:, q : q + reach] += inverse[x] * weights[: throws + 1 - x, :reach]
        weights = grown
    scale = math.exp(float(special.gammaln(throws + 1)) - throws * math.log(faces))
    return 2 * np.arange(tops + 1, dtype=np.int64) + throws, weights[throws] * scale
