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
    ratios
        Its likelihood ratios, shape (6, J).
    magnets
        Likelihood ratios of the G magnets, shape (6, G).
    log_factors, factors
        Of the locks by cell (row x 6 + column) and size, shape (locks, 36, S); lock 0 is repeats.
    lock_log_weights
        Shape (locks, S); -1e250 where a lock has fewer sizes.
    horizon
        Throws within which a magnet may be switched on.
    """

    battery: Battery
    ratios: NDArray[np.float64]
    magnets: NDArray[np.float64]
    log_factors: NDArray[np.float64]
    factors: NDArray[np.float64]
    lock_log_weights: NDArray[np.float64]
    horizon: int


def state_dtype(dice: int, constants: Constants) -> np.dtype[np.void]:
    """Describe the state of a table: counts first, then products, then ln e, its maximum and the throw of crossing."""
    pairs, components = dice * (dice - 1) // 2, constants.battery.log_weights.size
    magnets, (locks, _, sizes) = constants.magnets.shape[1], constants.factors.shape
    monitors = 3 * dice + 1 + pairs * (locks - 1)
    return np.dtype(
        [
            ("throws", np.int64, (1,)),
            ("counts", np.int64, (dice, 6)),
            ("previous", np.int64, (dice,)),
            ("moves", np.int64, (dice, 36)),
            ("together", np.int64, (pairs, 36)),
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
    factors, weights = constants.log_factors, constants.lock_log_weights
    moves = np.vstack([state["moves"], state["moves"].sum(axis=0)]).astype(np.float64)
    _spread(state["repeats"], moves @ factors[0] + weights[0])
    if state["locks"].size:
        together = state["together"].astype(np.float64)
        _spread(state["locks"], np.einsum("pc,lcs->pls", together, factors[1:]) + weights[1:])
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
    thrown = np.flatnonzero(faces)
    shown = faces[thrown] - 1
    log_e = state["log_e"]
    n = state["counts"][thrown].sum(axis=1)
    log_e[3 * thrown] = _step_faces(constants, state, thrown, shown, n)
    log_e[3 * thrown + 1] = _step_magnets(constants, state, thrown, shown, n + 1)
    previous = state["previous"][thrown]
    again = thrown[previous > 0]
    if again.size:
        _step_repeats(constants, state, again, (previous[previous > 0] - 1) * 6 + shown[previous > 0])
    state["previous"][thrown] = shown + 1
    if thrown.size > 1:
        _step_pairs(constants, state, thrown, shown)
    np.maximum(state["max_log_e"], log_e, out=state["max_log_e"])
    crossing = (log_e >= bars) & (state["crossed"] == 0)
    state["crossed"][crossing] = state["throws"][0]


def _step_faces(
    constants: Constants, state: Record, thrown: NDArray[np.int64], shown: NDArray[np.int64], n: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Multiply the batteries of the dice thrown, each `n` times thrown before; return their ln e."""
    battery, simple = constants.battery, constants.ratios.shape[1]
    counts, chance = state["counts"], battery.null[shown][:, None]
    rows = state["faces"][thrown]
    rows[:, :simple] *= constants.ratios[shown]
    seen = counts[thrown, shown][:, None]
    rows[:, simple:-1] *= (seen + battery.totals * chance) / ((n[:, None] + battery.totals) * chance)
    state["faces"][thrown] = rows
    counts[thrown, shown] += 1
    log_e: NDArray[np.float64] = np.log(rows[:, :-1].sum(axis=1)) + rows[:, -1]
    return log_e


def _step_magnets(
    constants: Constants, state: Record, thrown: NDArray[np.int64], shown: NDArray[np.int64], n: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Let a magnet start at this throw, the n-th of each die, and multiply; return ln e of the dice thrown."""
    rows = state["magnets"][thrown]
    unit = np.exp(-rows[:, -1])
    rows[:, :-1] += np.where(n <= constants.horizon, unit, 0.0)[:, None]
    rows[:, :-1] *= constants.magnets[shown]
    state["magnets"][thrown] = rows
    waiting = np.maximum(constants.horizon - n, 0) * unit
    log_e: NDArray[np.float64] = np.log(rows[:, :-1].mean(axis=1) + waiting) + rows[:, -1] - math.log(constants.horizon)
    return log_e


def _step_repeats(constants: Constants, state: Record, again: NDArray[np.int64], cells: NDArray[np.int64]) -> None:
    """Multiply the repeats of dice with a previous face, and of the box, which is all of them."""
    rows = state["repeats"]
    factors = constants.factors[0, cells]
    rows[again, :-1] *= factors
    rows[-1, :-1] *= factors.prod(axis=0)
    state["moves"][again, cells] += 1
    logs = np.log(rows[:, :-1].sum(axis=1)) + rows[:, -1]
    dice = rows.shape[0] - 1
    state["log_e"][2 : 3 * dice : 3] = logs[:-1]
    state["log_e"][3 * dice] = logs[-1]


def _step_pairs(constants: Constants, state: Record, thrown: NDArray[np.int64], shown: NDArray[np.int64]) -> None:
    """Multiply the locks of all pairs thrown."""
    first, second, pairs = _pairs_of(state["previous"].size, tuple(thrown.tolist()))
    cells = shown[first] * 6 + shown[second]
    rows = state["locks"]
    rows[pairs, :, :-1] *= constants.factors[1:, cells].swapaxes(0, 1)
    state["together"][pairs, cells] += 1
    logs = np.log(rows[pairs, :, :-1].sum(axis=2)) + rows[pairs, :, -1]
    state["log_e"][3 * state["previous"].size + 1 :].reshape(-1, rows.shape[1])[pairs] = logs


@lru_cache(maxsize=1024)
def _pairs_of(dice: int, thrown: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return, for all pairs of the dice thrown, their places among those thrown and the number of the pair."""
    first, second = np.triu_indices(len(thrown), 1)
    a, b = np.array(thrown)[first], np.array(thrown)[second]
    return first, second, a * (2 * dice - a - 1) // 2 + b - a - 1


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
    battery = constants.battery
    tables = (battery.null, battery.totals, constants.ratios, constants.magnets, constants.factors)
    return (*tables, float(constants.horizon))


@lru_cache(maxsize=1)
def compiled_loop() -> Callable[..., None] | None:
    """Return the loop compiled by numba, or None without it. The first call on a machine compiles for some seconds."""
    if find_spec("numba") is None:
        return None
    from integrity.kernel_numba import advance_flat

    return advance_flat
