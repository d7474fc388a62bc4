"""A hundred look at a live table: what a settlement costs the server in processor time is hardly more."""

import json
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest

from tests.e2e.servers import Server
from tests.figures import Figure
from tests.soak.load import cpu_s, furnish, pid_of, settle_aside
from tests.soak.viewers import Viewers

pytestmark = [pytest.mark.soak, pytest.mark.alone]

VIEWERS, CLIENTS, SECONDS, TURNS = 100, 2, 15.0, 3
MOST = 1.2
"""Greatest ratio of processor time for a settlement with viewers to that without."""
PASSWORD = "a hundred pairs of eyes"
PARTS = urlencode([("part", "craps-seen/t0"), ("part", "craps-glance/t0"), ("part", "standing")])


def session(server: Server) -> str:
    """The cookie of somebody who is signed in."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.key}", "Idempotency-Key": "eyes"}
    person = {"person": "eyes", "name": "Eyes", "roles": ["surveillance"], "password": PASSWORD}
    connection.request("POST", "/v1/people", json.dumps(person), headers)
    answer = connection.getresponse()
    assert answer.status == 201, answer.read()
    answer.read()
    connection.request(
        "POST",
        "/v1/tokens",
        urlencode({"username": "eyes", "password": PASSWORD}),
        {"Content-Type": "application/x-www-form-urlencoded"},
    )
    token = json.loads(connection.getresponse().read())["access_token"]
    connection.close()
    return f"floorman-session-{server.port}={token}"


def cost_s(server: Server, name: str) -> float:
    """Processor seconds of the server for each request of busy tables."""
    began = cpu_s(pid_of(server))
    samples = settle_aside(server, name, CLIENTS, SECONDS)
    return (cpu_s(pid_of(server)) - began) / len(samples)


def test_a_hundred_viewers_of_a_live_table_cost_a_settlement_little(server: Server, figure: Figure) -> None:
    furnish(server, CLIENTS)
    cookie = session(server)
    cost_s(server, "warm")
    alone: list[float] = []
    watched: list[float] = []
    for turn in range(TURNS):  # by turns, so that what else the machine does falls on both
        alone.append(cost_s(server, f"alone-{turn}"))
        with Viewers(server.port, cookie, PARTS, VIEWERS) as viewers:
            watched.append(cost_s(server, f"watched-{turn}"))
        assert len(viewers.came) == VIEWERS
        assert min(viewers.came) > 10_000, "each saw the table, and saw it change"
    ratio = sum(watched) / sum(alone)
    figure(
        "viewers",
        viewers=VIEWERS,
        cpu_ms_alone=[round(1000 * one, 2) for one in alone],
        cpu_ms_watched=[round(1000 * one, 2) for one in watched],
        ratio=round(ratio, 3),
        most=MOST,
    )
    assert ratio <= MOST
