"""Many subjects at once: whom to accuse (Holm), whom to look at (BH, e-BH), and how evidence adds up.

Everything works on logarithms, so that no evidence is lost to underflow; "adjusted" values are log10 of p.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrity.errors import LaboratoryError
from integrity.tails import LN10


def _vector(values: ArrayLike, name: str) -> NDArray[np.float64]:
    vector = np.asarray(values, dtype=np.float64)
    if vector.ndim != 1 or np.any(np.isnan(vector)):
        raise LaboratoryError(f"{name} must be a row of numbers without NaN, got shape {vector.shape}")
    return vector


def _log10_pvalues(values: ArrayLike) -> NDArray[np.float64]:
    vector = _vector(values, "log10_pvalues")
    if np.any(vector > 0.0):
        raise LaboratoryError(f"log10_pvalues must be at most 0, got {vector.max()}")
    return vector


def holm(log10_pvalues: ArrayLike, weights: ArrayLike | None = None) -> NDArray[np.float64]:
    """Return Holm's adjusted p-values as log10; accuse those at most log10(alpha) (family-wise error, any dependence).

    Parameters
    ----------
    log10_pvalues
        For watched streams give `anytime_log10_pvalue` of the running maxima.
    weights
        Shares of alpha, positive; equal if not given. Whoever is accused leaves its share to the others.

    Notes
    -----
    Source: Holm 1979.

    >>> [round(float(10**v), 3) for v in holm(np.log10([0.01, 0.04, 0.03]))]
    [0.03, 0.06, 0.06]
    """
    logs = _log10_pvalues(log10_pvalues)
    log_shares = np.log10(_shares(weights, logs.size))
    order = np.argsort(logs - log_shares, kind="stable")
    left = np.log10(np.cumsum(10.0 ** log_shares[order][::-1])[::-1])
    adjusted = np.empty_like(logs)
    adjusted[order] = np.minimum(np.maximum.accumulate(logs[order] - log_shares[order] + left), 0.0)
    return adjusted


def _shares(weights: ArrayLike | None, count: int) -> NDArray[np.float64]:
    """Return positive weights for `count` subjects, scaled to a mean of 1."""
    if weights is None:
        return np.ones(count)
    shares = _vector(weights, "weights")
    if shares.size != count or np.any(shares <= 0.0):
        raise LaboratoryError(f"weights must be {count} positive numbers, got {shares.size}")
    scaled: NDArray[np.float64] = shares * (count / shares.sum()) if count else shares
    return scaled


def benjamini_hochberg(log10_pvalues: ArrayLike) -> NDArray[np.float64]:
    """Return BH-adjusted p-values as log10 (false discovery rate, independent or positively dependent tests).

    Source: Benjamini, Hochberg 1995.

    >>> [round(float(10**v), 3) for v in benjamini_hochberg(np.log10([0.01, 0.04, 0.03]))]
    [0.03, 0.04, 0.04]
    """
    logs = _log10_pvalues(log10_pvalues)
    order = np.argsort(logs, kind="stable")
    count = logs.size
    ranks = np.arange(1, count + 1, dtype=np.float64)
    stepped = logs[order] + (math.log10(count) if count else 0.0) - np.log10(ranks)
    adjusted = np.empty_like(logs)
    adjusted[order] = np.minimum(np.minimum.accumulate(stepped[::-1])[::-1], 0.0)
    return adjusted


def e_benjamini_hochberg(
    log10_evalues: ArrayLike, alpha: float = 0.01, weights: ArrayLike | None = None
) -> NDArray[np.bool_]:
    """Mark the subjects of the work list: the k largest e-values with e_(k) >= m / (k alpha), any dependence.

    Parameters
    ----------
    log10_evalues
        Current values at one common time, never running maxima: those break the guarantee.
    alpha
        False discovery rate.
    weights
        Shares of the budget, positive; equal if not given.

    Notes
    -----
    Source: Wang, Ramdas 2022.
    """
    logs = _vector(log10_evalues, "log10_evalues")
    _check_alpha(alpha)
    if not logs.size:
        return np.zeros(0, dtype=np.bool_)
    logs = logs + np.log10(_shares(weights, logs.size))
    order = np.argsort(-logs, kind="stable")
    ranks = np.arange(1, logs.size + 1, dtype=np.float64)
    reached = np.flatnonzero(logs[order] + np.log10(ranks) >= math.log10(logs.size / alpha))
    marked = np.zeros(logs.size, dtype=np.bool_)
    if reached.size:
        marked[order[: int(reached[-1]) + 1]] = True
    return marked


def average_log10_evalue(log10_evalues: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return log10 of the weighted mean of e-values: an e-value under any dependence.

    Weights must not be negative and add to at most 1 (what is missing is kept as cash, e = 1); default equal weights.

    >>> round(average_log10_evalue([2.0, 0.0]), 4)
    1.7033
    """
    logs = _vector(log10_evalues, "log10_evalues")
    if not logs.size:
        return 0.0
    shares = np.full(logs.size, 1.0 / logs.size) if weights is None else _vector(weights, "weights")
    total = math.fsum(shares)
    if np.any(shares < 0.0) or total > 1.0 + 1e-9:
        raise LaboratoryError(f"weights must not be negative and add to at most 1, got a total of {total:g}")
    top = max(float(logs.max()), 0.0)
    cash = max(1.0 - total, 0.0) if weights is not None else 0.0
    mean = math.fsum(shares * 10.0 ** (logs - top)) + cash * 10.0**-top
    return top + math.log10(mean) if mean > 0.0 else float(logs.max())


def product_log10_evalue(log10_evalues: ArrayLike) -> float:
    """Return log10 of the product of e-values: an e-value if they come from independent throws."""
    return math.fsum(_vector(log10_evalues, "log10_evalues"))


def anytime_log10_pvalue(max_log10_evalue: ArrayLike) -> NDArray[np.float64]:
    """Return log10 of p = min(1, 1 / max e): valid at every stopping time and never rising again (Ville 1939)."""
    return np.minimum(-np.asarray(max_log10_evalue, dtype=np.float64), 0.0)


def log10_evalue_of_pvalue(log10_pvalue: float, kappa: float = 0.5) -> float:
    """Return log10 of the calibrated e-value kappa p^(kappa - 1), 0 < kappa < 1 (Vovk, Wang 2021).

    >>> round(log10_evalue_of_pvalue(-4.0), 4)
    1.699
    """
    if not 0.0 < kappa < 1.0:
        raise LaboratoryError(f"kappa must be between 0 and 1, got {kappa}")
    return math.log10(kappa) + (kappa - 1.0) * log10_pvalue


def shares_of_budget(weights: dict[str, float], alpha: float) -> dict[str, float]:
    """Return the log10 e at which each monitor of a pit alarms when they share one budget of false alarms.

    A monitor of weight w alarms at e >= 1 / (w alpha); the chance that any alarms falsely, ever, is at most alpha.

    Raises
    ------
    LaboratoryError
        Weights that are not positive or add to more than 1, or an alpha outside (0, 1).
    """
    _check_alpha(alpha)
    total = math.fsum(weights.values())
    if any(not weight > 0.0 for weight in weights.values()) or total > 1.0 + 1e-9:
        raise LaboratoryError(f"weights must be positive and add to at most 1, got a total of {total:g}")
    return {name: -math.log(weight * alpha) / LN10 for name, weight in weights.items()}


def _check_alpha(alpha: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise LaboratoryError(f"alpha must be between 0 and 1, got {alpha}")
