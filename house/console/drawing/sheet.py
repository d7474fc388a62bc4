"""Hooligan's score sheet, ruled into boxes 1 to 6 and H, and the dice of a frame with those that are kept aside."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from house.console.drawing import dice
from house.console.drawing.svg import element, group, picture, text
from payouts.hooligan.rules import Position

HOOLIGAN = "H"
_BOX, _HEAD, _HEIGHT, _NAME, _TOTAL = 92.0, 34.0, 72.0, 38.0, 110.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One player's line of a sheet.

    Parameters
    ----------
    name
        "" on the sheet of one player.
    turn
        Whether it is the player's turn.
    mark
        What was decided of the player, like "wins"; "" for nothing yet.
    """

    name: str
    position: Position
    turn: bool = False
    mark: str = ""


def sheet(lines: Sequence[Line]) -> Markup:
    """Draw a score sheet: a column for each number and for Hooligan, the total at the right; a line for each player.

    A box holds its frame's score once it is closed; the box of the point of a frame in progress holds what it has made
    so far, in pencil.
    """
    faces = len(lines[0].position.sheet) - 1
    names = _NAME if any(line.name for line in lines) else 0.0
    width, each = (faces + 1) * _BOX + _TOTAL + 2, _HEIGHT + names
    heads = [*map(str, range(1, faces + 1)), HOOLIGAN]
    head = group(
        *(text(one, 1 + (place + 0.5) * _BOX, _HEAD - 10, "sheet-head") for place, one in enumerate(heads)),
        text("Score", width - _TOTAL / 2, _HEAD - 10, "sheet-head"),
    )
    drawn = (_line(line, _HEAD + place * each, names, width) for place, line in enumerate(lines))
    said = ". ".join(in_words(line) for line in lines)
    return picture(
        width, _HEAD + each * len(lines) + 2, head, *drawn, class_="score-sheet", role="img", aria_label=said
    )


def _line(line: Line, top: float, names: float, width: float) -> Markup:
    position = line.position
    boxes = [*position.sheet[1:], position.sheet[0]]
    named = text(f"{line.name} {line.mark}".rstrip(), 4, top + 29, "sheet-name" + (" turn" if line.turn else ""))
    drawn = []
    for place, points in enumerate(boxes, 1):
        x = 1 + (place - 1) * _BOX
        pencil = line.turn and position.point == place and points is None
        kind = "sheet-box" + (" point" if pencil else "")
        drawn.append(element("rect", x=x, y=top + names, width=_BOX, height=_HEIGHT, class_=kind))
        if points is not None or pencil:
            shown = position.point * position.count if points is None else points
            drawn.append(
                text(str(shown), x + _BOX / 2, top + names + 48, "sheet-score" + (" pencil" if pencil else ""))
            )
    right = width - _TOTAL
    total = (
        element("rect", x=right, y=top + names, width=_TOTAL - 1, height=_HEIGHT, class_="sheet-box total"),
        text(str(position.score), right + _TOTAL / 2, top + names + 48, "sheet-score total"),
    )
    return group(*([named] if line.name else []), *drawn, *total)


def in_words(line: Line) -> str:
    """Say a line of a sheet for those who do not see it.

    Examples
    --------
    >>> in_words(Line(name="ann", position=Position((20, None, 8, None, None, None, 24))))
    'ann: 2 scores 8, 6 scores 24, H scores 20, open are 1, 3, 4, 5, score 52'
    """
    boxes = [*enumerate(line.position.sheet[1:], 1), (HOOLIGAN, line.position.sheet[0])]
    closed = [f"{box} scores {points}" for box, points in boxes if points is not None]
    left = [str(box) for box, points in boxes if points is None]
    still = [f"open are {', '.join(left)}"] if left else []
    said = ", ".join([*closed, *still, f"score {line.position.score}"])
    return f"{line.name}: {said}" if line.name else said


def frame(position: Position) -> Markup:
    """Draw the dice of a frame as they lie: those of the next throw, and apart from them those that are kept aside."""
    lying = [face for slot, face in enumerate(position.dice) if slot not in position.aside]
    kept = [position.dice[slot] for slot in position.aside]
    gap = 70.0 if kept and lying else 0.0
    left = dice.width(len(lying), 100) if lying else 0.0
    wide = left + gap + (dice.width(len(kept), 100) if kept else 0.0)
    rest = element("rect", x=left + gap / 2, y=-6, width=wide - left - gap / 2 + 8, height=112, rx=14, class_="tray")
    said = f"thrown {dice.in_words(lying)}" + (f"; kept aside {dice.in_words(kept)}" if kept else "")
    return element(
        "svg",
        *([rest] if kept else []),
        dice.dice(lying),
        dice.dice(kept, left + gap),
        viewBox=f"-8 -8 {max(wide, 100) + 18:g} 116",
        class_="dice",
        role="img",
        aria_label=said,
    )
