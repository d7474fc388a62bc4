"""What happens to dice and boxes beside play: inspected, moved, suspected, sealed, cancelled, destroyed, counted."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from house.domain.ids import check_id, check_text
from house.domain.inspections import failures
from house.domain.lives import Event, Kind, State
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.desk import Command, House, Work
from house.service.equipment import PieceView, known_pieces, moved, record, shown
from house.store import equipment as store
from house.store import records
from house.store.equipment import Counted
from house.store.unit_of_work import moment

SEEN = 500
"""Characters of what was seen, or why, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """What a command did to dice and boxes: the event, and the pieces as they are now."""

    event: Event
    dice: tuple[PieceView, ...]
    boxes: tuple[PieceView, ...]


class _Happens(Command[Happening]):
    """Something that happens to dice and boxes, all of them or none."""

    __slots__ = ()
    event: ClassVar[Event]
    dice: tuple[str, ...]
    boxes: tuple[str, ...]

    @abstractmethod
    def noted(self) -> Mapping[str, Any]:
        """What the record says besides."""

    def run(self, work: Work) -> Happening:
        """Move every piece on in its life; those in play leave their table, which is noted at each."""
        dice = known_pieces(work, Kind.DIE, self.dice, "dice")
        boxes = known_pieces(work, Kind.BOX, self.boxes, "boxes")
        if not dice and not boxes:
            raise Refused(Refusal.BAD_VALUE, "name a die or a box", "dice", "0", "at least one")
        noted = dict(self.noted())
        area = noted.get("area")
        moves = [moved(piece, self.event, field, area) for field, piece in (*dice, *boxes)]
        tables = {piece.table for _, piece in (*dice, *boxes) if piece.table is not None}
        if len(tables) > 1:
            message = "pieces of one table at a time: what is seen, is seen at a table"
            raise Refused(Refusal.BAD_VALUE, message, "dice", str(len(tables)), "one table")
        record(work, self.event, moves, next(iter(tables), None), noted)
        now = {kind: store.pieces(work.connection, kind, [one.serial for _, one in named]) for kind, named in (
            (Kind.DIE, dice), (Kind.BOX, boxes))}  # fmt: skip
        return Happening(
            event=self.event,
            dice=tuple(shown(now[Kind.DIE][serial]) for serial in self.dice),
            boxes=tuple(shown(now[Kind.BOX][serial]) for serial in self.boxes),
        )


def _seen(seen: str, field: str = "seen") -> dict[str, str]:
    """What was seen, or why. Refused: BAD_VALUE."""
    return {field: check_text(seen, field, SEEN)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveEquipment(_Happens):
    """Move stored pieces to another storage area. Refused: NOT_FOUND, NOT_FIT (in play), BAD_VALUE."""

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    event: ClassVar[Event] = Event.MOVED
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    area: str

    def noted(self) -> Mapping[str, Any]:
        """The new area."""
        return {"area": check_id(self.area, "area")}


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectEquipment(_Happens):
    """Take pieces aside that somebody suspects; those in play leave their table. Refused: NOT_FOUND, NOT_FIT."""

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    event: ClassVar[Event] = Event.SUSPECTED
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    seen: str

    def noted(self) -> Mapping[str, Any]:
        """What was seen."""
        return _seen(self.seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearEquipment(_Happens):
    """Put suspected pieces back into storage; two people. Refused: NOT_FOUND, NOT_FIT, SECOND_PERSON_NEEDED."""

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    approval: ClassVar[Scope | None] = Scope.EQUIPMENT_APPROVE
    event: ClassVar[Event] = Event.CLEARED
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    why: str

    def noted(self) -> Mapping[str, Any]:
        """Why they are cleared."""
        return _seen(self.why, "why")


@dataclass(frozen=True, slots=True, kw_only=True)
class SealEquipment(_Happens):
    """Seal suspect pieces: date, time and table are in the record, with what was seen and who was there.

    Parameters
    ----------
    names
        Ids of the people who were there, beside whoever seals and whoever approves.

    Raises
    ------
    Refused
        NOT_FOUND, NOT_FIT (destroyed, sealed already), BAD_VALUE, SECOND_PERSON_NEEDED.
    """

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    approval: ClassVar[Scope | None] = Scope.EQUIPMENT_APPROVE
    event: ClassVar[Event] = Event.SEALED
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    seen: str
    names: tuple[str, ...] = ()

    def noted(self) -> Mapping[str, Any]:
        """What was seen, and who was there."""
        names = [check_id(name, f"names[{index}]") for index, name in enumerate(self.names)]
        return {**_seen(self.seen), "names": names}


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelEquipment(_Happens):
    """Mark pieces so that they cannot be used again; two people. Refused: NOT_FOUND, NOT_FIT, SECOND_PERSON_NEEDED."""

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    approval: ClassVar[Scope | None] = Scope.EQUIPMENT_APPROVE
    event: ClassVar[Event] = Event.CANCELLED
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    why: str

    def noted(self) -> Mapping[str, Any]:
        """Why they are cancelled."""
        return _seen(self.why, "why")


@dataclass(frozen=True, slots=True, kw_only=True)
class DestroyEquipment(_Happens):
    """Destroy cancelled or sealed pieces; two people. Refused: NOT_FOUND, NOT_FIT, SECOND_PERSON_NEEDED."""

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    approval: ClassVar[Scope | None] = Scope.EQUIPMENT_APPROVE
    event: ClassVar[Event] = Event.DESTROYED
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    why: str

    def noted(self) -> Mapping[str, Any]:
        """Why they are destroyed."""
        return _seen(self.why, "why")


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspected:
    """An inspection: whether the piece passed, what did not, and the piece as it is now."""

    kind: Kind
    passed: bool
    failures: tuple[str, ...]
    piece: PieceView


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectEquipment(Command[Inspected]):
    """Inspect a die or a box; one that fails leaves its table at once and is not issued again.

    Parameters
    ----------
    measured
        Whole numbers by measure, as `house.domain.inspections.MEASURES` asks for them.

    Raises
    ------
    Refused
        NOT_FOUND, NOT_FIT (sealed, cancelled ...), BAD_VALUE (a measure is missing or unknown).
    """

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    kind: Kind
    serial: str
    measured: dict[str, tuple[int, ...]]

    def run(self, work: Work) -> Inspected:
        """Hold what was measured against the tolerances of the house."""
        ((field, piece),) = known_pieces(work, self.kind, (self.serial,), "serial")
        tolerances = work.house.equipment.tolerances[self.kind]
        wrong = failures(self.kind, self.measured, tolerances)
        move = moved(piece, Event.FAILED if wrong else Event.PASSED, field)
        noted = {
            "measured": {name: list(values) for name, values in self.measured.items()},
            "tolerances": {name: list(bounds) for name, bounds in tolerances.items()},
            "failures": list(wrong),
        }
        record(work, "inspected", [move], piece.table, noted)
        now = store.pieces(work.connection, self.kind, (self.serial,))[self.serial]
        return Inspected(kind=self.kind, passed=not wrong, failures=wrong, piece=shown(now))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedArea:
    """A physical count of a storage area against the books; the differences are 0 where nothing is missing."""

    area: str
    dice: int
    boxes: int
    due_dice: int
    due_boxes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEquipment(Command[CountedArea]):
    """Count what lies in a storage area, two people together. Refused: SECOND_PERSON_NEEDED, BAD_VALUE."""

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    approval: ClassVar[Scope | None] = Scope.EQUIPMENT_APPROVE
    area: str
    dice: int
    boxes: int

    def run(self, work: Work) -> CountedArea:
        """Keep what was counted beside what is due."""
        area = check_id(self.area, "area")
        for name, count in (("dice", self.dice), ("boxes", self.boxes)):
            if not 0 <= count <= 10**6:
                raise Refused(Refusal.BAD_VALUE, "a count is a whole number", name, str(count)[:20], "0 to 1000000")
        due = {kind: store.on_hand(work.connection, kind, area) for kind in Kind}
        counted = {"dice": self.dice, "boxes": self.boxes, "due_dice": due[Kind.DIE], "due_boxes": due[Kind.BOX]}
        number = records.append(work.unit, "dice_event", None, {"event": "counted", "area": area, **counted})
        store.keep_count(work.unit, Counted(number, area, **counted))
        return CountedArea(area=area, **counted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One link of a chain of custody.

    Parameters
    ----------
    record
        Number of the record that proves it.
    table
        Table where it happened, or None.
    by, second
        Who did it, and who approved.
    facts
        What the record says besides: measured values, what was seen, maker and lot, names.
    """

    record: int
    at: datetime
    gaming_day: str
    event: Event
    state: State
    table: str | None
    area: str
    by: str
    second: str | None
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Custody:
    """A piece as it is, and its whole life in order."""

    kind: Kind
    piece: PieceView
    links: tuple[Link, ...]


_FACTS = ("maker", "lot", "seen", "why", "names", "measured", "tolerances", "failures", "not_inspected")


def custody(house: House, kind: Kind, serial: str) -> Custody:
    """Show the chain of custody of a die or a box. Refused: NOT_FOUND."""
    with house.read() as connection:
        found = store.pieces(connection, kind, (serial,))
        if serial not in found:
            raise Refused(Refusal.NOT_FOUND, "the serial is not registered", "serial", serial[:64])
        links = []
        for happened in store.history(connection, kind, serial):
            kept = records.get(connection, happened.record)
            assert kept is not None, "an event has its record"
            body = kept.body
            links.append(
                Link(
                    record=happened.record,
                    at=moment(happened.at_us),
                    gaming_day=happened.gaming_day,
                    event=happened.move.event,
                    state=happened.move.state,
                    table=happened.table,
                    area=happened.move.area,
                    by=body["by"],
                    second=body["second"],
                    facts={name: body[name] for name in _FACTS if body.get(name) not in (None, "", [])},
                )
            )
    return Custody(kind=kind, piece=shown(found[serial]), links=tuple(links))
