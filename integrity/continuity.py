"""Whether a log runs on: numbers without gaps, no step backward."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Follow = Callable[..., tuple[int, int]]
UNSEEN: Final = np.iinfo(np.int64).min
"""Stands for no number yet."""


def _unseen() -> NDArray[np.int64]:
    return np.full(1, UNSEEN, dtype=np.int64)


@dataclass(slots=True)
class Sequence:
    """Whether throw numbers run without gaps, counted once by table and once by die (files number either way).

    `least` is the smallest step forward: 1 for numbers, 0 for times, which may be equal. `first` and `last` hold the
    numbers at the ends by code + 1 (0 is null); `counts` int64 (2,) the numbers jumped over and the steps backward.
    """

    least: int = 1
    first: NDArray[np.int64] = field(default_factory=_unseen)
    last: NDArray[np.int64] = field(default_factory=_unseen)
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, dtype=np.int64))

    @property
    def missing(self) -> int:
        """Count the numbers jumped over."""
        return int(self.counts[0])

    @property
    def backward(self) -> int:
        """Count the steps that do not go forward."""
        return int(self.counts[1])

    def grow(self, codes: int) -> None:
        """Make room for `codes` codes and null."""
        if len(self.last) <= codes:
            room = np.full(max(codes + 1, 2 * len(self.last)) - len(self.last), UNSEEN, dtype=np.int64)
            self.first, self.last = np.concatenate((self.first, room)), np.concatenate((self.last, room))

    def follow(self, compiled: Follow, code: NDArray[np.int64], number: NDArray[np.int64], codes: int) -> None:
        """Follow the numbers (n,) of each code (n,), all less than `codes`, by the kernel."""
        self.grow(codes)
        self.counts += compiled(code, number, self.first, self.last, self.least)

    def update(self, narrow: NDArray[np.integer[Any]], number: NDArray[np.int64], order: NDArray[np.int64]) -> None:
        """Follow the numbers (n,) of each code in order.

        `narrow` (n,) are the codes as `narrowed` gives them; `order` (n,) sorts them and keeps their order.
        """
        if not len(narrow):
            return
        most = int(narrow.max())
        self.grow(most)
        rows = order if int(narrow.min()) < most else slice(None)
        codes, numbers = narrow[rows], number[rows]
        starts = np.flatnonzero(np.concatenate(([True], codes[1:] != codes[:-1])))
        heads, ends = codes[starts], np.append(starts[1:], len(codes)) - 1
        before = np.empty_like(numbers)
        before[1:] = numbers[:-1]
        new = self.last[heads] == UNSEEN
        before[starts] = np.where(new, numbers[starts] - self.least, self.last[heads])
        self.first[heads[new]] = numbers[starts[new]]
        self.last[heads] = numbers[ends]
        self._count(numbers - before)

    def _count(self, step: NDArray[np.int64]) -> None:
        self.counts += (int((step[step > 1] - 1).sum()), int((step < self.least).sum()))

    def merge(self, other: "Sequence", codes: NDArray[np.int64]) -> None:
        """Append the later sequence, whose code k is called `codes[k]` here, null being -1 in both."""
        self.counts += other.counts
        seen = np.flatnonzero(other.last != UNSEEN)
        mine = np.where(seen > 0, codes[np.maximum(seen - 1, 0)], -1) + 1
        if not len(seen):
            return
        self.grow(int(mine.max()))
        known = self.last[mine] != UNSEEN
        self._count(other.first[seen[known]] - self.last[mine[known]])
        self.first[mine[~known]] = other.first[seen[~known]]
        self.last[mine] = other.last[seen]

    def record(self) -> dict[str, Any]:
        """Give the sequence as plain values."""
        return {name: getattr(self, name).tolist() for name in ("first", "last", "counts")} | {"least": self.least}

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Sequence":
        """Read what `record` gave."""
        first, last, counts = (np.array(record[name], dtype=np.int64) for name in ("first", "last", "counts"))
        return cls(record["least"], first, last, counts)
