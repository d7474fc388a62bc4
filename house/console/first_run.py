"""The first run: the code that the house printed makes the first owner, or begins an evening of sample play."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from house.console import shell
from house.console.session import Form, Passer, Posted, TheHouse, Visit
from house.domain.refusals import Refusal, Refused
from house.service import access
from house.service.desk import HouseBusy

router = APIRouter()


@router.get("/first-run")
def first_run(request: Request, house: TheHouse, passer: Passer) -> Response:
    """Ask for the code, and what to do with the house that nobody owns yet."""
    if access.first_run_code(house) is None:
        return RedirectResponse("/", 303, dict(shell.HEADERS))
    return _page(request, passer)


def _page(request: Request, passer: Visit, posted: Posted | None = None) -> HTMLResponse:
    owned, played = access.first_run_code(request.app.state.house) is None, request.app.state.sample
    return shell.page(request, passer, "shell/first_run.html", posted=posted, sample=played, owned=owned)


@router.post("/first-run")
def claim(request: Request, house: TheHouse, passer: Passer, form: Form) -> Response:
    """Make the first owner, and let him in."""
    person, password = form.optional("person"), form.optional("password")
    try:
        form.text("person")
        if password != form.optional("again"):
            raise Refused(Refusal.BAD_VALUE, "the two passwords differ", "again")
        access.claim_owner(house, form.text("code"), person, password, name=form.text("name"), key=form.key)
        found = access.sign_in(house, person, password)
    except Refused as refused:
        return _page(request, passer, form.refusing(refused))
    except HouseBusy:
        return _page(request, passer, form.refusing(shell.busy()))
    visitor = Visit(found.actor, shell.new_secret(), found.token)
    return shell.back(request, visitor, "/", f"The house is yours, {person}. Add its people, fund it, open a table.")


@router.post("/first-run/sample")
def sample(request: Request, house: TheHouse, passer: Passer, form: Form) -> Response:
    """Begin an evening of sample play in a house of its own, while nobody owns this one."""
    try:
        if access.first_run_code(house) is None:
            raise Refused(Refusal.NOT_ALLOWED, "the house has an owner: its code of the first run is good no longer")
        access.check_code(house, form.text("code"))
        played = request.app.state.sample
        if played is None:
            raise Refused(Refusal.NOT_FOUND, "this house was started without sample play")
    except Refused as refused:
        return _page(request, passer, form.refusing(refused))
    played.begin()
    return shell.back(request, passer, "/first-run")
