"""Reports of dice and laboratory: the daily reconciliation and the day's incidents; as files too."""

from fastapi import APIRouter, Response

from house.api.bodies import Once
from house.api.deps import TheHouse, reads, shown
from house.api.schemas import dice_reports as wire
from house.api.shifts import Day, Form, as_file, files
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import dice_papers, reconciliation

router = APIRouter(prefix="/days/{gaming_day}", tags=["reports"], route_class=Once)


@router.get("/dice", **reads(wire.Reconciliation, "showDayDice", Refusal.BAD_VALUE, scope=Scope.EQUIPMENT_READ))
def show_day_dice(house: TheHouse, gaming_day: Day) -> wire.Reconciliation:
    """Reconcile dice and boxes by storage area at the end of a gaming day; what does not agree is named."""
    return shown(wire.Reconciliation, reconciliation.reconciliation(house, gaming_day))


@router.get("/dice/file", **files("printDayDice", Refusal.BAD_VALUE, scope=Scope.EQUIPMENT_READ))
def print_day_dice(house: TheHouse, gaming_day: Day, form: Form) -> Response:
    """Give the reconciliation of a gaming day as a file."""
    return as_file(dice_papers.reconciliation(reconciliation.reconciliation(house, gaming_day)), form)


@router.get(
    "/incidents", **reads(wire.DaysIncidents, "showDayIncidents", Refusal.BAD_VALUE, scope=Scope.INCIDENTS_READ)
)
def show_day_incidents(house: TheHouse, gaming_day: Day) -> wire.DaysIncidents:
    """Show the incidents of a gaming day, and those from before that are open."""
    return shown(wire.DaysIncidents, reconciliation.days_incidents(house, gaming_day))


@router.get("/incidents/file", **files("printDayIncidents", Refusal.BAD_VALUE, scope=Scope.INCIDENTS_READ))
def print_day_incidents(house: TheHouse, gaming_day: Day, form: Form) -> Response:
    """Give the incidents of a gaming day as a file."""
    return as_file(dice_papers.incidents(reconciliation.days_incidents(house, gaming_day)), form)
