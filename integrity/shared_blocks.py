"""When it happened to those who share throws: hands, boxes, tables, stakes and places, over blocks of throws.

Dice of one throw share its table, box, hand and stakes; dice of many throws share a place. For every code of these
kinds and every block of throws there are its moves (previous face by face) and the faces of its pairs, 13 x 6 counts.
A block is 2^k throws by number, k for each kind the least that leaves at most 128 blocks and at most 4,096 codes with
their blocks (or one block): 2.5 MiB a kind. More rows never need a smaller k, so that live, in batches of any size, and
merged the blocks are the same.

Throws are counted at *spots*, a setting in a block each, which are added up by kind later. The first die of a pair
is the one whose serial comes first in order of letters: codes may be turned round when logs are merged, names are not.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from integrity.counts import MOST_TABLE, SLOTS, Counts, setting_of
from integrity.dense import MOVES, TOGETHER
from integrity.observations import FACES

SHARED: Final = ("table", "box", "shooter", "stake_class")
"""Kinds that a throw's dice share, in the order of a setting's codes."""
BINS: Final = (2 * FACES + 1, FACES)
WIDTH: Final = MOVES + TOGETHER
PLACES: Final = SLOTS + 2
MOST_ROWS: Final = 1 << 12
MOST_SPAN: Final = 1 << 24
"""Counts in a table that is kept for several batches."""
ROOM: Final = 32
"""Blocks that such a table has room for at most, unless one batch needs more."""
_BLOCK_BITS: Final = 24
_ONE: Final = np.int32(1)

Codes = NDArray[np.int64]
Settings = Collection[tuple[int, int, int, int]]


def ranks_of(names: Sequence[str]) -> NDArray[np.int32]:
    """Give the ranks (n + 1,) in order of letters of null, which is 0, and of names."""
    ranks = np.zeros(len(names) + 1, dtype=np.int32)
    ranks[1 + np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)] = np.arange(1, len(names) + 1)
    return ranks


@dataclass(slots=True)
class Blocks:
    """Counts of one kind: moves and, under them, pairs by (code, block); throw number >> `shift` is the block."""

    shift: int = 0
    counts: Counts = field(default_factory=lambda: Counts(BINS))

    def add(self, code: Codes, block: Codes, counts: NDArray[np.integer[Any]]) -> None:
        """Add counts (n, 78) of codes (n,) in blocks (n,)."""
        self.counts.add_unsorted(_key(code, block), counts.reshape(len(code), *BINS))
        self._bound()

    def add_sorted(self, code: Codes, block: Codes, counts: NDArray[np.integer[Any]]) -> None:
        """Add counts (n, 78) of codes (n,) in blocks (n,), distinct and sorted; code -1 is null and left out."""
        some = (code >= 0) & counts.any(axis=1)
        self.counts.add(_key(code[some], block[some]), counts[some].astype(np.int64).reshape(-1, *BINS))
        self._bound()

    def _bound(self) -> None:
        """Join blocks until the table is short enough."""
        while len(self.counts.keys) > MOST_ROWS and setting_of(self.counts.keys).any():
            self.join(1)

    def join(self, bits: int) -> None:
        """Make 2^bits blocks one."""
        for _ in range(bits):
            code, block = self.spelt()
            keys, old = _key(code, block >> 1), self.counts.counts
            new = np.diff(keys, prepend=keys[:1] + np.uint64(1)) != 0
            joined = old[new]
            joined[np.cumsum(new)[~new] - 1] += old[~new]
            self.counts = Counts(BINS, keys[new], joined)
            self.shift += 1

    def spelt(self) -> tuple[Codes, Codes]:
        """Unpack the keys: codes and blocks."""
        return (self.counts.keys >> np.uint64(_BLOCK_BITS)).astype(np.int64), setting_of(self.counts.keys)


def _key(code: Codes, block: Codes) -> NDArray[np.uint64]:
    """Pack codes from 0 and blocks."""
    return ((code << _BLOCK_BITS) | block).astype(np.uint64)


def _distinct(code: Codes, block: Codes) -> tuple[Codes, Codes, Codes]:
    """Give the distinct codes, from -1, with their blocks, sorted, and which of them each of (n,) is."""
    low, first = int(code.min()), int(block.min())
    blocks = int(block.max()) - first + 1
    place, room = (code - low) * blocks + (block - first), (int(code.max()) - low + 1) * blocks
    if room > MOST_TABLE + len(place):
        met, group = np.unique(place, return_inverse=True)
    else:
        seen = np.zeros(room, dtype=np.bool_)
        seen[place] = True
        met, group = np.flatnonzero(seen), (np.cumsum(seen) - 1)[place]
    return met // blocks + low, met % blocks + first, group.reshape(-1)


Fold = Callable[[NDArray[np.int32], Codes, Codes, int], NDArray[np.int32]]
"""Adds up rows (n,) of a flat table of 78 counts a row by their groups (n, kinds), and makes them 0: (groups, 78)."""


@dataclass(frozen=True, slots=True)
class Span:
    """Tables for the blocks from `first` to before `end`, of 2^shift throws each.

    `shared` int32 (spots * 78,) and `places` int32 (blocks * 16 * 42,) are flat, of moves and pairs by spot and of
    moves by block and place in the throw, one after its number so that null is 0. A spot is a block with a setting,
    `width` to a block, or one of the `met` alone, for one batch; `used` (spots,) tells where throws were. `fold` adds
    the spots up. What was poured out is 0 again, so that the tables can be used for other blocks: memory that the
    system gives anew costs more than the counting.
    """

    shift: int
    first: int
    end: int
    width: int
    fold: Fold
    used: NDArray[np.bool_]
    shared: NDArray[np.int32]
    places: NDArray[np.int32]
    met: Codes | None = None

    @classmethod
    def of(cls, shift: int, blocks: tuple[int, int], width: int, fold: Fold, met: Codes | None = None) -> "Span":
        """Make empty tables."""
        first, end = blocks
        spots = (end - first) * width if met is None else len(met)
        shared, places = spots * WIDTH, (end - first) * PLACES * MOVES
        tables = np.zeros(shared, dtype=np.int32), np.zeros(places, dtype=np.int32)
        return cls(shift, first, end, width, fold, np.zeros(spots, dtype=np.bool_), *tables, met)

    def holds(self, shift: int, blocks: tuple[int, int], width: int) -> bool:
        """Tell whether blocks and settings have their spots here."""
        kept = self.met is None and (shift, width) == (self.shift, self.width)
        return kept and self.first <= blocks[0] and blocks[1] <= self.end

    def moved(self, shift: int, first: int) -> "Span":
        """Give the same tables, poured out, for as many other blocks."""
        return replace(self, shift=shift, first=first, end=first + self.end - self.first)

    def spelt(self) -> tuple[Codes, Codes, Codes]:
        """Give the spots where throws were, and their blocks and settings."""
        spot = np.flatnonzero(self.used)
        met = spot if self.met is None else self.met[spot]
        return spot, met // self.width + self.first, met % self.width


@dataclass(frozen=True, slots=True)
class Room:
    """For how many settings tables have room that are kept, and how they are added up."""

    settings: int
    fold: Fold


@dataclass(frozen=True, slots=True)
class Spots:
    """The spot of each throw (throws,) of a batch in a span, by its number in the batch."""

    span: Span
    spot: Codes
    block: Codes

    def add_moves(self, throw: Codes, slot: Codes, bins: Codes) -> None:
        """Count rows (n,) of throws (n,) by their place and their bin of 42."""
        np.add.at(self.span.shared, (self.spot * WIDTH)[throw] + bins, _ONE)
        place = (((self.block - self.span.first) * PLACES + 1) * MOVES)[throw] + slot * MOVES + bins
        first = int(place.min())
        counts = np.bincount(place - first)
        self.span.places[first : first + len(counts)] += counts.astype(np.int32)

    def add_pairs(
        self, ranks: Sequence[NDArray[np.int32]], faces: Sequence[NDArray[np.integer[Any]]], throw: Codes
    ) -> None:
        """Count the pairs of throws (t,) of as many dice each as there are columns (t,) of ranks and faces from 1."""
        base = (self.spot * WIDTH + MOVES)[throw]
        dice = zip(ranks, faces, strict=True)
        keys = [((rank << 4 | place) << 3) + (face - 1).astype(np.int32) for place, (rank, face) in enumerate(dice)]
        for one, two in combinations(keys, 2):  # as numbers, since asking every row which comes first takes longer
            np.add.at(self.span.shared, base + ((np.minimum(one, two) & 7) * FACES + (np.maximum(one, two) & 7)), _ONE)


@dataclass(slots=True)
class SharedBlocks:
    """The blocks of every kind, none of them shorter than those of the timeline.

    `span` holds what is not yet in `kinds`; whoever reads those must call `settle` first. `ranks` are those of dice.
    """

    kinds: dict[str, Blocks] = field(default_factory=lambda: {kind: Blocks() for kind in (*SHARED, "slot")})
    span: Span | None = None
    ranks: NDArray[np.int32] = field(default_factory=lambda: np.zeros(1, dtype=np.int32))

    def ranks_of(self, names: Collection[str]) -> NDArray[np.int32]:
        """Give the ranks (n + 1,) of null and of the dice met so far, which only become more."""
        if len(names) >= len(self.ranks):
            self.ranks = ranks_of(tuple(names))
        return self.ranks

    def spots(self, block: Codes, setting: Codes, shift: int, settings: Settings, room: Room | None) -> Spots:
        """Number the blocks (throws,), of 2^shift throws, and settings (throws,) of a batch.

        The tables are kept for the batches that follow if there is room for them, `room` saying for how many settings
        and how they are added up; else `settle` must be called once the batch is counted.
        """
        blocks = int(block.min()), int(block.max()) + 1
        width = len(settings) if room is None else room.settings
        if self.span is not None and (room is None or not self.span.holds(shift, blocks, width)):
            self._pour(settings, self.span)
            moved = self.span.moved(shift, blocks[0])
            self.span = moved if room is not None and moved.holds(shift, blocks, width) else None
        if self.span is None:
            most = MOST_SPAN // (width * WIDTH)
            if room is not None and blocks[1] - blocks[0] <= most:
                end = max(blocks[1], blocks[0] + min(ROOM, most))
                self.span = Span.of(shift, (blocks[0], end), width, room.fold)
            else:
                met, spot = np.unique((block - blocks[0]) * width + setting, return_inverse=True)
                self.span = Span.of(shift, blocks, width, fold_rows, met)
                self.span.used[:] = True
                return Spots(self.span, spot.reshape(-1), block)
        spot = (block - self.span.first) * self.span.width + setting
        self.span.used[spot] = True
        return Spots(self.span, spot, block)

    def settle(self, settings: Settings) -> None:
        """Pour what stands in tables into the blocks of each kind; `settings` are those met, in order."""
        if self.span is not None:
            self._pour(settings, self.span)
            self.span = None

    def _pour(self, settings: Settings, span: Span) -> None:
        """Pour tables out, which are empty then."""
        for each in self.kinds.values():
            each.join(max(0, span.shift - each.shift))
        spot, block, setting = span.spelt()
        codes = np.array(list(settings), dtype=np.int64).reshape(-1, len(SHARED))[setting]
        groups, keys, ends = np.empty_like(codes), [], [0]
        for column, kind in enumerate(SHARED):
            code, at, group = _distinct(codes[:, column], block >> (self.kinds[kind].shift - span.shift))
            groups[:, column] = group + ends[-1]
            keys.append((code, at))
            ends.append(ends[-1] + len(code))
        total = span.fold(span.shared, spot, groups, ends[-1])
        for kind, key, (start, end) in zip(SHARED, keys, pairwise(ends), strict=True):
            self.kinds[kind].add_sorted(*key, total[start:end])
        places = span.places.reshape(-1, PLACES, MOVES)
        block, slot = np.nonzero(places[:, 1:].any(axis=2))
        counts = np.zeros((len(slot), WIDTH), dtype=np.int64)
        counts[:, :MOVES] = places[block, slot + 1]
        each = self.kinds["slot"]
        each.add(slot, (block + span.first) >> (each.shift - span.shift), counts)
        span.used[spot] = False
        span.places[:] = 0

    def turn(self, codes: dict[str, Codes], throw: Codes, moves: tuple[Codes, Codes]) -> None:
        """Take rows (n,) that were counted as coming from nowhere for moves (previous, face) after all."""
        previous, face = moves
        for kind, code in codes.items():
            each, known = self.kinds[kind], code >= 0
            key = _key(code[known], throw[known] >> each.shift)
            rows, faces = np.searchsorted(each.counts.keys, key), face[known] - 1
            np.add.at(each.counts.counts, (rows, np.zeros_like(faces), faces), -1)
            np.add.at(each.counts.counts, (rows, previous[known], faces), 1)

    def merge(self, other: "SharedBlocks", codes: dict[str, Codes]) -> None:
        """Add others, whose codes of named kinds are called `codes` here."""
        for kind, theirs in other.kinds.items():
            mine, (code, block) = self.kinds[kind], theirs.spelt()
            mine.join(max(0, theirs.shift - mine.shift))
            named = codes[kind][code] if kind in codes else code
            mine.add(named, block >> (mine.shift - theirs.shift), theirs.counts.counts)


def fold_rows(table: NDArray[np.int32], row: Codes, group: Codes, groups: int) -> NDArray[np.int32]:
    """Add up rows by their groups, as `Fold` says."""
    member, rows = group.ravel(), table.reshape(-1, WIDTH)
    order = np.argsort(member, kind="stable")
    starts = np.searchsorted(member[order], np.arange(groups + 1))
    chosen = np.repeat(row, group.shape[1])[order]
    sums = sparse.csr_array((np.ones(len(member), dtype=np.int32), chosen, starts), (groups, len(rows))) @ rows
    rows[row] = 0
    return np.asarray(sums)
