"""Statements that are compiled once a run: every house has engines of its own, and each would compile them anew."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from house.store import database


def alike(one: object, other: object) -> bool:
    """Tell whether two are of one kind."""
    return type(one) is type(other)


def kind(one: object) -> int:
    """What all of one kind have alike."""
    return hash(type(one))


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Let all houses share what was compiled; SQLAlchemy keeps it by dialect, and those of one kind compile alike."""
    shared: dict[Any, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        for dialect in (PGDialect_psycopg, SQLiteDialect_pysqlite):
            patch.setattr(dialect, "__eq__", alike)
            patch.setattr(dialect, "__hash__", kind)
        patch.setattr(database, "create_engine", partial(create_engine, execution_options={"compiled_cache": shared}))
        yield
