"""Rounds of other systems: each message counts once, in whatever order and however often it comes."""

import json
import shutil
from contextlib import suppress
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.service import cage, reports, rounds
from house.service.desk import inspect_house, open_house, perform
from house.service.retrace import Retraced
from house.service.round_views import BetState, round_view
from house.service.rounds import (
    BetOnRound,
    Carried,
    EndRound,
    RecoverRounds,
    RollBackBet,
    SweepRounds,
    WinOnRound,
)
from house.store import records
from tests.house.pits import Clock, Pit
from tests.house.service.test_corrections import sound
from tests.house.tampering import edit


def bet(
    transaction: str = "b1", amount: int = 10_00, player: str = "ann", round_: str = "r1", **more: Any
) -> BetOnRound:
    return BetOnRound(transaction=transaction, round=round_, player=player, amount_minor=amount, currency="USD", **more)


def win(
    transaction: str = "w1", amount: int = 25_00, reference: str = "b1", player: str = "ann", round_: str = "r1"
) -> WinOnRound:
    return WinOnRound(
        transaction=transaction, reference=reference, round=round_, player=player, amount_minor=amount, currency="USD"
    )


def rollback(
    transaction: str = "x1", amount: int = 10_00, reference: str = "b1", player: str = "ann", round_: str = "r1"
) -> RollBackBet:
    return RollBackBet(
        transaction=transaction, reference=reference, round=round_, player=player, amount_minor=amount, currency="USD"
    )


def refusal(pit: Pit, command: Any) -> Refusal:
    with pytest.raises(Refused) as refused:
        pit.do(command)
    return refused.value.refusal


def test_a_bet_rides_until_its_win_which_is_paid_with_the_stake_in_it(sqlite_pit: Pit) -> None:
    taken: Carried = sqlite_pit.do(bet())
    assert (taken.wallet_minor, taken.reference, taken.tombstone) == (10_000_00 - 10_00, None, False)
    assert cage.balance(sqlite_pit.house, "ann").riding_minor == 10_00
    paid: Carried = sqlite_pit.do(win())
    assert (paid.wallet_minor, paid.reference) == (10_000_00 + 15_00, "b1")
    assert cage.balance(sqlite_pit.house, "ann").riding_minor == 0
    assert rounds.money(sqlite_pit.house) == rounds.RoundsMoney(float_minor=-15_00, win_minor=-15_00, held_minor=0)
    (shown,) = round_view(sqlite_pit.house, "r1").bets
    assert (shown.state, shown.paid_minor) == (BetState.WON, 25_00)
    sound(sqlite_pit)


def test_an_ended_round_takes_the_stakes_that_are_open_and_no_more_bets(pit: Pit) -> None:
    pit.do(bet())
    pit.do(bet("b2", 5_00, player="bob"))
    pit.do(win(amount=10_00))
    ended = pit.do(EndRound(round="r1"))
    assert ended.lost == ("b2",)
    assert pit.do(EndRound(round="r1")) == ended
    assert refusal(pit, bet("b3")) is Refusal.BET_CLOSED
    assert pit.do(bet("b1")).wallet_minor == 10_000_00 - 10_00  # the same bet again is answered as it was
    assert rounds.money(pit.house) == rounds.RoundsMoney(float_minor=5_00, win_minor=5_00, held_minor=0)
    assert [one.state for one in round_view(pit.house, "r1").bets] == [BetState.WON, BetState.LOST]
    sound(pit)


def test_several_wins_of_one_bet_are_paid_and_the_stake_is_settled_once(sqlite_pit: Pit) -> None:
    sqlite_pit.do(bet())
    sqlite_pit.do(win("w1", 1_00))
    sqlite_pit.do(win("w2", 2_00))
    assert sqlite_pit.wallet("ann") == 10_000_00 - 10_00 + 3_00
    assert rounds.money(sqlite_pit.house).win_minor == 7_00
    sound(sqlite_pit)


def test_a_bet_on_which_a_win_was_paid_is_rolled_back_no_more(sqlite_pit: Pit) -> None:
    sqlite_pit.do(bet())
    sqlite_pit.do(win())
    assert refusal(sqlite_pit, rollback()) is Refusal.SETTLED
    assert sqlite_pit.wallet("ann") == 10_000_00 + 15_00
    sound(sqlite_pit)


def test_a_bet_that_was_lost_with_its_round_may_still_be_rolled_back(sqlite_pit: Pit) -> None:
    sqlite_pit.do(bet())
    sqlite_pit.do(EndRound(round="r1"))
    assert sqlite_pit.do(rollback()).wallet_minor == 10_000_00
    assert rounds.money(sqlite_pit.house) == rounds.RoundsMoney(float_minor=0, win_minor=0, held_minor=0)
    sound(sqlite_pit)


@pytest.mark.parametrize(
    "other",
    [
        bet(amount=11_00),
        bet(player="bob"),
        bet(round_="r2"),
        win("b1"),
        win(player="bob"),
        win(round_="r2"),
        rollback(amount=9_00),
        rollback(player="bob"),
        rollback(reference="w0"),
        BetOnRound(transaction="b9", round="r1", player="ann", amount_minor=1, currency="EUR"),
    ],
)
def test_a_message_that_says_something_else_than_the_first_is_refused(sqlite_pit: Pit, other: Any) -> None:
    sqlite_pit.do(bet())
    sqlite_pit.do(bet("b0", 1_00))
    sqlite_pit.do(win("w0", 1_00, "b0"))
    before = reports.trial_balance(sqlite_pit.house)
    assert refusal(sqlite_pit, other) is Refusal.MISMATCH
    assert reports.trial_balance(sqlite_pit.house) == before


@pytest.mark.parametrize("amount", [0, -1, 2**53, True])
def test_amounts_are_positive_and_bounded(sqlite_pit: Pit, amount: int) -> None:
    for command in (bet(amount=amount), win(amount=amount), rollback(amount=amount)):
        assert refusal(sqlite_pit, command) is Refusal.BAD_VALUE
    assert refusal(sqlite_pit, bet(player="nobody")) is Refusal.NOT_FOUND
    assert refusal(sqlite_pit, bet(amount=10_000_01)) is Refusal.INSUFFICIENT_FUNDS
    assert refusal(sqlite_pit, bet(lease_s=0)) is Refusal.BAD_VALUE


def model(messages: tuple[str, ...]) -> tuple[int, int]:
    """Wallet and stake held after messages of one bet of 10.00 and one win of 25.00, written apart from the service.

    Messages are letters: b(et), w(in), r(ollback), e(nd of the round).
    """
    wallet, held, taken, undone, won, over = 0, 0, False, False, False, False
    for message in messages:
        if message == "b" and not (taken or undone or over):
            taken, wallet, held = True, -10_00, 10_00
        elif message == "w" and taken and not (undone or won):
            won, held, wallet = True, 0, wallet + 25_00
        elif message == "r" and not (undone or won):
            undone, held, wallet = True, 0, 0
        elif message == "e":
            over, held = True, 0
    return wallet, held


def orders(ends: int = 0) -> list[tuple[str, ...]]:
    """All orders of up to two copies of each message, and of so many ends of the round at most."""
    counts = product(range(3), range(3), range(3), range(ends + 1))
    each = [("b",) * bets + ("w",) * wins + ("r",) * backs + ("e",) * over for bets, wins, backs, over in counts]
    return sorted({order for messages in each for order in set(permutations(messages))})


def send(pit: Pit, order: tuple[str, ...], name: str) -> None:
    """Send the messages of one bet of a new player; each copy is a call of its own, and a refusal is an answer."""
    player = f"p-{name}"
    pit.do(cage.RegisterPlayer(player=player, name="P"))
    pit.do(cage.BuyIn(player=player, amount_minor=100_00))
    made = {
        "b": bet(f"b-{name}", player=player, round_=name),
        "w": win(f"w-{name}", reference=f"b-{name}", player=player, round_=name),
        "r": rollback(f"x-{name}", reference=f"b-{name}", player=player, round_=name),
        "e": EndRound(round=name),
    }
    for number, message in enumerate(order):
        with suppress(Refused):
            perform(pit.house, made[message], f"{name}-{number}")
    has = cage.balance(pit.house, player)
    assert (has.wallet_minor - 100_00, has.riding_minor) == model(order), order


def test_r7_orders_and_copies_of_the_messages_of_a_bet_end_as_the_model_says(sqlite_pit: Pit) -> None:
    """Those of at most four messages; the soak sends all of them, with the end of the round among them."""
    for number, order in enumerate(one for one in orders() if len(one) <= 4):
        send(sqlite_pit, order, f"o{number}")
    sound(sqlite_pit)


def test_the_house_recovers_by_itself_what_expired_and_writes_nothing_where_nothing_did(sqlite_pit: Pit) -> None:
    sqlite_pit.do(bet("b1", lease_s=1))
    sqlite_pit.do(bet("b2", round_="r2", lease_s=6000))
    assert rounds.recover(sqlite_pit.house) == 1
    with sqlite_pit.house.read() as connection:
        before = records.count(connection)
        assert rounds.recover(sqlite_pit.house) == 0
        assert records.count(connection) == before
    assert sqlite_pit.wallet("ann") == 10_000_00 - 10_00


TAMPERINGS = {
    "a kind": "UPDATE transfer SET kind = 'wim' WHERE kind = 'win'",
    "an amount": "UPDATE transfer SET amount = amount + 1 WHERE kind = 'win'",
    "a lease": "UPDATE transfer SET lease_us = 0 WHERE kind = 'bet'",
    "a rollback": "DELETE FROM transfer WHERE kind = 'rollback'",
    "an end": "DELETE FROM round_end",
    "a wallet told": "UPDATE transfer SET wallet_after = 1 WHERE kind = 'bet'",
    "a player": "UPDATE transfer SET player = 'bob' WHERE kind = 'bet'",
}


def evening(pit: Pit) -> None:
    """Every event of a round once."""
    pit.do(bet("b1"))
    pit.do(win())
    pit.do(bet("b2", round_="r2"))
    pit.do(rollback("x2", reference="b2", round_="r2"))
    pit.do(rollback("x3", reference="b3", round_="r3"))
    pit.do(bet("b4", round_="r4"))
    pit.do(EndRound(round="r4"))
    pit.do(bet("b5", round_="r5", lease_s=1))
    pit.do(bet("b6", round_="r5", lease_s=1))
    pit.do(bet("b7", round_="r7"))
    pit.do(RecoverRounds())
    pit.do(SweepRounds())


@pytest.fixture(scope="module")
def rested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a house at rest, in which every event of a round happened."""
    file, clock = tmp_path_factory.mktemp("rounds") / "house.db", Clock()
    pit = Pit(open_house(f"sqlite:///{file}", clock=clock), "", clock)
    pit.fund()
    pit.seat("ann")
    pit.seat("bob")
    evening(pit)
    sound(pit)
    pit.house.close()
    return file


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_round_that_is_tampered_with_is_found(rested: Path, tmp_path: Path, name: str) -> None:
    copy = shutil.copy(rested, tmp_path / "house.db")
    edit(f"sqlite:///{copy}", TAMPERINGS[name])
    with inspect_house(f"sqlite:///{copy}") as house:
        found = {one.invariant for one in reports.check(house).discrepancies}
    assert "rounds are as they were recorded" in found


FORGERIES = {
    "a win without its bet": ("win", {"reference": "b9"}, "a record can be played again"),
    "another amount": ("win", {"amount": 1}, "a round moves what its messages say"),
    "a bet told twice": ("bet", {"transaction": "b1", "reference": "b1"}, "a transaction counts once"),
    "a wallet": ("bet", {"wallet": 1}, "a wallet is told as it is"),
    "a live round recovered": ("recovered", {"at_us": 0}, "a live round is left alone"),
    "a recovery of nothing": ("recovered", {"bets": []}, "what is open is returned by a recovery"),
    "an end that spares a bet": ("end", {"bets": []}, "what is open is lost at the end"),
    "a sweep": ("sweep", {"amount": 1}, "the rack of rounds is swept as it was"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_of_a_round_does_not_follow(rested: Path, name: str) -> None:
    event, changes, invariant = FORGERIES[name]
    retraced, found = Retraced(), []
    with inspect_house(f"sqlite:///{rested}") as house, house.read() as connection:
        for record in records.stored(connection):
            body = json.loads(record.text)
            found += retraced.add({**body, **changes} if body.get("event") == event else body)
    assert invariant in {one.invariant for one in found}
