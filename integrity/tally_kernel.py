"""The tallies of one batch in compiled passes: the same counts as the arrays of `tallies` give, row by row.

Plain loops for numba (the extra `fast`) without calls among them: handing arrays on inside a loop would cost more than
the counting. Three passes follow each other over a batch: which rows count, what their dice showed before, what is
counted. Places of counts are worked out some thousand ahead of counting: a loop that does nothing but count need not
wait for memory, which makes it three times as fast; and what is counted all over large tables is counted in bytes,
which carry into wide counts when they are full, so that more of a table is at hand. `edges` uint32 (throws + 1,) are
the first rows of the throws and the end: numbers without a sign are spared the check for places counted from the end.
Serials are one after the codes of dice, so that null is 0, and -1 - serial where a row does not count.
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
_NO_MOVE: Final = 255
_ONE, _AHEAD = np.int32(1), 1 << 12
_BYTE, _NONE, _FULL = np.uint8(1), np.uint8(0), np.int32(1 << 8)
_AT: Final = np.uint32
_WIDTH, _BESIDE = _MOVES + _TOGETHER, (SLOTS + 2) * _MOVES
_YES: Any = np.bool_(True)
_SIX, _TOP, _MIX = np.uint64(FACES), np.uint64(FACES ** (WINDOW - 1)), np.uint64(MIX)
_SLOT_STAMPS: Final = 129

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
def judge_rows(edges: Any, columns: Any, serial_of: Any, setting: Ints, throws: Ints) -> Any:
    """Tell which rows count: give their serials int16 (n,) and the numbers of rows kept and doubled.

    `columns` are state, slot and die; `throws` (settings, 5) counts the throws in place by what voids them.
    """
    state, slot, die = columns
    serial, kept, doubled = np.empty(len(die), np.int16), 0, 0
    die_stamp, slot_stamp = np.full(len(serial_of), -1, np.int64), np.full(_SLOT_STAMPS, -1, np.int64)
    for t in range(len(edges) - 1):
        worst = 0
        for row in range(edges[t], edges[t + 1]):
            if state[row] != _OK:
                kept += state[row] == _KEPT
                worst = max(worst, state[row]) if state[row] <= _VOID else worst
        throws[setting[t], worst] += 1
        for row in range(edges[t], edges[t + 1]):
            code, place = serial_of[die[row] + 1], slot[row] + 1
            again = ((code > 0) & (die_stamp[code] == t)) | ((place > 0) & (slot_stamp[place] == t))
            die_stamp[code], slot_stamp[place], doubled = t, t, doubled + again
            serial[row] = code if (worst == 0) & (state[row] == _OK) & (not again) else -1 - code
    return serial, kept, doubled


@numba.njit(cache=True)
def follow_rows(edges: Any, columns: Any, where: Any, ends: Any, streams: Any) -> Any:
    """Follow the dice: give the moves uint8 (n,), and numbers missing and backward, least and greatest, rows counted.

    `columns` are serial, slot, face and throw number; `where` the setting of each throw, the place of each setting and
    the spots (places, dice), -1 where a die was not met at a place; `ends` the first and the last number of each serial
    and `streams` the columns of `Streams`. Spots, ends and streams are filled in place. A move is the face shown before
    times six and this face, from 0.
    """
    serial, slot, face, number = columns
    first, last = ends
    spots, met = where[2], 0
    first_face, first_slot, first_setting, last_face, last_setting, first_throw = streams
    moves, missing, backward = np.empty(len(serial), np.uint8), 0, 0
    low, high, rows = np.iinfo(np.int64).max, np.int64(-1), 0
    for t in range(len(edges) - 1):
        setting, now, home, before = where[0][t], number[edges[t]], where[1][where[0][t]], rows
        for row in range(edges[t], edges[t + 1]):
            good = serial[row] >= 0
            code = np.uint64(serial[row] if good else -1 - serial[row])
            step = now - last[code]
            if step != 1:
                if last[code] == UNSEEN:
                    first[code] = now
                else:
                    missing, backward = missing + max(step - 1, 0), backward + (step < 1)
            last[code] = now
            if not good:
                moves[row] = _NO_MOVE
                continue
            place, shown = min(int(slot[row]), SLOTS), int(face[row])
            stream = code + np.uint64(DICE_FROM - 1) if code > 0 else np.uint64(place if place >= 0 else NO_STREAM)
            past = last_face[stream]
            if past == 0:
                first_face[stream], first_slot[stream], first_setting[stream] = shown, place, setting
                first_throw[stream] = now
            elif stream == NO_STREAM or where[1][last_setting[stream]] != home:
                past = 0
            last_face[stream], last_setting[stream] = shown, setting
            moves[row], rows = past * FACES + shown - 1, rows + 1
            if spots[home, code] < 0:
                spots[home, code], met = met, met + 1
        low, high = (min(low, now), max(high, now)) if rows > before else (low, high)
    return moves, missing, backward, low, high, rows


@numba.njit(cache=True)
def count_rows(edges: Any, columns: Any, where: Any, blocked: Any, tables: Any) -> bool:
    """Count the rows in place: cells, pairs and order of the dice of throws of at most eight, and blocks of throws.

    `columns` are serial, slot, move and throw number; `where` is that of `follow_rows`; `blocked` says by how many
    bits a number becomes a block, and the first block, for moves and for pairs; `tables` are those of `Dense`, narrow
    and wide, with their dice and slots, blocks (blocks, spots, 42), orders, pairs by block, or a table of one for all
    of them, and beside them the spot of each throw, the first block of spots, the ranks of dice and both tables of a
    `Span`. Tell whether a narrow count ran over.
    """
    serial, slot, moves, number = columns
    (cells, pairs), (wide_cells, wide_pairs), dice, slots, blocks, orders, span, beside = tables
    low, high, codes, faces, rank = np.empty((5, MOST_DICE + 1), np.uint32)
    cell, pair, turned = np.empty(_AHEAD + len(serial), _AT), np.empty(2 * _AHEAD, _AT), np.empty(2 * _AHEAD, _AT)
    spots, width, last, rows, used, over = where[2], dice * (dice + 1) // 2 * _TOGETHER, len(edges) - 2, 0, 0, False
    spot, from_block, ranks, shared, by_place = beside
    for t in range(len(edges) - 1):
        setting, base, now = where[0][t], np.uint32(where[0][t] * width), number[edges[t]]
        block, turn = (now >> blocked[0]) - blocked[1], np.uint32(((now >> blocked[2]) - blocked[3]) * width) - base
        size, past, begin, home, rising, falling = 0, np.int64(0), used, where[1][setting], _YES, _YES
        at_spot, at_place = np.uint32(spot[t] * _WIDTH), np.uint32((block + blocked[1] - from_block) * _BESIDE)
        for row in range(edges[t], edges[t + 1]):
            move, code = np.int64(moves[row]), np.uint32(max(serial[row], 0))
            if move == _NO_MOVE:
                continue
            shown, place = move % FACES, min(int(slot[row]), SLOTS) + 1
            cell[rows], rows = ((setting * dice + code) * slots + place) * _MOVES + move, rows + 1
            blocks[block, spots[home, code], move] += _ONE
            shared[at_spot + np.uint32(move)] += _ONE
            by_place[at_place + np.uint32(place * _MOVES) + np.uint32(move)] += _ONE
            if size <= MOST_DICE:
                low[size] = np.uint32(code * _TOGETHER + shown * FACES) + base
                high[size], codes[size] = code * (code + np.uint32(1)) // 2 * _TOGETHER + shown, code
                top, turned_by = np.uint32(shown), np.uint32(ranks[code])
                faces[size], rank[size] = top, turned_by
                for a in range(size):
                    both = high[a] + low[size] if codes[a] > code else low[a] + high[size]
                    pair[used + a], turned[used + a] = both, both + turn
                    one, two = (top, faces[a]) if rank[a] > turned_by else (faces[a], top)
                    shared[at_spot + one * np.uint32(FACES) + two + np.uint32(_MOVES)] += _ONE
                rising, falling = rising & (past <= shown), falling & ((size == 0) | (past >= shown))
                used, size, past = used + size, size + 1, shown
        if 0 < size <= MOST_DICE:
            count_order(orders, size, rising, falling)
        used = used if size <= MOST_DICE else begin
        if max(used, rows) >= _AHEAD or t == last:
            count_wide(turned, used, span)
            over |= count_bytes(pair, used, pairs, wide_pairs) | count_bytes(cell, rows, cells, wide_cells)
            used, rows = 0, 0
    return over


@numba.njit(cache=True)
def count_order(orders: Any, dice: int, rising: bool, falling: bool) -> None:
    """Count the order of the faces of one throw."""
    orders[dice, 0] += 1
    orders[dice, 1] += rising
    orders[dice, 2] += falling


@numba.njit(cache=True)
def count_wide(places: Any, n: int, counts: Any) -> None:
    """Count the first `n` of places."""
    for at in range(n):
        counts[places[at]] += _ONE


@numba.njit(cache=True)
def count_bytes(places: Any, n: int, narrow: Any, wide: Any) -> bool:
    """Count the first `n` of places: bytes that are full carry 256 over. Tell whether one did."""
    over = False
    for at in range(n):
        count = np.uint8(narrow[places[at]] + _BYTE)
        narrow[places[at]] = count
        if count == _NONE:
            wide[places[at]] += _FULL
            over = True
    return over


@numba.njit(cache=True)
def fold(table: Any, row: Ints, group: Ints, groups: int) -> Any:
    """Add up rows (n,) of a table int32, flat, by their groups (n, kinds), and make them 0; int32 (groups, 78)."""
    total = np.zeros(groups * _WIDTH, np.int32)
    for each in range(len(row)):
        start = np.uint64(row[each] * _WIDTH)
        for kind in range(group.shape[1]):
            into = np.uint64(group[each, kind] * _WIDTH)
            for at in range(_WIDTH):
                total[into + np.uint64(at)] += table[start + np.uint64(at)]
        for at in range(_WIDTH):
            table[start + np.uint64(at)] = 0
    return total.reshape(groups, _WIDTH)


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
