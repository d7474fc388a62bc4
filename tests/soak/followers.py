"""Followers of the feed, from a process of their own: they lose connections, are slow, come back where they were."""

import asyncio
import random
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult, Pool
from typing import Any

LINE_S = 60.0


@dataclass
class Heard:
    """What one follower heard: the numbers of the records, and how often it came back."""

    numbers: list[int] = field(default_factory=list)
    returns: int = 0


async def _follow(port: int, key: str, heard: Heard, span: tuple[int, int], number: int) -> None:
    """Follow until the last record; drop the connection now and then, and go on after the last id."""
    after, last = span
    rng, slow = random.Random(number), number % 10 == 0
    while after < last:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = (
            f"GET /v1/feed HTTP/1.1\r\nHost: house\r\nAuthorization: Bearer {key}\r\nLast-Event-ID: {after}\r\n\r\n"
        )
        writer.write(request.encode())
        left, told = rng.randrange(500, 3000), False
        try:
            while after < last and left:
                line = await asyncio.wait_for(reader.readline(), LINE_S)
                if not line:
                    break
                name, _, value = line.decode().rstrip("\r\n").partition(": ")
                if name == "data":
                    told = True
                elif name == "id":
                    after = int(value)
                    if told:
                        heard.numbers.append(after)
                        left, told = left - 1, False
                    if slow and rng.random() < 0.02:
                        await asyncio.sleep(rng.uniform(0.05, 0.5))
        finally:
            heard.returns += 1
            writer.close()


def follow_all(port: int, key: str, count: int, after: int, last: int) -> list[Heard]:
    """Let so many follow from one record to another; every tenth of them is slow."""

    async def all_of_them() -> list[Heard]:
        heard = [Heard() for _ in range(count)]
        async with asyncio.TaskGroup() as group:
            for number, one in enumerate(heard):
                group.create_task(_follow(port, key, one, (after, last), number))
        return heard

    return asyncio.run(all_of_them())


def following(pool: Pool, *asked: Any) -> "AsyncResult[list[Heard]]":
    """Begin in another process."""
    return pool.apply_async(follow_all, asked)


def one_process() -> Pool:
    """A process for followers."""
    return get_context("spawn").Pool(1)
