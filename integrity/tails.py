"""Tail probabilities as log10, finite however small: chi-square, normal, binomial and hypergeometric."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from integrity.errors import LaboratoryError

LN10: Final = math.log(10.0)


def chi2_tail(statistic: float, df: int) -> tuple[float, float]:
    """Return the upper tail of chi-square as (p, log10 p).

    Parameters
    ----------
    statistic
        Not negative; NaN is refused.
    df
        Degrees of freedom, at least 1.

    Notes
    -----
    Q(a, x) by `scipy.special.gammaincc` while it is a normal number; beyond that by the continued fraction
    of DLMF 8.9.2, whose leading factor x^a e^-x / Gamma(a) is kept as a logarithm.

    >>> round(chi2_tail(100_000.0, 5)[1], 2)
    -21707.8
    """
    if not statistic >= 0.0 or df < 1:
        raise LaboratoryError(f"statistic must be at least 0 and df at least 1, got {statistic} and {df}")
    half, shape = statistic / 2.0, df / 2.0
    tail = float(special.gammaincc(shape, half))
    if tail > 1e-290:
        return tail, math.log10(tail)
    lead = shape * math.log(half) - half - float(special.gammaln(shape))
    log10_tail = (lead + math.log(_upper_gamma_fraction(shape, half))) / LN10
    return 10.0**log10_tail if log10_tail > -300 else 0.0, log10_tail


def _upper_gamma_fraction(shape: float, x: float) -> float:
    """Evaluate Gamma(a, x) / (x^a e^-x) for x well above a, by Lentz's method (DLMF 8.9.2)."""
    b = x + 1.0 - shape
    c, d = 1e300, 1.0 / b
    value = d
    for i in range(1, 500):
        an = -i * (i - shape)
        b += 2.0
        d = 1.0 / (an * d + b)
        c = b + an / c
        step = d * c
        value *= step
        if abs(step - 1.0) < 1e-16:
            break
    return value


def chi2_lower_tail(statistic: float, df: int) -> tuple[float, float]:
    """Return the lower tail of chi-square as (p, log10 p): how seldom a fair source is this even."""
    if not statistic >= 0.0 or df < 1:
        raise LaboratoryError(f"statistic must be at least 0 and df at least 1, got {statistic} and {df}")
    half, shape = statistic / 2.0, df / 2.0
    tail = float(special.gammainc(shape, half))
    if tail > 1e-290:
        return tail, math.log10(tail)
    if half == 0.0:
        return 0.0, LOG10_SMALLEST
    log10_tail = (shape * math.log(half) - half - float(special.gammaln(shape + 1.0))) / LN10
    return 0.0, max(log10_tail, LOG10_SMALLEST)


LOG10_SMALLEST: Final = -1e9
"""Stands for the log10 of a probability that is exactly zero, so that no report carries an infinity."""


def normal_tail(z: float) -> tuple[float, float]:
    """Return P(Z >= z) of the standard normal as (p, log10 p)."""
    if math.isnan(z):
        raise LaboratoryError("z must be a number, got NaN")
    log_tail = float(special.log_ndtr(-z))
    return math.exp(log_tail), log_tail / LN10


def binomial_tail(successes: int, trials: int, probability: float) -> tuple[float, float]:
    """Return P(X >= successes) for X ~ Binomial(trials, probability) as (p, log10 p), exact.

    >>> binomial_tail(2, 2, 0.5)[0]
    0.25
    """
    if not 0 <= successes <= trials or not 0.0 < probability < 1.0:
        raise LaboratoryError(
            f"binomial_tail needs 0 <= successes <= trials and 0 < probability < 1, got {successes}, "
            f"{trials}, {probability}"
        )
    if successes == 0:
        return 1.0, 0.0
    tail = float(special.betainc(successes, trials - successes + 1, probability))
    if tail > 1e-290:
        return tail, math.log10(tail)
    log_first = (
        float(special.gammaln(trials + 1) - special.gammaln(successes + 1) - special.gammaln(trials - successes + 1))
        + successes * math.log(probability)
        + (trials - successes) * math.log1p(-probability)
    )
    term, total = 1.0, 1.0
    for k in range(successes, trials):
        term *= (trials - k) / (k + 1) * probability / (1.0 - probability)
        total += term
        if term < 1e-17 * total:
            break
    log10_tail = (log_first + math.log(total)) / LN10
    return 10.0**log10_tail if log10_tail > -300 else 0.0, log10_tail


def hypergeometric_tail(hits: int, draws: int, marked: int, total: int) -> float:
    """Return log10 of the chance of `hits` or more of the `marked` among `draws` of `total`, exact.

    Above the mode the chances fall faster than a geometric series: they are added as far as a double can tell.

    >>> round(10 ** hypergeometric_tail(2, 2, 3, 6), 12)
    0.2
    """

    def choose(n: int, k: NDArray[np.int64] | int) -> NDArray[np.float64]:
        return np.asarray(
            special.gammaln(n + 1) - special.gammaln(np.add(k, 1)) - special.gammaln(n - np.asarray(k) + 1)
        )

    most, others = min(draws, marked), total - marked
    low = max(hits, draws - others, 0)
    if low > most:
        return LOG10_SMALLEST
    ratio = (marked - low) * (draws - low) / ((low + 1) * (others - draws + low + 1))
    terms = most if ratio >= 1.0 else 2 + math.ceil(40.0 / -math.log(ratio)) if ratio > 0.0 else 1
    counts = np.arange(low, min(most, low + terms) + 1)
    logs = choose(marked, counts) + choose(others, draws - counts) - choose(total, draws)
    return min(float(np.logaddexp.reduce(logs)) / LN10, 0.0)
