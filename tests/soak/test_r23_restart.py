"""R23: a house with a million records is ready within ten seconds of its start, and checked whole within a minute."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from house.service import history
from house.service.checkpoints import Sealing
from house.service.desk import open_house
from house.store import records, tree
from house.store.unit_of_work import Unit
from integrity.proof.notes import Checkpoint
from integrity.proof.tree import root_at
from tests.figures import Figure

pytestmark = [pytest.mark.soak, pytest.mark.alone, pytest.mark.timeout(1800)]

RECORDS, GROUP = 1_000_000, 5_000
NAME = "floorman.example/history"
BODY = {
    "event": "sample", "faces": [3, 4], "states": ["ok", "ok"], "choice": None, "number": 17, "round": "c1-r17",
    "method": "hand", "box": None, "shooter": "ann", "source": "dealer", "stake_class": 2, "dice": ["c1-d0", "c1-d1"],
    "moved": [{"seq": 1, "wager": "c1-3", "player": "ann", "bet": "field", "result": "lost", "lost": 1500}],
}  # fmt: skip
"""As large as the record of a throw that settles a bet."""


def fill(database: Path) -> None:
    """Append records through the house's own writer, which signs them."""
    sealing = Sealing(place=database, name=NAME)

    def append(unit: Unit) -> None:
        with unit.savepoint():
            for _ in range(GROUP):
                records.append(unit, "user_event", None, BODY)

    with open_house(f"sqlite:///{database}", sealing=sealing) as house:
        for _ in range(RECORDS // GROUP):
            house.writer.submit(append).result()


def test_r23_a_million_records_are_ready_in_ten_seconds(tmp_path: Path, figure: Figure) -> None:
    database = tmp_path / "house.db"
    fill(database)
    command = [
        sys.executable,
        "-m",
        "house.cli",
        "serve",
        "--json",
        "--port",
        "0",
        "--database",
        f"sqlite:///{database}",
    ]
    before = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        ready_s = time.perf_counter() - before
        process.terminate()
    assert said
    sealing = Sealing(place=database, name=NAME)
    with open_house(f"sqlite:///{database}", sealing=sealing) as house, house.read() as connection:
        size = records.count(connection)
        assert size >= RECORDS
        signed = Checkpoint(NAME, size, root_at(size, tree.lookup(connection)))
        before_cpu = time.process_time()
        assert list(history.breaches(connection, [signed])) == []
        whole_s = time.process_time() - before_cpu
    figure("R23", records=size, ready_s=round(ready_s, 2), full_check_cpu_s=round(whole_s, 1))
    assert ready_s <= 10
    assert whole_s <= 60
