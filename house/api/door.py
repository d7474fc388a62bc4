"""The door of the API: every request gets an id, and a body larger than the house reads is turned away."""

import hashlib
import secrets

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from house.api import problems


class Door:
    """Name each request in `scope["request_id"]` and in the header `X-Request-Id`, and bound its body.

    The id of a request with an idempotency key follows from the key, so that a repeat is answered byte for byte alike.

    Parameters
    ----------
    max_body_bytes
        Greatest body that is read, in bytes. A larger one is answered 413, before it is read if it says its length.
    """

    def __init__(self, app: ASGIApp, max_body_bytes: int) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = scope["request_id"] = _request_id(scope)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", request_id.encode())]
            await send(message)

        if self._declared(scope) > self._max_body_bytes:
            detail = f"body must be at most {self._max_body_bytes} bytes"
            response = problems.answer(Request(scope), 413, "body_too_large", detail)
            response.headers["Connection"] = "close"
            await response(scope, receive, named)
            return
        await self._app(scope, self._bounded(receive), named)

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


def _request_id(scope: Scope) -> str:
    key = next((value for name, value in scope["headers"] if name == b"idempotency-key"), None)
    if key is None:
        return secrets.token_hex(8)
    return hashlib.sha256(b"\0".join((scope["method"].encode(), scope["raw_path"] or b"", key))).hexdigest()[:16]
