"""The tallies of one batch in one compiled pass: the same counts as the arrays of `tallies` give, row by row.

Plain loops over the rows for numba (the extra `fast`). Tables that turn codes into places are dense, so that a batch
with very many names at once is left to the arrays. Codes are -1 for null.
"""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from integrity.continuity import UNSEEN
from integrity.counts import SLOTS
from integrity.observations import FACES, NO_TIME, State
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
def _follow_number(sequence: Any, code: int, number: int, least: int) -> None:
    """Take one number of a sequence (first, last, counts)."""
    first, last, counts = sequence
    if last[code + 1] == UNSEEN:
        first[code + 1] = number
    else:
        step = number - last[code + 1]
        if step > 1:
            counts[0] += step - 1
        if step < least:
            counts[1] += 1
    last[code + 1] = number


@numba.njit(cache=True)
def _count(table: Any, dense: int, column: int) -> None:
    """Count one in the row of a dense place; a table is (place to row, row to place, counts, rows used)."""
    row_of, place_of, counts, used = table
    row = row_of[dense]
    if row < 0:
        row = used[0]
        row_of[dense], place_of[row] = row, dense
        used[0] += 1
    counts[row, column] += 1


@numba.njit(cache=True)
def _previous(streams: Any, places: Ints, stream: int, face: int, slot: int, where: int) -> int:  # noqa: PLR0917
    """Give the previous face of a stream, 0 where the transition is broken, and remember this one."""
    first_face, first_slot, first_setting, last_face, last_setting = streams
    before = 0
    if first_face[stream] == 0:
        first_face[stream], first_slot[stream], first_setting[stream] = face, slot, where
    elif places[last_setting[stream]] == places[where] and stream != NO_STREAM:
        before = last_face[stream]
    last_face[stream], last_setting[stream] = face, where
    return before


@numba.njit(cache=True)
def _count_together(good: Ints, face: Any, serial: Ints, orders: Ints, pairs: Any, dice: int, where: int) -> None:  # noqa: PLR0917
    """Count the order and the pairs of the dice of one throw: rows `good`, their codes `serial`."""
    size = len(good)
    rising, falling = True, True
    for a in range(size - 1):
        rising &= face[good[a]] <= face[good[a + 1]]
        falling &= face[good[a]] >= face[good[a + 1]]
    orders[size, 0] += 1
    orders[size, 1] += rising
    orders[size, 2] += falling
    for a in range(size):
        for b in range(a + 1, size):
            low, high, one, two = serial[a], serial[b], face[good[a]], face[good[b]]
            if low > high:
                low, high, one, two = high, low, two, one
            _count(pairs, (where * dice + low + 1) * dice + high + 1, (one - 1) * FACES + two - 1)


@numba.njit(cache=True)
def _voided(state: Any, begin: int, end: int) -> int:
    """Give the state that voids a throw, 0 if it counts."""
    void = 0
    for row in range(begin, end):
        if _COCKED <= state[row] <= _VOID and state[row] > void:
            void = state[row]
    return void


@numba.njit(cache=True)
def count_rows(rows: Any, codes: Any, throws: Any, tables: Any, state_of_log: Any) -> None:
    """Count the rows of a batch, in place.

    Parameters
    ----------
    rows
        Columns throw, at, face, state, slot.
    codes
        Columns table and die, each with its lookup of codes.
    throws
        First rows (throws + 1,), settings (throws,), and the table and box of each setting as one number (settings,).
    tables
        Cells and pairs as `_count` takes them, and the number of dice and null.
    state_of_log
        Sequences by table, by die and of times; streams; throws by setting, orders, and (kept, doubled).
    """
    throw, at, face, state, slot = rows
    table, table_of, die, die_of = codes
    starts, setting, places = throws
    cells, pairs, dice = tables
    by_table, by_die, clock, streams, void_counts, orders, scalars = state_of_log
    die_stamp, slot_stamp = np.full(dice, -1, np.int64), np.full(128, -1, np.int64)
    good, serials = np.empty(MOST_DICE, np.int64), np.empty(MOST_DICE, np.int64)
    for t in range(len(starts) - 1):
        begin, end, where = starts[t], starts[t + 1], setting[t]
        _follow_number(by_table, table_of[table[begin]], throw[begin], 1)
        if at[begin] != NO_TIME:
            _follow_number(clock, table_of[table[begin]], at[begin], 0)
        void = _voided(state, begin, end)
        void_counts[where, void] += 1
        size = 0
        for row in range(begin, end):
            serial, place = die_of[die[row]], int(slot[row])
            _follow_number(by_die, serial, throw[row], 1)
            doubled = (serial >= 0 and die_stamp[serial + 1] == t) or (place >= 0 and slot_stamp[place] == t)
            if serial >= 0:
                die_stamp[serial + 1] = t
            if place >= 0:
                slot_stamp[place] = t
            scalars[0] += state[row] == _KEPT
            scalars[1] += doubled
            if state[row] != _OK or void or doubled:
                continue
            place = min(place, SLOTS)
            stream = serial + DICE_FROM if serial >= 0 else (place if place >= 0 else NO_STREAM)
            before = _previous(streams, places, stream, face[row], place, where)
            _count(cells, (where * dice + serial + 1) * 16 + place + 1, before * FACES + face[row] - 1)
            if size < MOST_DICE:
                good[size], serials[size] = row, serial
            size += 1
        if 0 < size <= MOST_DICE:
            _count_together(good[:size], face, serials[:size], orders, pairs, dice, where)
