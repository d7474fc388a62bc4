"""The plan of a solution: which positions there are between frames, and where each frame leads, as index arrays.

A *cell* is a position between frames: the set of open numbers, Hooligan open or not, and a key. In the plan of scores
the key is the score so far; in the plan of needs it is the score so far less the score that is wanted, so that one
sweep solves every wanted score at once. Only cells that can be reached are kept. A *layer* is cells with the same count
of numbers open and the same Hooligan box, as many as the processor's cache holds with their tallies; a sweep goes
through the layers from the last frame to the first.

Within a frame the five dice matter only by how many show each open number; see `trie`.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Literal

import numpy as np

from payouts.hooligan.rules import HOOLIGAN_POINTS, HooliganRules
from payouts.hooligan.solver.trie import Floats, Ints, Trie, trie
from payouts.hooligan.tallies import hit_chances, sets, straight_tally, straights

Key = Literal["score", "need"]

CACHED_NODES = 60_000
"""Nodes times cells of a layer: its working arrays of eight bytes each stay within half a megabyte."""


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """Cells of some sets of so many open numbers, with the Hooligan box open or not.

    Parameters
    ----------
    sets
        Open numbers of each set, largest first.
    cells
        Where the layer's cells lie among all.
    set_of
        Index of the set of each cell. Shape (cells,).
    segments
        Cells of each set, counted from the start of the layer.
    next_cell
        Cell after a frame of each open number with each count of hits. Shape (open, dice * throws + 1, cells).
    natural_cell
        Cell after a natural Hooligan, in the layer before, which holds the same sets with the box closed; empty where
        the box is closed. Shape (cells,).
    first_weights
        Chance of the tally at each node on the first throw, straights left out while the box is open. Shape (sets,
        nodes).
    straight_nodes
        Node of each straight's tally. Shape (straights, sets).
    """

    sets: tuple[tuple[int, ...], ...]
    hooligan_open: bool
    cells: slice
    set_of: Ints
    segments: tuple[slice, ...]
    trie: Trie
    next_cell: Ints
    natural_cell: Ints
    first_weights: Floats
    straight_nodes: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Everything of a sweep that does not depend on what scores are paid.

    Parameters
    ----------
    layers
        From one number open to all; of each group of sets, the box closed before the box open.
    final, last_frame
        Cells of games that are over, and of those with Hooligan alone open.
    last_made, last_missed
        Cells after a last frame that scores, and that does not. Shape of `last_frame`.
    keys
        Key of each cell. Shape (size,).
    hits
        Chance that the count of hits goes from row to column in one throw; row c throws dice - c mod dice dice.
    straight_chance
        Chance of each straight in one throw.
    """

    rules: HooliganRules
    layers: tuple[Layer, ...]
    final: slice
    last_frame: slice
    last_made: Ints
    last_missed: Ints
    keys: Ints
    size: int
    hits: Floats
    straight_chance: float
    _cell_of: Ints
    _lowest: int

    def cell(self, numbers: tuple[int, ...], hooligan_open: bool, key: int) -> int:
        """Cell of a position between frames; -1 if there is none."""
        row = 2 * _mask(numbers) + hooligan_open
        column = key - self._lowest
        return int(self._cell_of[row, column]) if 0 <= column < self._cell_of.shape[1] else -1


def _mask(numbers: tuple[int, ...]) -> int:
    return sum(1 << (number - 1) for number in numbers)


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Numbering of the cells: block by block of (open numbers, box), each with its keys in rising order."""

    cell_of: Ints  # (2 * sets, keys)
    lowest: int
    keys: Ints
    blocks: dict[tuple[int, bool], slice]


def _keys_of(rules: HooliganRules, mask: int, hooligan_open: bool, key: Key) -> Ints:
    """Keys of the cells of one block."""
    reach = 1 if hooligan_open else 1 << HOOLIGAN_POINTS
    most = rules.dice * rules.throws_per_frame
    for number in range(1, rules.faces + 1):
        if key == "score" and not mask >> (number - 1) & 1:
            reach = sum_of_shifts(reach, number, most)
    if key == "score":
        return np.flatnonzero(np.frombuffer(bin(reach)[:1:-1].encode(), np.uint8) == ord("1"))
    open_points = sum(number for number in range(1, rules.faces + 1) if mask >> (number - 1) & 1)
    return np.arange(-most * open_points - HOOLIGAN_POINTS * hooligan_open, 0)


def sum_of_shifts(reach: int, number: int, most: int) -> int:
    """Add 0 to `most` times a number to every element of a set of integers, held as bits.

    >>> bin(sum_of_shifts(1, 2, 2))
    '0b10101'
    """
    combined = reach
    for _ in range(most):
        combined = reach | combined << number
    return combined


def _number_cells(rules: HooliganRules, key: Key) -> _Cells:
    order = [
        (_mask(numbers), box)
        for size in range(rules.faces + 1)
        for box in (False, True)
        for numbers in sets(rules, size)
    ]
    top = rules.perfect_score
    lowest = -top if key == "need" else 0
    cell_of = np.full((2 << rules.faces, top + HOOLIGAN_POINTS + 1 - lowest), -1, dtype=np.int64)
    listed, blocks, size = [], {}, 0
    for mask, box in order:
        keys = _keys_of(rules, mask, box, key)
        if key == "score" and (mask, box) == (0, False):
            keys = np.arange(top + 1)
        cell_of[2 * mask + box, keys - lowest] = np.arange(size, size + len(keys))
        blocks[mask, box] = slice(size, size + len(keys))
        size += len(keys)
        listed.append(keys)
    if key == "need":
        cell_of[cell_of < 0] = size  # more is needed than can be made: worth 0
        cell_of[:, -lowest:] = size + 1  # nothing more is needed: worth 1
        listed.append(np.array([-1, 0]))
    return _Cells(cell_of, lowest, np.concatenate(listed), blocks)


@lru_cache(maxsize=64)
def plan(rules: HooliganRules, key: Key = "score") -> Plan:
    """Build the plan of a reading of the rules, once."""
    numbered = _number_cells(rules, key)
    most = rules.dice * rules.throws_per_frame
    layers = tuple(
        _layer(rules, numbered, group, box)
        for size in range(1, rules.faces + 1)
        for group in _groups(rules, numbered, size)
        for box in (False, True)
    )
    last = numbered.blocks[0, True]
    last_keys = numbered.keys[last] - numbered.lowest
    hits = np.zeros((most + 1, most + rules.dice + 1))
    for count in range(most + 1):
        for more, weight in enumerate(hit_chances(rules, count)):
            hits[count, count + more] = float(weight)
    final = numbered.blocks[0, False]
    if key == "need":
        final = slice(len(numbered.keys) - 2, len(numbered.keys))
    return Plan(
        rules=rules,
        layers=layers,
        final=final,
        last_frame=last,
        last_made=numbered.cell_of[0, last_keys + HOOLIGAN_POINTS],
        last_missed=numbered.cell_of[0, last_keys],
        keys=numbered.keys,
        size=len(numbered.keys),
        hits=hits,
        straight_chance=factorial(rules.dice) / rules.faces**rules.dice,
        _cell_of=numbered.cell_of,
        _lowest=numbered.lowest,
    )


def _layer(rules: HooliganRules, numbered: _Cells, group: tuple[tuple[int, ...], ...], hooligan_open: bool) -> Layer:
    masks = [_mask(numbers) for numbers in group]
    blocks = [numbered.blocks[mask, hooligan_open] for mask in masks]
    first = blocks[0].start
    set_of = np.repeat(np.arange(len(masks)), [block.stop - block.start for block in blocks])
    cells = slice(first, blocks[-1].stop)
    columns = numbered.keys[cells] - numbered.lowest
    numbers = np.array(group)[set_of].T  # (open, cells)
    left = np.array(masks)[set_of] - (1 << (numbers - 1))  # (open, cells): sets without each number
    counts = np.arange(rules.dice * rules.throws_per_frame + 1)
    reached = columns + numbers[:, None, :] * counts[:, None]
    rows = (2 * left + hooligan_open)[:, None, :]
    top = numbered.cell_of.shape[1] - 1
    closed_rows = 2 * np.array(masks)[set_of]
    shared = trie(rules, len(group[0]))
    runs = straights(rules)
    straight_nodes = np.array(
        [[shared.node_of[straight_tally(numbers, run)] for numbers in group] for run in runs], dtype=np.int64
    ).reshape(len(runs), len(group))
    first_weights = np.tile(shared.weights, (len(group), 1))
    for run_nodes in straight_nodes if hooligan_open else ():
        for which, node in enumerate(run_nodes):
            first_weights[which, node] = _less_straight(rules, first_weights[which, node])
    return Layer(
        sets=group,
        hooligan_open=hooligan_open,
        cells=cells,
        set_of=set_of,
        segments=tuple(slice(block.start - first, block.stop - first) for block in blocks),
        trie=shared,
        next_cell=np.ascontiguousarray(numbered.cell_of[rows, np.minimum(reached, top)]),
        natural_cell=numbered.cell_of[closed_rows, columns + HOOLIGAN_POINTS]
        if hooligan_open
        else np.empty(0, np.int64),
        first_weights=first_weights,
        straight_nodes=straight_nodes,
    )


def _groups(rules: HooliganRules, numbered: _Cells, size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Divide the sets of so many numbers into groups whose nodes times cells stay within the cache."""
    nodes = len(trie(rules, size).parent)
    groups: list[tuple[tuple[int, ...], ...]] = []
    room = 0
    for numbers in sets(rules, size):
        block = numbered.blocks[_mask(numbers), False]
        need = nodes * (block.stop - block.start)
        if need > room:
            groups.append(())
            room = CACHED_NODES
        groups[-1] = (*groups[-1], numbers)
        room -= need
    return groups


def _less_straight(rules: HooliganRules, weight: float) -> float:
    """Take one straight out of a tally's chance, exactly: weights are whole numbers out of faces ** dice."""
    total: int = rules.faces**rules.dice
    return (round(weight * total) - factorial(rules.dice)) / total
