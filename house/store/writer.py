"""The single writer: commands carried out one after another, committed in groups, answered after the commit.

One thread owns the writing connection. It takes what waits, up to `GROUP` commands, carries each out behind a savepoint
of its own, commits once, and then answers all of them. On PostgreSQL several processes may each have a writer; the
advisory lock that a transaction takes first lets them write in turn, so numbers stay dense and no balance is stale.

A group that the database gave up for a passing reason (a lost connection, a deadlock, a lock that was not to be had) is
carried out again, for `PATIENCE_S` at most. A connection may be lost while the commit is under way: the next try holds
the lock, so the lost one is over, and whether it was committed is read from the history.
"""

import logging
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass, field
from datetime import datetime
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from house.domain.gaming_day import GamingDays
from house.store import tree
from house.store.unit_of_work import DATABASE_ERRORS, Unit
from integrity.proof.tree import Frontier

GROUP = 64
PATIENCE_S = 5.0
"""Seconds after which a group that failed is not tried again."""
PAUSES_S = (0.02, 0.1, 0.4, 1.0, 2.0)
"""Pauses before the second and later tries."""

ResultT = TypeVar("ResultT")

NOTES: ContextVar[dict[str, Any] | None] = ContextVar("notes", default=None)
"""Where whoever gives a command wants to be told what it wrote: first and last of `records` and `entries`; `round`."""

log = logging.getLogger("floorman.writer")


class HouseBusy(Exception):
    """The house cannot take the command now: nothing is known to be done, and its key makes trying again safe."""


class StorageFull(Exception):
    """The database could not take the write: nothing was done; reads go on."""


BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Bounds of the classes in which the times of commands are counted, in seconds; one more class is above them."""


@dataclass(slots=True)
class Times:
    """How long commands of one kind took, from being asked to being answered.

    Parameters
    ----------
    counts
        Commands in each class of `BOUNDS_S`, and above them.
    sum_s
        Seconds in all.
    """

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_S) + 1))
    sum_s: float = 0.0

    def add(self, seconds: float) -> None:
        """Count a command."""
        self.counts[bisect_left(BOUNDS_S, seconds)] += 1
        self.sum_s += seconds


@dataclass(slots=True)
class Done:
    """What the writer did since it was started; its thread alone writes here.

    Parameters
    ----------
    retries
        Tries of a group after its first.
    failed
        Groups that were given up.
    """

    groups: int = 0
    retries: int = 0
    failed: int = 0
    times: dict[str, Times] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Job:
    work: Callable[[Unit], Any]
    name: str
    over: Callable[[], None]
    future: "Future[Any]" = field(default_factory=Future)
    context: Context = field(default_factory=copy_context)
    asked_s: float = field(default_factory=time.perf_counter)


@dataclass(frozen=True, slots=True)
class _Try:
    """A group that was carried out, perhaps not committed: the history before and after it, and its answers."""

    size: int
    frontier: Frontier
    checkpoint_wanted: bool
    answers: list[tuple[Any, Exception | None]]


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
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._limit = queue_limit
        self._door = Lock()
        self._closed = False
        self._seal = seal or (lambda _frontier, _wanted: None)
        self._patience_s = patience_s
        self._frontier = Frontier()
        self.memory: Mapping[str, Any] = {}
        """What commands derived from the history so far, as the last commit left it."""
        self.done = Done()
        self.listeners: list[Callable[[int], None]] = []
        """Each is called on the writer's thread after a commit, with the number of records; it must return at once."""
        self._thread = Thread(target=self._run, name="floorman-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """Commands that wait."""
        return self._queue.qsize()

    @property
    def alive(self) -> bool:
        """Whether commands are carried out."""
        return self._thread.is_alive() and not self._closed

    @property
    def size(self) -> int:
        """Records of the history, as the last commit of this writer left it."""
        return self._frontier.size

    def submit(
        self, work: Callable[[Unit], ResultT], name: str = "work", over: Callable[[], None] = lambda: None
    ) -> "Future[ResultT]":
        """Let the writer do some work; its future is answered after the commit. Cancelled in time, it is not done.

        The work must put whatever it writes behind `Unit.savepoint`, so that an error of its own leaves nothing behind.
        It is done again where the database gave up its group, so it must keep nothing that the database does not undo.

        Parameters
        ----------
        name
            Under which its time is counted.
        over
            Called when the work is done, given up or cancelled, before whoever waits for the future is told.

        Raises
        ------
        HouseBusy
            When the queue is full or the writer closed.
        """
        job = _Job(work, name, over)
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
            self._answer([job for job in group if job is not None and _begun(job)])
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

    def _answer(self, jobs: list[_Job]) -> None:
        """Carry a group out, and answer each job once it is committed or given up."""
        if not jobs:
            return
        try:
            carried = self._carry_out(jobs)
        except Exception as error:
            self.done.failed += 1
            log.warning("a group of %d commands was not committed: %s", len(jobs), type(error).__name__)
            for job in jobs:
                job.over()
                job.future.set_exception(_translated(error))
            return
        self.done.groups += 1
        self._seal(self._frontier, carried.checkpoint_wanted)
        for job, (result, failure) in zip(jobs, carried.answers, strict=True):
            self.done.times.setdefault(job.name, Times()).add(time.perf_counter() - job.asked_s)
            job.over()
            if failure is None:
                job.future.set_result(result)
            else:
                job.future.set_exception(failure)
        for listener in self.listeners:
            listener(self._frontier.size)

    def _carry_out(self, jobs: list[_Job]) -> _Try:
        """Carry a group out and commit it, again where the database failed for a reason that passes."""
        tried: _Try | None = None
        began_s, pauses = time.monotonic(), iter(PAUSES_S)
        while True:
            try:
                with self._engine.begin() as connection:
                    unit = Unit(connection, self._days, self._clock(), self._frontier, self.memory)
                    if tried is None or not _stands(unit, tried):
                        size = unit.frontier.size
                        answers = [self._attempt(job, unit) for job in jobs]
                        tried = _Try(size, unit.frontier, unit.checkpoint_wanted, answers)
                self._frontier, self.memory = unit.frontier, unit.memory
                return tried
            except DBAPIError as error:
                pause_s = next(pauses, None)
                if pause_s is None or time.monotonic() - began_s > PATIENCE_S or not passes(error):
                    raise
                self.done.retries += 1
                log.warning("a group of %d commands is carried out again: %s", len(jobs), type(error.orig).__name__)
                time.sleep(pause_s)

    def _attempt(self, job: _Job, unit: Unit) -> tuple[Any, Exception | None]:
        """Do one job; an error of the database spoils the group, any other is the job's own."""
        unit.begin(self._clock())
        before = unit.next_record, unit.next_entry
        try:
            result = job.context.run(job.work, unit)
        except DATABASE_ERRORS:
            raise
        except Exception as error:
            return None, error
        notes = job.context.get(NOTES)
        if notes is not None:
            wrote = {"records": (before[0], unit.next_record - 1), "entries": (before[1], unit.next_entry - 1)}
            notes.update({name: span for name, span in wrote.items() if span[0] <= span[1]})
            notes.update({"round": unit.round} if unit.round else {})
        return result, None


def _begun(job: _Job) -> bool:
    """Tell a job's future that it is carried out; False if it was cancelled before."""
    begun = job.future.set_running_or_notify_cancel()
    if not begun:
        job.over()
    return begun


def _stands(unit: Unit, tried: _Try) -> bool:
    """Whether a group is in the history: its last record's tree is the one that it left.

    A group without a record changed nothing that a repeat would double: answers are found under their keys.
    """
    size = tried.frontier.size
    return tried.size < size <= unit.frontier.size and tree.frontier(unit.connection, size) == tried.frontier


_PASSING_SQLSTATES = ("08", "40001", "40P01", "55P03", "57P", "25P03")
"""Beginnings of PostgreSQL's codes for a lost connection, a conflict, a lock not to be had, a server that restarts."""
_FULL_SQLSTATES = ("53100", "53200")
_SQLITE_BUSY = (5, 6)


def passes(error: DBAPIError) -> bool:
    """Tell whether an error of the database may be gone at the next try."""
    if not isinstance(error, DATABASE_ERRORS):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_BUSY
    state = getattr(error.orig, "sqlstate", "")
    return error.connection_invalidated or state is None or state.startswith(_PASSING_SQLSTATES)


def _translated(error: Exception) -> Exception:
    if not isinstance(error, DATABASE_ERRORS):
        return error
    full = "disk is full" in str(error.orig) or getattr(error.orig, "sqlstate", "") in _FULL_SQLSTATES
    return StorageFull("the database is full") if full else HouseBusy("the database did not take the command")
