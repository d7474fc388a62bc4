"""The step of the monitors compiled by numba: the same numbers as `kernel.step`, written as loops.

Imported only where the extra `fast` is installed.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True)
def advance_flat(block, bars, chances, totals, ratios, magnet_ratios, factors, horizon, ints, floats):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    """Take a block of throws (throws, dice) into a flat state, seen as integers and as floating numbers."""
    dice, (_, locks, sizes), monitors = block.shape[1], factors.shape, bars.size
    pairs = dice * (dice - 1) // 2
    shapes = (
        (dice, 6),
        (1, dice),
        (dice, 37),
        (pairs, 37),
        (dice, ratios.shape[1] + totals.size + 1),
        (dice, magnet_ratios.shape[1] + 1),
        (dice + 1, sizes + 1),
        (pairs * (locks - 1), sizes + 1),
        (3, monitors),
    )
    ends = np.ones(len(shapes) + 1, dtype=np.int64)
    for i, shape in enumerate(shapes):
        ends[i + 1] = ends[i] + shape[0] * shape[1]
    last = ends[8]
    loop(
        block,
        bars,
        chances,
        totals,
        ratios,
        magnet_ratios,
        factors,
        horizon,
        ints[:1],
        ints[ends[0] : ends[1]].reshape(shapes[0]),
        ints[ends[1] : ends[2]],
        ints[ends[2] : ends[3]].reshape(shapes[2]),
        ints[ends[3] : ends[4]].reshape(shapes[3]),
        floats[ends[4] : ends[5]].reshape(shapes[4]),
        floats[ends[5] : ends[6]].reshape(shapes[5]),
        floats[ends[6] : ends[7]].reshape(shapes[6]),
        floats[ends[7] : ends[8]].reshape(pairs, locks - 1, sizes + 1),
        floats[last : last + monitors],
        floats[last + monitors : last + 2 * monitors],
        ints[last + 2 * monitors :],
    )


@njit(cache=True)
def loop(  # type: ignore[no-untyped-def]  # noqa: PLR0917
    block,
    bars,
    chances,
    totals,
    ratios,
    magnet_ratios,
    factors,
    horizon,
    throws,
    counts,
    previous,
    moves,
    together,
    faces,
    magnets,
    repeats,
    locks,
    log_e,
    max_log_e,
    crossed,
):
    """Take a block of throws (throws, dice) in; the fields of the state are changed in place."""
    dice = counts.shape[0]
    for t in range(block.shape[0]):
        throws[0] += 1
        for die in range(dice):
            face = block[t, die]
            if face == 0:
                moves[die, 0] += 1
                continue
            log_e[die] = step_faces(counts[die], faces[die], face, chances, totals, ratios)
            log_e[dice + die] = step_magnets(counts[die], magnets[die], magnet_ratios[face], horizon)
            cell = (previous[die] - 1) * 6 + face if previous[die] > 0 else 0
            moves[die, cell] += 1
            log_e[2 * dice + die] = multiply(repeats[die], factors[cell, 0])
            log_e[3 * dice] = multiply(repeats[dice], factors[cell, 0])
            previous[die] = face
        step_pairs(block[t], together, locks, factors, log_e)
        for monitor in range(log_e.size):
            max_log_e[monitor] = max(max_log_e[monitor], log_e[monitor])
            if crossed[monitor] == 0 and log_e[monitor] >= bars[monitor]:
                crossed[monitor] = throws[0]


@njit(cache=True)
def multiply(row, factors):  # type: ignore[no-untyped-def]
    """Multiply a row of products, the last place left alone; return ln of its sum, what was folded away in it."""
    total = 0.0
    for j in range(factors.size):
        row[j] *= factors[j]
        total += row[j]
    return math.log(total) + row[factors.size]


@njit(cache=True)
def step_faces(counts, row, face, chances, totals, ratios):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    """Multiply the battery of one die and count its face; return ln e."""
    simple, total, chance = ratios.shape[1], 0.0, chances[face]
    n = counts.sum()
    for j in range(simple):
        row[j] *= ratios[face, j]
        total += row[j]
    for c in range(totals.size):
        row[simple + c] *= (counts[face - 1] + totals[c] * chance) / ((n + totals[c]) * chance)
        total += row[simple + c]
    counts[face - 1] += 1
    return math.log(total) + row[simple + totals.size]


@njit(cache=True)
def step_magnets(counts, row, ratios, horizon):  # type: ignore[no-untyped-def]
    """Let a magnet start at this throw, which is counted already, and multiply; return ln e."""
    n, total, size = counts.sum(), 0.0, ratios.size
    unit = math.exp(-row[size])
    start = unit if n <= horizon else 0.0
    for j in range(size):
        row[j] = (row[j] + start) * ratios[j]
        total += row[j]
    waiting = max(horizon - n, 0.0) * unit
    return math.log(total / size + waiting) + row[size] - math.log(horizon)


@njit(cache=True)
def step_pairs(thrown, together, locks, factors, log_e):  # type: ignore[no-untyped-def]
    """Multiply the locks of all pairs of dice thrown."""
    dice, pair = thrown.size, 0
    first = log_e.size - locks.shape[0] * locks.shape[1]
    for a in range(dice):
        for b in range(a + 1, dice):
            cell = (thrown[a] - 1) * 6 + thrown[b] if thrown[a] > 0 and thrown[b] > 0 else 0
            together[pair, cell] += 1
            for lock in range(locks.shape[1]):
                log_e[first + pair * locks.shape[1] + lock] = multiply(locks[pair, lock], factors[cell, lock + 1])
            pair += 1
