"""What every operation needs: the house, the idempotency key, and the ways in which it is asked and answered."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

from fastapi import Depends, Header, Query, Request, Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from house.api import problems
from house.api.authority import By, SecondPerson, needs
from house.api.schemas.fields import GREATEST, ID
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Actor, Scope
from house.domain.refusals import Refusal
from house.service import access
from house.service.access import Approved
from house.service.desk import Command, House, submit

__all__ = [
    "AfterId",
    "AfterNumber",
    "AtTable",
    "By",
    "Key",
    "Limit",
    "SecondPerson",
    "TheHouse",
    "open_house",
    "page",
    "public",
    "reads",
    "shown",
    "write",
    "writes",
]

AnswerT = TypeVar("AnswerT")
ModelT = TypeVar("ModelT", bound=BaseModel)


async def open_house(request: Request) -> House:
    """The house that the application opened."""
    house: House = request.app.state.house
    return house


TheHouse = Annotated[House, Depends(open_house)]
Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern=r"^[\x21-\x7e]+$",
        description="Names this write: repeated with the same body it is answered as before and does nothing",
        examples=["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ),
]
AfterId = Annotated[str, Query(max_length=64, pattern=rf"^$|{ID}", description="Items after this id")]
AfterNumber = Annotated[int, Query(ge=-1, le=GREATEST, description="Items after this number")]
AtTable = Annotated[str | None, Query(pattern=ID, max_length=64, description="One table; absent for all")]
Limit = Annotated[int, Query(ge=1, le=PAGE, description="Greatest number of items")]


async def write(
    house: House,
    command: Command[AnswerT],
    key: str,
    by: Actor,
    second: Approved | None = None,
    *,
    within: timedelta | None = None,
) -> Response:
    """Carry out a command; answer after the commit with the bytes that are stored under its key.

    Parameters
    ----------
    by
        Who asks.
    second
        The approval of a second person, where one came.
    within
        How long the caller waits.
    """
    approver = None if second is None else await run_in_threadpool(access.second, house, second, command, by)
    reply = await asyncio.wrap_future(submit(house, command, key, by, approver, within=within))
    headers = problems.replayed(reply.replayed)
    return Response(reply.body, status_code=201, headers=headers, media_type="application/json")


def shown(model: type[ModelT], value: object) -> ModelT:
    """Bring an answer of the service to its form on the wire."""
    return model.model_validate(value, from_attributes=True)


def page(
    request: Request, model: type[ModelT], values: Sequence[object], limit: int, cursor: str | int | None
) -> Page[ModelT]:
    """Make a page; `cursor` is where the next one starts, None on the last. What was asked for stays in its link."""
    asked = {**request.query_params, "after": cursor, "limit": limit}
    following = None if cursor is None else f"{request.url.path}?{urlencode(asked)}"
    return Page[ModelT](items=[shown(model, value) for value in values], next=following)


def writes(command: type[Command[Any]], model: type[BaseModel], operation: str, *refusals: Refusal) -> dict[str, Any]:
    """Describe a write for OpenAPI: its answer, its stable operation id and every problem it may answer with.

    What whoever asks must be allowed is what the command needs.
    """
    if command.approval is not None:
        refusals = (Refusal.SECOND_PERSON_NEEDED, *refusals)
    replayed = {"description": "true where an earlier request was answered so", "schema": {"type": "string"}}
    done = {"description": "Done and committed", "headers": {problems.REPLAYED: replayed}}
    problem = problems.documented(507, *OF_AUTHORITY, *problems.OF_THE_KEY, *refusals)
    return _described(model, operation, 201, {201: done, **problem}) | {"dependencies": needs(command.scope)}


def reads(model: type[BaseModel], operation: str, *refusals: Refusal, scope: Scope) -> dict[str, Any]:
    """Describe a read for OpenAPI, and what whoever asks must be allowed."""
    problem = problems.documented(*OF_AUTHORITY, *refusals)
    return _described(model, operation, 200, problem) | {"dependencies": needs(scope)}


def public(model: type[BaseModel], operation: str, *refusals: Refusal, **codes: int) -> dict[str, Any]:
    """Describe a read that anybody may ask for, and codes of problems that are its own, with their statuses."""
    return _described(model, operation, 200, problems.documented(*refusals, **codes))


OF_AUTHORITY = (Refusal.NOT_SIGNED_IN, Refusal.NOT_ALLOWED)
"""Refusals of whoever is not signed in, or may not."""


def _described(
    model: type[BaseModel], operation: str, status: int, responses: Mapping[int | str, Any]
) -> dict[str, Any]:
    return {"response_model": model, "status_code": status, "operation_id": operation, "responses": responses}
