"""Sums in halves are those of Python, on both databases, and beyond what a plain sum holds."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, create_engine, text

from house.store.sums import halves, joined

GREATEST = 2**53 - 1


@pytest.fixture
def connection(database_url: str) -> Iterator[Connection]:
    engine = create_engine(database_url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.mark.parametrize("amounts", [[-1], [-(2**32)], [2**32 - 1, 1], [GREATEST, -GREATEST], [-GREATEST, 3]])
def test_halves_join_to_the_sum(connection: Connection, amounts: list[int]) -> None:
    lines = " UNION ALL ".join(f"SELECT CAST({amount} AS BIGINT) AS amount" for amount in amounts)
    row = connection.execute(text(f"SELECT {halves('amount', 'found')} FROM ({lines}) AS line")).one()
    assert joined(row, "found") == sum(amounts)


@pytest.mark.parametrize("amount", [GREATEST, -GREATEST])
def test_a_sum_may_be_beyond_an_integer_of_the_database(connection: Connection, amount: int) -> None:
    many = "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 2048)"
    found = halves(f"CAST({amount} AS BIGINT)", "found")
    row = connection.execute(text(f"{many} SELECT {found} FROM many")).one()
    assert joined(row, "found") == 2048 * amount


def test_nothing_sums_to_0(connection: Connection) -> None:
    nothing = "(SELECT CAST(1 AS BIGINT) AS amount) AS line WHERE amount > 1"
    row = connection.execute(text(f"SELECT {halves('amount', 'found')} FROM {nothing}")).one()
    assert joined(row, "found") == 0
