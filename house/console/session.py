"""Who is at the page: the visitor of a request, and the form that he sent.

Two cookies, both HttpOnly and SameSite=Strict, Secure over https: one holds the token of whoever signed in, which every
page renews; one the secret from which the token of every form is derived. A form is read only if it carries that token
and the browser says that it comes from here.
"""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, NoReturn

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from house.domain.people import Actor, PersonId, Scope
from house.domain.refusals import Refusal, Refused
from house.service import access
from house.service.desk import House
from payouts.currency import DECIMALS, money_minor

SESSION, FORM = "session", "form"
"""The cookies."""
FORM_FIELD, KEY_FIELD, NAME_FIELD = "csrf", "key", "form"
"""Hidden fields of every form: its token, its idempotency key, and which form of the page it is."""

PASSWORDS = frozenset({"password", "again", "old", "second_password"})
"""Fields that are taken as they were typed, spaces at their ends too, as the API takes them."""

NOBODY = Actor(PersonId(""), frozenset())
"""Whoever is not signed in: he may do nothing."""

_SECRET = re.compile(r"[0-9a-f]{32}", re.ASCII)
_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)
_WHOLE = re.compile(r"[0-9]{1,16}", re.ASCII)
_LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class Visit:
    """Whoever looks at a page.

    Parameters
    ----------
    actor
        Who it is, and what he may do.
    secret
        The secret of the browser from which the token of its forms follows.
    access
        The token of whoever is signed in, "" for anybody else; pages before the door show no navigation.
    """

    actor: Actor
    secret: str
    access: str = ""

    @property
    def signed_in(self) -> bool:
        """Whether he is signed in."""
        return bool(self.access)

    @property
    def token(self) -> str:
        """The token that every form of this browser carries."""
        return hmac.digest(self.secret.encode(), b"floorman form", "sha256").hex()

    def may(self, scope: str) -> bool:
        """Tell whether he may do what needs a scope."""
        return Scope(scope) in self.actor.scopes


@dataclass(frozen=True, slots=True)
class Posted:
    """A form as it was sent; its readers refuse, naming the field, what is not of their kind.

    Parameters
    ----------
    name
        Which form of the page it is.
    key
        Its idempotency key.
    fields
        All values of each field, stripped; passwords as they were typed.
    files
        Files by field.
    decimals
        Of the house's currency.
    refused
        Why the house refused it, once it did.
    """

    name: str
    key: str
    fields: Mapping[str, tuple[str, ...]]
    files: Mapping[str, UploadFile]
    decimals: int
    refused: Refused | None = None

    def refusing(self, refused: Refused) -> "Posted":
        """The same form, with the refusal that is shown beside its field."""
        return replace(self, refused=refused)

    def optional(self, name: str) -> str:
        """The text of a field; "" where it was left empty."""
        return self.fields.get(name, ("",))[-1]

    def text(self, name: str) -> str:
        """The text of a field that must be filled in. Refused: BAD_VALUE."""
        return self.optional(name) or _refuse(name, "must be filled in")

    def many(self, name: str) -> tuple[str, ...]:
        """All values of a field that may stand several times, or hold several words."""
        return tuple(word for value in self.fields.get(name, ()) for word in re.split(r"[\s,;]+", value) if word)

    def ticked(self, name: str) -> bool:
        """Whether a box is ticked."""
        return bool(self.optional(name))

    def whole(self, name: str) -> int:
        """A whole number of at least 0. Refused: BAD_VALUE."""
        text = self.text(name).replace(",", "")
        return int(text) if _WHOLE.fullmatch(text) else _refuse(name, "must be a whole number")

    def money(self, name: str) -> int:
        """An amount like 1,250 or 12.50, in minor units. Refused: BAD_VALUE."""
        typed = self.text(name).replace(",", "").lstrip("$€£").strip()
        amount = money_minor(typed, self.decimals)
        example = f"12.{'5'.ljust(self.decimals, '0')}" if self.decimals else "12"
        return _refuse(name, f"must be an amount like {example}") if amount is None else amount


def _refuse(name: str, rule: str) -> NoReturn:
    raise Refused(Refusal.BAD_VALUE, f"{name} {rule}", field=name, limit=rule)


async def open_house(request: Request) -> House:
    """The house that the application opened."""
    house: House = request.app.state.house
    return house


async def passer_by(request: Request) -> Visit:
    """Whoever it is: for the pages before the door."""
    kept = request.cookies.get(cookie(request, FORM), "")
    return Visit(NOBODY, kept if _SECRET.fullmatch(kept) else secrets.token_hex(16))


def visit(request: Request, passer: Annotated[Visit, Depends(passer_by)]) -> Visit:
    """Whoever is signed in, with a token that is new. Refused: NOT_SIGNED_IN."""
    found = access.renew(request.app.state.house, request.cookies.get(cookie(request, SESSION), ""))
    request.scope["actor"] = found.actor  # for the log
    return replace(passer, actor=found.actor, access=found.token)


async def posted(request: Request, passer: Annotated[Visit, Depends(passer_by)]) -> Posted:
    """Read the form that came with a request.

    Raises
    ------
    HTTPException
        403 where the form comes from another site, or carries another token than the browser's.
    """
    form = await request.form(max_files=4, max_fields=400)
    token = form.get(FORM_FIELD)
    own = isinstance(token, str) and hmac.compare_digest(token.encode(), passer.token.encode())
    if not own or request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        await form.close()
        raise HTTPException(403)
    fields: dict[str, tuple[str, ...]] = {}
    files: dict[str, UploadFile] = {}
    for name, value in form.multi_items():
        if isinstance(value, UploadFile):
            files[name] = value
        else:
            typed = value if name in PASSWORDS else value.strip()
            fields[name] = (*fields.get(name, ()), typed[:_LONGEST])
    named = {name: fields.pop(name, ("",))[-1] for name in (FORM_FIELD, KEY_FIELD, NAME_FIELD)}
    key = named[KEY_FIELD] if _KEY.fullmatch(named[KEY_FIELD]) else secrets.token_hex(16)
    return Posted(named[NAME_FIELD], key, fields, files, DECIMALS[request.app.state.currency])


def keep(request: Request, response: Response, visitor: Visit) -> None:
    """Leave the visitor's cookies with an answer."""
    leave(request, response, FORM, visitor.secret)
    if visitor.signed_in:
        leave(request, response, SESSION, visitor.access)


def cookie(request: Request, what: str) -> str:
    """Name of a cookie: browsers keep one jar for all ports of a host, where another house may be."""
    return f"floorman-{what}-{request.url.port or request.url.scheme}"


def forget(request: Request, response: Response, what: str) -> None:
    """Let the browser forget a cookie."""
    response.delete_cookie(cookie(request, what), path="/", httponly=True, samesite="strict")


def leave(request: Request, response: Response, what: str, value: str, seconds: int | None = None) -> None:
    """Leave a cookie that no script and no other site sees; without `seconds` it ends with the browser's session."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        cookie(request, what), value, max_age=seconds, path="/", secure=secure, httponly=True, samesite="strict"
    )


TheHouse = Annotated[House, Depends(open_house)]
Passer = Annotated[Visit, Depends(passer_by)]
Visitor = Annotated[Visit, Depends(visit)]
Form = Annotated[Posted, Depends(posted)]
