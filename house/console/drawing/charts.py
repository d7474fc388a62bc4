"""Charts as SVG: lines over time, shares with intervals, heat maps, a score law against its bands, bars about a middle.

Each is a pure function of its numbers, which stand in a table beside it: a chart has a name and a sentence that says
what is in it, and no colour alone carries a meaning. Sizes are of the drawing, which scales with its place.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from house.console.drawing.svg import element, group, picture, text

WIDTH: Final = 480.0
LEFT, RIGHT, TOP, BOTTOM = 72.0, 10.0, 16.0, 42.0
TICKS: Final = 5
SHADE_AT: Final = (1.0, 2.0, 3.0, 5.0)
"""Standardised residuals at which a shade of a heat map begins, on either side of nothing."""
LETTER, ROW = 11.2, 19.0
"""Room of a letter and of a row of words on a narrow screen, where words are 17.5 of the drawing: DejaVu Sans, the
widest font of the style, has digits of 0.636."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A scale from `low` to `high` of the data to `start` to `end` of the drawing."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Place of a value; outside the scale it is at its end."""
        span = self.high - self.low or 1.0
        share = min(max((value - self.low) / span, 0.0), 1.0)
        return self.start + share * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Line:
    """A named line of (x, y)."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Share:
    """A share between bounds; `odd` marks one whose bounds leave out what is expected."""

    label: str
    value: float
    low: float
    high: float
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from the middle to a value, and what is written beside it."""

    label: str
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Band:
    """A band of scores, both ends in it, and what it pays as people write it."""

    low: int
    high: int
    pays: str


def ticks(low: float, high: float, count: int = TICKS) -> list[float]:
    """Choose round numbers from `low` to `high`, about `count` of them.

    >>> ticks(0.0, 1.0), ticks(-2.0, 8.0)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-2.0, 0.0, 2.0, 4.0, 6.0, 8.0])
    """
    rough = (high - low or 1.0) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(step * number, 12) for number in range(first, last + 1)]


def lines(title: str, says: str, drawn: Sequence[Line], *, bar: float, x_title: str, y_title: str) -> Markup:
    """Draw lines over time, and the bar that they must not reach.

    Parameters
    ----------
    says
        What is seen in the chart, for whoever does not see it.
    bar
        Drawn dashed; named in `says`.
    """
    height = 230.0
    xs, ys = ([point[side] for line in drawn for point in line.points] for side in (0, 1))
    across = Axis(0.0, max([1.0, *xs]), LEFT, WIDTH - RIGHT)
    low, high = min([0.0, *ys]), max([bar, *ys])
    up = Axis(low, high + 0.05 * (high - low), height - BOTTOM, TOP)
    parts = [_grid(across, up, height, _whole, _plain), _titles(x_title, y_title, height)]
    parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=up.at(bar), y2=up.at(bar), class_="chart-bar"))
    for number, line in enumerate(drawn):
        path = " ".join(f"{across.at(x):.1f},{up.at(y):.1f}" for x, y in line.points)
        parts.append(element("polyline", points=path, class_=f"chart-line line-{number % 4}"))
        if len(drawn) > 1 and line.points:
            x, y = line.points[-1]
            parts.append(
                text(line.name, min(across.at(x), WIDTH - RIGHT - 4), up.at(y) - 5, "chart-word chart-name end")
            )
    return _chart(title, says, height, *parts)


def shares(title: str, says: str, rows: Sequence[Share], *, expected: float) -> Markup:
    """Draw shares with their bounds side by side, against what is expected of each."""
    height = 220.0
    top = max([expected, *(row.high for row in rows)])
    up = Axis(0.0, 1.08 * top or 1.0, height - BOTTOM, TOP)
    step = (WIDTH - LEFT - RIGHT) / max(len(rows), 1)
    parts = [_horizontal(up, _percent)]
    parts.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=up.at(expected), y2=up.at(expected), class_="chart-bar"))
    for number, row in enumerate(rows):
        x, odd = LEFT + (number + 0.5) * step, " odd" if row.odd else ""
        low, high = up.at(row.low), up.at(row.high)
        whisker = group(
            element("line", x1=x, x2=x, y1=low, y2=high),
            element("line", x1=x - 9, x2=x + 9, y1=low, y2=low),
            element("line", x1=x - 9, x2=x + 9, y1=high, y2=high),
            class_=f"chart-whisker{odd}",
        )
        dot = element("circle", cx=x, cy=up.at(row.value), r=5.5, class_=f"chart-dot{odd}")
        parts += [whisker, dot, text(row.label, x, height - BOTTOM + 24, "chart-word middle")]
    return _chart(title, says, height, *parts)


def heat(title: str, says: str, counts: Sequence[Sequence[int]], *, rows: str, columns: str) -> Markup:
    """Draw a table of counts as standardised residuals from independence: more and less than chance by shade and sign.

    Parameters
    ----------
    rows, columns
        What stands at the left and below; both are numbered from 1.
    """
    cell, left, top = 44.0, 46.0, 8.0
    far = residuals(counts)
    parts = []
    for row, line in enumerate(far):
        y = top + (len(far) - 1 - row) * cell
        parts.append(text(str(row + 1), left - 12, y + cell / 2 + 5, "chart-word middle"))
        for column, value in enumerate(line):
            x = left + column * cell
            shade = sum(abs(value) >= at for at in SHADE_AT)
            tone = "none" if not shade else f"{'more' if value > 0 else 'less'}-{shade}"
            parts.append(element("rect", x=x, y=y, width=cell - 2, height=cell - 2, rx=3, class_=f"heat {tone}"))
            if shade >= 2:
                mark = f"{'+' if value > 0 else MINUS}{abs(value):.0f}"
                parts.append(text(mark, x + cell / 2 - 1, y + cell / 2 + 4, f"heat-word shade-{shade} middle"))
    width, height = left + len(far[0]) * cell + 4, top + len(far) * cell + 44
    for column in range(len(far[0])):
        parts.append(text(str(column + 1), left + (column + 0.5) * cell, height - 30, "chart-word middle"))
    parts.append(text(columns, left + len(far[0]) * cell / 2, height - 8, "chart-title middle"))
    turned = f"rotate(-90 12 {top + len(far) * cell / 2:.0f})"
    parts.append(text(rows, 12, top + len(far) * cell / 2, "chart-title middle", transform=turned))
    return _chart(title, says, height, *parts, width=width, small=True)


def residuals(counts: Sequence[Sequence[int]]) -> list[list[float]]:
    """Give (seen - due) / sqrt(due) of each cell, due by the margins; 0 where nothing is due.

    >>> residuals([[20, 10], [10, 20]])[0]
    [1.2909944487358056, -1.2909944487358056]
    """
    total = sum(map(sum, counts)) or 1
    across = [sum(line) for line in counts]
    down = [sum(line[column] for line in counts) for column in range(len(counts[0]))]
    return [
        [
            (seen - across[row] * down[column] / total) / math.sqrt(across[row] * down[column] / total)
            if across[row] * down[column]
            else 0.0
            for column, seen in enumerate(line)
        ]
        for row, line in enumerate(counts)
    ]


def score_law(title: str, says: str, law: Sequence[float], bands: Sequence[Band]) -> Markup:
    """Draw the chance of each score over the bands that pay: each column a score, scores that are paid filled."""
    last = max((score for score, chance in enumerate(law) if chance > 1e-5), default=1)
    last = min(len(law) - 1, max([last, *(band.low + 4 for band in bands)]))
    across = Axis(0.0, last + 1.0, LEFT, WIDTH - RIGHT)
    ends = [(across.at(band.low), across.at(min(band.high, last) + 1.0)) for band in bands]
    places = stacked([band.pays for band in bands], [(x + end) / 2 for x, end in ends])
    top = TOP + ROW * max((row + 1 for _, row in places), default=0)
    height = top + 214.0
    up = Axis(0.0, 1.05 * max([1e-9, *law]), height - BOTTOM, top)
    parts = [_grid(across, up, height, _whole, _percent), _titles("Score", "Chance", height)]
    words = []
    for number, (band, (x, end), (middle, row)) in enumerate(zip(bands, ends, places, strict=True)):
        shape = {"x": x, "y": TOP, "width": max(end - x, 1.0), "height": height - BOTTOM - TOP}
        parts.append(element("rect", **shape, class_=f"chart-band band-{number % 2}"))
        words.append(text(band.pays, middle, TOP + 14 + ROW * row, "chart-word middle"))
    paid = {score for band in bands for score in range(band.low, min(band.high, last) + 1)}
    step = across.at(1.0) - across.at(0.0)
    for score, chance in enumerate(law[: last + 1]):
        y = up.at(chance)
        if height - BOTTOM - y > 0.05:
            shape = {"x": across.at(float(score)), "y": y, "width": max(step - 0.4, 0.6), "height": height - BOTTOM - y}
            parts.append(element("rect", **shape, class_="chart-column paid" if score in paid else "chart-column"))
    return _chart(title, says, height, *parts, *words)


def stacked(words: Sequence[str], middles: Sequence[float]) -> list[tuple[float, int]]:
    """Place words from left to right: the middle of each, within the drawing, and the first row where it has room.

    >>> stacked(["1.00", "2.00", "25.00"], [100.0, 110.0, 478.0])
    [(100.0, 0), (110.0, 1), (452.0, 0)]
    """
    ends: list[float] = []
    places = []
    for word, wanted in zip(words, middles, strict=True):
        half = LETTER * len(word) / 2
        middle = min(max(wanted, LEFT + half), WIDTH - half)
        row = next((row for row, end in enumerate(ends) if end <= middle - half), len(ends))
        ends[row : row + 1] = [middle + half]
        places.append((middle, row))
    return places


def bars(title: str, says: str, rows: Sequence[Bar]) -> Markup:
    """Draw bars to the left and right of a middle, the longest as long as there is room, each under its words."""
    line = 40.0
    height = TOP + len(rows) * line
    most = max([abs(row.value) for row in rows] or [0.0]) or 1.0
    across = Axis(-most, most, 4.0, WIDTH - 4)
    middle = across.at(0.0)
    parts = [element("line", x1=middle, x2=middle, y1=TOP - 4, y2=height - 6, class_="chart-axis")]
    for number, row in enumerate(rows):
        y, end = TOP + number * line, across.at(row.value)
        shape = {"x": min(middle, end), "y": y + 8, "width": max(abs(end - middle), 0.8), "height": line - 27}
        parts.append(
            element("rect", **shape, rx=2, class_="chart-column less" if row.value < 0 else "chart-column paid")
        )
        parts.append(text(row.label, 4, y + 3, "chart-word chart-name"))
        parts.append(text(row.words, WIDTH - 4, y + 3, "chart-word chart-name end"))
    return _chart(title, says, height, *parts)


MINUS: Final = "\N{MINUS SIGN}"


def _chart(title: str, says: str, height: float, *parts: Markup, width: float = WIDTH, small: bool = False) -> Markup:
    """Put a drawing together under its name and its sentence."""
    named = (element("title", title), element("desc", says))
    kind = "chart small" if small else "chart"
    return picture(width, height, *named, *parts, class_=kind, role="img", aria_label=f"{title}. {says}")


def _grid(
    across: Axis, up: Axis, height: float, x_words: Callable[[float], str], y_words: Callable[[float], str]
) -> Markup:
    """Draw the numbers of both axes."""
    numbers = [
        text(said, min(across.at(value), WIDTH - LETTER * len(said) / 2), height - BOTTOM + 17, "chart-word middle")
        for value in ticks(across.low, across.high, 6)
        for said in (x_words(value),)
    ]
    return group(_horizontal(up, y_words), *numbers)


def _horizontal(up: Axis, words: Callable[[float], str]) -> Markup:
    """Draw lines across at round numbers, each with its number."""
    found = []
    for value in ticks(up.low, up.high, 4):
        y = up.at(value)
        found.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="chart-axis"))
        found.append(text(words(value), LEFT - 7, y + 4, "chart-word end"))
    return group(*found)


def _titles(x_title: str, y_title: str, height: float) -> Markup:
    middle = (height - BOTTOM + TOP) / 2
    return group(
        text(x_title, (LEFT + WIDTH - RIGHT) / 2, height - 5, "chart-title middle"),
        text(y_title, 15, middle, "chart-title middle", transform=f"rotate(-90 15 {middle:.0f})"),
    )


def _whole(value: float) -> str:
    return f"{value:,.0f}".replace("-", MINUS)


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", MINUS)


def _percent(value: float) -> str:
    return f"{100 * value:g}%".replace("-", MINUS)
