"""Tables of counts for the compiled kernel: dense places that turn into rows, poured into sparse counts on demand."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import Counts, cell_key, pair_key
from integrity.observations import FACES

MOST_PLACES: Final = 1 << 22
MOST_ROWS: Final = 1 << 30
"""Rows of a log after which the tables, which count in 32 bits, are poured out."""

Table = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]
"""Place to row (-1: none yet), row to place, counts by row, number of rows used (1,)."""


def _table(places: int, width: int) -> Table:
    """Make an empty table; memory is taken from the system only as rows are used."""
    rows = np.zeros((places, width), dtype=np.int32)
    return np.full(places, -1, dtype=np.int32), np.zeros(places, dtype=np.int64), rows, np.zeros(1, dtype=np.int64)


@dataclass(slots=True)
class Dense:
    """Cells by (setting, die, slot) and pairs by (setting, die, die), for so many dice (with null) and settings."""

    dice: int
    settings: int
    rows: int
    cells: Table
    pairs: Table

    @classmethod
    def of(cls, dice: int, settings: int) -> "Dense | None":
        """Make tables with room for some more names, or None if they would be too large."""
        dice, settings = 1 << (dice - 1).bit_length(), 1 << settings.bit_length()
        if settings * dice * max(16, dice) > MOST_PLACES:
            return None
        cells = _table(settings * dice * 16, (FACES + 1) * FACES)
        return cls(dice, settings, 0, cells, _table(settings * dice * dice, FACES * FACES))

    def fits(self, dice: int, settings: int, rows: int) -> bool:
        """Tell whether a batch may still be counted here."""
        return dice <= self.dice and settings <= self.settings and self.rows + rows <= MOST_ROWS

    def pour(self, cells: Counts, pairs: Counts) -> None:
        """Add what was counted to sparse counts."""
        dice = self.dice
        at, counts = self.cells[1][: self.cells[3][0]], self.cells[2][: self.cells[3][0]]
        key = cell_key(at // 16 % dice - 1, at % 16 - 1, at // (16 * dice))
        cells.add_unsorted(key, counts.reshape(-1, FACES + 1, FACES))
        at, counts = self.pairs[1][: self.pairs[3][0]], self.pairs[2][: self.pairs[3][0]]
        key = pair_key(at // dice % dice - 1, at % dice - 1, at // (dice * dice))
        pairs.add_unsorted(key, counts.reshape(-1, FACES, FACES))
