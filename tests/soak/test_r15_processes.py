"""R15's and R2's part on PostgreSQL: what one process writes in a second, and what four do, losing connections."""

import pytest
from sqlalchemy import text

from house.service import reports
from house.service.desk import inspect_house
from tests.figures import Figure
from tests.house.pits import drop_database, new_database
from tests.house.writers import write_at_once

pytestmark = [pytest.mark.soak, pytest.mark.alone]

COUNT = 2000


def test_four_processes_take_turns_and_lose_nothing_however_often_connections_are_ended(
    postgresql_server: str, figure: Figure
) -> None:
    speeds = {}
    for processes, kills in ((1, 0), (4, 0), (4, 10)):
        url = new_database(postgresql_server)
        told = write_at_once(url, processes, COUNT // processes, kills)
        acknowledged = {key for keys, _ in told for key in keys}
        with inspect_house(url) as house, house.read() as connection:
            answered = set(connection.execute(text("SELECT key FROM answer")).scalars())
            checked = reports.check(house)
        drop_database(url)
        assert acknowledged <= answered
        assert checked.records == len(answered)
        assert checked.discrepancies == ()
        speeds[processes, kills] = sum(speed for _, speed in told)
    figure(
        "R15p",
        commands=COUNT,
        one_process_per_s=round(speeds[1, 0]),
        four_processes_per_s=round(speeds[4, 0]),
        four_losing_ten_connections_per_s=round(speeds[4, 10]),
        acknowledged_lost=0,
    )
