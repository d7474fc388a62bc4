"""The live laboratory: the board of the pit, a die's evidence, an audit of the house's own log."""

from typing import Annotated

from fastapi import APIRouter, Query

from house.api.bodies import Once
from house.api.deps import AtTable, TheHouse, reads, shown
from house.api.schemas import incidents as wire
from house.api.schemas.fields import DAY, DieSerial
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import laboratory

router = APIRouter(prefix="/laboratory", tags=["laboratory"], route_class=Once)

Day = Annotated[str | None, Query(pattern=DAY, description="Gaming day, counted in; absent for no bound")]


@router.get("/board", **reads(wire.Board, "showBoard", scope=Scope.INCIDENTS_READ))
def show_board(house: TheHouse) -> wire.Board:
    """Show every monitor of the dice in play, judged together on one budget of false alarms."""
    found = laboratory.board(house)
    lines = [shown(wire.Line, line) for line in found.lines]
    budget = {"alpha": str(found.alpha), "given": str(found.given)}
    return wire.Board(**budget, lines=lines, open_incidents=list(found.open_incidents))


@router.get(
    "/dice/{serial}", **reads(wire.DieEvidence, "showDieEvidence", Refusal.NOT_FOUND, scope=Scope.INCIDENTS_READ)
)
def show_die_evidence(house: TheHouse, serial: DieSerial) -> wire.DieEvidence:
    """Show a die's faces, the evidence over its life, where it was used, and its incidents."""
    return shown(wire.DieEvidence, laboratory.die(house, serial))


@router.get(
    "/audit", **reads(wire.Audited, "auditHouse", Refusal.BAD_VALUE, Refusal.NOT_FOUND, scope=Scope.INCIDENTS_READ)
)
def audit_house(house: TheHouse, table: AtTable = None, first_day: Day = None, last_day: Day = None) -> wire.Audited:
    """Audit the house's own log: who is accused over all tables, told apart from what passed through their hands."""
    return wire.Audited(audit=laboratory.audit_house(house, table, first_day, last_day).record())
