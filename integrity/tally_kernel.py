"""The tallies of one batch in compiled passes: the same counts as the arrays of `tallies` give, row by row.

Plain loops for numba (the extra `fast`), one pass each for numbers, states, cells, pairs, blocks and stretches, without
calls among them: handing arrays on inside a loop would cost more than the counting. Codes are -1 for null; `throws` is
the first rows of the throws and one more (throws + 1,), the setting of each throw (throws,), and the number of the
table and box of each setting. Places are worked out some thousand ahead of counting: a loop that does nothing but count
need not wait for memory, which makes it three times as fast.
"""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from integrity.continuity import UNSEEN
from integrity.counts import SLOTS
from integrity.observations import FACES, State
from integrity.recycled import MIX, WINDOW
from integrity.streams import DICE_FROM, NO_STREAM

MOST_DICE: Final = 8
_OK, _COCKED, _VOID, _KEPT = int(State.OK), int(State.COCKED), int(State.VOID), int(State.KEPT)
_MOVES, _TOGETHER = (FACES + 1) * FACES, FACES * FACES
_ONE, _AHEAD = np.int32(1), 1 << 12
_SIX, _TOP, _MIX = np.uint64(FACES), np.uint64(FACES ** (WINDOW - 1)), np.uint64(MIX)

Ints = NDArray[np.int64]


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
def count_cells(good: Any, columns: Any, throws: Any, streams: Any, table: Any, dice: int, slots: int) -> None:  # noqa: PLR0917
    """Count faces and transitions of the rows that count, in place: columns die, slot and face; `Streams`; cells."""
    die, slot, face = columns
    starts, setting, places = throws
    first_face, first_slot, first_setting, last_face, last_setting = streams
    ahead, used, last = np.empty(2 * _AHEAD, np.uint32), 0, len(starts) - 2
    for t in range(last + 1):
        where = setting[t]
        for row in range(starts[t], starts[t + 1]):
            if good[row]:
                place, shown, code = min(int(slot[row]), SLOTS), np.int64(face[row]), die[row]
                stream = code + DICE_FROM if code >= 0 else (place if place >= 0 else NO_STREAM)
                before = last_face[stream]
                if before == 0:
                    first_face[stream], first_slot[stream], first_setting[stream] = shown, place, where
                elif stream == NO_STREAM or places[last_setting[stream]] != places[where]:
                    before = 0
                last_face[stream], last_setting[stream] = shown, where
                cell = (where * dice + code + 1) * slots + place + 1
                ahead[used] = cell * _MOVES + before * FACES + shown - 1
                used += 1
            if used == len(ahead) or (t == last and row == starts[t + 1] - 1):
                for at in range(used):
                    table[ahead[at]] += _ONE
                used = 0


@numba.njit(cache=True)
def count_pairs(good: Any, columns: Any, throws: Any, orders: Ints, table: Any, dice: int) -> None:  # noqa: PLR0917
    """Count the order and the pairs of the dice of each throw of at most eight; arguments as `count_cells`."""
    die, _, face = columns
    starts, setting, _ = throws
    serial = np.empty(MOST_DICE + 1, np.int64)
    low, high = np.empty(MOST_DICE + 1, np.int64), np.empty(MOST_DICE + 1, np.int64)
    ahead, used = np.empty(2 * _AHEAD, np.uint32), 0
    width = dice * (dice + 1) // 2 * _TOGETHER
    for t in range(len(starts) - 1):
        size, last, base = 0, np.int64(0), setting[t] * width
        rising, falling = 1, 1
        for row in range(starts[t], starts[t + 1]):
            if good[row] and size <= MOST_DICE:
                shown, code = np.int64(face[row]) - 1, die[row] + 1
                rising &= int(size == 0 or last <= shown)
                falling &= int(size == 0 or last >= shown)
                serial[size], last = code, shown
                low[size] = code * _TOGETHER + shown * FACES
                high[size] = code * (code + 1) // 2 * _TOGETHER + shown
                size += 1
        if 0 < size <= MOST_DICE:
            orders[size, 0] += 1
            orders[size, 1] += rising
            orders[size, 2] += falling
            for a in range(size):
                code, one, two = serial[a], low[a] + base, high[a] + base
                for b in range(a + 1, size):
                    straight, turned = one + high[b], two + low[b]
                    ahead[used] = turned if code > serial[b] else straight
                    used += 1
        if used >= _AHEAD or t == len(starts) - 2:
            for at in range(used):
                table[ahead[at]] += _ONE
            used = 0


@numba.njit(cache=True)
def reach_of(good: Any, number: Ints) -> Any:
    """Give the lowest and highest throw number of the rows that count, and how many there are."""
    low, high, rows = np.iinfo(np.int64).max, np.int64(-1), 0
    for row in range(len(number)):
        if good[row]:
            low, high, rows = min(low, number[row]), max(high, number[row]), rows + 1
    return low, high, rows


@numba.njit(cache=True)
def count_blocks(good: Any, columns: Any, throws: Any, number: Ints, shift: int, first: int, table: Any) -> None:  # noqa: PLR0917
    """Count faces by block of throws from block `first`, place, die and face, in place; arguments as `count_cells`."""
    die, _, face = columns
    starts, setting, places = throws
    for t in range(len(starts) - 1):
        block, place = (number[starts[t]] >> shift) - first, places[setting[t]]
        for row in range(starts[t], starts[t + 1]):
            if good[row]:
                table[block, place, die[row] + 1, face[row] - 1] += 1


@numba.njit(cache=True)
def sampled_stretches(faces: Any, bits: int) -> Any:
    """Give the stretches of faces (n,) from 0, as numbers, that belong to a sample of one in 2^bits."""
    found, count, code = np.empty(len(faces), np.uint64), 0, np.uint64(0)
    for row in range(len(faces)):
        if row >= WINDOW:
            code -= np.uint64(faces[row - WINDOW]) * _TOP
        code = code * _SIX + np.uint64(faces[row])
        if row >= WINDOW - 1 and (bits == 0 or (code * _MIX) >> np.uint64(64 - bits) == np.uint64(0)):
            found[count] = code
            count += 1
    return found[:count].copy()
