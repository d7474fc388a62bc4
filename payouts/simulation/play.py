"""Sessions of an automaton at the speed of the machine: numba where installed, numpy otherwise.

Everything that a table's accounts can tell is a dot product with the counts of (state, throw); the running net and the
low point are kept beside them. Small automata are thrown two throws at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from payouts.dice import FAIR, Dice
from payouts.errors import PayoutError
from payouts.simulation.automaton import Automaton
from payouts.simulation.draws import UNIT, Draws, draws

PAIR_CELLS = 1 << 16
"""Largest table of states times pairs of throws; larger ones fall out of the cache and are thrown one at a time."""
BATCH = 1 << 13
CHUNK_THROWS = 1 << 27


class Engine(StrEnum):
    """Which loop plays."""

    NUMBA = "numba"
    NUMPY = "numpy"


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """What bulk play leaves.

    Attributes
    ----------
    counts
        (S, 36) how often a throw fell in a state.
    net, low
        (sessions,) the player's net at the end and its lowest value on the way (at most 0), minor units; None where
        they were not kept.
    """

    automaton: Automaton
    engine: Engine
    sessions: int
    counts: NDArray[np.int64]
    net: NDArray[np.int64] | None
    low: NDArray[np.int64] | None

    @property
    def throws(self) -> int:
        """Throws of all sessions, those that finished them included."""
        return int(self.counts.sum())


def simulate(
    automaton: Automaton,
    sessions: int,
    throws: int,
    rng: np.random.Generator,
    *,
    dice: Dice = FAIR,
    track: bool = True,
    engine: Engine | None = None,
    progress: Callable[[int], None] | None = None,
) -> Play:
    """Play sessions of at least `throws` throws each, on to the first moment at which every bet is as at the start.

    Going on to that moment makes every session a number of whole cycles, so that no figure is biased by bets cut off.

    Parameters
    ----------
    dice
        The law of a throw, met to 2**-31 for every draw of one or two throws.
    track
        Keep the running net and the low point of every session.
    engine
        The fastest that is installed, if None. Engines draw different throws from the same `rng`.
    progress
        Called now and then with the number of throws played since the last call.

    Raises
    ------
    PayoutError
        No sessions or throws, or an engine that is not installed.
    """
    for name, value in (("sessions", sessions), ("throws", throws)):
        if value < 1:
            raise PayoutError(f"{name} must be at least 1, got {value}")
    chosen = engine or fastest()
    loop = _numba_loop(rng) if chosen is Engine.NUMBA else _numpy_loop(rng)
    singles = _steps(automaton, 1, dice)
    steps = _steps(automaton, 2, dice) if automaton.states * 36**2 <= PAIR_CELLS else singles
    report = progress or (lambda done: None)
    counts = np.zeros(automaton.states * steps.draws.cells, np.int64)
    rest = np.zeros(automaton.states * 36, np.int64)
    nets, lows = [], []
    for first in range(0, sessions, BATCH):
        tables = np.zeros((3, min(BATCH, sessions - first)), np.int64)
        left = throws
        while left >= 2 * steps.throws:
            words = max(1, min(left, CHUNK_THROWS // tables.shape[1]) // (2 * steps.throws))
            loop(steps, words, counts, tables, track)
            left -= words * 2 * steps.throws
            report(words * 2 * steps.throws * tables.shape[1])
        tables[0] //= steps.draws.cells
        _finish(singles, left, rng, rest, tables)
        nets.append(tables[1])
        lows.append(tables[2])
    total = rest.reshape(automaton.states, 36) + _singled(automaton, steps.throws, counts)
    kept = (np.concatenate(nets), np.concatenate(lows)) if track else (None, None)
    return Play(automaton, chosen, sessions, total, *kept)


def fastest() -> Engine:
    """The fastest engine that is installed."""
    try:
        import numba  # noqa: F401
    except ImportError:
        return Engine.NUMPY
    return Engine.NUMBA


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """An automaton over draws of `throws` throws, by cell = state * K + draw.

    `moves` is (3, S * K): first cell of the next state, net gain, lowest net within the draw (at most 0). Sessions are
    kept as (3, n): first cell of the state, running net, low point.
    """

    throws: int
    draws: Draws
    moves: NDArray[np.int64]


_Loop = Callable[[_Steps, int, NDArray[np.int64], NDArray[np.int64], bool], None]


def _steps(automaton: Automaton, throws: int, dice: Dice) -> _Steps:
    successor, gain = automaton.successor, automaton.gain.sum(axis=0)
    dip = np.minimum(gain, 0)
    if throws == 2:
        gain, successor, after = gain[:, :, None] + gain[successor], successor[successor], gain
        dip = np.minimum(np.minimum(after, 0)[:, :, None], gain)
    table = draws(dice, throws)
    return _Steps(throws, table, np.stack([(successor * table.cells).ravel(), gain.ravel(), dip.ravel()]))


def _singled(automaton: Automaton, throws: int, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """(S, 36) counts of single throws from those of draws."""
    if throws == 1:
        return counts.reshape(automaton.states, 36)
    pairs = counts.reshape(automaton.states, 36, 36)
    singles: NDArray[np.int64] = pairs.sum(axis=2)
    np.add.at(singles, automaton.successor.ravel(), pairs.reshape(-1, 36))
    return singles


def _numba_loop(rng: np.random.Generator) -> _Loop:
    try:
        from payouts.simulation.kernels import LANES, play_lanes
    except ImportError as missing:
        raise PayoutError("engine must be numpy where the extra `fast` is not installed, got numba") from missing
    stream = rng.integers(0, 2**64, (4, LANES), dtype=np.uint64)

    def loop(steps: _Steps, words: int, counts: NDArray[np.int64], tables: NDArray[np.int64], track: bool) -> None:
        n = tables.shape[1]
        whole = n // LANES * LANES
        table = steps.draws
        for part, lanes in ((slice(0, whole), LANES), (slice(whole, n), max(1, n - whole))):
            groups = tables[:, part].reshape(3, -1, lanes)
            play_lanes(steps.moves, table.threshold, table.alias, table.uniform, track, words, stream, counts, groups)
            tables[:, part] = groups.reshape(3, -1)

    return loop


def _numpy_loop(rng: np.random.Generator) -> _Loop:
    buffered = 32

    def loop(steps: _Steps, words: int, counts: NDArray[np.int64], tables: NDArray[np.int64], track: bool) -> None:
        at, net, low = tables
        successor, gain, dip = steps.moves
        cells = np.empty((buffered, len(at)), np.int64)
        moved = np.empty(len(at), np.int64)
        for done in range(0, 2 * words, buffered):
            rows = min(buffered, 2 * words - done)
            drawn = _drawn(steps.draws, rng, (rows, len(at)))
            for cell, draw in zip(cells, drawn, strict=False):
                np.add(at, draw, out=cell)
                successor.take(cell, out=at, mode="clip")
                if track:
                    dip.take(cell, out=moved, mode="clip")
                    moved += net
                    np.minimum(low, moved, out=low)
                    gain.take(cell, out=moved, mode="clip")
                    net += moved
            counts += np.bincount(cells[:rows].ravel(), minlength=len(counts))

    return loop


def _drawn(table: Draws, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64] | NDArray[np.uint16]:
    """Draw cells of an alias table."""
    if table.uniform:
        return rng.integers(0, table.cells, shape, dtype=np.uint16)
    scaled = rng.integers(0, UNIT, shape, dtype=np.uint64) * np.uint64(table.cells)
    cell = (scaled >> np.uint64(32)).astype(np.int64)
    kept = (scaled & np.uint64(UNIT - 1)) < table.threshold[cell]
    return np.where(kept, cell, table.alias[cell])


def _finish(
    steps: _Steps, least: int, rng: np.random.Generator, counts: NDArray[np.int64], tables: NDArray[np.int64]
) -> None:
    """Play `least` throws more, then every session on until it is in state 0; states are numbers here."""
    state, net, low = tables
    successor, gain, dip = steps.moves
    active = np.arange(len(state))
    thrown = 0
    while len(active):
        if thrown >= least:
            active = active[state[active] != 0]
        cell = state[active] * 36 + _drawn(steps.draws, rng, (len(active),))
        counts += np.bincount(cell, minlength=len(counts))
        low[active] = np.minimum(low[active], net[active] + dip[cell])
        net[active] += gain[cell]
        state[active] = successor[cell] // 36
        thrown += 1
