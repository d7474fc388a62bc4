"""The door: signing in, signing out, and one's own password."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from house.console import carried, session, shell
from house.console.session import NOBODY, Form, Passer, Posted, TheHouse, Visit, Visitor
from house.domain.people import ROLES, Actor
from house.domain.refusals import Refused
from house.service import access, people
from house.service.desk import House, HouseBusy

router = APIRouter()


def inside(address: str) -> str:
    """Keep an address within this house.

    >>> inside("/cage?player=ann"), inside("//elsewhere.example"), inside("https://elsewhere.example")
    ('/cage?player=ann', '/', '/')
    """
    return address if address.startswith("/") and not address.startswith(("//", "/\\")) else "/"


@router.get("/sign-in")
def door(request: Request, house: TheHouse, passer: Passer) -> Response:
    """Ask who it is; in a house without people, who shall own it."""
    if not people.people(house, limit=1):
        return RedirectResponse("/first-run", 303, dict(shell.HEADERS))
    return _door(request, passer)


def _door(request: Request, passer: Visit, posted: Posted | None = None) -> HTMLResponse:
    after = inside(request.query_params.get("next", "/"))
    owned = access.first_run_code(request.app.state.house) is None
    kept = "" if posted is None else posted.optional(carried.FIELD)
    return shell.page(request, passer, "shell/sign_in.html", posted=posted, after=after, owned=owned, kept=kept)


@router.post("/sign-in")
def sign_in(request: Request, house: TheHouse, passer: Passer, form: Form) -> Response:
    """Let a person in, to the page that was asked for; the forms of the browser get a new secret."""
    try:
        found = access.sign_in(house, form.text("person"), form.optional("password"))
    except Refused as refused:
        return _door(request, passer, form.refusing(refused))
    except HouseBusy:
        return _door(request, passer, form.refusing(shell.busy()))
    visitor = Visit(found.actor, shell.new_secret(), found.token)
    after = inside(form.optional("next") or "/")
    kept = carried.read(form.optional(carried.FIELD))
    if kept is not None:
        return shell.page(request, visitor, "shell/again.html", carried=kept, after=after)
    return shell.back(request, visitor, after)


@router.post("/sign-out")
def sign_out(request: Request, house: TheHouse, passer: Passer, form: Form) -> Response:
    """Let a person out: all his sessions end, and his browser forgets the token, the forms' secret too."""
    try:
        visitor = session.visit(request, passer)
    except Refused:
        answer: Response = shell.back(request, _new(NOBODY), "/sign-in", "Your session had ended already.")
    else:
        answer = shell.carry_out(
            request,
            _new(visitor.actor),
            form,
            lambda _: people.SignOut(),
            to="/sign-in",
            said="You are signed out. All your sessions have ended.",
            shows=lambda posted: _me(request, house, visitor, posted),
        )
    if isinstance(answer, RedirectResponse):
        session.forget(request, answer, session.SESSION)
    return answer


def _new(actor: Actor) -> Visit:
    """A visit with a new secret and no session."""
    return Visit(actor, shell.new_secret())


@router.get("/me")
def me(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Show who one is and what one may do, and change one's password."""
    return _me(request, house, visitor)


def _me(request: Request, house: House, visitor: Visit, posted: Posted | None = None) -> HTMLResponse:
    person = people.person(house, visitor.actor.id)
    scopes = sorted(frozenset().union(*(ROLES[role] for role in person.roles)))
    return shell.page(request, visitor, "shell/my_page.html", posted=posted, person=person, scopes=scopes)


@router.post("/me/password")
def set_password(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """Change one's own password; it ends every session of one's own but this."""
    new = form.optional("password")
    answer = shell.carry_out(
        request,
        visitor,
        form,
        lambda form: access.new_password(house, visitor.actor, form.optional("old"), new, form.key),
        to="/me",
        said="Your password is changed; your other sessions have ended.",
        shows=lambda posted: _me(request, house, visitor, posted),
    )
    if isinstance(answer, RedirectResponse):
        found = access.sign_in(house, visitor.actor.id, new)
        session.keep(request, answer, Visit(found.actor, visitor.secret, found.token))
    return answer
