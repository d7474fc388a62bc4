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
from starlette.concurrency import run_in_threadpool

from house.domain.people import Actor, Scope
from house.service import access
from house.service.access import Approved, content_of
from house.service.desk import House, check_allowed
from house.service.tokens import not_signed_in

SCHEME = OAuth2PasswordBearer(
    tokenUrl="/v1/tokens",
    scheme_name="Floorman",
    description="A token of POST /v1/tokens, or a key `prefix.secret` of POST /v1/people/{person}/keys",
    scopes={scope.value: scope.value.replace(":", ", ") for scope in Scope},
    auto_error=False,
)


async def signed_in(request: Request, token: Annotated[str | None, Depends(SCHEME)]) -> Actor:
    """Find who asks, once a request. Refused: NOT_SIGNED_IN."""
    if token is None:
        raise not_signed_in()
    found: Actor | None = request.scope.get("actor")
    if found is None:
        house: House = request.app.state.house
        if house.file is None:
            found = await run_in_threadpool(access.actor, house, token)
        else:  # one row of a file, which nobody's write keeps waiting: less work than another thread is
            found = access.actor(house, token)
        request.scope["actor"] = found
    return found


def token_of(request: Request) -> str:
    """The token that came with a request, which `signed_in` found good."""
    return request.headers.get("Authorization", "").partition(" ")[2]


By = Annotated[Actor, Depends(signed_in)]
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


async def allowed(request: Request, needed: SecurityScopes, by: By) -> None:
    """Check that whoever asks may do what the operation needs, and asks for nothing that it does not know.

    Refused: NOT_SIGNED_IN, NOT_ALLOWED. Raises RequestValidationError for a parameter of the address that the operation
    does not have, or that comes twice: a filter that is misspelt would otherwise answer for the whole house.
    """
    for scope in needed.scopes:
        check_allowed(by, Scope(scope))
    if request.scope["query_string"]:
        known = _asked(request.scope["route"])
        given = Counter(name for name, _ in request.query_params.multi_items())
        faults = [("extra_forbidden", name, _STRANGE) for name in sorted(given.keys() - known.keys())]
        faults += [("named_twice", name, _TWICE) for name, many in known.items() if given[name] > 1 and not many]
        if faults:
            raise RequestValidationError(
                [{"type": code, "loc": ("query", name), "msg": why} for code, name, why in faults]
            )


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
    return [Security(allowed, scopes=[scope.value for scope in scopes])]
