"""Passwords that are hashed with next to no work, since no test asks how long it takes."""

from collections.abc import Iterator

import pytest
from argon2.low_level import hash_secret

from house.service import access


@pytest.fixture(scope="session", autouse=True)
def light_passwords() -> Iterator[None]:
    """Hash in 64 KiB in this process; the servers that tests start hash as they are shipped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(access.ARGON2, "memory_cost", 64)
        patch.setattr(access, "_NOBODY", hash_secret(b"nobody's password", b"nobody's salt...", **access.ARGON2))
        yield
