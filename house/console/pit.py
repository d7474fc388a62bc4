"""The pit: all tables at a glance, the bank, incidents, and what the history is worth."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from house.console import shell
from house.console.session import TheHouse, Visitor
from house.domain.people import Scope
from house.service import cage, tables
from house.service.desk import check_allowed

router = APIRouter()


@router.get("/")
def pit(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Show the pit."""
    check_allowed(visitor.actor, Scope.PIT_READ)
    return shell.page(request, visitor, "pit/pit.html", tables=tables.tables(house), vault=cage.vault(house))
