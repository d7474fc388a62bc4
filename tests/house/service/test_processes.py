"""Several processes write to one house on PostgreSQL; connections are lost in the middle of it."""

from sqlalchemy import text

from house.service import reports
from house.service.desk import inspect_house
from tests.house.writers import write_at_once

COUNT = 200


def test_two_processes_write_at_once_and_lose_connections_but_nothing_acknowledged(postgresql_url: str) -> None:
    told = write_at_once(postgresql_url, processes=2, count=COUNT, kills=2)
    acknowledged = {key for keys, _ in told for key in keys}
    with inspect_house(postgresql_url) as house, house.read() as connection:
        answered = set(connection.execute(text("SELECT key FROM answer")).scalars())
        money = connection.execute(text("SELECT balance FROM account WHERE name = 'cage:vault'")).scalar_one()
        checked = reports.check(house)
    assert len(acknowledged) == 2 * COUNT  # every lost connection was made again within the writer's patience
    assert acknowledged <= answered
    assert money == len(answered)  # each key once
    assert checked.discrepancies == ()  # dense numbers, sums of 0, one tree
    assert checked.records == len(answered)
