"""Elements of SVG and HTML as text: names and values in, escaped markup out."""

from markupsafe import Markup, escape

Value = str | int | float | bool | None


def element(tag: str, *children: str | Markup, **attributes: Value) -> Markup:
    """Make an element; `None` and `False` leave an attribute out, `True` names it alone.

    Parameters
    ----------
    children
        Text, which is escaped, and markup, which is not.
    attributes
        "_" in a name stands for "-"; one at the end is for names that Python keeps: `class_`.

    Examples
    --------
    >>> print(element("text", "Don't < pass", x=1.50, class_="bar", aria_hidden="true", hidden=False))
    <text x="1.5" class="bar" aria-hidden="true">Don&#39;t &lt; pass</text>
    """
    written = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _EMPTY and not children:
        return Markup(f"<{tag}{written}/>")
    inside = "".join(map(escape, children))
    return Markup(f"<{tag}{written}>{inside}</{tag}>")


def group(*children: Markup, **attributes: Value) -> Markup:
    """Put elements into a group, or beside each other where the group says nothing."""
    return element("g", *children, **attributes) if attributes else Markup("").join(children)


def text(words: str, x: float, y: float, class_: str, **attributes: Value) -> Markup:
    """Write words whose middle is at a place; the class gives size and colour."""
    return element("text", words, x=x, y=y, class_=class_, **attributes)


def picture(width: float, height: float, *children: Markup, **attributes: Value) -> Markup:
    """Make a drawing of its own, which scales with its container."""
    return element("svg", *children, viewBox=f"0 0 {number(width)} {number(height)}", **attributes)


def number(value: float) -> str:
    """Write a coordinate, to a hundredth.

    >>> number(3.0), number(2.256)
    ('3', '2.26')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _attribute(name: str, value: Value) -> Markup | str:
    said = _NAMES.get(name) or name.rstrip("_").replace("_", "-")
    match value:
        case None | False:
            return ""
        case True:
            return f" {said}"
        case str():
            return f' {said}="{escape(value)}"'
    return f' {said}="{number(value)}"'


_EMPTY = frozenset({"circle", "path", "rect"})
"""Shapes with nothing in them, written short."""
_NAMES = {name: name for name in ("viewBox", "preserveAspectRatio")}
