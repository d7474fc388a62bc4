"""The migrations make the schema that the code expects, on both databases."""

from collections.abc import Iterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, text

from house.store import database, guards
from house.store.rows import Row


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    made = database.write_engine(database_url)
    database.upgrade(made)
    yield made
    made.dispose()


def test_the_migrated_schema_is_that_of_the_rows(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        differences = [one for one in compare_metadata(context, Row.metadata) if one[0] != "remove_table"]
    assert differences == []


def test_every_trigger_and_check_stands_after_the_migration(engine: Engine) -> None:
    with engine.connect() as connection:
        assert guards.missing(connection) == ()


def test_upgrading_again_changes_nothing(engine: Engine) -> None:
    with engine.connect() as connection:
        before = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    database.upgrade(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == before


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://u:secret@h/d"])
def test_a_database_of_another_kind_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="must be a SQLite file or PostgreSQL") as error:
        database.write_engine(url)
    assert "secret" not in str(error.value)
