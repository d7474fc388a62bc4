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
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrity.continuity import Sequence
from integrity.counts import (
    MOST_NAMES,
    MOST_SETTINGS,
    SLOTS,
    Cells,
    Counts,
    Pairs,
    cell_key,
    cells_of,
    pair_key,
    pairs_of,
    setting_of,
    stable_order,
)
from integrity.dense import MOST_PLACES, Dense
from integrity.errors import TallyError
from integrity.observations import FACES, NO_TIME, STATES, Names, Observations, State, whole_throws
from integrity.recycled import Recycled
from integrity.streams import DICE_FROM, Streams, stream_of
from integrity.timeline import Timeline

NAMED: Final = ("die", "table", "box", "shooter")
SETTING: Final = ("table", "box", "shooter", "stake_class")
THROWS: Final = ("counted", *STATES[State.COCKED : State.KEPT])
MOST_DICE: Final = 8
COMPILED_FROM: Final = 1 << 17
"""Rows from which a batch is worth the compiled kernel, whose start takes about a second."""


@dataclass(slots=True)
class Tallies:
    """The accumulator. `names` spell the codes; `settings` maps (table, box, shooter, stake class) to its number.

    `throws` int64 (settings, 5) counts throws by setting: counted, then void by reason (`THROWS`). `orders` int64
    (9, 3) counts throws of k dice: all, faces rising, faces falling. `rows` counts what was read, `kept` dice put
    aside, `doubled` rows left out because their die or slot stood in the same throw already. `places` number the
    (table, box) of settings, `place_of` gives the place of each setting.
    """

    names: dict[str, dict[str, int]] = field(default_factory=lambda: {name: {} for name in NAMED})
    settings: dict[tuple[int, int, int, int], int] = field(default_factory=dict)
    cells: Counts = field(default_factory=lambda: Counts((FACES + 1, FACES)))
    pairs: Counts = field(default_factory=lambda: Counts((FACES, FACES)))
    throws: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, len(THROWS)), dtype=np.int64))
    orders: NDArray[np.int64] = field(default_factory=lambda: np.zeros((MOST_DICE + 1, 3), dtype=np.int64))
    streams: Streams = field(default_factory=Streams)
    by_table: Sequence = field(default_factory=Sequence)
    by_die: Sequence = field(default_factory=Sequence)
    clock: Sequence = field(default_factory=lambda: Sequence(least=0))
    places: dict[tuple[int, int], int] = field(default_factory=dict)
    place_of: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    timeline: Timeline = field(default_factory=Timeline)
    recycled: Recycled = field(default_factory=Recycled)
    dense: Dense | None = None
    rows: int = 0
    kept: int = 0
    doubled: int = 0
    unordered: int = 0

    def update(self, batch: Observations) -> None:
        """Count a batch of whole throws that follows all earlier ones.

        Long batches are counted by the compiled kernel where numba is installed, all others by arrays: the counts are
        the same.
        """
        if not len(batch):
            return
        self.rows += len(batch)
        self.unordered += 0 if batch.ordered else len(batch)
        lookups = {name: self._lookup(name, getattr(batch, name)) for name in NAMED}
        if not (len(batch) >= COMPILED_FROM and batch.ordered and self._count_compiled(batch, lookups)):
            self._count_arrays(batch, {name: lookups[name][getattr(batch, name).codes] for name in NAMED})

    def _count_arrays(self, batch: Observations, codes: dict[str, NDArray[np.int64]]) -> None:
        """Count a batch by arrays."""
        starts = batch.starts()
        setting = self._setting_codes(batch, codes, starts)
        sizes = np.diff(np.append(starts, len(batch)))
        throw = np.repeat(np.arange(len(starts)), sizes)
        reason = np.where((batch.state >= State.COCKED) & (batch.state <= State.VOID), batch.state, 0)
        void = np.maximum.reduceat(reason, starts).astype(np.int64)
        doubled = _doubled(throw, codes["die"], batch.slot)
        good = (batch.state == State.OK) & (void[throw] == 0) & ~doubled
        self.kept += int((batch.state == State.KEPT).sum())
        self.doubled += int(doubled.sum())
        self._count_throws(setting, void, None if batch.weight is None else batch.weight[starts])
        if batch.ordered:
            self.by_table.update(codes["table"][starts], batch.throw[starts])
            self.by_die.update(codes["die"], batch.throw)
            timed = starts[batch.at[starts] != NO_TIME]
            self.clock.update(codes["table"][timed], batch.at[timed])
        self._count_cells(batch, codes["die"], setting[throw], good)
        self._count_pairs(batch, codes["die"], setting[throw], throw, good)

    def _count_compiled(self, batch: Observations, lookups: dict[str, NDArray[np.int64]]) -> bool:
        """Count a batch by the kernel; False if it is not installed or the batch has too many names for it."""
        try:
            from integrity.tally_kernel import count_cells, count_pairs, follow_numbers, judge_rows, throw_keys
        except ModuleNotFoundError:
            return False
        tables, boxes, shooters, dice = (len(self.names[name]) + 1 for name in ("table", "box", "shooter", "die"))
        if tables * boxes * shooters * 5 > MOST_PLACES:
            return False
        throw, at, face, state, slot, stakes = (
            _owned(getattr(batch, name)) for name in ("throw", "at", "face", "state", "slot", "stake_class")
        )
        columns = {name: _owned(getattr(batch, name).codes) for name in NAMED}
        settings = tuple(columns[name] for name in SETTING[:3]), tuple(lookups[name] for name in SETTING[:3])
        starts, keys = throw_keys(throw, *settings, stakes, (boxes, shooters))
        setting = self._number_settings(keys, boxes, shooters)
        dense = self._dense_tables(dice, len(batch))
        if dense is None:
            return False
        self.streams.grow(dice + DICE_FROM)
        die, table = lookups["die"][columns["die"]], lookups["table"][columns["table"][starts[:-1]]]
        timed = at[starts[:-1]] != NO_TIME
        for sequence, names, code, number in (
            (self.by_table, tables, table, throw[starts[:-1]]),
            (self.by_die, dice, die, throw),
            (self.clock, tables, table[timed], at[starts[:-1]][timed]),
        ):
            sequence.grow(names)
            sequence.counts += follow_numbers(code, number, sequence.first, sequence.last, sequence.least)
        void, good, kept, doubled = judge_rows(starts, state, die, slot, dice)
        self.kept += kept
        self.doubled += doubled
        self._count_throws(setting, void)
        dense.rows += len(batch)
        where, streams = (starts, setting, self.place_of), self.streams.columns()
        count_cells(good, (die, slot, face), where, streams, dense.cells, dense.dice)
        count_pairs(good, (die, slot, face), where, self.orders, dense.pairs, dense.dice)
        place = np.repeat(self.place_of[setting], np.diff(starts))
        shown = face[good].astype(np.int64)
        self.timeline.add(die[good], place[good], throw[good], shown)
        self.recycled.add(shown)
        return True

    def _dense_tables(self, dice: int, rows: int) -> Dense | None:
        """Give the kernel's tables, made anew where names have outgrown them; None if there are too many names."""
        if self.dense is None or not self.dense.fits(dice, len(self.settings), rows):
            self.settle()
            self.dense = Dense.of(dice, len(self.settings))
        return self.dense

    def settle(self) -> None:
        """Pour what the kernel counted into `cells` and `pairs`; whoever reads those must call this first."""
        if self.dense is not None:
            self.dense.pour(self.cells, self.pairs)
            self.dense = None

    def _count_throws(
        self, setting: NDArray[np.int64], void: NDArray[np.int64], weight: NDArray[np.int64] | None = None
    ) -> None:
        """Count throws by setting and by what voids them."""
        counts = np.bincount(setting * len(THROWS) + void, weight, minlength=self.throws.size)
        self.throws += np.rint(counts).astype(np.int64).reshape(self.throws.shape)

    def _number_settings(self, keys: NDArray[np.int64], boxes: int, shooters: int) -> NDArray[np.int64]:
        """Number the settings of throws (throws,) from their mixed radix, adding settings not met before."""
        seen = np.bincount(keys)
        number = np.zeros(len(seen), dtype=np.int64)
        for key in np.flatnonzero(seen).tolist():
            rest, stake = divmod(key, 5)
            rest, shooter = divmod(rest, shooters)
            number[key] = self._setting((rest // boxes - 1, rest % boxes - 1, shooter - 1, stake - 1))
        return number[keys]

    def _lookup(self, name: str, column: Names) -> NDArray[np.int64]:
        """Give the codes in this tally of a column's names and, last, of null; names not met before are added."""
        known = self.names[name]
        lookup = np.array([*(known.setdefault(each, len(known)) for each in column.names), -1], dtype=np.int64)
        if len(known) >= MOST_NAMES:
            raise TallyError(f"{name} must have fewer than {MOST_NAMES} names, got {len(known)}")
        return lookup

    def _setting_codes(
        self, batch: Observations, codes: dict[str, NDArray[np.int64]], starts: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Number the setting of every throw (throws,), adding settings not met before."""
        columns = (codes["table"], codes["box"], codes["shooter"], batch.stake_class.astype(np.int64))
        key = np.zeros(len(starts), dtype=np.int64)
        for column, bits in zip(columns, (20, 20, 20, 3), strict=True):
            key = (key << bits) | (column[starts] + 1)
        distinct, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        numbers = np.empty(len(distinct), dtype=np.int64)
        for place in np.argsort(first).tolist():
            row = starts[first[place]]
            setting = tuple(int(column[row]) for column in columns)
            numbers[place] = self._setting(setting)
        return numbers[inverse]

    def _setting(self, setting: tuple[int, ...]) -> int:
        """Number one setting, and its place."""
        known = len(self.settings)
        number = self.settings.setdefault((setting[0], setting[1], setting[2], setting[3]), known)
        if number < known:
            return number
        if number >= MOST_SETTINGS:
            raise TallyError(f"combinations of table, box, shooter and stakes must be at most {MOST_SETTINGS}")
        if number >= len(self.throws):
            room = max(8, number)
            self.throws = np.concatenate((self.throws, np.zeros((room, len(THROWS)), dtype=np.int64)))
            self.place_of = np.concatenate((self.place_of, np.zeros(room, dtype=np.int64)))
        self.place_of[number] = self.places.setdefault((setting[0], setting[1]), len(self.places))
        return number

    def _count_cells(
        self, batch: Observations, die: NDArray[np.int64], setting: NDArray[np.int64], good: NDArray[np.bool_]
    ) -> None:
        """Count faces and transitions of the rows that count."""
        face, slot = batch.face[good].astype(np.int64), np.minimum(batch.slot[good], SLOTS).astype(np.int64)
        die, setting = die[good], setting[good]
        key = cell_key(die, slot, setting)
        previous = np.zeros(len(face), dtype=np.int64)
        if batch.ordered:
            previous = self.streams.follow(stream_of(die, slot), face, slot, setting, self.place_of)
            self.timeline.add(die, self.place_of[setting], batch.throw[good], face)
            self.recycled.add(face)
        weight = None if batch.weight is None else batch.weight[good]
        self.cells.add_rows(key, previous * FACES + face - 1, weight)

    def _count_pairs(
        self,
        batch: Observations,
        die: NDArray[np.int64],
        setting: NDArray[np.int64],
        throw: NDArray[np.int64],
        good: NDArray[np.bool_],
    ) -> None:
        """Count the pairs of dice in each throw, and whether its faces came sorted."""
        rows = np.flatnonzero(good)
        size = np.bincount(throw[rows], minlength=int(throw[-1]) + 1)
        for dice in range(1, MOST_DICE + 1):
            those = rows[size[throw[rows]] == dice].reshape(-1, dice)
            if not len(those):
                continue
            face = batch.face[those].astype(np.int64)
            if batch.ordered:
                step = np.diff(face, axis=1)
                self.orders[dice] += (
                    len(those),
                    int((step >= 0).all(axis=1).sum()),
                    int((step <= 0).all(axis=1).sum()),
                )
            serial, place = die[those], setting[those[:, 0]]
            weight = None if batch.weight is None else batch.weight[those[:, 0]]
            first, second = np.triu_indices(dice, 1)
            swap = serial[:, first] > serial[:, second]
            low, high = np.where(swap, second, first), np.where(swap, first, second)
            serial_low, one = (np.take_along_axis(each, low, axis=1) for each in (serial, face))
            serial_high, two = (np.take_along_axis(each, high, axis=1) for each in (serial, face))
            key = pair_key(serial_low, serial_high, place[:, None])
            times = None if weight is None else np.repeat(weight, len(first))
            self.pairs.add_rows(key.ravel(), ((one - 1) * FACES + two - 1).ravel(), times)

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

    def throws_by_setting(self) -> NDArray[np.int64]:
        """Give the throws counted and void by reason, shape (settings, 5), in the order of `settings`."""
        return self.throws[: len(self.settings)]

    def name_of(self, column: str, code: int) -> str:
        """Spell one code."""
        return tuple(self.names[column])[code]

    def setting_table(self) -> NDArray[np.int64]:
        """Give the settings as codes, shape (settings, 4)."""
        return np.array(list(self.settings), dtype=np.int64).reshape(-1, len(SETTING))

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
        self._join_streams(other, codes["die"], settings)
        here = self.place_of
        there = np.zeros(len(other.places), dtype=np.int64)
        for (table, box, _, _), number in zip(other.settings, settings.tolist(), strict=True):
            there[other.places[table, box]] = here[number]
        self.timeline.merge(other.timeline, codes["die"], there)
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


def _owned(column: NDArray[Any]) -> NDArray[Any]:
    """Give a column that is contiguous and writable, since the kernel is compiled once for each kind of array."""
    return column if column.flags.c_contiguous and column.flags.writeable else column.copy()


def _doubled(throw: NDArray[np.int64], die: NDArray[np.int64], slot: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Find the rows (n,) whose die, or whose slot, stood in the same throw before."""
    found = np.zeros(len(throw), dtype=np.bool_)
    for code in (die, slot.astype(np.int64)):
        known = np.flatnonzero(code >= 0)
        codes, throws = code[known], throw[known]
        if ((codes[1:] > codes[:-1]) | (throws[1:] > throws[:-1])).all():
            continue
        order = stable_order(codes)
        again = (codes[order][1:] == codes[order][:-1]) & (throws[order][1:] == throws[order][:-1])
        found[known[order[1:][again]]] = True
    return found
