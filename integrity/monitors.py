"""All monitors of one table, live: batteries, magnets, repeats, the box, pairs; state in, state out.

The e-processes are those of `sequential`, `change` and `locks`, the same numbers to 1e-9 in log10 e. Between foldings
they are kept as plain products, which is what makes a throw cheap; every 64 throws the products are folded into
logarithms, worked out anew from the counts. Where numba is installed (the `fast` extra) the step is compiled.

One budget of false alarms is shared over all monitors by weights that add to 1: a monitor of weight w alarms at
e >= 1 / (w alpha), and the chance that any of them ever accuses a fair table is at most alpha.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.change import HORIZON, magnet_detector
from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6
from integrity.kernel import Constants, State, advance, fold, state_dtype
from integrity.locks import EXCESSES, Lock, lock_battery, lock_log_e
from integrity.sequential import IMPOSSIBLE, face_battery
from integrity.tails import LN10

WEIGHTS: Final = {"faces": 0.45, "magnet": 0.2, "repeats": 0.1, "box": 0.05, "pairs": 0.2}
"""How the budget is shared over kinds of monitors; each kind's share is spread evenly over dice, or pairs and locks."""
PAIR_LOCKS: Final[tuple[Lock, ...]] = ("equal", "seven", "eleven", "no_seven")
ALPHA: Final = 0.01


@dataclass(frozen=True, eq=False)
class Panel:
    """The monitors of a table with a fixed number of dice.

    Attributes
    ----------
    dice
        Dice in play, 1 to 8, told apart.
    names
        (kind, dice) of every monitor: "faces", "magnet", "repeats" with one die, "box" with all (any of them keeps its
        face), and "equal", "seven", "eleven", "no_seven" with a pair. Dice count from 0.
    weights
        Shares of the budget, adding to 1.
    bars
        ln e at which each alarms.
    constants, dtype
        What the kernel works with, and how it lays out its state.
    """

    dice: int
    names: tuple[tuple[str, tuple[int, ...]], ...]
    weights: NDArray[np.float64]
    bars: NDArray[np.float64]
    constants: Constants
    dtype: np.dtype[np.void]


@dataclass(frozen=True, slots=True)
class Alarm:
    """A monitor that has crossed its bar.

    Attributes
    ----------
    kind, dice
        Which monitor, as in `Panel.names`.
    max_log10_evalue
        Its greatest log10 e.
    throw
        Throw of the table at which it crossed.
    given_bias_log10_evalue
        For what follows or goes together: log10 e now, whatever the margins of the dice. A loaded die repeats and
        matches more often without any memory: bias first, dependence given bias. None for faces and magnets.
    """

    kind: str
    dice: tuple[int, ...]
    max_log10_evalue: float
    throw: int
    given_bias_log10_evalue: float | None = None


@lru_cache(maxsize=32)
def panel(dice: int, null: tuple[float, ...] = FAIR_D6, *, alpha: float = ALPHA, horizon: int = HORIZON) -> Panel:
    """Build the monitors of a table of `dice` six-sided dice with one budget `alpha`."""
    if not 1 <= dice <= 8 or len(null) != 6:
        raise LaboratoryError(f"dice must be 1 to 8, of six faces, got {dice} of {len(null)} faces")
    if not 0.0 < alpha < 1.0:
        raise LaboratoryError(f"alpha must be between 0 and 1, got {alpha}")
    pairs = [(a, b) for a in range(dice) for b in range(a + 1, dice)]
    names: list[tuple[str, tuple[int, ...]]] = [
        (kind, (die,)) for kind in ("faces", "magnet", "repeats") for die in range(dice)
    ]
    names.append(("box", tuple(range(dice))))
    names += [(lock, pair) for pair in pairs for lock in PAIR_LOCKS]
    shares = {"faces": dice, "magnet": dice, "repeats": dice, "box": 1}
    weights = np.array(
        [WEIGHTS[k] / shares[k] if k in shares else WEIGHTS["pairs"] / (4 * len(pairs)) for k, _ in names]
    )
    weights /= weights.sum()
    constants = _constants(null, horizon)
    return Panel(dice, tuple(names), weights, -np.log(weights * alpha), constants, state_dtype(dice, constants))


def _constants(null: tuple[float, ...], horizon: int) -> Constants:
    battery, detector = face_battery(null), magnet_detector(null, horizon)
    locks = [lock_battery("repeats", null), *(lock_battery(lock, null) for lock in PAIR_LOCKS)]
    log_factors = np.zeros((37, len(locks), len(EXCESSES)))
    log_weights = np.full((len(locks), len(EXCESSES)), IMPOSSIBLE)
    for lock, found in enumerate(locks):
        count = found.sizes.size
        log_factors[1:, lock, :count] = found.log_laws[:, 0].reshape(count, 36).T
        log_weights[lock, :count] = -np.log(count)
    laws = np.hstack([battery.log_ratios.T, np.zeros((6, len(battery.totals))), detector.log_ratios.T])
    return Constants(
        battery=battery,
        ratios=np.exp(np.vstack([np.zeros(laws.shape[1]), laws])),
        inverse=np.concatenate([[1.0], 1.0 / battery.null]),
        log_factors=log_factors,
        factors=np.exp(log_factors),
        lock_log_weights=log_weights,
        magnets=len(detector.magnets),
        horizon=horizon,
    )


def start(panel: Panel) -> State:
    """Return the state before the first throw: all that the monitors know, a flat array of 8-byte numbers."""
    state, dice = np.zeros(panel.dtype.itemsize // 8, dtype=np.int64), panel.dice
    # nothing is folded away from the magnets yet but their share, which `fold` finds there
    field(panel, state, "folded")[dice : 2 * dice] = -math.log(panel.constants.magnets * panel.constants.horizon)
    fold(panel.constants, state.view(panel.dtype)[0])
    return state


def observe(panel: Panel, state: State, faces: Sequence[int]) -> State:
    """Return the state after one more throw; `state` is left as it was.

    Parameters
    ----------
    panel, state
        The monitors and what they know.
    faces
        One number for each die of the panel: 1 to 6, or 0 for a die that was not thrown. Void throws are not observed.
    """
    if len(faces) != panel.dice or not all(0 <= face <= 6 for face in faces):
        raise LaboratoryError(f"faces must be {panel.dice} numbers from 0 (not thrown) to 6, got {tuple(faces)}")
    after = state.copy()
    advance(panel.constants, panel.dtype, after, np.array([faces], dtype=np.int64), panel.bars)
    return after


def observe_all(panel: Panel, state: State, faces: NDArray[np.int64]) -> State:
    """Return the state after many throws, shape (throws, dice): as `observe` one after the other."""
    if faces.ndim != 2 or faces.shape[1] != panel.dice or (faces.size and (faces.min() < 0 or faces.max() > 6)):
        raise LaboratoryError(f"faces must be rows of {panel.dice} numbers from 0 (not thrown) to 6")
    after = state.copy()
    advance(panel.constants, panel.dtype, after, np.ascontiguousarray(faces), panel.bars)
    return after


def field(panel: Panel, state: State, name: str) -> NDArray[Any]:
    """Return one field of a state, to read: see `kernel.state_dtype`."""
    found: NDArray[Any] = state.view(panel.dtype)[name][0]
    return found


def break_order(panel: Panel, state: State) -> State:
    """Return the state after a change of box: the next face of a die is not a repeat of its last."""
    after = state.copy()
    field(panel, after, "previous")[:] = 0
    return after


def log10_evalues(panel: Panel, state: State) -> NDArray[np.float64]:
    """Return log10 e of every monitor now, in the order of `Panel.names`."""
    return field(panel, state, "log_e") / LN10


def max_log10_evalues(panel: Panel, state: State) -> NDArray[np.float64]:
    """Return the running maximum of log10 e of every monitor, at least 0."""
    return field(panel, state, "max_log_e") / LN10


def alarms(panel: Panel, state: State) -> tuple[Alarm, ...]:
    """List the monitors that have crossed their bar, in the order in which they did; an alarm never goes back."""
    crossed, greatest = field(panel, state, "crossed").tolist(), max_log10_evalues(panel, state).tolist()
    found = [
        Alarm(*panel.names[monitor], greatest[monitor], throw, _given_bias(panel, state, monitor))
        for monitor, throw in enumerate(crossed)
        if throw
    ]
    return tuple(sorted(found, key=lambda alarm: alarm.throw))


def _given_bias(panel: Panel, state: State, monitor: int) -> float | None:
    """Weigh a lock whatever the margins: log10 e, None for a monitor of faces."""
    kind, dice = panel.names[monitor]
    if kind in ("faces", "magnet"):
        return None
    moves = field(panel, state, "moves")[:, 1:].reshape(-1, 6, 6)
    if kind in ("repeats", "box"):
        battery = lock_battery("repeats", None)
        return float(lock_log_e(battery, moves[list(dice)], together=True) / LN10)
    pair = (monitor - 3 * panel.dice - 1) // len(PAIR_LOCKS)
    lock = next(each for each in PAIR_LOCKS if each == kind)
    table = field(panel, state, "together")[pair, 1:].reshape(6, 6)
    return float(lock_log_e(lock_battery(lock, None), table) / LN10)


def save(panel: Panel, state: State) -> bytes:
    """Return the state as bytes, exactly, after eight bytes that name the monitors."""
    return _fingerprint(panel) + state.tobytes()


def restore(panel: Panel, saved: bytes) -> State:
    """Return the state that `save` wrote, or refuse one of other monitors: those are replayed from the history."""
    if len(saved) != 8 + panel.dtype.itemsize or saved[:8] != _fingerprint(panel):
        raise LaboratoryError(f"saved state must be of these monitors of {panel.dice} dice, got another's")
    return np.frombuffer(saved, dtype=np.int64, offset=8).copy()


@lru_cache(maxsize=32)
def _fingerprint(panel: Panel) -> bytes:
    """Hash everything that a state's meaning depends on."""
    tables = panel.constants
    parts = (tables.ratios, tables.battery.log_weights, tables.battery.totals, tables.factors, panel.bars)
    digest = sha256(repr((panel.names, tables.horizon)).encode())
    for part in parts:
        digest.update(part.tobytes())
    return digest.digest()[:8]
