"""When a block of throws was over: the latest time of its throws, by table."""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.observations import NO_TIME
from integrity.timeline import MOST_BLOCKS

Codes = NDArray[np.int64]
_NONE: Final = np.full((1, MOST_BLOCKS), NO_TIME, dtype=np.int64)


@dataclass(slots=True)
class Times:
    """Microseconds since 1970 by (table + 1, block), int64 (tables + 1, 128); throw number >> `shift` is the block."""

    shift: int = 0
    latest: Codes = field(default_factory=_NONE.copy)

    def add(self, table: Codes, throw: Codes, at: Codes) -> None:
        """Note the times (n,) of throws (n,) at tables (n,), codes from -1."""
        if not len(throw):
            return
        self.coarsen(int(throw.max()))
        self._grow(int(table.max()) + 2)
        key = (table + 1) * MOST_BLOCKS + (throw >> self.shift)
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        np.maximum.at(self.latest.reshape(-1), key[starts], np.maximum.reduceat(at, starts))

    def _grow(self, tables: int) -> None:
        """Make room for so many tables, null among them."""
        if tables > len(self.latest):
            self.latest = np.concatenate((self.latest, np.repeat(_NONE, tables - len(self.latest), axis=0)))

    def coarsen(self, last_throw: int) -> None:
        """Join blocks until a throw number fits."""
        while last_throw >> self.shift >= MOST_BLOCKS:
            halved = self.latest.reshape(len(self.latest), -1, 2).max(axis=2)
            self.latest = np.concatenate((halved, np.repeat(_NONE, len(halved), axis=0)[:, : MOST_BLOCKS // 2]), axis=1)
            self.shift += 1

    def merge(self, other: "Times", table: Codes) -> None:
        """Add others, whose tables are called `table` here (its last entry stands for null)."""
        theirs, last_throw = Times(other.shift, other.latest), (MOST_BLOCKS << max(self.shift, other.shift)) - 1
        self.coarsen(last_throw)
        theirs.coarsen(last_throw)
        mine = np.append(-1, table[:-1])[: len(theirs.latest)] + 1
        self._grow(int(mine.max()) + 1)
        np.maximum.at(self.latest, mine, theirs.latest)

    def by_block(self, tables: Codes, shift: int, blocks: int) -> Codes:
        """Give when all throws up to the end of each block of 2^shift throws were over at some tables, shape (blocks,).

        `shift` must not be less than that of the times.
        """
        latest, result = self.latest[tables[tables + 1 < len(self.latest)] + 1], np.full(blocks, NO_TIME)
        joined = latest.max(axis=0, initial=NO_TIME).reshape(-1, 1 << min(shift - self.shift, 7)).max(axis=1)[:blocks]
        result[: len(joined)] = joined
        return np.maximum.accumulate(result)
