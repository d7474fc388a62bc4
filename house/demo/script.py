"""Scripts: what people do in an evening, as generators that ask the house and are sent its answers.

A script knows no network. Whoever plays it chooses the transport: HTTP in the demo, the engines themselves where an
evening is replayed many times.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to the house: method, path below /v1, body, and the command of it that a second person approves."""

    method: str
    path: str
    body: dict[str, Any] = field(default_factory=dict)
    approved: str = ""


ResultT = TypeVar("ResultT")
Script = Generator[Ask, Answer, ResultT]


def post(path: str, **body: Any) -> Ask:
    """A write."""
    return Ask("POST", path, body)


def by_two(command: str, path: str, **body: Any) -> Ask:
    """A write that two people must want, named by its command."""
    return Ask("POST", path, body, command)


def get(path: str) -> Ask:
    """A read."""
    return Ask("GET", path)


def play(script: Script[ResultT], send: Callable[[Ask], Answer]) -> ResultT:
    """Play a script to its end.

    Examples
    --------
    >>> def echo():
    ...     answer = yield get("/players")
    ...     return answer["path"]
    >>> play(echo(), lambda ask: {"path": ask.path})
    '/players'
    """
    try:
        ask = next(script)
        while True:
            ask = script.send(send(ask))
    except StopIteration as end:
        result: ResultT = end.value
        return result
