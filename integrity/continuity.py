"""Whether a log runs on: numbers without gaps, no step backward."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Sequence:
    """Whether throw numbers run without gaps, counted once by table and once by die (files number either way).

    `least` is the smallest step forward: 1 for numbers, 0 for times, which may be equal.
    """

    least: int = 1
    last: dict[int, int] = field(default_factory=dict)
    first: dict[int, int] = field(default_factory=dict)
    missing: int = 0
    backward: int = 0

    def update(self, key: NDArray[np.int64], number: NDArray[np.int64]) -> None:
        """Follow the numbers (n,) of each key (n,) in order."""
        order = np.argsort(key, kind="stable")
        keys, numbers = key[order], number[order]
        starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if len(keys) else np.zeros(0, int)
        step = np.ones(len(numbers), dtype=np.int64)
        step[1:] = numbers[1:] - numbers[:-1]
        for start in starts.tolist():
            code, value = int(keys[start]), int(numbers[start])
            self.first.setdefault(code, value)
            step[start] = value - self.last[code] if code in self.last else 1
        self._count(step)
        for end in [*(starts[1:] - 1).tolist(), len(keys) - 1][: len(starts)]:
            self.last[int(keys[end])] = int(numbers[end])

    def _count(self, step: NDArray[np.int64]) -> None:
        """Count the numbers jumped over and the steps that do not go forward."""
        self.missing += int((step[step > 1] - 1).sum())
        self.backward += int((step < self.least).sum())

    def merge(self, other: "Sequence", codes: NDArray[np.int64]) -> None:
        """Append the later sequence, whose key k is called `codes[k]` here."""
        self.missing += other.missing
        self.backward += other.backward
        for theirs, value in other.first.items():
            mine = int(codes[theirs])
            if mine in self.last:
                self._count(np.array([value - self.last[mine]]))
            self.first.setdefault(mine, value)
            self.last[mine] = other.last[theirs]

    def record(self) -> dict[str, object]:
        """Give the sequence as plain values."""
        return {
            "least": self.least,
            "last": list(self.last.items()),
            "first": list(self.first.items()),
            "missing": self.missing,
            "backward": self.backward,
        }

    @classmethod
    def of(cls, record: dict[str, Any]) -> "Sequence":
        """Read what `record` gave."""
        return cls(
            record["least"],
            dict(map(tuple, record["last"])),
            dict(map(tuple, record["first"])),
            record["missing"],
            record["backward"],
        )
