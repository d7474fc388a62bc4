"""How biased: intervals of faces for all dice at once, after a planned log or at any moment of a watched one."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.fit import whole_counts

PRIOR_THROWS = 60.0
"""Weight of the prior of a confidence sequence, in throws: narrowest around that many, valid at all."""


def _checked(counts: ArrayLike, alpha: float) -> NDArray[np.int64]:
    checked = whole_counts(counts)
    if checked.ndim < 1 or checked.shape[-1] < 2 or not 0.0 < alpha < 1.0:
        raise LaboratoryError(f"counts must be by face and alpha between 0 and 1, got {checked.shape} and {alpha}")
    return checked


def simultaneous(counts: ArrayLike, alpha: float = 0.01) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return low and high bounds of the chance of every face, all true at once with 1 - alpha; exact.

    Clopper-Pearson with alpha shared equally over all cells of `counts` (..., faces). For a number of throws fixed
    beforehand; for a watched log see `confidence_sequence`.
    """
    x = _checked(counts, alpha).astype(np.float64)
    n, tail = x.sum(axis=-1, keepdims=True), alpha / (2 * x.size)
    low = np.where(x > 0, special.betaincinv(np.maximum(x, 1.0), n - x + 1, tail), 0.0)
    high = np.where(x < n, special.betaincinv(x + 1, np.maximum(n - x, 1.0), 1 - tail), 1.0)
    return low, high


def confidence_sequence(
    counts: ArrayLike, alpha: float = 0.01, *, cells: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return low and high bounds of the chance of every face that hold at every throw at once with 1 - alpha.

    Parameters
    ----------
    counts
        Shape (..., faces).
    alpha
        Chance that any bound ever fails.
    cells
        Number of chances that share alpha: all cells of `counts` unless said. Several looks at one die share nothing.

    Notes
    -----
    All p whose own e-process stays below cells / alpha (Lindon, Malek 2022, face by face): the likelihood of the counts
    mixed over a beta law of 60 throws around fair, against the likelihood of p.
    """
    x = _checked(counts, alpha).astype(np.float64)
    n, faces = x.sum(axis=-1, keepdims=True), x.shape[-1]
    a, b = PRIOR_THROWS / faces, PRIOR_THROWS * (1 - 1 / faces)
    # ln E(p) < bar is where x ln p + (n - x) ln(1 - p), which is concave, lies above a level
    level = special.betaln(a + x, b + n - x) - special.betaln(a, b) - math.log((cells or x.size) / alpha)
    peak = np.divide(x, n, out=np.full_like(x, 1 / faces), where=n > 0)
    return _edge(x, n, level, peak, np.zeros_like(x)), _edge(x, n, level, peak, np.ones_like(x))


def _edge(
    x: NDArray[np.float64],
    n: NDArray[np.float64],
    level: NDArray[np.float64],
    inside: NDArray[np.float64],
    outside: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Bisect between the peak and 0 or 1 for the place where the log likelihood falls to `level`."""
    for _ in range(60):
        middle = (inside + outside) / 2
        above = special.xlogy(x, middle) + special.xlog1py(n - x, -middle) >= level
        inside, outside = np.where(above, middle, inside), np.where(above, outside, middle)
    # the outer side of the last step, so that rounding never narrows the interval; the end itself if it is above
    return outside


@dataclass(frozen=True, slots=True)
class Certificate:
    """Whether dice are within a margin of fair.

    Attributes
    ----------
    within
        The margin asked for: every chance between (1 - within) / 6 and (1 + within) / 6.
    estimate, bound
        Greatest |6 p - 1| over dice and faces, as estimated and at most, with confidence 1 - alpha.
    certified
        Whether `bound` is at most `within`.
    """

    within: float
    estimate: float
    bound: float
    certified: bool
    alpha: float
    observed: tuple[int, ...]


def certify(counts: ArrayLike, within: float, alpha: float = 0.01) -> Certificate:
    """Certify that all dice together are within `within` of fair; counts (dice, faces), n fixed beforehand."""
    x = _checked(counts, alpha)
    if not np.all(x.sum(axis=-1)):
        raise LaboratoryError("counts must have throws for every die")
    faces = x.shape[-1]
    low, high = simultaneous(x, alpha)
    estimate = float(np.abs(faces * x / x.sum(axis=-1, keepdims=True) - 1).max())
    bound = float(max((faces * high - 1).max(), (1 - faces * low).max()))
    return Certificate(within, estimate, bound, bound <= within, alpha, tuple(x.ravel().tolist()))


def margin(throws: int, dice: int = 5, faces: int = 6, alpha: float = 0.05) -> float:
    """Return the half width of `certify` in |6 p - 1| at so many throws of each die, by the normal law.

    >>> round(margin(1, alpha=0.05), 2), round(margin(1, alpha=0.01), 2)
    (7.03, 8.02)
    """
    if throws < 1 or dice < 1:
        raise LaboratoryError(f"throws and dice must be at least 1, got {throws} and {dice}")
    z = -float(special.ndtri(alpha / (2 * dice * faces)))
    return z * math.sqrt((faces - 1) / throws)


def throws_to_certify(within: float, dice: int = 5, faces: int = 6, alpha: float = 0.01) -> int:
    """Return the throws of each die at which perfect dice are certified: chance may use up one margin, proof another.

    >>> round(throws_to_certify(0.05), -3)
    103000
    """
    if not 0.0 < within < 1.0:
        raise LaboratoryError(f"within must be between 0 and 1, got {within}")
    return math.ceil((2 * margin(1, dice, faces, alpha) / within) ** 2)
