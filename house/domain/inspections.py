"""The old inspection of dice and boxes, as measures with tolerances: what is measured, and what passes.

Of a die: count the faces; lay dice together in pairs, each way round, for equal height; look along the faces for
convexity; hold it at each longest diagonal and see whether it swings on a pivot; look for darkness in the corners; try
a magnet. Of a box: look for a sloping rim and a roughened edge, and at how it is held. Source: the card and dice books
of the trade; sizes and accuracy as New Jersey and the makers have them (0.750 to 0.775 inch, 0.0002 inch).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from house.domain.lives import Kind
from house.domain.refusals import Refusal, Refused

Tolerances = Mapping[str, tuple[int, int]]
"""Least and greatest value of each measure that passes."""

FACES = "faces"
"""Numbers found on the faces, in pairs of opposite faces; they are 1 to 6 and each pair adds to seven."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing to be measured: how many whole numbers it takes, and what they are."""

    values: int
    what: str


MEASURES: Mapping[Kind, Mapping[str, Measure]] = {
    Kind.DIE: {
        FACES: Measure(6, "numbers on the faces, opposite ones together"),
        "heights_um": Measure(3, "height along each axis by the caliper, micrometres (mm x 1000)"),
        "convexity_um": Measure(1, "greatest gap under the steel square, micrometres"),
        "swings": Measure(1, "longest diagonals, of four, at which it swings on a pivot"),
        "dark_corners": Measure(1, "corners with darkness"),
        "magnetic": Measure(1, "1 where a magnet moves it, else 0"),
    },
    Kind.BOX: {
        "rim_slope_degrees": Measure(1, "slope of the upper inner edge, degrees"),
        "rim_rough": Measure(1, "1 where the upper inner edge is roughened, else 0"),
        "fingers_inside": Measure(1, "fingers inside the mouth as it is held and shaken"),
    },
}

SPREAD = "height_spread_um"
"""Derived from the heights: greatest less least."""

TOLERANCES: Mapping[Kind, Tolerances] = {
    Kind.DIE: {
        "heights_um": (19_050, 19_685),
        SPREAD: (0, 5),
        "convexity_um": (0, 5),
        "swings": (0, 0),
        "dark_corners": (0, 0),
        "magnetic": (0, 0),
    },
    Kind.BOX: {"rim_slope_degrees": (0, 0), "rim_rough": (0, 0), "fingers_inside": (0, 0)},
}
"""What passes where the settings say nothing else; their keys are those of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a house handles its dice and boxes.

    Parameters
    ----------
    two_receive
        Whether two people must receive a piece; otherwise one may register it.
    inspection_required
        Whether a piece must pass its inspection before it comes into play; otherwise it is noted where it did not.
    tolerances
        What passes, by kind and measure.
    """

    two_receive: bool = True
    inspection_required: bool = False
    tolerances: Mapping[Kind, Tolerances]


DEFAULT = Rules(tolerances=TOLERANCES)


def failures(kind: Kind, measured: Mapping[str, Sequence[int]], tolerances: Tolerances) -> tuple[str, ...]:
    """Name what does not pass, in the order of the measures.

    Raises
    ------
    Refused
        BAD_VALUE: a measure is missing, unknown, or has another number of values.

    Examples
    --------
    >>> fair = {"rim_slope_degrees": [0], "rim_rough": [0], "fingers_inside": [0]}
    >>> failures(Kind.BOX, fair, TOLERANCES[Kind.BOX])
    ()
    >>> failures(Kind.BOX, fair | {"rim_rough": [1]}, TOLERANCES[Kind.BOX])
    ('rim_rough 1, passes 0 to 0',)
    """
    known = MEASURES[kind]
    if strange := sorted(set(measured) - set(known)):
        limit = ", ".join(known)
        raise Refused(Refusal.BAD_VALUE, "no such measure", f"measured.{strange[0][:40]}", "", limit)
    for name, measure in known.items():
        found = measured.get(name, ())
        if len(found) != measure.values:
            limit = f"{measure.values} whole numbers: {measure.what}"
            raise Refused(Refusal.BAD_VALUE, f"{name} must be measured", f"measured.{name}", str(len(found)), limit)
    all_values = dict(measured)
    found_wrong = _of_faces(all_values.pop(FACES)) if kind is Kind.DIE else ()
    if kind is Kind.DIE:
        heights = measured["heights_um"]
        all_values[SPREAD] = (max(heights) - min(heights),)
    return found_wrong + tuple(
        f"{name} {' '.join(map(str, all_values[name]))}, passes {low} to {high}"
        for name, (low, high) in tolerances.items()
        if any(not low <= value <= high for value in all_values[name])
    )


def _of_faces(faces: Sequence[int]) -> tuple[str, ...]:
    pairs = [sum(faces[at : at + 2]) for at in (0, 2, 4)]
    fine = sorted(faces) == [1, 2, 3, 4, 5, 6] and set(pairs) == {7}
    return () if fine else (f"{FACES} {' '.join(map(str, faces))}, passes 1 to 6 with opposite ones adding to seven",)
