"""Fixtures of the long checks."""

from tests.e2e.servers import server, stubborn
from tests.house.api.conftest import client

__all__ = ["client", "server", "stubborn"]
