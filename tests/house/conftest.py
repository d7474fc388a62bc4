"""Fixtures of the house's tests."""

from tests.house.pits import (
    clock,
    database_url,
    house_template,
    pit,
    postgresql_server,
    postgresql_url,
    sqlite_pit,
    sqlite_url,
)

__all__ = [
    "clock",
    "database_url",
    "house_template",
    "pit",
    "postgresql_server",
    "postgresql_url",
    "sqlite_pit",
    "sqlite_url",
]
