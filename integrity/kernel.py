"""The step of the monitors: one throw into the state of a table, by numpy or, where it is installed, compiled by numba.

Between foldings evidence is kept as plain products; the logarithm that was folded away from each stands in `folded`.
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
Record = np.void | NDArray[np.void]
"""The fields of `state_dtype`, which read and write the flat state."""


@dataclass(frozen=True, eq=False)
class Constants:
    """What the monitors multiply by.

    Attributes
    ----------
    battery
        The face battery: J simple and C Dirichlet components.
    ratios
        Likelihood ratios by face: J of the battery, C ones in the place of the Dirichlet components, G of the magnets;
        shape (7, J + C + G).
    inverse
        1 / null probability by face, shape (7,).
    log_factors, factors
        Of the locks by cell (row - 1) x 6 + column and size, shape (37, locks, S); lock 0 is repeats.
    lock_log_weights
        Shape (locks, S); -1e250 where a lock has fewer sizes.
    magnets
        Their number G.
    horizon
        Throws within which a magnet may be switched on.

    Row 0 of the tables, for a die that was not thrown, multiplies by one.
    """

    battery: Battery
    ratios: NDArray[np.float64]
    inverse: NDArray[np.float64]
    log_factors: NDArray[np.float64]
    factors: NDArray[np.float64]
    lock_log_weights: NDArray[np.float64]
    magnets: int
    horizon: int


def state_dtype(dice: int, constants: Constants) -> np.dtype[np.void]:
    """Describe the state of a table: counts, then products, then ln e, its maximum and the throw of crossing.

    Column 0 of `counts` is the number of throws of a die; of `moves` and `together`, what was no transition, no pair.
    Monitors stand in the order of the dice's faces, magnets, repeats, then the box, then pair by pair its locks. `met`
    is `moves` and `together`, `links` is `repeats` and `locks`, each read as one.
    """
    pairs, (_, locks, sizes) = dice * (dice - 1) // 2, constants.factors.shape
    monitors = 3 * dice + 1 + pairs * (locks - 1)
    plain = np.dtype(
        [
            ("throws", np.int64, (1,)),
            ("counts", np.int64, (dice, 7)),
            ("previous", np.int64, (dice,)),
            ("moves", np.int64, (dice, 37)),
            ("together", np.int64, (pairs, 37)),
            ("dice", np.float64, (dice, constants.ratios.shape[1])),
            ("repeats", np.float64, (dice + 1, sizes)),
            ("locks", np.float64, (pairs, locks - 1, sizes)),
            ("folded", np.float64, (monitors,)),
            ("log_e", np.float64, (monitors,)),
            ("max_log_e", np.float64, (monitors,)),
            ("crossed", np.int64, (monitors,)),
        ]
    )
    at = {name: plain.fields[name] for name in plain.names or ()} if plain.fields else {}
    joined = {
        "met": (np.dtype((np.int64, (dice + pairs, 37))), at["moves"][1]),
        "links": (np.dtype((np.float64, (dice + 1 + pairs * (locks - 1), sizes))), at["repeats"][1]),
    }
    every = {**at, **joined}
    formats, offsets = [each[0] for each in every.values()], [each[1] for each in every.values()]
    return np.dtype({"names": [*every], "formats": formats, "offsets": offsets, "itemsize": plain.itemsize})


def fold(constants: Constants, state: Record) -> None:
    """Work the products out anew from the counts, the largest of each monitor 1, its logarithm folded away."""
    rows, folded, components = state["dice"], state["folded"], constants.battery.log_weights.size
    dice = rows.shape[0]
    logs = component_log_e(constants.battery, state["counts"][:, 1:]) + constants.battery.log_weights
    folded[:dice] = _spread(rows[:, :components], logs)
    _scale_magnets(constants, rows[:, components:], folded[dice : 2 * dice])
    factors, weights = constants.log_factors[1:], constants.lock_log_weights
    moves = np.vstack([state["moves"], state["moves"].sum(axis=0)])[:, 1:].astype(np.float64)
    folded[2 * dice : 3 * dice + 1] = _spread(state["repeats"], moves @ factors[:, 0] + weights[0])
    if dice > 1:
        together = state["together"][:, 1:].astype(np.float64)
        logs = np.tensordot(together, factors[:, 1:], axes=1) + weights[1:]
        folded[3 * dice + 1 :] = _spread(state["locks"], logs).ravel()


def _spread(rows: NDArray[np.float64], logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Write e^(logs - greatest) into rows; return the greatest of each."""
    top: NDArray[np.float64] = logs.max(axis=-1)
    rows[...] = np.exp(logs - top[..., None])
    return top


def _scale_magnets(constants: Constants, rows: NDArray[np.float64], folded: NDArray[np.float64]) -> None:
    """Scale the sums of magnets down where they have grown large; `folded` has -ln(G x horizon) in it besides."""
    share = math.log(constants.magnets * constants.horizon)
    with np.errstate(divide="ignore"):
        logs = np.log(rows.max(axis=1)) + folded + share
    scale = np.where(logs > MAGNET_SCALE, logs, 0.0)
    rows *= np.exp(folded + share - scale)[:, None]
    folded[:] = scale - share


_CELL: Final = np.array([[(row - 1) * 6 + column if row and column else 0 for column in range(7)] for row in range(7)])
"""Cell of (row, column), 0 where either was not thrown."""
_ONE: Final = np.array([[int(face > 0 and column in (0, face)) for column in range(7)] for face in range(7)])
"""What a face adds to the counts of its die."""
_THROWN: Final = np.array([0.0, *[1.0] * 6])


def step(constants: Constants, state: Record, faces: NDArray[np.int64], bars: NDArray[np.float64]) -> None:
    """Take one throw in, `faces` with 0 for a die not thrown: the numpy kernel."""
    dice, log_e = faces.size, state["log_e"]
    state["throws"][0] += 1
    log_e[: 2 * dice] = _step_dice(constants, state, faces).ravel()
    log_e[2 * dice :] = _step_links(constants, state, faces)
    np.log(log_e, out=log_e)
    log_e += state["folded"]
    np.maximum(state["max_log_e"], log_e, out=state["max_log_e"])
    crossing = log_e >= bars
    if crossing.any():
        crossed = state["crossed"]
        crossed[crossing & (crossed == 0)] = state["throws"][0]


def _step_dice(constants: Constants, state: Record, faces: NDArray[np.int64]) -> NDArray[np.float64]:
    """Multiply batteries and magnets, count the faces; return the sums of both kinds, shape (2, dice)."""
    counts, rows, dice = state["counts"], state["dice"], faces.size
    components, totals = constants.battery.log_weights.size, constants.battery.totals
    unit = np.exp(-state["folded"][dice : 2 * dice]) / (constants.magnets * constants.horizon)
    starts = unit * _THROWN.take(faces)
    if state["throws"][0] > constants.horizon:
        starts *= counts[:, 0] < constants.horizon
    rows[:, components:] += starts[:, None]
    rows *= constants.ratios.take(faces, axis=0)
    # column 0 counts all throws, so that a die not thrown multiplies by (n + c) / (n + c)
    seen = counts.take(_starts(dice, 7) + faces) * constants.inverse.take(faces)
    rows[:, components - totals.size : components] *= (seen[:, None] + totals) / (counts[:, :1] + totals)
    counts += _ONE.take(faces, axis=0)
    sums = np.add.reduceat(rows, (0, components), axis=1).T
    sums[1] += constants.magnets * unit * np.maximum(constants.horizon - counts[:, 0], 0)
    return sums


def _step_links(constants: Constants, state: Record, faces: NDArray[np.int64]) -> NDArray[np.float64]:
    """Multiply the repeats of dice with a previous face and of the box, which is all of them, and the locks of pairs.

    Return the sums, shape (dice + 1 + pairs * (locks - 1),).
    """
    previous, repeats, met, dice = state["previous"], state["repeats"], state["met"], faces.size
    first, second = _links(dice)
    shown = np.concatenate((previous, faces))
    cells = _CELL.take(7 * shown.take(first) + shown.take(second))
    factors = constants.factors.take(cells, axis=0)
    own = factors[:dice, 0]
    repeats[:-1] *= own
    repeats[-1] *= np.multiply.reduce(own)
    if dice > 1:
        locks = state["locks"]
        locks *= factors[dice:, 1:]
    met.reshape(-1)[_starts(cells.size, 37) + cells] += 1
    np.copyto(previous, faces, where=faces > 0)
    sums: NDArray[np.float64] = np.add.reduce(state["links"], axis=1)
    return sums


@lru_cache(maxsize=64)
def _starts(rows: int, width: int) -> NDArray[np.int64]:
    """Give where each row of a table starts."""
    return np.arange(rows) * width


@lru_cache(maxsize=64)
def _links(dice: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give both ends of each link, among the previous faces and then these: a die with itself, and the pairs."""
    first, second = np.triu_indices(dice, 1)
    each = np.arange(dice)
    return np.concatenate((each, dice + first)), np.concatenate((dice + each, dice + second))


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
            record = np.ndarray((), dtype, state)
            for faces in block:
                step(constants, record, faces, bars)
        done += block.shape[0]
        if state[0] % FOLD_EVERY == 0:
            fold(constants, state.view(dtype)[0])


@lru_cache(maxsize=8)
def _tables(constants: Constants) -> tuple[Any, ...]:
    """Give the constants in the order in which the compiled loop takes them."""
    tables = (constants.battery.totals, constants.ratios, constants.inverse, constants.factors)
    return (*tables, constants.magnets, constants.horizon)


@lru_cache(maxsize=1)
def compiled_loop() -> Callable[..., None] | None:
    """Return the loop compiled by numba, or None without it. The first call on a machine compiles for some seconds."""
    if find_spec("numba") is None:
        return None
    from integrity.kernel_numba import advance_flat

    return advance_flat
