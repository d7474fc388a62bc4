"""Fixtures of the tests of whole processes."""

from tests.e2e.servers import server, stubborn

__all__ = ["server", "stubborn"]
