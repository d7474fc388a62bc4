"""What a craps layout is made of: areas for bets, boxes of numbers, and panels of cells by line.

A felt is seen in panels: the players' side (`side.py`), the centre before the stickman, the hops, the bets over a hand,
orders, and whatever else a schedule offers.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import NamedTuple

from house.console.drawing import printed
from payouts.craps.catalogue import PAIRS
from payouts.craps.terms import CrapsSchedule

Spot = tuple[str, str]
"""A bet and one of its spots."""


class Box(NamedTuple):
    """A rectangle, in units of the panel."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One spot of the layout.

    Parameters
    ----------
    label
        What is printed there.
    prices
        The odds, a line each.
    kind
        How it is drawn: "cell", "strip", "line", "bar", "come", "field", "seven" or "collect".
    dice
        Pairs of faces printed there.
    outline
        The path of its border where it is no rectangle.
    limb
        The part of it that goes up the side.
    """

    bet: str
    spot: str
    box: Box
    label: str
    prices: tuple[str, ...] = ()
    kind: str = "cell"
    dice: tuple[tuple[int, int], ...] = ()
    outline: str = ""
    limb: Box | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """The box of a number: its place for the puck, for come bets, and behind it for those that bet wrong."""

    total: int
    box: Box
    come: Box
    behind: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A part of the felt that keeps its shape.

    Parameters
    ----------
    name
        Its classes in the style sheet.
    rest
        Where the puck lies while it is off; None in panels without a puck.
    """

    name: str
    title: str
    width: float
    height: float
    areas: tuple[Area, ...]
    numbers: tuple[Number, ...] = ()
    rest: tuple[float, float] | None = None


WIDTH, GAP = 400.0, 4.0
"""Width of a panel of cells, and between cells."""
_LABEL, _PRICE, _LETTER = 22.0, 19.0, 9.6

Line = tuple[float, tuple[Spot, ...]]
"""The least height of a line of cells, and what stands in it."""

CENTRE: tuple[Line, ...] = (
    (56, (("any_seven", ""),)),
    (76, (("hardway", "6"), ("hardway", "10"))),
    (76, (("hardway", "8"), ("hardway", "4"))),
    (84, (("ace_deuce", ""), ("aces", ""), ("boxcars", ""))),
    (84, (("yo", ""), ("hi_lo", ""))),
    (56, (("any_craps", ""),)),
    (60, (("c_and_e", ""), ("three_way", ""))),
    (60, (("horn", ""), ("whirl", ""))),
    (56, (("horn_high", "2"), ("horn_high", "12"))),
    (56, (("horn_high", "3"), ("horn_high", "11"))),
)
"""The centre, as the stickman has it before him."""

HOPS: tuple[Line, ...] = (
    *(
        (68.0, tuple(("hop", pair) for pair in PAIRS[one:end]))
        for one, end in ((0, 4), (4, 8), (8, 12), (12, 16), (16, 21))
    ),
    (56, (("hop_sevens", ""),)),
)

HAND: tuple[Line, ...] = (
    (76, (("all", ""),)),
    (76, (("small", ""), ("tall", ""))),
    (56, (("fire", ""),)),
    (56, tuple(("repeater", spot) for spot in ("2", "3", "4"))),
    (56, tuple(("repeater", spot) for spot in ("5", "6", "8", "9"))),
    (56, tuple(("repeater", spot) for spot in ("10", "11", "12"))),
)
"""Bets that gather something until a 7 ends them."""

SHOOTER: tuple[Line, ...] = (
    (56, (("point_seven", ""), ("seven_point", ""), ("four_throws_no_seven", ""))),
    (56, (("seven_point_seven", ""), ("different_doubles", ""))),
    (56, (("hot_shooter", ""), ("sharp_shooter", ""))),
    (56, (("ride_the_line", ""), ("replay", ""))),
)

ORDERS: tuple[Line, ...] = ((60, (("inside", ""), ("outside", ""), ("across", ""), ("buffalo", ""))),)

OTHERS: tuple[Line, ...] = (
    (60, (("under_seven", ""), ("midway", ""), ("over_seven", ""))),
    (60, (("low_dice", ""), ("high_dice", ""))),
    (60, tuple(("segmented_field", spot) for spot in ("left", "centre", "right"))),
)

PANELS = (
    ("centre", "Centre", CENTRE),
    ("hops", "Hopping", HOPS),
    ("orders", "Orders", ORDERS),
    ("hand", "All, small, tall and repeaters", HAND),
    ("shooter", "The shooter's hand", SHOOTER),
    ("others", "Other bets", OTHERS),
)
"""Name, title and lines of the panels beside the players' side; what has no place in any is added to the last."""

DICE: dict[Spot, tuple[tuple[int, int], ...]] = {
    **{("hardway", spot): ((int(spot) // 2, int(spot) // 2),) for spot in ("4", "6", "8", "10")},
    **{("hop", pair): ((int(pair[0]), int(pair[2])),) for pair in PAIRS},
    ("aces", ""): ((1, 1),),
    ("ace_deuce", ""): ((1, 2),),
    ("yo", ""): ((5, 6),),
    ("boxcars", ""): ((6, 6),),
    ("hi_lo", ""): ((1, 1), (6, 6)),
}
"""Dice that are printed at a spot."""

LABELS: dict[Spot, str] = {
    ("any_seven", ""): "SEVEN",
    ("any_craps", ""): "ANY CRAPS",
    ("c_and_e", ""): "C & E",
    ("four_throws_no_seven", ""): "4 throws no 7",
    **{("hop", pair): "" for pair in PAIRS},
    **{("horn_high", spot): f"High {spot}" for spot in ("2", "3", "11", "12")},
    **{("repeater", spot): f"{spot} repeats" for spot in map(str, range(2, 13))},
}
"""What is printed where it is not the bet's name."""

COLLECTED = {"small": (2, 3, 4, 5, 6), "tall": (8, 9, 10, 11, 12), "all": (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)}
"""Totals that a bet collects, which the felt prints in rings."""


def collected_at(area: Area) -> dict[int, tuple[float, float]]:
    """Middle of the ring of each total that a bet collects."""
    totals = COLLECTED[area.bet]
    x, y, width, height = area.box
    step = min(36.0, width / len(totals))
    first = x + width / 2 - step * (len(totals) - 1) / 2
    return {total: (first + place * step, y + height - 19) for place, total in enumerate(totals)}


def cells(schedule: CrapsSchedule, name: str, title: str, lines: Sequence[Line]) -> Panel:
    """Lay out what a schedule offers of some lines, each as high as its odds need."""
    offers = frozenset(printed.offered(schedule))
    areas: list[Area] = []
    top = 0.0
    for least, spots in lines:
        here = [spot for spot in spots if spot in offers]
        if not here:
            continue
        width = (WIDTH - GAP * (len(here) - 1)) / len(here)
        line = [_cell(schedule, spot, Box(place * (width + GAP), top, width, 0)) for place, spot in enumerate(here)]
        height = max(least, *(_needed(area) for area in line))
        areas += [_as_high(area, height) for area in line]
        top += height + GAP
    return Panel(name=name, title=title, width=WIDTH, height=max(top - GAP, 0), areas=tuple(areas))


def _cell(schedule: CrapsSchedule, spot: Spot, box: Box) -> Area:
    bet, where = spot
    several = printed.odds(schedule, bet, where)
    said = tuple(f"{key}: {price}" if key else price for key, price in several)
    letters = int((box.width - 8) / _LETTER)
    ordered = printed.sentence(schedule, bet, where).partition(": ")[2]
    lines = _flow(said, letters) if said else tuple(wrap(ordered, letters))
    label = LABELS.get(spot, printed.name(schedule, bet, where))
    kind = "seven" if bet == "any_seven" else "collect" if bet in COLLECTED else "cell"
    return Area(bet=bet, spot=where, box=box, label=label, prices=lines, kind=kind, dice=DICE.get(spot, ()))


def _flow(said: Iterable[str], letters: int) -> tuple[str, ...]:
    """Put odds on lines of so many letters; one alone may be longer."""
    lines: list[str] = []
    for one in said:
        if lines and len(lines[-1]) + len(one) + 3 <= letters:
            lines[-1] = f"{lines[-1]} · {one}"
        else:
            lines.append(one)
    return tuple(lines)


def _needed(area: Area) -> float:
    """Height that a cell needs for its dice, its label and its odds."""
    dice = 34.0 if area.dice or area.bet in COLLECTED else 0.0
    return 12 + dice + (_LABEL if area.label else 0) + _PRICE * len(area.prices)


def _as_high(area: Area, height: float) -> Area:
    return replace(area, box=area.box._replace(height=height))


def panels(schedule: CrapsSchedule, sides: Sequence[Callable[[CrapsSchedule], Panel]]) -> tuple[Panel, ...]:
    """Lay out a whole felt: the players' side in each of its shapes, then every other panel that holds something.

    Whatever the tables above have no place for, a bet that the schedule's file defines for one, stands in the last
    panel: nothing that is offered is missing.
    """
    laid = [side(schedule) for side in sides]
    placed = {(area.bet, area.spot) for panel in laid for area in panel.areas}
    placed |= {spot for _, _, lines in PANELS for _, spots in lines for spot in spots}
    rest = [spot for spot in printed.offered(schedule) if spot not in placed]
    more: tuple[Line, ...] = tuple((60.0, tuple(rest[first : first + 3])) for first in range(0, len(rest), 3))
    for name, title, lines in PANELS:
        laid.append(cells(schedule, name, title, (*lines, *more) if name == "others" else lines))
    return tuple(panel for panel in laid if panel.areas)
