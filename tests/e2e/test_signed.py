"""A server that is told to stop signs what it wrote; one that is killed goes on where its checkpoints allow."""

import signal
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from house.service import evidence, reports
from house.service.checkpoints import Sealing
from house.service.desk import inspect_house
from integrity.proof.notes import read_public_key

NAME = "floorman.example/history"
GRACE_S = 10.0
"""What a stopping server gives to requests under way, as it is shipped; an open feed needs none of it."""


def sealing(server: Any) -> Sealing:
    return Sealing(place=server.database, name=NAME)


def all_signed(server: Any, folder: Path) -> int:
    """Export and verify the history, all of it under the last checkpoint; the number of its entries."""
    with inspect_house(f"sqlite:///{server.database}", sealing(server)) as house:
        count = evidence.export(house, folder)
    found = evidence.verify(folder, read_public_key(sealing(server).public.read_text()))
    assert (found.holds, found.check.proved, found.check.unproved) == (True, count, 0)
    entries: int = found.entries
    return entries


def test_a_server_that_is_told_to_stop_leaves_nothing_unsigned_and_ends_its_feeds_at_once(
    server: Any, stubborn: Any, tmp_path: Path
) -> None:
    client = stubborn("house")
    for _ in range(3):
        client.post("/funds", amount_minor=100)
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/v1/feed", headers={"Authorization": f"Bearer {server.key}"})
    answer = connection.getresponse()
    assert answer.status == 200
    first = answer.readline()
    began = time.monotonic()
    assert server.end(signal.SIGTERM) == 0
    assert time.monotonic() - began < GRACE_S
    assert (first + answer.read()).endswith(b"\n\n")  # it ended, and no event was cut off
    connection.close()
    assert all_signed(server, tmp_path / "out") == 3


def test_a_server_that_is_killed_between_checkpoints_opens_again_and_signs_on(
    server: Any, stubborn: Any, tmp_path: Path
) -> None:
    client = stubborn("house")
    client.post("/funds", amount_minor=100)
    server.restart_after_kill()
    client.post("/funds", amount_minor=100)
    assert client.get("/funds")["vault_minor"] == 200
    assert server.end(signal.SIGINT) == 0
    with inspect_house(f"sqlite:///{server.database}", sealing(server)) as house:
        assert reports.check(house).discrepancies == ()
    assert all_signed(server, tmp_path / "out") == 2
