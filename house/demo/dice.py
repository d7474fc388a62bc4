"""The physical world of the demo: dice with laws, boxes with tricks, and the hand that throws them.

The house cannot see any of this. It sees serials and faces.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

FACES = (1, 2, 3, 4, 5, 6)
FAIR = (1 / 6,) * 6
LOADED_SIX = (*(1 / 6 - 0.02,) * 5, 1 / 6 + 0.10)
"""A die loaded behind its ace: six comes 0.10 more often, every other face 0.02 less."""


@dataclass(frozen=True, slots=True)
class Die:
    """A die by serial, with the chance of each face."""

    serial: str
    law: tuple[float, ...] = FAIR


@dataclass(frozen=True, slots=True)
class Box:
    """A dice box by serial.

    Parameters
    ----------
    repeats
        Chance that one of the dice of a throw does not tumble and shows its last face again.
    """

    serial: str
    repeats: float = 0.0


@dataclass(slots=True)
class Hand:
    """Throws dice; remembers what each die last showed, as the felt does."""

    rng: Random
    shown: dict[str, int] = field(default_factory=dict)

    def throw(self, dice: Sequence[Die], box: Box | None = None) -> tuple[int, ...]:
        """Throw dice from a box, or from the hand, and return the face of each."""
        faces = [self.rng.choices(FACES, cum_weights=tuple(accumulate(die.law)))[0] for die in dice]
        if box is not None and box.repeats and self.rng.random() < box.repeats:
            stuck = self.rng.randrange(len(dice))
            faces[stuck] = self.shown.get(dice[stuck].serial, faces[stuck])
        self.shown.update(zip((die.serial for die in dice), faces, strict=True))
        return tuple(faces)
