"""The players' side of a craps layout, for wide screens and for narrow ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from house.console.drawing import printed
from house.console.drawing.layout import GAP, Area, Box, Number, Panel, Spot
from payouts.craps.terms import CrapsSchedule

BARRED = {"12": (6, 6), "2": (1, 1), "1-2": (1, 2)}
"""Dice that tie a don't bet, as they are printed beside it."""
STRIPS = (("lay", "place_to_lose"), ("odds", "lay_odds"), ("put", "buy"), ("place",))
"""Bets at a number by line, from behind it to the front; the number itself stands after the first line."""
SHORT = {"place_to_lose": "TO LOSE", "lay_odds": "LAY ODDS"}
"""Names that are too long for a strip."""
LABELS = {"dont_pass": "DON'T PASS BAR", "dont_come": "DON'T COME BAR", "pass": "PASS LINE"}
FOOT: tuple[tuple[Spot, ...], ...] = (
    (("come", ""),),
    (("big", "6"), ("big", "8")),
    (("field", ""),),
    (("dont_pass", ""),),
    (("pass", ""),),
)
"""What stands below the numbers on narrow screens, by line."""
TITLE = "Line, numbers, come and field"

WIDE, NARROW = 1000.0, 360.0
_EDGE, _LIMB, _COLUMN = 8.0, 50.0, 104.0
_STRIP, _HEAD = 50.0, 90.0
_FIELD_NARROW = 116.0
"""Height of a narrow field: a line for chips below its odds."""
_HEIGHTS = {"big": 52.0, "come": 84.0, "field": 98.0, "dont_pass": 52.0, "pass": 58.0}
_KINDS = {"come": "come", "field": "field", "dont_pass": "line", "pass": "line", "dont_come": "bar"}


@dataclass(frozen=True, slots=True)
class _Part:
    """Areas and numbers that are laid out together, and where they end."""

    areas: tuple[Area, ...]
    bottom: float
    numbers: tuple[Number, ...] = ()


def wide(schedule: CrapsSchedule) -> Panel:
    """Lay it out as the table has it: the lines around the corner, the numbers above come and field."""
    offers = frozenset(printed.offered(schedule))
    limbs = sum((bet, "") in offers for bet in ("pass", "dont_pass"))
    left = _EDGE + (_LIMB + GAP) * limbs
    inner = Box(left, _EDGE, WIDE - _EDGE - left, 0)
    columns = _columns(schedule, offers, Box(left + _COLUMN + GAP, _EDGE, inner.width - _COLUMN - GAP, 0))
    column = Box(left, _EDGE, _COLUMN, columns.bottom - _EDGE)
    wrong = (_bet(schedule, "dont_come", "", column),) if ("dont_come", "") in offers else ()
    middle = _corner(schedule, offers, Box(left, columns.bottom + GAP, inner.width, 0))
    lines = tuple(_lines(schedule, offers, middle.bottom))
    bottom = lines[-1].box.y + lines[-1].box.height if lines else middle.bottom
    return Panel(
        name="side wide",
        title=TITLE,
        width=WIDE,
        height=bottom + _EDGE,
        areas=(*wrong, *columns.areas, *middle.areas, *lines),
        numbers=columns.numbers,
        rest=(left + _COLUMN / 2, _EDGE + 26),
    )


def narrow(schedule: CrapsSchedule) -> Panel:
    """Lay it out in a column: a block for each number, then come, field and the lines."""
    offers = frozenset(printed.offered(schedule))
    areas: list[Area] = []
    numbers: list[Number] = []
    top = 56.0
    if ("dont_come", "") in offers:
        areas.append(_bet(schedule, "dont_come", "", Box(0, 0, NARROW - 56, 52), kind="line"))
    for point in schedule.table.points:
        block = _block(schedule, offers, point, top)
        areas += block.areas
        numbers += block.numbers
        top = block.bottom + GAP
    for line in FOOT:
        here = [spot for spot in line if spot in offers]
        height = _FIELD_NARROW if line[0][0] == "field" else _HEIGHTS[line[0][0]]
        areas += [_bet(schedule, *spot, box) for spot, box in zip(here, _beside(here, top, height), strict=True)]
        top += height + GAP if here else 0
    return Panel(
        name="side narrow",
        title=TITLE,
        width=NARROW,
        height=top - GAP,
        areas=tuple(areas),
        numbers=tuple(numbers),
        rest=(NARROW - 27, 26),
    )


def _beside(
    cells: Sequence[object], top: float, height: float, left: float = 0, right: float = NARROW
) -> Iterator[Box]:
    """Boxes of equal width in one line."""
    across = (right - left + GAP) / max(len(cells), 1)
    return (Box(left + place * across, top, across - GAP, height) for place in range(len(cells)))


def _by_name(bets: Sequence[str], top: float, left: float, right: float, height: float = _STRIP) -> Iterator[Box]:
    """Boxes for bets at a number in one line, wider for longer names."""
    letters = [9 + len(_called(bet)) for bet in bets]
    each = (right - left - GAP * (len(bets) - 1)) / max(sum(letters), 1)
    for count in letters:
        yield Box(left, top, each * count, height)
        left += each * count + GAP


def _block(schedule: CrapsSchedule, offers: frozenset[Spot], point: int, top: float) -> _Part:
    """A number and beside it every bet on it, in two lines."""
    head = Box(0, top, 60, 2 * _STRIP + GAP)
    bets = [bet for line in STRIPS for bet in line if (bet, str(point)) in offers]
    half = (len(bets) + 1) // 2
    areas = [
        _strip(schedule, bet, point, box)
        for line, y in ((bets[:half], top), (bets[half:], top + _STRIP + GAP))
        for bet, box in zip(line, _by_name(line, y, 64, NARROW), strict=True)
    ]
    box = Number(point, head, Box(0, top + 66, 60, 30), Box(0, top + 38, 60, 30))
    return _Part(tuple(areas), head.y + head.height, (box,))


def _columns(schedule: CrapsSchedule, offers: frozenset[Spot], inner: Box) -> _Part:
    """A column for each number: lay bets behind it, the number, then what bets on it."""
    points = schedule.table.points
    lines = tuple(_strips(offers, points, stacked=inner.width / len(points) < 104))
    areas: list[Area] = []
    numbers: list[Number] = []
    for point, column in zip(points, _beside(points, 0, 0, inner.x, inner.x + inner.width), strict=True):
        top = inner.y
        for line in lines:
            here = [bet for bet in line if (bet, str(point)) in offers]
            boxes = _by_name(here, top, column.x, column.x + column.width, _STRIP - GAP)
            areas += [_strip(schedule, bet, point, box) for bet, box in zip(here, boxes, strict=True)]
            if not line:
                numbers.append(_number(point, Box(column.x, top, column.width, _HEAD - GAP)))
            top += _STRIP if line else _HEAD
    return _Part(tuple(areas), inner.y + _HEAD + _STRIP * (len(lines) - 1) - GAP, tuple(numbers))


def _strips(offers: Iterable[Spot], points: Iterable[int], *, stacked: bool) -> Iterator[tuple[str, ...]]:
    """Lines of strips that a table has, an empty one for the numbers; stacked, each bet is a line."""
    spots = set(map(str, points))
    bets = {bet for bet, spot in offers if spot in spots}
    for index, line in enumerate(STRIPS):
        if index == 1:
            yield ()
        found = tuple(bet for bet in line if bet in bets)
        if stacked:
            yield from ((bet,) for bet in found)
        elif found:
            yield found


def _number(total: int, box: Box) -> Number:
    x, y, width, height = box
    return Number(total, box, Box(x, y + 30, width, height - 30), Box(x, y, width - 40, 32))


def _strip(schedule: CrapsSchedule, bet: str, point: int, box: Box) -> Area:
    return _bet(schedule, bet, str(point), box, kind="strip", label=_called(bet))


def _called(bet: str) -> str:
    return SHORT.get(bet, bet.replace("_", " ").upper())


def _bet(schedule: CrapsSchedule, bet: str, spot: str, box: Box, *, kind: str = "", label: str = "") -> Area:
    prices = tuple(f"{key}: {price}" if key else price for key, price in printed.odds(schedule, bet, spot))
    return Area(
        bet=bet,
        spot=spot,
        box=box,
        label=label or LABELS.get(bet, f"{bet} {spot}".rstrip().upper()),
        prices=prices,
        kind=kind or _KINDS.get(bet, "cell"),
        dice=(BARRED[schedule.table.dont_bar.value],) if bet in ("dont_pass", "dont_come") else (),
    )


def _corner(schedule: CrapsSchedule, offers: frozenset[Spot], inner: Box) -> _Part:
    """Come and field, with big six and big eight in the corner beside them."""
    areas: list[Area] = []
    top = inner.y
    aside = _COLUMN + GAP if ("big", "6") in offers else 0.0
    for spot, corner in ((("come", ""), ("big", "6")), (("field", ""), ("big", "8"))):
        height = _HEIGHTS[spot[0]]
        boxes = {
            corner: Box(inner.x, top, _COLUMN, height),
            spot: Box(inner.x + aside, top, inner.width - aside, height),
        }
        areas += [_bet(schedule, *one, box) for one, box in boxes.items() if one in offers]
        top += height + GAP
    return _Part(tuple(areas), top - GAP)


def _lines(schedule: CrapsSchedule, offers: frozenset[Spot], top: float) -> Iterator[Area]:
    """Don't pass and pass line, each around the one before."""
    here = [bet for bet in ("dont_pass", "pass") if (bet, "") in offers]
    for index, bet in enumerate(here):
        left = _EDGE + (_LIMB + GAP) * (len(here) - 1 - index)
        box = Box(left, top + GAP, WIDE - _EDGE - left, _HEIGHTS[bet])
        yield _turned(_bet(schedule, bet, "", box))
        top += GAP + box.height


def _turned(area: Area) -> Area:
    """A bar that goes round the corner and up the left side."""
    left, top, width, height = area.box
    right, bottom, bend = left + width, top + height, 24
    outline = (
        f"M{left:g} {_EDGE:g}h{_LIMB:g}V{top - bend:g}q0 {bend} {bend} {bend}H{right:g}V{bottom:g}"
        f"H{left + _LIMB + bend:g}Q{left:g} {bottom:g} {left:g} {top - bend:g}Z"
    )
    box = Box(left + _LIMB, top, width - _LIMB, height)
    return replace(area, box=box, outline=outline, limb=Box(left, _EDGE, _LIMB, top - _EDGE - bend))
