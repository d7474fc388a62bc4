"""Statements on the driver itself: the values, the counts and the errors are those of Core."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from house.domain.ledger import HOUSE_ACCOUNTS, AccountKind
from house.store import database, rows
from house.store.prepared import Prepared

ANSWER, ACCOUNT = rows.table(rows.AnswerRow), rows.table(rows.AccountRow)
LINES = [{"key": f"k{n}", "fingerprint": "f", "refused": n == 1, "body": "%s ?", "at_us": 2**40 + n} for n in range(3)]


@pytest.fixture
def connection(database_url: str) -> Iterator[Connection]:
    engine = database.write_engine(database_url)
    database.upgrade(engine)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


def test_rows_written_and_read_are_those_of_core(connection: Connection) -> None:
    one = select(ANSWER).where(ANSWER.c.key == bindparam("key"))
    assert Prepared(insert(ANSWER)).write(connection, *LINES) == 3
    for line in LINES:
        found = Prepared(one).first(connection, {"key": line["key"]})
        assert found._asdict() == line == connection.execute(one, {"key": line["key"]}).one()._asdict()
        assert type(found.refused) is bool
    assert Prepared(one).first(connection, {"key": "none"}) is None


def test_rows_that_a_condition_lets_be_are_not_counted(connection: Connection) -> None:
    names = [account.name for account in HOUSE_ACCOUNTS[:2]]
    one = {"kind": AccountKind.ASSET.value, "side": 1, "lowest": 0, "balance": 0}
    Prepared(insert(ACCOUNT)).write(connection, *({"name": name, **one} for name in names))
    change = update(ACCOUNT).where(ACCOUNT.c.name == bindparam("at")).values(balance=bindparam("new"))
    assert Prepared(change).write(connection, *({"at": name, "new": 5} for name in (names[0], "nobody"))) == 1


def test_an_error_of_the_driver_is_raised_as_that_of_core_without_the_values(connection: Connection) -> None:
    add = Prepared(insert(ANSWER))
    add.write(connection, LINES[0])
    with pytest.raises(IntegrityError) as raised:
        add.write(connection, LINES[0])
    assert str(LINES[0]["at_us"]) not in str(raised.value)
