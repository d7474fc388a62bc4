"""The tallies of one batch by arrays, as `tally_kernel` has them in loops: what judges rows and counts pairs."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrity.counts import narrowed, stable_order
from integrity.observations import Observations, State

Dice = Sequence[NDArray[np.int64]]
Faces = Sequence[NDArray[np.integer[Any]]]
PairSink = Callable[[Dice, Faces, NDArray[np.int64]], None]
"""Counts the pairs of throws (t,) of as many dice as there are columns (t,): die codes, faces, first rows."""


def judge_rows(
    batch: Observations,
    starts: NDArray[np.int64],
    throw: NDArray[np.int64],
    dice: tuple[NDArray[np.integer[Any]], NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.bool_], int, int]:
    """Give what voids each throw (throws,), which rows count (n,), and the numbers of rows kept and doubled.

    `throw` (n,) is the number in the batch of each row's throw; `dice` are the codes of dice (n,), as `narrowed` gives
    them, and what sorts them (n,), equal ones in the order of the log.
    """
    doubled = _doubled(throw, *dice)
    slot = batch.slot
    if not ((slot[1:] > slot[:-1]) | (throw[1:] > throw[:-1])).all():
        slots = narrowed(slot.astype(np.int64))
        doubled |= _doubled(throw, slots, stable_order(slots))
    good = (batch.state == State.OK) & ~doubled
    void = np.zeros(len(starts), dtype=np.int64)
    if batch.state.any():
        reason = np.where((batch.state >= State.COCKED) & (batch.state <= State.VOID), batch.state, 0)
        void[:] = np.maximum.reduceat(reason, starts)
        good &= void[throw] == 0
    return void, good, int((batch.state == State.KEPT).sum()), int(doubled.sum())


def _doubled(throw: NDArray[np.int64], narrow: NDArray[np.integer[Any]], order: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Find the rows (n,) whose code, unless it is null, stood in the same throw before."""
    codes, throws = narrow[order], throw[order]
    again = (codes[1:] == codes[:-1]) & (throws[1:] == throws[:-1]) & (codes[1:] > 0)
    found = np.zeros(len(throw), dtype=np.bool_)
    found[order[1:][again]] = True
    return found


def count_pairs(
    die: NDArray[np.int64],
    face: NDArray[np.integer[Any]],
    size: NDArray[np.int64],
    orders: NDArray[np.int64],
    sink: PairSink,
) -> None:
    """Count the order and the pairs of the dice of each throw, unless it has more than `orders` counts.

    Parameters
    ----------
    die, face
        Codes and faces of the rows that count, (n,) each.
    size
        How many of them each throw has, (throws,).
    orders
        Counts (dice + 1, 3) of throws by number of dice, added to in place: all, rising, falling.
    """
    heads = np.cumsum(size) - size
    for dice in range(1, len(orders)):
        first = heads[size == dice]
        if not len(first):
            continue
        rows = [first + each for each in range(dice)]
        serials, faces = [die[each] for each in rows], [face[each] for each in rows]
        rising, falling = np.ones((2, len(first)), dtype=np.bool_)
        for one, two in pairwise(faces):
            rising &= one <= two
            falling &= one >= two
        orders[dice] += (len(first), int(rising.sum()), int(falling.sum()))
        sink(serials, faces, first)


def read_only(column: NDArray[Any]) -> NDArray[Any]:
    """Give a column contiguous and not to be written: the kernel is compiled once for each kind of array."""
    view = np.ascontiguousarray(column).view()
    view.flags.writeable = False
    return view
