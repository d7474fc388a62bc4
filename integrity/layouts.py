"""Which column of a file is which: header and first rows -> layout. Found by name or declared, never guessed."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from integrity.errors import ReadError
from integrity.tokens import TokenError, face_or_state

Form = Literal["dice", "throws", "counts", "joint", "totals"]

ALIASES: Final[Mapping[str, str]] = {
    "throw": "throw",
    "throw_index": "throw",
    "throw_number": "throw",
    "throw_no": "throw",
    "at": "at",
    "time": "at",
    "timestamp": "at",
    "thrown_at": "at",
    "table": "table",
    "table_id": "table",
    "game": "game",
    "round": "round",
    "round_id": "round",
    "method": "method",
    "box": "box",
    "box_id": "box",
    "box_serial": "box",
    "shooter": "shooter",
    "shooter_id": "shooter",
    "player": "shooter",
    "slot": "slot",
    "position": "slot",
    "die": "die",
    "die_id": "die",
    "die_serial": "die",
    "set_id": "die",
    "issued": "issued",
    "face": "face",
    "state": "state",
    "stake_class": "stake_class",
    "source": "source",
    "count": "count",
    "total": "total",
    "sum": "total",
    "sides": "sides",
    "weight": "count",
    "gaming_day": "gaming_day",
}
"""Names of columns that are known without being declared."""

_PARTS: Final[Mapping[str, str]] = {"count_": "count", "frequency": "share"}
"""Parts of titles that tell a column: counts of some kind, and the rounded shares that counts were rebuilt from."""

SETTINGS: Final = ("base", "separator", "zone")
"""Declarations that are not columns: lowest face of the file, its separator, the zone of times without one."""

_PLACE: Final = re.compile(r"(die|dice|d|face|slot)?[ _-]?\d+", re.IGNORECASE)
"""Headers that only number the places of a throw."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The form of a file's rows: `places` gives the position of every known column, `faces` those of face columns.

    "dice" has one row a die, "throws" one row a throw, "counts" one a face, "joint" one a pair of faces, "totals" one a
    total of two dice. `names` are the dice of the face columns, None where a header only numbers places.
    """

    form: Form
    places: Mapping[str, int]
    faces: tuple[int, ...] = ()
    names: tuple[str | None, ...] = ()
    unused: tuple[str, ...] = field(default=())


def layout_of(header: Sequence[str], rows: Sequence[Sequence[str]], declared: Mapping[str, str]) -> Layout:
    """Find the layout of a file with a header, `rows` being its first rows.

    Raises
    ------
    ReadError
        A declared column that is not there, a known one that stands twice, no column of faces, or a count
        that belongs to nothing.
    """
    titles = [title.strip() for title in header]
    if twice := [title for at, title in enumerate(titles) if title in titles[:at] and title.lower() in ALIASES]:
        raise ReadError(f"column {twice[0]!r} must stand once, got it twice among {', '.join(titles)}")
    places = _places(titles, declared)
    several = _declared_faces(titles, declared)
    rest = [i for i in range(len(titles)) if i not in places.values() and i not in several]
    if "face" in places and not several:
        return Layout("counts" if "count" in places else "dice", places, unused=tuple(titles[i] for i in rest))
    faces = several or _face_columns(titles, rest, rows)
    unused = tuple(titles[i] for i in rest if i not in faces)
    if faces:
        if "count" in places and len(faces) != 2:
            raise ReadError(f"a joint count needs two columns of faces, got {len(faces)} ({', '.join(titles)})")
        named = tuple(None if _PLACE.fullmatch(titles[i]) else titles[i] for i in faces)
        return Layout("joint" if "count" in places else "throws", places, faces, named, unused)
    if "total" in places and "count" in places:
        return Layout("totals", places, unused=unused)
    raise ReadError(f"no column of faces among {', '.join(titles)}: declare it, as in columns face=...")


def _face_columns(titles: Sequence[str], rest: Sequence[int], rows: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Find the columns that hold faces: those numbered like places of a throw if there are any, else by their cells."""
    numbered = tuple(i for i in rest if _PLACE.fullmatch(titles[i]))
    if numbered:
        return numbered
    cells = {i: [row[i] for row in rows if i < len(row) and row[i].strip()] for i in rest}
    return tuple(i for i in rest if 2 * sum(map(_is_face, cells[i])) > len(cells[i]))


def bare_layout(columns: int) -> Layout:
    """Give the layout of a file without a header: one face a row, or one throw a row."""
    return Layout("throws", {}, tuple(range(columns)), (None,) * columns)


def _places(titles: Sequence[str], declared: Mapping[str, str]) -> dict[str, int]:
    """Find every known column, declarations first."""
    lower = [title.lower().replace(" ", "_") for title in titles]
    places: dict[str, int] = {}
    for name, title in declared.items():
        if name in SETTINGS or "+" in title:
            continue
        if name not in {*ALIASES.values(), "share"}:
            raise ReadError(f"columns may declare {', '.join(sorted({*ALIASES.values(), *SETTINGS}))}, got {name}")
        if title not in titles:
            raise ReadError(f"column {title!r}, declared as {name}, must be among {', '.join(titles)}")
        places[name] = titles.index(title)
    for place, title in enumerate(lower):
        known = ALIASES.get(title) or next((name for part, name in _PARTS.items() if part in title), None)
        if known and known not in places and place not in places.values() and "+" not in declared.get(known, ""):
            places[known] = place
    return places


def _declared_faces(titles: Sequence[str], declared: Mapping[str, str]) -> tuple[int, ...]:
    """Find the face columns of a declaration like face=white+red."""
    wanted = declared.get("face", "")
    if "+" not in wanted:
        return ()
    missing = [title for title in wanted.split("+") if title not in titles]
    if missing:
        raise ReadError(f"column {missing[0]!r}, declared as face, must be among {', '.join(titles)}")
    return tuple(titles.index(title) for title in wanted.split("+"))


def _is_face(token: str) -> bool:
    """Tell whether a cell can be a face or a word in its place."""
    try:
        face_or_state(token, 0 if token.strip() == "0" else 1)
    except TokenError:
        return False
    return True


def is_header(cells: Sequence[str]) -> bool:
    """Tell whether a first row is a header: some cell has letters and is neither a face, nor its word, nor a number.

    >>> is_header(["throw", "white"]), is_header(["3", "cocked"]), is_header(["0"]), is_header(["1e1"])
    (True, False, False, False)
    """
    numbers = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?", re.IGNORECASE)
    return any(
        any(sign.isalpha() for sign in cell) and not _is_face(cell) and not numbers.fullmatch(cell.strip())
        for cell in cells
    )
