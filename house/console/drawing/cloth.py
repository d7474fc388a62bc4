"""The printed cloth: lines, names, odds and dice of each panel of a craps layout, before any chip lies on it."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from markupsafe import Markup

from house.console.drawing import dice, printed
from house.console.drawing.layout import Area, Box, Number, Panel, collected_at
from house.console.drawing.svg import element, group, text
from payouts.craps.terms import CrapsSchedule

RING = 12.5
"""Radius of the ring of a total."""
_LETTER, _SPACED = 0.64, 0.8
"""Width of a letter in parts of its size, plain and letter-spaced, taken with room to spare."""
_ODDS = 60.0
"""Room for the odds of a line bet before its words."""


@lru_cache(maxsize=512)
def cloth(panel: Panel, schedule: CrapsSchedule) -> Markup:
    """Draw what is printed on a panel."""
    areas = (group(border(area, f"area {area.kind}"), _DRAWN[area.kind](area, schedule)) for area in panel.areas)
    return group(*map(_box_of, panel.numbers), *areas)


def shut(area: Area) -> Markup:
    """Shade an area on which no bet may be made now."""
    return border(area, "shut")


def border(area: Area, kind: str) -> Markup:
    """Draw the border of an area."""
    if area.outline:
        return element("path", d=area.outline, class_=kind)
    return _rectangle(area.box, kind)


def _rectangle(box: Box, kind: str) -> Markup:
    return element("rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=4, class_=kind)


def _box_of(number: Number) -> Markup:
    """The box of a number, with the number as large as the felt has it."""
    x, y, width, _ = number.box
    word = printed.SPELLED.get(number.total, str(number.total))
    if width >= 100:
        words = text(word, x + 12, y + 50, "number start", font_size=38)
    else:
        words = text(word, x + 5, y + 31, "number start", font_size=round(fit(word, 44, 25), 1))
    return group(_rectangle(number.box, "area number-box"), words)


def fit(words: str, width: float, size: float) -> float:
    """Size of letters at which words fit a width, at most `size`.

    >>> fit("yo", 100, 20), fit("four throws no seven", 116, 20)
    (20.0, 9.0625)
    """
    return min(float(size), width / (_LETTER * max(len(words), 1)))


def _words(words: str, x: float, y: float, kind: str, *, width: float, size: float) -> Markup:
    return text(words, x, y, kind, font_size=round(fit(words, width, size), 1))


def _prices(lines: Sequence[str], x: float, top: float, *, width: float, size: float, step: float) -> Markup:
    """Odds below each other; `top` is the baseline of the first."""
    smallest = min((fit(line, width, size) for line in lines), default=size)
    return group(
        *(text(line, x, top + place * step, "price", font_size=round(smallest, 1)) for place, line in enumerate(lines))
    )


def _middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


def _cell(area: Area, _schedule: CrapsSchedule) -> Markup:
    """Dice above, the name, the odds below: all of it in the middle."""
    x, y = _middle(area.box)
    width = area.box.width - 8
    drawn = (30.0 if area.dice else 0) + (22 if area.label else 0) + 19 * len(area.prices)
    top = y - drawn / 2
    parts = []
    if area.dice:
        parts.append(_pairs(area.dice, x, top, 26))
        top += 32
    if area.label:
        parts.append(_words(area.label, x, top + 17, "label", width=width, size=18))
        top += 22
    return group(*parts, _prices(area.prices, x, top + 14, width=width, size=15, step=19))


def _pairs(pairs: Sequence[tuple[int, int]], x: float, top: float, edge: float) -> Markup:
    """Pairs of dice in a row, its middle at x."""
    each = dice.width(2, edge)
    left = x - (each * len(pairs) + 10 * (len(pairs) - 1)) / 2
    return group(*(dice.dice(pair, left + place * (each + 10), top, edge) for place, pair in enumerate(pairs)))


def _collect(area: Area, _schedule: CrapsSchedule) -> Markup:
    """A bet that collects totals: its name and odds above, the totals in rings below."""
    x, y, width, _ = area.box
    said = _words(
        f"{area.label.upper()}  {' '.join(area.prices)}", x + width / 2, y + 26, "label", width=width - 8, size=18
    )
    rings = (
        group(
            element("circle", cx=at, cy=down, r=RING, class_="ring"),
            text(str(total), at, down + 4.5, "price", font_size=14.5),
        )
        for total, (at, down) in collected_at(area).items()
    )
    return group(said, *rings)


def _seven(area: Area, _schedule: CrapsSchedule) -> Markup:
    """Any seven, which prints its odds on both sides."""
    x, y = _middle(area.box)
    said = " ".join(area.prices)
    aside = area.box.width / 3
    odds = (_words(said, at, y + 6, "price", width=aside - 10, size=18) for at in (x - aside, x + aside))
    return group(_words(area.label, x, y + 10, "label red", width=aside, size=28), *odds)


def _strip(area: Area, _schedule: CrapsSchedule) -> Markup:
    """A name over its odds; chips cover the odds, or lie beside both where there is room."""
    x, y, width, height = area.box
    anchor, at = (" start", x + 8) if width > 100 else ("", x + width / 2)
    room = width / 2 if width > 100 else width - 6
    words = ((area.label, 16.0, 13.5, "strip-words"), (" ".join(area.prices), height - 10.0, 13.5, "price"))
    return group(
        *(
            text(said, at, y + down, kind + anchor, font_size=round(fit(said, room, size), 1))
            for said, down, size, kind in words
        )
    )


def _line(area: Area, _schedule: CrapsSchedule) -> Markup:
    """Pass line and don't pass, along the front and up the side."""
    x, y = _middle(area.box)
    size = 26 if area.bet == "pass" else 19
    share = 0.5 if area.limb else 0.47
    said = min(size, area.box.width * share / (_SPACED * len(area.label)))
    across = len(area.label) * said * _SPACED
    if area.limb is None:  # a narrow one: the words beside the odds, the rest for chips
        x = area.box.x + _ODDS + across / 2
    parts = [text(area.label, x, y + said * 0.36, "label line-words", font_size=round(said, 1))]
    right = x + across / 2 + 4
    for pair in area.dice:
        parts.append(dice.dice(pair, right, y - 13, 26))
        right += dice.width(2, 26) + 12
    parts.append(text(" ".join(area.prices), area.box.x + 10, y + 5, "price start", font_size=14))
    if area.limb is not None:
        parts.append(_up(area.label, area.limb, size))
    return group(*parts)


def _up(label: str, limb: Box, size: float) -> Markup:
    """Words that run up the side."""
    x, y = _middle(limb)
    turned = f"rotate(-90 {x:g} {y:g})"
    return text(label, x, y + size * 0.36, "label line-words", font_size=size, transform=turned)


def _bar(area: Area, _schedule: CrapsSchedule) -> Markup:
    """Don't come, which stands beside the numbers: its words below each other, the barred dice, the odds."""
    x, _ = _middle(area.box)
    top = area.box.y + 78
    words = area.label.split()
    parts = [text(word, x, top + 21 * place, "label", font_size=18) for place, word in enumerate(words)]
    below = top + 21 * len(words)
    dice_there = [_pairs(area.dice, x, below - 4, 26)] if area.dice else []
    return group(*parts, *dice_there, _prices(area.prices, x, below + 46, width=area.box.width, size=14, step=16))


def _come(area: Area, _schedule: CrapsSchedule) -> Markup:
    x, y = _middle(area.box)
    said = text(" ".join(area.prices), area.box.x + 12, area.box.y + 20, "price start", font_size=14)
    return group(text(area.label, x, y + 17, "label red come-words", font_size=48), said)


def _field(area: Area, schedule: CrapsSchedule) -> Markup:
    """The field: its numbers, and rings with their odds around those that pay more."""
    terms = schedule.bets[area.bet]
    keys = sorted(terms.pays, key=int)
    least = min(terms.pays.values(), key=lambda price: price.to_one)
    x, y, width, height = area.box
    across, middle = width / (len(keys) + 1), y + 41
    parts = []
    for place, key in enumerate(keys, 1):
        at, price = x + place * across, terms.pays[key]
        ring = price.to_one > least.to_one
        if ring:
            parts.append(element("circle", cx=at, cy=middle, r=min(20, across * 0.48), class_="ring"))
            parts.append(_words(str(price), at, middle + 36, "price", width=across * 1.3, size=13))
        parts.append(text(key, at, middle + 8, "field-number", font_size=24 if ring else 22))
    anchor, start = ("", x + width / 2) if width > 400 else (" start", x + 10)  # chips lie at the right
    title = f"FIELD · {least} on the others"
    return group(*parts, text(title, start, y + height - 8, f"label{anchor}", font_size=15))


_DRAWN: Mapping[str, Callable[[Area, CrapsSchedule], Markup]] = {
    "cell": _cell,
    "seven": _seven,
    "collect": _collect,
    "strip": _strip,
    "line": _line,
    "bar": _bar,
    "come": _come,
    "field": _field,
}
