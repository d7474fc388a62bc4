"""The loops of the solver over the nodes of a trie, compiled; the extra `fast` brings the compiler.

They do what `sweep.best_options` does for the best player, and what `law.final_law` does for any, in one pass over
memory. Compiling takes some seconds when they are first used on a machine and is kept from then on: a search is worth
it, one solution is not. This module is imported only where it is wanted. Marks are bytes of 0 and 1: the compiler
multiplies by bytes, but not by truth values, in vectors.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from payouts.hooligan.solver.trie import TIE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = NDArray[np.uint8]
Trie = tuple[Ints, Ints]


@numba.njit(cache=True)
def best_options(named: Floats, again: Floats, trie: Trie, nodes: Floats, own: Marks) -> None:
    """Fill the value at every node, and whether its own option makes it.

    Parameters
    ----------
    named
        Value of each option. Shape (options, cells).
    trie
        Node before each node and option of each node.
    again
        Value of taking up all dice, below every other where that is not allowed. Shape (cells,).
    nodes, own
        Filled. Shape (nodes, cells).
    """
    parent, option = trie
    cells = named.shape[1]
    for node in range(len(parent)):
        mine = named[option[node]]
        other = again if parent[node] < 0 else nodes[parent[node]]
        here, mark = nodes[node], own[node]
        # Two loops, each of which the compiler turns into vector instructions.
        for cell in range(cells):
            here[cell] = mine[cell] if mine[cell] > other[cell] else other[cell]
        for cell in range(cells):
            mark[cell] = mine[cell] > other[cell] * TIE


@numba.njit(cache=True)
def climb(nodes: Floats, own: Marks, trie: Trie, chosen: Floats, again: Floats) -> None:
    """Send the chance at every node to its option where that is best, else to the node before it.

    Parameters
    ----------
    nodes
        Chance at each node; spent. Shape (nodes, cells).
    trie
        Node before each node and option of each node.
    chosen, again
        Added to: chance of each option, and of taking up all dice. Shapes (options, cells) and (cells,).
    """
    parent, option = trie
    cells = nodes.shape[1]
    for node in range(len(parent) - 1, -1, -1):
        here, mark, mine = nodes[node], own[node], chosen[option[node]]
        other = again if parent[node] < 0 else nodes[parent[node]]
        for cell in range(cells):
            kept = here[cell] * mark[cell]
            mine[cell] += kept
            other[cell] += here[cell] - kept


@numba.njit(cache=True)
def throw_on(hits: Floats, counted: Floats, after: Floats) -> None:
    """Value each count of hits before a throw from the values after it; a throw adds at most as many hits as dice.

    Parameters
    ----------
    counted
        Shape (open, counts after, cells).
    after
        Filled. Shape (open, counts before, cells).
    """
    numbers, rows, cells = after.shape
    for number in range(numbers):
        for row in range(rows):
            here = after[number, row]
            here[:] = 0.0
            for count in range(row, counted.shape[1]):
                weight = hits[row, count]
                if weight > 0.0:
                    then = counted[number, count]
                    for cell in range(cells):
                        here[cell] += weight * then[cell]


@numba.njit(cache=True)
def throw_out(hits: Floats, counted: Floats, after: Floats) -> None:
    """Add the chance of each count of hits before a throw to the counts after it.

    Parameters
    ----------
    counted
        Shape (open, counts before, cells).
    after
        Added to. Shape (open, counts after, cells).
    """
    numbers, rows, cells = counted.shape
    for number in range(numbers):
        for row in range(rows):
            here = counted[number, row]
            for count in range(row, after.shape[1]):
                weight = hits[row, count]
                if weight > 0.0:
                    then = after[number, count]
                    for cell in range(cells):
                        then[cell] += weight * here[cell]
