"""The law of one or two throws as a table for draws of 32 bits (alias method, Walker 1977).

A draw u of 32 bits is multiplied by the number of cells: the high part names a cell, the low part decides between the
cell and its alias. The chance of a cell is met to 2**-31.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from payouts.dice import Dice

UNIT = 1 << 32


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """An alias table over K = 36 or 36 * 36 cells.

    Attributes
    ----------
    uniform
        All cells alike: the first product is the cell.
    threshold
        (K,) uint64, in units of 2**-32: the cell is kept below it.
    alias
        (K,) int64 the cell otherwise.
    """

    cells: int
    uniform: bool
    threshold: NDArray[np.uint64]
    alias: NDArray[np.int64]


def draws(dice: Dice, throws: int) -> Draws:
    """Tabulate the joint law of `throws` independent throws of two dice."""
    cells = 36**throws
    if len(set(dice.weights)) == 1:
        return Draws(cells, True, np.full(cells, UNIT, np.uint64), np.arange(cells))
    single = np.array([float(Fraction(weight, dice.whole)) for weight in dice.weights])
    weights = single
    for _ in range(throws - 1):
        weights = np.multiply.outer(weights, single).ravel()
    return _alias(weights)


def _alias(weights: NDArray[np.float64]) -> Draws:
    cells = len(weights)
    level = weights * cells
    threshold = np.full(cells, UNIT, np.uint64)
    alias = np.arange(cells)
    small = [i for i in range(cells) if level[i] < 1]
    large = [i for i in range(cells) if level[i] >= 1]
    while small and large:
        poor, rich = small.pop(), large[-1]
        threshold[poor] = np.uint64(round(float(level[poor]) * UNIT))
        alias[poor] = rich
        level[rich] -= 1 - level[poor]
        if level[rich] < 1:
            small.append(large.pop())
    return Draws(cells, False, threshold, alias)
