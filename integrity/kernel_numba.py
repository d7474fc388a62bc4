"""The step of the monitors compiled by numba: the same numbers as `kernel.step`, written as loops.

Imported only where the extra `fast` is installed.
"""

import math

import numpy as np
from numba import njit


@njit(cache=True)
def advance_flat(block, bars, totals, ratios, inverse, factors, magnets, horizon, ints, floats):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    """Take a block of throws (throws, dice) into a flat state, seen as integers and as floating numbers."""
    dice, (_, locks, sizes), monitors = block.shape[1], factors.shape, bars.size
    pairs = dice * (dice - 1) // 2
    ends = np.cumsum(
        np.array(
            [
                1,
                dice * 7,
                dice,
                dice * 37,
                pairs * 37,
                dice * ratios.shape[1],
                (dice + 1) * sizes,
                pairs * (locks - 1) * sizes,
                monitors,
                monitors,
                monitors,
                monitors,
            ]
        )
    )
    loop(
        block,
        bars,
        totals,
        ratios,
        inverse,
        factors,
        magnets,
        horizon,
        ints[:1],
        ints[ends[0] : ends[1]].reshape(dice, 7),
        ints[ends[1] : ends[2]],
        ints[ends[2] : ends[3]].reshape(dice, 37),
        ints[ends[3] : ends[4]].reshape(pairs, 37),
        floats[ends[4] : ends[5]].reshape(dice, ratios.shape[1]),
        floats[ends[5] : ends[6]].reshape(dice + 1, sizes),
        floats[ends[6] : ends[7]].reshape(pairs, locks - 1, sizes),
        floats[ends[7] : ends[8]],
        floats[ends[8] : ends[9]],
        floats[ends[9] : ends[10]],
        ints[ends[10] : ends[11]],
    )


@njit(cache=True)
def loop(  # type: ignore[no-untyped-def]  # noqa: PLR0917
    block,
    bars,
    totals,
    ratios,
    inverse,
    factors,
    magnets,
    horizon,
    throws,
    counts,
    previous,
    moves,
    together,
    rows,
    repeats,
    locks,
    folded,
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
            unit = math.exp(-folded[dice + die]) / (magnets * horizon)
            faces_sum, magnet_sum = step_die(
                counts[die], rows[die], face, unit, totals, ratios, inverse, magnets, horizon
            )
            log_e[die] = math.log(faces_sum) + folded[die]
            log_e[dice + die] = math.log(magnet_sum) + folded[dice + die]
            cell = (previous[die] - 1) * 6 + face if previous[die] > 0 else 0
            moves[die, cell] += 1
            log_e[2 * dice + die] = math.log(multiply(repeats[die], factors[cell, 0])) + folded[2 * dice + die]
            log_e[3 * dice] = math.log(multiply(repeats[dice], factors[cell, 0])) + folded[3 * dice]
            previous[die] = face
        step_pairs(block[t], together, locks, factors, folded, log_e)
        for monitor in range(log_e.size):
            max_log_e[monitor] = max(max_log_e[monitor], log_e[monitor])
            if crossed[monitor] == 0 and log_e[monitor] >= bars[monitor]:
                crossed[monitor] = throws[0]


@njit(cache=True)
def multiply(row, factors):  # type: ignore[no-untyped-def]
    """Multiply a row of products; return its sum."""
    total = 0.0
    for j in range(row.size):
        row[j] *= factors[j]
        total += row[j]
    return total


@njit(cache=True)
def step_die(counts, row, face, unit, totals, ratios, inverse, magnets, horizon):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    """Multiply battery and magnets of one die and count its face; return both sums."""
    components, n = row.size - magnets, counts[0]
    seen = counts[face] * inverse[face]
    for c in range(totals.size):
        row[components - totals.size + c] *= (seen + totals[c]) / (n + totals[c])
    start = unit if n < horizon else 0.0
    for j in range(components, row.size):
        row[j] += start
    faces_sum, magnet_sum = 0.0, 0.0
    for j in range(components):
        row[j] *= ratios[face, j]
        faces_sum += row[j]
    for j in range(components, row.size):
        row[j] *= ratios[face, j]
        magnet_sum += row[j]
    counts[0] += 1
    counts[face] += 1
    return faces_sum, magnet_sum + magnets * unit * max(horizon - counts[0], 0)


@njit(cache=True)
def step_pairs(thrown, together, locks, factors, folded, log_e):  # type: ignore[no-untyped-def]  # noqa: PLR0917
    """Multiply the locks of all pairs of dice thrown."""
    dice, pair, place = thrown.size, 0, 3 * thrown.size + 1
    for a in range(dice):
        for b in range(a + 1, dice):
            cell = (thrown[a] - 1) * 6 + thrown[b] if thrown[a] > 0 and thrown[b] > 0 else 0
            together[pair, cell] += 1
            for lock in range(locks.shape[1]):
                log_e[place] = math.log(multiply(locks[pair, lock], factors[cell, lock + 1])) + folded[place]
                place += 1
            pair += 1
