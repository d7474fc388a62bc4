"""The live feed: every record once and in order, to however many, however slow, whoever wrote it."""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import event

from house.domain.people import Role, Scope
from house.domain.refusals import Refusal, Refused
from house.service import access, cage, feed, people
from house.service.desk import HouseBusy, open_house, perform
from house.service.feed import Batch, Feed, Follower
from tests.house.pits import Pit
from tests.house.service.staff import hire, token_of


def follow(pit: Pit, story: Callable[[Feed], Awaitable[Any]], **more: Any) -> Any:
    """Tell a story beside an open feed."""

    async def told() -> Any:
        async with Feed(pit.house, **more) as opened:
            return await asyncio.wait_for(story(opened), 20)

    return asyncio.run(told())


def write(pit: Pit, count: int, name: str = "w") -> None:
    for number in range(count):
        perform(pit.house, cage.BuyIn(player="ann", amount_minor=1), f"{name}-{number}")


async def gather(batches: AsyncIterator[Batch], last: int) -> list[int]:
    """Numbers of the records that are told, up to one."""
    found: list[int] = []
    async for batch in batches:
        found += [record.number for record in batch.records]
        if found and found[-1] >= last:
            break
    return found


def end(pit: Pit) -> int:
    """Number of the last record."""
    return pit.house.writer.size - 1


def test_who_follows_is_told_every_new_record_once_and_in_order(pit: Pit) -> None:
    async def story(opened: Feed) -> list[list[int]]:
        first = end(pit) + 1
        followers = [await opened.follow() for _ in range(5)]
        reads = [asyncio.create_task(gather(one, first + 39)) for one in followers]
        await asyncio.sleep(0)
        await asyncio.to_thread(write, pit, 40)
        return [await read for read in reads]

    first = end(pit) + 1
    assert follow(pit, story) == [list(range(first, first + 40))] * 5


def test_what_was_committed_before_is_not_new_though_nobody_looked_yet(sqlite_pit: Pit) -> None:
    async def story(opened: Feed) -> Batch:
        write(sqlite_pit, 3)  # on the loop's own thread, so that the feed has no time to look
        return await anext(await opened.follow())

    assert follow(sqlite_pit, story) == Batch(end(sqlite_pit))


def test_each_record_is_read_once_however_many_follow(sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "LOOK_S", 60)  # nobody looks but after a commit, however slow the machine is
    reads: list[str] = []

    async def story(opened: Feed) -> None:
        followers = [asyncio.create_task(gather(await opened.follow(), end(sqlite_pit) + 10)) for _ in range(50)]
        await asyncio.sleep(0)
        event.listen(sqlite_pit.house._read_engine, "before_cursor_execute", lambda *_: reads.append("read"))
        await asyncio.to_thread(write, sqlite_pit, 10)
        for one in followers:
            await one

    follow(sqlite_pit, story)
    assert len(reads) <= 15  # a look after each commit at most


def test_who_comes_back_goes_on_where_he_was_even_before_what_is_kept(
    sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "KEPT", 3)
    monkeypatch.setattr(feed, "BATCH", 4)
    write(sqlite_pit, 10, "before")
    last = end(sqlite_pit) + 12

    async def story(opened: Feed) -> tuple[list[int], list[int]]:
        await asyncio.to_thread(write, sqlite_pit, 12, "now")
        return await gather(await opened.follow(-1), last), await gather(await opened.follow(last - 2), last)

    whole, rest = follow(sqlite_pit, story)
    assert whole == list(range(last + 1))
    assert rest == [last - 1, last]


def test_a_slow_follower_holds_up_nobody_and_misses_nothing(sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "KEPT", 5)
    first = end(sqlite_pit) + 1

    async def story(opened: Feed) -> tuple[list[int], list[int]]:
        slow, quick = await opened.follow(), await opened.follow()
        await anext(slow)  # ... and asks no more for a while
        read = asyncio.create_task(gather(quick, first + 29))
        await asyncio.sleep(0)
        await asyncio.to_thread(write, sqlite_pit, 30)
        return await read, await gather(slow, first + 29)

    quick, slow = follow(sqlite_pit, story)
    assert quick == slow == list(range(first, first + 30))


def test_one_table_and_some_kinds_can_be_chosen(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.throw(1, 2)
    sqlite_pit.throw(3, 4)
    write(sqlite_pit, 1)

    async def kinds(opened: Feed, **chosen: Any) -> list[str]:
        batches = await opened.follow(-1, life_s=0.3, **chosen)
        return [record.kind async for batch in batches for record in batch.records]

    assert follow(sqlite_pit, lambda opened: kinds(opened, kinds=["throw"])) == ["throw", "throw"]
    of_table = follow(sqlite_pit, lambda opened: kinds(opened, table="c1"))
    assert of_table[-2:] == ["throw", "throw"]
    assert follow(sqlite_pit, lambda opened: kinds(opened, table="c2")) == []


def test_silence_is_told_with_the_position_and_the_feed_ends_after_its_life(sqlite_pit: Pit) -> None:
    write(sqlite_pit, 3)

    async def story(opened: Feed) -> list[Batch]:
        return [batch async for batch in await opened.follow(heartbeat_s=0.05, life_s=0.3)]

    told = follow(sqlite_pit, story)
    assert len(told) >= 3
    assert set(told) == {Batch(end(sqlite_pit))}


def test_what_another_process_writes_is_noticed(postgresql_url: str) -> None:
    with open_house(postgresql_url) as one, open_house(postgresql_url) as other:

        async def story() -> list[int]:
            async with Feed(one) as opened:
                batches = await opened.follow()
                await anext(batches)
                await asyncio.to_thread(perform, other, cage.FundHouse(amount_minor=5), "other")
                return await gather(batches, other.writer.size - 1)

        assert asyncio.run(asyncio.wait_for(story(), 20)) == [other.writer.size - 1]


def test_a_record_that_does_not_stand_yet_is_refused(sqlite_pit: Pit) -> None:
    with pytest.raises(Refused) as refused:
        follow(sqlite_pit, lambda opened: opened.follow(end(sqlite_pit) + 1))
    assert (refused.value.refusal, refused.value.field) == (Refusal.BAD_VALUE, "after")


def test_too_many_followers_are_turned_away_and_one_that_leaves_makes_room(sqlite_pit: Pit) -> None:
    async def story(opened: Feed) -> None:
        one = await opened.follow()
        await anext(one)
        with pytest.raises(HouseBusy):
            await opened.follow()
        await one.aclose()  # type: ignore[attr-defined]
        assert opened.following == 0
        await anext(await opened.follow())

    follow(sqlite_pit, story, most=1)


def test_closing_ends_every_feed_at_once(sqlite_pit: Pit) -> None:
    async def story(opened: Feed) -> list[Batch]:
        asyncio.get_running_loop().call_later(0.05, opened.close)
        return [batch async for batch in await opened.follow()]

    assert len(follow(sqlite_pit, story)) == 1


PIT, HISTORY = frozenset({Scope.PIT_READ}), frozenset({Scope.HISTORY_READ})
ENDS: dict[str, Callable[[Pit, str], None]] = {
    "locked": lambda pit, _: pit.do(people.LockPerson(person="p-1")),
    "in roles that may not": lambda pit, _: pit.do(people.SetRoles(person="p-1", roles=(Role.DEALER,))),
    "key revoked": lambda pit, prefix: pit.do(people.RevokeApiKey(prefix=prefix)),
}
"""What is done to whoever follows by a key."""


@pytest.mark.parametrize("what", ENDS)
def test_the_feed_of_a_key_ends_before_anything_more_is_told(sqlite_pit: Pit, what: str) -> None:
    hire(sqlite_pit, "p-1", Role.SURVEILLANCE, password=None)
    added, key = access.add_key(sqlite_pit.house, "p-1", 1, "key")
    first = end(sqlite_pit) + 1

    async def story(opened: Feed) -> list[int]:
        read = asyncio.create_task(gather(await opened.follow(by=Follower("p-1", key, HISTORY)), 10**6))
        await asyncio.sleep(0)
        await asyncio.to_thread(write, sqlite_pit, 1)
        while opened._end <= first:
            await asyncio.sleep(0.001)
        await asyncio.to_thread(ENDS[what], sqlite_pit, added.answer.prefix)
        await asyncio.to_thread(write, sqlite_pit, 1, "later")
        return await read

    assert follow(sqlite_pit, story) == [first]


def test_signing_out_ends_ones_feeds_and_nobody_is_asked_but_for_a_record_about_him(
    sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    true_actor = access.actor
    monkeypatch.setattr(access, "actor", lambda house, token: asked.append(token) or true_actor(house, token))
    for person in ("p-1", "p-2"):
        hire(sqlite_pit, person, Role.DEALER)
    tokens = {person: token_of(sqlite_pit, person) for person in ("p-1", "p-2")}
    last = end(sqlite_pit) + 4

    async def story(opened: Feed) -> tuple[list[int], list[int]]:
        ones = [await opened.follow(by=Follower(person, token, PIT)) for person, token in tokens.items()]
        reads = [asyncio.create_task(gather(one, last)) for one in ones]
        await asyncio.sleep(0)
        await asyncio.to_thread(write, sqlite_pit, 3)
        while opened._end < last:
            await asyncio.sleep(0.001)
        assert asked == []
        by = true_actor(sqlite_pit.house, tokens["p-1"])
        await asyncio.to_thread(perform, sqlite_pit.house, people.SignOut(), "out", by)
        return await reads[0], await reads[1]

    gone, stays = follow(sqlite_pit, story)
    assert gone == [last - 3, last - 2, last - 1]
    assert stays == [*gone, last]
    assert asked == [tokens["p-1"]]


def test_no_connection_of_the_database_is_held_while_waiting(sqlite_pit: Pit) -> None:
    held: list[int] = []

    async def story(opened: Feed) -> None:
        followers = [await opened.follow() for _ in range(20)]
        for one in followers:
            await anext(one)
        waits = [asyncio.create_task(gather(one, 10**6)) for one in followers]
        await asyncio.sleep(0.1)
        held.append(sqlite_pit.house._read_engine.pool.checkedout())  # type: ignore[attr-defined]
        for wait in waits:
            wait.cancel()

    threads = threading.active_count()
    follow(sqlite_pit, story)
    assert held == [0]
    assert threading.active_count() <= threads + 6
