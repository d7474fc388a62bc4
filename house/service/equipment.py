"""Dice and boxes: received into storage, put into play at a table, taken out of it; each step a line of their lives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import Connection

from house.domain.dice_sets import InPlay
from house.domain.ids import check_id, check_text
from house.domain.lives import LIFE, Event, Kind, State
from house.domain.people import HOUSE, Actor, Scope
from house.domain.refusals import Refusal, Refused
from house.service import watch
from house.service.desk import Command, House, Work
from house.store import equipment as store
from house.store import people, records
from house.store.equipment import Move, Piece

STORAGE = "pit"
"""The storage area of a house that names none."""
TEXT = 200
"""Characters of a maker's name or a lot at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceView:
    """A die or a box.

    Parameters
    ----------
    state
        Where it stands in its life, as `house.domain.lives.State`.
    table
        Where it is in play, or None.
    area
        Where it is stored, or from where it was issued.
    """

    serial: str
    state: State
    table: str | None
    area: str
    maker: str
    lot: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What was added."""

    dice: tuple[str, ...]
    boxes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterEquipment(Command[Registered]):
    """Register dice and boxes by serial, received by one person.

    Raises
    ------
    Refused
        SECOND_PERSON_NEEDED: in this house two people receive; the house itself stands for both. ALREADY_EXISTS: a
        serial is known. BAD_VALUE: it is not one.
    """

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()

    def run(self, work: Work) -> Registered:
        """Add all of them, or none."""
        if work.house.equipment.two_receive and work.by is not HOUSE:
            message = "this house receives dice and boxes by two people"
            raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "second_person", limit=Scope.EQUIPMENT_APPROVE.value)
        return _receive(work, Event.REGISTERED, self.dice, self.boxes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveEquipment(Command[Registered]):
    """Receive dice and boxes of a maker's lot into a storage area, two people of different roles together.

    Raises
    ------
    Refused
        SECOND_PERSON_NEEDED: nobody else approves, or somebody of the same role. ALREADY_EXISTS, BAD_VALUE.
    """

    scope: ClassVar[Scope] = Scope.EQUIPMENT_WRITE
    approval: ClassVar[Scope | None] = Scope.EQUIPMENT_APPROVE
    dice: tuple[str, ...] = ()
    boxes: tuple[str, ...] = ()
    maker: str
    lot: str
    area: str = STORAGE

    def run(self, work: Work) -> Registered:
        """Add all of them, or none."""
        if work.second is not None and _roles(work, work.by) == _roles(work, work.second):
            message = "the two who receive must be of different roles"
            raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "second_person")
        for name, text in (("maker", self.maker), ("lot", self.lot)):
            check_text(text, name, TEXT)
        origin = {"area": check_id(self.area, "area"), "maker": self.maker, "lot": self.lot}
        return _receive(work, Event.RECEIVED, self.dice, self.boxes, origin)


def _roles(work: Work, actor: Actor) -> frozenset[str]:
    """Roles of somebody, whatever his key may do; none of the house itself."""
    found = people.find(work.connection, actor.id)
    return frozenset(() if found is None else found.roles)


def _receive(
    work: Work,
    event: Event,
    dice: tuple[str, ...],
    boxes: tuple[str, ...],
    origin: Mapping[str, str] | None = None,
) -> Registered:
    """Add pieces that are not known yet; `origin` says area, maker and lot."""
    came_from = {"area": STORAGE, "maker": "", "lot": "", **(origin or {})}
    state = LIFE[None, event]
    new: list[Piece] = []
    for kind, name, serials in ((Kind.DIE, "dice", dice), (Kind.BOX, "boxes", boxes)):
        known = store.pieces(work.connection, kind, serials)
        for index, serial in enumerate(serials):
            check_id(serial, f"{name}[{index}]")
            if serial in known or serial in serials[:index]:
                raise Refused(Refusal.ALREADY_EXISTS, "the serial is registered", f"{name}[{index}]", serial)
            new.append(Piece(kind, serial, state, None, since_us=work.unit.at_us, **came_from))
    store.add(work.unit, new)
    moves = [Move(piece.kind, piece.serial, event, state, piece.area) for piece in new]
    record(work, event, moves, None, {"dice": list(dice), "boxes": list(boxes), **came_from})
    return Registered(dice=dice, boxes=boxes)


def record(work: Work, event: str, moves: Sequence[Move], table: str | None, noted: Mapping[str, Any]) -> int:
    """Write what happened to pieces into the history and into their rows; return the number of the record."""
    body = {"event": event, **store.noted(moves), **noted}
    number = records.append(work.unit, "dice_event", table, body)
    store.move(work.unit, moves, number, table)
    return number


def moved(piece: Piece, event: Event, field: str, area: str | None = None) -> Move:
    """Let something happen to a piece. Refused: NOT_FIT where it cannot, at this point of its life."""
    state = LIFE.get((piece.state, event))
    if state is None:
        able = sorted({before for before, what in LIFE if what is event and before is not None})
        message = f"{piece.kind} {piece.serial} is {piece.state}, so it cannot be {event}"
        raise Refused(Refusal.NOT_FIT, message, field, piece.serial, ", ".join(able))
    return Move(piece.kind, piece.serial, event, state, piece.area if area is None else area)


def known_pieces(work: Work, kind: Kind, serials: Sequence[str], field: str) -> list[tuple[str, Piece]]:
    """Find pieces by serial, each with the field that named it: `field` itself, or its item in a list of serials.

    Refused: NOT_FOUND, BAD_VALUE (twice the same).
    """
    found = store.pieces(work.connection, kind, serials)
    named: list[tuple[str, Piece]] = []
    for index, serial in enumerate(serials):
        place = f"{field}[{index}]" if field in _LISTS else field
        if serial not in found:
            raise Refused(Refusal.NOT_FOUND, "the serial is not registered", place, serial[:64])
        if serial in serials[:index]:
            raise Refused(Refusal.BAD_VALUE, "a serial is named once", place, serial)
        named.append((place, found[serial]))
    return named


_LISTS = ("dice", "boxes")
"""Fields that name several pieces."""


def put_in_play(work: Work, table: str, new: InPlay, first_throw: int = 0) -> None:
    """Put dice and a box into play at a table, in place of those that are there.

    Parameters
    ----------
    first_throw
        Number of the next throw at the table.

    Raises
    ------
    Refused
        NOT_FOUND: a serial is not registered. NOT_IN_PLAY: a piece is in play at another table. NOT_FIT: it is sealed,
        failed, cancelled ... NOT_INSPECTED: the house requires an inspection before play.
    """
    boxes = () if new.box is None else (new.box,)
    wanted = [*known_pieces(work, Kind.DIE, new.dice, "dice"), *known_pieces(work, Kind.BOX, boxes, "box")]
    issued, fresh = [], list[str]()
    for field, piece in wanted:
        if piece.table not in (None, table):
            message = f"it is in play at table {piece.table}"
            raise Refused(Refusal.NOT_IN_PLAY, message, field, piece.serial, "out of play")
        if piece.table is None:
            issued.append(moved(piece, Event.ISSUED, field))
            if piece.state is not State.READY:
                fresh.append(piece.serial)
                _refuse_uninspected(work, piece, field)
    staying = {(piece.kind, piece.serial) for _, piece in wanted}
    moves = [*_returned(work, table, staying), *issued]
    planned = watch.plan(work, new.dice)
    noted = {"dice": list(new.dice), "box": new.box, "not_inspected": fresh, **watch.noted(planned)}
    number = record(work, "in_play", moves, table, noted)
    watch.begin(work, planned, number, table, first_throw)


def _refuse_uninspected(work: Work, piece: Piece, field: str) -> None:
    if work.house.equipment.inspection_required:
        message = f"{piece.kind} {piece.serial} did not pass an inspection since it was received or used"
        raise Refused(Refusal.NOT_INSPECTED, message, field, piece.serial, State.READY.value)


def take_out(work: Work, table: str) -> None:
    """Take everything at a table out of play, and end the watching there."""
    moves = _returned(work, table, set())
    record(work, "out_of_play", moves, table, {})
    watch.end(work, table)


def _returned(work: Work, table: str, staying: set[tuple[Kind, str]]) -> list[Move]:
    return [
        moved(piece, Event.RETURNED, "dice")
        for piece in store.at_table(work.connection, table)
        if (piece.kind, piece.serial) not in staying
    ]


def check_kept(connection: Connection, table: str, slots: Sequence[int], thrown: Sequence[str]) -> None:
    """Check that no die is thrown that lies kept at a table. Refused: NOT_IN_PLAY, naming the die."""
    lying = store.lying(connection, table)
    kept = {die for slot, die in enumerate(lying) if slot not in slots}
    for index, die in enumerate(thrown):
        if len(slots) == len(thrown) and die in kept:
            raise Refused(Refusal.NOT_IN_PLAY, "the die is kept, so it is not thrown", f"dice[{index}].die", die)


def lay(work: Work, table: str, slots: Sequence[int], thrown: Sequence[str]) -> None:
    """Note which die lies in which slot after a throw of these slots, where dice are kept between throws."""
    before = store.lying(work.connection, table)
    lying = dict(enumerate(before)) | dict(zip(slots, thrown, strict=True))
    after = tuple(lying[slot] for slot in sorted(lying))
    if after != before:
        store.lay(work.unit, table, after)


def dice(house: House, after: str = "", limit: int = 500) -> tuple[PieceView, ...]:
    """List dice by serial."""
    return _listed(house, Kind.DIE, after, limit)


def boxes(house: House, after: str = "", limit: int = 500) -> tuple[PieceView, ...]:
    """List boxes by serial."""
    return _listed(house, Kind.BOX, after, limit)


def _listed(house: House, kind: Kind, after: str, limit: int) -> tuple[PieceView, ...]:
    with house.read() as connection:
        return tuple(shown(piece) for piece in store.after(connection, kind, after, limit))


def shown(piece: Piece) -> PieceView:
    """A piece as it is shown."""
    names = ("serial", "state", "table", "area", "maker", "lot")
    return PieceView(**{name: getattr(piece, name) for name in names})
