"""People: who works in the house, in which roles, and with which keys for programs."""

from collections.abc import Callable

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import shell
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Role, Scope
from house.domain.refusals import Refusal, Refused
from house.service import access, people
from house.service.desk import Command, House, check_allowed, perform

router = APIRouter(prefix="/people")


@router.get("")
def list_people(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """List the people of the house, and add one."""
    return _people(request, house, visitor)


def _people(request: Request, house: House, visitor: Visit, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.PEOPLE_READ)
    after = request.query_params.get("after", "")
    found = people.people(house, after)
    return shell.page(request, visitor, "people/people.html", posted=posted, people=found, known_roles=tuple(Role))


@router.post("")
def add_person(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """Add somebody, with roles and a password."""

    def command(form: Posted) -> people.AddPerson:
        person, password = form.text("person"), form.optional("password")
        hashed = access.hashed(house, password, person, form.key) if password else None
        return people.AddPerson(person=person, name=form.text("name"), roles=_roles(form), password_hash=hashed)

    def said(person: people.Person) -> str:
        alike = f" The name looks like that of {', '.join(person.lookalikes)}." if person.lookalikes else ""
        return f"{person.person} is added.{alike}"

    def shows(posted: Posted) -> HTMLResponse:
        return _people(request, house, visitor, posted)

    return shell.carry_out(request, visitor, form, command, to="/people", said=said, shows=shows)


def _roles(form: Posted) -> tuple[Role, ...]:
    """The roles that are ticked. Refused: BAD_VALUE."""
    try:
        return tuple(Role(role) for role in form.many("roles"))
    except ValueError:
        raise Refused(Refusal.BAD_VALUE, "roles must be roles of the trade", "roles") from None


@router.get("/{person}")
def show_person(request: Request, house: TheHouse, visitor: Visitor, person: str) -> HTMLResponse:
    """Show somebody: roles, password, lock, keys."""
    return _person(request, house, visitor, person)


def _person(
    request: Request, house: House, visitor: Visit, person: str, *, posted: Posted | None = None, whole_key: str = ""
) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.PEOPLE_READ)
    return shell.page(
        request,
        visitor,
        "people/person.html",
        posted=posted,
        person=people.person(house, person),
        keys=people.keys(house, person),
        known_roles=tuple(Role),
        whole_key=whole_key,
    )


def _change(
    request: Request,
    visitor: Visit,
    form: Posted,
    *,
    person: str,
    command: Callable[[Posted], Command[people.Person]],
    said: str,
) -> Response:
    house = request.app.state.house

    def shows(posted: Posted) -> HTMLResponse:
        return _person(request, house, visitor, person, posted=posted)

    return shell.carry_out(request, visitor, form, command, to=shell.address("/people", person), said=said, shows=shows)


@router.post("/{person}/roles")
def set_roles(request: Request, visitor: Visitor, form: Form, person: str) -> Response:
    """Give somebody other roles."""

    def command(form: Posted) -> people.SetRoles:
        return people.SetRoles(person=person, roles=_roles(form))

    return _change(request, visitor, form, person=person, command=command, said=f"{person} has other roles now.")


@router.post("/{person}/password")
def reset_password(request: Request, house: TheHouse, visitor: Visitor, form: Form, person: str) -> Response:
    """Give somebody a new password."""

    def command(form: Posted) -> people.ResetPassword:
        hashed = access.hashed(house, form.optional("password"), person, form.key)
        return people.ResetPassword(person=person, password_hash=hashed)

    return _change(request, visitor, form, person=person, command=command, said=f"{person} has a new password.")


@router.post("/{person}/lock")
def lock(request: Request, visitor: Visitor, form: Form, person: str) -> Response:
    """Lock somebody out."""
    said = f"{person} is locked out."
    return _change(request, visitor, form, person=person, command=lambda _: people.LockPerson(person=person), said=said)


@router.post("/{person}/unlock")
def unlock(request: Request, visitor: Visitor, form: Form, person: str) -> Response:
    """Let somebody in again."""
    said = f"{person} may sign in again."
    return _change(
        request, visitor, form, person=person, command=lambda _: people.UnlockPerson(person=person), said=said
    )


@router.post("/{person}/keys")
def add_key(request: Request, house: TheHouse, visitor: Visitor, form: Form, person: str) -> Response:
    """Add a key for a program, and show all of it, this once."""
    try:
        check_allowed(visitor.actor, Scope.PEOPLE_WRITE)
        command, whole = access.new_key(house, person, form.whole("days"), form.key)
        perform(house, command, form.key, visitor.actor)
    except Refused as refused:
        if refused.refusal in (Refusal.NOT_ALLOWED, Refusal.NOT_FOUND):
            raise
        return _person(request, house, visitor, person, posted=form.refusing(refused))
    return _person(request, house, visitor, person, whole_key=whole)


@router.post("/{person}/keys/{prefix}/revocation")
def revoke_key(
    request: Request, house: TheHouse, visitor: Visitor, form: Form, *, person: str, prefix: str
) -> Response:
    """Revoke a key, for ever."""

    def shows(posted: Posted) -> HTMLResponse:
        return _person(request, house, visitor, person, posted=posted)

    return shell.carry_out(
        request,
        visitor,
        form,
        lambda _: people.RevokeApiKey(prefix=prefix),
        to=shell.address("/people", person),
        said=f"The key {prefix} is revoked.",
        shows=shows,
    )
