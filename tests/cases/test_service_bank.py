"""Bugs of public ledgers and wallets (part A of the service's case list), one test a row."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import create_engine, event, text

from house.domain.refusals import Refusal, Refused
from house.domain.slips import SlipKind
from house.service import cage, markers, reports, slips, tables, wagers
from house.service.desk import House, HouseBusy, Reply, StorageFull, open_house, perform, submit
from house.service.throws import Throw, Thrown
from tests.house.pits import Clock, Pit

PASS = wagers.Bet(player="ann", bet="pass", stake_minor=15_00)
FIELD = wagers.Bet(player="ann", bet="field", stake_minor=15_00)


def dice(*faces: int) -> tuple[Thrown, ...]:
    return tuple(Thrown(die=f"c1-d{slot}", face=face) for slot, face in enumerate(faces))


def refusal(pit: Pit, command: Any, key: str | None = None) -> Refusal:
    with pytest.raises(Refused) as refused:
        pit.do(command, key)
    return refused.value.refusal


def together(house: House, commands: list[Any]) -> list[Any]:
    """Carry out commands from as many threads at once; answers or refusals."""
    start = threading.Barrier(len(commands))

    def one(numbered: tuple[int, Any]) -> Any:
        start.wait(10)
        try:
            return perform(house, numbered[1], f"together-{numbered[0]}").answer
        except Refused as refused:
            return refused.refusal

    with ThreadPoolExecutor(len(commands)) as pool:
        return list(pool.map(one, enumerate(commands)))


def test_a01_a_throw_that_is_sent_twice_pays_once_and_is_answered_byte_for_byte_alike(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(FIELD)
    first = perform(pit.house, Throw(table="c1", dice=dice(4, 5)), "throw-1")
    wallet = pit.wallet("ann")
    second = perform(pit.house, Throw(table="c1", dice=dice(4, 5)), "throw-1")
    assert (first.replayed, second.replayed) == (False, True)
    assert second.body == first.body
    assert second.answer == first.answer
    assert pit.wallet("ann") == wallet == 10_000_00 + 15_00  # field on nine pays 1 to 1


def test_a02_our_own_retries_reuse_one_key_and_charge_once(pit: Pit) -> None:
    for _ in range(3):
        pit.do(cage.BuyIn(player="ann", amount_minor=100), "retry")
    assert pit.wallet("ann") == 10_000_00 + 100


def test_a03_the_same_settlement_from_many_threads_at_once_pays_once(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(FIELD)

    def one(_: int) -> Reply[Any]:
        while True:  # as a caller does who is told that his first call is still on its way
            try:
                return perform(pit.house, Throw(table="c1", dice=dice(4, 5)), "same-throw")
            except Refused as refused:
                if refused.refusal is not Refusal.IDEMPOTENCY_KEY_IN_PROGRESS:
                    raise

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(one, range(8)))
    assert sum(not reply.replayed for reply in replies) == 1
    assert len({reply.body for reply in replies}) == 1
    assert pit.wallet("ann") == 10_000_00 + 15_00


def test_a03_a_repeat_while_the_first_call_waits_is_told_so_and_is_answered_afterwards(pit: Pit) -> None:
    go_on = threading.Event()
    held = pit.house.writer.submit(lambda _unit: go_on.wait(10))
    first = submit(pit.house, cage.BuyIn(player="ann", amount_minor=100), "key")
    assert refusal(pit, cage.BuyIn(player="ann", amount_minor=100), "key") is Refusal.IDEMPOTENCY_KEY_IN_PROGRESS
    assert refusal(pit, cage.BuyIn(player="ann", amount_minor=101), "key") is Refusal.IDEMPOTENCY_KEY_REUSED
    go_on.set()
    assert held.result()
    assert not first.result().replayed
    again = perform(pit.house, cage.BuyIn(player="ann", amount_minor=100), "key")
    assert (again.replayed, again.body) == (True, first.result().body)
    assert pit.wallet("ann") == 10_000_00 + 100
    assert len(pit.house.in_flight) == 0


def test_a14_a_call_that_is_cancelled_before_it_is_carried_out_leaves_no_claim_on_its_key(sqlite_pit: Pit) -> None:
    go_on = threading.Event()
    sqlite_pit.house.writer.submit(lambda _unit: go_on.wait(10))
    assert submit(sqlite_pit.house, cage.BuyIn(player="ann", amount_minor=100), "key").cancel()
    go_on.set()
    sqlite_pit.do(cage.BuyIn(player="bob", amount_minor=1))
    assert sqlite_pit.wallet("ann") == 10_000_00
    assert len(sqlite_pit.house.in_flight) == 0
    sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    assert sqlite_pit.wallet("ann") == 10_000_00 + 100


def test_a_command_that_its_caller_waits_for_no_longer_is_not_done(sqlite_pit: Pit) -> None:
    late = submit(sqlite_pit.house, cage.BuyIn(player="ann", amount_minor=100), "key", within=timedelta(milliseconds=1))
    with pytest.raises(HouseBusy):  # the clock of the tests goes on by a second at every look
        late.result()
    assert sqlite_pit.wallet("ann") == 10_000_00
    sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    assert sqlite_pit.wallet("ann") == 10_000_00 + 100


def test_a04_of_two_bets_of_sixty_on_a_hundred_exactly_one_is_taken(pit: Pit) -> None:
    pit.open_craps()
    pit.seat("cat", 100_00)
    bet = wagers.PlaceBets(table="c1", bets=(wagers.Bet(player="cat", bet="field", stake_minor=60_00),))
    answers = together(pit.house, [bet, bet])
    assert answers.count(Refusal.INSUFFICIENT_FUNDS) == 1
    assert cage.balance(pit.house, "cat") == cage.Balance(
        player="cat", wallet_minor=40_00, riding_minor=60_00, trade_minor=0
    )


def test_a05_stakes_that_ride_are_not_there_to_be_bet_again(pit: Pit) -> None:
    pit.open_craps()
    pit.seat("cat", 500_00)
    pit.throw(2, 2)
    for spot in ("5", "6", "8", "9", "10"):
        pit.bet(wagers.Bet(player="cat", bet="place", spot=spot, stake_minor=100_00))
    sixth = wagers.Bet(player="cat", bet="place", spot="4", stake_minor=100_00)
    assert refusal(pit, wagers.PlaceBets(table="c1", bets=(sixth,))) is Refusal.INSUFFICIENT_FUNDS
    assert cage.balance(pit.house, "cat").riding_minor == 500_00


@pytest.mark.parametrize("amount", [200, 101])
def test_a11_a_key_used_again_for_another_amount_is_refused_and_books_nothing(pit: Pit, amount: int) -> None:
    pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    before = pit.wallet("ann")
    assert refusal(pit, cage.BuyIn(player="ann", amount_minor=amount), "key") is Refusal.IDEMPOTENCY_KEY_REUSED
    assert refusal(pit, cage.CashOut(player="ann", amount_minor=100), "key") is Refusal.IDEMPOTENCY_KEY_REUSED
    assert pit.wallet("ann") == before


def test_a13_key_and_money_are_committed_together_so_a_restart_replays(pit: Pit) -> None:
    first = perform(pit.house, cage.BuyIn(player="ann", amount_minor=100), "key")
    pit.reopen()
    again = perform(pit.house, cage.BuyIn(player="ann", amount_minor=100), "key")
    assert (again.body, again.replayed) == (first.body, True)
    assert pit.wallet("ann") == 10_000_00 + 100


def test_a14_a_command_that_dies_before_its_commit_leaves_no_claim_on_its_key(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise RuntimeError("the process dies here")

    with monkeypatch.context() as patch:
        patch.setattr("house.store.answers.keep", die)
        with pytest.raises(RuntimeError):
            pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    assert pit.wallet("ann") == 10_000_00
    pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    assert pit.wallet("ann") == 10_000_00 + 100
    assert reports.check(pit.house).discrepancies == ()


def test_a16_a_bet_repeated_after_the_table_closed_is_answered_as_it_was(pit: Pit) -> None:
    pit.open_craps()
    bet = wagers.PlaceBets(table="c1", bets=(FIELD,))
    first = perform(pit.house, bet, "bet")
    pit.throw(3, 4)
    pit.do(tables.CloseTable(table="c1"))
    assert refusal(pit, bet) is Refusal.TABLE_CLOSED
    again = perform(pit.house, bet, "bet")
    assert (again.body, again.replayed) == (first.body, True)


def test_a16_a_refusal_is_final_too_and_says_so(pit: Pit) -> None:
    command = cage.CashOut(player="ann", amount_minor=10_000_01)
    with pytest.raises(Refused) as first:
        pit.do(command, "key")
    pit.do(cage.BuyIn(player="ann", amount_minor=100))
    with pytest.raises(Refused) as again:
        pit.do(command, "key")
    assert (first.value.replayed, again.value.replayed) == (False, True)
    assert str(again.value) == str(first.value)
    assert again.value.limit == "at most 1000000"


def test_a18_many_stakes_are_paid_without_a_cent_of_drift(sqlite_pit: Pit) -> None:
    # A place bet on 6 is paid 7 to 6 in whole dollars: floor(7 x dollars / 6). One throw settles 60 wagers of 5 to 64
    # dollars, one a player; what is due comes from integers alone.
    sqlite_pit.open_craps()
    sqlite_pit.throw(2, 2)
    stakes = [dollars * 100 for dollars in range(5, 65)]
    for number, _ in enumerate(stakes):
        sqlite_pit.seat(f"p{number}", 1_000_00)
    bets = [
        wagers.Bet(player=f"p{number}", bet="place", spot="6", stake_minor=stake) for number, stake in enumerate(stakes)
    ]
    sqlite_pit.bet(*bets)
    settled = sqlite_pit.throw(1, 5)
    assert [movement.winnings for movement in settled.movements] == [7 * stake // 600 * 100 for stake in stakes]
    assert reports.check(sqlite_pit.house).discrepancies == ()


def test_a19_what_rounding_leaves_is_booked_to_its_own_account(pit: Pit) -> None:
    # 5.00 at 7 to 6 is 5.83 1/3; in whole dollars 5.00 is paid and 0.83 is breakage.
    pit.open_craps(opener=1_000_00)
    pit.throw(2, 2)
    pit.bet(wagers.Bet(player="ann", bet="place", spot="6", stake_minor=5_00))
    settled = pit.throw(3, 3)
    assert [(movement.winnings, movement.breakage) for movement in settled.movements] == [(5_00, 83)]
    accounts = {line.account: line.balance_minor for line in reports.trial_balance(pit.house).accounts}
    assert accounts["house:breakage"] == 83
    assert accounts["house:win"] == -5_83
    assert accounts["house:table:c1:float"] == 1_000_00 - 5_00
    assert pit.wallet("ann") == 10_000_00 - 5_00 + 5_00  # the stake stays up


@pytest.mark.parametrize("stake", [-600, 0])
def test_a22_a_stake_that_is_not_positive_is_refused(pit: Pit, stake: int) -> None:
    pit.open_craps()
    bet = wagers.Bet(player="ann", bet="field", stake_minor=stake)
    assert refusal(pit, wagers.PlaceBets(table="c1", bets=(bet,))) is Refusal.BELOW_MINIMUM
    for command in (
        cage.BuyIn(player="ann", amount_minor=stake),
        cage.WithdrawCapital(amount_minor=stake),
        cage.PayTokes(amount_minor=stake),
        slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=stake),
        slips.TableBuyIn(table="c1", player="ann", amount_minor=stake),
        markers.IssueMarker(player="ann", amount_minor=stake),
        markers.RedeemMarker(player="ann", amount_minor=stake),
    ):
        assert refusal(pit, command) is Refusal.BAD_VALUE
    assert pit.wallet("ann") == 10_000_00


@pytest.mark.parametrize("amount", [2**53, 2**63, 10**23])
def test_a24_an_amount_beyond_the_bound_is_refused_and_no_overflow(pit: Pit, amount: int) -> None:
    pit.open_craps()
    assert refusal(pit, cage.BuyIn(player="ann", amount_minor=amount)) is Refusal.BAD_VALUE
    bet = wagers.Bet(player="ann", bet="field", stake_minor=amount)
    assert refusal(pit, wagers.PlaceBets(table="c1", bets=(bet,))) is Refusal.ABOVE_MAXIMUM
    assert refusal(pit, cage.BuyIn(player=str(amount) * 30, amount_minor=1)) is Refusal.NOT_FOUND


@pytest.mark.parametrize("name", ["\ud800", "", "a\u0000b", "\u200b", "x" * 201])
def test_a26_a_name_that_cannot_be_written_or_seen_is_refused(pit: Pit, name: str) -> None:
    command = cage.RegisterPlayer(player="dan", name=name)
    if name == "\ud800":
        with pytest.raises(ValueError):
            pit.do(command)
    else:
        assert refusal(pit, command) is Refusal.BAD_VALUE
    assert [one.player for one in cage.players(pit.house)] == ["ann", "bob"]


def test_a30_a_closed_table_and_a_closed_bet_are_decided_by_the_house(pit: Pit) -> None:
    pit.open_craps()
    pit.throw(2, 2)
    assert refusal(pit, wagers.PlaceBets(table="c1", bets=(PASS,))) is Refusal.BET_CLOSED
    pit.throw(3, 4)
    pit.do(tables.CloseTable(table="c1"))
    assert refusal(pit, wagers.PlaceBets(table="c1", bets=(FIELD,))) is Refusal.TABLE_CLOSED
    assert refusal(pit, Throw(table="c1", dice=dice(3, 4))) is Refusal.TABLE_CLOSED


def test_a31_a_restart_in_mid_round_goes_on_where_it_was(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(PASS)
    pit.throw(2, 2)
    before = tables.table(pit.house, "c1")
    pit.reopen()
    assert tables.table(pit.house, "c1") == before
    assert pit.wallet("ann") == 10_000_00 - 15_00
    pit.throw(1, 3)
    assert pit.wallet("ann") == 10_000_00 + 15_00


def test_a32_opening_the_house_again_and_again_settles_nothing_twice(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(FIELD)
    pit.throw(4, 5)
    before = reports.trial_balance(pit.house)
    for _ in range(3):
        pit.reopen()
    assert reports.trial_balance(pit.house) == before


def test_a34_exposure_is_checked_in_the_write_that_takes_the_bet(pit: Pit) -> None:
    # The schedule lets the table lose 50,000.00; place bets of 2,000.00 on 4 at 9 to 5 win 3,600.00 each: of 20 of them
    # 13 fit (46,800.00), the 14th does not.
    pit.open_craps(opener=100_000_00)
    pit.throw(2, 2)
    names = [f"p{number}" for number in range(20)]
    for name in names:
        pit.seat(name, 2_000_00)
    commands = [
        wagers.PlaceBets(table="c1", bets=(wagers.Bet(player=name, bet="place", spot="4", stake_minor=2_000_00),))
        for name in names
    ]
    answers = together(pit.house, commands)
    assert answers.count(Refusal.EXPOSURE_LIMIT) == 20 - 13
    assert sum(cage.balance(pit.house, name).riding_minor for name in names) == 13 * 2_000_00


def test_a37_every_write_transaction_of_sqlite_locks_at_its_beginning(sqlite_pit: Pit) -> None:
    begun: list[str] = []
    event.listen(
        sqlite_pit.house._write_engine,  # the statement itself is what is tested
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_: begun.append(statement) if "BEGIN" in statement else None,
    )
    sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=1))
    assert begun == ["BEGIN IMMEDIATE"]


def test_a38_a_commit_that_fails_is_never_answered_as_done(sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(type(sqlite_pit.house._write_engine.dialect), "do_commit", fail)
        with pytest.raises(RuntimeError):
            sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    assert sqlite_pit.wallet("ann") == 10_000_00
    sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=100), "key")
    assert sqlite_pit.wallet("ann") == 10_000_00 + 100


def test_a41_a_full_disk_books_nothing_reads_go_on_and_it_heals(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    engine = sqlite_pit.house._write_engine
    full: list[bool] = [True]

    def bound(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {1 if full else 2**30}")

    event.listen(engine, "checkout", bound)
    failed = 0
    for number in range(400):  # until the pages that are left are written full
        try:
            sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=100), f"buy-in-{number}")
        except StorageFull:
            failed += 1
            break
    assert failed == 1
    wallet = sqlite_pit.wallet("ann")
    assert wallet == 10_000_00 - 15_00 + number * 100
    full.clear()
    sqlite_pit.do(cage.BuyIn(player="ann", amount_minor=100), f"buy-in-{number}")
    assert sqlite_pit.wallet("ann") == wallet + 100
    assert reports.check(sqlite_pit.house).discrepancies == ()


def test_a48_lines_that_are_attached_to_the_wrong_entry_are_found_though_the_total_is_zero(sqlite_pit: Pit) -> None:
    sqlite_pit.house.close()
    engine = create_engine(sqlite_pit.url)
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER posting_no_update"))
        connection.execute(text("PRAGMA defer_foreign_keys = ON"))
        # The second line of entry 1 goes to entry 2 and of entry 2 to entry 1: every account keeps its sum.
        connection.execute(text("UPDATE posting SET seq = 99 WHERE seq = 1 AND line = 1"))
        connection.execute(text("UPDATE posting SET seq = 1 WHERE seq = 2 AND line = 1"))
        connection.execute(text("UPDATE posting SET seq = 2 WHERE seq = 99"))
        connection.execute(text("UPDATE posting SET amount = amount - 1 WHERE seq = 2 AND line = 1"))
        connection.execute(text("UPDATE posting SET amount = amount + 1 WHERE seq = 1 AND line = 1"))
    engine.dispose()
    sqlite_pit.house = open_house(sqlite_pit.url, clock=Clock())
    found = {one.invariant for one in reports.check(sqlite_pit.house).discrepancies}
    assert "an entry has two lines or more, which sum to 0" in found
    assert "all accounts together are 0" not in found


@pytest.mark.parametrize("wallets", [25, pytest.param(100, marks=pytest.mark.soak)])
def test_r5_wallets_good_for_one_bet_take_one_of_many_each(sqlite_pit: Pit, wallets: int) -> None:
    """Wallets that are each good for one bet, 8 concurrent bets each: exactly one of each is taken."""
    sqlite_pit.open_craps()
    names = [f"p{number}" for number in range(wallets)]
    for name in names:
        sqlite_pit.seat(name, 5_00)
    futures = [
        submit(
            sqlite_pit.house,
            wagers.PlaceBets(table="c1", bets=(wagers.Bet(player=name, bet="field", stake_minor=5_00),)),
            f"{name}-{copy}",
        )
        for copy in range(8)
        for name in names
    ]
    taken = [future for future in futures if future.exception() is None]
    refused = {future.exception().refusal for future in futures if isinstance(future.exception(), Refused)}  # type: ignore[union-attr]
    assert len(taken) == wallets
    assert refused == {Refusal.INSUFFICIENT_FUNDS}
    assert sum(sqlite_pit.wallet(name) for name in names) == 0
    assert reports.check(sqlite_pit.house).discrepancies == ()
