"""Limits that players set themselves, and self-exclusion, in the write of every bet and buy-in."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from house.domain.corrections import Reason
from house.domain.limits import Measure, Span
from house.domain.refusals import Refusal, Refused
from house.service import cage, limits, markers, reports, slips, wagers
from house.service.corrections import CorrectThrow, Shown
from tests.house.pits import Pit

DAY = timedelta(days=1)


def refused(pit: Pit, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value


def limit(measure: Measure, span: Span, amount: int | None, player: str = "ann") -> limits.SetLimit:
    return limits.SetLimit(player=player, measure=measure, span=span, amount_minor=amount)


def field(amount: int, player: str = "ann") -> wagers.PlaceBets:
    return wagers.PlaceBets(table="c1", bets=(wagers.Bet(player=player, bet="field", stake_minor=amount),))


def test_a_limit_of_stakes_holds_in_the_write_of_the_bet_and_says_what_is_left(pit: Pit) -> None:
    pit.open_craps()
    pit.do(field(60_00))
    pit.do(limit(Measure.STAKE, Span.DAY, 100_00))  # what was staked before on the day counts
    no = refused(pit, field(50_00))
    assert (no.refusal, no.field, no.value, no.limit) == (Refusal.PLAYER_LIMIT, "bets", "5000", "4000")
    pit.do(field(40_00))
    assert refused(pit, field(10_00)).refusal is Refusal.PLAYER_LIMIT
    pit.do(field(10_00, "bob"))  # others are free
    (view,) = limits.limits(pit.house, "ann").limits
    assert (view.amount_minor, view.used_minor) == (100_00, 100_00)
    assert reports.check(pit.house).discrepancies == ()


def test_a_press_and_a_window_of_bets_count_as_stakes(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.do(limit(Measure.STAKE, Span.DAY, 100_00))
    two = tuple(wagers.Bet(player="ann", bet="field", stake_minor=60_00) for _ in range(2))
    assert refused(sqlite_pit, wagers.PlaceBets(table="c1", bets=two)).refusal is Refusal.PLAYER_LIMIT
    moved = sqlite_pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=60_00))
    press = wagers.PressBets(table="c1", wagers=(wagers.Press(wager=moved.wagers[0], stake_minor=120_00),))
    assert refused(sqlite_pit, press).refusal is Refusal.PLAYER_LIMIT


def test_a_limit_of_loss_counts_what_rides_as_lost_and_what_came_back(pit: Pit) -> None:
    pit.open_craps()
    pit.do(limit(Measure.LOSS, Span.DAY, 100_00))
    pit.do(field(100_00))
    assert refused(pit, field(10_00)).refusal is Refusal.PLAYER_LIMIT
    pit.throw(4, 5)  # wins 100.00: 200.00 came back
    pit.do(field(200_00))
    pit.throw(2, 3)
    assert refused(pit, field(10_00)).limit == "0"
    assert reports.check(pit.house).discrepancies == ()


def test_a_limit_of_deposits_holds_at_the_cage_at_the_table_and_for_markers(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.do(markers.SetCreditLine(player="bob", line_minor=500_00))
    sqlite_pit.do(limit(Measure.DEPOSIT, Span.MONTH, 10_100_00, "bob"))
    sqlite_pit.do(cage.BuyIn(player="bob", amount_minor=60_00))
    for command in (
        cage.BuyIn(player="bob", amount_minor=40_01),
        slips.TableBuyIn(table="c1", player="bob", amount_minor=40_01),
        markers.IssueMarker(player="bob", amount_minor=40_01),
    ):
        no = refused(sqlite_pit, command)
        assert (no.refusal, no.field, no.limit) == (Refusal.PLAYER_LIMIT, "amount_minor", "4000")
    sqlite_pit.do(slips.TableBuyIn(table="c1", player="bob", amount_minor=40_00))
    sqlite_pit.do(cage.CashOut(player="bob", amount_minor=10_100_00))  # money out is never limited


def test_a_week_is_seven_gaming_days_and_a_month_that_of_the_calendar(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.clock.now = datetime(2026, 8, 30, 12, tzinfo=UTC)
    sqlite_pit.do(limit(Measure.STAKE, Span.WEEK, 100_00))
    sqlite_pit.do(limit(Measure.STAKE, Span.MONTH, 100_00, "bob"))
    for player in ("ann", "bob"):
        sqlite_pit.do(field(100_00, player))
    sqlite_pit.clock.now += 2 * DAY  # 1 September
    assert refused(sqlite_pit, field(10_00)).refusal is Refusal.PLAYER_LIMIT
    sqlite_pit.do(field(100_00, "bob"))
    sqlite_pit.clock.now += 5 * DAY  # 6 September: 30 August is no longer among the seven days
    sqlite_pit.do(field(100_00))


def test_whoever_excludes_himself_neither_bets_nor_buys_in_but_is_paid(pit: Pit) -> None:
    pit.open_craps()
    pit.do(field(100_00))
    assert pit.do(limits.ExcludePlayer(player="ann", days=30)).excluded
    for command in (
        field(10_00),
        cage.BuyIn(player="ann", amount_minor=1),
        slips.TableBuyIn(table="c1", player="ann", amount_minor=1),
    ):
        assert refused(pit, command).refusal is Refusal.PLAYER_EXCLUDED
    pit.throw(4, 5)  # what rides is played out and paid
    assert pit.do(cage.CashOut(player="ann", amount_minor=10_100_00)).wallet_minor == 0
    again = limits.ExcludePlayer(player="ann", days=1)
    assert pit.do(again).excluded_until == limits.limits(pit.house, "ann").excluded_until  # never shorter
    readmit = limits.ReadmitPlayer(player="ann")
    assert refused(pit, readmit).refusal is Refusal.COOLING_OFF
    pit.clock.now += 31 * DAY
    assert refused(pit, cage.BuyIn(player="ann", amount_minor=1)).refusal is Refusal.PLAYER_EXCLUDED
    assert not pit.do(readmit).excluded
    pit.do(cage.BuyIn(player="ann", amount_minor=1))
    assert reports.check(pit.house).discrepancies == ()


def test_an_exclusion_for_ever_has_no_end(sqlite_pit: Pit) -> None:
    sqlite_pit.do(limits.ExcludePlayer(player="ann", days=None))
    assert sqlite_pit.do(limits.ExcludePlayer(player="ann", days=5)).excluded_until is None
    assert refused(sqlite_pit, limits.ReadmitPlayer(player="ann")).limit == "never"
    assert refused(sqlite_pit, limits.ReadmitPlayer(player="bob")).refusal is Refusal.NOT_FOUND
    for days in (0, -1, 10**9):
        assert refused(sqlite_pit, limits.ExcludePlayer(player="bob", days=days)).refusal is Refusal.BAD_VALUE


def test_a_correction_is_no_bet_and_pays_whoever_is_excluded(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.do(field(60_00))
    sqlite_pit.throw(2, 3)
    sqlite_pit.do(field(40_00))
    sqlite_pit.do(limit(Measure.STAKE, Span.DAY, 100_00))
    sqlite_pit.do(limits.ExcludePlayer(player="ann", days=1))
    dice = (Shown(face=2), Shown(face=2))  # it was a 4: the field won, and the bet made since comes back
    sqlite_pit.do(CorrectThrow(table="c1", throw=0, dice=dice, reason=Reason.MISREAD))
    assert sqlite_pit.wallet("ann") == 10_000_00 + 60_00
    assert reports.check(sqlite_pit.house).discrepancies == ()
