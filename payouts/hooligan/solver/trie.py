"""The tallies of a throw as the leaves of a trie: the best option of every tally is then found by one maximum a node.

A tally is how many dice show each open number. It leaves the player a list of options ("name this number, of which so
many lie"); tallies whose lists begin alike share nodes. Chances of tallies are exact integers out of faces ** dice
until they become floats, once.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.tallies import Tally, options, tallies

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
TIE = 1 + 2.0**-44
"""An option is better than those before it only by more than this factor: equal values may differ by rounding."""
Run = tuple[slice | Ints, slice | Ints]
"""Nodes of a level that are one option, and the node before each."""


@dataclass(frozen=True, slots=True, eq=False)
class Trie:
    """Options of each tally of a layer, as prefixes of its list of options.

    Parameters
    ----------
    levels
        Slices of the nodes, one a level.
    parent
        Node before each node; -1 at the first level. Shape (nodes,).
    option
        Place of the open number among them, largest number first, times (dice + 1), plus how many lie. Shape (nodes,).
    weights
        Chance of the tally that ends at each node, 0 where none does. Shape (nodes,).
    node_of
        Node where each tally ends.
    leaves, leaf_weights
        Slice of the nodes in which all tallies end, and the weights there.
    option_sums
        For each level the options in it, and the matrix that sums its nodes by option.
    runs
        For each level its nodes by option, and the nodes before them, all different; slices where they are neighbours.
    options
        Options of all tallies.
    """

    levels: tuple[slice, ...]
    parent: Ints
    option: Ints
    weights: Floats
    node_of: dict[Tally, int]
    leaves: slice
    leaf_weights: Floats
    option_sums: tuple[tuple[Ints, Floats], ...]
    runs: tuple[tuple[Run, ...], ...]
    options: int


@lru_cache(maxsize=128)
def trie(rules: HooliganRules, numbers: int) -> Trie:
    """Trie of the options of all tallies over so many open numbers."""
    total = rules.faces**rules.dice
    choices = {tally: options(rules, tally) for tally, _ in tallies(rules, numbers)}
    depth = max(map(len, choices.values()))
    found = [{each[:size] for each in choices.values() if len(each) >= size} for size in range(1, depth + 1)]
    # By dice that lie, so that the parents of a run of the deepest level, which goes by option, are neighbours.
    prefixes = [sorted(each, key=lambda prefix: (_dice_of(rules, prefix), prefix)) for each in found[:-1]]
    prefixes.append(sorted(found[-1], key=lambda prefix: (prefix[-1], _dice_of(rules, prefix), prefix)))
    order = [prefix for level in prefixes for prefix in level]
    place = {prefix: node for node, prefix in enumerate(order)}
    node_of = {tally: place[each] for tally, each in choices.items()}
    weights = np.zeros(len(order))
    for tally, weight in tallies(rules, numbers):
        weights[node_of[tally]] = weight / total
    first_leaf = int(np.flatnonzero(weights)[0])
    ends = np.cumsum([0, *map(len, prefixes)])
    levels = tuple(slice(int(low), int(high)) for low, high in pairwise(ends))
    parent = np.array([place.get(prefix[:-1], -1) for prefix in order])
    option = np.array([prefix[-1] for prefix in order])
    listed = [np.unique(option[level]) for level in levels]
    runs = tuple(
        tuple(_run(np.flatnonzero(option[level] == each) + level.start, parent) for each in of_level)
        for of_level, level in zip(listed, levels, strict=True)
    )
    return Trie(
        levels=levels,
        parent=parent,
        option=option,
        options=numbers * (rules.dice + 1),
        node_of=node_of,
        weights=weights,
        leaves=slice(first_leaf, len(order)),
        leaf_weights=weights[first_leaf:],
        option_sums=tuple(
            (each, _where_equal(each, option[level])) for each, level in zip(listed, levels, strict=True)
        ),
        runs=runs,
    )


def _dice_of(rules: HooliganRules, prefix: tuple[int, ...]) -> int:
    return sum(option % (rules.dice + 1) for option in prefix)


def _run(nodes: Ints, parent: Ints) -> Run:
    return _compact(nodes), _compact(parent[nodes])


def _compact(places: Ints) -> slice | Ints:
    neighbours = bool((np.diff(places) == 1).all()) and places[0] >= 0
    return slice(int(places[0]), int(places[-1]) + 1) if neighbours else places


def _where_equal(rows: Ints, columns: Ints) -> Floats:
    return np.equal.outer(rows, columns).astype(np.float64)
