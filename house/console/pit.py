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
    """Show the pit."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    return shell.page(request, visitor, "pit/pit.html", **glance(house))


def glance(house: House, _: str = "") -> Mapping[str, Any]:
    """What the live part of the pit shows."""
    tables = pit.glances(house)
    days = pit.today(house, [table.table for table in tables if table.open])
    return {
        "tables": [(table, doing(table), days[table.table]) for table in tables if table.open],
        "closed": [table for table in tables if not table.open],
        "incidents": incidents.incidents(house, status="open"),
        "vault": cage.vault(house),
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
    mode = "against the house" if table.state["mode"] == "bank" else "for drinks"
    return f"{table.shooter} plays {mode}"


REGION = Region(Scope.PIT_READ, "pit/glance.html", glance)
"""The pit's live part: every record may change it."""
