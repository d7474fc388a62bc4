"""Houses on real databases for every test that needs one, and the figures of the long checks."""

from tests.figures import figure
from tests.house.pits import (
    begun_postgresql,
    begun_sqlite,
    clock,
    database_url,
    house_template,
    migrated_url,
    pit,
    postgresql_pit,
    postgresql_server,
    postgresql_url,
    sqlite_pit,
    sqlite_template,
    sqlite_url,
)
from tests.opened import opened

__all__ = [
    "begun_postgresql",
    "begun_sqlite",
    "clock",
    "database_url",
    "figure",
    "house_template",
    "migrated_url",
    "opened",
    "pit",
    "postgresql_pit",
    "postgresql_server",
    "postgresql_url",
    "sqlite_pit",
    "sqlite_template",
    "sqlite_url",
]
