"""Houses on real databases for every test that needs one, and the figures of the long checks."""

import gc

from tests.figures import figure
from tests.house.pits import (
    begun_postgresql,
    begun_sqlite,
    clock,
    database_url,
    house_template,
    lasting_pit,
    lasting_url,
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
from tests.passwords import light_passwords
from tests.statements import compiled_once

__all__ = [
    "begun_postgresql",
    "begun_sqlite",
    "clock",
    "compiled_once",
    "database_url",
    "figure",
    "house_template",
    "lasting_pit",
    "lasting_url",
    "light_passwords",
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


def pytest_collection() -> None:
    """Collect no garbage while thousands of tests are made: next to all of it stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave modules and tests out of the collections to come, which would walk through all of them each time."""
    gc.freeze()
    gc.enable()
