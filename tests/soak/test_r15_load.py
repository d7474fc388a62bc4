"""R15: eight clients bet and settle for a minute; judged by processor and by ratios, beside the disk's own commits.

The limit of processor is for a quiet core, and the clients are not quiet: they keep the other half of the same core
busy. So what a request takes is measured a second time with all of them on one processor, where the other half rests;
and a fixed loop is timed beside, at its fastest before and on average meanwhile, for what others do on the machine:
what was taken is brought to the fastest by their ratio. What was taken as it stands is in the figure too.
"""

from pathlib import Path
from statistics import fmean

import pytest

from tests.e2e.servers import Server
from tests.figures import Figure
from tests.soak.load import commits_per_s, cpu_s, furnish, loop_s, one_processor, percentile, pid_of, settle_aside

pytestmark = [pytest.mark.soak, pytest.mark.alone]

CLIENTS, SECONDS, ALONE_S = 8, 60.0, 20.0
MOST_CPU_MS, MOST_RATIO, LEAST_PER_S, FAST_DISK_PER_S = 3.0, 12.0, 150.0, 1000.0


def test_r15_a_minute_of_settling(server: Server, tmp_path: Path, figure: Figure) -> None:
    furnish(server, CLIENTS)
    settle_aside(server, "warm", CLIENTS, 3.0)
    pid, quiet_s, busy_s = pid_of(server), min(loop_s() for _ in range(300)), list[float]()
    before_per_s, cpu = commits_per_s(tmp_path), cpu_s(pid)
    samples = settle_aside(server, "load", CLIENTS, SECONDS)
    cpu_ms = 1000 * (cpu_s(pid) - cpu) / len(samples)
    per_s, commits = len(samples) / SECONDS, (before_per_s + commits_per_s(tmp_path)) / 2
    with one_processor(pid):
        cpu = cpu_s(pid)
        alone = settle_aside(server, "alone", CLIENTS, ALONE_S, every=(0.5, lambda: busy_s.append(loop_s())))
        quiet_ms = 1000 * (cpu_s(pid) - cpu) / len(alone) * quiet_s / fmean(busy_s)
    p50, p99 = percentile(samples, 50), percentile(samples, 99)
    figure(
        "R15",
        clients=CLIENTS,
        requests_per_s=round(per_s),
        cpu_ms_per_request=round(cpu_ms, 2),
        cpu_ms_per_request_on_a_quiet_core=round(quiet_ms, 2),
        p50_ms=round(1000 * p50, 1),
        p99_ms=round(1000 * p99, 1),
        raw_commits_per_s=round(commits),
    )
    assert {sample.status for sample in (*samples, *alone)} == {201}
    assert quiet_ms <= MOST_CPU_MS
    assert p99 <= MOST_RATIO * p50
    assert per_s >= LEAST_PER_S or commits < FAST_DISK_PER_S
