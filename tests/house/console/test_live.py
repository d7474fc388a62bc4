"""Live parts: made once for all who look, after what happened, and told to each who does not have it yet."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from house.console import shell, standing
from house.console.live import Live
from house.console.regions import Region, at_table
from house.domain.people import Role, Scope
from house.domain.refusals import Refused
from house.service import cage
from house.service.access import admit
from house.service.desk import House, open_house, perform
from house.service.feed import Feed, Follower
from house.service.people import LockPerson

SPOKEN = {"currency": "USD", "zone": "UTC"}


class Counted:
    """A region that counts how often it is made; it shows the players."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, house: House, argument: str) -> dict[str, Any]:
        self.made += 1
        return {"standing": standing.Standing(signed=len(cage.players(house)))}

    def region(self, **more: Any) -> Region:
        return Region(Scope.PIT_READ, "shell/standing.html", self, **more)


def run(folder: Path, regions: dict[str, Region], story: Callable[[House, Live], Awaitable[None]]) -> None:
    """Open a house with its feed and live parts, and let a story happen."""

    async def opened() -> None:
        with open_house(f"sqlite:///{folder / 'house.db'}") as house:
            async with Feed(house) as feed:
                await story(house, Live(house, feed, regions, SPOKEN))

    asyncio.run(opened())


def register(house: House, player: str) -> None:
    perform(house, cage.RegisterPlayer(player=player, name=player), player)


async def until(stream: Any, text: bytes) -> bytes:
    """Read a stream until an event has a text in it."""
    async with asyncio.timeout(30):
        async for event in stream:
            if text in event:
                return bytes(event)
    raise AssertionError(f"the stream ended before {text!r}")


def test_all_who_look_are_told_what_was_made_once(tmp_path: Path) -> None:
    counted = Counted()

    async def story(house: House, live: Live) -> None:
        streams = [live.follow(["players"]) for _ in range(20)]
        await asyncio.gather(*(until(stream, b"<b>0</b>") for stream in streams))
        assert counted.made == 1
        await asyncio.to_thread(register, house, "ann")
        events = await asyncio.gather(*(until(stream, b"<b>1</b>") for stream in streams))
        assert set(events) == {events[0]}
        assert events[0].startswith(b"event: players\n")
        assert counted.made == 2
        for stream in streams:
            await stream.aclose()

    run(tmp_path, {"players": counted.region()}, story)


def test_what_a_page_has_is_not_sent_again(tmp_path: Path) -> None:
    async def story(house: House, live: Live) -> None:
        first = live.follow(["players"])
        event = await until(first, b"<b>0</b>")
        html = "\n".join(line[6:] for line in event.decode().splitlines() if line.startswith("data: "))
        has = shell.digest(html)
        assert f"id: {has}\n".encode() in event
        second = live.follow(["players"], has=[has])
        assert b"retry" in await anext(second)
        await asyncio.to_thread(register, house, "ann")
        async with asyncio.timeout(30):
            assert b"<b>1</b>" in await anext(second)
        for stream in (first, second):
            await stream.aclose()

    run(tmp_path, {"players": Counted().region()}, story)


def test_what_happens_quickly_is_told_together_and_nothing_is_told_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("house.console.live.PAUSE_S", 0.3)
    counted = Counted()

    async def story(house: House, live: Live) -> None:
        stream = live.follow(["players"])
        await until(stream, b"<b>0</b>")
        for number in range(30):
            await asyncio.to_thread(register, house, f"p{number}")
        await until(stream, b"<b>30</b>")
        assert counted.made < 30
        await stream.aclose()

    run(tmp_path, {"players": counted.region()}, story)


def test_a_part_of_a_table_is_made_for_its_own_records_alone(tmp_path: Path) -> None:
    table, every = Counted(), Counted()

    async def story(house: House, live: Live) -> None:
        stream = live.follow(["table/craps-1", "players"])
        await until(stream, b"<b>0</b>")
        await asyncio.to_thread(register, house, "ann")
        await until(stream, b"<b>1</b>")
        assert (table.made, every.made) == (1, 2)
        await stream.aclose()

    run(tmp_path, {"table": table.region(touched=at_table), "players": every.region()}, story)


def test_nothing_is_followed_once_nobody_looks(tmp_path: Path) -> None:
    counted = Counted()

    async def story(house: House, live: Live) -> None:
        stream = live.follow(["players"])
        await until(stream, b"<b>0</b>")
        await stream.aclose()
        async with asyncio.timeout(30):
            while live.feed.following:
                await asyncio.sleep(0.01)
        await asyncio.to_thread(register, house, "ann")
        assert counted.made == 1

    run(tmp_path, {"players": counted.region()}, story)


def test_streams_end_when_the_house_closes(tmp_path: Path) -> None:
    async def story(house: House, live: Live) -> None:
        stream = live.follow(["players"])
        await until(stream, b"<b>0</b>")
        live.feed.close()
        async with asyncio.timeout(30):
            async for _ in stream:
                pass

    run(tmp_path, {"players": Counted().region()}, story)


def test_a_stream_ends_once_its_viewer_may_look_no_longer_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("house.console.live.HEARTBEAT_S", 60)  # so that no heartbeat comes before
    monkeypatch.setattr("house.console.live.PAUSE_S", 0.02)

    async def story(house: House, live: Live) -> None:
        keys = {person: admit(house, person, (Role.ADMIN,), 1, person)[1] for person in ("one", "two")}
        viewers = [Follower(person, key, frozenset({Scope.PIT_READ})) for person, key in keys.items()]
        gone, stays = (live.follow(["players"], by) for by in viewers)
        for stream in (gone, stays):
            await until(stream, b"<b>0</b>")
        await asyncio.to_thread(perform, house, LockPerson(person="one"), "lock")
        async with asyncio.timeout(30):
            assert [event async for event in gone] == []
        await asyncio.to_thread(register, house, "ann")
        await until(stays, b"<b>1</b>")
        await stays.aclose()

    run(tmp_path, {"players": Counted().region()}, story)


def test_a_part_that_cannot_be_made_is_logged_without_what_was_asked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(house: House, argument: str) -> dict[str, Any]:
        raise RuntimeError

    async def story(house: House, live: Live) -> None:
        stream = live.follow(["table/craps-1", "table/Ann Archer"])
        await anext(stream)
        await stream.aclose()

    run(tmp_path, {"table": Region(Scope.PIT_READ, "shell/standing.html", fails)}, story)
    said = [record.getMessage() for record in caplog.records if record.name == "floorman.console"]
    assert said == ["the part table/craps-1 could not be made", "the part table could not be made"]


def test_a_part_that_is_none_is_refused(tmp_path: Path) -> None:
    async def story(house: House, live: Live) -> None:
        with pytest.raises(Refused, match="no part of a page"):
            live.region("nothing/at-all")

    run(tmp_path, {}, story)
