"""Rounds of other systems (rows A06, A08, A10, A31 and A32 of the service's case list), one test a row."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from house.domain.refusals import Refusal, Refused
from house.service import cage, rounds
from house.service.desk import perform
from house.service.limits import ExcludePlayer
from house.service.round_views import round_view
from house.service.rounds import EndRound, RecoverRounds, SweepRounds
from tests.house.pits import Pit
from tests.house.service.test_corrections import sound
from tests.house.service.test_rounds import bet, refusal, rollback, win


def test_a06_a_rollback_before_its_bet_leaves_a_tombstone_and_the_late_bet_never_counts(pit: Pit) -> None:
    first = pit.do(rollback())
    assert (first.tombstone, first.wallet_minor) == (True, 10_000_00)
    for copy in range(2):
        assert refusal(pit, bet()) is Refusal.ROLLED_BACK, copy
    assert refusal(pit, win()) is Refusal.NOT_FOUND
    assert pit.do(rollback()) == first
    assert pit.do(rollback("x2")) == first
    assert round_view(pit.house, "r1").tombstones == ("b1",)
    assert pit.wallet("ann") == 10_000_00
    sound(pit)


def test_a08_rollbacks_of_one_bet_at_once_book_one_compensation_and_are_answered_alike(pit: Pit) -> None:
    pit.do(bet())
    start = threading.Barrier(4)

    def one(number: int) -> Any:
        start.wait(10)
        return perform(pit.house, rollback(f"x{number}"), f"rollback-{number}").answer

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(one, range(4)))
    assert len(set(answers)) == 1
    assert pit.wallet("ann") == 10_000_00
    assert refusal(pit, win()) is Refusal.ROLLED_BACK
    assert pit.do(bet()).wallet_minor == 10_000_00 - 10_00  # as it was answered first; it moves nothing
    assert pit.wallet("ann") == 10_000_00
    sound(pit)


def test_a08_the_database_itself_keeps_a_second_reversal_out(pit: Pit) -> None:
    pit.do(bet())
    pit.do(rollback())
    second = text(
        "INSERT INTO transfer (id, kind, round, player, amount, reversal_of, wallet_after, record)"
        " SELECT 'x2', kind, round, player, amount, reversal_of, wallet_after, record FROM transfer WHERE id = 'x1'"
    )

    def force(unit: Any) -> None:
        with unit.savepoint():
            unit.connection.execute(second)

    with pytest.raises(IntegrityError):
        pit.house.writer.submit(force).result()
    assert pit.wallet("ann") == 10_000_00


def test_a10_a_win_never_depends_on_the_player_the_round_or_the_houses_money(pit: Pit) -> None:
    pit.do(bet())
    pit.do(bet("b2"))
    pit.do(EndRound(round="r1"))
    pit.do(ExcludePlayer(player="ann", days=None))
    assert refusal(pit, bet("b3", round_="r2")) is Refusal.PLAYER_EXCLUDED
    assert pit.do(win(amount=5_000_000_00)).wallet_minor == 10_000_00 - 20_00 + 5_000_000_00
    assert pit.do(rollback(reference="b2")).wallet_minor == 10_000_00 - 10_00 + 5_000_000_00
    sound(pit)
    assert refusal(pit, SweepRounds()) is Refusal.INSUFFICIENT_FUNDS
    pit.do(cage.FundHouse(amount_minor=5_000_000_00))
    assert pit.do(SweepRounds()) == rounds.RoundsMoney(float_minor=0, win_minor=-5_000_000_00 + 10_00, held_minor=0)
    sound(pit)


def test_a31_a_recovery_leaves_live_rounds_alone_and_returns_what_hangs_in_the_others(pit: Pit) -> None:
    pit.do(bet("b1", round_="r1", lease_s=60))
    pit.do(bet("b2", round_="r1", lease_s=600))  # the round lives as long as any of its bets
    pit.do(bet("b3", round_="r2", player="bob", lease_s=60))
    assert pit.do(RecoverRounds()).rounds == ()
    pit.clock.now = pit.clock.now.replace(minute=5)
    pit.reopen()
    recovered = pit.do(RecoverRounds())
    assert (recovered.rounds, recovered.bets, recovered.returned_minor) == (("r2",), 1, 10_00)
    assert (pit.wallet("ann"), pit.wallet("bob")) == (10_000_00 - 20_00, 10_000_00)
    assert refusal(pit, bet("b4", round_="r2")) is Refusal.BET_CLOSED
    assert refusal(pit, win(reference="b3", player="bob", round_="r2")) is Refusal.ROLLED_BACK
    sound(pit)


def test_a32_a_recovery_that_runs_again_or_after_a_win_pays_nobody_twice(pit: Pit) -> None:
    pit.do(bet("b1", lease_s=60))
    pit.do(bet("b2", lease_s=60))
    pit.do(win(amount=30_00))
    pit.clock.now = pit.clock.now.replace(minute=30)
    assert pit.do(RecoverRounds()).returned_minor == 10_00
    pit.reopen()
    assert pit.do(RecoverRounds()).rounds == ()
    assert pit.do(EndRound(round="r1")).lost == ()
    assert pit.wallet("ann") == 10_000_00 - 10_00 + 30_00
    assert pit.do(rollback("x2", reference="b2")).wallet_minor == pit.wallet("ann")
    assert pit.do(win("w2", 1_00)).wallet_minor == 10_000_00 - 10_00 + 31_00  # the bet that won is not recovered
    sound(pit)


def test_a32_two_recoveries_at_once_return_each_stake_once(pit: Pit) -> None:
    for number in range(3):
        pit.do(bet(f"b{number}", round_=f"r{number}", lease_s=1))
    pit.clock.now = pit.clock.now.replace(minute=5)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda key: perform(pit.house, RecoverRounds(), f"recovery-{key}").answer, range(4)))
    assert sum(one.bets for one in found) == 3
    assert pit.wallet("ann") == 10_000_00
    sound(pit)


def test_r6_four_settlers_and_a_rollback_of_each_round_at_once_end_in_one_payment(sqlite_pit: Pit) -> None:
    """Each round is paid once or given back once, whoever comes first; 8 of the 500 of the soak."""
    settle_race(sqlite_pit, 8)


def settle_race(pit: Pit, count: int) -> tuple[int, int]:
    """Let four settlers and a rollback race for each of some rounds; return how many were paid and given back."""
    before = pit.wallet("ann")
    for number in range(count):
        pit.do(bet(f"b-{number}", round_=f"r-{number}"))
    messages = [
        (make(number), f"{name}-{number}")
        for number in range(count)
        for name, make in (
            *((f"win-{copy}", lambda n: win(f"w-{n}", 30_00, f"b-{n}", round_=f"r-{n}")) for copy in range(4)),
            ("back", lambda n: rollback(f"x-{n}", reference=f"b-{n}", round_=f"r-{n}")),
        )
    ]

    random.Random(6).shuffle(messages)

    def one(message: tuple[Any, str]) -> Any:
        try:
            return perform(pit.house, *message).answer
        except Refused as refused:
            return refused.refusal

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(one, messages))
    states = [round_view(pit.house, f"r-{number}").bets[0].state.value for number in range(count)]
    won, back = states.count("won"), states.count("rolled_back")
    assert won + back == count
    assert pit.wallet("ann") == before + won * 20_00
    assert {answer for answer in answers if isinstance(answer, Refusal)} <= {Refusal.SETTLED, Refusal.ROLLED_BACK}
    return won, back
