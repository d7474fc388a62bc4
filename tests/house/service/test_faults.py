"""Crashes at every statement, and copies of every command in any order: one effect each."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from house.domain.refusals import Refusal, Refused
from house.service import cage, reports, wagers
from house.service.desk import Command, HouseBusy, perform
from house.service.hooligan import StartGame
from house.service.throws import Throw, Thrown
from tests.house.pits import Pit


class Crash(RuntimeError):
    """The process dies here."""


@contextmanager
def failing(pit: Pit, moment: str, number: int, error: Exception) -> Iterator[list[str]]:
    """Let the writer fail once, before or after its `number`-th statement; gives the statements that were reached."""
    seen: list[str] = []

    def fail(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)
        if len(seen) == number:
            raise error

    engine = pit.house._write_engine
    event.listen(engine, f"{moment}_cursor_execute", fail)
    try:
        yield seen
    finally:
        event.remove(engine, f"{moment}_cursor_execute", fail)


FIELD = wagers.Bet(player="ann", bet="field", stake_minor=10_00)
WINDOW = wagers.PlaceBets(table="c1", bets=(FIELD, wagers.Bet(player="bob", bet="any_seven", stake_minor=5_00)))
THROW = Throw(table="c1", dice=(Thrown(die="c1-d0", face=4), Thrown(die="c1-d1", face=5)))
COMMANDS: tuple[Command[Any], ...] = (cage.BuyIn(player="ann", amount_minor=100), WINDOW, THROW)
ERRORS: dict[str, tuple[type[Exception], ...]] = {"crash": (Crash, HouseBusy), "database": (HouseBusy,)}


def error_of(kind: str) -> Exception:
    return Crash() if kind == "crash" else OperationalError("", {}, Exception("the disk is gone"))


def converge(pit: Pit, command: Command[Any], moment: str, kind: str) -> int:
    """Fail at each statement of a command in turn, asking again under its key until it is done; how often it failed.

    After each failure nothing is booked; once it is done, another copy is answered with the same bytes.
    """
    key, points = type(command).__name__, 0
    while True:
        before = reports.trial_balance(pit.house)
        with failing(pit, moment, points + 1, error_of(kind)) as seen:
            try:
                done = perform(pit.house, command, key)
            except ERRORS[kind]:
                points += 1
            else:
                assert len(seen) <= points, "a failure was answered as done"
                break
        assert reports.trial_balance(pit.house) == before
    assert not done.replayed
    again = perform(pit.house, command, key)
    assert (again.replayed, again.body) == (True, done.body)
    return points


@pytest.mark.parametrize(
    ("moment", "kind"),
    [
        ("before", "crash"),
        ("after", "database"),
        pytest.param("before", "database", marks=pytest.mark.soak),
        pytest.param("after", "crash", marks=pytest.mark.soak),
    ],
)
def test_r3_a_failure_at_any_statement_books_nothing_and_the_retry_converges(pit: Pit, moment: str, kind: str) -> None:
    pit.open_craps()
    points = sum(converge(pit, command, moment, kind) for command in COMMANDS)
    assert points >= 25  # statements of a buy-in, a window and a throw
    assert wagers.riding(pit.house, "c1") == ()
    assert pit.wallet("ann") == 10_000_00 + 100 + 10_00
    assert reports.check(pit.house).discrepancies == ()


def test_r4_many_copies_of_many_keys_in_any_order_have_one_effect_each(pit: Pit) -> None:
    pit.open_craps()
    pit.open_hooligan()
    commands: list[tuple[Command[Any], str]] = [
        (cage.BuyIn(player="ann", amount_minor=100), f"in-{n}") for n in range(40)
    ]
    commands += [(cage.CashOut(player="bob", amount_minor=100), f"out-{n}") for n in range(40)]
    commands += [(wagers.PlaceBets(table="c1", bets=(FIELD,)), f"bet-{n}") for n in range(20)]
    commands += [(StartGame(table="h1", player="bob"), f"game-{n}") for n in range(10)]
    copies = commands * 5
    random.Random(4).shuffle(copies)

    def one(copy: tuple[Command[Any], str]) -> tuple[str, bytes, bool]:
        """Send a copy, again for as long as the first one is still on its way; what was answered in the end."""
        while True:
            try:
                reply = perform(pit.house, *copy)
            except Refused as no:
                if no.refusal is not Refusal.IDEMPOTENCY_KEY_IN_PROGRESS:
                    return copy[1], str(no).encode(), no.replayed
                time.sleep(0.001)
            else:
                return copy[1], reply.body, reply.replayed

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(one, copies))
    assert len({(key, body) for key, body, _ in answers}) == len(commands)
    assert sum(not replayed for _, _, replayed in answers) == len(commands)
    assert pit.wallet("ann") == 10_000_00 + 40 * 100 - 20 * 10_00
    bob = cage.balance(pit.house, "bob")
    assert bob.wallet_minor + bob.riding_minor == 10_000_00 - 40 * 100
    assert bob.riding_minor == 25  # of ten games one could begin
    assert reports.check(pit.house).discrepancies == ()


def test_r6_a_bet_is_settled_once_however_many_settle_it(pit: Pit) -> None:
    """Each round has four settlers with keys of their own; the first throw settles the bet, the others find none."""
    pit.open_craps()
    rounds = 25
    for number in range(rounds):
        pit.bet(FIELD)

        def settle(copy: int, number: int = number) -> int:
            return len(perform(pit.house, THROW, f"throw-{number}-{copy}").answer.movements)

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(settle, range(4))) == [0, 0, 0, 1]
    assert pit.wallet("ann") == 10_000_00 + rounds * 10_00
    assert reports.check(pit.house).discrepancies == ()
