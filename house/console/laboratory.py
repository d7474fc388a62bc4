"""The laboratory: dice and boxes with their lives and evidence, what watches them, and a page for each."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from markupsafe import Markup
from starlette.responses import Response

from house.console import shell
from house.console.drawing import charts
from house.console.drawing.charts import Line, Share
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.inspections import MEASURES
from house.domain.lives import LIFE, Kind
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import equipment, incidents, laboratory, lives
from house.service.desk import Command, House, check_allowed
from house.service.laboratory import DieEvidence
from integrity.findings import strength

router = APIRouter(prefix="/laboratory")

PAGE = 500
"""Dice, and boxes, that are listed at once."""
SHOWN = 12
"""Monitors of the board that stand open; the others are folded away."""
KINDS: Mapping[str, Kind] = {"dice": Kind.DIE, "boxes": Kind.BOX}
"""Address of each kind of piece."""


@router.get("")
def show_laboratory(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Show the monitors, the open incidents, and every die and box."""
    return _laboratory(request, house, visitor)


def _laboratory(request: Request, house: House, visitor: Visit, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.EQUIPMENT_READ)
    watches = visitor.may(Scope.INCIDENTS_READ)
    board = laboratory.board(house) if watches else None
    return shell.page(
        request,
        visitor,
        "laboratory/laboratory.html",
        posted=posted,
        board=board,
        lines=() if board is None else board.lines[:SHOWN],
        more=() if board is None else board.lines[SHOWN:],
        incidents=incidents.incidents(house, status="open") if watches else (),
        dice=equipment.dice(house, limit=PAGE),
        boxes=equipment.boxes(house, limit=PAGE),
        storage=equipment.STORAGE,
        alone=not house.equipment.two_receive,
    )


@router.get("/{kind}/{serial}")
def show_piece(request: Request, house: TheHouse, visitor: Visitor, kind: str, serial: str) -> HTMLResponse:
    """Show a die or a box: its life, and of a die the evidence."""
    return _piece(request, house, visitor, kind, serial)


def _piece(
    request: Request, house: House, visitor: Visit, kind: str, serial: str, *, posted: Posted | None = None
) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.EQUIPMENT_READ)
    what = _kind(kind)
    evidence = laboratory.die(house, serial) if what is Kind.DIE and visitor.may(Scope.INCIDENTS_READ) else None
    custody = lives.custody(house, what, serial) if evidence is None else evidence.custody
    return shell.page(
        request,
        visitor,
        "laboratory/piece.html",
        posted=posted,
        kind=kind,
        what=what.value,
        custody=custody,
        piece=custody.piece,
        able={event.value for (state, event) in LIFE if state == custody.piece.state},
        measures=MEASURES[what],
        inspected=[f"measured.{name}" for name in MEASURES[what]],
        happens=OFFERED,
        tolerances=house.equipment.tolerances[what],
        evidence=evidence,
        **({} if evidence is None else _drawn(evidence)),
    )


def _kind(kind: str) -> Kind:
    if kind not in KINDS:
        raise Refused(Refusal.NOT_FOUND, "the laboratory keeps dice and boxes")
    return KINDS[kind]


def _drawn(evidence: DieEvidence) -> Mapping[str, Any]:
    """Charts of a die with a sentence on each, and whether anything was thrown."""
    due = 1 / 6
    rows = [
        Share(str(one.face), one.count / max(evidence.throws, 1), one.low, one.high, not one.low <= due <= one.high)
        for one in evidence.faces
    ]
    odd = [row.label for row in rows if row.odd]
    said = f"The bounds of face {' and '.join(odd)} leave out one in six." if odd else "All bounds hold one in six."
    points = [(float(point.throws), point.log10_evalue) for point in evidence.path]
    most = max((y for _, y in points), default=0.0)
    bar = ATTACK_BAR
    path = f"log10 e is {points[-1][1]:.1f} now and was {most:.1f} at most." if points else "Nothing was thrown."
    return {
        "shares": charts.shares("Faces", said, rows, expected=due),
        "odd": odd,
        "path": charts.lines(
            "Evidence on its faces",
            f"{path} The dashed line is at {bar:g}.",
            [Line(evidence.custody.piece.serial, points)],
            bar=bar,
            x_title="Throws of it",
            y_title="log10 e",
        ),
        "strength": strength(max(most, 0.0)),
        "most": most,
        "heat": _heat(evidence.moves),
        "far": charts.residuals(evidence.moves),
    }


ATTACK_BAR = 2.0
"""log10 e at which one die, watched alone at 1 %, alarms; the monitors of a pit have shares, so higher bars."""


def _heat(moves: tuple[tuple[int, ...], ...]) -> Markup:
    far = charts.residuals(moves)
    value, row, column = max(
        (abs(value), row + 1, column + 1) for row, line in enumerate(far) for column, value in enumerate(line)
    )
    said = f"Farthest from chance is {column} after {row}, by {value:.1f} standard deviations."
    return charts.heat("Transitions", said, moves, rows="Face before", columns="Face")


@router.post("/receptions")
def receive(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """Take in dice and boxes, by two people."""

    def command(form: Posted) -> equipment.ReceiveEquipment:
        return equipment.ReceiveEquipment(
            dice=form.many("dice"),
            boxes=form.many("boxes"),
            maker=form.text("maker"),
            lot=form.text("lot"),
            area=form.text("area"),
        )

    return _taken_in(request, house, visitor, form, command)


@router.post("/registrations")
def register(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """Take in dice and boxes, by one person, where the house allows it."""

    def command(form: Posted) -> equipment.RegisterEquipment:
        return equipment.RegisterEquipment(dice=form.many("dice"), boxes=form.many("boxes"))

    return _taken_in(request, house, visitor, form, command)


@router.post("/counts")
def count(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """Keep a physical count of a storage area, by two people."""

    def command(form: Posted) -> lives.CountEquipment:
        return lives.CountEquipment(area=form.text("area"), dice=form.whole("dice"), boxes=form.whole("boxes"))

    def said(counted: lives.CountedArea) -> str:
        missing = [
            f"{due - found} {name} missing" if due > found else f"{found - due} {name} too many"
            for name, found, due in (
                ("dice", counted.dice, counted.due_dice),
                ("boxes", counted.boxes, counted.due_boxes),
            )
            if due != found
        ]
        return f"{counted.area} is counted: {', '.join(missing) or 'all there'}."

    def shows(posted: Posted) -> HTMLResponse:
        return _laboratory(request, house, visitor, posted)

    return shell.carry_out(request, visitor, form, command, to="/laboratory", said=said, shows=shows)


def _taken_in(
    request: Request, house: House, visitor: Visit, form: Posted, command: Callable[[Posted], Command[Any]]
) -> Response:
    def shows(posted: Posted) -> HTMLResponse:
        return _laboratory(request, house, visitor, posted)

    def said(new: equipment.Registered) -> str:
        return f"{len(new.dice)} dice and {len(new.boxes)} boxes are taken in."

    return shell.carry_out(request, visitor, form, command, to="/laboratory", said=said, shows=shows)


@router.post("/{kind}/{serial}/{event}")
def happen(
    request: Request, house: TheHouse, visitor: Visitor, form: Form, *, kind: str, serial: str, event: str
) -> Response:
    """Carry out what a form of a piece's page asks for."""
    what = _kind(kind)
    if event not in HAPPENS:
        raise Refused(Refusal.NOT_FOUND, "nothing of this name happens to dice and boxes")
    make, said = HAPPENS[event]

    def shows(posted: Posted) -> HTMLResponse:
        return _piece(request, house, visitor, kind, serial, posted=posted)

    to = shell.address("/laboratory", kind, serial)
    return shell.carry_out(
        request, visitor, form, lambda form: make(form, what, serial), to=to, said=said.format(serial), shows=shows
    )


def _named(kind: Kind, serial: str) -> dict[str, tuple[str, ...]]:
    return {"dice": (serial,)} if kind is Kind.DIE else {"boxes": (serial,)}


_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)


def _inspect(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    measured = {}
    for name, measure in MEASURES[kind].items():
        words = form.many(f"measured.{name}")
        wanted = f"{measure.values} whole numbers" if measure.values > 1 else "one whole number"
        if len(words) != measure.values or not all(_WHOLE.fullmatch(word) for word in words):
            field = f"measured.{name}"
            raise Refused(Refusal.BAD_VALUE, f"{name} must be {wanted}", field, " ".join(words)[:40])
        measured[name] = tuple(map(int, words))
    return lives.InspectEquipment(kind=kind, serial=serial, measured=measured)


def _suspect(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    return lives.SuspectEquipment(**_named(kind, serial), seen=form.text("seen"))


def _seal(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    return lives.SealEquipment(**_named(kind, serial), seen=form.text("seen"), names=form.many("names"))


def _clear(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    return lives.ClearEquipment(**_named(kind, serial), why=form.text("why"))


def _cancel(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    return lives.CancelEquipment(**_named(kind, serial), why=form.text("why"))


def _destroy(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    return lives.DestroyEquipment(**_named(kind, serial), why=form.text("why"))


def _move(form: Posted, kind: Kind, serial: str) -> Command[Any]:
    return lives.MoveEquipment(**_named(kind, serial), area=form.text("area"))


HAPPENS: Mapping[str, tuple[Callable[[Posted, Kind, str], Command[Any]], str]] = {
    "inspections": (_inspect, "{} is inspected."),
    "suspicions": (_suspect, "{} is taken aside."),
    "seals": (_seal, "{} is sealed."),
    "clearances": (_clear, "{} is cleared and back in storage."),
    "cancellations": (_cancel, "{} is cancelled."),
    "destructions": (_destroy, "{} is destroyed."),
    "moves": (_move, "{} is moved."),
}
"""Last word of an address: how its form becomes a command, and what the next page says."""

OFFERED = (
    ("suspected", "suspicions", "Take it aside", "seen", "Take it aside", "danger", "It leaves its table at once."),
    ("sealed", "seals", "Seal it", "seen", "Seal it", "danger", "Time, table and people are kept with it."),
    ("cleared", "clearances", "Clear it", "why", "Clear it", "", "It goes back into storage, to be inspected."),
    ("moved", "moves", "Move it", "area", "Move it", "quiet", ""),
    (
        "cancelled",
        "cancellations",
        "Cancel it",
        "why",
        "Cancel it",
        "danger",
        "Marked, so that it is never used again.",
    ),
    ("destroyed", "destructions", "Destroy it", "why", "Destroy it", "danger", ""),
)
"""What may be done with a piece: the event, its address, what the page calls it, its field, its button, and a hint."""
