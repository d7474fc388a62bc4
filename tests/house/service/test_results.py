"""What is shown of the last throw is what was booked."""

from house.service.corrections import CorrectThrow, Reason, Shown
from house.service.hooligan import StartGame
from house.service.results import last_throw
from house.service.wagers import Bet
from tests.house.pits import Pit


def test_before_the_first_throw_there_is_nothing_to_show(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    assert last_throw(sqlite_pit.house, "c1") is None


def test_the_last_throw_shows_the_movements_and_calls_of_its_settlement(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(Bet(player="ann", bet="pass", stake_minor=10_00), Bet(player="bob", bet="field", stake_minor=10_00))
    settled = sqlite_pit.throw(1, 1)
    shown = last_throw(sqlite_pit.house, "c1")
    assert shown is not None
    assert (shown.throw, shown.shooter, shown.faces, shown.void) == (0, "ann", (1, 1), False)
    assert (shown.movements, shown.calls) == (settled.movements, settled.calls)
    assert {(one.player, one.result.value): one.odds for one in shown.movements} == {
        ("ann", "lost"): "",
        ("bob", "won"): "2 to 1",
    }


def test_after_a_correction_it_shows_the_corrected_dice_and_what_they_settle(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(Bet(player="ann", bet="pass", stake_minor=10_00))
    sqlite_pit.throw(6, 6)
    sqlite_pit.do(CorrectThrow(table="c1", throw=0, dice=(Shown(face=6), Shown(face=5)), reason=Reason.MISREAD))
    shown = last_throw(sqlite_pit.house, "c1")
    assert shown is not None
    assert (shown.faces, shown.corrected) == ((6, 5), True)
    assert [(one.result.value, one.winnings) for one in shown.movements] == [("won", 10_00)]


def test_a_throw_of_a_game_of_hooligan_shows_what_it_scored(sqlite_pit: Pit) -> None:
    sqlite_pit.open_hooligan()
    sqlite_pit.do(StartGame(table="h1", player="ann"))
    sqlite_pit.throw(1, 2, 3, 4, 5, table="h1")
    shown = last_throw(sqlite_pit.house, "h1")
    assert shown is not None
    assert shown.calls == ("Hooligan scores 20",)
