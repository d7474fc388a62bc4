"""A second implementation of Hooligan that imports none of ours: it replays a log of throws and choices.

It reads one game as a list of events in their order, each a dict:

    {"faces": [2, 2, 2, 3, 3]}              a throw that counts: faces of the dice thrown, in the order of their slots
    {"choice": "name", "point": 2}          likewise "take_up", "take", "decline", "stop"
    {"choice": "keep", "slots": [0, 1]}

and recomputes frames, score and payment. Anything that the rules do not allow raises `Illegal`. The rules are read from
Scarne's text frame by frame, with a loop for each kind of frame, where ours steps a position from event to event.
"""

from collections.abc import Sequence
from typing import Any

DEFAULTS = {
    "throws_per_frame": 3,
    "natural": "automatic",
    "point_must_show": False,
    "hooligan_keep": "any",
    "may_stop_early": False,
}
STRAIGHTS = ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
HOOLIGAN = "H"


class Illegal(Exception):
    """The log holds something that the rules do not allow, or ends too soon."""


class Log:
    """Events that are read one after the other."""

    def __init__(self, events: Sequence[dict[str, Any]]) -> None:
        self.events = list(events)

    def faces(self, count: int) -> list[int]:
        """The next event, which must be a throw of `count` dice."""
        faces = self._next().get("faces")
        if not isinstance(faces, list) or len(faces) != count or not all(face in range(1, 7) for face in faces):
            raise Illegal(f"expected a throw of {count} dice, found {faces}")
        return faces

    def choice(self) -> tuple[str, Any]:
        """The next event, which must be a choice: its word and its argument."""
        event = self._next()
        if "choice" not in event:
            raise Illegal(f"expected a choice, found {event}")
        return event["choice"], event.get("point", event.get("slots"))

    def peek_is(self, word: str) -> bool:
        """Whether the next event is this choice."""
        return bool(self.events) and self.events[0].get("choice") == word

    def _next(self) -> dict[str, Any]:
        if not self.events:
            raise Illegal("the log ends before the game does")
        return self.events.pop(0)


def replay(events: Sequence[dict[str, Any]], rules: dict[str, Any]) -> dict[int | str, int]:
    """Replay a game; points of every box, "H" and 1 to 6."""
    rules = DEFAULTS | rules
    log = Log(events)
    boxes: dict[int | str, int] = {}
    while len(boxes) < 7:
        numbers = [number for number in range(1, 7) if number not in boxes]
        if numbers:
            number_frame(log, rules, boxes, numbers)
        else:
            boxes[HOOLIGAN] = last_frame(log, rules)
    if log.events:
        raise Illegal(f"the game is over, but the log goes on with {log.events[0]}")
    return boxes


def number_frame(log: Log, rules: dict[str, Any], boxes: dict[int | str, int], numbers: list[int]) -> None:
    """Play a frame with numbers open, and fill one box, or two where a natural is a bonus."""
    limit = rules["throws_per_frame"]
    for throws in range(1, limit + 1):
        dice = log.faces(5)
        may_take = False
        if throws == 1 and HOOLIGAN not in boxes and sorted(dice) in STRAIGHTS:
            if rules["natural"] == "automatic":
                boxes[HOOLIGAN] = 20
                return
            if rules["natural"] == "bonus":
                boxes[HOOLIGAN] = 20
            may_take = rules["natural"] == "optional"
        word, argument = log.choice()
        if word == "take" and may_take:
            boxes[HOOLIGAN] = 20
            return
        if word == "take_up" and throws < limit:
            continue
        allowed = numbers
        if rules["point_must_show"] and set(dice) & set(numbers):
            allowed = [number for number in numbers if number in dice]
        if word != "name" or argument not in allowed:
            raise Illegal(f"{word} {argument} after {dice}, open {numbers}")
        boxes[argument] = argument * shoot(log, rules, argument, dice.count(argument), limit - throws)
        return


def shoot(log: Log, rules: dict[str, Any], point: int, made: int, left: int) -> int:
    """Throw the rest of a frame whose point is named; dice that have shown it, all told."""
    for _ in range(left):
        if rules["may_stop_early"] and log.peek_is("stop"):
            log.choice()
            return made
        made += log.faces(5 - made % 5).count(point)
    return made


def last_frame(log: Log, rules: dict[str, Any]) -> int:
    """Play a frame with Hooligan alone open: 20 or 0."""
    limit, free = rules["throws_per_frame"], rules["hooligan_keep"] == "any"
    dice = log.faces(5)
    for throws in range(1, limit + 1):
        made = sorted(dice) in STRAIGHTS
        if made and throws == 1:
            if not free or rules["natural"] != "optional":
                return 20
            word, _ = log.choice()
            if word not in ("take", "decline"):
                raise Illegal(f"{word} at a natural in the last frame")
            return 20 if word == "take" else 0
        if throws == limit or (made and not free):
            return 20 if made else 0
        keep: list[int] = []
        if free:
            word, keep = log.choice()
            if word != "keep" or len(set(keep)) != len(keep) or not set(keep) <= set(range(5)):
                raise Illegal(f"{word} {keep} in the last frame")
        if len(keep) == 5:
            return 20 if made else 0
        fresh = iter(log.faces(5 - len(keep)))
        dice = [dice[slot] if slot in keep else next(fresh) for slot in range(5)]
    raise AssertionError("the last throw decides")


def payment(score: int, pays: Sequence[tuple[int, int, int]]) -> int:
    """What a score receives in minor units, from bands (low, high, minor units)."""
    return sum(minor for low, high, minor in pays if low <= score <= high)
