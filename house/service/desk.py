"""The house at work: the one way in which a command is carried out.

A command is a frozen value that says what is wanted. `submit` hands it to the single writer, which carries it out in
one transaction with its idempotency key and answers only after the commit; `perform` waits for that answer.
"""

import hashlib
import json
import re
from abc import ABC, abstractmethod
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any, ClassVar, Generic, TypeVar, get_args

from pydantic import TypeAdapter
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from house.domain.ledger import GREATEST_MINOR
from house.domain.people import HOUSE, Actor, Scope, Second
from house.domain.refusals import Refusal, Refused
from house.service import in_flight
from house.service.checkpoints import HistoryBroken, Sealing
from house.service.opening import House, inspect_house, open_house, utc_now
from house.store import answers, guards, people
from house.store.answers import StoredAnswer
from house.store.unit_of_work import Unit
from house.store.writer import HouseBusy, StorageFull

__all__ = [
    "Command",
    "HistoryBroken",
    "House",
    "HouseBusy",
    "Reply",
    "Sealing",
    "StorageFull",
    "Work",
    "check_allowed",
    "inspect_house",
    "open_house",
    "perform",
    "submit",
    "utc_now",
]

AnswerT = TypeVar("AnswerT")

_KEY = re.compile(r"[\x21-\x7e]{1,255}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Work:
    """What a command is carried out with: the open transaction, the house, and who wants it.

    Parameters
    ----------
    by
        Who acts.
    second
        The second person, who approves; None where the command needs none.
    """

    unit: Unit
    house: House
    by: Actor = HOUSE
    second: Actor | None = None

    @property
    def connection(self) -> Connection:
        """The connection of the transaction."""
        return self.unit.connection


class Command(ABC, Generic[AnswerT]):
    """What every command is: a frozen dataclass whose base names its answer's type.

    Attributes
    ----------
    scope
        What whoever gives the command must be allowed.
    approval
        What a second person must be allowed, who approves it; None where one person is enough.
    """

    __slots__ = ()
    scope: ClassVar[Scope]
    approval: ClassVar[Scope | None] = None

    @abstractmethod
    def run(self, work: Work) -> AnswerT:
        """Carry the command out in the writer's transaction; a refusal undoes all of it."""


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


def submit(
    house: House,
    command: Command[AnswerT],
    key: str,
    by: Actor = HOUSE,
    second: Actor | None = None,
    *,
    within: timedelta | None = None,
) -> "Future[Reply[AnswerT]]":
    """Hand a command to the writer; the future holds its reply, or raises what `perform` raises.

    A key whose first call is not answered yet is refused (IDEMPOTENCY_KEY_IN_PROGRESS). That is known in this process
    alone and goes with it: another process waits its turn at the writer and finds the stored answer.

    For an asynchronous caller: `await asyncio.wrap_future(submit(house, command, key))`.

    Parameters
    ----------
    within
        How long after now the command may still be begun; later nothing is done, and `HouseBusy` raised.
    """
    check_allowed(by, command.scope)
    _check_second(command, by, second)
    if _KEY.fullmatch(key) is None:
        limit = "1 to 255 printable ASCII characters"
        raise Refused(Refusal.IDEMPOTENCY_KEY_MISSING, f"the idempotency key must be {limit}", "key", "", limit)
    asked, _ = _adapters(type(command))
    head = f"{type(command).__name__}\n{by.id}\n".encode()
    fingerprint = hashlib.sha256(head + asked.dump_json(command)).hexdigest()
    latest = None if within is None else house.now() + within

    def work(unit: Unit) -> Reply[AnswerT]:
        return _answer(Work(unit, house, by, second), command, key, fingerprint, latest)

    house.in_flight.claim(key, fingerprint)
    try:
        return house.writer.submit(work, type(command).__name__, partial(house.in_flight.free, key))
    except HouseBusy:
        house.in_flight.free(key)
        raise


def check_allowed(actor: Actor, scope: Scope) -> None:
    """Check that somebody may do something. Refused: NOT_ALLOWED."""
    if scope not in actor.scopes:
        raise Refused(Refusal.NOT_ALLOWED, f"this needs the scope {scope}", limit=scope.value)


def _check_second(command: Command[Any], by: Actor, second: Actor | None) -> None:
    """Check that a command which two people must want is wanted by two; the house itself stands for both."""
    needed = command.approval
    if needed is None or by is HOUSE:
        return
    if second is None or second.id == by.id or needed not in second.scopes:
        message = f"this needs a second person with the scope {needed}"
        raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "second_person", limit=needed.value)


def perform(
    house: House, command: Command[AnswerT], key: str, by: Actor = HOUSE, second: Actor | None = None
) -> Reply[AnswerT]:
    """Carry out a command and wait until it is committed.

    Parameters
    ----------
    key
        Idempotency key, 1 to 255 printable ASCII characters. The same key and command give the stored answer.
    by, second
        Who wants it, and who approves it besides.

    Raises
    ------
    Refused
        The house says no; nothing was booked. `replayed` tells whether an earlier call was already refused so.
    HouseBusy
        The queue is full.
    StorageFull
        The disk is.
    """
    return submit(house, command, key, by, second).result()


def _answer(
    work: Work, command: Command[AnswerT], key: str, fingerprint: str, latest: datetime | None
) -> Reply[AnswerT]:
    """Find the answer under the key, or carry the command out and keep what it was answered, a refusal too."""
    work.unit.by, work.unit.second = work.by.id, None if work.second is None else work.second.id
    stored = answers.find(work.unit, key)
    if stored is not None:
        return _stored(type(command), stored, fingerprint)
    if latest is not None and work.unit.at > latest:
        raise HouseBusy("the caller waits no longer")
    _, answered = _adapters(type(command))
    approval = _unused(work)
    try:
        with work.unit.savepoint():
            if approval is not None:
                people.use(work.unit, approval)
            answer = _carried(command, work)
            body = answered.dump_json(answer)
            answers.keep(work.unit, key, StoredAnswer(fingerprint, False, body.decode()))
    except Refused as refused:
        kept = StoredAnswer(fingerprint, True, json.dumps(asdict(refused)))
        with work.unit.savepoint():
            answers.keep(work.unit, key, kept)
        raise
    return Reply(answer, body, replayed=False)


def _carried(command: Command[AnswerT], work: Work) -> AnswerT:
    """Let a command run. Refused, besides what it says itself: BAD_VALUE where a sum would be larger than it may be."""
    try:
        return command.run(work)
    except IntegrityError as error:
        if not guards.is_of_bounds(error):
            raise
        limit = f"amounts whose sums are at most {GREATEST_MINOR}"
        raise Refused(Refusal.BAD_VALUE, "a sum would be larger than the books hold", limit=limit) from error


def _unused(work: Work) -> str | None:
    """Id of the second person's approval, neither used nor expired; refused outside the answer that is kept."""
    if not isinstance(work.second, Second):
        return None
    if people.used(work.connection, work.second.approval):
        message = "the approval was used already: let a second person approve again"
        raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "second_person")
    if work.unit.at.timestamp() >= work.second.expires_s:
        message = "the approval is expired: let a second person approve again"
        raise Refused(Refusal.SECOND_PERSON_NEEDED, message, "second_person")
    return work.second.approval


def _stored(command: type[Command[AnswerT]], stored: StoredAnswer, fingerprint: str) -> Reply[AnswerT]:
    if stored.fingerprint != fingerprint:
        raise in_flight.reused()
    if stored.refused:
        values = json.loads(stored.body)
        raise Refused(**{**values, "refusal": Refusal(values["refusal"]), "replayed": True})
    _, answered = _adapters(command)
    return Reply(answered.validate_json(stored.body), stored.body.encode(), replayed=True)


@cache
def _adapters(command: type[Command[Any]]) -> tuple[TypeAdapter[Any], TypeAdapter[Any]]:
    """JSON forms of a command and of its answer."""
    base = next(base for base in command.__orig_bases__ if issubclass(base.__origin__, Command))  # type: ignore[attr-defined]
    return TypeAdapter(command), TypeAdapter(get_args(base)[0])
