"""The house at work: what is opened once, and the one way in which a command is carried out.

A command is a frozen value that says what is wanted. `submit` hands it to the single writer, which carries it out in
one transaction with its idempotency key and answers only after the commit; `perform` waits for that answer.
"""

import hashlib
import json
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar, get_args

from pydantic import TypeAdapter
from sqlalchemy import Connection

from house.domain.gaming_day import GamingDays
from house.domain.inspections import DEFAULT, Rules
from house.domain.ledger import HOUSE_ACCOUNTS
from house.domain.people import HOUSE, Actor, Scope, Second
from house.domain.refusals import Refusal, Refused
from house.domain.watching import DEFAULT as DEFAULT_WATCHING
from house.domain.watching import Watching
from house.service import history, in_flight, tokens
from house.service.checkpoints import HistoryBroken, Seal, Sealing
from house.service.in_flight import InFlight
from house.store import answers, database, house, ledger, people
from house.store.answers import StoredAnswer
from house.store.unit_of_work import Unit
from house.store.writer import HouseBusy, StorageFull, Writer

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


def utc_now() -> datetime:
    """Return the wall clock's time in UTC."""
    return datetime.now(UTC)


class House:
    """An open house: the writer, the readers, the clock and chance. Made by `open_house`; a context manager."""

    def __init__(
        self,
        url: str,
        clock: Callable[[], datetime],
        entropy: Callable[[int], bytes],
        days: GamingDays,
        queue_limit: int,
        *,
        seal: Seal | None,
        equipment: Rules = DEFAULT,
        watching: Watching | None = None,
    ) -> None:
        self._write_engine = database.write_engine(url)
        self._read_engine = database.read_engine(url)
        self._clock = clock
        self._days = days
        self._limit = queue_limit
        self._writer: Writer | None = None
        self.seal = seal
        """The signed checkpoints of the history, if the house makes them."""
        self.entropy = entropy
        """Gives as many bytes as asked that nobody can foretell: seeds of the house's generator."""
        self.secret = secrets.token_bytes(tokens.SECRET_BYTES)
        """Signs what the house gives to those who sign in; lasts as long as the house is open where it has no file."""
        self.in_flight = InFlight()
        """Idempotency keys whose first call is not answered yet."""
        self.equipment, self.watching = equipment, watching
        """Rules for dice and boxes; how the dice are watched, None where they are not."""
        self.schedules: dict[str, Any] = {}
        """Schedules in use, by fingerprint, as `schedules.of` reads them from the database."""

    def start(self, currency: str) -> None:
        """Bring the schema up to date, check that house and history are the same ones, and start the writer."""
        database.upgrade(self._write_engine)
        seal = self.seal
        if seal is not None:
            seal.resume()
            self.secret = tokens.open_secret(seal.sealing.secret)
        with self.read() as connection:
            history.check_end(connection, None if seal is None or seal.last is None else seal.last[1])
        patience_s = None if seal is None else seal.sealing.seconds
        self._writer = Writer(
            self._write_engine, self._clock, self._days, self._limit, seal=seal, patience_s=patience_s
        )
        self._writer.submit(lambda unit: _settle(unit, currency, self._days)).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def now(self) -> datetime:
        """The house's time, aware, in UTC."""
        return self._clock()

    @property
    def writer(self) -> Writer:
        """The single writer."""
        assert self._writer is not None, "the house is not open, or open to be inspected only"
        return self._writer

    @property
    def file(self) -> Path | None:
        """The database's file, None for a database of a server."""
        return database.file_of(self._read_engine)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read one state of the database."""
        with self._read_engine.begin() as connection:
            yield connection

    def gaming_day(self) -> str:
        """The gaming day that it is, YYYY-MM-DD."""
        return self._days.of(self._clock()).isoformat()

    def sign(self) -> None:
        """Have the history signed as it stands, where it is and the house is open."""
        if self._writer is not None and self.seal is not None:
            self._writer.submit(_want_checkpoint).result()

    def close(self) -> None:
        """Finish the commands that were taken, refuse new ones, and let the database go."""
        if self._writer is not None:
            self._writer.close()
        self._write_engine.dispose()
        self._read_engine.dispose()


def _want_checkpoint(unit: Unit) -> None:
    unit.checkpoint_wanted = True


def _settle(unit: Unit, currency: str, days: GamingDays) -> None:
    """Note what the house is, and open its own accounts."""
    with unit.savepoint():
        house.settle(unit, currency, days)
        present = {balance.account for balance in ledger.balances(unit.connection)}
        ledger.open_accounts(unit, [account for account in HOUSE_ACCOUNTS if account.name not in present])


def open_house(
    url: str,
    *,
    clock: Callable[[], datetime] = utc_now,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    zone: str = "UTC",
    cut_over_hour: int = 6,
    currency: str = "USD",
    queue_limit: int = 1024,
    sealing: Sealing | None = None,
    equipment: Rules = DEFAULT,
    watching: Watching | None = DEFAULT_WATCHING,
) -> House:
    """Open the house on a database, bringing its schema up to date.

    Parameters
    ----------
    url
        `sqlite:////path/to/file.db` or `postgresql://...`.
    clock
        Gives the time of each command, aware, in UTC.
    entropy
        Gives bytes for the seeds of the house's generator. Anything but `secrets.token_bytes` is for tests.
    zone, cut_over_hour
        The gaming day: named zone and the hour, 0..23, at which a new one begins.
    queue_limit
        Commands that may wait for the writer before `HouseBusy`.
    sealing
        Where and how often the history is signed; without it, it is not.
    equipment
        Rules for dice and boxes.
    watching
        The budget of false alarms of the live laboratory; None to watch nothing.

    Raises
    ------
    HistoryBroken
        When the history is not the one that was signed last.
    ValueError
        For an unknown zone, an hour outside 0..23, or a database of another currency.
    """
    seal = None if sealing is None else Seal(sealing)
    days = GamingDays(zone, cut_over_hour)
    opened = House(url, clock, entropy, days, queue_limit, seal=seal, equipment=equipment, watching=watching)
    try:
        opened.start(currency)
    except BaseException:
        opened.close()
        raise
    return opened


def inspect_house(url: str, sealing: Sealing | None = None) -> House:
    """Open a house to be read and checked only, whatever state its history is in; nothing is written.

    Raises
    ------
    HistoryBroken
        When there are checkpoints and no key.
    """
    signed = sealing is not None and (sealing.key.exists() or sealing.checkpoints.exists())
    seal = Seal(sealing) if sealing is not None and signed else None
    return House(url, utc_now, secrets.token_bytes, GamingDays("UTC", 0), 0, seal=seal)


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
        carried = house.writer.submit(work, type(command).__name__)
    except HouseBusy:
        house.in_flight.free(key)
        raise
    return house.in_flight.answered(key, carried)


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
            answer = command.run(work)
            body = answered.dump_json(answer)
            answers.keep(work.unit, key, StoredAnswer(fingerprint, False, body.decode()))
    except Refused as refused:
        kept = StoredAnswer(fingerprint, True, json.dumps(asdict(refused)))
        with work.unit.savepoint():
            answers.keep(work.unit, key, kept)
        raise
    return Reply(answer, body, replayed=False)


def _unused(work: Work) -> str | None:
    """Id of the second person's approval, which must not be used; refused outside the answer that is kept."""
    if not isinstance(work.second, Second):
        return None
    if people.used(work.connection, work.second.approval):
        message = "the approval was used already: let a second person approve again"
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
