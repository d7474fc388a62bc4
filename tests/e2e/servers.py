"""A house as a real server process that can be killed and started again on the same database and port."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from house.app import open_settings
from house.demo import doors
from house.domain.people import Role
from house.service import evidence
from house.service.access import admit
from house.service.checkpoints import Sealing
from house.service.desk import inspect_house, perform
from house.service.equipment import RegisterEquipment
from house.settings import load_settings
from integrity.proof.notes import read_public_key
from tests.opened import Opened

START_S = 60
TABLES = 64
NAME = "floorman.example/history"


@dataclass
class Server:
    """`floorman serve` on a SQLite file and a port of its own."""

    database: Path
    port: int
    key: str = ""
    """A key of an admin's."""
    process: subprocess.Popen[str] | None = None

    def hire(self) -> None:
        """Make the key, and register the dice and boxes of the demo's tables and of those of `tests.soak.load`."""
        settings = load_settings(environment={}, options={"--database": f"sqlite:///{self.database}"})
        with open_settings(settings) as house:
            _, self.key = admit(house, "boss", (Role.ADMIN,), 30, "hire")
            dice, boxes = doors.pieces()
            dice += [f"d{table}-{slot}" for table in range(TABLES) for slot in range(2)]
            boxes += [f"b{table}" for table in range(TABLES)]
            perform(house, RegisterEquipment(dice=tuple(dice), boxes=tuple(boxes)), "hire-dice")

    def start(self) -> None:
        """Start the process and wait until it listens."""
        command = [sys.executable, "-m", "house.cli", "serve", "--json", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", f"sqlite:///{self.database}"],
            env={**os.environ, "FLOORMAN_LOG_LEVEL": "warning"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said, f"the server ended with code {self.process.wait()}"
        assert json.loads(said)["address"] == f"http://127.0.0.1:{self.port}"

    def end(self, how: signal.Signals) -> int:
        """Send a signal and wait for the end; the exit code."""
        assert self.process is not None
        assert self.process.stdout is not None
        os.kill(self.process.pid, how)
        code = self.process.wait(START_S)
        self.process.stdout.close()
        return code

    def restart_after_kill(self) -> None:
        """Kill -9 and start again."""
        self.end(signal.SIGKILL)
        self.start()


def sealing(server: Server) -> Sealing:
    """Where a server's history is signed."""
    return Sealing(place=server.database, name=NAME)


def all_signed(server: Server, folder: Path) -> int:
    """Export and verify the history, all of it under the last checkpoint; the number of its entries."""
    with inspect_house(f"sqlite:///{server.database}", sealing(server)) as house:
        count = evidence.export(house, folder)
    found = evidence.verify(folder, read_public_key(sealing(server).public.read_text()))
    assert (found.holds, found.check.proved, found.check.unproved) == (True, count, 0)
    return found.entries


@dataclass
class Journal:
    """What the house acknowledged to one client: path, key, body, and the bytes of the answer."""

    lines: list[tuple[str, str, bytes, bytes]] = field(default_factory=list)


class Stubborn:
    """A client that repeats a write with its key until it is answered, whatever happens to the server."""

    def __init__(self, server: Server, name: str, gone: threading.Event) -> None:
        self.port, self.key, self.name, self.gone = server.port, server.key, name, gone
        self.journal, self._asked = Journal(), 0
        self._connection: HTTPConnection | None = None

    def post(self, path: str, **body: Any) -> Any:
        """Write, and keep what was acknowledged."""
        self._asked += 1
        key, sent = f"{self.name}-{self._asked}", json.dumps(body).encode()
        while True:
            try:
                status, text = self.exchange("POST", path, sent, key)
            except (OSError, HTTPException):
                self.close()
                if self.gone.wait(0.05):
                    raise
                continue
            if status != 503:
                assert status == 201, (path, body, status, text)
                self.journal.lines.append((path, key, sent, text))
                return json.loads(text)

    def get(self, path: str) -> Any:
        """Read."""
        status, text = self.again("GET", path, None, None)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def again(self, method: str, path: str, body: bytes | None, key: str | None) -> tuple[int, bytes]:
        """One request and its answer, over a new connection if the server has let the old one go."""
        try:
            return self.exchange(method, path, body, key)
        except ConnectionError:
            self.close()
            return self.exchange(method, path, body, key)

    def exchange(self, method: str, path: str, body: bytes | None, key: str | None) -> tuple[int, bytes]:
        """One request and its answer."""
        if self._connection is None:
            self._connection = HTTPConnection("127.0.0.1", self.port, timeout=START_S)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}
        headers |= {"Idempotency-Key": key} if key else {}
        self._connection.request(method, f"/v1{path}", body, headers)
        response = self._connection.getresponse()
        return response.status, response.read()

    def close(self) -> None:
        """Let the connection go."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@pytest.fixture
def server(tmp_path: Path, opened: Opened) -> Iterator[Server]:
    """A running server on a house that was just opened."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = Server(opened(tmp_path), port)
    served.hire()
    served.start()
    yield served
    if served.process is not None and served.process.poll() is None:
        served.end(signal.SIGTERM)


@pytest.fixture
def stubborn(server: Server) -> Iterator[Any]:
    """Makes stubborn clients of the server by name."""
    gone = threading.Event()
    clients: list[Stubborn] = []

    def make(name: str) -> Stubborn:
        clients.append(Stubborn(server, name, gone))
        return clients[-1]

    yield make
    gone.set()
    for client in clients:
        client.close()
