"""The cheats by name: what each does to the tallies and which physical check comes next.

The checks are those of the old inspection: count the faces; lay the dice together in pairs, each way, for equal
height; look along the faces for convexity; hold each die at its longest diagonal and see whether it swings on a pivot;
look for darkness in the corners; try a magnet; look at the box for a sloping, roughened rim, and at how it is held.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Attack:
    """One cheat: its id, its name, what it does to the tallies, and what to look for with calipers or eyes."""

    id: str
    name: str
    seen: str
    check: str


_COUNT = "Count the faces: every number from 1 to 6 must be on the die once, opposite faces adding to 7."
_HEIGHT = "Lay the dice together in pairs, each way round, and measure with the micrometer: all heights must be equal."
_CONVEX = "Set the steel square on every face and look against the light: no face may be convex, no edge rounded."
_PIVOT = "Hold the die loosely at each longest diagonal (or in the balancing caliper): it must not swing on a pivot."
_CORNERS = "Look for darkness in the corners and at the depth of the spots: mercury or filled spots."
_MAGNET = "Try every die with a magnet, and look for a battery or coil under the table."
_RIM = "Feel the upper inner edge of the box: a sloping flat surface, roughened, holds a die."
_HOLD = "Watch how the box is held: palm over the mouth, not fingers; fingers must not be drawn out in order."
_THROW = "Watch the throw: the dice must be shaken, leave the hand free, and hit the back wall."
_TWINS = "Lay the two dice together: look for glue, wax, or magnets that draw one to the other."
_COUNTERS = "Compare the issued serials with the dice in play, and review the camera at the moment of the change."
_CLERK = "Ask who wrote the log and from what; compare a sample of it with the camera."

_TABLE: Final = (
    Attack(
        "load", "die loaded to a face", "one face shows too often, the others share the loss", f"{_PIVOT} {_CORNERS}"
    ),
    Attack(
        "tilt",
        "die loaded, with the opposite face paying",
        "one face shows too often and its opposite too seldom",
        f"{_PIVOT} {_CORNERS}",
    ),
    Attack("flats", "flats (shaved die)", "both faces of one axis show too often", f"{_HEIGHT} {_CONVEX}"),
    Attack(
        "any", "bevelled, capped or misshapen die", "the faces are uneven in no simple pattern", f"{_CONVEX} {_HEIGHT}"
    ),
    Attack("missing", "dispatcher: a face is missing", "one face is never seen", _COUNT),
    Attack(
        "doubled", "dispatcher: a face stands twice", "one face is never seen and another shows twice as often", _COUNT
    ),
    Attack("few_faces", "tops and bottoms", "at most three faces are ever seen", _COUNT),
    Attack("repeats", "secured die", "a die shows its previous face again too often", f"{_RIM} {_HOLD}"),
    Attack("order", "faces that follow a pattern", "which face comes depends on the one before", f"{_CLERK} {_HOLD}"),
    Attack(
        "equal",
        "dice held together: equal faces",
        "two dice of a throw show the same face too often",
        f"{_TWINS} {_HOLD}",
    ),
    Attack("seven", "dice held together: seven", "two dice of a throw add to seven too often", f"{_TWINS} {_HOLD}"),
    Attack("eleven", "dice held together: eleven", "two dice of a throw add to eleven too often", f"{_TWINS} {_HOLD}"),
    Attack("no_seven", "hand that avoids sevens", "two dice of a throw add to seven too seldom", _THROW),
    Attack(
        "crooked_box",
        "crooked box with fair dice",
        "whatever dice pass through the box, faces are uneven",
        f"{_RIM} {_HOLD}",
    ),
    Attack("crooked_hand", "hand that sets the dice", "whatever dice this shooter throws, faces are uneven", _THROW),
    Attack("magnet", "magnet or battery", "whatever dice are thrown at the table, faces are uneven", _MAGNET),
    Attack(
        "switched",
        "magnet or battery switched on for a while",
        "faces are uneven during a spell and even around it",
        f"{_MAGNET} {_COUNTERS}",
    ),
    Attack("changed", "dice changed in mid-game", "faces are even before some throw and uneven after it", _COUNTERS),
    Attack(
        "stakes",
        "dice that misbehave when stakes are large",
        "faces differ with the size of the stakes",
        f"{_COUNTERS} {_MAGNET}",
    ),
    Attack(
        "slot",
        "place in the throw",
        "the die read in this place is uneven whichever die it is",
        f"Check how the reader tells the dice apart. {_CLERK}",
    ),
    Attack("too_even", "invented log: too even", "counts are closer to equal than chance allows", _CLERK),
    Attack("sorted", "log with sorted faces", "the faces of a throw are written in order of size", _CLERK),
    Attack("recycled", "invented log: recycled rows", "a stretch of throws occurs again, face by face", _CLERK),
    Attack("gaps", "missing throws", "throw numbers are jumped over or go backward", _CLERK),
    Attack("twice", "rows written twice", "the same die of the same throw is written more than once", _CLERK),
    Attack("refused", "rows that cannot be right", "more than one row in a thousand had to be refused", _CLERK),
    Attack(
        "voids",
        "throws voided by choice",
        "the share of void throws follows a shooter or a box",
        "Review the camera for every void throw: which of them would have lost?",
    ),
)
ATTACKS: Final[Mapping[str, Attack]] = {attack.id: attack for attack in _TABLE}

_FACES: Final = frozenset(("load", "tilt", "flats", "any", "missing", "doubled", "few_faces"))
_OF_KIND: Final[Mapping[str, str]] = {
    "box": "crooked_box",
    "shooter": "crooked_hand",
    "table": "magnet",
    "stake_class": "stakes",
    "slot": "slot",
}
"""What uneven faces are called when they belong to something else than a die."""


def attack_of(kind: str, component: str) -> Attack:
    """Name the cheat behind a component of the evidence on a subject of this kind.

    >>> attack_of("die", "load").id, attack_of("box", "load").id, attack_of("box", "repeats").id
    ('load', 'crooked_box', 'repeats')
    """
    if component in _FACES and kind in _OF_KIND:
        return ATTACKS[_OF_KIND[kind]]
    return ATTACKS[component]
