"""A server that is told to stop signs what it wrote; one that is killed goes on where its checkpoints allow."""

import signal
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from house.service import reports
from house.service.desk import inspect_house
from tests.e2e.servers import all_signed, sealing

GRACE_S = 10.0
"""What a stopping server gives to requests under way, as it is shipped; an open feed needs none of it."""


@pytest.mark.soak
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


@pytest.mark.soak
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
