"""Corrections of a throw until its table's next one, and adjustments afterwards."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from house.domain.limits import Measure, Span
from house.domain.people import Actor, PersonId, Scope
from house.domain.refusals import Refusal, Refused
from house.domain.throws import DieState
from house.service import cage, hooligan, limits, reports, surveillance, tables, wagers
from house.service.adjustments import Adjust, Adjusted, Cause, CollectOwed, Direction, debtors
from house.service.corrections import Corrected, CorrectThrow, Reason, Shown, corrections
from house.service.desk import open_house, perform
from house.service.generator import Draw
from house.service.retrace import Retraced
from house.service.throws import Throw, Thrown
from house.service.wagers import Bet
from house.store import records
from tests.house.drawing import open_generated, promise
from tests.house.pits import Pit
from tests.house.tampering import edit

FIELD = Bet(player="ann", bet="field", stake_minor=15_00)
PASS = Bet(player="bob", bet="pass", stake_minor=15_00)


def correct(
    pit: Pit, throw: int, *faces: int | None, table: str = "c1", states: Sequence[DieState] = (), key: str | None = None
) -> Corrected:
    """Correct a throw as misread."""
    given = states or (DieState.OK,) * len(faces)
    dice = tuple(Shown(face=face, state=state) for face, state in zip(faces, given, strict=True))
    corrected: Corrected = pit.do(CorrectThrow(table=table, throw=throw, dice=dice, reason=Reason.MISREAD), key)
    return corrected


def adjust(pit: Pit, player: str, direction: Direction, amount: int, throw: int = 0) -> Adjusted:
    command = Adjust(
        player=player, direction=direction, amount_minor=amount, table="c1", throw=throw, cause=Cause.MISPAID
    )
    adjusted: Adjusted = pit.do(command)
    return adjusted


def refusal(pit: Pit, command: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        pit.do(command)
    return refused.value


def sound(pit: Pit) -> None:
    """Hold the books to every invariant, and the records alone to a replay that makes the same balances."""
    assert reports.check(pit.house).discrepancies == ()
    retraced = Retraced()
    with pit.house.read() as connection:
        for record in records.stored(connection):
            assert retraced.add(json.loads(record.text)) == []
    lines = reports.trial_balance(pit.house).accounts
    side = {"asset": 1, "expense": 1}
    kept = {line.account: line.balance_minor * side.get(line.kind, -1) for line in lines if line.balance_minor}
    assert {name: amount for name, amount in retraced.balances.items() if amount} == kept


def win_and_take_home(pit: Pit) -> None:
    """Open table c1; Cat wins 30.00 by a two on all that she has, 15.00, and takes the 45.00 home."""
    pit.open_craps()
    pit.seat("cat", 15_00)
    pit.bet(Bet(player="cat", bet="field", stake_minor=15_00))
    pit.throw(1, 1)
    pit.do(cage.CashOut(player="cat", amount_minor=45_00))


def faces_logged(pit: Pit, table: str = "c1") -> list[tuple[int | None, ...]]:
    rows = surveillance.throws(pit.house, table)
    return [tuple(row.face for row in rows if row.throw == number) for number in sorted({row.throw for row in rows})]


def test_a_misread_throw_is_settled_as_it_was_and_the_log_shows_it_once(pit: Pit) -> None:
    # Come-out 3-4: the pass wins 15.00, the field loses. It was 4-5: the field wins 15.00, the pass rides on nine.
    pit.open_craps()
    pit.bet(FIELD, PASS)
    pit.throw(3, 4)
    assert (pit.wallet("ann"), pit.wallet("bob")) == (10_000_00 - 15_00, 10_000_00 + 15_00)
    corrected = correct(pit, 0, 4, 5)
    assert corrected.void is False
    assert [(one.player, one.result, one.winnings) for one in corrected.movements] == [("ann", "won", 15_00)]
    assert (pit.wallet("ann"), pit.wallet("bob")) == (10_000_00 + 15_00, 10_000_00 - 15_00)
    assert cage.balance(pit.house, "bob").riding_minor == 15_00
    assert corrected.state["point"] == 9
    assert faces_logged(pit) == [(4, 5)]
    assert sum(len(part) for part in surveillance.observations(pit.house)) == 2
    (shown,) = corrections(pit.house, "c1")
    assert [die.face for die in shown.logged] == [3, 4]
    assert [die.face for die in shown.shows] == [4, 5]
    sound(pit)
    assert pit.throw(4, 5).movements[0].winnings == 15_00  # the pass makes its nine
    sound(pit)


def test_what_each_bet_realised_counts_the_corrected_throw_alone(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    sqlite_pit.throw(3, 4)
    correct(sqlite_pit, 0, 4, 5)
    (field,) = reports.realised(sqlite_pit.house, "c1")
    assert (field.settled, field.handle_minor, field.lost_minor, field.winnings_minor) == (1, 15_00, 0, 15_00)


def test_a_throw_may_be_corrected_again_and_called_no_throw(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD, PASS)
    sqlite_pit.throw(3, 4)
    correct(sqlite_pit, 0, 4, 5)
    again = correct(sqlite_pit, 0, 1, 1)  # craps: the pass loses, the field pays double on two
    assert {(one.player, one.winnings, one.lost) for one in again.movements} == {("ann", 30_00, 0), ("bob", 0, 15_00)}
    void = correct(sqlite_pit, 0, 1, None, states=(DieState.OK, DieState.OFF))
    assert (void.void, void.movements) == (True, ())
    assert (sqlite_pit.wallet("ann"), sqlite_pit.wallet("bob")) == (10_000_00 - 15_00, 10_000_00 - 15_00)
    assert tables.table(sqlite_pit.house, "c1").round == "c1-r0"  # the window of the throw is open again
    sound(sqlite_pit)
    assert len(sqlite_pit.throw(4, 5).movements) == 1
    assert [one.throw for one in corrections(sqlite_pit.house, "c1")] == [0, 0, 0]
    assert faces_logged(sqlite_pit) == [(1, None), (4, 5)]
    sound(sqlite_pit)


def test_a_throw_that_was_called_void_wrongly_counts_after_all(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    dice = tuple({"die": f"c1-d{slot}", "face": face} for slot, face in enumerate((4, 5)))
    cocked = (Thrown(**dice[0]), Thrown(**dice[1], state=DieState.COCKED))
    assert sqlite_pit.do(Throw(table="c1", dice=cocked)).void
    corrected = correct(sqlite_pit, 0, 4, 5)
    assert [one.winnings for one in corrected.movements] == [15_00]
    assert tables.table(sqlite_pit.house, "c1").round == ""
    sound(sqlite_pit)


def test_bets_made_since_come_back_and_take_downs_and_the_rail_stand(pit: Pit) -> None:
    pit.open_craps()
    pit.throw(2, 2)
    first = pit.bet(Bet(player="ann", bet="place", spot="6", stake_minor=12_00)).wagers[0]
    second = pit.bet(Bet(player="ann", bet="place", spot="8", stake_minor=12_00)).wagers[0]
    pit.throw(4, 4)  # keyed for a 6-5, which touches neither
    assert pit.wallet("ann") == 10_000_00 - 24_00 + 14_00
    pit.bet(Bet(player="bob", bet="field", stake_minor=40_00))
    pit.do(wagers.PressBets(table="c1", wagers=(wagers.Press(wager=second, stake_minor=6_00),)))
    pit.do(wagers.TakeDownBets(table="c1", wagers=(wagers.TakeDown(wager=first),)))
    pit.do(wagers.JoinRail(table="c1", player="bob"))
    corrected = correct(pit, 1, 6, 5)
    assert pit.wallet("bob") == 10_000_00
    assert pit.wallet("ann") == 10_000_00 - 12_00  # the eight stays up, unpaid and not pressed; the six was taken down
    assert [(one["wager"], one["stake_minor"]) for one in wagers.riding(pit.house, "c1")] == [(second, 12_00)]
    assert corrected.state["rail"] == ["ann", "bob"]
    sound(pit)


def test_a_wager_taken_down_after_a_throw_that_really_lost_it_is_lost(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.throw(2, 2)
    wager = sqlite_pit.bet(Bet(player="ann", bet="place", spot="6", stake_minor=12_00)).wagers[0]
    sqlite_pit.throw(6, 5)
    sqlite_pit.do(wagers.TakeDownBets(table="c1", wagers=(wagers.TakeDown(wager=wager),)))
    corrected = correct(sqlite_pit, 1, 3, 4)  # a seven-out
    assert [one.lost for one in corrected.movements] == [12_00]
    assert sqlite_pit.wallet("ann") == 10_000_00 - 12_00
    sound(sqlite_pit)


def test_a_wager_that_was_not_lost_after_all_rides_again(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(PASS)
    sqlite_pit.throw(2, 2)
    sqlite_pit.throw(3, 4)
    assert cage.balance(sqlite_pit.house, "bob").riding_minor == 0
    correct(sqlite_pit, 1, 3, 5)
    assert cage.balance(sqlite_pit.house, "bob").riding_minor == 15_00
    assert sqlite_pit.throw(1, 3).movements[0].winnings == 15_00
    sound(sqlite_pit)


def test_what_a_player_has_spent_meanwhile_he_owes_by_name(pit: Pit) -> None:
    # Cat wins 30.00 on a two that was a seven, and takes everything home: she owes 45.00 less nothing.
    win_and_take_home(pit)
    corrected = correct(pit, 0, 3, 4)
    assert [(one.player, one.owed_minor) for one in corrected.owed] == [("cat", 45_00)]
    assert pit.wallet("cat") == 0
    assert debtors(pit.house) == corrected.owed
    sound(pit)
    pit.do(cage.BuyIn(player="cat", amount_minor=20_00))
    assert refusal(pit, CollectOwed(player="cat", amount_minor=45_01)).refusal is Refusal.BAD_VALUE
    assert refusal(pit, CollectOwed(player="cat", amount_minor=20_01)).refusal is Refusal.INSUFFICIENT_FUNDS
    collected = pit.do(CollectOwed(player="cat", amount_minor=20_00))
    assert (collected.wallet_minor, collected.owed_minor) == (0, 25_00)
    sound(pit)


def test_a_debt_goes_with_the_correction_that_made_it(sqlite_pit: Pit) -> None:
    win_and_take_home(sqlite_pit)
    correct(sqlite_pit, 0, 3, 4)
    back = correct(sqlite_pit, 0, 1, 1)
    assert back.owed == ()
    assert sqlite_pit.wallet("cat") == 0
    assert debtors(sqlite_pit.house) == ()
    sound(sqlite_pit)


def test_what_was_paid_of_a_debt_comes_back_when_the_debt_goes(sqlite_pit: Pit) -> None:
    # The throw was 4-5 after all: the field won 15.00. Cat took 45.00 home and has brought 20.00 of it back since.
    win_and_take_home(sqlite_pit)
    correct(sqlite_pit, 0, 3, 4)
    sqlite_pit.do(cage.BuyIn(player="cat", amount_minor=20_00))
    sqlite_pit.do(CollectOwed(player="cat", amount_minor=20_00))
    correct(sqlite_pit, 0, 4, 5)
    owes = {one.player: one.owed_minor for one in debtors(sqlite_pit.house)}
    assert sqlite_pit.wallet("cat") - owes.get("cat", 0) == 15_00 + 15_00 - 45_00 + 20_00
    sound(sqlite_pit)


def tokes_paid_and_taken_back(pit: Pit) -> None:
    """Pay the dealers 45.00 of a field bet that won twice its stake, and correct the throw to one that loses."""
    pit.open_craps()
    pit.bet(Bet(player="ann", bet="field", stake_minor=15_00, toke=True))
    pit.throw(1, 1)
    pit.do(cage.PayTokes(amount_minor=45_00))
    correct(pit, 0, 3, 4)


def test_tokes_that_the_dealers_have_taken_are_owed_in_suspense(sqlite_pit: Pit) -> None:
    tokes_paid_and_taken_back(sqlite_pit)
    accounts = {line.account: line.balance_minor for line in reports.trial_balance(sqlite_pit.house).accounts}
    assert (accounts["house:tokes"], accounts["suspense"]) == (0, -45_00)
    sound(sqlite_pit)


def test_what_dealers_owe_is_withheld_before_they_are_paid_again(pit: Pit) -> None:
    tokes_paid_and_taken_back(pit)
    vault = cage.vault(pit.house).vault_minor
    pit.do(cage.Toke(player="ann", amount_minor=60_00))
    refused = refusal(pit, cage.PayTokes(amount_minor=15_01))
    assert (refused.refusal, refused.limit) == (Refusal.INSUFFICIENT_FUNDS, "at most 1500")
    assert cage.tokes(pit.house) == cage.TokeBox(tokes_minor=60_00, owed_minor=45_00)
    assert pit.do(cage.PayTokes(amount_minor=15_00)) == cage.TokeBox(tokes_minor=0, owed_minor=0)
    assert cage.vault(pit.house).vault_minor - vault == 45_00
    sound(pit)
    retraced, found = Retraced(), []
    with pit.house.read() as connection:
        for record in records.stored(connection):
            body = json.loads(record.text)
            found += retraced.add({**body, "withheld": 0} if body.get("withheld") else body)
    assert "dealers are paid once they owe nothing" in {one.invariant for one in found}


def test_what_was_withheld_of_dealers_comes_back_to_their_box_when_the_debt_goes(sqlite_pit: Pit) -> None:
    # The throw was 1-1 after all: the bet won 30.00 and came back, which the dealers have; so all 60.00 are theirs.
    tokes_paid_and_taken_back(sqlite_pit)
    sqlite_pit.do(cage.Toke(player="ann", amount_minor=60_00))
    sqlite_pit.do(cage.PayTokes(amount_minor=10_00))
    correct(sqlite_pit, 0, 1, 1)
    assert cage.tokes(sqlite_pit.house) == cage.TokeBox(tokes_minor=50_00, owed_minor=0)
    sound(sqlite_pit)


def play_to_the_last_throw(pit: Pit) -> int:
    """Play a game that scores all that can be scored; return the number of the throw that ended it."""
    pit.do(hooligan.StartGame(table="h1", player="ann"))
    pit.throw(1, 2, 3, 4, 5, table="h1")
    for point in range(6, 0, -1):
        for number in range(3):
            pit.throw(*(point,) * 5, table="h1", choice=f"name {point}" if number == 1 else None)
    return int(tables.table(pit.house, "h1").next_throw) - 1


def test_a_finished_game_of_hooligan_is_paid_by_its_corrected_last_throw(sqlite_pit: Pit) -> None:
    sqlite_pit.open_hooligan()
    last = play_to_the_last_throw(sqlite_pit)
    view = tables.table(sqlite_pit.house, "h1")
    assert view.round == ""
    ended = tables.table(sqlite_pit.house, "h1").state["game"]["position"]
    paid = sqlite_pit.wallet("ann")
    corrected = correct(sqlite_pit, last, 6, 6, 6, 6, 6, table="h1")
    assert corrected.state["game"]["position"] != ended
    assert sqlite_pit.wallet("ann") <= paid
    sound(sqlite_pit)
    correct(sqlite_pit, last, 1, 1, 1, 1, 1, table="h1")
    assert tables.table(sqlite_pit.house, "h1").state["game"]["position"] == ended
    assert sqlite_pit.wallet("ann") == paid
    sound(sqlite_pit)


def test_a_game_begun_since_a_throw_that_did_not_end_the_last_one_is_as_if_it_had_not_been(sqlite_pit: Pit) -> None:
    sqlite_pit.open_hooligan()
    last = play_to_the_last_throw(sqlite_pit)
    stake = sqlite_pit.wallet("bob")
    sqlite_pit.do(hooligan.StartGame(table="h1", player="bob"))
    assert sqlite_pit.wallet("bob") < stake
    states = (DieState.COCKED, *(DieState.OK,) * 4)
    corrected = correct(sqlite_pit, last, 1, 1, 1, 1, 1, table="h1", states=states)
    assert corrected.state["game"]["player"] == "ann"
    assert sqlite_pit.wallet("bob") == stake
    assert tables.table(sqlite_pit.house, "h1").round == "h1-r0"
    sound(sqlite_pit)
    sqlite_pit.throw(1, 1, 1, 1, 1, table="h1")
    sqlite_pit.do(hooligan.StartGame(table="h1", player="bob"))
    sound(sqlite_pit)


def test_only_the_last_throw_of_an_open_table_is_corrected_and_only_by_a_change(pit: Pit) -> None:
    pit.open_craps()

    def command(throw: int, *faces: int) -> CorrectThrow:
        dice = tuple(Shown(face=face) for face in faces)
        return CorrectThrow(table="c1", throw=throw, dice=dice, reason=Reason.MISKEYED)

    assert refusal(pit, command(0, 1, 2)).refusal is Refusal.NOT_FOUND
    pit.throw(4, 5)
    pit.throw(6, 6)
    late = refusal(pit, command(0, 1, 2))
    assert (late.refusal, late.limit) == (Refusal.TOO_LATE, "1")
    assert refusal(pit, command(1, 6, 6)).refusal is Refusal.BAD_VALUE
    assert refusal(pit, command(1, 6)).refusal is Refusal.BAD_THROW
    assert refusal(pit, command(1, 6, 7)).field == "dice[1].face"
    pit.do(tables.CloseTable(table="c1"))
    assert refusal(pit, command(1, 5, 6)).refusal is Refusal.TABLE_CLOSED
    sound(pit)


def test_a_throw_of_the_generator_is_proved_and_not_corrected(sqlite_pit: Pit) -> None:
    open_generated(sqlite_pit)
    promise(sqlite_pit)
    sqlite_pit.do(Draw(table="g1"))
    command = CorrectThrow(table="g1", throw=0, dice=(Shown(face=1), Shown(face=1)), reason=Reason.MISREAD)
    assert refusal(sqlite_pit, command).refusal is Refusal.WRONG_METHOD


def test_a_correction_takes_two_people_and_names_both(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.throw(4, 5)
    box = Actor(PersonId("box-1"), frozenset({Scope.CORRECTIONS_WRITE}))
    boss = Actor(PersonId("boss-1"), frozenset({Scope.CORRECTIONS_WRITE, Scope.CORRECTIONS_APPROVE}))
    dice = (Shown(face=4), Shown(face=6))
    command = CorrectThrow(table="c1", throw=0, dice=dice, reason=Reason.MISREAD)
    for by, second in ((box, None), (box, box), (boss, boss)):
        with pytest.raises(Refused) as refused:
            perform(sqlite_pit.house, command, "one", by, second)
        assert refused.value.refusal is Refusal.SECOND_PERSON_NEEDED
    perform(sqlite_pit.house, command, "two", box, boss)
    (shown,) = corrections(sqlite_pit.house, "c1")
    assert (shown.by, shown.second, shown.reason) == ("box-1", "boss-1", Reason.MISREAD)
    sound(sqlite_pit)


def test_a_schedule_changed_since_the_throw_settles_what_is_bet_after_it_alone(sqlite_pit: Pit) -> None:
    """The throw is corrected by the version under which it was made."""
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    sqlite_pit.throw(3, 4)
    sqlite_pit.do(tables.ChangeSchedule(table="c1"))
    correct(sqlite_pit, 0, 4, 5)
    assert sqlite_pit.wallet("ann") == 10_000_00 + 15_00
    sound(sqlite_pit)


def test_later_errors_are_adjustments_that_name_the_throw(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    sqlite_pit.throw(4, 5)
    sqlite_pit.throw(4, 5)
    assert adjust(sqlite_pit, "bob", Direction.TO_PLAYER, 30_00).wallet_minor == 10_000_00 + 30_00
    taken = adjust(sqlite_pit, "ann", Direction.FROM_PLAYER, 10_015_00 + 5_00)
    assert (taken.wallet_minor, taken.owed_minor) == (0, 5_00)
    missing = Adjust(
        player="bob", direction=Direction.TO_PLAYER, amount_minor=1, table="c1", throw=2, cause=Cause.DISPUTE
    )
    assert refusal(sqlite_pit, missing).refusal is Refusal.NOT_FOUND
    accounts = {line.account: line.balance_minor for line in reports.trial_balance(sqlite_pit.house).accounts}
    assert accounts["house:adjustments"] == 10_020_00 - 30_00
    sound(sqlite_pit)


def test_a_repeated_correction_is_answered_as_before_and_survives_a_restart(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    sqlite_pit.throw(3, 4)
    first = correct(sqlite_pit, 0, 4, 5, key="once")
    sqlite_pit.reopen()
    assert correct(sqlite_pit, 0, 4, 5, key="once") == first
    correct(sqlite_pit, 0, 1, 1)
    assert sqlite_pit.wallet("ann") == 10_000_00 + 30_00
    sound(sqlite_pit)


TAMPERINGS = {
    "a face": "UPDATE correction_die SET face = 6 WHERE slot = 0",
    "a reason": "UPDATE correction SET reason = 'miskeyed'",
    "what it took back": "DELETE FROM undone WHERE record = (SELECT MIN(record) FROM undone)",
    "the whole": "DELETE FROM correction_die",
    "an entry": "UPDATE posting SET amount = -amount WHERE seq IN (SELECT seq FROM entry WHERE kind = 'correction')",
    "the state before": "UPDATE gaming_table SET state_before = ''",
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_a_correction_that_is_tampered_with_is_found(sqlite_pit: Pit, name: str) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD, PASS)
    sqlite_pit.throw(3, 4)
    correct(sqlite_pit, 0, 4, 5)
    sound(sqlite_pit)
    sqlite_pit.house.close()
    edit(sqlite_pit.url, TAMPERINGS[name])
    sqlite_pit.house = open_house(sqlite_pit.url, clock=sqlite_pit.clock)
    assert reports.check(sqlite_pit.house).discrepancies != ()


FORGERIES = {
    "the faces": ("faces", [1, 1], "a settlement is what its schedule pays"),
    "the second name": ("second", "box-1", "a correction has two names"),
    "what it took back": ("undone", [0], "a correction takes back what it corrects"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_correction_does_not_follow_from_the_records(sqlite_pit: Pit, name: str) -> None:
    field, value, invariant = FORGERIES[name]
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD, PASS)
    sqlite_pit.throw(3, 4)
    box = Actor(PersonId("box-1"), frozenset({Scope.CORRECTIONS_WRITE}))
    boss = Actor(PersonId("boss-1"), frozenset({Scope.CORRECTIONS_APPROVE}))
    dice = (Shown(face=4), Shown(face=5))
    perform(sqlite_pit.house, CorrectThrow(table="c1", throw=0, dice=dice, reason=Reason.MISREAD), "correct", box, boss)
    retraced, found = Retraced(), []
    with sqlite_pit.house.read() as connection:
        for record in records.stored(connection):
            body = json.loads(record.text)
            found += retraced.add({**body, field: value} if body["kind"] == "correction" else body)
    assert invariant in {one.invariant for one in found}


def test_a_debt_that_went_does_not_come_back_with_a_later_correction(sqlite_pit: Pit) -> None:
    # Cat took 45.00 home, so the first correction lends; the second takes the debt back. Then she brings 100.00:
    # by the third, 45.00 are taken from what she holds, and nothing is owed.
    win_and_take_home(sqlite_pit)
    correct(sqlite_pit, 0, 3, 4)
    correct(sqlite_pit, 0, 1, 1)
    sqlite_pit.do(cage.BuyIn(player="cat", amount_minor=100_00))
    assert correct(sqlite_pit, 0, 3, 4).owed == ()
    assert (sqlite_pit.wallet("cat"), debtors(sqlite_pit.house)) == (55_00, ())
    sound(sqlite_pit)


def test_what_is_lent_after_a_correction_is_not_won(sqlite_pit: Pit) -> None:
    # She lost 15.00, whatever she took home meanwhile: so much of her limit of loss is used, and after paying it too.
    sqlite_pit.open_craps()
    sqlite_pit.seat("cat", 15_00)
    sqlite_pit.do(limits.SetLimit(player="cat", measure=Measure.LOSS, span=Span.DAY, amount_minor=30_00))
    sqlite_pit.bet(Bet(player="cat", bet="field", stake_minor=15_00))
    sqlite_pit.throw(1, 1)
    sqlite_pit.do(cage.CashOut(player="cat", amount_minor=45_00))
    correct(sqlite_pit, 0, 3, 4)
    sqlite_pit.do(cage.BuyIn(player="cat", amount_minor=90_00))
    assert limits.limits(sqlite_pit.house, "cat").limits[0].used_minor == 15_00
    more = wagers.PlaceBets(table="c1", bets=(Bet(player="cat", bet="field", stake_minor=20_00),))
    assert refusal(sqlite_pit, more).refusal is Refusal.PLAYER_LIMIT
    sqlite_pit.do(CollectOwed(player="cat", amount_minor=45_00))
    assert limits.limits(sqlite_pit.house, "cat").limits[0].used_minor == 15_00
    sound(sqlite_pit)
