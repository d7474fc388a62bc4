"""The door of the API: every request gets an id, is counted and logged, and is turned away where it is too much.

What is logged of a request is its id, its operation, who asked, how it was answered, and what it wrote: the numbers of
its records and entries, its table and its round. Never its body, its headers, a name, or text of its address that is
no id.
"""

import asyncio
import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from math import ceil
from typing import Any

from python_multipart.multipart import parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from house.api import problems
from house.api.limits import Limits
from house.api.metrics import Figures
from house.domain.ids import is_id
from house.store.writer import NOTES

log = logging.getLogger("floorman.request")


METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""Methods that are counted each by itself: any word may be sent as one."""
DRAINED_BYTES, DRAINED_S = 2**23, 5.0
"""How much of a body is read, and for how long, though it is turned away."""
UPLOADS = frozenset({"/laboratory/logs"})
"""Addresses that take files, which are streamed to the disk. Their forms send the file last, after what is typed."""
UPLOAD_DRAINED_BYTES, UPLOAD_DRAINED_S = 2**30, 60.0
"""The same of a body with a file: a browser shows the form again once it has sent all of it."""


class Door:
    """Name each request in `scope["request_id"]` and in the header `X-Request-Id`, bound it, count it and log it.

    The id of a request with an idempotency key follows from the key, so that a repeat is answered byte for byte alike.

    Parameters
    ----------
    max_body_bytes
        Greatest body that is read, in bytes. A larger one is answered 413, before it is read if it says its length.
    max_upload_bytes
        Greatest body at the addresses of `UPLOADS`. A larger one is cut short in its file and let in, `too_large` in
        its scope, so that the page shows what was typed again and refuses the file.
    limits
        How often anybody may ask; more is answered 429.
    page
        Makes the page of a request that is turned away, given its status and the seconds to wait; None where it wants
        none.
    """

    def __init__(
        self,
        app: ASGIApp,
        max_body_bytes: int,
        max_upload_bytes: int,
        *,
        limits: Limits,
        figures: Figures,
        page: Callable[[Request, int, int], Response | None],
    ) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes
        self._max_upload_bytes = max_upload_bytes
        self._limits = limits
        self._figures = figures
        self._page = page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = scope["request_id"] = _request_id(scope)
        began_s, status, notes = time.perf_counter(), 500, dict[str, Any]()
        NOTES.set(notes)

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
                if scope.get("too_large"):
                    message["headers"].append((b"connection", b"close"))
            await send(message)

        try:
            await self._let_in(scope, receive, named)
        finally:
            self._limits.answered(scope)
            self._note(scope, status, time.perf_counter() - began_s, notes)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        upload = scope["path"] in UPLOADS
        if not upload and self._declared(scope) > self._max_body_bytes:
            detail = f"body must be at most {self._max_body_bytes} bytes"
            await self._turn_away(413, detail, 0)(scope, receive, send)
            return
        wait_s = self._limits.wait_s(scope)
        if wait_s:
            detail = "too many requests; nothing was done, ask again later"
            await self._turn_away(429, detail, ceil(wait_s))(scope, receive, send)
            return
        await self._app(scope, self._cut(scope, receive) if upload else self._bounded(receive), send)

    def _turn_away(self, status: int, detail: str, wait_s: int) -> ASGIApp:
        """Answer with a problem, or with a page where one is wanted: for that, the body is read to its end first."""

        async def away(scope: Scope, receive: Receive, send: Send) -> None:
            request = Request(scope)
            page = self._page(request, status, wait_s)
            if page is not None:
                await _drain(receive)
            response = page or problems.answer(
                request, status, problems.HTTP_CODES[status], detail, retry_after_s=wait_s
            )
            if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
                response.headers["Connection"] = "close"
            await response(scope, receive, send)

        return away

    def _note(self, scope: Scope, status: int, seconds: float, notes: Mapping[str, Any]) -> None:
        """Count a request and log it."""
        route = scope.get("route")
        operation = getattr(route, "operation_id", None) or getattr(route, "name", None) or "none"
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._figures.requests.labels(method, operation, status).inc()
        if not log.isEnabledFor(logging.INFO):
            return
        actor, table = scope.get("actor"), scope.get("path_params", {}).get("table")
        said = {
            "request": scope["request_id"],
            "method": method,
            "operation": operation,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "person": None if actor is None else actor.id,
            "table": table if is_id(table) else None,
            **notes,
        }
        log.info("request", extra={name: value for name, value in said.items() if value is not None})

    @staticmethod
    def _declared(scope: Scope) -> int:
        """Length that the request declares; 0 where it declares none that the server took."""
        lengths = [value for name, value in scope["headers"] if name == b"content-length" and value.isdigit()]
        return max((int(value) for value in lengths if len(value) < 20), default=0)

    def _bounded(self, receive: Receive) -> Receive:
        seen = 0

        async def bounded() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._max_body_bytes:
                raise HTTPException(413)
            return message

        return bounded

    def _cut(self, scope: Scope, receive: Receive) -> Receive:
        """End a form with a file where it grows too large, as if the file ended there; the rest is read and dropped.

        One that says so before is let in no further than a form without a file, which holds all that is typed.
        """
        large = self._declared(scope) > self._max_upload_bytes
        left = self._max_body_bytes if large else self._max_upload_bytes
        until_s = asyncio.get_running_loop().time() + UPLOAD_DRAINED_S if large else None

        async def cut() -> Message:
            nonlocal left
            body, more = b"", False
            with suppress(TimeoutError):
                async with asyncio.timeout_at(until_s):
                    message = await receive()
                    body, more = message.get("body", b""), message.get("more_body", False)
                    if len(body) <= left:
                        left -= len(body)
                        return message
            scope["too_large"] = True
            if more:
                await _drain(receive, UPLOAD_DRAINED_BYTES, UPLOAD_DRAINED_S)
            return {"type": "http.request", "body": body[:left] + _closing(scope), "more_body": False}

        return cut


def _closing(scope: Scope) -> bytes:
    """What ends a form of several parts; b"" for one of another kind."""
    kind = next((value for name, value in scope["headers"] if name == b"content-type"), b"")
    boundary = parse_options_header(kind)[1].get(b"boundary")
    return b"" if boundary is None else b"\r\n--" + boundary + b"--\r\n"


async def _drain(receive: Receive, most_bytes: int = DRAINED_BYTES, most_s: float = DRAINED_S) -> None:
    """Read a body that nobody wants, in bounds: a browser shows no answer that comes while it still sends."""
    read = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(most_s):
            while read < most_bytes:
                message = await receive()
                read += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _request_id(scope: Scope) -> str:
    key = next((value for name, value in scope["headers"] if name == b"idempotency-key"), None)
    if key is None:
        return secrets.token_hex(8)
    return hashlib.sha256(b"\0".join((scope["method"].encode(), scope["raw_path"] or b"", key))).hexdigest()[:16]
