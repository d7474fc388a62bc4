"""R16: sixty-four clients on a house with a short queue: turned away with 503, no stall, and well again at once."""

import time

import pytest

from tests.e2e.servers import Server
from tests.figures import Figure
from tests.soak.load import Client, furnish, pid_of, resident_mib, settle_aside

pytestmark = [pytest.mark.soak, pytest.mark.alone]

CLIENTS, SECONDS, QUEUE, MOST_GROWTH, RECOVERS_S = 64, 30.0, 8, 1.15, 5.0


@pytest.fixture(autouse=True)
def short_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOORMAN_STORE_QUEUE_LIMIT", str(QUEUE))
    monkeypatch.setenv("FLOORMAN_SERVER_REQUESTS_PER_S", "1000000")


@pytest.fixture
def bounded(short_queue: None, request: pytest.FixtureRequest) -> Server:
    """A server with the short queue."""
    served: Server = request.getfixturevalue("server")
    return served


def test_r16_too_many_clients_are_turned_away_and_the_house_is_well_afterwards(bounded: Server, figure: Figure) -> None:
    furnish(bounded, CLIENTS)
    settle_aside(bounded, "warm", CLIENTS, 5.0)
    before = resident_mib(pid_of(bounded))
    samples = settle_aside(bounded, "crowd", CLIENTS, SECONDS)
    ended = time.perf_counter()
    client = Client(bounded.port, bounded.key, "after")
    assert client.post("/players/p0/buy-ins", {"amount_minor": 1}) == 201
    recovered_s, after = time.perf_counter() - ended, resident_mib(pid_of(bounded))
    client.close()
    statuses = {status: sum(sample.status == status for sample in samples) for status in {s.status for s in samples}}
    figure(
        "R16",
        clients=CLIENTS,
        queue=QUEUE,
        answers={str(status): count for status, count in sorted(statuses.items())},
        memory_mib=[round(before), round(after)],
        recovered_ms=round(1000 * recovered_s),
    )
    assert set(statuses) <= {201, 429, 503}
    assert statuses.get(503, 0) > 0
    assert after <= MOST_GROWTH * before
    assert recovered_s <= RECOVERS_S
