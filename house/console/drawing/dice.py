"""Faces of dice as SVG."""

from collections.abc import Sequence

from markupsafe import Markup

from house.console.drawing.svg import element, group, number, picture

_LEFT, _MIDDLE, _RIGHT = 22, 50, 78
_CORNERS = ((_LEFT, _LEFT), (_RIGHT, _RIGHT))
_OTHERS = ((_RIGHT, _LEFT), (_LEFT, _RIGHT))
_SIDES = ((_LEFT, _MIDDLE), (_RIGHT, _MIDDLE))
_CENTRE = ((_MIDDLE, _MIDDLE),)

PIPS = {
    1: _CENTRE,
    2: _OTHERS,
    3: (*_OTHERS, *_CENTRE),
    4: (*_CORNERS, *_OTHERS),
    5: (*_CORNERS, *_OTHERS, *_CENTRE),
    6: (*_CORNERS, *_OTHERS, *_SIDES),
}
"""Where the pips of each face are, in hundredths of its edge; the die is seen as dealers read it."""

WORDS = ("", "one", "two", "three", "four", "five", "six")


def face(shown: int | None, x: float = 0, y: float = 0, edge: float = 100, state: str = "ok") -> Markup:
    """Draw one die at a place; None is a die that was not read.

    Parameters
    ----------
    state
        How it came to rest, as `DieState` spells it; one that does not count is drawn struck through.
    """
    scale = edge / 100
    corners = {"width": edge - 2 * scale, "height": edge - 2 * scale, "rx": 16 * scale}
    body = element("rect", x=x + scale, y=y + scale, class_="die", **corners)
    places = PIPS.get(shown or 0, ())  # each a dot with round ends: one element a die
    dots = "".join(f"M{number(x + across * scale)} {number(y + down * scale)}h0" for across, down in places)
    pips = (element("path", d=dots, stroke_width=19 * scale, class_="pips"),) if places else ()
    struck = element("path", d=f"M{x + 8 * scale:g} {y + 92 * scale:g}L{x + 92 * scale:g} {y + 8 * scale:g}")
    marks = () if state == "ok" else (group(struck, class_="struck"),)
    return group(body, *pips, *marks)


def dice(faces: Sequence[int | None], x: float = 0, y: float = 0, edge: float = 100, gap: float = 0.12) -> Markup:
    """Draw dice in a row; `gap` between two is in parts of an edge."""
    return group(*(face(shown, x + place * edge * (1 + gap), y, edge) for place, shown in enumerate(faces)))


def width(count: int, edge: float, gap: float = 0.12) -> float:
    """Width of a row of dice.

    >>> width(2, 100)
    212.0
    """
    return edge * (count + gap * (count - 1))


def thrown(faces: Sequence[int | None], states: Sequence[str] = ()) -> Markup:
    """Draw a throw as a picture of its own, with its words for those who do not see it.

    Parameters
    ----------
    states
        How each die came to rest; all "ok" without it.
    """
    shown = [
        face(one, place * 112, 0, 100, state)
        for place, (one, state) in enumerate(zip(faces, states or ("ok",) * len(faces), strict=True))
    ]
    return picture(width(len(faces), 100), 100, *shown, class_="dice", role="img", aria_label=in_words(faces))


def bare(shown: int) -> Markup:
    """Draw one die as a picture whose words stand beside it."""
    return picture(100, 100, face(shown), class_="dice", aria_hidden="true")


def in_words(faces: Sequence[int | None]) -> str:
    """Say what dice show.

    >>> in_words((3, 4)), in_words((None,)), in_words(())
    ('three, four', 'not read', 'no dice')
    """
    return ", ".join(WORDS[one] if one else "not read" for one in faces) or "no dice"
