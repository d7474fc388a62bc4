"""Viewers of live pages, from a process of their own: each holds a stream of parts open and reads what comes."""

import asyncio
import threading
from multiprocessing import get_context
from typing import Any

START_S = 60.0


async def _view(port: int, cookie: str, parts: str, until: asyncio.Event) -> int:
    """Read a stream until it is enough; bytes that came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /live?{parts} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), START_S)
    assert head.startswith(b"HTTP/1.1 200"), head[:200]
    came = 0
    enough = asyncio.ensure_future(until.wait())
    while not enough.done():
        read = asyncio.ensure_future(reader.read(1 << 16))
        await asyncio.wait((read, enough), return_when=asyncio.FIRST_COMPLETED)
        if not read.done():
            read.cancel()
            break
        came += len(read.result())
        if not read.result():
            break
    writer.close()
    return came


def _view_all(port: int, cookie: str, parts: str, count: int, pipe: Any) -> None:
    async def everybody() -> list[int]:
        until, loop = asyncio.Event(), asyncio.get_running_loop()
        threading.Thread(target=lambda: (pipe.recv(), loop.call_soon_threadsafe(until.set)), daemon=True).start()
        return await asyncio.gather(*(_view(port, cookie, parts, until) for _ in range(count)))

    pipe.send(asyncio.run(everybody()))


class Viewers:
    """So many viewers of some parts, as a context manager.

    Attributes
    ----------
    came
        Bytes that each of them got, once they have left.
    """

    def __init__(self, port: int, cookie: str, parts: str, count: int) -> None:
        context = get_context("spawn")
        self._pipe, self._theirs = context.Pipe()
        self._process = context.Process(target=_view_all, args=(port, cookie, parts, count, self._theirs))
        self.came: list[int] = []

    def __enter__(self) -> "Viewers":
        self._process.start()
        self._theirs.close()  # so that a process that dies is heard of
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.send("enough")
        self.came = self._pipe.recv()
        self._process.join()
