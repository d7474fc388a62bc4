"""What every page has: its frame, its figures in the trade's form, its forms, and the policy that guards it."""

import gzip
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeVar
from urllib.parse import quote, unquote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context
from markupsafe import Markup

from house.console import figures, refusals, standing, words
from house.console.drawing.band import band
from house.console.session import FORM_FIELD, KEY_FIELD, NAME_FIELD, NOBODY, Posted, Visit, cookie, forget, keep, leave
from house.domain.people import Scope, Second
from house.domain.refusals import Refusal, Refused
from house.service import access
from house.service.desk import Command, House, HouseBusy, StorageFull, perform
from house.service.expected import Expected

AnswerT = TypeVar("AnswerT")

SAID, SAID_S = "said", 60
"""The cookie with what the next page says, and for how long it is kept, in seconds."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

NOBODY_THERE = Visit(NOBODY, "")
"""Whoever looks at a page that is made once for all."""

NAVIGATION: tuple[tuple[str, str, Scope], ...] = (
    ("/", "Pit", Scope.PIT_READ),
    ("/cage", "Cage", Scope.CAGE_WRITE),
    ("/shift", "Shift", Scope.BOOKS_READ),
    ("/laboratory", "Laboratory", Scope.EQUIPMENT_READ),
    ("/schedules", "Schedules", Scope.PIT_READ),
    ("/people", "People", Scope.PEOPLE_READ),
)
"""Address, words and scope of each room of the console."""


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a page, with what was typed into it if it came back.

    Parameters
    ----------
    name
        Its name, unique on the page.
    token
        The token of the browser's forms.
    currency
        In which refusals say amounts.
    back
        The form as it was sent, if this is the one that the house refused.
    """

    name: str
    token: str
    currency: str
    back: Posted | None = None

    @property
    def hidden(self) -> dict[str, str]:
        """Hidden fields, by name."""
        return {FORM_FIELD: self.token, KEY_FIELD: secrets.token_hex(16), NAME_FIELD: self.name}

    def value(self, field: str, otherwise: object = "") -> str:
        """What was typed into a field; without a form that came back, what it starts with."""
        return str(otherwise) if self.back is None else self.back.optional(field)

    def has(self, field: str, value: str, otherwise: bool = False) -> bool:
        """Whether a choice or box was taken."""
        return otherwise if self.back is None else value in self.back.fields.get(field, ())

    def fault(self, field: str, label: str = "") -> str:
        """Why the house refused the form, if it names this field; "" else."""
        refused = None if self.back is None else self.back.refused
        return (
            "" if refused is None or field not in _fields_of(refused) else refusals.said(refused, self.currency, label)
        )

    def fault_elsewhere(self, *fields: str) -> str:
        """Why the house refused the form, if it names none of these fields."""
        refused = None if self.back is None else self.back.refused
        if refused is None or _fields_of(refused) & set(fields):
            return ""
        return refusals.said(refused, self.currency)


def _fields_of(refused: Refused) -> set[str]:
    """Names by which a form may call the field of a refusal: all of it, or its last part."""
    return {refused.field, refused.field.rpartition(".")[2]} - {""}


@cache
def environment() -> Environment:
    """The templates, with figures in the trade's form as filters."""
    made = Environment(
        loader=PackageLoader("house.console"),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= figures.FILTERS
    made.filters |= words.FILTERS
    made.filters["digest"] = digest
    made.globals |= {"Scope": Scope, "asset": asset, "band": limits_band}
    return made


def read_ahead() -> None:
    """Compile the templates of the floor, for which the first to come need not wait then."""
    for name in environment().list_templates():
        if name.partition("/")[0] in FLOOR:
            environment().get_template(name)


FLOOR = ("base.html", "shell", "pit", "craps", "hooligan", "table")
"""Templates of what is looked at first and most."""


@pass_context
def limits_band(context: Context, judged: Expected) -> Markup:
    """Draw an actual win within its limits."""
    currency = context["currency"]
    low, high = judged.limits[0][1], judged.limits[-1][2]
    actual = figures.priced(round(judged.actual_minor), currency)
    label = (
        f"Win {actual}, {judged.verdict}; 99% from {figures.priced(low, currency)} to {figures.priced(high, currency)}"
    )
    amounts = (low, judged.limits[1][1], judged.limits[2][2], high)
    return band(judged.actual_minor, judged.theoretical_minor, amounts, label)


def digest(html: str) -> str:
    """Tell two states of a live part apart."""
    return sha256(html.encode()).hexdigest()[:16]


@cache
def asset(name: str) -> str:
    """Address of a static file, which changes with its content."""
    content = files("house.console").joinpath("static", name).read_bytes()
    return f"/static/{name}?{sha256(content).hexdigest()[:12]}"


def page(
    request: Request, visitor: Visit, template: str, status: int = 200, posted: Posted | None = None, **context: Any
) -> HTMLResponse:
    """Make a page.

    Parameters
    ----------
    template
        Name below `templates`.
    posted
        A form that the house refused: the page shows it as it was typed, with the reason beside the field, as 422.
    context
        What the template shows, beside `visitor`, `form(name)`, `standing`, `said`, `navigation` and `here`.
    """
    shown = _frame(request, visitor, posted) | context
    body = environment().get_template(template).render(shown)
    refused = posted is not None and posted.refused is not None and status == 200
    response = _packed(request, body, 422 if refused else status)
    keep(request, response, visitor)
    if shown["said"]:
        forget(request, response, SAID)
    return response


def _packed(request: Request, body: str, status: int) -> HTMLResponse:
    """Send a page, compressed for whoever takes that: a felt is a tenth then."""
    headers = dict(HEADERS) | {"Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return HTMLResponse(body, status, headers)
    packed = gzip.compress(body.encode(), PACKING, mtime=0)
    return HTMLResponse(packed, status, headers | {"Content-Encoding": "gzip"})


PACKING = 4
"""Level of the compression: a few milliseconds for the page of a craps table."""


def _frame(request: Request, visitor: Visit, posted: Posted | None) -> dict[str, Any]:
    def form(name: str) -> Form:
        back = posted if posted is not None and posted.name == name else None
        return Form(name, visitor.token, request.app.state.currency, back)

    return {
        "visitor": visitor,
        "form": form,
        "posted": posted,
        "said": unquote(request.cookies.get(cookie(request, SAID), ""))[:300],
        "navigation": [(at, words) for at, words, scope in NAVIGATION if visitor.may(scope)],
        "here": request.url.path,
        "standing": standing.of(request.app.state.house),
        **spoken(request),
    }


def spoken(request: Request) -> dict[str, Any]:
    """The house's currency and zone, which the filters need."""
    return {"currency": request.app.state.currency, "zone": request.app.state.zone}


def fragment(template: str, currency: str, zone: str, **context: Any) -> str:
    """Make a part of a page, which does not depend on who sees it."""
    return environment().get_template(template).render(currency=currency, zone=zone, **context)


def lone(template: str, **context: Any) -> str:
    """Make a page that is the same for everybody, before the door."""
    return environment().get_template(template).render(visitor=NOBODY_THERE, said="", **context)


def back(request: Request, visitor: Visit, address: str, said: str = "") -> RedirectResponse:
    """Answer a form that was carried out: 303 to a page, which says once what was done."""
    response = RedirectResponse(address, 303, dict(HEADERS))
    keep(request, response, visitor)
    if said:
        leave(request, response, SAID, quote(said[:300]), SAID_S)
    return response


def carry_out(
    request: Request,
    visitor: Visit,
    posted: Posted,
    command: Callable[[Posted], Command[AnswerT]],
    *,
    to: str | Callable[[AnswerT], str],
    shows: Callable[[Posted], HTMLResponse],
    said: Callable[[AnswerT], str] | str = "",
) -> HTMLResponse | RedirectResponse:
    """Carry out the command of a form and go on to a page; refused, show the form's page again with all that was typed.

    Parameters
    ----------
    command
        Makes the command of the form.
    to
        Where to go after it, or how the answer says so.
    shows
        Makes the page of the form with the form in it.
    said
        What the next page says was done, or how the answer says so.

    Raises
    ------
    Refused
        NOT_SIGNED_IN, NOT_ALLOWED: these are pages of their own.
    """
    house = request.app.state.house
    try:
        wanted = command(posted)
        answer = perform(house, wanted, posted.key, visitor.actor, second_person(house, visitor, posted, wanted)).answer
    except Refused as refused:
        if refused.refusal in (Refusal.NOT_SIGNED_IN, Refusal.NOT_ALLOWED):
            raise
        return shows(posted.refusing(refused))
    except (HouseBusy, StorageFull) as error:
        return shows(posted.refusing(Refused(Refusal.STATE_CHANGED, NOTHING_DONE[type(error)])))
    address = to if isinstance(to, str) else to(answer)
    return back(request, visitor, address, said if isinstance(said, str) else said(answer))


def second_person(house: House, visitor: Visit, posted: Posted, command: Command[Any]) -> Second | None:
    """Let the second person that a form names approve its command; None for a command that needs none.

    Refused: BAD_VALUE, SECOND_PERSON_NEEDED.
    """
    if command.approval is None:
        return None
    person, password = posted.text("second_person"), posted.optional("second_password")
    try:
        approval = access.approve(house, person, password, type(command).__name__, visitor.actor, content=posted.key)
        return access.second(house, access.Approved(approval, posted.key), command, visitor.actor)
    except Refused as refused:
        raise replace(refused, field="second_password" if refused.field == "password" else "second_person") from None


def address(room: str, *words: str) -> str:
    """An address below a room, whatever the words are.

    >>> address("/cage/players", "ann/../x")
    '/cage/players/ann%2F..%2Fx'
    """
    return "/".join((room, *(quote(word, safe="") for word in words)))


def query(**words: object) -> str:
    """Write the query of an address, what is empty left out.

    >>> query(day="2026-03-01", table="", shift=2)
    'day=2026-03-01&shift=2'
    """
    return urlencode({name: value for name, value in words.items() if value != ""})


def amount_of(request: Request, posted: Posted) -> str:
    """The amount of a form as the next page says it; "" where it has none or a wrong one."""
    try:
        return figures.priced(posted.money("amount_minor"), request.app.state.currency)
    except Refused:
        return ""


def busy() -> Refused:
    """What a form says that came while the house was busy."""
    return Refused(Refusal.STATE_CHANGED, NOTHING_DONE[HouseBusy])


def new_secret() -> str:
    """A new secret for a browser's forms."""
    return secrets.token_hex(16)


NOTHING_DONE: Mapping[type[Exception], str] = {
    HouseBusy: "The house is busy; nothing was done. Send it again.",
    StorageFull: "The house cannot store more now; nothing was done.",
}
