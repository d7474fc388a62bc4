"""Games at a counter, banked and logged."""

from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.engines import hooligan as engine
from house.engines.hooligan import HooliganState
from house.service import cage, reports, surveillance, tables
from house.service.hooligan import Choose, Decides, StartGame, StartPeerGame
from house.service.throws import Throw, Thrown
from tests.house.pits import Pit


def refused(pit: Pit, command: Any) -> tuple[Refusal, str]:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value.refusal, caught.value.field


def perfect(pit: Pit) -> Any:
    """Play a perfect game: a natural, then fifteen of every number; the last answer."""
    pit.do(StartGame(table="h1", player="ann"))
    answer = pit.throw(1, 2, 3, 4, 5, table="h1")
    for point in range(6, 0, -1):
        faces = (point,) * 5
        pit.throw(*faces, table="h1")
        pit.throw(*faces, table="h1", choice=f"name {point}")
        answer = pit.throw(*faces, table="h1")
    return answer


def test_a_game_is_bought_played_and_paid_by_its_score(pit: Pit) -> None:
    pit.open_hooligan(schedule="quarter-ladder")
    view = tables.table(pit.house, "h1")
    assert (view.round, view.offered) == ("", ())
    started = pit.do(StartGame(table="h1", player="ann"))
    stake = started.movements[0].staked
    assert (started.round, pit.wallet("ann")) == ("h1-r0", 10_000_00 - stake)
    assert refused(pit, StartGame(table="h1", player="bob")) == (Refusal.BET_CLOSED, "round")
    pit.throw(1, 2, 3, 4, 5, table="h1")
    for point in range(6, 0, -1):
        for number in range(3):
            answer = pit.throw(*(point,) * 5, table="h1", choice=f"name {point}" if number == 1 else None)
    (movement,) = answer.movements
    assert answer.state["game"]["position"]["sheet"] == (20, 15, 30, 45, 60, 75, 90)  # 335, the perfect score
    assert (movement.lost, movement.resolved) == (stake, stake)
    assert pit.wallet("ann") == 10_000_00 - stake + movement.winnings
    assert movement.winnings > 0
    assert tables.table(pit.house, "h1").float_minor == 50_000_00 + stake - movement.winnings
    assert reports.check(pit.house).discrepancies == ()


def test_only_the_dice_thrown_are_logged_and_the_choice_comes_with_the_throw(pit: Pit) -> None:
    pit.open_hooligan()
    pit.do(StartGame(table="h1", player="ann"))
    pit.throw(2, 2, 2, 3, 3, table="h1")
    assert {one["choice"] for one in tables.table(pit.house, "h1").offered} == {"name", "take_up"}
    wrong = Throw(table="h1", dice=tuple(Thrown(die=f"h1-d{slot}", face=4) for slot in range(5)), choice="name 2")
    assert refused(pit, wrong)[0] is Refusal.BAD_THROW  # the deuces are kept, so two dice are thrown
    assert refused(pit, Throw(table="h1", dice=wrong.dice, choice="name 7"))[0] is Refusal.BAD_CHOICE
    assert refused(pit, Throw(table="h1", dice=wrong.dice, choice="shout"))[0] is Refusal.BAD_CHOICE
    assert refused(pit, Throw(table="h1", dice=wrong.dice))[0] is Refusal.BAD_CHOICE
    pit.throw(4, 4, table="h1", slots=(3, 4), choice="name 2")
    rows = surveillance.throws(pit.house, "h1", after=0)
    assert [(row.throw, row.slot, row.die, row.round) for row in rows] == [
        (1, 0, "h1-d3", "h1-r0"),
        (1, 1, "h1-d4", "h1-r0"),
    ]
    assert reports.check(pit.house).discrepancies == ()


def test_a_game_goes_on_after_a_restart(pit: Pit) -> None:
    pit.open_hooligan()
    pit.do(StartGame(table="h1", player="ann"))
    pit.throw(2, 2, 2, 3, 3, table="h1")
    before = tables.table(pit.house, "h1")
    pit.reopen()
    assert tables.table(pit.house, "h1") == before
    pit.throw(2, 4, table="h1", slots=(3, 4), choice="name 2")


def test_a_choice_that_ends_the_game_needs_no_throw(pit: Pit) -> None:
    pit.open_hooligan()
    pit.do(StartGame(table="h1", player="ann"))
    for point in range(6, 0, -1):
        for number in range(3):
            pit.throw(*(point,) * 5, table="h1", choice=f"name {point}" if number == 1 else None)
    pit.throw(1, 2, 3, 4, 6, table="h1")
    pit.throw(5, table="h1", slots=(4,), choice="keep 0 1 2 3")
    ended = pit.do(Choose(table="h1", choice="keep 0 1 2 3 4"))
    assert ended.state["game"]["position"]["sheet"][0] == 20
    assert tables.table(pit.house, "h1").round == ""
    assert cage.balance(pit.house, "ann").riding_minor == 0
    assert refused(pit, Choose(table="h1", choice="stop"))[0] is Refusal.NOT_IN_PLAY
    assert reports.check(pit.house).discrepancies == ()


def test_what_is_won_in_trade_is_kept_apart_and_not_cashed(pit: Pit) -> None:
    pit.open_hooligan(schedule="bar-trade")
    answer = perfect(pit)
    won = answer.movements[0].winnings
    balance = cage.balance(pit.house, "ann")
    stake = answer.movements[0].lost
    assert (balance.wallet_minor, balance.trade_minor) == (10_000_00 - stake, won)
    assert won > 0
    assert tables.table(pit.house, "h1").float_minor == 50_000_00 + stake
    (line,) = reports.realised(pit.house)
    assert line.house_minor > stake - won  # goods cost the house less than their face value
    assert reports.check(pit.house).discrepancies == ()


def test_peers_play_for_drinks_and_move_no_money(pit: Pit) -> None:
    pit.open_hooligan()
    started = pit.do(StartPeerGame(table="h1", players=("ann", "bob"), decides=Decides.LOW))
    assert started.movements == ()
    assert pit.throw(1, 1, 1, 1, 2, table="h1").movements == ()
    pit.throw(6, 6, 6, 6, 6, table="h1")
    state = HooliganState.from_json(dict(tables.table(pit.house, "h1").state))
    assert engine.shooter(state) == "bob"  # thirty is more than six
    pit.throw(1, 1, 1, 1, 1, table="h1")
    assert surveillance.throws(pit.house, "h1")[-1].shooter == "bob"
    assert refused(pit, StartPeerGame(table="h1", players=("ann", "nobody"), decides=Decides.LOW)) == (
        Refusal.NOT_FOUND,
        "players[1]",
    )
    assert pit.wallet("ann") == 10_000_00
    assert reports.check(pit.house).discrepancies == ()
