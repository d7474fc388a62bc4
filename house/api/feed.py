"""The live feed over the wire: server-sent events, one a record, that go on where a client left off."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.sse import EventSourceResponse, format_sse_event

from house.api import problems
from house.api.authority import By, needs, token_of
from house.api.bodies import Once
from house.api.deps import OF_AUTHORITY
from house.api.schemas.fields import GREATEST, ID, WORD
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service.desk import check_allowed
from house.service.feed import Batch, Feed, Follower, summary

router = APIRouter(tags=["feed"], route_class=Once)

RETRY_MS = 1000
"""After so long a client that lost the feed shall come back."""

_EXAMPLE = """retry: 1000
id: 16

event: throw
data: {"kind":"throw","record":17,"table":"craps-1"}
id: 17

"""
"""What a client reads: where it is, then a record."""

_KIND = Annotated[str, Query(pattern=WORD, max_length=64)]


def described() -> dict[str, Any]:
    """Describe the feed for OpenAPI."""
    stream = {
        "description": "One event a record: its kind, its number as the id, and what happened as JSON",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "examples": {"feed": {"value": _EXAMPLE}}}},
    }
    return {
        "response_class": Response,
        "operation_id": "followFeed",
        "responses": {200: stream, **problems.documented(*OF_AUTHORITY, Refusal.BAD_VALUE)},
        "dependencies": needs(Scope.PIT_READ),
    }


@router.get("/feed", **described())
async def follow_feed(
    request: Request,
    by: By,
    *,
    after: Annotated[
        int | None,
        Query(ge=-1, le=GREATEST, description="Records after this number; absent for new ones alone", examples=[17]),
    ] = None,
    last_event_id: Annotated[
        int | None,
        Header(ge=-1, le=GREATEST, description="The last id that was read: goes before `after`", examples=[17]),
    ] = None,
    table: Annotated[
        str | None, Query(pattern=ID, max_length=64, description="One table; absent for all", examples=["craps-1"])
    ] = None,
    kind: Annotated[
        list[_KIND] | None,
        Query(max_length=32, description="Some kinds of records; absent for all", examples=[["throw", "incident"]]),
    ] = None,
    records: Annotated[
        bool, Query(description="Tell whole records, as they are hashed; this needs history:read")
    ] = False,
) -> EventSourceResponse:
    """Follow the history live: an event for every record that is committed.

    Whoever comes back with the id of the last event that he read (`Last-Event-ID`) misses nothing and gets nothing
    twice. The feed ends by itself after five minutes and when the house closes: come back with that id. It ends at once
    when whoever follows may do so no longer: he is locked, signed out or in other roles, or his key is revoked. While
    nothing happens an id comes every fifteen seconds.
    """
    if records:
        check_allowed(by, Scope.HISTORY_READ)
    feed: Feed = request.app.state.feed
    start = after if last_event_id is None else last_event_id
    needed = {Scope.PIT_READ, Scope.HISTORY_READ} if records else {Scope.PIT_READ}
    follower = Follower(by.id, token_of(request), frozenset(needed))
    batches = await feed.follow(start, by=follower, table=table, kinds=kind or ())
    return EventSourceResponse(
        _events(batches, records), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    )


async def _events(batches: AsyncIterator[Batch], whole: bool) -> AsyncIterator[bytes]:
    """Write batches as they go over the wire; an id alone says how far the feed is, and that it lives."""
    retry: int | None = RETRY_MS
    async for batch in batches:
        events = [
            format_sse_event(
                data_str=record.text if whole else summary(record), event=record.kind, id=f"{record.number}"
            )
            for record in batch.records
        ]
        if not events or batch.records[-1].number < batch.position:
            events.append(format_sse_event(id=str(batch.position), retry=retry))
        retry = None
        yield b"".join(events)
