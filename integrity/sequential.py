"""Evidence that may be looked at after every throw: the face battery, as an e-process.

A battery is a weighted average of likelihood ratios, each for one named attack of one size, against the null law of the
die. The average is an e-process: P(e ever reaches 1 / a) <= a for a fair die (Ville 1939; method of mixtures, Robbins
1970). It depends on the throws through the counts of faces only, so that batch and live give the same numbers.
Everything is kept as natural logarithms; e itself would overflow after some hundred throws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, null_law
from integrity.tails import LN10

IMPOSSIBLE: Final = -1e250
"""Log likelihood ratio of a face that an attack never shows; finite, so that 0 throws of it count 0."""

SIZES: Final = (0.008, 0.016, 0.032, 0.065, 0.13, 0.25)
"""Shifts of probability that loads, tilts and flats are tried at."""
TOTALS: Final = (6.0, 60.0, 600.0, 6000.0)
"""Total counts of the Dirichlet priors for shapes that nobody named."""

BLOCK: Final = 4096
"""Throws of all dice together that a path takes at a time."""

SHARES: Final = {
    "load": 0.35,
    "flats": 0.25,
    "tilt": 0.2,
    "any": 0.05,
    "missing": 0.05,
    "doubled": 0.05,
    "few_faces": 0.05,
}
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
        down), "flats" (an axis up), "missing" (a face never shows), "doubled" (a face never shows, another twice as
        often), "few_faces" (at most three faces show). The Dirichlet components, which come after them, are "any".
    details
        Faces that each simple component favours (lacks, for "missing"), and its size (0 where it has none).
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
    """Raise each of `faces` (from 1) by `size`, the rest sharing the loss in proportion; None if impossible."""
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
    kept: NDArray[np.float64] = law / law.sum()
    return kept


def _misspotted(null: NDArray[np.float64], doubled: int, lacking: int) -> NDArray[np.float64]:
    """Give `lacking` the spots of `doubled`."""
    law = null.copy()
    law[doubled - 1] += law[lacking - 1]
    law[lacking - 1] = 0.0
    return law


def _alternatives(null: NDArray[np.float64]) -> list[tuple[str, tuple[int, ...], float, NDArray[np.float64]]]:
    """List (attack, faces, size, law) of every simple component; axes and tilts need a die of six."""
    faces = range(1, null.size + 1)
    found: list[tuple[str, tuple[int, ...], float, NDArray[np.float64] | None]] = []
    found += [("load", (f,), d, _shifted(null, (f,), d)) for f in faces for d in SIZES]
    found += [("missing", (f,), 0.0, _only(null, [g for g in faces if g != f])) for f in faces]
    if null.size == 6:
        found += [("flats", (a, 7 - a), d / 2, _shifted(null, (a, 7 - a), d / 2)) for a in (1, 2, 3) for d in SIZES]
        found += [("tilt", (f,), d, _tilted(null, f, d)) for f in faces for d in SIZES]
        found += [("doubled", (f,), 0.0, _misspotted(null, f, g)) for f, g in permutations(faces, 2)]
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
    seen = seen[..., None, :]
    cells = special.gammaln(seen + prior) - special.gammaln(prior) - seen * np.log(battery.null)
    n = seen.sum(axis=-1)
    general = special.gammaln(battery.totals) - special.gammaln(battery.totals + n) + cells.sum(axis=-1)
    return np.concatenate([simple, general], axis=-1)


def log_sum_exp(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln sum e^v over the last axis; all values finite."""
    top = values.max(axis=-1)
    total: NDArray[np.float64] = top + np.log(np.exp(values - top[..., None]).sum(axis=-1))
    return total


def restrict(battery: Battery, *attacks: str) -> Battery:
    """Keep only some attacks ("any" keeps the Dirichlet components), their weights scaled up to add to 1.

    `restrict(face_battery(), "missing")` is certain to reach e = 100 at throw 36 if a face never shows, and "few_faces"
    at throw 11 if three faces are all that show.
    """
    simple = np.array([attack in attacks for attack in battery.attacks])
    general = np.full(battery.totals.size, "any" in attacks)
    keep = np.concatenate([simple, general])
    if not keep.any():
        raise LaboratoryError(f"attacks must be of the battery, got {', '.join(attacks) or 'none'}")
    weights = battery.log_weights[keep]
    return Battery(
        null=battery.null,
        attacks=tuple(a for a, kept in zip(battery.attacks, simple, strict=True) if kept),
        details=tuple(d for d, kept in zip(battery.details, simple, strict=True) if kept),
        log_ratios=battery.log_ratios[simple],
        totals=battery.totals[general],
        log_weights=weights - log_sum_exp(weights),
    )


def log_e(battery: Battery, counts: ArrayLike) -> NDArray[np.float64]:
    """Return ln e of the whole battery for counts of shape (..., faces); 0 where nothing was thrown."""
    return log_sum_exp(component_log_e(battery, counts) + battery.log_weights)


def log10_evalue(battery: Battery, counts: ArrayLike) -> NDArray[np.float64]:
    """Return log10 e of the whole battery for counts of shape (..., faces)."""
    return log_e(battery, counts) / LN10


def log_e_by_attack(battery: Battery, counts: ArrayLike) -> dict[str, NDArray[np.float64]]:
    """Return ln e of each attack by itself (each an e-process of its own), for counts of shape (..., faces)."""
    components = component_log_e(battery, counts) + battery.log_weights
    of = np.array([*battery.attacks, *("any",) * battery.totals.size])
    return {
        attack: log_sum_exp(components[..., of == attack]) - log_sum_exp(battery.log_weights[of == attack])
        for attack in dict.fromkeys(of.tolist())
    }


def strongest(battery: Battery, counts: ArrayLike) -> tuple[str, tuple[int, ...], float]:
    """Name the simple component that the counts of one die favour most: (attack, faces, size), by weighted ln e."""
    components = component_log_e(battery, counts)[: len(battery.attacks)] + battery.log_weights[: len(battery.attacks)]
    best = int(components.argmax())
    return battery.attacks[best], *battery.details[best]


@dataclass(frozen=True, slots=True)
class Evidence:
    """An e-process at some throw: natural logarithms of e now and of its running maximum, and where that was.

    `peak` is the number of throws after which the maximum was reached first (0: never above 1).
    """

    log_e: float = 0.0
    max_log_e: float = 0.0
    peak: int = 0
    n: int = 0

    @property
    def log10_evalue(self) -> float:
        """Give log10 e now."""
        return self.log_e / LN10

    @property
    def max_log10_evalue(self) -> float:
        """Give log10 of the running maximum of e."""
        return self.max_log_e / LN10

    @property
    def log10_pvalue(self) -> float:
        """Give log10 of the anytime p-value 1 / max e."""
        return min(-self.max_log_e / LN10, 0.0)

    def then(self, log_e: float) -> "Evidence":
        """Return the evidence one throw later."""
        n = self.n + 1
        if log_e > self.max_log_e:
            return Evidence(log_e, log_e, n, n)
        return Evidence(log_e, self.max_log_e, self.peak, n)


def evidence_of(path: NDArray[np.float64]) -> Evidence:
    """Sum up a path of ln e, one value a throw."""
    if not path.size:
        return Evidence()
    at = int(path.argmax())
    if path[at] <= 0.0:
        return Evidence(float(path[-1]), 0.0, 0, path.size)
    return Evidence(float(path[-1]), float(path[at]), at + 1, path.size)


def face_path(battery: Battery, faces: ArrayLike) -> NDArray[np.float64]:
    """Return ln e after each throw of one or many dice.

    Parameters
    ----------
    faces
        Faces from 1 in order of throwing, shape (..., throws); many dice of equal length at once.

    Returns
    -------
    NDArray
        Shape (..., throws). `evidence_of` sums up one row.
    """
    thrown = face_codes(faces, battery.null.size)
    path = np.empty(thrown.shape)
    before = np.zeros((*thrown.shape[:-1], battery.null.size))
    step = max(1, BLOCK // max(1, int(np.prod(thrown.shape[:-1]))))
    for start in range(0, thrown.shape[-1], step):
        shown = thrown[..., start : start + step, None] == np.arange(battery.null.size)
        counts = before[..., None, :] + shown.cumsum(axis=-2)
        path[..., start : start + step] = log_e(battery, counts)
        before = counts[..., -1, :]
    return path


def face_codes(faces: ArrayLike, count: int = 6) -> NDArray[np.int64]:
    """Return faces 1..count as codes 0..count - 1, or refuse."""
    thrown = np.asarray(faces)
    if thrown.size and (thrown.dtype.kind not in "iu" or thrown.min() < 1 or thrown.max() > count):
        raise LaboratoryError(f"faces must be whole numbers from 1 to {count}")
    return thrown.astype(np.int64) - 1
