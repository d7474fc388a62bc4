"""The live feed: what the history gains, told to whoever follows it.

One task of the process reads each new record once and keeps the last of them; whoever follows holds nothing but a
position, so a slow one costs nothing but a read of its own when it comes back. No session of the database is held while
waiting. The writer tells of its commits; what other processes write is noticed at the next look.

Whoever follows was let in by a token or key. All that ends one is in the history, so he is asked for it again when a
record about him passes, before anything more is told, and at no other time.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from sqlalchemy.exc import DBAPIError

from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import access
from house.service.desk import House, HouseBusy
from house.store import records
from house.store.records import StoredRecord, canonical

LOOK_S = 0.5
"""Seconds after which the history is looked at though the writer told nothing."""
KEPT = 2048
"""Last records that are kept for those who follow."""
BATCH = 500
"""Records that are given at once."""
PAUSE_S = 0.02, 0.001
"""Pause after a look, and for each who follows: what comes within it is told together. While nobody follows it is
`LOOK_S`, or until somebody comes."""

log = logging.getLogger("floorman.feed")


@dataclass(frozen=True, slots=True)
class Batch:
    """What is told at once: the records that were asked for, in order, up to a position; none for a sign of life.

    Parameters
    ----------
    position
        Number of the last record that was looked at; whoever comes back goes on after it.
    """

    position: int
    records: tuple[StoredRecord, ...] = ()


@dataclass(slots=True)
class Follower:
    """Who follows, and by what he was let in.

    Parameters
    ----------
    credential
        His token or key.
    scopes
        What he needs to follow.
    asked
        Number of the last record about him after which he was asked for it again.
    """

    person: str
    credential: str
    scopes: frozenset[Scope]
    asked: int = -1


class Feed:
    """The feed of a house in one event loop; an asynchronous context manager.

    Parameters
    ----------
    most
        How many may follow at once.
    """

    def __init__(self, house: House, most: int = 500) -> None:
        self._house = house
        self._most = most
        self._kept: list[StoredRecord] = []
        self._end = 0
        self._closed = False
        self._said_of: dict[str, int] = {}
        self._news = asyncio.Event()
        self._told = asyncio.Event()
        self._came = asyncio.Event()
        self.following = 0
        """How many follow now."""

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._end = await asyncio.to_thread(self._count)
        self._house.writer.listeners.append(self._hear)
        self._task = asyncio.create_task(self._look(), name="floorman-feed")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._house.writer.listeners.remove(self._hear)
        self._end_all()
        await self._task

    def close(self) -> None:
        """End the feed for everybody, at once; from any thread."""
        self._loop.call_soon_threadsafe(self._end_all)

    def _end_all(self) -> None:
        self._closed = True
        for event in (self._news, self._told, self._came):
            event.set()

    def _hear(self, _size: int) -> None:
        """Take the writer's word, on its thread, that something was committed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    async def _look(self) -> None:
        """Read what is new, once for everybody, until the end."""
        while not self._closed:
            await _within(self._news, LOOK_S)
            self._news.clear()
            try:
                found = await asyncio.to_thread(self._read, self._end)
            except DBAPIError as error:
                log.warning("the history could not be read: %s", type(error.orig).__name__)
                continue
            if not found or self._closed:
                continue
            self._said_of |= people_in(found)
            self._kept += found
            del self._kept[:-KEPT]
            self._end = found[-1].number + 1
            self._told, told = asyncio.Event(), self._told
            told.set()
            if len(found) == BATCH:
                self._news.set()
            elif not self.following:
                self._came.clear()
                await _within(self._came, LOOK_S)
            await asyncio.sleep(PAUSE_S[0] + PAUSE_S[1] * self.following)

    def _count(self) -> int:
        with self._house.read() as connection:
            return records.next_number(connection)

    def _read(self, start: int) -> tuple[StoredRecord, ...]:
        with self._house.read() as connection:
            return tuple(records.stored(connection, start, start + BATCH))

    async def follow(
        self,
        after: int | None = None,
        *,
        by: Follower | None = None,
        table: str | None = None,
        kinds: Collection[str] = (),
        heartbeat_s: float = 15.0,
        life_s: float = 300.0,
    ) -> AsyncIterator[Batch]:
        """Follow the history, live.

        Parameters
        ----------
        after
            Records after this number, those that stand already too; None for new ones alone.
        by
            Who follows: it ends once he may no longer. None for the house itself.
        table, kinds
            Of one table alone; of some kinds alone.
        heartbeat_s
            After so many seconds without a record an empty batch is given.
        life_s
            After so many seconds the feed ends; whoever comes back is asked again who he is.

        Returns
        -------
        AsyncIterator
            Batches, the first at once and empty. It ends when the house closes too.

        Raises
        ------
        HouseBusy
            When too many follow.
        Refused
            BAD_VALUE: `after` is not a record of the history.
        """
        if self.following >= self._most or self._closed:
            raise HouseBusy("the house is closing" if self._closed else "too many follow the feed")
        if after is not None and after >= self._end:
            last = await asyncio.to_thread(self._count) - 1
            if after > last:
                message = f"the history ends with record {last}"
                raise Refused(Refusal.BAD_VALUE, message, "after", str(after), f"at most {last}")
        wanted = _Wanted(table, frozenset(kinds))
        end = max(self._end, self._house.writer.size)  # what was committed before this is not new, read or not
        return self._batches(end - 1 if after is None else after, wanted, by, heartbeat_s, life_s)

    async def may_go_on(self, by: Follower | None) -> bool:
        """Tell whether somebody may still follow; he is asked again if the history said something of him since."""
        while by is not None and by.asked < (said := self._said_of.get(by.person, -1)):
            by.asked = said
            if not await asyncio.to_thread(self._is_good, by):
                return False
        return True

    def _is_good(self, by: Follower) -> bool:
        try:
            return by.scopes <= access.actor(self._house, by.credential).scopes
        except (Refused, DBAPIError):
            return False

    async def _batches(
        self, position: int, wanted: "_Wanted", by: Follower | None, heartbeat_s: float, life_s: float
    ) -> AsyncIterator[Batch]:
        ends = self._loop.time() + life_s
        self.following += 1
        self._came.set()
        try:
            yield Batch(position)
            while not self._closed and (left_s := ends - self._loop.time()) > 0:
                told = self._told
                found = await self._after(position)
                if not await self.may_go_on(by):
                    break
                if not found:
                    if not await _within(told, min(heartbeat_s, left_s)):
                        yield Batch(position)
                    continue
                position = found[-1].number
                chosen = tuple(record for record in found if wanted(record))
                if chosen:
                    yield Batch(position, chosen)
        finally:
            self.following -= 1

    async def _after(self, position: int) -> tuple[StoredRecord, ...]:
        """Give the next records after a position: of those that are kept, or from the database where it lies before."""
        if position + 1 >= self._end:
            return ()
        first = self._end - len(self._kept)
        if position + 1 >= first:
            return tuple(self._kept[position + 1 - first :][:BATCH])
        return await asyncio.to_thread(self._read, position + 1)


def people_in(records: Iterable[StoredRecord]) -> dict[str, int]:
    """Find the people that some records are about, each with the number of the last.

    >>> kind, key = "user_event", '{"event":"key_revoked","person":"p-1","prefix":"a"}'
    >>> people_in([StoredRecord(7, kind, None, key, ""), StoredRecord(8, kind, None, '{"player":"ann"}', "")])
    {'p-1': 7}
    """
    told = ((json.loads(record.text), record.number) for record in records if record.kind == "user_event")
    return {body["person"]: number for body, number in told if "person" in body}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which records are told: of one table, or any; of some kinds, or any."""

    table: str | None
    kinds: frozenset[str]

    def __call__(self, record: StoredRecord) -> bool:
        return (self.table is None or record.table == self.table) and (not self.kinds or record.kind in self.kinds)


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event at most so long; whether it came."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


@lru_cache(KEPT)
def summary(record: StoredRecord) -> str:
    """Say what a record is of: its number, kind, table, time and gaming day.

    >>> text = '{"at_us":1000000,"gaming_day":"2026-11-29"}'
    >>> summary(StoredRecord(17, "throw", "craps-1", text, ""))
    '{"at_us":1000000,"gaming_day":"2026-11-29","kind":"throw","record":17,"table":"craps-1"}'
    """
    body = json.loads(record.text)
    return canonical(
        {
            "record": record.number,
            "kind": record.kind,
            "table": record.table,
            "at_us": body["at_us"],
            "gaming_day": body["gaming_day"],
        }
    )
