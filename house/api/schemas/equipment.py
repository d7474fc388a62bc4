"""Dice, boxes and schedules over the wire."""

from typing import Annotated

from pydantic import Field

from house.api.schemas.fields import Answered, Asked, BoxSerial, DieSerial, Fingerprint, ScheduleName, TableId, Version
from house.service import equipment


class NewEquipment(Asked):
    """Dice and boxes to register."""

    dice: Annotated[list[DieSerial], Field(default_factory=list, max_length=500, description="Serials of dice")]
    boxes: Annotated[list[BoxSerial], Field(default_factory=list, max_length=500, description="Serials of boxes")]

    def command(self) -> equipment.RegisterEquipment:
        """The command that registers them."""
        return equipment.RegisterEquipment(dice=tuple(self.dice), boxes=tuple(self.boxes))


class Registered(Answered):
    """What a registration added."""

    dice: Annotated[list[DieSerial], Field(description="Serials of dice")]
    boxes: Annotated[list[BoxSerial], Field(description="Serials of boxes")]


class Die(Answered):
    """A registered die."""

    serial: DieSerial
    table: Annotated[TableId | None, Field(description="Where it is in play, or null")]


class Box(Answered):
    """A registered dice box."""

    serial: BoxSerial
    table: Annotated[TableId | None, Field(description="Where it is in play, or null")]


class Schedule(Answered):
    """A published version of a payout schedule."""

    game: Annotated[str, Field(description="Game", examples=["craps"])]
    name: ScheduleName
    version: Version
    fingerprint: Fingerprint
    body: Annotated[
        str, Field(description="Canonical form of the schedule: JSON as text", examples=['{"game":"craps"}'])
    ]
