"""Order and togetherness: transitions, the serial test, repeats under bias, pairs of dice, sevens, sorted throws.

Fixed-sample tests on 6 x 6 tables (previous, next) or (die, die) and on a few totals. The watched versions are in
`locks`.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, Result, no_data, null_law, result_of, whole_counts
from integrity.homogeneity import homogeneity
from integrity.sequential import face_codes
from integrity.tails import binomial_tail, chi2_tail, normal_tail


def transitions(faces: ArrayLike, faces_of_die: int = 6) -> NDArray[np.int64]:
    """Count (previous, next) in one stream of faces from 1: shape (faces, faces)."""
    codes = face_codes(faces, faces_of_die)
    table = np.zeros((faces_of_die, faces_of_die), dtype=np.int64)
    np.add.at(table, (codes[:-1], codes[1:]), 1)
    return table


def transition_test(table: ArrayLike, *, draws: int = 0, rng: np.random.Generator | None = None) -> Result:
    """Test that the next face does not depend on the previous one, whatever the margins: 25 df for a d6.

    Source: Bartlett 1951; Anderson, Goodman 1957. `table` is (previous, next).
    """
    return homogeneity(table, draws=draws, rng=rng, test="transitions")


def pair_test(table: ArrayLike, *, draws: int = 0, rng: np.random.Generator | None = None) -> Result:
    """Test that two dice of a throw do not depend on each other, whatever their margins: 25 df for two d6."""
    return homogeneity(table, draws=draws, rng=rng, test="pair")


def serial_test(faces: ArrayLike, faces_of_die: int = 6) -> Result:
    """Test one whole stream of a fair die by psi2(2) - psi2(1): k^2 - k df, 30 for a d6.

    Notes
    -----
    psi2(m) = k^m / n sum C^2 - n over circular m-tuples (Good 1953; the serial test of NIST SP 800-22). The raw 36
    pairs against 35 df reject a fair die 2.2 % of the time at 1 %.
    """
    codes = face_codes(faces, faces_of_die)
    n, k = codes.size, faces_of_die
    if n < 2:
        return no_data("serial", np.zeros(0, dtype=np.int64))
    pairs = np.bincount(codes * k + np.roll(codes, -1), minlength=k * k)
    singles = np.bincount(codes, minlength=k)
    value = float(k * k / n * np.sum(pairs**2, dtype=np.float64) - k / n * np.sum(singles**2, dtype=np.float64))
    value = max(value, 0.0)
    df = k * k - k
    return result_of("serial", value, df, chi2_tail(value, df), "asymptotic", n=n, observed=pairs)


def repeats_fair(repeats: int, neighbours: int, chance: float = 1 / 6) -> Result:
    """Test, one-sided, whether a fair die repeats its face too often: Binomial(neighbours, 1/6), exact.

    Only for a die that is not biased: a loaded die repeats more often without any memory (see `repeats`).
    """
    return _binomial("repeats of a fair die", repeats, neighbours, chance)


def repeats(counts: ArrayLike, repeated: int) -> Result:
    """Test, one-sided, whether a die repeats its face more often than its own margins make it.

    Parameters
    ----------
    counts
        Counts by face of one unbroken stream.
    repeated
        Number of throws equal to the throw before.

    Notes
    -----
    Permutation moments, exact for any margins: given the counts, all orders are equally likely under independence.
    With n throws and counts x, R = sum of equal neighbours has mean sum x(x-1) / n, and its variance follows from the
    chances that two neighbouring or two separate pairs are equal; the standardised R is judged as normal.
    """
    x = whole_counts(counts).astype(np.float64)
    n = float(x.sum())
    observed = np.array([*whole_counts(counts).tolist(), repeated])
    if n < 4:
        return no_data("repeats", observed)
    mean, variance = _repeat_moments(x, n)
    if variance <= 1e-12 * n:
        return no_data("repeats", observed)
    z = (repeated - mean) / math.sqrt(variance)
    return result_of("repeats", z, None, normal_tail(z), "asymptotic", n=int(n), observed=observed)


def _repeat_moments(x: NDArray[np.float64], n: float) -> tuple[float, float]:
    """Return mean and variance of the number of equal neighbours over all orders of counts `x`."""
    two, three, four = x * (x - 1), x * (x - 1) * (x - 2), x * (x - 1) * (x - 2) * (x - 3)
    pair = float(two.sum()) / (n * (n - 1))
    touching = float(three.sum()) / (n * (n - 1) * (n - 2))
    apart = (float(four.sum()) + float(two.sum()) ** 2 - float((two**2).sum())) / (n * (n - 1) * (n - 2) * (n - 3))
    mean = (n - 1) * pair
    square = (n - 1) * pair + 2 * (n - 2) * touching + (n - 2) * (n - 3) * apart
    return mean, square - mean * mean


def pairs_held(hits: int, throws: int, chance: float = 1 / 6) -> Result:
    """Test, one-sided, whether two fair dice are equal (or add to seven) too often: Binomial(throws, 1/6), exact."""
    return _binomial("pairs held", hits, throws, chance)


def _binomial(test: str, hits: int, n: int, chance: float) -> Result:
    """Judge the upper tail of a binomial count, exactly; the statistic is the share of hits."""
    observed = np.array([hits, n - hits])
    if n == 0:
        return no_data(test, observed)
    tail = binomial_tail(hits, n, chance)
    return result_of(test, hits / n, None, tail, "exact", n=n, observed=observed, null=(chance, 1 - chance))


def sevens_avoided(sevens: int, throws: int, chance: float = 1 / 6) -> Result:
    """Test, one-sided, whether a hand throws too few sevens with fair dice: lower tail of the binomial, exact."""
    result = _binomial("sevens avoided", throws - sevens, throws, 1 - chance)
    observed, null = (sevens, throws - sevens), (chance, 1 - chance)
    share = None if result.statistic is None else 1 - result.statistic
    return replace(result, statistic=share, observed=observed, null=null if throws else ())


def matching_pairs(matches: int, throws: int, dice: int = 5) -> Result:
    """Test, one-sided, whether fair dice of a throw match too often, without telling them apart.

    Parameters
    ----------
    matches
        Total over the throws of the pairs of equal dice in each (0 to dice (dice - 1) / 2).

    Notes
    -----
    Matches of different pairs of fair dice are uncorrelated: mean C/6, variance 5C/36 a throw, C the number of pairs.
    Judged as normal.
    """
    pairs = dice * (dice - 1) // 2
    observed = np.array([matches, throws])
    if throws == 0:
        return no_data("matching pairs", observed)
    z = (matches - throws * pairs / 6) / math.sqrt(throws * pairs * 5 / 36)
    return result_of("matching pairs", z, None, normal_tail(z), "asymptotic", n=throws, observed=observed)


def sorted_chance(dice: int, null: Sequence[float] = FAIR_D6) -> float:
    """Return the chance that a throw comes out with its faces in rising order: C(dice + 5, dice) / 6^dice if fair.

    >>> round(100 * sorted_chance(5), 2)
    3.24
    """
    law = null_law(null, len(null))
    rising = np.ones(law.size)
    if dice < 1:
        raise LaboratoryError(f"dice must be at least 1, got {dice}")
    for _ in range(dice):
        rising = np.cumsum(law * rising)
        total = float(rising[-1])
    return total


def sortedness(sorted_throws: int, throws: int, dice: int, null: Sequence[float] = FAIR_D6) -> Result:
    """Test whether a log shows its throws in rising order too often: then slots mean nothing. Exact binomial."""
    if dice < 2:
        return no_data("sortedness", np.array([sorted_throws, throws - sorted_throws]))
    return _binomial("sortedness", sorted_throws, throws, sorted_chance(dice, null))


REPETITION_ALPHA: Final = 2.0**-30


def repetition_cutoff(alpha: float = REPETITION_ALPHA, null: Sequence[float] = FAIR_D6) -> int:
    """Return the length of a run of equal faces that alarms: 1 + ceil(-log2 alpha / H), H the min-entropy in bits.

    Source: NIST SP 800-90B 4.4.1.

    >>> repetition_cutoff(2**-20), repetition_cutoff(2**-30)
    (9, 13)
    """
    if not 0.0 < alpha < 1.0:
        raise LaboratoryError(f"alpha must be between 0 and 1, got {alpha}")
    return 1 + math.ceil(-math.log2(alpha) / -math.log2(float(null_law(null, len(null)).max())))


def proportion_cutoff(alpha: float = 2.0**-20, window: int = 512, null: Sequence[float] = FAIR_D6) -> int:
    """Return the count of a window's first face that alarms (NIST SP 800-90B 4.4.2).

    It is 1 + the smallest c with P(Binomial(window, p_max) > c) <= alpha.

    >>> proportion_cutoff()
    129
    """
    if not 0.0 < alpha < 1.0 or window < 1:
        raise LaboratoryError(f"alpha must be between 0 and 1 and window at least 1, got {alpha} and {window}")
    chance = float(null_law(null, len(null)).max())
    tails = special.bdtrc(np.arange(window + 1), window, chance)
    return 1 + int(np.argmax(tails <= alpha))
