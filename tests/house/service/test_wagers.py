"""Windows of bets, changes to what rides, the rail."""

from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.service import cage, reports, tables, wagers
from house.service.wagers import Bet, Call, CallWagers, PlaceBets, Press, PressBets, TakeDown, TakeDownBets, WagerCall
from tests.house.pits import Pit


def refused(pit: Pit, command: Any) -> tuple[Refusal, str]:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value.refusal, caught.value.field


def test_a_window_is_taken_whole_or_not_at_all(pit: Pit) -> None:
    pit.open_craps()
    good = Bet(player="ann", bet="field", stake_minor=5_00)
    cases = {
        (Bet(player="bob", bet="pass", stake_minor=1),): (Refusal.BELOW_MINIMUM, "bets[1].stake_minor"),
        (Bet(player="nobody", bet="pass", stake_minor=5_00),): (Refusal.NOT_FOUND, "bets[1].player"),
        (good, Bet(player="bob", bet="parlour", stake_minor=5_00)): (Refusal.BET_NOT_OFFERED, "bets[2].bet"),
        (Bet(player="bob", bet="pass", stake_minor=2_000_00),) * 6: (Refusal.ABOVE_MAXIMUM, "bets[2].stake_minor"),
    }
    for rest, due in cases.items():
        assert refused(pit, PlaceBets(table="c1", bets=(good, *rest))) == due
    assert (pit.wallet("ann"), pit.wallet("bob")) == (10_000_00, 10_000_00)
    assert wagers.riding(pit.house, "c1") == ()
    assert pit.bet(good, good).wagers == ("c1-0", "c1-1")


def test_one_window_takes_the_bets_of_several_players(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(Bet(player="ann", bet="pass", stake_minor=10_00), Bet(player="bob", bet="dont_pass", stake_minor=20_00))
    pit.throw(2, 2)
    riding = wagers.riding(pit.house, "c1")
    assert [(one["player"], one["bet"], one["stake_minor"]) for one in riding] == [
        ("ann", "pass", 10_00),
        ("bob", "dont_pass", 20_00),
    ]
    moved = pit.bet(Bet(player="ann", bet="odds", stake_minor=20_00, parent="c1-0"))
    assert moved.movements[0].spot == "4"
    paid = pit.throw(1, 3)
    # Pass 10.00 at 1 to 1 and odds 20.00 on four at 2 to 1; don't pass loses.
    assert {movement.wager: movement.winnings for movement in paid.movements} == {
        "c1-0": 10_00,
        "c1-2": 40_00,
        "c1-1": 0,
    }
    assert pit.wallet("ann") == 10_000_00 + 50_00
    assert pit.wallet("bob") == 10_000_00 - 20_00
    assert reports.check(pit.house).discrepancies == ()


def test_bets_are_pressed_called_and_taken_down(pit: Pit) -> None:
    pit.open_craps()
    pit.throw(2, 2)
    pit.bet(Bet(player="ann", bet="place", spot="6", stake_minor=12_00))
    pit.do(PressBets(table="c1", wagers=(Press(wager="c1-0", stake_minor=12_00),)))
    assert cage.balance(pit.house, "ann").riding_minor == 24_00
    pit.do(CallWagers(table="c1", calls=(WagerCall(wager="c1-0", call=Call.OFF),)))
    assert pit.throw(3, 3).movements == ()
    pit.do(CallWagers(table="c1", calls=(WagerCall(wager="c1-0", call=Call.RULE),)))
    assert [movement.winnings for movement in pit.throw(3, 3).movements] == [28_00]
    pit.do(TakeDownBets(table="c1", wagers=(TakeDown(wager="c1-0", stake_minor=12_00),)))
    assert cage.balance(pit.house, "ann").riding_minor == 12_00
    pit.do(TakeDownBets(table="c1", wagers=(TakeDown(wager="c1-0"),)))
    assert pit.wallet("ann") == 10_000_00 + 28_00
    assert refused(pit, TakeDownBets(table="c1", wagers=(TakeDown(wager="c1-0"),))) == (
        Refusal.NOT_FOUND,
        "wagers[0].wager",
    )
    assert reports.check(pit.house).discrepancies == ()


def test_commission_up_front_is_taken_with_the_bet_and_comes_back_with_it(pit: Pit) -> None:
    # Lay 40.00 against four at 1 to 2 wins 20.00; five per cent of the win is 1.00, up front.
    pit.open_craps()
    pit.bet(Bet(player="ann", bet="lay", spot="4", stake_minor=40_00))
    assert pit.wallet("ann") == 10_000_00 - 41_00
    assert tables.table(pit.house, "c1").float_minor == 50_000_00 + 1_00
    pit.do(TakeDownBets(table="c1", wagers=(TakeDown(wager="c1-0"),)))
    assert pit.wallet("ann") == 10_000_00
    assert tables.table(pit.house, "c1").float_minor == 50_000_00
    assert reports.check(pit.house).discrepancies == ()


def test_the_rail_passes_the_dice(pit: Pit) -> None:
    pit.open_craps()
    pit.do(wagers.JoinRail(table="c1", player="bob"))
    assert refused(pit, wagers.JoinRail(table="c1", player="bob")) == (Refusal.ALREADY_EXISTS, "player")
    pit.throw(2, 2)
    assert list(pit.throw(3, 4).state["rail"]) == ["bob", "ann"]
    pit.do(wagers.LeaveRail(table="c1", player="bob"))
    assert list(tables.table(pit.house, "c1").state["rail"]) == ["ann"]


def test_a_realised_line_adds_up_as_derived_by_hand(pit: Pit) -> None:
    pit.open_craps()
    for faces in ((4, 5), (2, 3), (1, 1)):  # field: nine pays 1 to 1, five loses, aces pay 2 to 1
        pit.bet(Bet(player="ann", bet="field", stake_minor=10_00))
        pit.throw(*faces)
    (line,) = reports.realised(pit.house, "c1")
    assert (line.settled, line.handle_minor, line.lost_minor, line.winnings_minor) == (3, 30_00, 10_00, 30_00)
    assert line.house_minor == -20_00
