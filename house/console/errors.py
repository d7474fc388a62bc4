"""How the console says no: a page for each, and the way to sign in for whoever is not."""

from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import quote, urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from house.console import carried, session, shell
from house.domain.refusals import Refusal, Refused
from house.service.desk import HouseBusy, StorageFull

Answer = Callable[[Request, Exception], Awaitable[Response] | Response]

API = ("/v1/", "/v1", "/healthz", "/readyz", "/metrics", "/openapi.json")
"""Where answers are problems of RFC 9457 and no pages."""

SAID: Mapping[int, tuple[str, str]] = {
    400: ("That request cannot be read", "Go back, and try again."),
    401: ("You are signed out", "Sign in, go back, and send the form again."),
    403: ("You may not do this", "Your role does not allow it, or the form is too old. Reload the page and try again."),
    404: ("There is nothing here", "The address is wrong, or what it showed is not known to this house."),
    405: ("This address takes no form", "Go back, and try again."),
    413: ("That is too much at once", "The house reads smaller forms and files only."),
    422: ("That request is not understood", "A value in the address is not of its kind."),
    429: ("You ask too often", "Nothing was done."),
    500: (
        "The house made a mistake",
        "Nothing was booked. It is written down; try again, or tell whoever runs the house.",
    ),
    503: ("The house is busy", "Nothing was done. Try again in a moment."),
    507: ("The house cannot store more", "Nothing was done. Pages can be read; tell whoever runs the house."),
}
"""Heading and advice of each page."""

WAY_ON = "/", "To the pit"
"""Where a page leads that has no better way on: address and words."""

STATUS: Mapping[Refusal, int] = {
    Refusal.NOT_SIGNED_IN: 401,
    Refusal.NOT_ALLOWED: 403,
    Refusal.NOT_FOUND: 404,
}
"""Status of the refusals that are pages of their own; the others are shown beside a field, with 422."""


def status_of(error: Exception) -> tuple[int, str]:
    """Find the status of an error, and what it says itself."""
    if isinstance(error, Refused):
        return STATUS.get(error.refusal, 422), error.message
    if isinstance(error, HTTPException):
        return error.status_code, ""
    kinds = {RequestValidationError: 422, HouseBusy: 503, StorageFull: 507}
    return next((status for kind, status in kinds.items() if isinstance(error, kind)), 500), ""


async def problem(request: Request, error: Exception) -> Response:
    """Show an error as a page; whoever is not signed in is sent to the door, with the form that he sent."""
    status, said = status_of(error)
    if status == HTTPStatus.UNAUTHORIZED and request.method == "GET":
        asked = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
        return RedirectResponse(f"/sign-in?next={quote(asked, safe='')}", 303, dict(shell.HEADERS))
    kept = await carried.take(request) if status == HTTPStatus.UNAUTHORIZED else None
    if kept is not None:
        came = urlsplit(request.headers.get("Referer", ""))
        after = came.path if came.netloc == request.url.netloc and came.path.startswith("/") else "/"
        passer = await session.passer_by(request)
        return shell.page(request, passer, "shell/sign_in.html", status, kept=kept.text(), after=after, owned=True)
    title, detail = SAID.get(status, (HTTPStatus(status).phrase, "Go back, and try again."))
    way_on = ("/sign-in", "Sign in") if status == HTTPStatus.UNAUTHORIZED else WAY_ON
    return shell.page(
        request,
        await session.passer_by(request),
        "shell/problem.html",
        status,
        title=title,
        detail=f"{said[:1].upper()}{said[1:]}. {detail}" if said else detail,
        code=status,
        way_on=way_on,
        request_id=request.scope.get("request_id", "") if status >= 500 else "",
    )


def turned_away(request: Request, status: int, wait_s: int) -> Response | None:
    """Show a browser what the door turns away as a page; None for whoever wants no page, and for the API.

    Such a page knows nothing of who asks and is made once: many may come at a time.

    Parameters
    ----------
    wait_s
        Seconds after which it may be asked again; 0 where that is of no use.
    """
    if _is_api(request.url.path) or "text/html" not in request.headers.get("Accept", "").lower():
        return None
    headers = dict(shell.HEADERS) | ({"Retry-After": str(wait_s)} if wait_s else {})
    return HTMLResponse(_away(status, wait_s, request.method == "POST"), status, headers)


@lru_cache(maxsize=256)
def _away(status: int, wait_s: int, form: bool) -> str:
    title, detail = SAID[status]
    if wait_s:
        again = "your browser sends the form again as you typed it, and it is carried out once" if form else "try again"
        detail = f"{detail} Wait {wait_s} second{'s' * (wait_s > 1)}, then reload this page: {again}."
    elif form:
        detail = f"{detail} Nothing was done. Go back in your browser, and send less."
    return shell.lone("shell/problem.html", title=title, detail=detail, code=status, way_on=WAY_ON, request_id="")


def install(app: FastAPI) -> None:
    """Show errors outside the API as pages; those of the API stay what they are."""
    for kind, answered in dict(app.exception_handlers).items():
        if kind is not WebSocketRequestValidationError:
            app.add_exception_handler(kind, _either(answered))


def _is_api(path: str) -> bool:
    return path in API or path.startswith("/v1/")


def _either(answered: Answer) -> Answer:
    async def either(request: Request, error: Exception) -> Response:
        if _is_api(request.url.path):
            response = answered(request, error)
            return response if isinstance(response, Response) else await response
        if status_of(error)[0] == HTTPStatus.INTERNAL_SERVER_ERROR:
            response = answered(request, error)  # which writes it into the log
            await response if not isinstance(response, Response) else response
        return await problem(request, error)

    return either
