"""Incidents: listed, shown, given to people, noted, closed."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request, Response

from house.api.bodies import Once
from house.api.deps import AfterNumber, AtTable, By, Key, Limit, TheHouse, page, reads, shown, write, writes
from house.api.schemas import incidents as wire
from house.api.schemas.fields import GREATEST
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import incidents

router = APIRouter(prefix="/incidents", tags=["laboratory"], route_class=Once)

Number = Annotated[int, Path(ge=0, le=GREATEST, description="Number of an incident", examples=[0])]
Status = Annotated[Literal["open", "closed"] | None, Query(description="Of this status; absent for all")]
_CHANGES = (Refusal.BAD_VALUE, Refusal.NOT_FOUND, Refusal.INCIDENT_CLOSED)


@router.get("", **reads(Page[wire.Incident], "listIncidents", scope=Scope.INCIDENTS_READ))
def list_incidents(
    request: Request,
    house: TheHouse,
    status: Status = None,
    table: AtTable = None,
    *,
    after: AfterNumber = -1,
    limit: Limit = PAGE,
) -> Page[wire.Incident]:
    """List incidents by number."""
    found = incidents.incidents(house, after, limit, status=status, table=table)
    return page(request, wire.Incident, found, limit, found[-1].incident if len(found) == limit else None)


@router.get("/{incident}", **reads(wire.Incident, "showIncident", Refusal.NOT_FOUND, scope=Scope.INCIDENTS_READ))
def show_incident(house: TheHouse, incident: Number) -> wire.Incident:
    """Show an incident: the evidence, the set in play and its chain of custody, and what became of it."""
    return shown(wire.Incident, incidents.incident(house, incident))


@router.post("/{incident}/assignments", **writes(incidents.AssignIncident, wire.Incident, "assignIncident", *_CHANGES))
async def assign_incident(house: TheHouse, key: Key, by: By, incident: Number, body: wire.NewAssignment) -> Response:
    """Give an open incident to a person to look into."""
    return await write(house, incidents.AssignIncident(incident=incident, person=body.person), key, by)


@router.post(
    "/{incident}/notes",
    **writes(incidents.NoteIncident, wire.Incident, "noteIncident", Refusal.BAD_VALUE, Refusal.NOT_FOUND),
)
async def note_incident(house: TheHouse, key: Key, by: By, incident: Number, body: wire.NewNote) -> Response:
    """Note something about an incident."""
    return await write(house, incidents.NoteIncident(incident=incident, text=body.text), key, by)


@router.post("/{incident}/closings", **writes(incidents.CloseIncident, wire.Incident, "closeIncident", *_CHANGES))
async def close_incident(house: TheHouse, key: Key, by: By, incident: Number, body: wire.NewClosing) -> Response:
    """Close an incident for a reason; it is never opened again."""
    return await write(house, body.command(incident), key, by)
