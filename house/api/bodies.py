"""Requests that mean one thing: bodies of UTF-8 and JSON, no field of an object and no header of ours said twice."""

import json
from collections.abc import Callable, Coroutine
from email.message import Message
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute

from house.api.problems import BadBody, fault

BOM = "\ufeff"
SAID_ONCE = frozenset(
    {
        b"answer-within-ms",
        b"authorization",
        b"content-encoding",
        b"content-type",
        b"idempotency-key",
        b"last-event-id",
        b"second-person",
    }
)
"""Headers of which one is read: who sends two may mean the other, and so might a proxy between."""


class Once(APIRoute):
    """A route whose body is read by `read`: what an object says twice would otherwise count as it was said last."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Let the route's own handler ask a strict request for its body."""
        handle = super().get_route_handler()

        async def strict(request: Request) -> Response:
            _check_headers(request)
            return await handle(_Strict(request.scope, request.receive))

        return strict


class _Strict(Request):
    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            if self.headers.get("content-encoding", "identity").lower() != "identity":
                raise _malformed("must be sent as it is, without a Content-Encoding")
            self._json = read(await self.body(), self.headers.get("content-type", ""))
        return self._json


def _check_headers(request: Request) -> None:
    """Refuse a header that is sent twice. Raises BadBody, 400."""
    sent = [name for name, _ in request.scope["headers"] if name in SAID_ONCE]
    if len(sent) != len(set(sent)):
        name = next(name for name in sent if sent.count(name) > 1).decode()
        raise BadBody(400, fault({"loc": ("header", name), "type": "named_twice", "msg": "must be sent once"}))


def read(body: bytes, kind: str) -> Any:
    """Read a body whose `Content-Type` is `kind`.

    Raises
    ------
    BadBody
        400 for what is not UTF-8, says that it is not, or is no JSON; 422 for a field that is named twice.

    >>> read(b'{"amount_minor":25}', "application/json")
    {'amount_minor': 25}
    """
    if "charset" in kind.lower():
        _check_charset(kind)
    try:
        text = body.decode()
        return _JSON.decode(text)
    except UnicodeDecodeError as error:
        raise _malformed(f"must be UTF-8, which it stops being at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise _malformed(_why(text, error)) from None
    except _TwiceError:
        raise BadBody(422, fault({"loc": ("body", *_twice(text)), "type": "named_twice", "msg": _ONCE})) from None
    except _NoNumberError as error:
        raise _malformed(f"must be JSON, which has no {error}") from None
    except RecursionError:
        raise _malformed("must be nested less deeply") from None
    except ValueError:  # a number of more digits than Python reads
        raise _malformed("must have numbers of fewer digits") from None


def _malformed(why: str) -> BadBody:
    return BadBody(400, fault({"loc": ("body",), "type": "json_invalid", "msg": why}))


def _check_charset(kind: str) -> None:
    said = Message()
    said["content-type"] = kind
    charset = said.get_param("charset", "utf-8")
    if not isinstance(charset, str) or charset.lower() not in ("utf-8", "utf8"):
        raise _malformed("must be UTF-8, and its Content-Type say no other charset")


def _why(text: str, error: json.JSONDecodeError) -> str:
    """Say why a text is no JSON; UTF-16 and UTF-32 of plain letters are UTF-8 too, with zeros between."""
    if text.startswith(BOM):
        return "must begin without a byte order mark"
    if "\0" in text[:4]:
        return "must be UTF-8, not UTF-16 or UTF-32"
    return f"must be JSON, which it stops being at character {error.pos}"


class _TwiceError(Exception):
    """An object names a field twice."""


class _NoNumberError(Exception):
    """A word that Python takes for a number."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _TwiceError
    return found


def _no_number(word: str) -> Any:
    raise _NoNumberError(word)


_JSON = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
"""Made once: with its hooks it reads as fast as `json.loads` does without."""


_ONCE = "every field must be named once"


class _Pairs(list[tuple[str, Any]]):
    """An object as it was written."""


def _twice(text: str) -> tuple[str | int, ...]:
    """Find the first field that is named twice, the outermost first: names and numbers that lead to it."""
    waiting: list[tuple[int, str | int, Any]] = [(0, "", json.JSONDecoder(object_pairs_hook=_Pairs).decode(text))]
    for place, (_, _, value) in enumerate(waiting):
        named = isinstance(value, _Pairs)
        seen = set[str | int]()
        for step, inner in value if named else enumerate(value):
            if step in seen:
                return (*_way(waiting, place), step)
            if named:
                seen.add(step)
            if isinstance(inner, list):
                waiting.append((place, step, inner))
    return ()


def _way(visited: list[tuple[int, str | int, Any]], place: int) -> list[str | int]:
    """What leads to the value at a place of the list, each with the place of what it is in."""
    steps: list[str | int] = []
    while place:
        place, step, _ = visited[place]
        steps.append(step)
    return steps[::-1]
