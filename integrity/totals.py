"""Totals of several dice: their exact law, and the band in which they are expected."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from integrity.errors import LaboratoryError
from integrity.fit import FAIR_D6, null_law


def total_law(dice: int, null: Sequence[float] = FAIR_D6) -> NDArray[np.float64]:
    """Return the probabilities of the totals dice, dice + 1, ..., dice x faces, by convolution.

    >>> [round(36 * p) for p in total_law(2)]
    [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    """
    if dice < 1:
        raise LaboratoryError(f"dice must be at least 1, got {dice}")
    one = null_law(null, len(null))
    law = one
    for _ in range(dice - 1):
        law = np.convolve(law, one)
    return law


def total_band(dice: int, null: Sequence[float] = FAIR_D6, coverage: float = 0.95) -> tuple[int, int]:
    """Return the totals between which at least `coverage` of the law lies, equal tails left out at most.

    The band of a mean of n throws is the band of the total of n times the dice, divided by n: it narrows as n grows.

    >>> total_band(2, coverage=0.8)
    (4, 10)
    """
    if not 0.0 < coverage < 1.0:
        raise LaboratoryError(f"coverage must be between 0 and 1, got {coverage}")
    law = total_law(dice, null)
    tail = (1.0 - coverage) / 2
    low = int(np.argmax(law.cumsum() > tail))
    high = law.size - 1 - int(np.argmax(law[::-1].cumsum() > tail))
    return dice + low, dice + high
