"""Who asks over HTTP: the token or key of a request, what it may do, and the second person beside.

Every operation declares the scopes that it needs by `needs`; what an operation declares is what OpenAPI shows and what
is checked before its body is looked at.
"""

from collections import Counter
from typing import Annotated, Any

from fastapi import Depends, Header, Request, Security
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from fastapi.security import OAuth2PasswordBearer, SecurityScopes
from fastapi.security.base import SecurityBase
from starlette.concurrency import run_in_threadpool

from house.domain.people import Actor, Scope
from house.service import access
from house.service.access import Approved, content_of
from house.service.desk import House, check_allowed
from house.service.tokens import not_signed_in

TOKENS = OAuth2PasswordBearer(
    tokenUrl="/v1/tokens",
    description="A token of POST /v1/tokens, or a key `prefix.secret` of POST /v1/people/{person}/keys",
    scopes={scope.value: scope.value.replace(":", ", ") for scope in Scope},
    auto_error=False,
)


class SignedIn(SecurityBase):
    """Who asks, found once a request, and whether it may do what the operation needs: one dependency, asked in one go.

    Nothing is asked that the operation does not know: a filter that is misspelt would answer for the whole house.
    """

    model = TOKENS.model
    scheme_name = "Floorman"

    async def __call__(self, request: Request, needed: SecurityScopes) -> Actor:
        """Find who asks.

        Refused: NOT_SIGNED_IN, NOT_ALLOWED. Raises RequestValidationError for a parameter of the address that the
        operation does not have, or that comes twice.
        """
        found: Actor | None = request.scope.get("actor")
        if found is None:
            found = request.scope["actor"] = await _actor(request)
        for scope in needed.scopes:
            check_allowed(found, Scope(scope))
        if request.scope["query_string"]:
            _check_parameters(request)
        return found


SIGNED_IN = SignedIn()


async def _actor(request: Request) -> Actor:
    token = await TOKENS(request)
    if token is None:
        raise not_signed_in()
    house: House = request.app.state.house
    if house.file is None:
        return await run_in_threadpool(access.actor, house, token)
    return access.actor(house, token)  # one row of a file, which no write keeps waiting: less work than a thread is


def token_of(request: Request) -> str:
    """The token that came with a request, which `SIGNED_IN` found good."""
    return request.headers.get("Authorization", "").partition(" ")[2]


By = Annotated[Actor, Depends(SIGNED_IN)]
Approval = Annotated[
    str | None,
    Header(
        alias="Second-Person",
        max_length=2048,
        description="The approval of a second person, as POST /v1/approvals gave it; good once, for two minutes",
        examples=["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJib3h3b21hbi0yIn0.c2lnbmF0dXJl"],
    ),
]


async def approved(request: Request, token: Approval = None) -> Approved | None:
    """The approval that came with a request, and what the request is; None where none came."""
    if token is None:
        return None
    return Approved(token, content_of(request.method, request.url.path, await request.body()))


SecondPerson = Annotated[Approved | None, Depends(approved)]


def _check_parameters(request: Request) -> None:
    known = _asked(request.scope["route"])
    given = Counter(name for name, _ in request.query_params.multi_items())
    faults = [("extra_forbidden", name, _STRANGE) for name in sorted(given.keys() - known.keys())]
    faults += [("named_twice", name, _TWICE) for name, many in known.items() if given[name] > 1 and not many]
    if faults:
        raise RequestValidationError([{"type": code, "loc": ("query", name), "msg": why} for code, name, why in faults])


_STRANGE = "This operation has no such parameter"
_TWICE = "must be given once"


def _asked(route: APIRoute) -> dict[str, bool]:
    """Parameters of the address that an operation has, and whether each may be given several times."""
    found, waiting = dict[str, bool](), [route.dependant]
    while waiting:
        one = waiting.pop()
        found |= {each.alias: "list" in str(each.field_info.annotation) for each in one.query_params}
        waiting += one.dependencies
    return found


def needs(*scopes: Scope) -> list[Any]:
    """Dependencies of an operation that needs some scopes."""
    return [Security(SIGNED_IN, scopes=[scope.value for scope in scopes])]
