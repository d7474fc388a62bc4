"""Dice, boxes, watched sets and incidents as the records tell of them: followed offline, held against the books."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection

from house.domain.lives import LIFE, Event, Kind, State
from house.store import equipment, incidents, watches

Body = dict[str, Any]
Pairs = list[tuple[str, object, object]]
"""What is found and due, each under its invariant."""


@dataclass(slots=True)
class Pieces:
    """Lives of pieces, shares of the budget and incidents, as the records so far leave them."""

    lives: dict[tuple[str, str], tuple[State, str | None]] = field(default_factory=dict)
    shares: dict[int, Fraction] = field(default_factory=dict)
    incidents: dict[int, bool] = field(default_factory=dict)
    """Whether each incident is open."""

    def follow(self, body: Body) -> Pairs:
        """Follow a record, and pair what it says with what those before it bear out."""
        what = _FOLLOW.get(body["kind"])
        return [] if what is None else what(self, body)

    def dice_event(self, body: Body) -> Pairs:
        """Move pieces on in their lives, and begin to watch sets of dice."""
        pairs: Pairs = []
        for kind, serial, event, state, _ in body.get("moves", ()):
            before = self.lives.get((kind, serial), (None, None))[0]
            due = LIFE.get((before, Event(event)), "not possible")
            pairs.append((f"what happens to {kind} {serial} can happen", state, due))
            self.lives[kind, serial] = State(state), body["table"] if state == State.IN_PLAY else None
        if body["event"] == "in_play":
            said = sorted(body["dice"]), [] if body["box"] is None else [body["box"]]
            found = tuple(self._in_play(kind, body["table"]) for kind in (Kind.DIE, Kind.BOX))
            pairs.append(("the dice in play are those that were issued", found, said))
            pairs += [pair for watched in body["watches"] for pair in self._watch(*watched)]
        return pairs

    def _in_play(self, kind: Kind, table: str) -> list[str]:
        return sorted(serial for (what, serial), (_, where) in self.lives.items() if what == kind and where == table)

    def _watch(self, number: int, _dice: list[str], alpha: str, pit_alpha: str) -> Pairs:
        share = Fraction(alpha) / Fraction(pit_alpha)
        pairs: Pairs = []
        if number not in self.shares:
            pairs.append(("sets are numbered without a gap", number, len(self.shares) + 1))
        else:
            pairs.append(("a share that was given out never changes", share, self.shares[number]))
        self.shares[number] = share
        pairs.append(("the shares of the budget add to 1 at most", sum(self.shares.values()) > 1, False))
        return pairs

    def throw(self, body: Body) -> Pairs:
        """Check that dice and box of a throw are in play at its table, each die once."""
        where = {die: self.lives.get((Kind.DIE, die), (None, None))[1] for die in body["dice"]}
        due = dict.fromkeys(where, body["table"])
        pairs: Pairs = [
            ("a throw is with dice that are in play", where, due),
            ("a die is thrown once in a throw", len(where), len(body["dice"])),
        ]
        if body["box"] is not None:
            place = self.lives.get((Kind.BOX, body["box"]), (None, None))[1]
            pairs.append(("a throw is from a box that is in play", place, body["table"]))
        return pairs

    def incident(self, body: Body) -> Pairs:
        """Raise an incident, or follow what becomes of it."""
        number, event = body["incident"], body["event"]
        if event == "raised":
            self.incidents[number] = True
            return [("incidents are numbered without a gap", number, len(self.incidents) - 1)]
        pairs: Pairs = [("something happens to an incident that was raised", number in self.incidents, True)]
        if event in ("ended", "assigned"):
            pairs.append(("an incident that is closed stays closed", self.incidents.get(number), True))
        if event == "ended":
            self.incidents[number] = False
        return pairs


_FOLLOW: Mapping[str, Callable[[Pieces, Body], Pairs]] = {
    "dice_event": Pieces.dice_event,
    "throw": Pieces.throw,
    "incident": Pieces.incident,
}


def _moves(body: Body) -> list[Any]:
    if body["kind"] != "dice_event":
        return []
    names = ("kind", "serial", "event", "state", "area")
    times = {"at_us": body["at_us"], "gaming_day": body["gaming_day"]}
    return [
        equipment.as_recorded(dict(zip(names, move, strict=True)) | times, body["table"])
        for move in body.get("moves", ())
    ]


def _counts(body: Body) -> list[Any]:
    if body["kind"] != "dice_event" or body["event"] != "counted":
        return []
    return [[body[name] for name in ("area", "dice", "boxes", "due_dice", "due_boxes", "gaming_day")]]


def _watches(body: Body) -> list[Any]:
    watched = sorted(body.get("watches", ())) if body["kind"] == "dice_event" else []
    return [[*one, body["table"]] for one in watched]


def _incidents(body: Body) -> list[Any]:
    return [[body["incident"], body["event"]]] if body["kind"] == "incident" else []


BOOKS: Mapping[str, tuple[Callable[[Connection], Iterator[tuple[int, list[Any]]]], Callable[[Body], list[Any]]]] = {
    "events of dice and boxes": (equipment.of_records, _moves),
    "physical counts": (equipment.counts_of_records, _counts),
    "watched sets": (watches.of_records, _watches),
    "events of incidents": (incidents.of_records, _incidents),
}
"""Books of dice and laboratory: how their lines are read by record, and what a record says that they hold."""
