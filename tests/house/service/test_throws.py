"""A throw: what is checked, what is logged, what it settles."""

from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.domain.throws import DieState
from house.service import equipment, reports, surveillance, tables, wagers
from house.service.throws import Source, Throw, Thrown
from tests.house.pits import Pit


def refused(pit: Pit, command: Any) -> tuple[Refusal, str]:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value.refusal, caught.value.field


def throw(*dice: tuple[str, int | None], **more: Any) -> Throw:
    return Throw(table="c1", dice=tuple(Thrown(die=die, face=face) for die, face in dice), **more)


def test_the_pass_line_from_bet_to_payment(pit: Pit) -> None:
    pit.open_craps()
    made = pit.bet(wagers.Bet(player="ann", bet="pass", stake_minor=10_00))
    assert made.wagers == ("c1-0",)
    assert pit.throw(2, 2).movements == ()
    won = pit.throw(1, 3)
    assert [(m.wager, m.winnings, m.returned, m.resolved) for m in won.movements] == [("c1-0", 10_00, 10_00, 10_00)]
    assert pit.wallet("ann") == 10_000_00 + 10_00
    assert tables.table(pit.house, "c1").float_minor == 50_000_00 - 10_00
    assert reports.check(pit.house).discrepancies == ()


REFUSED = {
    "a die that is not in play here": (throw(("c1-d0", 1), ("d9", 3)), (Refusal.NOT_IN_PLAY, "dice[1]")),
    "a die that appears twice": (throw(("c1-d0", 1), ("c1-d0", 3)), (Refusal.NOT_IN_PLAY, "dice[1]")),
    "one die": (throw(("c1-d0", 1)), (Refusal.BAD_THROW, "dice")),
    "a face of seven": (throw(("c1-d0", 7), ("c1-d1", 1)), (Refusal.BAD_THROW, "dice[0].face")),
    "an ok die that shows nothing": (throw(("c1-d0", None), ("c1-d1", 1)), (Refusal.BAD_THROW, "dice[0].face")),
    "another's dice": (throw(("c1-d0", 1), ("c1-d1", 3), shooter="bob"), (Refusal.NOT_YOUR_TURN, "shooter")),
    "a choice": (throw(("c1-d0", 1), ("c1-d1", 3), choice="name 6"), (Refusal.WRONG_GAME, "table")),
    "a table that is not there": (
        Throw(table="c9", dice=(Thrown(die="c1-d0", face=1), Thrown(die="c1-d1", face=3))),
        (Refusal.NOT_FOUND, "table"),
    ),
}


def test_a_throw_that_cannot_be_is_refused_and_not_logged(pit: Pit) -> None:
    pit.open_craps()
    found = {what: refused(pit, command) for what, (command, _) in REFUSED.items()}
    assert found == {what: due for what, (_, due) in REFUSED.items()}
    assert surveillance.throws(pit.house, "c1") == ()
    assert pit.throw(1, 3).throw == 0


def test_a_void_throw_is_logged_with_its_states_and_moves_nothing(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
    cocked = Thrown(die="c1-d1", face=5, state=DieState.COCKED)
    off = Thrown(die="c1-d1", face=None, state=DieState.OFF)
    for die in (cocked, off):
        void = pit.do(Throw(table="c1", dice=(Thrown(die="c1-d0", face=4), die)))
        assert (void.void, void.movements, void.round) == (True, (), "c1-r0")
    counted = pit.throw(4, 5)
    assert (counted.throw, counted.round, counted.void) == (2, "c1-r0", False)
    rows = surveillance.throws(pit.house, "c1")
    assert [(row.throw, row.slot, row.face, row.state) for row in rows] == [
        (0, 0, 4, "ok"),
        (0, 1, 5, "cocked"),
        (1, 0, 4, "ok"),
        (1, 1, None, "off"),
        (2, 0, 4, "ok"),
        (2, 1, 5, "ok"),
    ]
    assert pit.throw(1, 3).round == "c1-r1"
    assert reports.check(pit.house).discrepancies == ()


def test_a_row_of_the_log_says_everything_of_the_format(pit: Pit) -> None:
    pit.open_craps()
    dice = (Thrown(die="c1-d1", face=6), Thrown(die="c1-d0", face=2))
    pit.do(Throw(table="c1", dice=dice, source=Source.CAMERA))
    row = surveillance.throws(pit.house, "c1")[0]
    named = {
        name: getattr(row, name) for name in ("throw", "table", "game", "round", "method", "box", "shooter", "slot")
    }
    assert named == {
        "throw": 0,
        "table": "c1",
        "game": "craps",
        "round": "c1-r0",
        "method": "box",
        "box": "c1-box",
        "shooter": "ann",
        "slot": 0,
    }
    rest = (row.die, row.face, row.state, row.stake_class, row.source, row.gaming_day)
    assert rest == ("c1-d1", 6, "ok", None, "camera", "2026-07-01")
    assert row.at.tzinfo is not None


def test_the_stake_class_is_the_quartile_among_the_table_s_own_throws(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    stakes = [5_00, 50_00] * 10 + [5_00, 50_00]
    for stake in stakes:
        sqlite_pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=stake))
        sqlite_pit.throw(1, 1) if stake == 5_00 else sqlite_pit.throw(2, 3)
    classes = [row.stake_class for row in surveillance.throws(sqlite_pit.house, "c1") if row.slot == 0]
    # Twenty throws are seen first. Then half rode 5.00 and half 50.00: middle ranks 5 and 15 of 20, quartiles 1 and 3
    # (the last has seen 11 of 21 below it and 10 like it: rank 16 of 21).
    assert classes == [None] * 20 + [1, 3]


def test_a_bet_for_the_dealers_is_paid_to_the_dealers(pit: Pit) -> None:
    pit.open_craps()
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00, toke=True))
    pit.throw(4, 5)
    accounts = {line.account: line.balance_minor for line in reports.trial_balance(pit.house).accounts}
    assert (accounts["house:tokes"], accounts["house:tokes:riding"]) == (20_00, 0)
    assert pit.wallet("ann") == 10_000_00 - 10_00
    assert reports.realised(pit.house) == ()  # what the house earns on bets of players is told apart
    assert reports.check(pit.house).discrepancies == ()


def test_dice_that_were_changed_are_not_in_play_any_more(pit: Pit) -> None:
    pit.open_craps()
    pit.do(equipment.RegisterEquipment(dice=("n0", "n1"), boxes=("n-box",)))
    view = pit.do(tables.ChangeDice(table="c1", dice=("n0", "n1"), box="n-box"))
    assert (view.dice, view.box) == (("n0", "n1"), "n-box")
    assert refused(pit, throw(("c1-d0", 1), ("c1-d1", 3))) == (Refusal.NOT_IN_PLAY, "dice[0]")
    pit.do(throw(("n0", 1), ("n1", 3)))
    assert surveillance.throws(pit.house, "c1")[0].box == "n-box"
    assert [piece.table for piece in equipment.dice(pit.house)] == [None, None, "c1", "c1"]
