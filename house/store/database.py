"""Connections to the two databases, and the schema brought up to date."""

from functools import cache
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, make_url, text

from house.store import guards

_PRAGMAS = {"foreign_keys": 1, "recursive_triggers": 1, "trusted_schema": 0, "busy_timeout": 10_000, "synchronous": 2}
"""What every SQLite connection is set to, and must then report; synchronous 2 is FULL."""

_OPTIONS = tuple(
    f"-c {name}={value}"
    for name, value in {
        "synchronous_commit": "on",
        "lock_timeout": "10s",
        "idle_in_transaction_session_timeout": "60s",
        "default_transaction_isolation": r"read\ committed",
    }.items()
)
"""What every PostgreSQL connection is set to: durable commits, and no process that hangs keeps the others out."""

MIGRATIONS = Path(__file__).parent / "migrations"

WRITER_LOCK = 0x666C6F6F72
"""Advisory lock of PostgreSQL that the writers of one house take in turn."""


def write_engine(url: str) -> Engine:
    """Make the engine of the single writer: every transaction of it locks at its beginning.

    Raises
    ------
    ValueError
        For a database that is neither a SQLite file nor PostgreSQL.
    """
    engine = _engine(url, pool_size=1, max_overflow=1)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "begin", _begin_immediate)
    else:
        event.listen(engine, "begin", _take_lock)
    return engine


def read_engine(url: str) -> Engine:
    """Make an engine whose transactions see one state of the database and cannot write."""
    engine = _engine(url, pool_size=8, max_overflow=40)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _query_only)
        event.listen(engine, "begin", _begin)
        return engine
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _engine(url: str, pool_size: int, max_overflow: int) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() == "postgresql":
        args = {"connect_timeout": 5, "options": " ".join((str(parsed.query.get("options", "")), *_OPTIONS)).strip()}
        sizes = {"pool_size": pool_size, "max_overflow": max_overflow}
        return create_engine(url, pool_pre_ping=True, connect_args=args, hide_parameters=True, **sizes)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        shown = parsed.render_as_string(hide_password=True)
        raise ValueError(f"url must be a SQLite file or PostgreSQL, got {shown}")
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=max_overflow,
        connect_args={"check_same_thread": False},
        hide_parameters=True,
    )
    event.listen(engine, "connect", _set_pragmas)
    return engine


def make_private(file: Path) -> None:
    """Make a file that its owner alone may read, if it is not there: a database holds seeds that nobody may know yet.

    What SQLite keeps beside a database gets the mode of its file.
    """
    if not file.exists():
        file.touch(mode=0o600)


def file_of(engine: Engine) -> Path | None:
    """The file of a SQLite database, None for PostgreSQL."""
    return Path(engine.url.database or "") if engine.dialect.name == "sqlite" else None


def _set_pragmas(connection: Any, _record: object) -> None:
    """Leave transactions to us (the driver begins them late), and set what SQLite keeps per connection."""
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    for name, value in _PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {value}")
        found = connection.execute(f"PRAGMA {name}").fetchone()[0]
        assert found == value, f"SQLite must have {name} = {value}, got {found}"


def _query_only(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA query_only = ON")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _take_lock(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK})


def migrations(connection: Connection) -> Config:
    """What the migrations are run with, on a connection in a transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """Versions of the schema that this version of Floorman knows, the newest first."""
    return tuple(one.revision for one in ScriptDirectory(str(MIGRATIONS)).walk_revisions())


def revision(connection: Connection) -> str | None:
    """Version of the schema, None in an empty database."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(engine: Engine) -> None:
    """Bring the schema up to date and put the guards in place, in one transaction.

    Raises
    ------
    ValueError
        For a schema that this version of Floorman does not know: a newer one made it, and none goes back.
    AssertionError
        When a trigger or a CHECK is missing afterwards.
    """
    with engine.begin() as connection:
        found, known = revision(connection), _revisions()
        if found is not None and found not in known:
            raise ValueError(f"the schema must be of a version up to {known[0]}, got {found}: a newer Floorman made it")
        if found != known[0]:
            command.upgrade(migrations(connection), "head")
        guards.install(connection)
        absent = guards.missing(connection)
        assert not absent, f"the database lacks {', '.join(absent)}"
