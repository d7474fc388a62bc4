"""Processes that write to one PostgreSQL house at once."""

import time
from concurrent.futures import Future
from multiprocessing import get_context
from typing import Any

import psycopg

from house.service import cage
from house.service.desk import HouseBusy, Reply, open_house, submit

WAITING = 32
"""Commands that a process has under way at once."""


_together: Any = None
"""Lets all begin when each has opened the house."""


def _begin(together: Any) -> None:
    global _together  # noqa: PLW0603 (a process of a pool is given its barrier so)
    _together = together


def write(url: str, name: str, count: int) -> tuple[list[str], float]:
    """Put money into the vault so many times; keys that were acknowledged, and commands a second."""
    acknowledged: list[str] = []
    with open_house(url, currency="USD") as house:
        _together.wait(120)
        began = time.perf_counter()
        under_way: list[tuple[str, Future[Reply[Any]]]] = []
        for number in range(count):
            key = f"{name}-{number}"
            under_way.append((key, submit(house, cage.FundHouse(amount_minor=1), key)))
            if len(under_way) >= WAITING:
                _await(under_way.pop(0), acknowledged)
        for one in under_way:
            _await(one, acknowledged)
        return acknowledged, count / (time.perf_counter() - began)


def _await(asked: "tuple[str, Future[Reply[Any]]]", acknowledged: list[str]) -> None:
    key, future = asked
    try:
        future.result(60)
    except HouseBusy:
        return
    acknowledged.append(key)


def write_at_once(url: str, processes: int, count: int, kills: int = 0) -> list[tuple[list[str], float]]:
    """Let processes write at once, while connections of the writers are ended from the outside."""
    context = get_context("spawn")
    together = context.Barrier(processes + 1)
    with context.Pool(processes, _begin, (together,)) as pool:
        asked = [pool.apply_async(write, (url, f"process-{number}", count)) for number in range(processes)]
        together.wait(120)
        for _ in range(kills):
            time.sleep(0.2)
            _end_a_writer(url)
        return [one.get(300) for one in asked]


def _end_a_writer(url: str) -> None:
    """End the connection that holds, or waits for, the writers' lock."""
    waited = time.monotonic() + 30
    with psycopg.connect(url, autocommit=True) as administrator:
        while time.monotonic() < waited:
            ended = administrator.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
                " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) LIMIT 1"
            ).fetchall()
            if ended:
                return
