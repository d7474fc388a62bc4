"""Evidence that may be looked at after every throw: the face battery, as an e-process.

A battery is a weighted average of likelihood ratios, each for one named attack of one size, against the null law of the
die. The average is an e-process: P(e ever reaches 1 / a) <= a for a fair die (Ville 1939; method of mixtures, Robbins
1970). It depends on the throws through the counts of faces only, so that batch and live give the same numbers.
Everything is kept as natural logarithms; e itself would overflow after some hundred throws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, null_law, whole_counts
from integrity.tails import LN10

IMPOSSIBLE: Final = -1e250
"""Log likelihood ratio of a face that an attack never shows; finite, so that 0 throws of it count 0."""

SIZES: Final = (0.008, 0.016, 0.032, 0.065, 0.13, 0.25)
"""Shifts of probability that loads, tilts and flats are tried at."""
TOTALS: Final = (6.0, 60.0, 600.0, 6000.0)
"""Total counts of the Dirichlet priors for shapes that nobody named."""

SHARES: Final = {"load": 0.3, "flats": 0.2, "tilt": 0.2, "any": 0.2, "missing": 0.05, "few_faces": 0.05}
"""How the battery's belief is shared over attacks; adds to 1."""


@dataclass(frozen=True, eq=False)
class Battery:
    """Named alternatives to a null law of one die.

    Attributes
    ----------
    null
        Null probabilities, shape (faces,).
    attacks
        Attack of each simple component, length J: "load" (one face up, the rest share), "tilt" (a face up, its opposite
        down), "flats" (an axis up), "missing" (a face never shows), "few_faces" (at most three faces show). The
        Dirichlet components, which come after them, are "any".
    details
        Faces that each simple component favours (or, for "missing", lacks), and its size.
    log_ratios
        ln(p1 / p0), shape (J, faces).
    totals
        Prior totals of the Dirichlet components, shape (C,).
    log_weights
        Natural logarithms of the weights of all J + C components; the weights add to 1.
    """

    null: NDArray[np.float64]
    attacks: tuple[str, ...]
    details: tuple[tuple[tuple[int, ...], float], ...]
    log_ratios: NDArray[np.float64]
    totals: NDArray[np.float64]
    log_weights: NDArray[np.float64]


def _shifted(null: NDArray[np.float64], faces: Sequence[int], size: float) -> NDArray[np.float64] | None:
    """Raise each of `faces` (1-based) by `size`, the rest sharing the loss in proportion; None if that is impossible."""
    up = np.array([face - 1 for face in faces])
    law = null.copy()
    law[up] += size
    rest = np.ones(null.size, dtype=np.bool_)
    rest[up] = False
    left = 1.0 - law[up].sum()
    if left <= 0.0:
        return None
    law[rest] *= left / null[rest].sum()
    return law


def _tilted(null: NDArray[np.float64], face: int, size: float) -> NDArray[np.float64] | None:
    """Raise `face` by `size` at the cost of its opposite, or None if the opposite has not so much."""
    law = null.copy()
    law[face - 1] += size
    law[null.size - face] -= size
    return law if law.min() > 0.0 and law.max() < 1.0 else None


def _only(null: NDArray[np.float64], faces: Sequence[int]) -> NDArray[np.float64]:
    """Keep `faces` (1-based) alone."""
    law = np.zeros_like(null)
    shown = [face - 1 for face in faces]
    law[shown] = null[shown]
    return law / law.sum()


def _alternatives(null: NDArray[np.float64]) -> list[tuple[str, tuple[int, ...], float, NDArray[np.float64]]]:
    """List (attack, faces, size, law) of every simple component; axes and tilts need a die of six."""
    faces = range(1, null.size + 1)
    found: list[tuple[str, tuple[int, ...], float, NDArray[np.float64] | None]] = []
    found += [("load", (f,), d, _shifted(null, (f,), d)) for f in faces for d in SIZES]
    found += [("missing", (f,), 0.0, _only(null, [g for g in faces if g != f])) for f in faces]
    if null.size == 6:
        found += [("flats", (a, 7 - a), d / 2, _shifted(null, (a, 7 - a), d / 2)) for a in (1, 2, 3) for d in SIZES]
        found += [("tilt", (f,), d, _tilted(null, f, d)) for f in faces for d in SIZES]
        from itertools import combinations

        found += [("few_faces", trio, 0.0, _only(null, trio)) for trio in combinations(faces, 3)]
    return [(attack, which, size, law) for attack, which, size, law in found if law is not None]


@lru_cache(maxsize=32)
def face_battery(null: tuple[float, ...] = FAIR_D6) -> Battery:
    """Build the battery against a null law.

    Parameters
    ----------
    null
        Null probabilities by face, adding to 1 within 1e-9; six faces get every attack, other dice loads, missing
        faces and the Dirichlet components.
    """
    law = null_law(null, len(null))
    components = _alternatives(law)
    attacks = tuple(attack for attack, _, _, _ in components)
    counts = {attack: attacks.count(attack) for attack in attacks} | {"any": len(TOTALS)}
    known = sum(SHARES[attack] for attack in counts)
    weights = [SHARES[attack] / known / counts[attack] for attack in (*attacks, *("any",) * len(TOTALS))]
    with np.errstate(divide="ignore"):
        ratios = np.log(np.array([alternative for _, _, _, alternative in components]) / law)
    return Battery(
        null=law,
        attacks=attacks,
        details=tuple((which, size) for _, which, size, _ in components),
        log_ratios=np.maximum(ratios, IMPOSSIBLE),
        totals=np.array(TOTALS),
        log_weights=np.log(np.array(weights)),
    )


def component_log_e(battery: Battery, counts: ArrayLike) -> NDArray[np.float64]:
    """Return ln e of every component, without weights: shape (..., J + C) for counts of shape (..., faces)."""
    seen = np.asarray(counts, dtype=np.float64)
    if seen.shape[-1:] != battery.null.shape:
        raise LaboratoryError(f"counts must have {battery.null.size} faces last, got shape {seen.shape}")
    simple = seen @ battery.log_ratios.T
    prior = battery.totals[:, None] * battery.null
    cells = special.gammaln(seen[..., None, :] + prior) - special.gammaln(prior) - seen[..., None, :] * np.log(battery.null)
    n = seen.sum(axis=-1)[..., None]
    general = special.gammaln(battery.totals) - special.gammaln(battery.totals + n) + cells.sum(axis=-1)
    return np.concatenate([simple, general], axis=-1)
