"""Whether a log runs on: numbers without gaps, no step backward."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.counts import narrowed, stable_order

Follow = Callable[..., tuple[int, int]]
UNSEEN: Final = np.iinfo(np.int64).min
"""Stands for no number yet."""
MOST_JUMPS: Final = 4
"""Jumps that are remembered of each code, those of the least numbers."""

Jumps = dict[int, tuple[tuple[int, int], ...]]


def _unseen() -> NDArray[np.int64]:
    return np.full(1, UNSEEN, dtype=np.int64)


@dataclass(slots=True)
class Sequence:
    """Whether throw numbers run without gaps, counted once by table and once by die (files number either way).

    `least` is the smallest step forward: 1 for numbers, 0 for times, which may be equal. `first` and `last` hold the
    numbers at the ends by code + 1 (0 is null); `counts` int64 (2,) the numbers jumped over and the steps backward.
    `jumps` are, where they are `marked`, the first by code + 1: the number before and the number after.
    """

    least: int = 1
    marked: bool = False
    first: NDArray[np.int64] = field(default_factory=_unseen)
    last: NDArray[np.int64] = field(default_factory=_unseen)
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    jumps: Jumps = field(default_factory=dict)

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
        last = self.last.copy() if self.marked else None
        found = compiled(code, number, self.first, self.last, self.least)
        self.counts += found
        if last is not None and any(found):
            narrow = narrowed(code)
            order = stable_order(narrow)
            places, numbers = narrow[order], number[order]
            self._mark(places, numbers, self._before(places, numbers, _starts(places), last))

    def update(self, narrow: NDArray[np.integer[Any]], number: NDArray[np.int64], order: NDArray[np.int64]) -> None:
        """Follow the numbers (n,) of each code in order.

        `narrow` (n,) are the codes as `narrowed` gives them; `order` (n,) sorts them and keeps their order.
        """
        if not len(narrow):
            return
        most = int(narrow.max())
        self.grow(most)
        rows = order if int(narrow.min()) < most else slice(None)
        places, numbers = narrow[rows], number[rows]
        starts = _starts(places)
        heads, ends = places[starts], np.append(starts[1:], len(places)) - 1
        before = self._before(places, numbers, starts, self.last)
        new = self.last[heads] == UNSEEN
        self.first[heads[new]] = numbers[starts[new]]
        self.last[heads] = numbers[ends]
        if self._count(numbers - before) and self.marked:
            self._mark(places, numbers, before)

    def _before(
        self,
        places: NDArray[np.integer[Any]],
        numbers: NDArray[np.int64],
        starts: NDArray[np.int64],
        last: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Give the number before each of sorted places (n,), which begin at `starts`; `last` are those before all."""
        before, heads = np.empty_like(numbers), places[starts]
        before[1:] = numbers[:-1]
        before[starts] = np.where(last[heads] == UNSEEN, numbers[starts] - self.least, last[heads])
        return before

    def _count(self, step: NDArray[np.int64]) -> bool:
        """Count what is jumped over and what goes backward; tell whether there was any."""
        missing, backward = int((step[step > 1] - 1).sum()), int((step < self.least).sum())
        self.counts += (missing, backward)
        return bool(missing or backward)

    def _mark(self, places: NDArray[Any], numbers: NDArray[np.int64], before: NDArray[np.int64]) -> None:
        """Remember the jumps to numbers (n,) from those before."""
        odd = np.flatnonzero((numbers - before > 1) | (numbers - before < self.least))
        for place in np.unique(places[odd]).tolist():
            rows = odd[places[odd] == place]
            self._remember(place, zip(before[rows].tolist(), numbers[rows].tolist(), strict=True))

    def _remember(self, place: int, jumps: Iterable[tuple[int, int]]) -> None:
        self.jumps[place] = tuple(nsmallest(MOST_JUMPS, {*self.jumps.get(place, ()), *jumps}))

    def merge(self, other: "Sequence", codes: NDArray[np.int64]) -> None:
        """Append the later sequence, whose code k is called `codes[k]` here, null being -1 in both."""
        self.counts += other.counts
        seen = np.flatnonzero(other.last != UNSEEN)
        mine = np.where(seen > 0, codes[np.maximum(seen - 1, 0)], -1) + 1
        if not len(seen):
            return
        self.grow(int(mine.max()))
        known = self.last[mine] != UNSEEN
        before, after = self.last[mine[known]], other.first[seen[known]]
        if self._count(after - before) and self.marked:
            self._mark(mine[known], after, before)
        called = dict(zip(seen.tolist(), mine.tolist(), strict=True))
        for place, jumps in other.jumps.items():
            self._remember(called[place], jumps)
        self.first[mine[~known]] = other.first[seen[~known]]
        self.last[mine] = other.last[seen]

    def record(self) -> dict[str, Any]:
        """Give the sequence as plain values."""
        arrays = {name: getattr(self, name).tolist() for name in ("first", "last", "counts")}
        return arrays | {"least": self.least, "marked": self.marked, "jumps": sorted(self.jumps.items())}

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Sequence":
        """Read what `record` gave."""
        first, last, counts = (np.array(record[name], dtype=np.int64) for name in ("first", "last", "counts"))
        jumps = {place: tuple((before, after) for before, after in some) for place, some in record["jumps"]}
        return cls(record["least"], record["marked"], first, last, counts, jumps)


def _starts(places: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Find where each of sorted places begins."""
    return np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
