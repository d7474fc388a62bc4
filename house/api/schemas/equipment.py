"""Dice, boxes and schedules over the wire."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from house.api.schemas.fields import (
    ID,
    Answered,
    Asked,
    BoxSerial,
    Count,
    DieSerial,
    Fingerprint,
    ScheduleName,
    TableId,
    Version,
)
from house.domain.lives import Event, Kind, State
from house.service import equipment, lives

Area = Annotated[
    str, Field(pattern=ID, min_length=1, max_length=64, description="Storage area", examples=["pit-cupboard"])
]
Seen = Annotated[
    str,
    Field(
        min_length=1, max_length=lives.SEEN, description="What was seen, or why", examples=["swings at one diagonal"]
    ),
]
Dice = Annotated[list[DieSerial], Field(default_factory=list, max_length=500, description="Serials of dice")]
Boxes = Annotated[list[BoxSerial], Field(default_factory=list, max_length=500, description="Serials of boxes")]
StateOf = Annotated[State, Field(description="Where it stands in its life", examples=["in_play"])]
EventOf = Annotated[Event, Field(description="What happened", examples=["issued"])]
Facts = Annotated[
    dict[str, Any],
    Field(description="What the record says besides", examples=[{"maker": "Paulson", "lot": "2026-11"}]),
]
PersonId = Annotated[
    str, Field(pattern=ID, min_length=1, max_length=64, description="Id of a person", examples=["kim"])
]
Text = Annotated[
    str, Field(min_length=1, max_length=equipment.TEXT, description="Who made it, or which lot", examples=["2026-11-A"])
]


class NewEquipment(Asked):
    """Dice and boxes to register."""

    dice: Dice
    boxes: Boxes

    def command(self) -> equipment.RegisterEquipment:
        """The command that registers them."""
        return equipment.RegisterEquipment(dice=tuple(self.dice), boxes=tuple(self.boxes))


class NewReception(Asked):
    """Dice and boxes of a maker's lot, received by two people."""

    dice: Dice
    boxes: Boxes
    maker: Text
    lot: Text
    area: Area = equipment.STORAGE

    def command(self) -> equipment.ReceiveEquipment:
        """The command that receives them."""
        origin = {"maker": self.maker, "lot": self.lot, "area": self.area}
        return equipment.ReceiveEquipment(dice=tuple(self.dice), boxes=tuple(self.boxes), **origin)


class NewMove(Asked):
    """Stored pieces and the storage area to which they go."""

    dice: Dice
    boxes: Boxes
    area: Area

    def command(self) -> lives.MoveEquipment:
        """The command that moves them."""
        return lives.MoveEquipment(dice=tuple(self.dice), boxes=tuple(self.boxes), area=self.area)


class NewSuspicion(Asked):
    """Pieces that somebody suspects, and what was seen."""

    dice: Dice
    boxes: Boxes
    seen: Seen

    def command(self) -> lives.SuspectEquipment:
        """The command that takes them aside."""
        return lives.SuspectEquipment(dice=tuple(self.dice), boxes=tuple(self.boxes), seen=self.seen)


class NewSeal(Asked):
    """Suspect pieces to be sealed: what was seen, and the people who were there."""

    dice: Dice
    boxes: Boxes
    seen: Seen
    names: Annotated[list[PersonId], Field(default_factory=list, max_length=20, description="Who was there besides")]

    def command(self) -> lives.SealEquipment:
        """The command that seals them."""
        pieces = {"dice": tuple(self.dice), "boxes": tuple(self.boxes)}
        return lives.SealEquipment(**pieces, seen=self.seen, names=tuple(self.names))


class NewEnd(Asked):
    """Pieces to be cleared, cancelled or destroyed, and why."""

    dice: Dice
    boxes: Boxes
    why: Seen

    def arguments(self) -> dict[str, Any]:
        """The arguments of the command that does it."""
        return {"dice": tuple(self.dice), "boxes": tuple(self.boxes), "why": self.why}


class NewInspection(Asked):
    """What was measured of a die or box, whole numbers by measure."""

    measured: Annotated[
        dict[
            Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")],
            Annotated[list[Annotated[int, Field(strict=True, ge=0, le=10**6)]], Field(max_length=6)],
        ],
        Field(
            max_length=10,
            description="Whole numbers by measure: heights and convexity in micrometres, opposite faces together",
            examples=[
                {
                    "faces": [1, 6, 2, 5, 3, 4],
                    "heights_um": [19050, 19052, 19051],
                    "convexity_um": [2],
                    "swings": [0],
                    "dark_corners": [0],
                    "magnetic": [0],
                }
            ],
        ),
    ]

    def command(self, kind: Kind, serial: str) -> lives.InspectEquipment:
        """The command that holds it against the tolerances."""
        measured = {name: tuple(values) for name, values in self.measured.items()}
        return lives.InspectEquipment(kind=kind, serial=serial, measured=measured)


class NewCount(Asked):
    """A physical count of a storage area by two people."""

    area: Area
    dice: Annotated[int, Field(strict=True, ge=0, le=10**6, description="Dice that lie there", examples=[40])]
    boxes: Annotated[int, Field(strict=True, ge=0, le=10**6, description="Boxes that lie there", examples=[3])]

    def command(self) -> lives.CountEquipment:
        """The command that keeps it."""
        return lives.CountEquipment(area=self.area, dice=self.dice, boxes=self.boxes)


class Registered(Answered):
    """What was added."""

    dice: Annotated[list[DieSerial], Field(description="Serials of dice")]
    boxes: Annotated[list[BoxSerial], Field(description="Serials of boxes")]


class Piece(Answered):
    """A die or a box."""

    serial: Annotated[str, Field(description="Serial", examples=["R-0017"])]
    state: StateOf
    table: Annotated[TableId | None, Field(description="Where it is in play, or null")]
    area: Annotated[str, Field(description="Where it is stored, or was issued from", examples=["pit"])]
    maker: Annotated[str, Field(description="Who made it", examples=["Paulson"])]
    lot: Annotated[str, Field(description="The maker's lot", examples=["2026-11-A"])]


class Happening(Answered):
    """What happened to dice and boxes, and what they are now."""

    event: EventOf
    dice: list[Piece]
    boxes: list[Piece]


class Inspected(Answered):
    """An inspection against the tolerances of the house."""

    kind: Annotated[Literal["die", "box"], Field(description="What was inspected", examples=["die"])]
    passed: Annotated[bool, Field(description="Whether everything is within its tolerance", examples=[True])]
    failures: Annotated[list[str], Field(description="What is not", examples=[["swings 1, passes 0 to 0"]])]
    piece: Piece


class CountedArea(Answered):
    """A physical count beside what the books say."""

    area: Area
    dice: Count
    boxes: Count
    due_dice: Annotated[Count, Field(description="Dice that lie there by the books")]
    due_boxes: Annotated[Count, Field(description="Boxes that lie there by the books")]


class Link(Answered):
    """One link of a chain of custody."""

    record: Annotated[Count, Field(description="Record of the history that proves it")]
    at: Annotated[datetime, Field(description="When")]
    gaming_day: Annotated[str, Field(description="Gaming day", examples=["2026-11-29"])]
    event: EventOf
    state: StateOf
    table: Annotated[TableId | None, Field(description="Table where it happened, or null")]
    area: Annotated[str, Field(description="Storage area", examples=["pit"])]
    by: Annotated[str, Field(description="Who did it", examples=["kim"])]
    second: Annotated[str | None, Field(description="Who approved it, or null", examples=["lee"])]
    facts: Facts


class Custody(Answered):
    """A die or box, and everything that happened to it in order."""

    kind: Annotated[Literal["die", "box"], Field(description="What it is", examples=["die"])]
    piece: Piece
    links: list[Link]


class Schedule(Answered):
    """A published version of a payout schedule."""

    game: Annotated[str, Field(description="Game", examples=["craps"])]
    name: ScheduleName
    version: Version
    fingerprint: Fingerprint
    body: Annotated[
        str, Field(description="Canonical form of the schedule: JSON as text", examples=['{"game":"craps"}'])
    ]
