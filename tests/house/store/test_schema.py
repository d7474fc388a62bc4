"""The migrations make the schema that the code expects, on both databases."""

from collections.abc import Iterator

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, text

from house.store import checks, database, guards
from house.store.rows import Row
from tests.house.old_schemas import due_foreign_keys, look, make, revisions


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


@pytest.mark.parametrize("revision", revisions()[:1])
def test_r19_an_older_schema_is_brought_up_to_date_and_keeps_its_rows_its_root_and_its_guards(
    database_url: str, revision: str
) -> None:
    engine = database.write_engine(database_url)
    make(engine, revision, rows=300)  # 10,000 in tests/soak, of every version
    before = look(engine)
    assert before.revision == revision
    database.upgrade(engine)
    after = look(engine)
    with engine.connect() as connection:
        broken = [one for one in checks.breaches(connection) if "floor" not in one.invariant]
    engine.dispose()
    assert after.revision == revisions()[-1]
    assert after.missing == ()
    assert after.foreign_keys == due_foreign_keys()
    assert (after.counts, after.frontier) == (before.counts, before.frontier)
    assert broken == []


def test_a_schema_of_a_newer_version_is_refused_and_left_alone(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ValueError, match=r"up to .* got 9999"):
        database.upgrade(engine)
    with engine.connect() as connection:
        assert database.revision(connection) == "9999"


def test_no_migration_goes_back(engine: Engine) -> None:
    with pytest.raises(AttributeError, match="downgrade"), engine.begin() as connection:
        command.downgrade(database.migrations(connection), "base")
    assert look(engine).revision == revisions()[-1]


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://u:secret@h/d"])
def test_a_database_of_another_kind_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="must be a SQLite file or PostgreSQL") as error:
        database.write_engine(url)
    assert "secret" not in str(error.value)
