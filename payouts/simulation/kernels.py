"""The inner loop of play, compiled by numba: interleaved sessions, each lane with its own xoshiro256++ stream.

xoshiro256++ 1.0 by Blackman and Vigna (2019). A word of 64 bits gives two draws of 32. Lanes are interleaved so that
one session's look-up need not wait for another's.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

LANES = 32
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


@njit(cache=True, nogil=True)
def play_lanes(  # noqa: PLR0917
    moves: NDArray[np.int64],
    threshold: NDArray[np.uint64],
    alias: NDArray[np.int64],
    uniform: bool,
    track: bool,
    words: int,
    stream: NDArray[np.uint64],
    counts: NDArray[np.int64],
    tables: NDArray[np.int64],
) -> None:
    """Play every session on by `words` words, two draws each.

    Parameters
    ----------
    moves
        (3, S * K) by cell: the next state's first cell, net gain, lowest net within the draw (at most 0).
    threshold, alias
        (K,) the alias table of a draw.
    track
        Keep running net and low point.
    stream
        (4, `LANES`) generator states, advanced.
    counts
        (S * K,) how often a cell came up, added to.
    tables
        (3, groups, lanes) of sessions, advanced: first cell of the state, running net, low point.
    """
    successor, gain, dip = moves[0], moves[1], moves[2]
    at, net, low = tables[0], tables[1], tables[2]
    groups, lanes = at.shape
    cells = np.uint64(len(threshold))
    word = np.empty(lanes, np.uint64)
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    for group in range(groups):
        offset, running, lowest = at[group], net[group], low[group]
        for _ in range(words):
            for j in range(lanes):
                a, b, c, d = s0[j], s1[j], s2[j], s3[j]
                total = a + d
                word[j] = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
                shifted = b << np.uint64(17)
                c ^= a
                d ^= b
                b ^= c
                a ^= d
                c ^= shifted
                d = (d << np.uint64(45)) | (d >> np.uint64(19))
                s0[j], s1[j], s2[j], s3[j] = a, b, c, d
            for _ in range(2):
                for j in range(lanes):
                    scaled = (word[j] & _LOW) * cells
                    word[j] >>= _HALF
                    face = np.int64(scaled >> _HALF)
                    if not uniform and (scaled & _LOW) >= threshold[face]:
                        face = alias[face]
                    cell = offset[j] + face
                    counts[cell] += 1
                    offset[j] = successor[cell]
                    if track:
                        lowest[j] = min(lowest[j], running[j] + dip[cell])
                        running[j] += gain[cell]
