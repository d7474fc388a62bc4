"""Incidents: what the laboratory raised, what to check by hand, who looks into it, and how it ended."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import shell
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import incidents
from house.service.desk import Command, House, check_allowed
from house.service.incidents import Incident, Reason

router = APIRouter(prefix="/incidents")

PAGE = 200
"""Incidents that are listed at once."""
REASONS = {
    Reason.CONFIRMED: "Confirmed: it is crooked, and sealed or cancelled",
    Reason.WORN: "Worn or damaged, without intent",
    Reason.CLEARED: "Inspected, and nothing found",
    Reason.MISREAD: "The faces were entered or read wrongly",
    Reason.FALSE_ALARM: "Chance: one of those that the budget allows",
}
"""Each reason as the page says it."""


@router.get("")
def show_incidents(
    request: Request, house: TheHouse, visitor: Visitor, status: str = "", after: int = -1
) -> HTMLResponse:
    """List incidents, those of a status if one is asked."""
    check_allowed(visitor.actor, Scope.INCIDENTS_READ)
    asked = status if status in ("open", "closed") else None
    found = incidents.incidents(house, max(after, -1), PAGE + 1, status=asked)
    return shell.page(
        request,
        visitor,
        "laboratory/incidents.html",
        incidents=found[:PAGE],
        only=asked or "all",
        following=found[PAGE - 1].incident if len(found) > PAGE else None,
    )


@router.get("/{incident}")
def show_incident(request: Request, house: TheHouse, visitor: Visitor, incident: int) -> HTMLResponse:
    """Show an incident: the evidence, what to check, and what became of it."""
    return _incident(request, house, visitor, incident)


def _incident(
    request: Request, house: House, visitor: Visit, number: int, posted: Posted | None = None
) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.INCIDENTS_READ)
    found = incidents.incident(house, number) if 0 <= number < 2**53 else None
    if found is None:
        raise Refused(Refusal.NOT_FOUND, "no incident has this number", "incident")
    return shell.page(
        request,
        visitor,
        "laboratory/incident.html",
        posted=posted,
        one=found,
        reasons=[(reason.value, words) for reason, words in REASONS.items()],
        ended=REASONS[Reason(found.reason)] if found.reason else "",
    )


@router.post("/{incident}/{event}")
def change(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, incident: int, event: str) -> Response:
    """Give an incident to a person, note something, or close it."""

    def command(form: Posted) -> Command[Incident]:
        match event:
            case "assignments":
                return incidents.AssignIncident(incident=incident, person=form.text("person"))
            case "notes":
                return incidents.NoteIncident(incident=incident, text=form.text("text"))
        return incidents.CloseIncident(incident=incident, reason=_reason(form), text=form.text("text"))

    def shows(posted: Posted) -> HTMLResponse:
        return _incident(request, house, visitor, incident, posted)

    if event not in SAID:
        raise Refused(Refusal.NOT_FOUND, "nothing of this name happens to incidents")
    return shell.carry_out(request, visitor, form, command, to=f"/incidents/{incident}", said=SAID[event], shows=shows)


SAID = {
    "assignments": "It is given on.",
    "notes": "It is noted.",
    "closings": "The incident is closed.",
}
"""Last word of an address: what the next page says."""


def _reason(form: Posted) -> Reason:
    try:
        return Reason(form.text("reason"))
    except ValueError:
        raise Refused(Refusal.BAD_VALUE, f"reason must be one of {', '.join(Reason)}", "reason") from None
