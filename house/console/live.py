"""Live parts of pages: made once for everybody who looks, after what happened, and sent to each as it is.

A part is named `region` or `region/argument`, as `data-live` of its element says. While anybody looks, one task follows
the history and notes which parts a record touches; another makes those anew and tells whoever looks if they changed.
What happens after a calm is told at once; where much happens, the pauses between are long enough that looking stays a
small share of the work. A viewer costs a write of ready bytes, and nothing while nothing changes. His stream ends once
he may see it no longer: he is asked again after a record about him, as the feed does.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.sse import EventSourceResponse, format_sse_event

from house.console import session, shell
from house.console.regions import Region
from house.console.session import Visitor
from house.domain.ids import is_id
from house.domain.refusals import Refusal, Refused
from house.service.desk import House, check_allowed
from house.service.feed import Feed, Follower, people_in
from house.store.records import StoredRecord

router = APIRouter()

PAUSE_S, PER_VIEWER_S, SHARE = 1.0, 0.01, 20
"""Least pause between two makings of parts; what each viewer adds to it; and how many times as long as making took."""
LIFE_S = 300.0
"""After so long a stream ends; the browser comes back by itself, is asked who it is, and gets a new token."""
HEARTBEAT_S = 15.0
RETRY_MS = 1000
MOST_PARTS = 8

log = logging.getLogger("floorman.console")


@dataclass(slots=True)
class _Part:
    """One part: its event as it goes over the wire, how often it changed, and what wakes each who looks at it.

    Parameters
    ----------
    digest
        Of its text; the id of its event.
    """

    event: bytes = b""
    digest: str = ""
    version: int = 0
    viewers: set[asyncio.Event] = field(default_factory=set)
    making: asyncio.Lock = field(default_factory=asyncio.Lock)


class Live:
    """The live parts of one house in one event loop.

    Parameters
    ----------
    regions
        By name.
    """

    def __init__(self, house: House, feed: Feed, regions: Mapping[str, Region], spoken: Mapping[str, str]) -> None:
        self.feed = feed
        self._house, self._regions, self._spoken = house, regions, spoken
        self._over = False
        self._beginning = asyncio.Lock()
        self._parts: dict[str, _Part] = {}
        self._touched: set[str] = set()
        self._work = asyncio.Event()
        self._tasks: tuple[asyncio.Task[None], ...] = ()

    def region(self, name: str) -> tuple[Region, str]:
        """Find a part's region and argument. Refused: NOT_FOUND."""
        region, _, argument = name.partition("/")
        if region not in self._regions:
            raise Refused(Refusal.NOT_FOUND, "no part of a page has this name", "part")
        return self._regions[region], argument

    async def follow(
        self, names: Collection[str], by: Follower | None = None, has: Collection[str] = ()
    ) -> AsyncIterator[bytes]:
        """Give the events of some parts for as long as whoever looks may: the first of each as it stands now.

        Parameters
        ----------
        has
            Digests of what whoever looks has already: it is not sent again.
        """
        ends = asyncio.get_running_loop().time() + LIFE_S
        parts = {name: self._parts.setdefault(name, _Part()) for name in names}
        seen, told = dict.fromkeys(parts, 0), asyncio.Event()
        fresh = [name for name, part in parts.items() if not part.viewers]
        for part in parts.values():
            part.viewers.add(told)
        try:
            await self._begin(fresh)
            seen |= {name: part.version for name, part in parts.items() if part.digest in has}
            yield format_sse_event(retry=RETRY_MS)
            while not self._over and asyncio.get_running_loop().time() < ends:
                told.clear()
                if not await self.feed.may_go_on(by):
                    break
                new = [name for name, part in parts.items() if part.version > seen[name]]
                if new:
                    seen |= {name: parts[name].version for name in new}
                    yield b"".join(parts[name].event for name in new)
                elif not await _within(told, HEARTBEAT_S):
                    yield b": still here\n\n"
        finally:
            for name, part in parts.items():
                part.viewers.discard(told)
                if not part.viewers:
                    self._parts.pop(name, None)
            if not self._parts:
                self._end()

    async def _begin(self, new: Collection[str]) -> None:
        """Start following if nobody looked yet, then make the parts that are new."""
        async with self._beginning:
            if not self._tasks or any(task.done() for task in self._tasks):
                batches = await self.feed.follow(life_s=float("inf"), heartbeat_s=3600.0)
                self._tasks = (asyncio.create_task(self._note(batches)), asyncio.create_task(self._make_touched()))
        for name in new:
            await self._make(name)

    def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks = ()

    async def _note(self, batches: AsyncIterator[Any]) -> None:
        """Note which parts the records of the feed touch."""
        async for batch in batches:
            touched = {name for name in self._parts if self._is_touched(name, batch.records)}
            if touched:
                self._touched |= touched
                self._work.set()
            if people_in(batch.records):
                self._tell_all()  # of whom perhaps one may look no longer
        self._over = True  # the house closes
        self._tell_all()

    def _tell_all(self) -> None:
        for part in self._parts.values():
            _tell(part)

    def _is_touched(self, name: str, records: Collection[StoredRecord]) -> bool:
        region, argument = self.region(name)
        return any(region.touched(record, argument) for record in records)

    async def _make_touched(self) -> None:
        while True:
            await self._work.wait()
            self._work.clear()
            names, self._touched = self._touched, set()
            began_s = time.monotonic()
            for name in names:
                await self._make(name)
            viewers = len(frozenset[asyncio.Event]().union(*(part.viewers for part in self._parts.values())))
            await asyncio.sleep(max(PAUSE_S, SHARE * (time.monotonic() - began_s)) + PER_VIEWER_S * viewers)

    async def _make(self, name: str) -> None:
        """Make a part, and tell those who look if it is another than before."""
        part = self._parts.get(name)
        if part is None:
            return
        async with part.making:
            try:
                html = await asyncio.to_thread(self._html, name)
            except Refused:
                return
            except Exception:
                region, _, argument = name.partition("/")
                log.exception("the part %s could not be made", name if is_id(argument) else region)
                return
        digest = shell.digest(html)
        if digest != part.digest:
            part.event = format_sse_event(data_str=html, event=name, id=digest)
            part.digest, part.version = digest, part.version + 1
            _tell(part)

    def _html(self, name: str) -> str:
        region, argument = self.region(name)
        return shell.fragment(region.template, **self._spoken, **region.context(self._house, argument))


def _tell(part: _Part) -> None:
    """Wake whoever looks at a part."""
    for told in part.viewers:
        told.set()


async def _within(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event at most so long; whether it came."""
    try:
        async with asyncio.timeout(seconds):
            await event.wait()
    except TimeoutError:
        return False
    return True


def _live_of(request: Request) -> Live:
    """The live parts of the house that is open now."""
    state = request.app.state
    known: Live | None = getattr(state, "live", None)
    if known is None or known.feed is not state.feed:
        known = state.live = Live(state.house, state.feed, state.regions, shell.spoken(request))
    return known


@router.get("/live")
async def live(
    request: Request,
    visitor: Visitor,
    part: Annotated[list[str], Query(max_length=MOST_PARTS)],
    has: Annotated[list[str], Query(max_length=MOST_PARTS)] = [],  # noqa: B006
) -> EventSourceResponse:
    """Send the live parts of a page, each whenever it changed; none as the page has it, unless it got some since."""
    parts = _live_of(request)
    needed = frozenset(parts.region(name)[0].scope for name in part)
    for scope in sorted(needed):
        check_allowed(visitor.actor, scope)
    by = Follower(visitor.actor.id, visitor.access, needed)
    known = () if "last-event-id" in request.headers else has
    response = EventSourceResponse(parts.follow(dict.fromkeys(part), by, known), headers=dict(shell.HEADERS))
    session.keep(request, response, visitor)
    return response
