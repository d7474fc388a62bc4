"""Observations -> sufficient statistics: one pass, in the order of throwing, mergeable, memory bound by the names met.

The statistics never see more than these counts. A *setting* is what a throw's dice share: (table, box, shooter,
stake class). A *cell* is (die, slot, setting), so that the counts of any die, box, table, shooter, slot or stake class
are sums of cells, and a subject can be taken out of another's counts exactly.

A *transition* goes from the die's previous counted face to this one. It is broken, and counted as coming from 0, at
the die's first throw, after a change of its box or table, and where the log has no order. Dice without a serial are
followed by slot.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.continuity import Sequence
from integrity.counts import (
    SLOTS,
    Cells,
    Counts,
    Pairs,
    add_pairs,
    cell_key,
    cells_of,
    narrowed,
    pair_key,
    pairs_of,
    setting_of,
    stable_order,
)
from integrity.dense import MOVES, Dense
from integrity.met import NAMED, SETTING, Met
from integrity.observations import FACES, NO_TIME, Names, Observations, whole_throws
from integrity.pair_blocks import PairBlocks
from integrity.recycled import Recycled
from integrity.shared_blocks import Room, SharedBlocks, Spots, fold_rows
from integrity.streams import DICE_FROM, Streams, stream_of
from integrity.tally_arrays import Dice, Faces, count_pairs, judge_rows, read_only
from integrity.timeline import Timeline
from integrity.times import Times

MOST_DICE: Final = 8
DENSE_FROM: Final = 1 << 16
"""Rows from which a batch is worth dense tables and the compiled kernel, whose start takes about a second."""

Codes = NDArray[np.int64]


@dataclass(slots=True)
class Tallies(Met):
    """The accumulator.

    `orders` int64 (9, 3) counts throws of k dice: all, faces rising, faces falling. `rows` counts what was read, `kept`
    dice put aside, `doubled` rows left out because their die or slot stood in the same throw already. `dense` holds
    what is not yet in `cells` and `pairs`.
    """

    cells: Counts = field(default_factory=lambda: Counts((FACES + 1, FACES)))
    pairs: Counts = field(default_factory=lambda: Counts((FACES, FACES)))
    orders: NDArray[np.int64] = field(default_factory=lambda: np.zeros((MOST_DICE + 1, 3), dtype=np.int64))
    streams: Streams = field(default_factory=Streams)
    by_table: Sequence = field(default_factory=lambda: Sequence(marked=True))
    by_die: Sequence = field(default_factory=Sequence)
    clock: Sequence = field(default_factory=lambda: Sequence(least=0))
    timeline: Timeline = field(default_factory=Timeline)
    pair_blocks: PairBlocks = field(default_factory=PairBlocks)
    shared: SharedBlocks = field(default_factory=SharedBlocks)
    times: Times = field(default_factory=Times)
    recycled: Recycled = field(default_factory=Recycled)
    dense: Dense | None = None
    rows: int = 0
    kept: int = 0
    doubled: int = 0
    unordered: int = 0

    def update(self, batch: Observations) -> None:
        """Count a batch of whole throws that follows all earlier ones.

        Long batches are counted into dense tables, by the compiled kernel where numba is installed, all others by
        arrays: the counts are the same.
        """
        if not len(batch):
            return
        self.rows += len(batch)
        self.unordered += 0 if batch.ordered else len(batch)
        lookups = {name: self._lookup(name, getattr(batch, name)) for name in NAMED}
        starts = batch.starts()
        codes = {name: getattr(batch, name).codes[starts] for name in SETTING[:3]}
        setting = self._setting_codes(codes, lookups, batch.stake_class[starts])
        dense = self._dense_tables(batch)
        kernel = None if dense is None else _kernel()
        if batch.ordered:
            table, at = lookups["table"][codes["table"]], batch.at[starts]
            self._follow(self.by_table, table, batch.throw[starts], kernel)
            timed = slice(None) if (at != NO_TIME).all() else np.flatnonzero(at != NO_TIME)
            self._follow(self.clock, table[timed], at[timed], kernel)
            self.times.add(table[timed], batch.throw[starts][timed], at[timed])
        if dense is not None and kernel is not None:
            self._count_compiled(batch, lookups["die"], (starts, setting), dense, kernel)
        else:
            self._count_arrays(batch, lookups["die"][batch.die.codes], starts, setting, dense)

    def _follow(self, sequence: Sequence, code: Codes, number: Codes, kernel: ModuleType | None) -> None:
        """Follow the numbers (n,) of tables by their codes (n,)."""
        if kernel is None:
            narrow = narrowed(code)
            sequence.update(narrow, number, stable_order(narrow))
        else:
            sequence.follow(kernel.follow_numbers, code, number, len(self.names["table"]))

    def _count_arrays(
        self, batch: Observations, die: Codes, starts: Codes, setting: Codes, dense: Dense | None
    ) -> None:
        """Count a batch by arrays."""
        narrow, nth = narrowed(die), np.repeat(np.arange(len(starts)), np.diff(starts, append=len(batch)))
        order = stable_order(narrow)
        void, good, kept, doubled = judge_rows(batch, starts, nth, (narrow, order))
        self.kept += kept
        self.doubled += doubled
        self._count_throws(setting, void, None if batch.weight is None else batch.weight[starts])
        if batch.ordered:
            self.by_die.update(narrow, batch.throw, order)
        size = np.add.reduceat(good, starts, dtype=np.int64)
        rows: Codes | slice = slice(None) if good.all() else np.flatnonzero(good)
        weight, throw = None if batch.weight is None else batch.weight[rows], batch.throw[rows]
        span, spots, nth = None, None, nth[rows]
        if batch.ordered and len(throw):
            span = self.pair_blocks.spanning(dense, int(throw.min()), int(throw.max()))
            room = None if dense is None else Room(dense.settings, fold_rows)
            spots = self._spots(batch.throw[starts], setting, int(throw.max()), room)
        home = self.place_of[setting].astype(np.int32)[nth]
        die, face, setting = die[rows], batch.face[rows], setting[nth]
        self._count_cells(batch, (die, face, setting, home), (rows, weight, nth), dense, spots)
        ranks = self.shared.ranks_of(self.names["die"])

        def sink(dice: Dice, faces: Faces, first: Codes) -> None:
            if dense is not None:
                blocks = None if span is None else (throw[first] >> self.pair_blocks.shift) - span.first
                dense.add_pairs(dice, faces, setting[first], blocks, None if span is None else span.table)
            else:
                add_pairs(self.pairs, dice, faces, setting[first], None if weight is None else weight[first])
            if spots is not None:
                spots.add_pairs([ranks[each + 1] for each in dice], faces, nth[first])
                if span is None:
                    self.pair_blocks.add(dice, faces, throw[first])

        count_pairs(die, face, size, self.orders if batch.ordered else np.zeros_like(self.orders), sink)
        if dense is None:
            self.shared.settle(self.settings)

    def _spots(self, throw: Codes, setting: Codes, last_throw: int, room: Room | None) -> Spots:
        """Number the blocks and settings of throws (t,), the last one that counts known."""
        self.timeline.coarsen(last_throw)
        shift = self.timeline.shift
        return self.shared.spots(throw >> shift, setting, shift, self.settings, room)

    def _count_compiled(
        self, batch: Observations, serials: Codes, throws: tuple[Codes, Codes], dense: Dense, kernel: ModuleType
    ) -> None:
        """Count a batch by the kernel; `throws` are their first rows and their settings."""
        starts, setting = throws
        columns: tuple[NDArray[Any], ...] = (batch.throw, batch.face, batch.state, batch.slot, batch.die.codes)
        number, face, state, slot, die = (read_only(column) for column in columns)
        dice, edges = len(self.names["die"]), np.append(starts, len(batch)).astype(np.uint32)
        serial_of = np.append(0, serials[:-1] + 1).astype(np.int16)
        spots = np.full((len(self.places), dice + 1), -1, dtype=np.int32)
        where = (setting, self.place_of, spots)
        serial, kept, doubled = kernel.judge_rows(edges, (state, slot, die), serial_of, setting, self.throws)
        self.kept += kept
        self.doubled += doubled
        self.by_die.grow(dice)
        self.streams.grow(dice + 1 + DICE_FROM)
        ends, streams = (self.by_die.first, self.by_die.last), self.streams.columns()
        moves, *numbers, rows = kernel.follow_rows(edges, (serial, slot, face, number), where, ends, streams)
        missing, backward, low, high = numbers
        self.by_die.counts += (missing, backward)
        dense.rows += len(batch)
        if rows:
            at = self._spots(number[starts], setting, high, Room(dense.settings, kernel.fold))
            ranks = self.shared.ranks_of(self.names["die"])
            first, last = low >> self.timeline.shift, high >> self.timeline.shift
            homes, dice_there = np.nonzero(spots >= 0)
            order = spots[homes, dice_there].argsort()
            blocks = np.zeros((last - first + 1, len(order), MOVES), dtype=np.int32)
            span = self.pair_blocks.spanning(dense, low, high)
            blocked = (self.timeline.shift, first, *((63, 0) if span is None else (self.pair_blocks.shift, span.first)))
            tables = (dense.narrow, (dense.cells, dense.pairs), dense.dice, dense.slots, blocks, self.orders)
            spanned = dense.empty_pairs(1) if span is None else span.table
            beside = (spanned, (at.spot, at.span.first, ranks, at.span.shared, at.span.places))
            dense.wide |= kernel.count_rows(edges, (serial, slot, moves, number), where, blocked, (*tables, *beside))
            self.timeline.pour(first, dice_there[order] - 1, homes[order], blocks)
            if span is None:
                self.pair_blocks.add_rows(serial, face, number, starts)
            self.recycled.add(face if rows == len(batch) else face[serial >= 0], kernel.sampled_stretches)

    def _dense_tables(self, batch: Observations) -> Dense | None:
        """Give dense tables, made anew where names have outgrown them; None for short batches and too many names."""
        if not batch.ordered or (self.dense is None and len(batch) < DENSE_FROM):
            return None
        dice, slots = len(self.names["die"]) + 1, min(int(batch.slot.max()), SLOTS) + 2
        if self.dense is None or not self.dense.fits(dice, slots, len(self.settings), len(batch)):
            slots = max(slots, self.dense.slots if self.dense is not None else 0)
            self.settle()
            self.dense = Dense.of(dice, slots, len(self.settings))
        return self.dense

    def settle(self) -> None:
        """Pour what stands in dense tables into sparse counts; whoever reads those must call this first."""
        self.pair_blocks.settle()
        self.shared.settle(self.settings)
        if self.dense is not None:
            self.dense.pour(self.cells, self.pairs, len(self.settings))
            self.dense = None
            self.radix, self.number_of = (), np.zeros(0, dtype=np.int64)

    def _count_cells(
        self,
        batch: Observations,
        counted: tuple[Codes, NDArray[np.int8], Codes, NDArray[np.int32]],
        chosen: tuple[Codes | slice, Codes | None, Codes],
        dense: Dense | None,
        spots: Spots | None,
    ) -> None:
        """Count faces and transitions of the rows that count, given as die, face, setting and place, (n,) each.

        `chosen` are which rows of the batch these are, how often each stands, and the throws that they belong to.
        """
        (die, face, setting, home), (rows, weight, nth) = counted, chosen
        slot = np.minimum(batch.slot[rows], SLOTS).astype(np.int64)
        previous: NDArray[np.integer[Any]] = np.zeros(len(face), dtype=np.int64)
        if batch.ordered:
            stream = stream_of(die, slot)
            previous = self.streams.follow(stream, (face, slot, setting, batch.throw[rows]), home, self.place_of)
            self.recycled.add(face)
        bins = previous * FACES + face - 1
        if batch.ordered:
            self.timeline.add(die, home, batch.throw[rows], bins)
        if spots is not None:
            spots.add_moves(nth, slot, bins)
        if dense is not None:
            dense.rows += len(batch)
            dense.add_cells(die, slot, setting, bins)
        else:
            self.cells.add_rows(cell_key(die, slot, setting), bins, weight)

    def spelt_cells(self) -> Cells:
        """Spell out the cells, with their factors as codes."""
        self.settle()
        return cells_of(self.cells, self.setting_table())

    def spelt_pairs(self) -> Pairs:
        """Spell out the pairs, with their factors as codes."""
        self.settle()
        return pairs_of(self.pairs, self.setting_table())

    def faces(self) -> NDArray[np.int64]:
        """Count every face of the log, shape (6,)."""
        self.settle()
        return np.asarray(self.cells.counts.sum(axis=(0, 1)), dtype=np.int64)

    def merge(self, other: "Tallies") -> None:
        """Append the tallies of the rows that follow; the result is that of one pass over both.

        Cut a log between throws only: by time, or by table, so that each part keeps its order.
        """
        self.settle()
        codes = {
            name: self._lookup(name, Names(np.arange(len(known), dtype=np.int32), tuple(known)))
            for name, known in other.names.items()
        }
        settings = np.array(
            [
                self._setting(
                    (int(codes["table"][table]), int(codes["box"][box]), int(codes["shooter"][shooter]), stake)
                )
                for table, box, shooter, stake in other.settings
            ],
            dtype=np.int64,
        )
        theirs, pairs = other.spelt_cells(), other.spelt_pairs()
        keys = cell_key(codes["die"][theirs.die], theirs.slot, settings[setting_of(other.cells.keys)])
        self.cells.add_unsorted(keys, theirs.counts)
        a, b = codes["die"][pairs.die_a], codes["die"][pairs.die_b]
        turned = np.where((a > b)[:, None, None], pairs.counts.transpose(0, 2, 1), pairs.counts)
        keys = pair_key(np.minimum(a, b), np.maximum(a, b), settings[setting_of(other.pairs.keys)])
        self.pairs.add_unsorted(keys, turned)
        self.throws[settings] += other.throws_by_setting()
        self.orders += other.orders
        here = self.place_of
        there = np.zeros(len(other.places), dtype=np.int64)
        for (table, box, _, _), number in zip(other.settings, settings.tolist(), strict=True):
            there[other.places[table, box]] = here[number]
        self.timeline.merge(other.timeline, codes["die"], there)
        self.pair_blocks.merge(other.pair_blocks, codes["die"])
        self.shared.merge(other.shared, codes)
        self.times.merge(other.times, codes["table"])
        self._join_streams(other, codes["die"], settings)
        self.recycled.merge(other.recycled)
        self.by_table.merge(other.by_table, codes["table"])
        self.by_die.merge(other.by_die, codes["die"])
        self.clock.merge(other.clock, codes["table"])
        for name in ("rows", "kept", "doubled", "unordered"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def _join_streams(self, other: "Tallies", die: NDArray[np.int64], settings: NDArray[np.int64]) -> None:
        """Follow every stream over the edge: the later log counted its first row as coming from nowhere."""
        stream, later = other.streams.recoded(die[:-1], settings)
        before = self.streams.join(stream, later, self.place_of)
        dice = np.where(stream >= DICE_FROM, stream - DICE_FROM, -1)
        keys = cell_key(dice, later.first_slot, later.first_setting)
        rows = np.searchsorted(self.cells.keys, keys)
        nowhere = np.zeros_like(before)
        np.add.at(self.cells.counts, (rows, nowhere, later.first_face - 1), -1)
        np.add.at(self.cells.counts, (rows, before, later.first_face - 1), 1)
        places = self.place_of[later.first_setting]
        moves = before, later.first_face
        self.timeline.turn(dice, places, later.first_throw, moves)
        shared = dict(zip(SETTING, self.setting_table()[later.first_setting].T, strict=True))
        self.shared.turn({**shared, "slot": later.first_slot}, later.first_throw, moves)


def tally(batches: Iterable[Observations]) -> Tallies:
    """Count batches of one log, in order, in one pass.

    >>> from integrity.observations import observations
    >>> tally([observations([1, 2, 2], die="d")]).faces().tolist()
    [1, 2, 0, 0, 0, 0]
    """
    result = Tallies()
    for batch in whole_throws(batches):
        result.update(batch)
    result.settle()
    return result


def _kernel() -> ModuleType | None:
    """Give the compiled kernel, if numba is installed."""
    try:
        return import_module("integrity.tally_kernel")
    except ModuleNotFoundError:
        return None
