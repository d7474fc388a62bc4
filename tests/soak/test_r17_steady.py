"""R17: half an hour at half of what the server can do: memory, the write-ahead log and the times stay as they were."""

from pathlib import Path

import pytest

from tests.e2e.servers import Server
from tests.figures import Figure
from tests.soak.load import furnish, percentile, pid_of, resident_mib, settle_aside

pytestmark = [pytest.mark.soak, pytest.mark.alone]

CLIENTS, MINUTES, WARM_S = 8, 30.0, 60.0
MOST_MEMORY, MOST_WAL_MIB, MOST_SLOWER = 1.10, 64.0, 1.5


@pytest.mark.timeout(int(60 * MINUTES) + 600)
def test_r17_half_an_hour_at_half_load_changes_nothing(server: Server, figure: Figure) -> None:
    furnish(server, CLIENTS)
    full = settle_aside(server, "full", CLIENTS, 10.0)
    pause_s = (
        2 * sum(sample.seconds for sample in full) / len(full)
    )  # a pause as long as its two requests: half the load
    settle_aside(server, "warm", CLIENTS, WARM_S, pause_s)
    memory, wal, pid = [resident_mib(pid_of(server))], [0.0], pid_of(server)
    log = Path(f"{server.database}-wal")

    def look() -> None:
        memory.append(resident_mib(pid))
        wal.append(log.stat().st_size / 2**20 if log.exists() else 0.0)

    seconds = 60 * MINUTES
    samples = settle_aside(server, "steady", CLIENTS, seconds, pause_s, every=(5.0, look))
    sixth = seconds / 6
    first = percentile([one for one in samples if one.at_s < sixth], 99)
    last = percentile([one for one in samples if one.at_s >= seconds - sixth], 99)
    figure(
        "R17",
        minutes=MINUTES,
        requests=len(samples),
        share_of_full_load=round(len(samples) / seconds / (len(full) / 10.0), 2),
        memory_mib=[round(memory[0]), round(max(memory)), round(memory[-1])],
        wal_mib=round(max(wal), 1),
        p99_ms=[round(1000 * first, 1), round(1000 * last, 1)],
    )
    assert {sample.status for sample in samples} == {201}
    assert memory[-1] <= MOST_MEMORY * memory[0]
    assert max(wal) <= MOST_WAL_MIB
    assert last <= MOST_SLOWER * first
