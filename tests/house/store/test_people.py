"""The second line about people: triggers and CHECKs refuse what our code would never write, on both databases."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from house.store import database

PEOPLE = (
    "INSERT INTO person VALUES ('p', 'n', 's', 'dealer', NULL, 0, FALSE, 0, 0, 1)",
    f"INSERT INTO api_key VALUES ('k', 'p', '{'0' * 64}', 'pit:read', 1, 2, 2, NULL)",
    "INSERT INTO approval VALUES ('a', 1)",
)
REFUSED = {
    "a person deleted": "DELETE FROM person",
    "a person with another id": "UPDATE person SET id = 'q'",
    "the house as a person": "INSERT INTO person VALUES ('house', 'n', 's', 'dealer', NULL, 0, FALSE, 0, 0, 1)",
    "a password that is not hashed": "UPDATE person SET password = 'ankle deep in chips'",
    "a generation before the first": "UPDATE person SET generation = -1",
    "less than no failures": "UPDATE person SET failures = -1",
    "a key deleted": "DELETE FROM api_key",
    "a key with another secret": f"UPDATE api_key SET digest = '{'1' * 64}'",
    "a key with more scopes": "UPDATE api_key SET scopes = 'people:write'",
    "a key that lives longer": "UPDATE api_key SET expires_us = 3",
    "a key of somebody else": "UPDATE api_key SET person = 'q'",
    "a key no longer revoked": "UPDATE api_key SET revoked_us = NULL",
    "a key of nobody": f"INSERT INTO api_key VALUES ('l', 'x', '{'0' * 64}', '', 1, 2, NULL, NULL)",
    "a key whose digest is short": "INSERT INTO api_key VALUES ('l', 'p', '00', '', 1, 2, NULL, NULL)",
    "a key that never lived": f"INSERT INTO api_key VALUES ('l', 'p', '{'0' * 64}', '', 2, 2, NULL, NULL)",
    "an approval forgotten": "DELETE FROM approval",
    "an approval used again": "INSERT INTO approval VALUES ('a', 2)",
}


@pytest.fixture
def engine(migrated_url: str) -> Iterator[Engine]:
    made = database.write_engine(migrated_url)
    with made.begin() as connection:
        for statement in PEOPLE:
            connection.execute(text(statement))
    yield made
    made.dispose()


def test_the_database_itself_refuses(engine: Engine) -> None:
    taken = []
    for what, statement in REFUSED.items():
        try:
            with engine.begin() as connection:
                connection.execute(text(statement))
        except (IntegrityError, DBAPIError):
            continue
        taken.append(what)
    assert taken == []


def test_what_our_code_writes_is_taken(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE person SET locked = TRUE, failures = 3, retry_us = 5, generation = 1"))
        connection.execute(text("UPDATE api_key SET used_us = 3"))
