"""Fixtures of the console's tests: the house behind the real application that the tests of the API use."""

from tests.house.api.conftest import client, write

__all__ = ["client", "write"]
