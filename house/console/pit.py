"""The pit: all tables at a glance, the bank, incidents, and what the history is worth."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from house.console import shell, standing
from house.console.regions import Region
from house.console.session import TheHouse, Visitor
from house.domain.people import Scope
from house.service import cage, incidents, pit
from house.service.desk import House, check_allowed
from house.service.pit import Glance

router = APIRouter()


@router.get("/")
def show_pit(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Show the pit, as much of it as whoever looks may see."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    part = next(name for name, region in REGIONS.items() if visitor.may(region.scope))
    return shell.page(request, visitor, "pit/pit.html", part=part, **REGIONS[part].context(house, ""))


def glance(house: House, *, bank: bool = True, watched: bool = True) -> Mapping[str, Any]:
    """What the live part of the pit shows.

    Parameters
    ----------
    bank, watched
        Whether the bank and what tables won are in it, and whether incidents are.
    """
    tables = pit.glances(house)
    standing_open = [table for table in tables if table.open]
    days = pit.today(house, [table.table for table in standing_open]) if bank else {}
    return {
        "tables": [(table, doing(table), days.get(table.table)) for table in standing_open],
        "closed": [table for table in tables if not table.open],
        "incidents": incidents.incidents(house, status="open") if watched else None,
        "vault": cage.vault(house) if bank else None,
        "history": standing.of(house),
    }


def doing(table: Glance) -> str:
    """Say in the trade's words what a table is at.

    >>> table = Glance(table="c", game="craps", open=True, method="hand", schedule="s", version=1, fingerprint="",
    ...     state={"point": 6}, players=1, shooter="ann", throws=0, float_minor=0, drop_minor=0, riding_minor=0,
    ...     exposure_minor=0)
    >>> doing(table)
    'Point 6, ann shoots'
    """
    if not table.open:
        return "Closed"
    if table.game == "craps":
        puck = f"Point {table.state['point']}" if table.state["point"] else "Come-out"
        return f"{puck}, {table.shooter} shoots" if table.shooter else f"{puck}, no shooter"
    if table.shooter is None:
        return "Open, no game"
    if table.state["mode"] == "bank":
        return f"{table.shooter} plays against the house"
    return f"Play for drinks, {table.shooter} throws"


REGIONS: Mapping[str, Region] = {
    "pit": Region(Scope.INCIDENTS_READ, "pit/glance.html", lambda house, _: glance(house)),
    "pit-books": Region(Scope.BOOKS_READ, "pit/glance.html", lambda house, _: glance(house, watched=False)),
    "pit-floor": Region(Scope.PIT_READ, "pit/glance.html", lambda house, _: glance(house, bank=False, watched=False)),
}
"""The pit's live part for whoever may see more or less of it, the most first; every record may change it."""
