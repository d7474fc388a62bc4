"""The law of one or two throws as a table for draws of 32 bits (alias method, Walker 1977).

A draw u of 32 bits is multiplied by the number of cells: the high part names a cell, the low part decides between the
cell and its alias. The chance of a cell is met to 2**-32.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from payouts.errors import PayoutError
from payouts.machine import Throw
from payouts.simulation.automaton import THROWS

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


def draws(law: Mapping[Throw, Fraction] | None, throws: int) -> Draws:
    """Tabulate the joint law of `throws` independent throws; None is fair dice.

    Raises
    ------
    PayoutError
        Chances that are negative or do not sum to 1.
    """
    cells = 36**throws
    if law is None:
        return Draws(cells, True, np.full(cells, UNIT, np.uint64), np.arange(cells))
    single = [Fraction(law.get(throw, Fraction(0))) for throw in THROWS]
    if min(single) < 0 or sum(single) != 1:
        raise PayoutError(f"law must have chances that sum to 1, got {sum(single)}")
    if len(set(single)) == 1:
        return draws(None, throws)
    whole = _whole(single)
    weights = np.array(whole, np.float64) / UNIT
    for _ in range(throws - 1):
        weights = np.multiply.outer(weights, np.array(whole, np.float64) / UNIT).ravel()
    return _alias(weights)


def _whole(chances: list[Fraction]) -> list[int]:
    """Chances in units of 2**-32 that sum to 1: round down, then give the rest to the largest remainders."""
    floors = [int(chance * UNIT) for chance in chances]
    order = sorted(range(len(chances)), key=lambda i: floors[i] - chances[i] * UNIT)
    for i in order[: UNIT - sum(floors)]:
        floors[i] += 1
    return floors


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
