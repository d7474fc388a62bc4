"""Tables of counts for long batches: every place at hand, poured into sparse counts on demand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import Counts, cell_key, pair_key
from integrity.observations import FACES

MOST_COUNTS: Final = 1 << 27
"""Counts in the tables, five bytes each; memory is taken from the system only where something is counted."""
MOST_SPAN: Final = 1 << 25
"""Counts in a table of pairs by blocks of throws."""
MOST_ROWS: Final = 1 << 28
"""Rows of a log after which the tables, which count in 32 bits, are poured out."""
MOVES: Final = (FACES + 1) * FACES
TOGETHER: Final = FACES * FACES
_ROWS: Final = 1 << 10
_ONE: Final = np.int32(1)

Tables = Sequence[NDArray[np.integer[Any]]]
"""Tables of counts of one shape, to be added up."""


@dataclass(slots=True)
class Dense:
    """Cells by (setting, die, slot) and pairs by (setting, higher die, lower die), for so many names, null among them.

    `cells` int32 (settings * dice * slots * 42,) and `pairs` int32 (settings * dice * (dice + 1) / 2 * 36,) are flat;
    die and slot stand one after their code, so that null is 0. `narrow` are cells and pairs again, uint8, to be added
    to them; a count in bytes that is full carries 256 over. `wide` tells whether anything stands in the int32 tables.
    `rows` counts the rows that came here.
    """

    dice: int
    slots: int
    settings: int
    cells: NDArray[np.int32]
    pairs: NDArray[np.int32]
    narrow: tuple[NDArray[np.uint8], NDArray[np.uint8]]
    wide: bool = False
    rows: int = 0

    @classmethod
    def of(cls, dice: int, slots: int, settings: int) -> "Dense | None":
        """Make empty tables with room for some more names, or None if they would be too large."""
        dice, settings = dice + max(1, dice // 8), settings + max(8, settings // 4)
        cells, pairs = settings * dice * slots * MOVES, settings * _pairs_of(dice) * TOGETHER
        if cells + pairs > MOST_COUNTS:
            return None
        narrow = np.zeros(cells, dtype=np.uint8), np.zeros(pairs, dtype=np.uint8)
        return cls(dice, slots, settings, np.zeros(cells, dtype=np.int32), np.zeros(pairs, dtype=np.int32), narrow)

    def fits(self, dice: int, slots: int, settings: int, rows: int) -> bool:
        """Tell whether a batch may still be counted here."""
        return dice <= self.dice and slots <= self.slots and settings <= self.settings and self.rows + rows <= MOST_ROWS

    def add_cells(
        self, die: NDArray[np.int64], slot: NDArray[np.int64], setting: NDArray[np.int64], bins: NDArray[np.int64]
    ) -> None:
        """Count rows (n,) of codes by their bins of 42."""
        place = setting * (self.dice * self.slots * MOVES)
        place += die * (self.slots * MOVES)
        place += slot * MOVES
        place += bins
        place += (self.slots + 1) * MOVES
        np.add.at(self.cells, place, _ONE)
        self.wide = True

    def add_pairs(
        self,
        dice: Sequence[NDArray[np.int64]],
        faces: Sequence[NDArray[np.integer[Any]]],
        setting: NDArray[np.int64],
        block: NDArray[np.int64] | None,
        span: NDArray[np.int32] | None,
    ) -> None:
        """Count the pairs of throws (t,) of as many dice each as there are columns (t,) of codes and faces from 1.

        `block` (t,) are those of the throws and `span` the table of pairs by block, if there is one.
        """
        width = _pairs_of(self.dice) * TOGETHER
        base, turn = setting * width, None if block is None else (block - setting) * width
        low = [(die + 1) * TOGETHER + (face - 1) * FACES for die, face in zip(dice, faces, strict=True)]
        high = [(die + 1) * (die + 2) // 2 * TOGETHER + face - 1 + base for die, face in zip(dice, faces, strict=True)]
        serials = all(die.min() >= 0 for die in dice)
        for a in range(len(dice)):
            for b in range(a + 1, len(dice)):
                if serials:  # no two are the same, and both numbers grow with the code: no row need be asked
                    place = np.minimum(low[a], low[b]) + np.maximum(high[a], high[b])
                else:
                    place = np.where(dice[a] > dice[b], low[b] + high[a], low[a] + high[b])
                np.add.at(self.pairs, place, _ONE)
                self.wide = True
                if span is not None and turn is not None:
                    place += turn
                    np.add.at(span, place, _ONE)

    def pair_table(self, blocks: int) -> NDArray[np.int32] | None:
        """Make an empty table of pairs by block, flat, for so many blocks; None if it would be too large."""
        fits = blocks * _pairs_of(self.dice) * TOGETHER <= MOST_SPAN
        return self.empty_pairs(blocks) if fits else None

    def empty_pairs(self, blocks: int) -> NDArray[np.int32]:
        """Make an empty table of pairs by block, flat."""
        return np.zeros(blocks * _pairs_of(self.dice) * TOGETHER, dtype=np.int32)

    def pour(self, cells: Counts, pairs: Counts, settings: int) -> None:
        """Add what was counted in the first `settings` settings to sparse counts."""
        dice, slots = self.dice, self.slots
        tables = self._tables(0, settings * dice * slots * MOVES, MOVES)
        at = _filled(tables)
        _pour(cells, cell_key(at // slots % dice - 1, at % slots - 1, at // (slots * dice)), tables, at)
        pour_pairs(pairs, dice, self._tables(1, settings * _pairs_of(dice) * TOGETHER, TOGETHER))

    def _tables(self, which: int, size: int, width: int) -> list[NDArray[np.integer[Any]]]:
        """Give the tables of cells (0) or pairs (1) that hold anything, by rows of `width` counts."""
        wide: list[NDArray[np.integer[Any]]] = [(self.cells, self.pairs)[which]] if self.wide else []
        return [table[:size].reshape(-1, width) for table in (self.narrow[which], *wide)]


def _pairs_of(dice: int) -> int:
    """Count the pairs of dice, those of a die with itself among them."""
    return dice * (dice + 1) // 2


def pour_pairs(pairs: Counts, dice: int, tables: Tables, first: int = 0) -> None:
    """Add tables (n, 36) of pairs of so many dice by number, the first of them `first`, to sparse counts."""
    both, at = _pairs_of(dice), _filled(tables)
    high, low = (each[at % both] - 1 for each in np.tril_indices(dice))
    _pour(pairs, pair_key(low, high, at // both + first), tables, at)


def _filled(tables: Tables) -> NDArray[np.int64]:
    """Find the rows in which any of the tables holds a count."""
    return np.flatnonzero(np.logical_or.reduce([table.any(axis=1) for table in tables]))


def _pour(counts: Counts, keys: NDArray[np.uint64], tables: Tables, at: NDArray[np.int64]) -> None:
    """Add the rows `at` (k,) of the sum of tables under distinct keys (k,) in any order."""
    order = np.argsort(keys)
    rows, poured = at[order], np.empty((len(at), tables[0].shape[1]), dtype=np.int64)
    for first in range(0, len(rows), _ROWS):
        here = slice(first, first + _ROWS)
        poured[here] = tables[0][rows[here]]
        for table in tables[1:]:
            poured[here] += table[rows[here]]
    counts.add(keys[order], poured.reshape(-1, *counts.bins))
