"""The house at work: what is opened once, and the one way in which a command is carried out.

A command is a frozen value that says what is wanted. `submit` hands it to the single writer, which carries it out in
one transaction with its idempotency key and answers only after the commit; `perform` waits for that answer.

Examples
--------
>>> with open_house("sqlite://", clock=utc_now) as house:  # doctest: +SKIP
...     perform(house, RegisterPlayer(player="ann", name="Ann"), key="1").answer
"""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, Self, TypeVar

AnswerT = TypeVar("AnswerT")


def utc_now() -> datetime:
    """Return the wall clock's time in UTC."""
    return datetime.now(UTC)


class HouseBusy(Exception):
    """The writer's queue is full, or the house is closing: nothing was done, try again in a second."""


class StorageFull(Exception):
    """The database could not take the write: nothing was done; reads go on."""


class Command(Generic[AnswerT]):
    """What every command is: a frozen dataclass whose type names its answer's type."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Reply(Generic[AnswerT]):
    """What a command was answered.

    Parameters
    ----------
    body
        The answer as JSON, byte for byte the same whenever the command is repeated with its key.
    replayed
        Whether the answer was stored by an earlier call with the same key.
    """

    answer: AnswerT
    body: bytes
    replayed: bool


class House:
    """An open house: the writer, the readers and the clock. Made by `open_house`; a context manager."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish the commands that were taken, refuse new ones, and let the database go."""
        raise NotImplementedError


def open_house(
    url: str,
    *,
    clock: Callable[[], datetime] = utc_now,
    zone: str = "UTC",
    cut_over_hour: int = 6,
    currency: str = "USD",
    queue_limit: int = 1024,
) -> House:
    """Open the house on a database, bringing its schema up to date.

    Parameters
    ----------
    url
        `sqlite:////path/to/file.db` or `postgresql://...`.
    clock
        Gives the time of each command, aware, in UTC.
    zone, cut_over_hour
        The gaming day: named zone and the hour, 0..23, at which a new one begins.
    queue_limit
        Commands that may wait for the writer before `HouseBusy`.

    Raises
    ------
    ValueError
        For an unknown zone, an hour outside 0..23, or a database of another currency.
    """
    raise NotImplementedError


def submit(house: House, command: Command[AnswerT], key: str) -> "Future[Reply[AnswerT]]":
    """Hand a command to the writer; the future holds its reply, or raises what `perform` raises.

    For an asynchronous caller: `await asyncio.wrap_future(submit(house, command, key))`.
    """
    raise NotImplementedError


def perform(house: House, command: Command[AnswerT], key: str) -> Reply[AnswerT]:
    """Carry out a command and wait until it is committed.

    Parameters
    ----------
    key
        Idempotency key, 1 to 255 printable ASCII characters. The same key and command give the stored answer.

    Raises
    ------
    Refused
        The house says no; nothing was booked. `replayed` tells whether an earlier call was already refused so.
    HouseBusy
        The queue is full.
    StorageFull
        The disk is.
    """
    raise NotImplementedError
