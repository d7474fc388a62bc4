"""How the API says no: every 4xx and 5xx answer is a problem of RFC 9457, and every refusal meets HTTP in one table.

An answer never repeats raw input: what a client sent may be what cannot be written back.
"""

import logging
import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from house.domain.refusals import Refusal, Refused
from house.service.desk import HouseBusy, StorageFull

MEDIA_TYPE = "application/problem+json"
URN = "urn:floorman:problem:"
REPLAYED = "Idempotency-Replayed"
RETRY_AFTER_S = 1

log = logging.getLogger("floorman.api")

STATUS: Mapping[Refusal, HTTPStatus] = {
    Refusal.NOT_SIGNED_IN: HTTPStatus.UNAUTHORIZED,
    Refusal.NOT_ALLOWED: HTTPStatus.FORBIDDEN,
    Refusal.SECOND_PERSON_NEEDED: HTTPStatus.FORBIDDEN,
    Refusal.IDEMPOTENCY_KEY_MISSING: HTTPStatus.BAD_REQUEST,
    Refusal.IDEMPOTENCY_KEY_REUSED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.IDEMPOTENCY_KEY_IN_PROGRESS: HTTPStatus.CONFLICT,
    Refusal.BAD_VALUE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.NOT_FOUND: HTTPStatus.NOT_FOUND,
    Refusal.MISMATCH: HTTPStatus.CONFLICT,
    Refusal.ROLLED_BACK: HTTPStatus.CONFLICT,
    Refusal.SETTLED: HTTPStatus.CONFLICT,
    Refusal.TOO_LATE: HTTPStatus.CONFLICT,
    Refusal.LAST_ADMIN: HTTPStatus.CONFLICT,
    Refusal.ALREADY_EXISTS: HTTPStatus.CONFLICT,
    Refusal.SCHEDULE_CHANGED: HTTPStatus.CONFLICT,
    Refusal.TABLE_CLOSED: HTTPStatus.CONFLICT,
    Refusal.WRONG_GAME: HTTPStatus.CONFLICT,
    Refusal.WRONG_METHOD: HTTPStatus.CONFLICT,
    Refusal.NOT_IN_PLAY: HTTPStatus.CONFLICT,
    Refusal.NOT_FIT: HTTPStatus.CONFLICT,
    Refusal.NOT_INSPECTED: HTTPStatus.CONFLICT,
    Refusal.INCIDENT_CLOSED: HTTPStatus.CONFLICT,
    Refusal.BAD_THROW: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.BAD_CHOICE: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.NOT_YOUR_TURN: HTTPStatus.CONFLICT,
    Refusal.NO_SEEDS: HTTPStatus.CONFLICT,
    Refusal.BET_NOT_OFFERED: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.BAD_SPOT: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.BET_CLOSED: HTTPStatus.CONFLICT,
    Refusal.CONTRACT_BET: HTTPStatus.CONFLICT,
    Refusal.NO_PARENT_BET: HTTPStatus.CONFLICT,
    Refusal.BELOW_MINIMUM: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.ABOVE_MAXIMUM: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.NOT_AN_INCREMENT: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.CANNOT_BE_PAID: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.ODDS_LIMIT: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.WINNINGS_LIMIT: HTTPStatus.UNPROCESSABLE_ENTITY,
    Refusal.EXPOSURE_LIMIT: HTTPStatus.CONFLICT,
    Refusal.PLAYER_EXCLUDED: HTTPStatus.CONFLICT,
    Refusal.PLAYER_LIMIT: HTTPStatus.CONFLICT,
    Refusal.INSUFFICIENT_FUNDS: HTTPStatus.PAYMENT_REQUIRED,
    Refusal.BETS_RIDING: HTTPStatus.CONFLICT,
    Refusal.COOLING_OFF: HTTPStatus.CONFLICT,
    Refusal.STATE_CHANGED: HTTPStatus.CONFLICT,
}
"""Where each refusal meets HTTP."""

BOUND: Mapping[Refusal, str] = {
    Refusal.BELOW_MINIMUM: "at least {}",
    Refusal.ABOVE_MAXIMUM: "at most {} in all",
    Refusal.NOT_AN_INCREMENT: "a multiple of {}",
    Refusal.CANNOT_BE_PAID: "a multiple of {}",
    Refusal.ODDS_LIMIT: "at most {} in all",
    Refusal.WINNINGS_LIMIT: "a stake with which the winnings on this spot are at most {}",
    Refusal.EXPOSURE_LIMIT: "a stake with which the table's exposure is at most {}",
    Refusal.PLAYER_LIMIT: "at most {} more",
    Refusal.BAD_SPOT: "one of: {}",
    Refusal.NO_PARENT_BET: "one of: {}",
}
"""What the limit of a refusal bounds, in words; without a line here, the limit says it."""

OF_THE_KEY = (
    Refusal.IDEMPOTENCY_KEY_MISSING,
    Refusal.IDEMPOTENCY_KEY_REUSED,
    Refusal.IDEMPOTENCY_KEY_IN_PROGRESS,
)
"""Refusals whose fault is in the header."""

WORTH_REPEATING = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Answers after which the same request may be taken."""

HTTP_CODES: Mapping[int, str] = {
    400: "malformed_request",
    404: "no_such_address",
    405: "method_not_allowed",
    413: "body_too_large",
    422: "invalid_request",
    429: "too_many_requests",
    503: "house_is_busy",
    507: "storage_full",
}
"""Codes of the problems that are not refusals of the house."""


class Fault(BaseModel):
    """One fault of a request."""

    model_config = ConfigDict(extra="forbid")

    pointer: str = Field(description="JSON pointer to the field at fault (RFC 6901)", examples=["/bets/0/stake"])
    code: str = Field(description="What is wrong with it", examples=["below_minimum"])
    detail: str = Field(description="One sentence for a person", examples=["must be at least 1500"])


class Problem(BaseModel):
    """A problem of RFC 9457: the body of every 4xx and 5xx answer."""

    model_config = ConfigDict(extra="forbid")

    type: str = Field(description="Stable URN of the kind of problem", examples=[f"{URN}below_minimum"])
    title: str = Field(description="The kind of problem in words", examples=["Below minimum"])
    status: int = Field(description="HTTP status", examples=[422])
    detail: str = Field(description="One sentence for a person", examples=["stake must be at least 1500, got 100"])
    instance: str = Field(description="Path of the request", examples=["/v1/tables/craps-1/bets"])
    code: str = Field(description="Stable code of the problem", examples=["below_minimum"])
    request_id: str = Field(description="Id of the request in the house's records", examples=["5f0c9d3e7b1a4c28"])
    errors: list[Fault] = Field(default_factory=list, description="The fields at fault, if any")


class BadBody(HTTPException):
    """What cannot be read: an HTTP exception, since the framework makes one of any other, without its fault."""

    def __init__(self, status: int, fault: Fault) -> None:
        super().__init__(status)
        self.fault = fault


def replayed(was: bool) -> dict[str, str]:
    """Headers that say of an answer whether an earlier request was already answered so."""
    return {REPLAYED: "true"} if was else {}


def answer(
    request: Request,
    status: int,
    code: str,
    detail: str,
    errors: Iterable[Fault] = (),
    *,
    retry_after_s: float = RETRY_AFTER_S,
) -> JSONResponse:
    """Build a problem answer; where it is worth it, say after how many seconds to ask again."""
    problem = Problem(
        type=URN + code,
        title=code.replace("_", " ").capitalize(),
        status=status,
        detail=detail,
        instance=_printable(request.url.path),
        code=code,
        request_id=request.scope.get("request_id", ""),
        errors=list(errors),
    )
    headers = {"Retry-After": str(ceil(retry_after_s))} if status in WORTH_REPEATING else None
    return JSONResponse(problem.model_dump(), status_code=status, headers=headers, media_type=MEDIA_TYPE)


def refused(request: Request, refusal: Refused) -> JSONResponse:
    """Answer with a refusal of the house."""
    field = refusal.field.replace("[", "/").replace("]", "").replace(".", "/")
    if refusal.refusal in OF_THE_KEY:
        field = "header/Idempotency-Key"
    bound = f"must be {BOUND.get(refusal.refusal, '{}').format(refusal.limit)}" if refusal.limit else refusal.message
    faults = [Fault(pointer=f"/{field}", code=refusal.refusal.value, detail=bound)] if field else []
    response = answer(request, STATUS[refusal.refusal], refusal.refusal.value, refusal.message, faults)
    if refusal.replayed:
        response.headers[REPLAYED] = "true"
    if refusal.refusal is Refusal.NOT_SIGNED_IN:
        wrong = ', error="invalid_token"' if "Authorization" in request.headers else ""
        response.headers["WWW-Authenticate"] = f'Bearer realm="floorman"{wrong}'
    if refusal.refusal is Refusal.IDEMPOTENCY_KEY_IN_PROGRESS:
        response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)
    return refused(request, error)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = [fault(one) for one in error.errors()]
    if any(one.pointer.lower() == _KEY for one in faults):
        detail = "Idempotency-Key must be given: 1 to 255 printable ASCII characters"
        return answer(request, 400, Refusal.IDEMPOTENCY_KEY_MISSING.value, detail, faults)
    return _faulty(request, 422, faults)


async def _unreadable(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, BadBody)
    return _faulty(request, error.status_code, [error.fault])


def _faulty(request: Request, status: int, faults: list[Fault]) -> JSONResponse:
    detail = "; ".join(f"{one.pointer or 'request'}: {one.detail}" for one in faults[:5])
    return answer(request, status, HTTP_CODES[status], detail, faults)


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    status = error.status_code
    response = answer(request, status, HTTP_CODES.get(status, "http_error"), HTTPStatus(status).description or "No.")
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        response.headers["Allow"] = ", ".join(await run_in_threadpool(_methods, request))
    return response


def _methods(request: Request) -> list[str]:
    """Methods of the request's path, as OpenAPI lists them."""
    for template, operations in request.app.openapi()["paths"].items():
        if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", template), request.url.path):
            return sorted(method.upper() for method in operations)
    return ["GET"]


async def _busy(request: Request, error: Exception) -> JSONResponse:
    return answer(request, 503, HTTP_CODES[503], "The house is busy; nothing was done, try again in a second.")


async def _full(request: Request, error: Exception) -> JSONResponse:
    return answer(request, 507, HTTP_CODES[507], "The house cannot store more now; nothing was done, reads go on.")


async def _bug(request: Request, error: Exception) -> JSONResponse:
    log.error("request %s failed", request.scope.get("request_id", ""), exc_info=error)
    return answer(request, 500, "internal_error", "The house made a mistake; nothing was booked.")


_KEY = "/header/idempotency-key"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", re.ASCII)


def fault(error: Mapping[str, Any]) -> Fault:
    """Turn a validation error of pydantic into a fault, without the input; its message names a rule and bounds.

    A name that the client invented is repeated only if it is a plain identifier.
    """
    place, *path = error["loc"]
    words = [str(part) for part in path if isinstance(part, int) or _NAME.fullmatch(part)]
    head = [] if place == "body" else [str(place)]
    return Fault(
        pointer="".join(f"/{part}" for part in head + words), code=error["type"], detail=_printable(str(error["msg"]))
    )


def _printable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")[:500]


def install(app: FastAPI) -> None:
    """Make every error of an application a problem."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(BadBody, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(HouseBusy, _busy)
    app.add_exception_handler(StorageFull, _full)
    app.add_exception_handler(Exception, _bug)


def documented(*kinds: Refusal | int, **codes_of_its_own: int) -> dict[int | str, dict[str, Any]]:
    """Describe for OpenAPI the problems that an operation may answer with, each code with an example.

    Codes of its own are those of this operation alone, with their statuses. Every operation may also meet a malformed
    or invalid request, a body too large, a limit, a busy house and our bug.
    """
    codes: dict[int, list[str]] = {500: ["internal_error"]}
    for status in (400, 413, 422, 429, 503, *(kind for kind in kinds if not isinstance(kind, Refusal))):
        codes[status] = [HTTP_CODES[status]]
    for refusal in (kind for kind in kinds if isinstance(kind, Refusal)):
        codes.setdefault(int(STATUS[refusal]), []).append(refusal.value)
    for code, status in codes_of_its_own.items():
        codes.setdefault(status, []).append(code)
    return {status: _documented(status, names) for status, names in sorted(codes.items())}


def _documented(status: int, codes: list[str]) -> dict[str, Any]:
    examples = {code: {"value": _example(status, code)} for code in codes}
    return {
        "description": ", ".join(codes),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}},
    }


def _example(status: int, code: str) -> dict[str, Any]:
    return {
        "type": URN + code,
        "title": code.replace("_", " ").capitalize(),
        "status": status,
        "detail": "One sentence for a person.",
        "instance": "/v1/tables/craps-1/throws",
        "code": code,
        "request_id": "5f0c9d3e7b1a4c28",
        "errors": [],
    }


def schemas() -> dict[str, Any]:
    """Schemas of the problem and its faults, as OpenAPI's components."""
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**problem.pop("$defs"), "Problem": problem}
