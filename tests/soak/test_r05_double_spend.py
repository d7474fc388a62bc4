"""R5: 100 wallets, each good for one bet, 32 concurrent bets each: exactly 100 are taken; also by four processes."""

import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context

import pytest

from house.domain.refusals import Refusal, Refused
from house.service import reports, wagers
from house.service.desk import House, open_house, perform
from tests.figures import Figure
from tests.house.pits import Clock, Pit

pytestmark = pytest.mark.soak

WALLETS, COPIES, PROCESSES, STAKE = 100, 32, 4, 5_00


def opened(pit: Pit) -> None:
    pit.open_craps()
    for number in range(WALLETS):
        pit.seat(f"p{number}", STAKE)


def bet_all(house: House, copies: range, threads: int) -> dict[str, int]:
    """Bet once for every wallet and copy, from many threads; count what was answered."""
    calls = [(f"p{number}", f"bet-{number}-{copy}") for number in range(WALLETS) for copy in copies]
    random.Random(copies.start).shuffle(calls)

    def one(call: tuple[str, str]) -> str:
        bet = wagers.Bet(player=call[0], bet="field", stake_minor=STAKE)
        try:
            perform(house, wagers.PlaceBets(table="c1", bets=(bet,)), call[1])
        except Refused as refused:
            return refused.refusal.value
        return "taken"

    with ThreadPoolExecutor(threads) as pool:
        answers = list(pool.map(one, calls))
    return {name: answers.count(name) for name in set(answers)}


def bet_in_a_process(url: str, copies: range) -> dict[str, int]:
    """Open the house in a process of its own, and bet."""
    with open_house(url, clock=Clock()) as house:
        return bet_all(house, copies, threads=8)


def held(pit: Pit, counts: dict[str, int]) -> None:
    refused = WALLETS * COPIES - WALLETS
    assert counts == {"taken": WALLETS, Refusal.INSUFFICIENT_FUNDS.value: refused}
    assert sum(pit.wallet(f"p{number}") for number in range(WALLETS)) == 0
    assert reports.check(pit.house).discrepancies == ()


def test_r5_a_hundred_wallets_take_a_hundred_of_3200_bets_at_once(pit: Pit, figure: Figure) -> None:
    opened(pit)
    counts = bet_all(pit.house, range(COPIES), threads=32)
    figure("R5", **{pit.house._read_engine.dialect.name: counts})
    held(pit, counts)


def test_r5_four_processes_on_postgresql_take_a_hundred_between_them(postgresql_pit: Pit, figure: Figure) -> None:
    opened(postgresql_pit)
    each = COPIES // PROCESSES
    parts = [range(number * each, (number + 1) * each) for number in range(PROCESSES)]
    with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:  # a process that dies is told of at once
        counted = list(pool.map(partial(bet_in_a_process, postgresql_pit.url), parts))
    counts = dict(sum(map(Counter, counted), Counter[str]()))
    figure("R5", four_processes_on_postgresql=counts)
    postgresql_pit.reopen()
    held(postgresql_pit, counts)
