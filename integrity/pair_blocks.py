"""When dice were held together: faces of pairs over blocks of throws, in tables whose memory is bounded.

A block is 2^k throws by number, k the least that leaves at most 128 blocks and at most 65,536 pairs with their blocks
(or one block). More rows never need a smaller k, so that live, in batches of any size, and merged the blocks are the
same. Pairs at all tables share their blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import Counts, add_pairs, pair_key, setting_of
from integrity.dense import Dense, pour_pairs
from integrity.observations import FACES
from integrity.tally_arrays import count_pairs
from integrity.timeline import MOST_BLOCKS

MOST_ROWS: Final = 1 << 16
MOST_DICE: Final = 8
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Span:
    """A table int32 (blocks * pairs of so many dice * 36,), flat, of the blocks from `first` to before `end`."""

    dice: int
    first: int
    end: int
    table: NDArray[np.int32]

    def folded(self, bits: int) -> "Span":
        """Make 2^bits blocks one, where they stand; the table has room for as many blocks as before."""
        first = self.first >> bits
        blocks, filled = self.table.reshape(self.end - self.first, -1), 0
        for block in range(len(blocks)):
            into = (self.first + block >> bits) - first
            if into < filled:
                blocks[into] += blocks[block]
            elif into < block:
                blocks[into] = blocks[block]
            filled = into + 1
        blocks[filled:] = 0
        return Span(self.dice, first, first + len(blocks), self.table)


@dataclass(slots=True)
class PairBlocks:
    """Counts of face by face under (lower die, higher die, block): throw number >> `shift` is the block.

    `span` holds what is not yet in `counts`; whoever reads those must call `settle` first.
    """

    shift: int = 0
    counts: Counts = field(default_factory=lambda: Counts((FACES, FACES)))
    span: Span | None = None

    def add(self, dice: Sequence[Codes], faces: Sequence[NDArray[np.integer[Any]]], throw: Codes) -> None:
        """Count the pairs of throws (t,), for which there is room, of as many dice each as there are columns (t,)."""
        if len(dice) < 2:
            return
        add_pairs(self.counts, dice, faces, throw >> self.shift, None)
        self._bound()

    def add_rows(self, serial: NDArray[np.int16], face: NDArray[np.integer[Any]], throw: Codes, starts: Codes) -> None:
        """Count rows (n,) of throws that begin at `starts`; serials from 0, which is null, below 0 count not."""
        good = serial >= 0
        size, number = np.add.reduceat(good, starts, dtype=np.int64), throw[good]
        count_pairs(
            serial[good].astype(np.int64) - 1,
            face[good].astype(np.int64),
            size,
            np.zeros((MOST_DICE + 1, 3), dtype=np.int64),
            lambda dice, faces, first: self.add(dice, faces, number[first]),
        )

    def spanning(self, dense: Dense | None, low: int, high: int) -> Span | None:
        """Give the table to count throws from `low` to `high` in, None if it would be too large."""
        self.coarsen(high)
        span = self.span
        if span is not None and (dense is None or dense.dice != span.dice or not self._holds(span, low, high)):
            self.settle()
        if dense is not None and self.span is None:
            first, end = low >> self.shift, (high >> self.shift) + 1
            self.span = _made(dense, first, max(end, first + MOST_BLOCKS)) or _made(dense, first, end)
        return self.span

    def _holds(self, span: Span, low: int, high: int) -> bool:
        """Tell whether throws from `low` to `high` have their blocks in a table."""
        return span.first <= low >> self.shift and high >> self.shift < span.end

    def settle(self) -> None:
        """Pour what stands in the dense table into `counts`."""
        if self.span is not None:
            table = self.span.table.reshape(-1, FACES * FACES)
            pour_pairs(self.counts, self.span.dice, [table], self.span.first)
            self.span = None
            self._bound()

    def coarsen(self, last_throw: int) -> None:
        """Join blocks until a throw number fits."""
        self._join(max(0, (last_throw >> self.shift).bit_length() - MOST_BLOCKS.bit_length() + 1))

    def _bound(self) -> None:
        """Join blocks until the table is short enough."""
        while len(self.counts.keys) > MOST_ROWS and setting_of(self.counts.keys).any():
            self._join(1)

    def _join(self, bits: int) -> None:
        """Make 2^bits blocks one."""
        if bits and self.span is not None:
            self.span = self.span.folded(bits)
        if bits and len(self.counts.keys):
            (low, high, block), old = self.spelt(), self.counts.counts
            self.counts = Counts((FACES, FACES))
            self.counts.add_unsorted(pair_key(low, high, block >> bits), old)
        self.shift += bits

    def spelt(self) -> tuple[Codes, Codes, Codes]:
        """Unpack the keys: codes of the lower and of the higher die, -1 for null, and blocks."""
        keys = self.counts.keys.astype(np.int64)
        return (keys >> 44) - 1, ((keys >> 24) & 0xFFFFF) - 1, setting_of(self.counts.keys)

    def merge(self, other: "PairBlocks", die: Codes) -> None:
        """Add others, whose codes are called `die` here (its last entry stands for null)."""
        self._join(max(0, other.shift - self.shift))
        low, high, block = other.spelt()
        a, b = die[low], die[high]
        turned = np.where((a > b)[:, None, None], other.counts.counts.transpose(0, 2, 1), other.counts.counts)
        key = pair_key(np.minimum(a, b), np.maximum(a, b), block >> (self.shift - other.shift))
        self.counts.add_unsorted(key, turned)
        self._bound()


def _made(dense: Dense, first: int, end: int) -> Span | None:
    """Make an empty table, if it would not be too large."""
    table = dense.pair_table(end - first)
    return None if table is None else Span(dense.dice, first, end, table)
