"""The single writer: commands carried out one after another, committed in groups, answered after the commit.

One thread owns the writing connection. It takes what waits, up to `GROUP` commands, carries each out behind a savepoint
of its own, commits once, and then answers all of them. On PostgreSQL several processes may each have a writer; the
advisory lock that a transaction takes first lets them write in turn, so numbers stay dense and no balance is stale.
"""

import logging
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError

from house.domain.gaming_day import GamingDays
from house.store import rows, tree
from integrity.proof.tree import Frontier

GROUP = 64
DATABASE_ERRORS = (OperationalError, InterfaceError, InternalError)
"""Errors that are the database's, not a command's."""

ResultT = TypeVar("ResultT")

log = logging.getLogger("floorman.writer")


class HouseBusy(Exception):
    """The house cannot take the command now: nothing is known to be done, and its key makes trying again safe."""


class StorageFull(Exception):
    """The database could not take the write: nothing was done; reads go on."""


_ENTRY, _RECORD = rows.table(rows.EntryRow), rows.table(rows.RecordRow)
_LAST = select(
    select(func.coalesce(func.max(_ENTRY.c.seq), -1)).scalar_subquery(),
    select(func.coalesce(func.max(_RECORD.c.number), -1)).scalar_subquery(),
)


@dataclass(slots=True)
class Unit:
    """One write transaction, and the numbers that it gives out.

    Parameters
    ----------
    at
        Time of the command in hand, aware, in UTC.
    frontier
        The right edge of the history's tree, as an earlier unit left it; read from the database where it does not fit.
    """

    connection: Connection
    days: GamingDays
    at: datetime
    frontier: Frontier = field(default_factory=Frontier)
    next_entry: int = field(init=False)
    by: str = field(default="house", init=False)
    """Who gave the command in hand."""
    second: str | None = field(default=None, init=False)
    """Who approved it besides."""
    checkpoint_wanted: bool = field(default=False, init=False)
    """Whether a signed checkpoint shall follow this transaction at once."""

    def __post_init__(self) -> None:
        entries, records = self.connection.execute(_LAST).one()
        self.next_entry = entries + 1
        if self.frontier.size != records + 1:
            self.frontier = tree.frontier(self.connection, records + 1)

    @property
    def at_us(self) -> int:
        """Time of the command in microseconds since 1970."""
        return microseconds(self.at)

    @property
    def gaming_day(self) -> str:
        """Gaming day of the command, YYYY-MM-DD."""
        return self.days.of(self.at).isoformat()

    @property
    def next_record(self) -> int:
        """Number of the next record."""
        return self.frontier.size

    def take_entries(self, count: int) -> range:
        """Numbers of the next entries."""
        self.next_entry += count
        return range(self.next_entry - count, self.next_entry)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo everything in the block if it raises, numbers and the tree's edge too.

        An error of the database itself is left as it is: it may have ended the transaction, and the group with it.
        """
        before = self.next_entry, self.frontier
        self.connection.exec_driver_sql("SAVEPOINT command")
        try:
            yield
            self.connection.exec_driver_sql("RELEASE SAVEPOINT command")
        except DATABASE_ERRORS:
            raise
        except BaseException:
            self.connection.exec_driver_sql("ROLLBACK TO SAVEPOINT command")
            self.connection.exec_driver_sql("RELEASE SAVEPOINT command")
            self.next_entry, self.frontier = before
            raise


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


def microseconds(at: datetime) -> int:
    """Whole microseconds since 1970 of an aware time.

    >>> microseconds(datetime.fromisoformat("1970-01-01T00:00:01.000001+00:00"))
    1000001
    """
    return (at - _EPOCH) // timedelta(microseconds=1)


def moment(at_us: int) -> datetime:
    """The aware time of `microseconds`."""
    return _EPOCH + timedelta(microseconds=at_us)


def uuid7(at: datetime) -> str:
    """An identifier that sorts by time (RFC 9562, version 7)."""
    noise = int.from_bytes(secrets.token_bytes(10))
    value = (
        (microseconds(at) // 1000) << 80 | 0x7 << 76 | (noise >> 68 & 0xFFF) << 64 | 0b10 << 62 | noise & (1 << 62) - 1
    )
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[Unit], Any]
    future: "Future[Any]"


class Writer:
    """The writing thread of a house and the queue before it.

    Parameters
    ----------
    queue_limit
        Commands that may wait.
    seal
        Is told the edge of the history after every commit, when nothing came for `patience_s` seconds, and at the end;
        and whether its checkpoint is wanted at once. Answers wait for it.
    """

    def __init__(
        self,
        engine: Engine,
        clock: Callable[[], datetime],
        days: GamingDays,
        queue_limit: int,
        *,
        seal: Callable[[Frontier, bool], None] | None = None,
        patience_s: float | None = None,
    ) -> None:
        self._engine = engine
        self._clock = clock
        self._days = days
        self._queue: Queue[_Job | None] = Queue()
        self._limit = queue_limit
        self._door = Lock()
        self._closed = False
        self._seal = seal or (lambda _frontier, _wanted: None)
        self._patience_s = patience_s
        self._frontier = Frontier()
        self._thread = Thread(target=self._run, name="floorman-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Commands that wait."""
        return self._queue.qsize()

    def submit(self, work: Callable[[Unit], ResultT]) -> "Future[ResultT]":
        """Let the writer do some work; its future is answered after the commit.

        The work must put whatever it writes behind `Unit.savepoint`, so that an error of its own leaves nothing behind.

        Raises
        ------
        HouseBusy
            When the queue is full or the writer closed.
        """
        job = _Job(work, Future())
        with self._door:
            if self._closed or self._queue.qsize() >= self._limit:
                raise HouseBusy("the house is closing" if self._closed else "too many commands wait")
            self._queue.put(job)
        return job.future

    def close(self) -> None:
        """Finish what was taken and stop the thread."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            group = self._take()
            going = not group or group[-1] is not None
            self._carry_out([job for job in group if job is not None and job.future.set_running_or_notify_cancel()])
            if not group or not going:
                self._seal(self._frontier, not going)

    def _take(self) -> list[_Job | None]:
        """Take what waits, at least one; nothing if nothing comes for long."""
        try:
            group = [self._queue.get(timeout=self._patience_s)]
        except Empty:
            return []
        while group[-1] is not None and len(group) < GROUP:
            try:
                group.append(self._queue.get_nowait())
            except Empty:
                break
        return group

    def _carry_out(self, jobs: list[_Job]) -> None:
        if not jobs:
            return
        try:
            with self._engine.begin() as connection:
                unit = Unit(connection, self._days, self._clock(), self._frontier)
                answers = [self._attempt(job, unit) for job in jobs]
        except Exception as error:
            log.warning("a group of %d commands was not committed: %s", len(jobs), type(error).__name__)
            for job in jobs:
                job.future.set_exception(_translated(error))
            return
        self._frontier = unit.frontier
        self._seal(unit.frontier, unit.checkpoint_wanted)
        for job, (result, failure) in zip(jobs, answers, strict=True):
            if failure is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(failure)

    def _attempt(self, job: _Job, unit: Unit) -> tuple[Any, Exception | None]:
        """Do one job; an error of the database spoils the group, any other is the job's own."""
        unit.at, unit.by, unit.second = self._clock(), "house", None
        try:
            return job.work(unit), None
        except DATABASE_ERRORS:
            raise
        except Exception as error:
            return None, error


_FULL_SQLSTATES = ("53100", "53200")


def _translated(error: Exception) -> Exception:
    if not isinstance(error, DATABASE_ERRORS):
        return error
    full = "disk is full" in str(error.orig) or getattr(error.orig, "sqlstate", "") in _FULL_SQLSTATES
    return StorageFull("the database is full") if full else HouseBusy("the database did not take the command")
