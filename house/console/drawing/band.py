"""A figure within its limits, drawn: two bands, where it was expected, where it is."""

from collections.abc import Sequence
from fractions import Fraction

from markupsafe import Markup

WIDTH, HEIGHT = 160, 18
"""Of the picture, in its own units."""


def band(actual: Fraction | int, expected: Fraction | int, limits: Sequence[int], label: str) -> Markup:
    """Draw a figure over the limits of 99 % and 95 %.

    Parameters
    ----------
    limits
        Four amounts in order: below of 99 %, of 95 %, above of 95 %, of 99 %.
    label
        What it says to whoever does not see it; the figures stand beside it anyway.

    Examples
    --------
    >>> "class" in band(0, 0, (-3, -2, 2, 3), "win")
    True
    """
    low, inner_low, inner_high, high = (float(limit) for limit in limits)
    least, most = min(low, float(actual)), max(high, float(actual))
    span = (most - least) or 1.0

    def at(amount: Fraction | float) -> str:
        return f"{4 + (WIDTH - 8) * (float(amount) - least) / span:.1f}"

    def width(first: float, last: float) -> str:
        return f"{max((WIDTH - 8) * (last - first) / span, 1.0):.1f}"

    inside = low <= actual <= high
    mark = "band-in" if inside else "band-out"
    return Markup(
        '<svg class="band" viewBox="0 0 {w} {h}" role="img" aria-label="{label}">'
        '<rect class="band-99" x="{x99}" y="5" width="{w99}" height="8"/>'
        '<rect class="band-95" x="{x95}" y="5" width="{w95}" height="8"/>'
        '<line class="band-mean" x1="{mean}" x2="{mean}" y1="3" y2="15"/>'
        '<circle class="{mark}" cx="{x}" cy="9" r="3.5"/></svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        label=label,
        x99=at(low),
        w99=width(low, high),
        x95=at(inner_low),
        w95=width(inner_low, inner_high),
        mean=at(expected),
        mark=mark,
        x=at(actual),
    )
