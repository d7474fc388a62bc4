"""What players own is untouchable, what tables may lose is reserved, and no throw is refused for want of money."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.domain.slips import SlipKind
from house.service import cage, reports, rounds, slips, tables, wagers
from house.service.adjustments import Adjust, Cause, Direction
from house.service.desk import perform
from house.service.hooligan import StartGame
from tests.house.pits import Pit

TWELVE = wagers.Bet(player="ann", bet="field", stake_minor=100_00)
"""The field of `double-odds` pays 2 to 1 on 12, its most: an exposure of 200.00."""


def refused(pit: Pit, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value


def bets(*placed: wagers.Bet) -> wagers.PlaceBets:
    return wagers.PlaceBets(table="c1", bets=placed)


def leave(pit: Pit, vault: int) -> None:
    """Let the house own no more in the vault than an amount."""
    pit.do(cage.WithdrawCapital(amount_minor=cage.vault(pit.house).vault_minor - vault))


def test_openers_fills_and_withdrawals_spend_the_houses_own_money_alone(pit: Pit) -> None:
    # Ann and Bob have 10,000.00 each in the cage; the house keeps 100.00 of its own there.
    pit.open_craps(opener=0)
    leave(pit, 100_00)
    assert cage.vault(pit.house).deposits_minor == 20_000_00
    for command in (
        cage.WithdrawCapital(amount_minor=100_01),
        slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=100_01),
    ):
        assert refused(pit, command).refusal is Refusal.INSUFFICIENT_FUNDS
    pit.do(slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=100_00))
    assert cage.vault(pit.house).vault_minor == 0
    for player in ("ann", "bob"):  # and everybody is paid out
        pit.do(cage.CashOut(player=player, amount_minor=10_000_00))
    assert reports.check(pit.house).discrepancies == ()


def test_what_rounds_have_cost_is_kept_in_the_vault_until_it_is_swept(pit: Pit) -> None:
    # Ann wins 300.00 on 100.00 of another system: 200.00 of the 250.00 in the vault are owed to her wallet.
    pit.open_craps(opener=0)
    leave(pit, 250_00)
    moved: dict[str, Any] = {"round": "r", "player": "ann", "currency": "USD"}
    pit.do(rounds.BetOnRound(transaction="b", amount_minor=100_00, **moved))
    pit.do(rounds.WinOnRound(transaction="w", reference="b", amount_minor=300_00, **moved))
    assert (cage.vault(pit.house).reserved_minor, cage.vault(pit.house).free_minor) == (200_00, 50_00)
    assert refused(pit, cage.WithdrawCapital(amount_minor=50_01)).limit == "at most 5000"
    assert refused(pit, bets(TWELVE)).refusal is Refusal.EXPOSURE_LIMIT
    pit.do(rounds.SweepRounds())
    assert (cage.vault(pit.house).reserved_minor, cage.vault(pit.house).free_minor) == (0, 50_00)
    assert reports.check(pit.house).discrepancies == ()


def test_an_adjustment_to_a_player_leaves_what_tables_may_lose(pit: Pit) -> None:
    pit.open_craps(opener=50_00)
    leave(pit, 250_00)
    pit.throw(3, 4)
    pit.bet(TWELVE)  # 150.00 of the vault are reserved
    paid = Adjust(
        player="bob",
        direction=Direction.TO_PLAYER,
        amount_minor=100_01,
        table="c1",
        throw=0,
        cause=Cause.DISPUTE,
    )
    no = refused(pit, paid)
    assert (no.refusal, no.field, no.limit) == (Refusal.INSUFFICIENT_FUNDS, "amount_minor", "at most 10000")
    pit.do(replace(paid, amount_minor=100_00))
    assert cage.vault(pit.house).free_minor == 0


def test_a_bet_that_the_house_could_not_pay_is_not_taken(pit: Pit) -> None:
    pit.open_craps(opener=50_00)
    leave(pit, 149_99)
    no = refused(pit, bets(TWELVE))
    # 50.00 in the rack and 149.99 in the vault cover an exposure of 199.99; the bet could win 200.00.
    assert (no.refusal, no.field, no.value, no.limit) == (Refusal.EXPOSURE_LIMIT, "bets", "20000", "19999")
    pit.do(cage.FundHouse(amount_minor=1))
    pit.bet(TWELVE)
    assert tables.table(pit.house, "c1").exposure_minor == 200_00
    vault = cage.vault(pit.house)
    assert (vault.reserved_minor, vault.free_minor) == (150_00, 0)
    assert refused(pit, cage.WithdrawCapital(amount_minor=1)).refusal is Refusal.INSUFFICIENT_FUNDS
    pit.throw(6, 6)
    assert cage.balance(pit.house, "ann").wallet_minor == 10_000_00 + 200_00
    assert cage.vault(pit.house).free_minor == 0  # 150.00 are wanted by the rack, which paid them
    pit.do(tables.CloseTable(table="c1"))
    assert cage.vault(pit.house).vault_minor == 0
    assert reports.check(pit.house).discrepancies == ()


def test_a_house_without_money_still_pays_bets_that_stay_up_and_takes_no_more(pit: Pit) -> None:
    pit.open_craps(opener=0)
    pit.throw(2, 2)  # the point is 4
    leave(pit, 70_00)
    six = wagers.Bet(player="ann", bet="place", spot="6", stake_minor=60_00)  # 7 to 6: wins 70.00 and stays up
    pit.bet(six)
    pit.throw(3, 3)
    pit.throw(4, 2)
    assert cage.balance(pit.house, "ann").wallet_minor == 10_000_00 - 60_00 + 2 * 70_00
    # The rack owes 140.00 and 70.00 may still be lost: the vault's 70.00 are 140.00 too few, and the house says so.
    assert cage.vault(pit.house).free_minor == -140_00
    assert refused(pit, bets(replace(six, player="bob"))).refusal is Refusal.EXPOSURE_LIMIT
    pit.throw(3, 4)  # seven-out: the stake of 60.00 is the house's
    assert cage.vault(pit.house).free_minor == 70_00 - 80_00
    assert refused(pit, tables.CloseTable(table="c1")).refusal is Refusal.INSUFFICIENT_FUNDS
    pit.do(cage.FundHouse(amount_minor=10_00))
    pit.do(tables.CloseTable(table="c1"))
    assert reports.check(pit.house).discrepancies == ()


def test_the_greatest_payout_of_a_game_is_reserved_where_it_is_paid_in_cash(sqlite_pit: Pit) -> None:
    sqlite_pit.open_hooligan(schedule="quarter-ladder", opener=0)
    leave(sqlite_pit, 0)
    assert refused(sqlite_pit, StartGame(table="h1", player="ann")).refusal is Refusal.EXPOSURE_LIMIT
    sqlite_pit.do(cage.FundHouse(amount_minor=1_000_00))
    sqlite_pit.do(StartGame(table="h1", player="ann"))
    assert tables.table(sqlite_pit.house, "h1").exposure_minor > 0


def test_a34_many_bets_at_once_are_covered_by_one_reserve(pit: Pit) -> None:
    # The house has 1,000.00: five exposures of 200.00, from whichever of the players they come.
    pit.open_craps(opener=0)
    leave(pit, 1_000_00)
    names = [f"p{number}" for number in range(12)]
    for name in names:
        pit.seat(name, 100_00)
    refusals: set[Refusal] = set()

    def place(name: str) -> bool:
        try:
            perform(pit.house, bets(replace(TWELVE, player=name)), f"bet-{name}")
        except Refused as no:
            refusals.add(no.refusal)
            return False
        return True

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(place, names)) == 5
    assert refusals == {Refusal.EXPOSURE_LIMIT}
    assert cage.vault(pit.house).free_minor == 0
