"""Fifteen one-sided contrasts of a d6, each for one physical cause, and the law of their maximum.

Six faces up (added weight), three axes up (flats), six tilts, a face over its opposite (loads). One planned test: the
largest z is judged by its own law, not by the normal law of a contrast chosen beforehand.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, monte_carlo_pvalue, whole_counts
from integrity.tails import LN10, binomial_tail, normal_tail

FACES_UP: Final = tuple(("load", (face,)) for face in range(1, 7))
AXES_UP: Final = tuple(("flats", (a, 7 - a)) for a in (1, 2, 3))
TILTS: Final = tuple(("tilt", (face,)) for face in range(1, 7))
CONTRASTS: Final = (*FACES_UP, *AXES_UP, *TILTS)
"""(attack, faces favoured) of the fifteen contrasts."""

DIRECTIONS: Final = 1 << 15
"""Directions over which the law of the maximum is averaged."""


def _coefficients() -> NDArray[np.float64]:
    rows = np.zeros((len(CONTRASTS), 6))
    for row, (attack, faces) in zip(rows, CONTRASTS, strict=True):
        up = [face - 1 for face in faces]
        if attack == "tilt":
            row[up[0]], row[5 - up[0]] = 1.0, -1.0
        else:
            row[:] = -len(up) / (6 - len(up))
            row[up] = 1.0
    scaled: NDArray[np.float64] = rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return scaled


COEFFICIENTS: Final = _coefficients()
"""Shape (15, 6); rows add to 0 and have length 1."""


_CHANCES: Final = np.array([1 / 6] * 6 + [1 / 3] * 3 + [1 / 2] * 6)
"""Chance that a fair throw counts for each contrast (tilts: given that it shows the face or its opposite)."""


@dataclass(frozen=True, slots=True)
class Directed:
    """The fifteen contrasts of one die.

    Attributes
    ----------
    z
        The contrasts, in the order of `CONTRASTS`, each the normal deviate of its exact tail; empty without data.
    attack, faces
        The largest contrast ("" without data).
    statistic, pvalue, log10_pvalue
        The largest z and its tail by the law of the maximum; None without data.
    shift, interval
        Estimated shift of probability of each favoured face and its 95 % interval, of this contrast by itself.
    n, observed, null
        The inputs.
    """

    z: tuple[float, ...]
    attack: str
    faces: tuple[int, ...]
    statistic: float | None
    pvalue: float | None
    log10_pvalue: float | None
    shift: float | None
    interval: tuple[float, float] | None
    law: str
    n: int
    observed: tuple[int, ...]
    null: tuple[float, ...] = FAIR_D6


def directed(
    counts: ArrayLike, *, n: int | None = None, draws: int = 9_999, rng: np.random.Generator | None = None
) -> Directed:
    """Test one d6 against fifteen named causes; the null is a fair die.

    Parameters
    ----------
    counts
        Counts of the six faces.
    n
        The stated number of throws, checked.
    draws, rng
        With `rng`, the law of the maximum is drawn for this n: (r + 1) / (B + 1).

    Notes
    -----
    The contrasts follow the physical causes (Jaynes 1979). Each is judged by an exact binomial tail: the count of a
    face (1/6), of an axis (1/3), of a face among itself and its opposite (1/2). Counts are skew: plain
    z = c.x / sqrt(n / 6) would reject 1.2 % of fair dice at 1 %, and 3 times too many at 0.01 % and n = 100. The law
    of the maximum is that of fifteen normal variables of rank five ("asymptotic"): critical value 3.167 at 1 %.
    """
    observed = whole_counts(counts, n)
    if observed.shape != (6,):
        raise LaboratoryError(f"counts must be of six faces, got shape {observed.shape}")
    throws, seen = int(observed.sum()), tuple(int(c) for c in observed)
    if throws == 0:
        return Directed((), "", (), None, None, None, None, None, "no data", 0, seen)
    z = exact_contrasts(observed)
    best = int(z.argmax())
    attack, faces = CONTRASTS[best]
    (pvalue, log10_pvalue), law = max_contrast_tail(float(z[best])), "asymptotic"
    if rng is not None:
        drawn = exact_contrasts(rng.multinomial(throws, FAIR_D6, size=draws)).max(axis=1)
        pvalue = monte_carlo_pvalue(float(z[best]), drawn)
        log10_pvalue, law = math.log10(pvalue), f"monte carlo (B={draws})"
    shift, interval = _shift(COEFFICIENTS[best], faces[0], observed / throws, throws)
    return Directed(
        tuple(z.tolist()),
        attack,
        faces,
        float(z[best]),
        pvalue,
        log10_pvalue,
        shift,
        interval,
        law,
        throws,
        seen,
    )


def contrast_tails(
    counts: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return hits, trials and exact upper tails of the fifteen contrasts of counts (..., 6), each (..., 15)."""
    n = counts.sum(axis=-1, keepdims=True)
    opposite = counts[..., ::-1]
    both = counts + opposite
    hits = np.concatenate([counts, both[..., :3], counts], axis=-1).astype(np.float64)
    trials = np.concatenate([np.broadcast_to(n, (*counts.shape[:-1], 9)), both], axis=-1).astype(np.float64)
    # P(X >= hits) is the incomplete beta function; without hits it is certain
    tails = np.where(hits > 0.0, special.betainc(np.maximum(hits, 1.0), trials - hits + 1.0, _CHANCES), 1.0)
    return hits, trials, tails


def exact_contrasts(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the contrasts of counts (..., 6) as normal deviates of their exact upper tails, shape (..., 15)."""
    hits, trials, tails = contrast_tails(counts)
    deviates: NDArray[np.float64] = np.maximum(-special.ndtri(tails), -8.0)
    for place in zip(*np.nonzero((hits > 0.0) & (tails < 1e-290)), strict=True):
        log10_tail = binomial_tail(int(hits[place]), int(trials[place]), float(_CHANCES[place[-1]]))[1]
        deviates[place] = -special.ndtri_exp(log10_tail * LN10)
    return deviates


def _shift(
    contrast: NDArray[np.float64], face: int, shares: NDArray[np.float64], n: int
) -> tuple[float, tuple[float, float]]:
    """Project the shares on a contrast: the shift of the favoured face, with a 95 % interval by the delta method."""
    scale = float(contrast[face - 1]) / float(contrast @ contrast)
    estimate = float(contrast @ shares)
    deviation = math.sqrt(max(float(contrast**2 @ shares) - estimate**2, 0.0) / n)
    half = float(special.ndtri(0.975)) * deviation
    return scale * estimate, (scale * (estimate - half), scale * (estimate + half))


@lru_cache(maxsize=1)
def _reaches() -> NDArray[np.float64]:
    """Return max c.U over the contrasts c for directions U: a normal vector Z = R U has max c.Z = R max c.U.

    The directions are a fixed sample of the sphere of the five dimensions that contrasts live in.
    """
    normal = np.random.default_rng(1979).standard_normal((DIRECTIONS // 2, 6))
    normal -= normal.mean(axis=1, keepdims=True)
    units = normal / np.sqrt((normal**2).sum(axis=1, keepdims=True))
    ahead = units @ COEFFICIENTS.T
    return np.concatenate([ahead.max(axis=1), (-ahead).max(axis=1)])


def max_contrast_tail(z: float) -> tuple[float, float]:
    """Return P(largest of the fifteen contrasts >= z) for a fair die as (p, log10 p).

    Averages the chi-square tail of 5 df of the length over fixed directions; relative error about 1 % at p = 1e-4, and
    bounded above by 15 normal tails, which the law approaches far out.

    >>> round(max_contrast_tail(3.167)[0], 3)
    0.01
    """
    bound = normal_tail(z)[1] + math.log10(len(CONTRASTS))
    if z > 8.0:
        return min(10.0**bound, 1.0) if bound > -300 else 0.0, bound
    if z <= 0.0:
        return 1.0, 0.0
    pvalue = float(special.chdtrc(5, (z / _reaches()) ** 2).mean())
    log10_pvalue = min(math.log(pvalue) / LN10, bound)
    return 10.0**log10_pvalue, log10_pvalue


@lru_cache(maxsize=64)
def max_contrast_critical(alpha: float) -> float:
    """Return the z that the largest contrast of a fair die exceeds with chance `alpha`."""
    if not 1e-12 < alpha < 1.0:
        raise LaboratoryError(f"alpha must be between 1e-12 and 1, got {alpha}")
    low, high = 0.0, 9.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if max_contrast_tail(middle)[0] > alpha else (low, middle)
    return high
