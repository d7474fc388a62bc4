"""Sparse tables of counts that grow, add up and stay sorted, and how their keys are packed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_NAME_BITS, _SETTING_BITS = 20, 24
MOST_NAMES: Final = (1 << _NAME_BITS) - 1
MOST_SETTINGS: Final = (1 << _SETTING_BITS) - 1
SLOTS: Final = 14
_SIX: Final = 6
MOST_TABLE: Final = 1 << 12
"""Entries of a table that tells keys apart, and more where there are many rows."""


def distinct_of(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Give the distinct keys, sorted, and where among them each key (n,) is.

    Keys are told apart part by part (the setting, then the codes above it) with tables, which costs a tenth of sorting
    all rows; where a table would be too long, they are sorted after all.
    """
    values, place = np.zeros(1, dtype=np.uint64), np.zeros(len(keys), dtype=np.int64)
    for shift, bits in ((_SETTING_BITS + _NAME_BITS, 20), (_SETTING_BITS, _NAME_BITS), (0, _SETTING_BITS)):
        part = ((keys >> np.uint64(shift)) & np.uint64((1 << bits) - 1)).astype(np.int64)
        least = int(part.min())
        span = int(part.max()) - least + 1
        if span * len(values) > max(MOST_TABLE, 4 * len(keys)):
            distinct, inverse = np.unique(keys, return_inverse=True)
            return distinct, inverse.astype(np.int64)
        joined = place * span + (part - least)
        seen = np.zeros(span * len(values), dtype=np.bool_)
        seen[joined] = True
        places = np.flatnonzero(seen)
        row_of = np.empty(len(seen), dtype=np.int64)
        row_of[places] = np.arange(len(places))
        values = values[places // span] | ((places % span + least).astype(np.uint64) << np.uint64(shift))
        place = row_of[joined]
    return values, place


def narrowed(codes: NDArray[np.int64]) -> NDArray[np.integer[Any]]:
    """Give codes (n,) from -1 up, plus one, in the shortest type that holds them: short rows are read many times."""
    most = int(codes.max(initial=0)) + 1
    return (codes + 1).astype(np.uint8 if most < 1 << 8 else np.uint16 if most < 1 << 16 else np.int64)


def stable_order(narrow: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Sort what `narrowed` gave, equal ones in their order: by radix, a byte a pass, where they are short."""
    return np.argsort(narrow, kind="stable")


@dataclass(slots=True)
class Counts:
    """Counts by a sorted uint64 key: `counts` has shape (keys, *bins)."""

    bins: tuple[int, ...]
    keys: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))
    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    def __post_init__(self) -> None:
        """Give the counts their shape."""
        self.counts = self.counts.reshape(len(self.keys), *self.bins)

    def add(self, keys: NDArray[np.uint64], counts: NDArray[np.int64]) -> None:
        """Add counts (k, *bins), which become this table's own, under distinct sorted keys (k,)."""
        if not len(self.keys):
            self.keys, self.counts = keys, counts
            return
        places = np.searchsorted(self.keys, keys)
        known = np.zeros(len(keys), dtype=np.bool_)
        inside = places < len(self.keys)
        known[inside] = self.keys[places[inside]] == keys[inside]
        self.counts[places[known]] += counts[known]
        if known.all():
            return
        if places[~known][0] == len(self.keys):
            self.keys = np.concatenate((self.keys, keys[~known]))
            self.counts = np.concatenate((self.counts, counts[~known]))
        else:
            joined = np.concatenate((self.keys, keys[~known]))
            order = np.argsort(joined, kind="stable")
            self.keys = joined[order]
            self.counts = np.concatenate((self.counts, counts[~known]))[order]

    def add_unsorted(self, keys: NDArray[np.uint64], counts: NDArray[np.integer[Any]]) -> None:
        """Add counts (k, *bins) under keys (k,) in any order, some of them perhaps the same."""
        if not len(keys):
            return
        order = np.argsort(keys, kind="stable")
        sorted_keys, sorted_counts = keys[order], counts[order]
        starts = np.flatnonzero(np.concatenate(([True], sorted_keys[1:] != sorted_keys[:-1])))
        if len(starts) < len(keys):
            sorted_counts = np.add.reduceat(sorted_counts, starts, axis=0)
        self.add(sorted_keys[starts], sorted_counts.astype(np.int64, copy=False))

    def add_rows(
        self, keys: NDArray[np.uint64], bins: NDArray[np.integer[Any]], weight: NDArray[np.int64] | None = None
    ) -> None:
        """Count rows: keys (n,) in any order, the flat bin of each (n,), and how often each stands."""
        if not len(keys):
            return
        distinct, inverse = distinct_of(keys)
        width = int(np.prod(self.bins))
        flat = np.bincount(inverse * width + bins, weight, minlength=len(distinct) * width)
        self.add(distinct, np.rint(flat).astype(np.int64).reshape(len(distinct), *self.bins))


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells spelt out: codes (c,) of every factor, -1 for null, and `counts` int64 (c, 7, 6), previous face by face."""

    die: NDArray[np.int64]
    slot: NDArray[np.int64]
    table: NDArray[np.int64]
    box: NDArray[np.int64]
    shooter: NDArray[np.int64]
    stake_class: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of dice thrown together: codes (p,) of every factor, `counts` int64 (p, 6, 6), face of a by face of b."""

    die_a: NDArray[np.int64]
    die_b: NDArray[np.int64]
    table: NDArray[np.int64]
    box: NDArray[np.int64]
    shooter: NDArray[np.int64]
    stake_class: NDArray[np.int64]
    counts: NDArray[np.int64]


def cell_key(die: NDArray[np.int64], slot: NDArray[np.int64], setting: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Pack die (-1 or more), slot (-1 to 14) and setting into one key."""
    key = (((die + 1) << 4) | (slot + 1)) << _SETTING_BITS
    return (key | setting).astype(np.uint64)


def pair_key(low: NDArray[np.int64], high: NDArray[np.int64], setting: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Pack two dice (-1 or more) and their setting into one key."""
    first = (low + 1).astype(np.uint64) << np.uint64(_NAME_BITS + _SETTING_BITS)
    return first | ((high + 1) << _SETTING_BITS | setting).astype(np.uint64)


def add_pairs(
    table: Counts,
    dice: Sequence[NDArray[np.int64]],
    faces: Sequence[NDArray[np.integer[Any]]],
    setting: NDArray[np.int64],
    weight: NDArray[np.int64] | None,
) -> None:
    """Count the pairs of throws (t,) of as many dice each as there are columns (t,) of codes and of faces from 1."""
    if len(dice) < 2:
        return
    keys, bins = [], []
    for a in range(len(dice)):
        for b in range(a + 1, len(dice)):
            swap = dice[a] > dice[b]
            keys.append(pair_key(np.minimum(dice[a], dice[b]), np.maximum(dice[a], dice[b]), setting))
            one, two = np.where(swap, faces[b], faces[a]), np.where(swap, faces[a], faces[b])
            bins.append((one - 1) * _SIX + two - 1)
    times = None if weight is None else np.tile(weight, len(keys))
    table.add_rows(np.concatenate(keys), np.concatenate(bins), times)


def setting_of(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Unpack the setting of cells or pairs."""
    return (keys & np.uint64(MOST_SETTINGS)).astype(np.int64)


def cells_of(table: Counts, settings: NDArray[np.int64]) -> Cells:
    """Spell out cells by the codes (s, 4) of their settings."""
    place, box, shooter, stakes = settings[setting_of(table.keys)].reshape(-1, 4).T
    rest = (table.keys >> np.uint64(_SETTING_BITS)).astype(np.int64)
    return Cells((rest >> 4) - 1, (rest & 15) - 1, place, box, shooter, stakes, table.counts)


def pairs_of(table: Counts, settings: NDArray[np.int64]) -> Pairs:
    """Spell out pairs by the codes (s, 4) of their settings."""
    place, box, shooter, stakes = settings[setting_of(table.keys)].reshape(-1, 4).T
    rest = table.keys >> np.uint64(_SETTING_BITS)
    low, high = (rest >> np.uint64(_NAME_BITS)).astype(np.int64), (rest & np.uint64(MOST_NAMES)).astype(np.int64)
    return Pairs(low - 1, high - 1, place, box, shooter, stakes, table.counts)
