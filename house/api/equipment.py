"""Dice, boxes and schedules: what the house plays with."""

from fastapi import APIRouter, Request, Response

from house.api.deps import AfterId, By, Key, Limit, TheHouse, page, reads, write, writes
from house.api.schemas import equipment as wire
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import equipment, schedules

router = APIRouter(tags=["equipment"])


@router.post(
    "/equipment", **writes(equipment.RegisterEquipment, wire.Registered, "registerEquipment", Refusal.ALREADY_EXISTS)
)
async def register_equipment(house: TheHouse, key: Key, by: By, body: wire.NewEquipment) -> Response:
    """Register dice and boxes by serial; only registered ones may be put into play."""
    return await write(house, body.command(), key, by)


@router.get("/dice", **reads(Page[wire.Die], "listDice", scope=Scope.EQUIPMENT_READ))
def list_dice(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Die]:
    """List dice by serial, and the tables where they are in play."""
    dice = equipment.dice(house, after, limit)
    return page(request, wire.Die, dice, limit, dice[-1].serial if len(dice) == limit else None)


@router.get("/boxes", **reads(Page[wire.Box], "listBoxes", scope=Scope.EQUIPMENT_READ))
def list_boxes(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Box]:
    """List dice boxes by serial, and the tables where they are in play."""
    boxes = equipment.boxes(house, after, limit)
    return page(request, wire.Box, boxes, limit, boxes[-1].serial if len(boxes) == limit else None)


@router.get("/schedules", **reads(Page[wire.Schedule], "listSchedules", scope=Scope.PIT_READ))
def list_schedules(request: Request, house: TheHouse) -> Page[wire.Schedule]:
    """List every published version of a payout schedule, by game, name and version."""
    return page(request, wire.Schedule, schedules.schedules(house), PAGE, None)
