"""Dice and boxes, registered by serial before they may be put into play."""

from dataclasses import dataclass
from typing import ClassVar

from house.domain.dice_sets import InPlay
from house.domain.ids import check_id
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.desk import Command, House, Work
from house.store import equipment as store
from house.store import records


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A die; `table` is where it is in play, or None."""

    serial: str
    table: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A dice box; `table` is where it is in play, or None."""

    serial: str
    table: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What a registration added."""

    dice: tuple[str, ...]
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEquipment(Command[Registered]):
    """Register dice and boxes by serial.

    Raises
    ------
    Refused
        ALREADY_EXISTS: a serial is known. BAD_VALUE: it is not one.
    """

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()

    def run(self, work: Work) -> Registered:
        """Add all of them, or none."""
        for kind, serials in (("dice", self.dice), ("boxes", self.boxes)):
            known = store.pieces(work.connection, kind, serials)
            for index, serial in enumerate(serials):
                check_id(serial, f"{kind}[{index}]")
                if serial in known or serial in serials[:index]:
                    raise Refused(Refusal.ALREADY_EXISTS, "the serial is registered", f"{kind}[{index}]", serial)
            store.add(work.unit, kind, serials)
        noted = {"event": "registered", "dice": list(self.dice), "boxes": list(self.boxes)}
        records.append(work.unit, "dice_event", None, noted)
        return Registered(dice=self.dice, boxes=self.boxes)


def put_in_play(work: Work, table: str, new: InPlay) -> None:
    """Put dice and a box into play at a table, in place of those that are there.

    Raises
    ------
    Refused
        NOT_FOUND: a serial is not registered. NOT_IN_PLAY: a piece is in play at another table.
    """
    for kind, serials in (("dice", new.dice), ("boxes", () if new.box is None else (new.box,))):
        known = store.pieces(work.connection, kind, serials)
        for index, serial in enumerate(serials):
            field = f"dice[{index}]" if kind == "dice" else "box"
            if serial not in known:
                raise Refused(Refusal.NOT_FOUND, "the serial is not registered", field, serial[:64])
            where = known[serial].table
            if where not in (None, table):
                raise Refused(Refusal.NOT_IN_PLAY, f"it is in play at table {where}", field, serial, "out of play")
    store.put_in_play(work.unit, table, new)
    records.append(work.unit, "dice_event", table, {"event": "in_play", "dice": list(new.dice), "box": new.box})


def dice(house: House, after: str = "", limit: int = 500) -> tuple[Die, ...]:
    """List dice by serial."""
    with house.read() as connection:
        found = store.after(connection, "dice", after, limit)
    return tuple(Die(serial=piece.serial, table=piece.table) for piece in found)


def boxes(house: House, after: str = "", limit: int = 500) -> tuple[Box, ...]:
    """List boxes by serial."""
    with house.read() as connection:
        found = store.after(connection, "boxes", after, limit)
    return tuple(Box(serial=piece.serial, table=piece.table) for piece in found)
