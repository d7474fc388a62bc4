"""Faces that follow faces: a die that repeats, dice held together, a hand that avoids sevens, as e-processes.

Everything is read from a table of 6 x 6 counts: rows are the face given (the previous face of the same die, or the
other die of the pair), columns the face that came. Under the null law the column does not depend on the row. Two nulls:

- margins stated: the columns follow a stated law (a fair die, unless said), e is a plain mixture of likelihood ratios;
- margins unknown: the columns follow any law, however loaded the die; e is the mixture over laws and sizes divided by
  the greatest likelihood of independence so far (universal inference: Wasserman, Ramdas, Balakrishnan 2020). It asks
  for dependence given the bias, and costs about two powers of e of evidence on a fair die.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, null_law
from integrity.sequential import BLOCK, face_codes, log_sum_exp
from integrity.tails import LN10

Lock = Literal["repeats", "equal", "seven", "eleven", "no_seven"]

EXCESSES: Final = (0.02, 0.04, 0.08, 0.16, 0.32, 0.64)
"""Shares of throws on which a lock holds."""
SHYNESSES: Final = (0.04, 0.08, 0.16, 0.32)
"""Shares of its sevens that a hand avoids."""
COUPLED: Final[dict[str, dict[int, int]]] = {
    "repeats": {face: face for face in range(1, 7)},
    "equal": {face: face for face in range(1, 7)},
    "seven": {face: 7 - face for face in range(1, 7)},
    "eleven": {5: 6, 6: 5},
    "no_seven": {face: 7 - face for face in range(1, 7)},
}
"""By lock: which column goes with which row."""
BIASES: Final = (0.02, 0.05, 0.1, 0.2)
"""Loads of one face that the mixture over unknown margins tries, besides fair margins and flats."""


@dataclass(frozen=True, eq=False)
class LockBattery:
    """Dependent alternatives.

    Attributes
    ----------
    sizes
        Excess (or shyness) of each lock size, shape (S,).
    log_laws
        ln P(column | row), less that of the null where it is stated; shape (S, Q, 6, 6), by size and law of the
        columns.
    log_margin_weights
        Shape (Q,).
    null
        The stated law of the columns, or None where it is unknown.
    """

    sizes: NDArray[np.float64]
    log_laws: NDArray[np.float64]
    log_margin_weights: NDArray[np.float64]
    null: NDArray[np.float64] | None


def lock_rows(lock: Lock, size: float, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return P(column | row), shape (6, 6): the lock holds with `size`, else the columns follow `columns`."""
    law = np.tile(columns, (6, 1))
    for row, column in COUPLED[lock].items():
        plain = columns[column - 1]
        bound = plain * (1.0 - size) if lock == "no_seven" else size + (1.0 - size) * plain
        law[row - 1] *= (1.0 - bound) / (1.0 - plain)
        law[row - 1, column - 1] = bound
    return law


def _margins() -> list[NDArray[np.float64]]:
    """List the laws that unknown margins are tried at: fair, each face up by each bias, each axis up."""
    fair = np.full(6, 1 / 6)
    laws = [fair]
    for size in BIASES:
        for face in range(6):
            laws.append(np.where(np.arange(6) == face, 1 / 6 + size, 1 / 6 - size / 5))
    for size in (0.015, 0.04):
        for axis in range(3):
            laws.append(np.where(np.isin(np.arange(6), (axis, 5 - axis)), 1 / 6 + size, 1 / 6 - size / 2))
    return laws


@lru_cache(maxsize=16)
def lock_battery(lock: Lock, margins: tuple[float, ...] | None = FAIR_D6) -> LockBattery:
    """Build the alternatives for one lock.

    Parameters
    ----------
    lock
        "repeats" (rows: previous face of the die), or for pairs "equal", "seven", "eleven", "no_seven".
    margins
        Law of the columns under the null; None: unknown.
    """
    if lock not in COUPLED:
        raise LaboratoryError(f"lock must be one of {', '.join(COUPLED)}, got {lock}")
    sizes = SHYNESSES if lock == "no_seven" else EXCESSES
    laws = _margins() if margins is None else [null_law(margins, 6)]
    # half of the belief on fair margins, the rest shared by the biased ones
    weights = np.full(len(laws), 0.5 / max(1, len(laws) - 1))
    weights[0] = 0.5 if len(laws) > 1 else 1.0
    stated = 0.0 if margins is None else np.log(laws[0])
    return LockBattery(
        sizes=np.array(sizes),
        log_laws=np.log(np.array([[lock_rows(lock, size, law) for law in laws] for size in sizes])) - stated,
        log_margin_weights=np.log(weights),
        null=None if margins is None else laws[0],
    )


def lock_log_e_by_size(battery: LockBattery, tables: ArrayLike) -> NDArray[np.float64]:
    """Return ln e for every size of the lock.

    Parameters
    ----------
    tables
        Counts of (row, column), shape (..., 6, 6).

    Returns
    -------
    NDArray
        Shape (..., S). Tables of different dice, or of pairs that share none, are independent under the null: their
        values add. Sum over the dice of a box, then average over sizes with `mix_sizes`, for evidence on the box.
    """
    counts = np.asarray(tables, dtype=np.float64)
    if counts.shape[-2:] != (6, 6):
        raise LaboratoryError(f"tables must have shape (..., 6, 6), got {counts.shape}")
    flat = counts.reshape(*counts.shape[:-2], 36)
    sizes, laws = battery.log_laws.shape[:2]
    likelihoods = (flat @ battery.log_laws.reshape(-1, 36).T).reshape(*flat.shape[:-1], sizes, laws)
    return _against_independence(battery, likelihoods, counts.sum(axis=-2))


def _against_independence(
    battery: LockBattery, likelihoods: NDArray[np.float64], columns: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Average likelihoods (..., S, Q) over the margins and divide by the best of the null: ln e by size (..., S)."""
    by_size: NDArray[np.float64] = log_sum_exp(likelihoods + battery.log_margin_weights)
    by_size -= _independent(battery, columns)[..., None]
    return by_size


def _independent(battery: LockBattery, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log likelihood of the columns by the law that fits best, shape (...); 0 where the law is stated."""
    n = columns.sum(axis=-1)
    if battery.null is not None:
        return np.zeros_like(n)
    fitted: NDArray[np.float64] = special.xlogy(columns, columns).sum(axis=-1) - special.xlogy(n, n)
    return fitted


def mix_sizes(log_e_by_size: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ln of the mean of e over the last axis."""
    mean: NDArray[np.float64] = log_sum_exp(log_e_by_size) - np.log(log_e_by_size.shape[-1])
    return mean


def lock_log_e(
    battery: LockBattery, tables: ArrayLike, *, together: bool = False, dice: ArrayLike = 2
) -> NDArray[np.float64]:
    """Return ln e of a lock of unknown size for tables of shape (..., 6, 6).

    `together` joins the third axis from the end (the dice of one box) into one e-value. `dice`, shape (...), is the
    greatest number of dice in a throw where a table adds up all pairs of its throws: each pair then pays `price`.
    """
    by_size = lock_log_e_by_size(battery, tables)
    most = np.asarray(dice)
    for number in np.unique(most[most > 2]).tolist():
        pairs = np.asarray(tables).sum(axis=(-2, -1)) * (most == number)
        by_size = by_size - pairs[..., None] * price(battery, number)
    return mix_sizes(by_size.sum(axis=-2) if together else by_size)


@lru_cache(maxsize=64)
def price(battery: LockBattery, dice: int) -> NDArray[np.float64]:
    """Return what every pair of throws of at most so many dice must pay, in nats by size (S,), exact.

    Pairs that share a die are not independent, so that the product of the likelihood ratios of all pairs of a throw has
    a mean M under the null that is not 1: over 1 for faces that are equal. With ln M taken off, at the dearest number
    of dice, the product has a mean of at most 1 again. The margins must be stated.
    """
    if battery.null is None:
        raise LaboratoryError("margins must be stated where a throw's pairs are added up, got none")
    ratios = np.exp(battery.log_laws[:, 0])
    prices = [np.zeros(len(ratios))]
    shown = np.zeros((1, 0), dtype=np.int8)
    chances, products = np.ones(1), np.ones((len(ratios), 1))
    for number in range(1, dice + 1):
        shown = np.column_stack((np.repeat(shown, 6, axis=0), np.tile(np.arange(6, dtype=np.int8), len(shown))))
        chances = np.outer(chances, battery.null).ravel()
        products = np.repeat(products, 6, axis=1)
        for first in range(number - 1):
            products *= ratios[:, shown[:, first], shown[:, -1]]
        if number > 2:
            prices.append(np.log(products @ chances) / (number * (number - 1) / 2))
    return np.asarray(np.max(prices, axis=0))


def lock_log10_evalue(
    tables: ArrayLike,
    lock: Lock,
    margins: Sequence[float] | None = FAIR_D6,
    *,
    together: bool = False,
) -> NDArray[np.float64]:
    """Return log10 e of a lock; see `lock_battery` and `lock_log_e`."""
    battery = lock_battery(lock, None if margins is None else tuple(margins))
    return lock_log_e(battery, tables, together=together) / LN10


def lock_path(battery: LockBattery, rows: ArrayLike, columns: ArrayLike) -> NDArray[np.float64]:
    """Return ln e after each pair (row face, column face) in order; shapes (..., throws), faces from 1.

    For the repeats of a die give `faces[:-1]` and `faces[1:]`; for a pair the faces of its two dice.
    """
    cells = face_codes(rows) * 6 + face_codes(columns)
    if cells.ndim > 1:
        paths = [lock_path(battery, r, c) for r, c in zip(np.asarray(rows), np.asarray(columns), strict=True)]
        return np.array(paths)
    sizes, laws = battery.log_laws.shape[:2]
    flat = battery.log_laws.reshape(sizes, laws, 36)
    path = np.empty(cells.size)
    likelihoods, shown = np.zeros((sizes, laws)), np.zeros(6)
    for start in range(0, cells.size, BLOCK):
        block = cells[start : start + BLOCK]
        grown = likelihoods + np.moveaxis(flat[:, :, block].cumsum(axis=-1), -1, 0)
        counts = shown + (block[:, None] % 6 == np.arange(6)).cumsum(axis=0)
        path[start : start + BLOCK] = mix_sizes(_against_independence(battery, grown, counts))
        likelihoods, shown = grown[-1], counts[-1]
    return path
