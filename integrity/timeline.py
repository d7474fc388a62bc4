"""When it happened: moves by die and place over blocks of throws, and evidence for a spell of uneven faces.

A block is 2^k throws by number, k the least that leaves at most 128 blocks, so that memory is bounded and the blocks
are the same live, in batches of any size, and merged.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import MOST_TABLE, Counts
from integrity.observations import FACES

MOST_BLOCKS: Final = 128
MOVE_TABLE: Final = (FACES + 1, FACES)
PULLS: Final = (0.05, 0.1, 0.2, 0.35)
"""Shifts towards a face that a spell is tried at."""


@dataclass(slots=True)
class Timeline:
    """Counts of moves (previous face by face, 0 for none) by (die, place, block); tallies number the places.

    `shift` is k: throw number >> k is the block.
    """

    shift: int = 0
    counts: Counts = field(default_factory=lambda: Counts(MOVE_TABLE))

    def add(
        self,
        die: NDArray[np.int64],
        place: NDArray[np.int32],
        throw: NDArray[np.int64],
        move: NDArray[np.integer[Any]],
    ) -> None:
        """Count rows (n,) of dice that count: codes from -1, places from 0, moves as flat bins."""
        if not len(die):
            return
        self.coarsen(int(throw.max()))
        block = throw >> self.shift
        first = int(block.min())
        shape = int(block.max()) - first + 1, int(place.max()) + 1, int(die.max()) + 2, math.prod(MOVE_TABLE)
        if math.prod(shape) > max(MOST_TABLE, len(die)):
            self.counts.add_rows(self._key(die, place.astype(np.int64), block).astype(np.uint64), move)
            return
        at = block * (shape[1] * shape[2] * shape[3])
        at += place * (shape[2] * shape[3])
        at += die * shape[3]
        at += move
        at += shape[3] * (1 - first * shape[1] * shape[2])
        table = np.bincount(at, minlength=math.prod(shape)).reshape(shape)
        blocks, places, dice = np.nonzero(table.any(axis=3))
        self._pour(self._key(dice - 1, places, blocks + first), table[blocks, places, dice])

    def pour(self, first: int, die: NDArray[np.int64], place: NDArray[np.int64], table: NDArray[np.int64]) -> None:
        """Add counts of moves, shape (blocks from `first`, n, 42), of dice (n,) at places (n,)."""
        block, each = np.nonzero(table.any(axis=2))
        self._pour(self._key(die[each], place[each], block + first), table[block, each])

    def _pour(self, key: NDArray[np.int64], moves: NDArray[np.int64]) -> None:
        self.counts.add_unsorted(key.astype(np.uint64), moves.reshape(len(key), *MOVE_TABLE))

    @staticmethod
    def _key(die: NDArray[np.int64], place: NDArray[np.int64], block: NDArray[np.int64]) -> NDArray[np.int64]:
        """Pack a block of a die at a place into one key, in the parts by which `Counts` tells keys apart."""
        return (block << 44) | (place << 24) | (die + 1)

    def coarsen(self, last_throw: int) -> None:
        """Join blocks until a throw number fits."""
        joined = 0
        while last_throw >> (self.shift + joined) >= MOST_BLOCKS:
            joined += 1
        if joined and len(self.counts.keys):
            die, place, block = self.spelt()
            old, self.counts = self.counts, Counts(MOVE_TABLE)
            self.counts.add_unsorted(self._key(die, place, block >> joined).astype(np.uint64), old.counts)
        self.shift += joined

    def spelt(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Unpack the keys: die codes, places, blocks."""
        keys = self.counts.keys.astype(np.int64)
        return (keys & 0xFFFFFF) - 1, (keys >> 24) & 0xFFFFF, keys >> 44

    def merge(self, other: "Timeline", die: NDArray[np.int64], place: NDArray[np.int64]) -> None:
        """Add another timeline, whose codes are called `die` and `place` here (die's last entry stands for null)."""
        shift = max(self.shift, other.shift)
        self.coarsen((MOST_BLOCKS << shift) - 1 if shift > self.shift else 0)
        dice, places, blocks = other.spelt()
        key = self._key(die[dice], place[places], blocks >> (self.shift - other.shift))
        self.counts.add_unsorted(key.astype(np.uint64), other.counts.counts)

    def turn(
        self,
        die: NDArray[np.int64],
        place: NDArray[np.int64],
        throw: NDArray[np.int64],
        moves: tuple[NDArray[np.int64], NDArray[np.int64]],
    ) -> None:
        """Take rows (n,) that were counted as coming from nowhere for moves (previous, face) after all."""
        previous, face = moves
        rows = np.searchsorted(self.counts.keys, self._key(die, place, throw >> self.shift).astype(np.uint64))
        np.add.at(self.counts.counts, (rows, np.zeros_like(face), face - 1), -1)
        np.add.at(self.counts.counts, (rows, previous, face - 1), 1)


def spell_log_e(blocks: NDArray[np.int64], null: tuple[float, ...]) -> dict[str, NDArray[np.float64]]:
    """Weigh that faces are uneven for a while only.

    Parameters
    ----------
    blocks
        Counts of faces by block, shape (codes, blocks, 6).

    Returns
    -------
    dict
        ln e, shape (codes,): "switched" averages likelihood ratios over all spells from a block to a later one,
        "changed" over all spells that last to the end and do not begin with the first block; both over faces and sizes.
        Blocks without throws are no blocks.
    """
    ratios = blocks @ _pulls(null).T
    codes, count, pulls = ratios.shape
    thrown = np.asarray(blocks.sum(axis=2) > 0)
    on, since, anytime = (np.full((codes, pulls), -np.inf) for _ in range(3))
    for block in range(count):
        here = thrown[:, block : block + 1]
        first = here & ~thrown[:, :block].any(axis=1, keepdims=True)
        on = np.where(here, np.logaddexp(0.0, on) + ratios[:, block], on)
        since = np.where(here & ~first, np.logaddexp(0.0, since) + ratios[:, block], since)
        anytime = np.where(here, np.logaddexp(anytime, on), anytime)
    held = thrown.sum(axis=1)
    return {
        "switched": _average(anytime, held * (held + 1) / 2),
        "changed": _average(since, held - 1.0),
    }


def _average(log_sums: NDArray[np.float64], terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average sums (codes, pulls) of `terms` (codes,) ratios each, as logarithms; 0 where there is none."""
    some = terms > 0
    mean = np.logaddexp.reduce(log_sums, axis=1) - np.log(log_sums.shape[1] * np.where(some, terms, 1.0))
    return np.where(some, mean, 0.0)


def _pulls(null: tuple[float, ...]) -> NDArray[np.float64]:
    """Give ln(p1 / p0) of every pull to a face, shape (24, 6)."""
    law = np.array(null)
    laws = []
    for size in PULLS:
        for face in range(FACES):
            pulled = law * (1 - (law[face] + size)) / (1 - law[face])
            pulled[face] = law[face] + size
            laws.append(np.log(pulled / law))
    return np.array(laws)


def spell_of(blocks: NDArray[np.int64], null: tuple[float, ...], *, to_end: bool) -> tuple[int, int, int]:
    """Find the likeliest spell in counts (blocks, 6): its face, its first block and the block after its last."""
    ratios = blocks @ _pulls(null).T
    total = np.concatenate((np.zeros((1, ratios.shape[1])), ratios.cumsum(axis=0)))
    ends = [len(blocks)] if to_end else range(1, len(blocks) + 1)
    best: tuple[float, int, int, int] = (-np.inf, 0, 0, len(blocks))
    for end in ends:
        start = total[:end].argmin(axis=0)
        gain = total[end] - np.take_along_axis(total[:end], start[None, :], axis=0)[0]
        pull = int(gain.argmax())
        best = max(best, (float(gain[pull]), pull % FACES + 1, int(start[pull]), end))
    return best[1], best[2], best[3]
