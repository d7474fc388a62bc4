"""R20: a copy every five seconds under load, twenty of them, each restored and verified."""

import time
from pathlib import Path

import pytest

from house.service import reports
from house.service.backup import backup, restore
from house.service.checkpoints import Sealing
from house.service.desk import inspect_house
from tests.e2e.servers import Server
from tests.figures import Figure
from tests.soak.load import furnish, settle_aside

pytestmark = [pytest.mark.soak, pytest.mark.alone]

COPIES, EVERY_S, CLIENTS = 20, 5.0, 4
NAME = "floorman.example/history"


@pytest.mark.timeout(1200)
def test_r20_twenty_copies_under_load_are_houses_that_hold(server: Server, tmp_path: Path, figure: Figure) -> None:
    furnish(server, CLIENTS)
    sealing = Sealing(place=server.database, name=NAME)
    copies: list[tuple[Path, int]] = []
    took: list[float] = []

    def copy() -> None:
        if len(copies) < COPIES:
            file = tmp_path / "copies" / f"house-{len(copies)}.copy"
            began = time.perf_counter()
            copies.append((file, backup(f"sqlite:///{server.database}", sealing, file)))
            took.append(time.perf_counter() - began)

    samples = settle_aside(server, "load", CLIENTS, COPIES * EVERY_S + 20, every=(EVERY_S, copy))
    sound = 0
    for number, (file, records) in enumerate(copies):
        there = tmp_path / "restored" / str(number)
        url = f"sqlite:///{there / 'house.db'}"
        assert restore(file, url, Sealing(place=there / "house.db", name=NAME)) == ()
        with inspect_house(url) as house:
            checked = reports.check(house)
        sound += (checked.records, checked.discrepancies) == (records, ())
    counts = [records for _, records in copies]
    figure(
        "R20",
        copies=len(copies),
        sound=sound,
        requests_meanwhile=len(samples),
        records=[counts[0], counts[-1]],
        seconds_a_copy=round(max(took), 2),
    )
    assert counts == sorted(set(counts))  # each of another moment
    assert (len(copies), sound) == (COPIES, COPIES)
