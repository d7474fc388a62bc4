"""R18: a hundred follow the feed, some slow, all losing connections: no gap, no repeat, and settling goes on."""

import json
from http.client import HTTPConnection

import pytest

from tests.e2e.servers import Server
from tests.figures import Figure
from tests.soak.followers import following, one_process
from tests.soak.load import furnish, percentile, settle_aside

pytestmark = [pytest.mark.soak, pytest.mark.alone]

FOLLOWERS, EVENTS, CLIENTS = 100, 10_000, 8
MOST_SLOWER = 2.0
"""Greatest ratio of the times with followers to those without. The clients, the followers and the server share this
machine's processors, so that it holds what the followers' own process takes from the server too."""


def records(server: Server) -> int:
    """Records of the history."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {server.key}"})
    text = connection.getresponse().read().decode()
    connection.close()
    return int(
        float(next(line for line in text.splitlines() if line.startswith("floorman_history_records")).split()[1])
    )


def test_r18_a_hundred_followers_miss_nothing_and_hold_up_nobody(server: Server, figure: Figure) -> None:
    furnish(server, CLIENTS)
    pause_s = 0.1  # well under what the server can do, so that times are its own and not the queue's
    settle_aside(server, "warm", CLIENTS, 5.0, pause_s)
    alone = settle_aside(server, "alone", CLIENTS, 30.0, pause_s)
    after = records(server) - 1
    with one_process() as pool:
        asked = following(pool, server.port, server.key, FOLLOWERS, after, after + EVENTS)
        watched = settle_aside(server, "watched", CLIENTS, 30.0, pause_s)
        turn = 0
        while records(server) <= after + EVENTS:
            turn += 1
            settle_aside(server, f"more-{turn}", CLIENTS, 20.0)
        heard = asked.get(300)
    due = list(range(after + 1, after + EVENTS + 1))
    wrong = [one for one in heard if one.numbers != due]
    p99 = percentile(alone, 99), percentile(watched, 99)
    p50 = percentile(alone, 50), percentile(watched, 50)
    figure(
        "R18",
        followers=FOLLOWERS,
        events=EVENTS,
        returns=sum(one.returns for one in heard),
        gaps_or_repeats=len(wrong),
        p50_ms=[round(1000 * one, 1) for one in p50],
        p99_ms=[round(1000 * one, 1) for one in p99],
    )
    assert not wrong, json.dumps([one.numbers[:10] for one in wrong[:3]])
    assert len(heard) == FOLLOWERS
    assert p50[1] <= MOST_SLOWER * p50[0]
