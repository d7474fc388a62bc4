"""The step of the monitors: one throw into the state of a table, by numpy or, where it is installed, compiled by numba.

Between foldings evidence is kept as plain products, each row with the logarithm that was folded away in its last place.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.sequential import Battery, component_log_e

FOLD_EVERY: Final = 64
"""Throws between foldings: products of 64 factors stay far inside the range of a floating number."""
MAGNET_SCALE: Final = 150.0
"""ln M above which a magnet's sums are scaled down; below, the 1 of each new start counts to the last digit."""

State = NDArray[np.int64]
"""A state, flat; `view(state_dtype(...))[0]` is its record."""
Record = np.void
"""The fields of `state_dtype`, which read and write the flat state."""


@dataclass(frozen=True, eq=False)
class Constants:
    """What the monitors multiply by.

    Attributes
    ----------
    battery
        The face battery: J simple and C Dirichlet components.
    chances
        Null probabilities by face, shape (7,).
    ratios
        Likelihood ratios of the battery by face, shape (7, J).
    magnets
        Likelihood ratios of the G magnets by face, shape (7, G).
    log_factors, factors
        Of the locks by cell (row - 1) x 6 + column and size, shape (37, locks, S); lock 0 is repeats.
    lock_log_weights
        Shape (locks, S); -1e250 where a lock has fewer sizes.
    horizon
        Throws within which a magnet may be switched on.

    Row 0 of the tables, for a die that was not thrown, multiplies by one.
    """

    battery: Battery
    chances: NDArray[np.float64]
    ratios: NDArray[np.float64]
    magnets: NDArray[np.float64]
    log_factors: NDArray[np.float64]
    factors: NDArray[np.float64]
    lock_log_weights: NDArray[np.float64]
    horizon: int


def state_dtype(dice: int, constants: Constants) -> np.dtype[np.void]:
    """Describe the state of a table: counts, then products, then ln e, its maximum and the throw of crossing.

    Column 0 of `moves` and `together` counts what was no transition, no pair. Monitors stand in the order of the dice's
    faces, magnets, repeats, then the box, then pair by pair its locks.
    """
    pairs, components = dice * (dice - 1) // 2, constants.battery.log_weights.size
    magnets, (_, locks, sizes) = constants.magnets.shape[1], constants.factors.shape
    monitors = 3 * dice + 1 + pairs * (locks - 1)
    return np.dtype(
        [
            ("throws", np.int64, (1,)),
            ("counts", np.int64, (dice, 6)),
            ("previous", np.int64, (dice,)),
            ("moves", np.int64, (dice, 37)),
            ("together", np.int64, (pairs, 37)),
            ("faces", np.float64, (dice, components + 1)),
            ("magnets", np.float64, (dice, magnets + 1)),
            ("repeats", np.float64, (dice + 1, sizes + 1)),
            ("locks", np.float64, (pairs, locks - 1, sizes + 1)),
            ("log_e", np.float64, (monitors,)),
            ("max_log_e", np.float64, (monitors,)),
            ("crossed", np.int64, (monitors,)),
        ]
    )


def fold(constants: Constants, state: Record) -> None:
    """Work the products out anew from the counts, the largest of each row 1, its logarithm in the last place."""
    _spread(state["faces"], component_log_e(constants.battery, state["counts"]) + constants.battery.log_weights)
    factors, weights = constants.log_factors[1:], constants.lock_log_weights
    moves = np.vstack([state["moves"], state["moves"].sum(axis=0)])[:, 1:].astype(np.float64)
    _spread(state["repeats"], moves @ factors[:, 0] + weights[0])
    if state["locks"].size:
        together = state["together"][:, 1:].astype(np.float64)
        _spread(state["locks"], np.tensordot(together, factors[:, 1:], axes=1) + weights[1:])
    magnets = state["magnets"]
    with np.errstate(divide="ignore"):
        logs = np.log(magnets[:, :-1].max(axis=1)) + magnets[:, -1]
    scale = np.where(logs > MAGNET_SCALE, logs, 0.0)
    magnets[:, :-1] *= np.exp(magnets[:, -1] - scale)[:, None]
    magnets[:, -1] = scale


def _spread(rows: NDArray[np.float64], logs: NDArray[np.float64]) -> None:
    top = logs.max(axis=-1, keepdims=True)
    rows[..., :-1] = np.exp(logs - top)
    rows[..., -1:] = top


def step(constants: Constants, state: Record, faces: NDArray[np.int64], bars: NDArray[np.float64]) -> None:
    """Take one throw in, `faces` with 0 for a die not thrown: the numpy kernel."""
    state["throws"][0] += 1
    thrown, n, dice, log_e = faces > 0, state["counts"].sum(axis=1), faces.size, state["log_e"]
    log_e[:dice] = _step_faces(constants, state, faces, thrown[:, None], n[:, None])
    log_e[dice : 2 * dice] = _step_magnets(constants, state["magnets"], faces, thrown, n + thrown)
    log_e[2 * dice : 3 * dice + 1] = _step_repeats(constants, state, faces, thrown)
    if dice > 1:
        log_e[3 * dice + 1 :] = _step_pairs(constants, state, faces, thrown)
    np.maximum(state["max_log_e"], log_e, out=state["max_log_e"])
    crossing = log_e >= bars
    if crossing.any():
        crossed = state["crossed"]
        crossed[crossing & (crossed == 0)] = state["throws"][0]


def _step_faces(
    constants: Constants, state: Record, faces: NDArray[np.int64], thrown: NDArray[np.bool_], n: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Multiply the batteries and count the faces; return ln e. `thrown`, `n` (throws before): shape (dice, 1)."""
    counts, rows, totals = state["counts"], state["faces"], constants.battery.totals
    simple, chance = constants.ratios.shape[1], constants.chances[faces][:, None]
    rows[:, :simple] *= constants.ratios[faces]
    seen = counts[_dice(faces.size), faces - 1][:, None]
    rows[:, simple:-1] *= np.where(thrown, (seen + totals * chance) / ((n + totals) * chance), 1.0)
    counts += _ONE[faces]
    log_e: NDArray[np.float64] = np.log(rows[:, :-1].sum(axis=1)) + rows[:, -1]
    return log_e


def _step_magnets(
    constants: Constants,
    rows: NDArray[np.float64],
    faces: NDArray[np.int64],
    thrown: NDArray[np.bool_],
    n: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Let a magnet start at the n-th throw of each die thrown, and multiply; return ln e."""
    unit = np.exp(-rows[:, -1])
    rows[:, :-1] += (unit * (thrown & (n <= constants.horizon)))[:, None]
    rows[:, :-1] *= constants.magnets[faces]
    mean = rows[:, :-1].sum(axis=1) / constants.magnets.shape[1]
    waiting = np.maximum(constants.horizon - n, 0) * unit
    log_e: NDArray[np.float64] = np.log(mean + waiting) + rows[:, -1] - math.log(constants.horizon)
    return log_e


def _step_repeats(
    constants: Constants, state: Record, faces: NDArray[np.int64], thrown: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Multiply the repeats of dice with a previous face, and of the box, which is all of them; return ln e."""
    previous, rows = state["previous"], state["repeats"]
    cells = np.where(thrown & (previous > 0), previous * 6 + faces - 6, 0)
    factors = constants.factors[cells, 0]
    rows[:-1, :-1] *= factors
    rows[-1, :-1] *= factors.prod(axis=0)
    state["moves"][_dice(faces.size), cells] += 1
    np.copyto(previous, faces, where=thrown)
    log_e: NDArray[np.float64] = np.log(rows[:, :-1].sum(axis=1)) + rows[:, -1]
    return log_e


def _step_pairs(
    constants: Constants, state: Record, faces: NDArray[np.int64], thrown: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Multiply the locks of all pairs thrown; return ln e, pair by pair."""
    first, second = _pairs(faces.size)
    rows = state["locks"]
    cells = np.where(thrown[first] & thrown[second], faces[first] * 6 + faces[second] - 6, 0)
    rows[:, :, :-1] *= constants.factors[cells, 1:]
    state["together"][_dice(cells.size), cells] += 1
    log_e: NDArray[np.float64] = (np.log(rows[:, :, :-1].sum(axis=2)) + rows[:, :, -1]).ravel()
    return log_e


_ONE: Final = np.vstack([np.zeros((1, 6), dtype=np.int64), np.eye(6, dtype=np.int64)])


@lru_cache(maxsize=64)
def _dice(count: int) -> NDArray[np.int64]:
    return np.arange(count)


@lru_cache(maxsize=64)
def _pairs(dice: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    first, second = np.triu_indices(dice, 1)
    return first, second


def advance(
    constants: Constants,
    dtype: np.dtype[np.void],
    state: State,
    throws: NDArray[np.int64],
    bars: NDArray[np.float64],
) -> None:
    """Take throws (throws, dice) into a state that nobody else holds, folding every 64 throws of the table."""
    compiled, done = compiled_loop(), 0
    while done < throws.shape[0]:
        block = throws[done : done + FOLD_EVERY - int(state[0]) % FOLD_EVERY]
        if compiled is not None:
            compiled(block, bars, *_tables(constants), state, state.view(np.float64))
        else:
            record = state.view(dtype)[0]
            for faces in block:
                step(constants, record, faces, bars)
        done += block.shape[0]
        if state[0] % FOLD_EVERY == 0:
            fold(constants, state.view(dtype)[0])


@lru_cache(maxsize=8)
def _tables(constants: Constants) -> tuple[Any, ...]:
    """Give the constants in the order in which the compiled loop takes them."""
    tables = (constants.chances, constants.battery.totals, constants.ratios, constants.magnets, constants.factors)
    return (*tables, float(constants.horizon))


@lru_cache(maxsize=1)
def compiled_loop() -> Callable[..., None] | None:
    """Return the loop compiled by numba, or None without it. The first call on a machine compiles for some seconds."""
    if find_spec("numba") is None:
        return None
    from integrity.kernel_numba import advance_flat

    return advance_flat
