"""Dice, boxes and schedules: what the house plays with, and the lives that they have."""

from fastapi import APIRouter, Request, Response

from house.api.bodies import Once
from house.api.deps import AfterId, By, Key, Limit, SecondPerson, TheHouse, page, reads, shown, write, writes
from house.api.schemas import equipment as wire
from house.api.schemas.fields import BoxSerial, DieSerial
from house.api.schemas.pages import PAGE, Page
from house.domain.lives import Kind
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import equipment, lives, schedules

router = APIRouter(tags=["equipment"], route_class=Once)

_HAPPENS = (Refusal.BAD_VALUE, Refusal.NOT_FOUND, Refusal.NOT_FIT)


@router.post(
    "/equipment",
    **writes(
        equipment.RegisterEquipment,
        wire.Registered,
        "registerEquipment",
        *(Refusal.SECOND_PERSON_NEEDED, Refusal.ALREADY_EXISTS),
    ),
)
async def register_equipment(house: TheHouse, key: Key, by: By, body: wire.NewEquipment) -> Response:
    """Register dice and boxes by serial, received by one person, in a house whose settings let one receive."""
    return await write(house, body.command(), key, by)


@router.post(
    "/equipment/receptions",
    **writes(
        equipment.ReceiveEquipment,
        wire.Registered,
        "receiveEquipment",
        *(Refusal.BAD_VALUE, Refusal.ALREADY_EXISTS),
    ),
)
async def receive_equipment(
    house: TheHouse, key: Key, by: By, body: wire.NewReception, *, second: SecondPerson
) -> Response:
    """Receive dice and boxes of a maker's lot into a storage area, two people of different roles together."""
    return await write(house, body.command(), key, by, second)


@router.post("/equipment/moves", **writes(lives.MoveEquipment, wire.Happening, "moveEquipment", *_HAPPENS))
async def move_equipment(house: TheHouse, key: Key, by: By, body: wire.NewMove) -> Response:
    """Move stored pieces to another storage area."""
    return await write(house, body.command(), key, by)


@router.post("/equipment/suspicions", **writes(lives.SuspectEquipment, wire.Happening, "suspectEquipment", *_HAPPENS))
async def suspect_equipment(house: TheHouse, key: Key, by: By, body: wire.NewSuspicion) -> Response:
    """Take pieces aside that somebody suspects; those in play leave their table at once."""
    return await write(house, body.command(), key, by)


@router.post("/equipment/clearances", **writes(lives.ClearEquipment, wire.Happening, "clearEquipment", *_HAPPENS))
async def clear_equipment(house: TheHouse, key: Key, by: By, body: wire.NewEnd, *, second: SecondPerson) -> Response:
    """Put suspected pieces back into storage."""
    return await write(house, lives.ClearEquipment(**body.arguments()), key, by, second)


@router.post("/equipment/seals", **writes(lives.SealEquipment, wire.Happening, "sealEquipment", *_HAPPENS))
async def seal_equipment(house: TheHouse, key: Key, by: By, body: wire.NewSeal, *, second: SecondPerson) -> Response:
    """Seal suspect pieces; time, table, what was seen and the people are kept in the history."""
    return await write(house, body.command(), key, by, second)


@router.post("/equipment/cancellations", **writes(lives.CancelEquipment, wire.Happening, "cancelEquipment", *_HAPPENS))
async def cancel_equipment(house: TheHouse, key: Key, by: By, body: wire.NewEnd, *, second: SecondPerson) -> Response:
    """Mark pieces so that they cannot be used again."""
    return await write(house, lives.CancelEquipment(**body.arguments()), key, by, second)


@router.post("/equipment/destructions", **writes(lives.DestroyEquipment, wire.Happening, "destroyEquipment", *_HAPPENS))
async def destroy_equipment(house: TheHouse, key: Key, by: By, body: wire.NewEnd, *, second: SecondPerson) -> Response:
    """Destroy cancelled or sealed pieces."""
    return await write(house, lives.DestroyEquipment(**body.arguments()), key, by, second)


@router.post("/equipment/counts", **writes(lives.CountEquipment, wire.CountedArea, "countEquipment", Refusal.BAD_VALUE))
async def count_equipment(house: TheHouse, key: Key, by: By, body: wire.NewCount, *, second: SecondPerson) -> Response:
    """Keep a physical count of a storage area beside what the books say."""
    return await write(house, body.command(), key, by, second)


@router.get("/dice", **reads(Page[wire.Piece], "listDice", scope=Scope.EQUIPMENT_READ))
def list_dice(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Piece]:
    """List dice by serial: where each stands in its life, and where it is in play or stored."""
    dice = equipment.dice(house, after, limit)
    return page(request, wire.Piece, dice, limit, dice[-1].serial if len(dice) == limit else None)


@router.get("/dice/{serial}", **reads(wire.Custody, "showDie", Refusal.NOT_FOUND, scope=Scope.EQUIPMENT_READ))
def show_die(house: TheHouse, serial: DieSerial) -> wire.Custody:
    """Show a die and its chain of custody."""
    return shown(wire.Custody, lives.custody(house, Kind.DIE, serial))


@router.post("/dice/{serial}/inspections", **writes(lives.InspectEquipment, wire.Inspected, "inspectDie", *_HAPPENS))
async def inspect_die(house: TheHouse, key: Key, by: By, serial: DieSerial, body: wire.NewInspection) -> Response:
    """Hold what was measured of a die against the tolerances; one that fails leaves its table at once."""
    return await write(house, body.command(Kind.DIE, serial), key, by)


@router.get("/boxes", **reads(Page[wire.Piece], "listBoxes", scope=Scope.EQUIPMENT_READ))
def list_boxes(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Piece]:
    """List dice boxes by serial: where each stands in its life, and where it is in play or stored."""
    boxes = equipment.boxes(house, after, limit)
    return page(request, wire.Piece, boxes, limit, boxes[-1].serial if len(boxes) == limit else None)


@router.get("/boxes/{serial}", **reads(wire.Custody, "showBox", Refusal.NOT_FOUND, scope=Scope.EQUIPMENT_READ))
def show_box(house: TheHouse, serial: BoxSerial) -> wire.Custody:
    """Show a box and its chain of custody."""
    return shown(wire.Custody, lives.custody(house, Kind.BOX, serial))


@router.post("/boxes/{serial}/inspections", **writes(lives.InspectEquipment, wire.Inspected, "inspectBox", *_HAPPENS))
async def inspect_box(house: TheHouse, key: Key, by: By, serial: BoxSerial, body: wire.NewInspection) -> Response:
    """Hold what was measured of a box against the tolerances; one that fails leaves its table at once."""
    return await write(house, body.command(Kind.BOX, serial), key, by)


@router.get("/schedules", **reads(Page[wire.Schedule], "listSchedules", scope=Scope.PIT_READ))
def list_schedules(request: Request, house: TheHouse) -> Page[wire.Schedule]:
    """List every published version of a payout schedule, by game, name and version."""
    return page(request, wire.Schedule, schedules.schedules(house), PAGE, None)
