"""Pictures as SVG: the law of the score against the bands, the hold funnel, and what readings of the rules move."""

from collections.abc import Sequence
from io import StringIO
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from payouts.hooligan.readings import Reading
from payouts.par.document import Funnel, ScoreLaw, Sheet

_SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "floorman", "font.family": "sans-serif", "font.size": 10.0}
_INK, _EDGE, _WIDE, _NARROW = "#1f4e79", "#a23b2a", "#cfdeeb", "#9dbcd8"
_PLAYERS = ("#1f4e79", "#2e7d32", "#8a5a00", "#7b7b7b")
_LEAST = 1e-8
"""Smallest chance that the picture of a law shows."""


def pictures(sheet: Sheet) -> dict[str, str]:
    """Draw the pictures of a sheet, SVG documents by name; the same sheet gives the same bytes."""
    drawn = {"hold_funnel": hold_funnel(sheet.funnel)}
    return drawn if sheet.score_law is None else {"score_law": score_law(sheet.score_law), **drawn}


def score_law(data: ScoreLaw) -> str:
    """Draw the chance of each final score for every player, plain and logarithmic, over the bands that pay."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(9.5, 6.2), layout="constrained")
        plain, logarithmic = figure.subplots(2, 1, sharex=True)
        last = max((score for _, law in data.laws for score, chance in enumerate(law) if chance > _LEAST), default=1)
        for axes in (plain, logarithmic):
            _shade(axes, data, last, labelled=axes is plain)
            for (player, law), colour in zip(data.laws, _PLAYERS, strict=False):
                axes.plot(range(last + 1), law[: last + 1], color=colour, linewidth=1.2, label=player)
            axes.set_ylabel("chance of the score")
            axes.set_xlim(0, last)
        logarithmic.set_yscale("log")
        logarithmic.set_ylim(_LEAST, 0.2)
        logarithmic.set_xlabel("final score")
        plain.set_ylim(bottom=0)
        plain.legend(frameon=False, loc="upper left")
        return _svg(figure, "Law of the score against the bands")


def _shade(axes: Any, data: ScoreLaw, last: int, labelled: bool) -> None:
    """Shade the bands that lie in the picture, and write what they pay."""
    for number, (low, high, pays) in enumerate(data.bands):
        if low <= last:
            axes.axvspan(low - 0.5, min(high, last) + 0.5, color=(_WIDE, _NARROW)[number % 2], linewidth=0)
            if not labelled:
                continue
            middle = (low + min(high, last)) / 2
            axes.annotate(
                pays, (middle, 0.97), xycoords=("data", "axes fraction"), rotation=90, ha="center", va="top", fontsize=8
            )


def hold_funnel(data: Funnel) -> str:
    """Draw the limits of hold over numbers of games, narrowing on the house edge."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(9.5, 4.4), layout="constrained")
        axes = figure.subplots()
        limits = list(zip(*data.limits, strict=True))
        half = len(limits) // 2
        for outer, colour in zip(range(half), (_WIDE, _NARROW), strict=False):
            low, high = data.probabilities[outer], data.probabilities[-1 - outer]
            axes.fill_between(
                data.games, limits[outer], limits[-1 - outer], color=colour, label=f"{high - low:.0%} of seasons"
            )
        axes.plot(data.games, limits[half], color=_INK, linewidth=1.4, label="median")
        axes.axhline(data.edge, color=_EDGE, linewidth=1.0, linestyle="--", label=f"house edge {data.edge:.2%}")
        axes.axhline(0, color="#555555", linewidth=0.7)
        axes.set_xscale("log")
        axes.set_xlim(data.games[0], data.games[-1])
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
        axes.set_xlabel("games")
        axes.set_ylabel("hold, share of the handle")
        axes.set_title(data.title, fontsize=10)
        axes.legend(frameon=False)
        return _svg(figure, f"Hold funnel of {data.title}")


def readings(listed: Sequence[Reading]) -> str:
    """Draw how far each reading of the rules of Hooligan moves the house edge of a schedule."""
    with mpl.rc_context(_SETTINGS | {"font.size": 8.0}):
        figure = Figure(figsize=(12, 1.2 + 0.24 * len(listed)), layout="constrained")
        axes = figure.subplots()
        moves, places = [each.moves for each in listed], range(len(listed))
        axes.barh(places, moves, color=[_EDGE if move < 0 else _INK for move in moves], height=0.6)
        axes.set_yticks(places, [_reading_name(each) for each in listed])
        axes.set_ylim(len(listed) - 0.4, -0.6)
        for place, each in enumerate(listed):
            right = each.moves >= 0
            axes.annotate(
                f"{each.house_edge:.2%}",
                (each.moves, place),
                xytext=(4 if right else -4, 0),
                textcoords="offset points",
                ha="left" if right else "right",
                va="center",
            )
        axes.axvline(0, color="#555555", linewidth=0.7)
        # Another count of throws moves the edge by whole stakes, a small freedom by less than a hundredth of one.
        axes.set_xscale("symlog", linthresh=0.01)
        widest = 8 * max(0.01, *map(abs, moves))
        steps = [10.0**power for power in range(-2, 7) if 10.0**power < widest]
        axes.set_xlim(-widest, widest)
        axes.set_xticks([*(-step for step in reversed(steps)), 0.0, *steps])
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:+,.0f}" if value else "0"))
        axes.set_xlabel(
            "percentage points that the house edge moves by, logarithmic beyond one; beside each bar the edge"
        )
        return _svg(figure, "House edge under readings of the rules")


def _reading_name(reading: Reading) -> str:
    said = (f"{option} = {str(value).lower()}" for option, value in reading.changed.items())
    return ", ".join(said) or "as the schedule has it"


def _svg(figure: Figure, title: str) -> str:
    written = StringIO()
    figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    return written.getvalue()
