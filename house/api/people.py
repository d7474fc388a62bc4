"""People over HTTP: signing in, approvals, who may act, and keys for programs."""

import asyncio
import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from house.api import problems
from house.api.authority import By, needs, token_of
from house.api.bodies import Once, read
from house.api.deps import OF_AUTHORITY, AfterId, Key, Limit, TheHouse, page, reads, shown, write, writes
from house.api.schemas import people as wire
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import access, people
from house.service.access import Access
from house.service.desk import submit

router = APIRouter(tags=["people"], route_class=Once)

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
SIGN_IN: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"$ref": "#/components/schemas/Credentials"}} for kind in (JSON, FORM)},
    }
}


def credentials() -> dict[str, Any]:
    """Schema of who signs in, as OpenAPI's component: the operation reads its body itself."""
    return {"Credentials": wire.Credentials.model_json_schema()}


NO_STORE = {"Cache-Control": "no-store"}


def answers(model: Any, operation: str, *refusals: Refusal, scope: Scope | None = Scope.SELF_WRITE) -> dict[str, Any]:
    """Describe an operation that writes no record and so needs no idempotency key."""
    described = {
        "response_model": model,
        "operation_id": operation,
        "responses": problems.documented(*refusals, *(() if scope is None else OF_AUTHORITY)),
    }
    return described if scope is None else described | {"dependencies": needs(scope)}


@router.post("/tokens", **answers(wire.Token, "signIn", Refusal.NOT_SIGNED_IN, scope=None), openapi_extra=SIGN_IN)
async def sign_in(request: Request, house: TheHouse) -> Response:
    """Sign in with id and password, as JSON or as the password form of OAuth 2; the token is good for 15 minutes."""
    given = await _credentials(request)
    password = given.password.get_secret_value()
    return _token(await run_in_threadpool(access.sign_in, house, given.username, password))


@router.post("/tokens/renewals", **answers(wire.Token, "renewToken"))
def renew_token(request: Request, house: TheHouse) -> Response:
    """Take a new token for one that is still good, up to twelve hours after signing in."""
    return _token(access.renew(house, token_of(request)))


@router.post("/sign-outs", **writes(people.SignOut, wire.Person, "signOut"))
async def sign_out(house: TheHouse, key: Key, by: By) -> Response:
    """End all one's sessions: the token that asks and every older one are void at once, everywhere; keys go on."""
    return await write(house, people.SignOut(), key, by)


@router.get("/myself", **reads(wire.Myself, "showMyself", scope=Scope.SELF_WRITE))
async def show_myself(by: By) -> wire.Myself:
    """Show who asks and what he may do."""
    return wire.Myself(person=by.id, scopes=sorted(by.scopes))


@router.post("/approvals", **answers(wire.Approval, "approve", Refusal.NOT_FOUND, Refusal.SECOND_PERSON_NEEDED))
def approve(house: TheHouse, by: By, body: wire.NewApproval) -> Response:
    """Let a second person approve one command of whoever is signed in, with his own password."""
    password = body.password.get_secret_value()
    approval = access.approve(house, body.person, password, body.operation, by, content=body.content)
    return Response(wire.Approval(approval=approval).model_dump_json(), headers=NO_STORE, media_type="application/json")


@router.post(
    "/owner", **{k: v for k, v in writes(people.ClaimOwner, wire.Person, "claimOwner").items() if k != "dependencies"}
)
def claim_owner(house: TheHouse, key: Key, body: wire.NewOwner) -> Response:
    """Become the first owner, an admin, of a house that has nobody, with the code that it printed at its start."""
    password = body.password.get_secret_value()
    reply = access.claim_owner(house, body.code, body.person, password, name=body.name, key=key)
    return Response(reply.body, 201, headers=problems.replayed(reply.replayed), media_type="application/json")


@router.put("/password", **writes(people.SetPassword, wire.Person, "setPassword"))
async def set_password(house: TheHouse, key: Key, by: By, body: wire.OwnPassword) -> Response:
    """Change one's own password; older tokens end."""
    old, new = body.old.get_secret_value(), body.password.get_secret_value()
    return await write(house, await run_in_threadpool(access.new_password, house, by, old, new, key), key, by)


@router.post("/people", **writes(people.AddPerson, wire.Person, "addPerson", Refusal.ALREADY_EXISTS))
async def add_person(house: TheHouse, key: Key, by: By, body: wire.NewPerson) -> Response:
    """Add somebody under an id of the caller's, best one that names nobody: records show it."""
    hashed = None
    if body.password is not None:
        password = body.password.get_secret_value()
        hashed = await run_in_threadpool(access.hashed, house, password, body.person, key)
    roles = tuple(sorted(set(body.roles)))
    return await write(
        house, people.AddPerson(person=body.person, name=body.name, roles=roles, password_hash=hashed), key, by
    )


@router.get("/people", **reads(Page[wire.Person], "listPeople", scope=Scope.PEOPLE_READ))
def list_people(request: Request, house: TheHouse, after: AfterId = "", limit: Limit = PAGE) -> Page[wire.Person]:
    """List people by id."""
    found = people.people(house, after, limit)
    return page(request, wire.Person, found, limit, found[-1].person if len(found) == limit else None)


@router.get("/people/{person}", **reads(wire.Person, "showPerson", Refusal.NOT_FOUND, scope=Scope.PEOPLE_READ))
def show_person(house: TheHouse, person: wire.PersonId) -> wire.Person:
    """Show somebody."""
    return shown(wire.Person, people.person(house, person))


@router.put(
    "/people/{person}/roles",
    **writes(people.SetRoles, wire.Person, "setRoles", Refusal.NOT_FOUND, Refusal.LAST_ADMIN),
)
async def set_roles(house: TheHouse, key: Key, by: By, person: wire.PersonId, body: wire.NewRoles) -> Response:
    """Give somebody other roles; older tokens end."""
    return await write(house, people.SetRoles(person=person, roles=tuple(sorted(set(body.roles)))), key, by)


@router.put(
    "/people/{person}/password", **writes(people.ResetPassword, wire.Person, "resetPassword", Refusal.NOT_FOUND)
)
async def reset_password(house: TheHouse, key: Key, by: By, person: wire.PersonId, body: wire.NewPassword) -> Response:
    """Give somebody a new password; older tokens end."""
    hashed = await run_in_threadpool(access.hashed, house, body.password.get_secret_value(), person, key)
    return await write(house, people.ResetPassword(person=person, password_hash=hashed), key, by)


@router.post(
    "/people/{person}/locks",
    **writes(people.LockPerson, wire.Person, "lockPerson", Refusal.NOT_FOUND, Refusal.LAST_ADMIN),
)
async def lock_person(house: TheHouse, key: Key, by: By, person: wire.PersonId) -> Response:
    """Lock somebody out: tokens and keys are void."""
    return await write(house, people.LockPerson(person=person), key, by)


@router.post("/people/{person}/unlocks", **writes(people.UnlockPerson, wire.Person, "unlockPerson", Refusal.NOT_FOUND))
async def unlock_person(house: TheHouse, key: Key, by: By, person: wire.PersonId) -> Response:
    """Let somebody in again, who was locked or gave wrong passwords."""
    return await write(house, people.UnlockPerson(person=person), key, by)


@router.post("/people/{person}/keys", **writes(people.AddApiKey, wire.AddedKey, "addKey", Refusal.NOT_FOUND))
async def add_key(house: TheHouse, key: Key, by: By, person: wire.PersonId, body: wire.NewKey) -> Response:
    """Make a key for a program that acts for somebody; the answer alone has the secret, also where it is repeated."""
    command, whole = access.new_key(house, person, body.days, key, tuple(sorted(set(body.scopes))))
    reply = await asyncio.wrap_future(submit(house, command, key, by))
    headers = NO_STORE | problems.replayed(reply.replayed)
    body_ = json.dumps({**json.loads(reply.body), "key": whole})
    return Response(body_, 201, headers=headers, media_type="application/json")


@router.get(
    "/people/{person}/keys",
    **reads(Page[wire.ApiKey], "listKeys", Refusal.NOT_FOUND, scope=Scope.PEOPLE_READ),
)
def list_keys(
    request: Request, house: TheHouse, person: wire.PersonId, after: AfterId = "", limit: Limit = PAGE
) -> Page[wire.ApiKey]:
    """List somebody's keys, the oldest first, those that ended too; `after` is the prefix of one of them."""
    found = people.keys(house, person, after, limit)
    return page(request, wire.ApiKey, found, limit, found[-1].prefix if len(found) == limit else None)


@router.post("/keys/{prefix}/revocations", **writes(people.RevokeApiKey, wire.ApiKey, "revokeKey", Refusal.NOT_FOUND))
async def revoke_key(house: TheHouse, key: Key, by: By, prefix: wire.Prefix) -> Response:
    """Revoke a key, for ever."""
    return await write(house, people.RevokeApiKey(prefix=prefix), key, by)


async def _credentials(request: Request) -> wire.Credentials:
    """Read who signs in, from JSON or from a form; of a form's fields, those of OAuth 2 that say no more are left."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == FORM:
            form = await request.form(max_fields=16)
            for name in ("username", "password"):
                if len(form.getlist(name)) > 1:
                    raise RequestValidationError(
                        [{"loc": ("body", name), "type": "named_twice", "msg": "must be named once"}]
                    )
            return wire.Credentials.model_validate({name: form.get(name) for name in ("username", "password")})
        if kind == JSON:
            return wire.Credentials.model_validate(read(await request.body(), request.headers["content-type"]))
    except ValidationError as error:
        faults = [{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors(include_url=False)]
        raise RequestValidationError(faults) from None
    fault = {"loc": ("body",), "type": "media_type", "msg": f"must be {JSON} or {FORM}"}
    raise RequestValidationError([fault])


def _token(given: Access) -> Response:
    token = wire.Token(
        access_token=given.token,
        expires_in=given.seconds,
        scope=" ".join(sorted(given.actor.scopes)),
    )
    return Response(token.model_dump_json(), headers=NO_STORE, media_type="application/json")
