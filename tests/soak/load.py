"""Load on a real server, from a process of its own: bets and throws that settle them, each client at its own table."""

import json
import os
import random
import socket
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from typing import Any

from tests.e2e.servers import Server

TIMEOUT_S = 120
CLOCK_HZ = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """One request: when it was asked, in seconds from the beginning, how long it took, how it was answered."""

    at_s: float
    seconds: float
    status: int


class Client:
    """One connection; every write under a key of its own, repeated while the house is busy if it is told to.

    It speaks to the socket itself: what the asking costs on the other half of the same core would count against the
    house.
    """

    def __init__(self, port: int, key: str, name: str) -> None:
        self._port, self._key, self._name, self._asked = port, key, name, 0
        self._socket: socket.socket | None = None
        self.samples: list[Sample] = []

    def post(self, path: str, body: dict[str, Any], began_s: float = 0.0, *, patient: bool = True) -> int:
        """Write; the last status."""
        self._asked += 1
        content = json.dumps(body).encode()
        head = (
            f"POST /v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self._key}\r\nIdempotency-Key: {self._name}-{self._asked}\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        request = head.encode() + content
        while True:
            asked_s = time.perf_counter()
            try:
                status = self._ask(request)
            except OSError:
                self.close()
                continue
            self.samples.append(Sample(asked_s - began_s, time.perf_counter() - asked_s, status))
            if status not in (429, 503) or not patient:
                return status
            time.sleep(0.05)

    def _ask(self, request: bytes) -> int:
        """Send a request and read its answer to the end; its status."""
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), timeout=TIMEOUT_S)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        answer = self._more(b"")
        while (end := answer.find(b"\r\n\r\n")) < 0:
            answer = self._more(answer)
        head = answer[:end].lower()
        length = int(head.partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0])
        while len(answer) < end + 4 + length:
            answer = self._more(answer)
        if b"\r\nconnection: close" in head:
            self.close()
        return int(head[9:12])

    def _more(self, read: bytes) -> bytes:
        assert self._socket is not None
        more = self._socket.recv(65536)
        if not more:
            raise ConnectionResetError
        return read + more

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def furnish(server: Server, tables: int) -> None:
    """Open craps tables `t0`, `t1`, ... with a player `p0`, `p1`, ... at each, and dice that the server has."""
    with closing(Client(server.port, server.key, "furnish")) as client:

        def done(path: str, **body: Any) -> None:
            assert client.post(path, body) == 201, (path, body)

        done("/funds", amount_minor=10**12)
        for number in range(tables):
            table, player, dice = f"t{number}", f"p{number}", [f"d{number}-0", f"d{number}-1"]
            done("/players", player=player, name=f"Player {number}")
            done(f"/players/{player}/buy-ins", amount_minor=10**10)
            opening = {"game": "craps", "schedule": "strip-345x", "opener_minor": 10**9, "method": "hand"}
            done("/tables", table=table, dice=dice, **opening)
            done(f"/tables/{table}/rail", player=player)


def settle(port: int, key: str, name: str, *, clients: int, seconds: float, pause_s: float = 0.0) -> list[Sample]:
    """Let clients bet and throw for so many seconds; what each request took."""
    began_s = time.perf_counter()

    def play(number: int) -> list[Sample]:
        rng = random.Random(f"{name}-{number}")
        client = Client(port, key, f"{name}-{number}")
        table, player = f"t{number}", f"p{number}"
        while time.perf_counter() - began_s < seconds:
            if pause_s:
                time.sleep(rng.uniform(0, 2 * pause_s))
            bets = [{"player": player, "bet": bet, "stake_minor": 15_00} for bet in ("field", "any_seven")]
            client.post(f"/tables/{table}/bets", {"bets": bets}, began_s)
            faces = [{"die": f"d{number}-{slot}", "face": rng.randint(1, 6)} for slot in range(2)]
            client.post(f"/tables/{table}/throws", {"dice": faces}, began_s)
        client.close()
        return client.samples

    with ThreadPoolExecutor(clients) as pool:
        return [sample for samples in pool.map(play, range(clients)) for sample in samples]


def settle_aside(
    server: Server,
    name: str,
    clients: int,
    seconds: float,
    pause_s: float = 0.0,
    *,
    every: tuple[float, Callable[[], object]] = (1.0, lambda: None),
) -> list[Sample]:
    """The same from another process; `every` so many seconds something is called meanwhile, at a steady pace."""
    every_s, call = every
    with get_context("spawn").Pool(1) as pool:
        pool.apply(loop_s)  # the process is there
        asked = pool.apply_async(
            settle, (server.port, server.key, name), {"clients": clients, "seconds": seconds, "pause_s": pause_s}
        )
        due_s = time.perf_counter()
        while not asked.ready():
            due_s += every_s
            asked.wait(max(0.0, due_s - time.perf_counter()))
            call()
        return asked.get()


def percentile(samples: list[Sample], which: int) -> float:
    """A percentile of the times, in seconds."""
    return quantiles((sample.seconds for sample in samples), n=100)[which - 1]


def cpu_s(pid: int) -> float:
    """Processor seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_HZ


def loop_s() -> float:
    """Processor seconds that a fixed loop takes here and now: how fast the core is that it gets."""
    began = time.process_time()
    sum(range(200_000))
    return time.process_time() - began


def resident_mib(pid: int) -> float:
    """Memory that a process holds, MiB."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) / 1024


def commits_per_s(folder: Path, seconds: float = 2.0) -> float:
    """Durable commits that SQLite makes in a second in a folder, each of one row, now."""
    with closing(sqlite3.connect(folder / "rate.db", isolation_level=None)) as connection:
        connection.executescript(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t (a);"
        )
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO t VALUES (1)")
            connection.execute("COMMIT")
            count += 1
        return count / (time.perf_counter() - began)


def pid_of(server: Server) -> int:
    assert server.process is not None
    return server.process.pid
