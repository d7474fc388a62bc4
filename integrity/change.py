"""A die that is fair until something is switched on: a magnet, a battery, another die.

Live: the Shiryaev-Roberts e-detector (Shin, Ramdas, Rinaldo 2022), M_t = (1 + M_{t-1}) LR_t, averaged over faces and
strengths. After the fact: the window whose counts are least like the null law.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, Result, monte_carlo_pvalue, null_law, pearson_statistic, result_of
from integrity.sequential import BLOCK, face_codes, log_sum_exp

STRENGTHS: Final = (0.30, 0.40)
"""Chances of the favoured face while the magnet is on; a finer or wider grid finds less of magnets of 0.25 to 0.4, and
only the strongest sooner (0.75 after 19 throws, not 23)."""
HORIZON: Final = 20_000
"""Throws over which the belief about the moment of switching on is spread evenly."""
WINDOWS: Final = (50, 100, 200, 400)
"""Lengths of the windows that a scan after the fact looks at."""


NOTHING: Final = -1e250
"""Stands for ln 0."""


@dataclass(frozen=True, eq=False)
class Detector:
    """Magnets that a detector listens for.

    Attributes
    ----------
    log_ratios
        ln(p1 / p0), shape (J, faces): faces x strengths.
    magnets
        (face, chance) of each component.
    horizon
        Throws within which a magnet may be switched on.
    """

    log_ratios: NDArray[np.float64]
    magnets: tuple[tuple[int, float], ...]
    horizon: int


@lru_cache(maxsize=32)
def magnet_detector(null: tuple[float, ...] = FAIR_D6, horizon: int = HORIZON) -> Detector:
    """Build the detector of a magnet against a null law; strengths not above a face's null chance are left out."""
    if horizon < 1:
        raise LaboratoryError(f"horizon must be at least 1 throw, got {horizon}")
    law = null_law(null, len(null))
    magnets = [(face, chance) for face in range(1, law.size + 1) for chance in STRENGTHS if chance > law[face - 1]]
    ratios = np.empty((len(magnets), law.size))
    for row, (face, chance) in zip(ratios, magnets, strict=True):
        row[:] = np.log((1.0 - chance) / (1.0 - law[face - 1]))
        row[face - 1] = np.log(chance / law[face - 1])
    return Detector(ratios, tuple(magnets), horizon)


def detector_start(detector: Detector) -> NDArray[np.float64]:
    """Return the state before the first throw: ln M of every component, shape (J,), M = 0 written as `NOTHING`."""
    return np.full(len(detector.magnets), NOTHING)


def detector_step(detector: Detector, log_m: NDArray[np.float64], face: int, throw: int) -> NDArray[np.float64]:
    """Return ln M of every component after `throw` (1 is the first) has shown `face` (from 1)."""
    starting = 0.0 if throw <= detector.horizon else NOTHING
    stepped: NDArray[np.float64] = np.logaddexp(starting, log_m) + detector.log_ratios[:, face - 1]
    return stepped


def detector_log_e(detector: Detector, log_m: NDArray[np.float64], throws: ArrayLike) -> NDArray[np.float64]:
    """Return ln e of the detector: e_t = (mean M_t + max(horizon - t, 0)) / horizon, shape (...) for log_m (..., J).

    A martingale of mean 1 under the null: the average over all moments of switching on within the horizon, those not
    yet come counting 1. P(e ever reaches 1 / a) <= a. A magnet switched on after the horizon is not listened for.
    """
    mean_m = log_sum_exp(log_m) - np.log(log_m.shape[-1])
    with np.errstate(divide="ignore"):
        waiting = np.log(np.maximum(detector.horizon - np.asarray(throws, dtype=np.float64), 0.0))
    log_e: NDArray[np.float64] = np.logaddexp(mean_m, waiting) - np.log(detector.horizon)
    return log_e


def detector_path(detector: Detector, faces: ArrayLike) -> NDArray[np.float64]:
    """Return ln e of the detector after each throw; faces from 1, shape (..., throws)."""
    codes = face_codes(faces, detector.log_ratios.shape[1])
    if codes.ndim > 1:
        return np.array([detector_path(detector, row) for row in np.asarray(faces)])
    path = np.empty(codes.size)
    log_m = detector_start(detector)
    for start in range(0, codes.size, BLOCK):
        block = codes[start : start + BLOCK]
        grown = _advance(detector, log_m, block, start)
        path[start : start + BLOCK] = detector_log_e(detector, grown, start + 1 + np.arange(block.size))
        log_m = grown[-1]
    return path


def _advance(
    detector: Detector, log_m: NDArray[np.float64], codes: NDArray[np.int64], before: int
) -> NDArray[np.float64]:
    """Return ln M after each throw of a block, shape (throws, J).

    M_t = L_t (M_0 + sum over starts k <= t of 1 / L_{k-1}), L the likelihood ratio within the block. `before` throws
    went before the block; starts after the horizon count nothing.
    """
    log_l = detector.log_ratios[:, codes].T.cumsum(axis=0)
    starts = np.vstack([np.zeros((1, log_m.size)), -log_l[:-1]])
    starts[max(detector.horizon - before, 0) :] = NOTHING
    sums = np.logaddexp.accumulate(np.vstack([log_m, starts]), axis=0)[1:]
    advanced: NDArray[np.float64] = sums + log_l
    return advanced


@dataclass(frozen=True, slots=True)
class Scan:
    """The window least like the null law: its chi-square, place, length and counts; `result` judges it.

    `start` counts throws from 0. `result` carries Pearson's statistic of the window and its Monte Carlo p, which pays
    for having looked everywhere.
    """

    start: int
    length: int
    counts: tuple[int, ...]
    result: Result


def scan(
    faces: ArrayLike,
    null: tuple[float, ...] = FAIR_D6,
    *,
    rng: np.random.Generator,
    windows: tuple[int, ...] = WINDOWS,
    draws: int = 199,
) -> Scan | None:
    """Find, after the fact, the stretch of one stream that is least like the null law.

    Parameters
    ----------
    faces
        Faces from 1 in order.
    null
        Null probabilities by face.
    rng, draws
        Source and size of the Monte Carlo law of the greatest chi-square over all windows.
    windows
        Lengths in throws; those longer than the log are left out.

    Returns
    -------
    Scan or None
        None if the log is shorter than every window.
    """
    codes, law = face_codes(faces, len(null)), null_law(null, len(null))
    lengths = tuple(length for length in windows if length <= codes.size)
    if not lengths:
        return None
    value, start, length = _greatest(codes, law, lengths)
    drawn = [_greatest(rng.choice(law.size, size=codes.size, p=law), law, lengths)[0] for _ in range(draws)]
    pvalue = monte_carlo_pvalue(value, np.array(drawn))
    counts = np.bincount(codes[start : start + length], minlength=law.size)
    tail = (pvalue, float(np.log10(pvalue)))
    whole = np.bincount(codes, minlength=law.size)
    found = result_of("scan", value, None, tail, f"monte carlo (B={draws})", n=codes.size, observed=whole, null=null)
    return Scan(start, length, tuple(counts.tolist()), found)


def _greatest(codes: NDArray[np.int64], law: NDArray[np.float64], windows: tuple[int, ...]) -> tuple[float, int, int]:
    """Return the greatest chi-square over all windows with its start and length."""
    shown = codes[:, None] == np.arange(law.size)
    totals = np.vstack([np.zeros((1, law.size), dtype=np.int64), shown.cumsum(axis=0)])
    best = (-1.0, 0, 0)
    for length in windows:
        values = pearson_statistic((totals[length:] - totals[:-length]).astype(np.float64), law)
        at = int(values.argmax())
        best = max(best, (float(values[at]), at, length))
    return best
