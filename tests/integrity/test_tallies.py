"""The accumulator against a row-by-row count in plain Python, whole, in batches, merged and reloaded."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import integrity.dense as dense_module
import integrity.pair_blocks as pair_blocks_module
import integrity.shared_blocks as shared_blocks_module
import integrity.tallies as tallies_module
from integrity.audit import audit
from integrity.continuity import Sequence
from integrity.evidence import View, frame_of, sums
from integrity.met import THROWS
from integrity.observations import Observations, concatenate, observations, whole_throws
from integrity.tallies import Tallies, tally
from integrity.tally_files import load, save

Row = tuple[int, int, str, int, str | None, str | None, str | None, str, int]


def evening(seed: int, throws: int = 60) -> Observations:
    """Throws of one to five dice at two tables, some void, some dice without a serial."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    number = {"T1": 0, "T2": 0}
    for _ in range(throws):
        table = str(rng.choice(["T1", "T2"]))
        box = [None, "B1", "B2"][rng.integers(3)]
        shooter = [None, "S1", "S2"][rng.integers(3)]
        dice = [f"d{table}{code}" for code in rng.permutation(6)[: rng.integers(1, 6)]]
        void = rng.random() < 0.1
        stake = int(rng.integers(-1, 4))
        for slot, die in enumerate(dice):
            state = "cocked" if void and slot == len(dice) - 1 else "kept" if rng.random() < 0.05 else "ok"
            face = 0 if state == "cocked" else int(rng.integers(1, 7))
            rows.append(
                (number[table], face, state, slot, die if rng.random() < 0.95 else None, box, shooter, table, stake)
            )
        number[table] += 1
    columns = list(zip(*rows, strict=True))
    return observations(
        columns[1],
        throw=columns[0],
        state=columns[2],
        slot=columns[3],
        die=columns[4],
        box=columns[5],
        shooter=columns[6],
        table=columns[7],
        stake_class=columns[8],
    )


def plain_count(batch: Observations) -> tuple[Counter[tuple[object, ...]], Counter[tuple[object, ...]]]:
    """Count (cell, previous, face) and (pair, setting, faces) one row at a time, with dictionaries."""
    die, box, table, shooter = (getattr(batch, name).values() for name in ("die", "box", "table", "shooter"))
    last: dict[object, tuple[int, object]] = {}
    cells: Counter[tuple[object, ...]] = Counter()
    pairs: Counter[tuple[object, ...]] = Counter()
    throws: dict[tuple[object, int], list[int]] = {}
    for row in range(len(batch)):
        throws.setdefault((table[row], int(batch.throw[row])), []).append(row)
    for rows in throws.values():
        if any(batch.state[row] in (1, 2, 3, 4) for row in rows):
            continue
        good = [row for row in rows if batch.state[row] == 0]
        for row in good:
            place, slot, face = (table[row], box[row]), int(batch.slot[row]), int(batch.face[row])
            stream = die[row] or slot
            before = last.get(stream, (0, None))
            previous = before[0] if before[1] == place else 0
            last[stream] = (face, place)
            cells[die[row], slot, *place, shooter[row], int(batch.stake_class[row]), previous, face] += 1
        for at, a in enumerate(good):
            for b in good[at + 1 :]:
                names = [(str(die[row] or ""), int(batch.face[row])) for row in (a, b)]
                if die[a] and die[b]:
                    names.sort()
                elif die[a]:
                    names.reverse()
                pairs[*names[0], *names[1], table[a], box[a], shooter[a], int(batch.stake_class[a])] += 1
    return cells, pairs


def spelt(tallies: Tallies) -> tuple[Counter[tuple[object, ...]], Counter[tuple[object, ...]]]:
    """Spell a tally out in the same way."""

    def name(column: str, code: int) -> str | None:
        return None if code < 0 else tallies.name_of(column, code)

    cells: Counter[tuple[object, ...]] = Counter()
    found = tallies.spelt_cells()
    for row, previous, face in np.argwhere(found.counts).tolist():
        setting = (name("table", found.table[row]), name("box", found.box[row]), name("shooter", found.shooter[row]))
        key = (name("die", found.die[row]), int(found.slot[row]), *setting, int(found.stake_class[row]))
        cells[*key, previous, face + 1] = int(found.counts[row, previous, face])
    pairs: Counter[tuple[object, ...]] = Counter()
    both = tallies.spelt_pairs()
    for row, a, b in np.argwhere(both.counts).tolist():
        setting = (name("table", both.table[row]), name("box", both.box[row]), name("shooter", both.shooter[row]))
        names = [(name("die", both.die_a[row]) or "", a + 1), (name("die", both.die_b[row]) or "", b + 1)]
        if names[0][0] and names[1][0]:
            names.sort()
        pairs[*names[0], *names[1], *setting, int(both.stake_class[row])] += int(both.counts[row, a, b])
    return cells, pairs


def spells(tallies: Tallies) -> Counter[tuple[object, ...]]:
    """Spell the timeline out."""
    homes, found = list(tallies.places), Counter[tuple[object, ...]]()
    for row, (die, place, block) in enumerate(zip(*tallies.timeline.spelt(), strict=True)):
        named = [
            None if code < 0 else tallies.name_of(column, code)
            for column, code in (("die", die), ("table", homes[place][0]), ("box", homes[place][1]))
        ]
        found[*named, int(block)] = tallies.timeline.counts.counts[row].tobytes()  # type: ignore[assignment]
    return found


def pairs_by_block(tallies: Tallies) -> Counter[tuple[object, ...]]:
    """Spell the pairs by block out: dice, block, faces."""
    low, high, block = tallies.pair_blocks.spelt()
    found = Counter[tuple[object, ...]]()
    for row, a, b in np.argwhere(tallies.pair_blocks.counts.counts).tolist():
        dice = ["" if code[row] < 0 else tallies.name_of("die", int(code[row])) for code in (low, high)]
        names = [(dice[0], a + 1), (dice[1], b + 1)]
        if all(dice):
            names.sort()
        found[int(block[row]), *names[0], *names[1]] += int(tallies.pair_blocks.counts.counts[row, a, b])
    return found


def shared_by_block(tallies: Tallies) -> Counter[tuple[object, ...]]:
    """Spell out who shares throws: kind, name, block, then moves (7 rows) and pairs (6 rows) by face."""
    tallies.settle()
    found = Counter[tuple[object, ...]]()
    for kind, each in tallies.shared.kinds.items():
        codes, blocks = each.spelt()
        for row, line, face in np.argwhere(each.counts.counts).tolist():
            name = tallies.name_of(kind, int(codes[row])) if kind in tallies.names else int(codes[row])
            found[kind, name, int(blocks[row]), line, face] += int(each.counts.counts[row, line, face])
    return found


def times_by_table(tallies: Tallies) -> dict[str, list[int]]:
    """Give the latest times by block of every table that has some."""
    latest = tallies.times.latest[1:].tolist()
    return {name: latest[code] for name, code in tallies.names["table"].items() if code < len(latest)}


def jumps_by_table(tallies: Tallies) -> dict[str | None, tuple[tuple[int, int], ...]]:
    """Give the jumps that are remembered of every table."""
    names = dict(enumerate((None, *tallies.names["table"])))
    return {names[place]: jumps for place, jumps in tallies.by_table.jumps.items()}


def same(one: Tallies, two: Tallies) -> bool:
    """Compare two tallies by what they say, whatever the order in which names were met."""
    reports = [
        (
            spelt(t),
            spells(t),
            pairs_by_block(t),
            shared_by_block(t),
            {kind: each.shift for kind, each in t.shared.kinds.items()},
            times_by_table(t),
            t.orders.tolist(),
            t.throws.sum(axis=0).tolist(),
            t.rows,
            t.kept,
            t.by_table.counts.tolist(),
            jumps_by_table(t),
            t.timeline.shift,
            t.pair_blocks.shift,
        )
        for t in (one, two)
    ]
    return reports[0] == reports[1]


def test_the_moves_of_all_blocks_are_those_of_the_cells() -> None:
    tallies = tally([evening(11, 400)])
    assert tallies.timeline.shift > 0
    cells, (die, place, _) = tallies.spelt_cells(), tallies.timeline.spelt()
    homes = np.array(list(tallies.places))
    by_cell, by_block = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for row, previous, face in np.argwhere(cells.counts).tolist():
        key = (int(cells.die[row]), int(cells.table[row]), int(cells.box[row]), previous, face)
        by_cell[key] += int(cells.counts[row, previous, face])
    for row, previous, face in np.argwhere(tallies.timeline.counts.counts).tolist():
        key = (int(die[row]), *homes[place[row]].tolist(), previous, face)
        by_block[key] += int(tallies.timeline.counts.counts[row, previous, face])
    assert by_block == by_cell


def test_what_all_blocks_hold_of_who_shares_throws_is_what_the_cells_and_pairs_hold() -> None:
    tallies = tally([evening(11, 400)])
    frame, found = frame_of(tallies), shared_by_block(tallies)
    assert tallies.shared.kinds["shooter"].shift > 0
    for kind in ("table", "box", "shooter", "stake_class", "slot"):
        summed = sums(frame, View.of(frame), kind)  # type: ignore[arg-type]
        both = np.concatenate((summed.moves, summed.togethers if kind != "slot" else 0 * summed.togethers), axis=1)
        for code, counts in enumerate(both):
            name = tallies.name_of(kind, code) if kind in tallies.names else code
            held = [(key[3], key[4], count) for key, count in found.items() if key[:2] == (kind, name)]
            total = np.zeros_like(counts)
            for line, face, count in held:
                total[line, face] += count  # type: ignore[index]
            assert total.tolist() == counts.tolist()


def test_the_pairs_of_all_blocks_are_those_of_the_settings() -> None:
    tallies = tally([evening(11, 400)])
    assert tallies.pair_blocks.shift > 0
    by_dice, by_block = Counter[tuple[object, ...]](), Counter[tuple[object, ...]]()
    for key, count in spelt(tallies)[1].items():
        by_dice[key[:4]] += count
    for key, count in pairs_by_block(tallies).items():
        by_block[key[1:]] += count
    assert by_block == by_dice


@given(st.integers(0, 10_000), st.lists(st.integers(0, 200), max_size=2))
@settings(max_examples=10, deadline=None)
def test_pairs_share_blocks_where_they_are_too_many_for_memory_however_they_are_counted(
    seed: int, cuts: list[int]
) -> None:
    batch = evening(seed, 100)
    edges = sorted({0, len(batch), *(min(cut, len(batch)) for cut in cuts)})
    parts = [batch.take(slice(a, b)) for a, b in pairwise(edges)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pair_blocks_module, "MOST_ROWS", 60)
        patch.setattr(shared_blocks_module, "MOST_ROWS", 40)
        plain, cut, starts = tally([batch]), tally(parts), batch.starts()
        halves = [tally([batch.take(rows)]) for rows in (slice(0, int(starts[50])), slice(int(starts[50]), None))]
        halves[0].merge(halves[1])
        patch.setattr(tallies_module, "DENSE_FROM", 1)
        dense = tally(parts)
        patch.setattr(dense_module, "MOST_SPAN", 1)
        patch.setattr(shared_blocks_module, "MOST_SPAN", 1)
        sparse = tally(parts)
    assert plain.pair_blocks.shift > 0
    assert all(each.shift > 0 and len(each.counts.keys) <= 40 for each in plain.shared.kinds.values())
    assert shared_by_block(halves[0]) == shared_by_block(plain)
    assert all(same(each, plain) for each in (cut, dense, sparse))
    assert (pairs_by_block(halves[0]), halves[0].pair_blocks.shift) == (pairs_by_block(plain), plain.pair_blocks.shift)


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_cells_and_pairs_equal_a_row_by_row_count(seed: int) -> None:
    batch = evening(seed)
    assert spelt(tally([batch])) == plain_count(batch)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 200), max_size=4))
@settings(max_examples=25, deadline=None)
def test_any_cut_into_batches_gives_the_same_tallies(seed: int, cuts: list[int]) -> None:
    batch = evening(seed)
    edges = sorted({0, len(batch), *(min(cut, len(batch)) for cut in cuts)})
    parts = [batch.take(slice(a, b)) for a, b in pairwise(edges)]
    assert same(tally(parts), tally([batch]))


@given(st.integers(0, 10_000), st.integers(0, 299))
@settings(max_examples=25, deadline=None)
def test_merging_two_halves_equals_one_pass(seed: int, cut: int) -> None:
    batch = evening(seed, 300)
    starts = batch.starts()
    edge = int(starts[min(cut, len(starts) - 1)])
    first, second = tally([batch.take(slice(0, edge))]), tally([batch.take(slice(edge, None))])
    first.merge(second)
    assert same(first, tally([batch]))


@pytest.mark.parametrize("compiled", [True, False])
@given(st.integers(0, 10_000), st.lists(st.integers(0, 200), max_size=2))
@settings(max_examples=25, deadline=None)
def test_dense_tables_and_the_compiled_kernel_count_as_the_arrays_do(
    compiled: bool, seed: int, cuts: list[int]
) -> None:
    batch = evening(seed)
    edges = sorted({0, len(batch), *(min(cut, len(batch)) for cut in cuts)})
    parts = [batch.take(slice(a, b)) for a, b in pairwise(edges)]
    plain = tally(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallies_module, "DENSE_FROM", 1)
        if not compiled:
            patch.setattr(tallies_module, "_kernel", lambda: None)
        dense = tally(parts)
    assert same(dense, plain)
    assert dense.recycled.kept.tolist() == plain.recycled.kept.tolist()
    for name in ("by_table", "by_die", "clock"):
        assert getattr(dense, name).record()["counts"] == getattr(plain, name).record()["counts"]
    size = len(batch.die.names) + 16
    for each in ("first_face", "first_throw", "last_face"):
        assert getattr(dense.streams, each)[:size].tolist() == getattr(plain.streams, each)[:size].tolist()


@pytest.mark.parametrize("throws", [255, 256, 257, 5 * 256, 5 * 256 + 1])
def test_counts_in_bytes_carry_where_they_are_full(throws: int) -> None:
    batch = observations(
        [2, 5] * throws, throw=np.arange(throws).repeat(2), die=["a", "b"] * throws, slot=[0, 1] * throws
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tallies_module, "DENSE_FROM", 1)
        dense = tally([batch])
    assert same(dense, tally([batch]))
    assert dense.faces().tolist() == [0, throws, 0, 0, throws, 0]
    assert dense.spelt_pairs().counts[0, 1, 4] == throws


def test_a_saved_tally_goes_on_exactly(tmp_path: Path) -> None:
    batch = evening(7, 200)
    first, second = list(whole_throws([batch.take(slice(0, 300)), batch.take(slice(300, None))]))[:2]
    counted = tally([first])
    save(counted, tmp_path / "tally.npz")
    again = load(tmp_path / "tally.npz")
    counted.update(second)
    again.update(second)
    assert same(again, counted)
    assert again.streams.last_face[: len(counted.streams.last_face)].tolist() == counted.streams.last_face.tolist()


def test_one_cocked_die_voids_the_whole_throw() -> None:
    tallies = tally([observations([[3, 4], [0, 5], [6, 6]], state=["ok", "ok", "cocked", "ok", "ok", "ok"])])
    assert tallies.faces().tolist() == [0, 0, 1, 1, 0, 2]
    assert dict(zip(THROWS, tallies.throws_by_setting()[0].tolist(), strict=True)) == {
        "counted": 2,
        "cocked": 1,
        "off": 0,
        "foul": 0,
        "void": 0,
    }


def test_a_change_of_box_breaks_the_transition() -> None:
    tallies = tally([observations([2, 2, 2], die="d", box=["A", "A", "B"])])
    assert tallies.cells.counts.sum(axis=0)[:, 1].tolist() == [2, 0, 1, 0, 0, 0, 0]


def test_a_row_written_twice_counts_once() -> None:
    twice = observations([1, 5, 1, 5], throw=[0, 0, 0, 0], die=["a", "b", "a", "b"], slot=[0, 1, 0, 1])
    tallies = tally([twice])
    assert (tallies.doubled, tallies.faces().tolist()) == (2, [1, 0, 0, 0, 1, 0])


@pytest.mark.parametrize(("numbers", "missing", "backward"), [([0, 1, 2], 0, 0), ([0, 2, 5], 3, 0), ([0, 1, 0], 0, 1)])
def test_numbers_jumped_over_and_steps_backward_are_counted(numbers: list[int], missing: int, backward: int) -> None:
    sequence = tally([observations([1, 2, 3], throw=numbers)]).by_table
    assert (sequence.missing, sequence.backward) == (missing, backward)
    assert sequence.jumps.get(0, ()) == tuple((a, b) for a, b in pairwise(numbers) if b - a != 1)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_first_jumps_of_each_table_are_remembered_in_order(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tallies_module, "DENSE_FROM", 1 if compiled else 1 << 16)
    throws = [0, 1, 0, 5, 2, 6, 9, 3, 12, 20, 18]
    tables = ["A", "A", "B", "B", "A", "B", "B", "A", "B", "B", "B"]
    batch = observations([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5], throw=throws, table=tables, die=[f"d{t}" for t in tables])
    whole, parts = tally([batch]), tally([batch.take(slice(0, 4)), batch.take(slice(4, None))])
    assert jumps_by_table(whole) == jumps_by_table(parts) == {"B": ((0, 5), (6, 9), (9, 12), (12, 20))}
    assert Sequence.of(whole.by_table.record()).record() == whole.by_table.record()
    first, second = tally([batch.take(slice(0, 7))]), tally([batch.take(slice(7, None))])
    first.merge(second)
    assert jumps_by_table(first) == jumps_by_table(whole)
    assert first.by_table.counts.tolist() == [15, 1]
    assert (
        "throw numbers of table B jump from 0 to 5, from 6 to 9, from 9 to 12, from 12 to 20 and perhaps further on"
        in audit(whole).notes
    )


def test_counts_without_order_know_no_transitions() -> None:
    tallies = tally([observations([1, 6], weight=[40, 60], ordered=False, die="d")])
    assert tallies.faces().tolist() == [40, 0, 0, 0, 0, 60]
    assert tallies.cells.counts[:, 1:].sum() == 0
    assert tallies.unordered == 2


def test_concatenation_joins_names() -> None:
    joined = concatenate([observations([1], die="a"), observations([2], die="b"), observations([3])])
    assert joined.die.values() == ["a", "b", None]
