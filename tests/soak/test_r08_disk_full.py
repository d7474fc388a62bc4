"""R8: a disk that is full at any of 20 points loses nothing that was answered, lets reads go on, and heals."""

from itertools import cycle
from typing import Any

import pytest
from sqlalchemy import event

from house.service import cage, reports, wagers
from house.service.desk import Command, StorageFull, perform
from house.service.throws import Throw, Thrown
from tests.figures import Figure
from tests.house.pits import Pit

pytestmark = pytest.mark.soak

POINTS = 20
EVENING: tuple[tuple[Command[Any], int], ...] = (
    (cage.BuyIn(player="ann", amount_minor=100), 100),
    (wagers.PlaceBets(table="c1", bets=(wagers.Bet(player="ann", bet="field", stake_minor=10_00),)), -10_00),
    (Throw(table="c1", dice=(Thrown(die="c1-d0", face=4), Thrown(die="c1-d1", face=5))), 20_00),
)
"""Commands, each with what it does to ann's wallet."""


def test_r8_a_disk_full_at_twenty_points_loses_nothing_and_heals(sqlite_pit: Pit, figure: Figure) -> None:
    sqlite_pit.open_craps()
    room: list[int] = []

    def bound(connection: Any, *_: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {room[-1] if room else pages + 2**20}")

    event.listen(sqlite_pit.house._write_engine, "checkout", bound)
    evening, due, done = cycle(EVENING), sqlite_pit.wallet("ann"), 0
    for point in range(POINTS):
        with sqlite_pit.house.read() as connection:
            room.append(int(connection.exec_driver_sql("PRAGMA page_count").scalar_one()) + point)
        while True:
            command, moved = next(evening)
            key = f"command-{done}"
            done += 1
            try:
                perform(sqlite_pit.house, command, key)
            except StorageFull:
                break
            due += moved
        assert sqlite_pit.wallet("ann") == due  # reads go on, and nothing is half done
        assert reports.trial_balance(sqlite_pit.house).difference_minor == 0
        room.clear()
        perform(sqlite_pit.house, command, key)
        due += moved
    assert sqlite_pit.wallet("ann") == due
    assert reports.check(sqlite_pit.house).discrepancies == ()
    figure("R8", points=POINTS, commands=done, acknowledged_lost=0)
