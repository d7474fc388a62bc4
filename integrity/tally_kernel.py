"""The tallies of one batch in compiled passes: the same counts as the arrays of `tallies` give, row by row.

Plain loops for numba (the extra `fast`), one pass each for settings, numbers, states, cells and pairs, without calls
among them: handing arrays on inside a loop would cost more than the counting. Tables that turn codes into places are
dense, so that a batch with very many names at once is left to the arrays. Codes are -1 for null.
"""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from integrity.continuity import UNSEEN
from integrity.counts import SLOTS
from integrity.observations import FACES, State
from integrity.streams import DICE_FROM, NO_STREAM

MOST_DICE: Final = 8
_OK, _COCKED, _VOID, _KEPT = int(State.OK), int(State.COCKED), int(State.VOID), int(State.KEPT)

Ints = NDArray[np.int64]


@numba.njit(cache=True)
def throw_keys(throw: Ints, columns: Any, lookups: Any, stakes: Any, radix: Any) -> Any:
    """Find the first row of every throw, and the number of its setting in mixed radix (table, box, shooter, stakes)."""
    n = len(throw)
    starts, keys = np.empty(n + 1, np.int64), np.empty(n, np.int64)
    table, box, shooter = columns
    table_of, box_of, shooter_of = lookups
    throws = 0
    for row in range(n):
        if row == 0 or throw[row] != throw[row - 1] or table[row] != table[row - 1]:
            starts[throws] = row
            key = (table_of[table[row]] + 1) * radix[0] + box_of[box[row]] + 1
            keys[throws] = (key * radix[1] + shooter_of[shooter[row]] + 1) * 5 + stakes[row] + 1
            throws += 1
    starts[throws] = n
    return starts[: throws + 1], keys[:throws]


@numba.njit(cache=True)
def follow_numbers(code: Ints, number: Ints, first: Ints, last: Ints, least: int) -> Any:
    """Follow the numbers (n,) of each code (n,); give how many were jumped over, and the steps backward."""
    missing, backward = 0, 0
    for row in range(len(code)):
        place = code[row] + 1
        if last[place] == UNSEEN:
            first[place] = number[row]
        else:
            step = number[row] - last[place]
            if step > 1:
                missing += step - 1
            if step < least:
                backward += 1
        last[place] = number[row]
    return missing, backward


@numba.njit(cache=True)
def judge_rows(starts: Ints, state: Any, die: Ints, slot: Any, dice: int) -> Any:
    """Give what voids each throw (throws,), which rows count (n,), and the numbers of rows kept and doubled."""
    void, good = np.zeros(len(starts) - 1, np.int64), np.zeros(len(die), np.bool_)
    die_stamp, slot_stamp = np.full(dice, -1, np.int64), np.full(129, -1, np.int64)
    kept, doubled = 0, 0
    for t in range(len(starts) - 1):
        for row in range(starts[t], starts[t + 1]):
            if _COCKED <= state[row] <= _VOID and state[row] > void[t]:
                void[t] = state[row]
        for row in range(starts[t], starts[t + 1]):
            serial, place = die[row] + 1, slot[row] + 1
            again = (serial > 0 and die_stamp[serial] == t) or (place > 0 and slot_stamp[place] == t)
            die_stamp[serial], slot_stamp[place] = t, t
            kept += state[row] == _KEPT
            doubled += again
            good[row] = state[row] == _OK and void[t] == 0 and not again
    return void, good, kept, doubled


@numba.njit(cache=True)
def count_cells(good: Any, columns: Any, settings: Any, streams: Any, table: Any, dice: int) -> None:  # noqa: PLR0917
    """Count faces and transitions of the rows that count, in place.

    Parameters
    ----------
    columns
        Die (codes), slot and face.
    settings
        First rows of the throws, the setting of each throw, and the table and box of each setting as one number.
    streams
        The columns of `Streams`.
    table
        Dense place to row, row to place, counts (rows, 42), rows used (1,).
    """
    die, slot, face = columns
    starts, setting, places = settings
    first_face, first_slot, first_setting, last_face, last_setting = streams
    row_of, place_of, counts, used = table
    for t in range(len(starts) - 1):
        where = setting[t]
        for row in range(starts[t], starts[t + 1]):
            if not good[row]:
                continue
            place = min(int(slot[row]), SLOTS)
            stream = die[row] + DICE_FROM if die[row] >= 0 else (place if place >= 0 else NO_STREAM)
            before = 0
            if first_face[stream] == 0:
                first_face[stream], first_slot[stream], first_setting[stream] = face[row], place, where
            elif places[last_setting[stream]] == places[where] and stream != NO_STREAM:
                before = last_face[stream]
            last_face[stream], last_setting[stream] = face[row], where
            dense = (where * dice + die[row] + 1) * 16 + place + 1
            if row_of[dense] < 0:
                row_of[dense], place_of[used[0]] = used[0], dense
                used[0] += 1
            counts[row_of[dense], before * FACES + face[row] - 1] += 1


@numba.njit(cache=True)
def count_pairs(good: Any, columns: Any, settings: Any, orders: Ints, table: Any, dice: int) -> None:  # noqa: PLR0917
    """Count the order and the pairs of the dice of each throw of at most eight; arguments as `count_cells`."""
    die, _, face = columns
    starts, setting, _ = settings
    row_of, place_of, counts, used = table
    faces, serials = np.empty(MOST_DICE + 1, np.int64), np.empty(MOST_DICE + 1, np.int64)
    for t in range(len(starts) - 1):
        size, rising, falling = 0, True, True
        for row in range(starts[t], starts[t + 1]):
            if good[row] and size <= MOST_DICE:
                faces[size], serials[size] = face[row], die[row]
                if size:
                    rising &= faces[size - 1] <= faces[size]
                    falling &= faces[size - 1] >= faces[size]
                size += 1
        if size == 0 or size > MOST_DICE:
            continue
        orders[size, 0] += 1
        orders[size, 1] += rising
        orders[size, 2] += falling
        for a in range(size):
            for b in range(a + 1, size):
                swap = serials[a] > serials[b]
                low, high = (b, a) if swap else (a, b)
                dense = (setting[t] * dice + serials[low] + 1) * dice + serials[high] + 1
                if row_of[dense] < 0:
                    row_of[dense], place_of[used[0]] = used[0], dense
                    used[0] += 1
                counts[row_of[dense], (faces[low] - 1) * FACES + faces[high] - 1] += 1
