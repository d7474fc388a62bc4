"""Does a stretch of throws occur again, face by face? A sample of all stretches of 24 dice, of bounded size.

A stretch is its faces as one number in base 6, exact. A fixed pseudo-random part of all stretches, chosen by their
number alone, is remembered: in short logs all of them, in long ones ever fewer, so that a stretch and its copy are both
in the sample or both not. In n fair throws the chance of any two equal stretches is under n^2 / 2 / 6^24, 1e-5 at ten
million.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

WINDOW: Final = 24
MOST_KEPT: Final = 1 << 16
FEWEST_FACES: Final = 4
"""Distinct faces in a stretch; a die that hardly shows more than three repeats itself without any copying."""
MIX: Final = 0x9E3779B97F4A7C15
"""Multiplier that scatters the numbers of stretches over 64 bits."""

Sample = Callable[[NDArray[np.uint8], int], NDArray[np.uint64]]


@dataclass(slots=True)
class Recycled:
    """The sample: stretches whose mixed number is under 2^(64 - bits).

    `seen` counts all stretches and sets `bits`; `kept` are the sorted ones of the sample, `again` those that came
    again, once for each time; `tail` holds the last faces.
    """

    seen: int = 0
    kept: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    again: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    tail: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, dtype=np.uint8))

    @property
    def bits(self) -> int:
        """Give the thinning of the sample: one stretch in 2^bits is looked at."""
        return _bits(self.seen)

    @property
    def copies(self) -> int:
        """Count the stretches of the sample that came again."""
        return len(self.again)

    def add(self, face: NDArray[np.integer[Any]], sample: "Sample | None" = None) -> None:
        """Follow the faces (n,) of dice that count, in the order of the log; `sample` is a compiled `sampled`."""
        faces = np.concatenate((self.tail, face.astype(np.uint8) - np.uint8(1)))
        self.tail = faces[-(WINDOW - 1) :]
        stretches = len(faces) - WINDOW + 1
        if stretches > 0:
            self._take((sample or sampled)(faces, _bits(self.seen + stretches)), stretches)

    def _take(self, found: NDArray[np.uint64], seen: int) -> None:
        """Take stretches into the sample, `seen` being the number that they stand for; remember those known already."""
        bits = self.bits
        self.seen += seen
        if self.bits > bits:
            self.kept, self.again = _chosen(self.kept, self.bits), _chosen(self.again, self.bits)
        sample = np.sort(_chosen(found, self.bits))
        if not len(sample):
            return
        new = np.ones(len(sample), dtype=np.bool_)
        new[1:] = sample[1:] != sample[:-1]
        place = np.searchsorted(self.kept, sample)
        if len(self.kept):
            new &= self.kept[np.minimum(place, len(self.kept) - 1)] != sample
        again = sample[~new]
        self.again = np.concatenate((self.again, again[_varied(again)]))
        self.kept = np.insert(self.kept, place[new], sample[new])

    def merge(self, other: "Recycled") -> None:
        """Append the sample of the later log; stretches over the edge are not looked at."""
        again = other.again
        self._take(other.kept, other.seen)
        self.again = np.concatenate((self.again, _chosen(again, self.bits)))
        self.tail = other.tail


def sampled(faces: NDArray[np.uint8], bits: int) -> NDArray[np.uint64]:
    """Give the stretches of at least 24 faces (n,) from 0 that belong to a sample of one in 2^bits."""
    return _chosen(_stretches(faces.astype(np.uint64)), bits)


def _bits(seen: int) -> int:
    """Give the thinning of the sample after so many stretches."""
    return (seen // MOST_KEPT).bit_length()


def _chosen(stretches: NDArray[np.uint64], bits: int) -> NDArray[np.uint64]:
    """Choose the stretches that belong to the sample."""
    if not bits:
        return stretches
    return np.asarray(stretches[(stretches * np.uint64(MIX)) >> np.uint64(64 - bits) == 0])


def _stretches(faces: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Give every stretch of 24 faces 0..5 as a number, by joining halves: 1, 2, 4, 8, 16 and 8 more."""
    code, length = faces, 1
    parts = {1: faces}
    while length < 16:
        code = code[:-length] * np.uint64(6**length) + code[length:]
        length *= 2
        parts[length] = code
    return parts[16][: len(faces) - WINDOW + 1] * np.uint64(6**8) + parts[8][16:]


def _varied(stretches: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Tell which stretches show at least four faces."""
    rest, seen = stretches.copy(), np.zeros(len(stretches), dtype=np.int64)
    for _ in range(WINDOW):
        seen |= 1 << (rest % np.uint64(6)).astype(np.int64)
        rest //= np.uint64(6)
    return np.array([int(each).bit_count() >= FEWEST_FACES for each in seen.tolist()], dtype=np.bool_)
