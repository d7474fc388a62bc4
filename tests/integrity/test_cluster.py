"""The tallies on a real cluster: worker processes count the files of a log, and one of them is killed at work."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from distributed import Client, LocalCluster

from integrity.audit import audit
from integrity.cluster import count_files
from integrity.errors import ReadError
from integrity.findings import Verdict
from integrity.paths import paths

TABLES, THROWS = 6, 4000


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Start two worker processes and a scheduler on this machine."""
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write a file a table: two dice of its own, and a loaded one that visits the tables 2 and 3; one row cannot be."""
    folder, rng = tmp_path_factory.mktemp("log"), np.random.default_rng(15)
    paths = []
    for table in range(TABLES):
        faces = rng.integers(1, 7, (THROWS, 2))
        if table in (2, 3):
            faces[:, 0] = rng.choice(6, THROWS, p=[0.14] * 5 + [0.3]) + 1
        first = "L" if table in (2, 3) else f"a{table}"
        rows = [
            f"{throw},T{table},{slot},{die},{face}\n"
            for throw, pair in enumerate(faces.tolist())
            for slot, (die, face) in enumerate(zip((first, f"b{table}"), pair, strict=True))
        ]
        path = folder / f"T{table}.csv"
        wrong = f"{THROWS},T{table},0,b{table},9\n" if table == 4 else ""
        path.write_text("throw,table,slot,die,face\n" + "".join(rows) + wrong, encoding="utf-8")
        paths.append(path)
    return paths


def test_a_worker_killed_at_work_costs_time_and_no_row(client: Client, files: list[Path], tmp_path: Path) -> None:
    whole = tmp_path / "log.csv"
    head, *_ = files[0].read_text().splitlines(keepends=True)
    whole.write_text(head + "".join(path.read_text().split("\n", 1)[1] for path in files), encoding="utf-8")
    alone = audit(whole)

    before = client.run(os.getpid)
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(count_files, client, files)
        while not (busy := [worker for worker, tasks in client.processing().items() if tasks]):
            assert not counting.done()
            time.sleep(0.01)
        os.kill(before[busy[0]], signal.SIGKILL)
        counted = counting.result(timeout=60)
    assert set(client.run(os.getpid).values()) != set(before.values())

    found = audit(counted)
    assert {(each.kind, each.id) for each in found.accused} == {("die", "L")}
    assert [each.record() for each in found.findings[:-1]] == [each.record() for each in alone.findings[:-1]]
    assert found.findings[-1].verdict is alone.findings[-1].verdict is Verdict.NOT_SHOWN
    for name in ("throws", "dice", "refused", "void", "missing", "notes", "verdict"):
        assert getattr(found, name) == getattr(alone, name)
    for one, other in zip(paths(found), paths(alone), strict=True):
        assert (one.name, one.bar, one.throws.tolist()) == (
            other.name,
            other.bar,
            other.throws.tolist(),
        )
        assert one.log10_evalues == pytest.approx(other.log10_evalues, abs=1e-9)
    assert found.refusals == (f"T4.csv, line {2 * THROWS + 2}: face must be 1 to 6, got '9'",)


def test_the_log_is_named_by_its_files_and_known_by_the_hash_of_their_hashes(client: Client, files: list[Path]) -> None:
    counted = count_files(client, files[:2])
    assert counted.name == "T0.csv and 1 more"
    assert [name for name, _ in counted.files] == ["T0.csv", "T1.csv"]
    assert counted.sha256 not in {None, *(digest for _, digest in counted.files)}


def test_a_file_that_cannot_be_read_is_told_as_on_one_machine(client: Client, files: list[Path]) -> None:
    with pytest.raises(ReadError, match="log must be a file"):
        count_files(client, [files[0], files[0].with_name("missing.csv")])


def test_a_log_of_no_files_is_refused(client: Client) -> None:
    with pytest.raises(ReadError, match="paths must name at least one file, got none"):
        count_files(client, [])
