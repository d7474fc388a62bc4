"""Calls repeated from many threads in any order do one thing each and are answered byte for byte alike (R4)."""

import random
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

from house.domain.refusals import Refusal, Refused
from house.service import cage
from house.service.desk import House, Reply, perform
from tests.house.pits import Pit


def asked(house: House, command: Any, key: str) -> tuple[Reply[Any], int]:
    """Ask as a caller does who is told that his first call is still on its way; the answer, and how often he was."""
    for times in range(10_000):
        sleep(0.001 if times else 0)
        try:
            return perform(house, command, key), times
        except Refused as refused:
            if refused.refusal is not Refusal.IDEMPOTENCY_KEY_IN_PROGRESS:
                raise
    raise AssertionError(f"key {key} is in progress for ever")


def replay_storm(pit: Pit, keys: int, copies: int, threads: int = 8) -> dict[str, int]:
    """Send each of some buy-ins so many times, shuffled, and hold every answer and the wallet to one effect each."""
    calls = [(f"storm-{number}", number + 1) for number in range(keys)] * copies
    random.Random(4).shuffle(calls)
    before = pit.wallet("ann")

    def one(call: tuple[str, int]) -> tuple[str, bytes, bool, int]:
        reply, times = asked(pit.house, cage.BuyIn(player="ann", amount_minor=call[1]), call[0])
        return call[0], reply.body, reply.replayed, times

    with ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(one, calls))
    bodies = {(key, body) for key, body, _, _ in answers}
    assert len(bodies) == keys
    assert sum(not replayed for _, _, replayed, _ in answers) == keys
    assert pit.wallet("ann") == before + keys * (keys + 1) // 2
    assert len(pit.house.in_flight) == 0
    return {"keys": keys, "calls": len(calls), "effects": keys, "told_in_progress": sum(one[3] for one in answers)}


def test_r4_copies_of_calls_from_eight_threads_have_one_effect_each(pit: Pit) -> None:
    replay_storm(pit, keys=60, copies=5)
