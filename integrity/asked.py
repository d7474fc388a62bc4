"""What an attack takes to see, asked once and answered alike every time: throws for a size, or the size for throws."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from integrity.errors import LaboratoryError
from integrity.power import ATTACKS, SINCE, Attack, Watched, smallest_size, throws_needed, watched_throws

STREAMS: Final = 200
"""Streams by which the watched monitor is simulated, with a fixed seed."""
MOST_WATCHED: Final = 50_000
"""Throws up to which the watched monitor is simulated; what begins at some moment up to a tenth of it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer both ways.

    Attributes
    ----------
    kind
        The attack.
    size
        The size that is seen in so many throws, or was asked about; None if no size is.
    planned
        Throws of the planned test.
    watched
        When the watched monitor alarms; None where so long a watch was not simulated.
    """

    kind: Attack
    size: float | None
    planned: int
    watched: Watched | None


def ask(
    attack: str,
    *,
    size: float | None = None,
    throws: int | None = None,
    alpha: float = 0.01,
    power: float = 0.9,
    dice: int = 1,
) -> Asked:
    """Answer for a size or for a number of throws; an attack of one size needs neither.

    Raises
    ------
    LaboratoryError
        The attack is unknown, both or neither are given, or a value is out of its range.

    Examples
    --------
    >>> ask("repeats", size=0.1).planned
    305
    """
    if attack not in ATTACKS:
        raise LaboratoryError(f"attack must be one of {', '.join(ATTACKS)}, got {attack}")
    kind = ATTACKS[attack]
    if throws is not None and size is not None:
        raise LaboratoryError("throws must be left out where a size is given, got both")
    if throws is None and size is None and kind.most:
        raise LaboratoryError("size must be given, or throws, got neither")
    shown = 0.0 if size is None or not kind.most else size
    seen = shown if throws is None else smallest_size(attack, throws, alpha=alpha, power=power, dice=dice)
    planned = throws or throws_needed(attack, shown, alpha=alpha, power=power, dice=dice)
    watched = None
    if seen is not None and planned <= MOST_WATCHED / (10 if attack in SINCE else 1):
        rng = np.random.default_rng(1)
        watched = watched_throws(attack, seen, rng=rng, alpha=alpha, power=power, dice=dice, streams=STREAMS)
    return Asked(kind, seen, planned, watched)
