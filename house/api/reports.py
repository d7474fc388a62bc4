"""Reports of the books."""

from fastapi import APIRouter

from house.api.bodies import Once
from house.api.deps import AtTable, TheHouse, reads, shown
from house.api.schemas import reports as wire
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import reports

router = APIRouter(prefix="/reports", tags=["reports"], route_class=Once)


@router.get("/trial-balance", **reads(wire.TrialBalance, "showTrialBalance", scope=Scope.BOOKS_READ))
def show_trial_balance(house: TheHouse) -> wire.TrialBalance:
    """Show every account with its balance; the difference over all is 0 in a house that balances."""
    return shown(wire.TrialBalance, reports.trial_balance(house))


@router.get("/realised", **reads(wire.RealisedByBet, "showRealised", Refusal.NOT_FOUND, scope=Scope.BOOKS_READ))
def show_realised(house: TheHouse, table: AtTable = None) -> wire.RealisedByBet:
    """Show what each bet realised, by game, schedule, bet and spot.

    The answer is whole, of one moment, so that its sums are: it has a line for each bet of the schedules in use, and so
    does not grow with the history.
    """
    return wire.RealisedByBet(items=[shown(wire.Realised, line) for line in reports.realised(house, table)])


@router.get("/check", **reads(wire.Checked, "checkBooks", scope=Scope.BOOKS_READ))
def check_books(house: TheHouse) -> wire.Checked:
    """Re-derive every balance and invariant and replay every settlement from the records."""
    return shown(wire.Checked, reports.check(house))
