"""`floorman db check` names what was changed in the database file, each rule of the cage by a change of its own."""

import json

import pytest
from sqlalchemy import text

from house.domain.limits import Measure, Span
from house.domain.slips import SlipKind
from house.service import limits, markers, reports, shifts, slips, wagers
from house.service.retrace import Retraced
from tests.house.pits import Pit

CHANGES = {
    "what players and dealers own lies in the deposits": (
        "UPDATE account SET balance = balance - 5 WHERE name = 'cage:deposits'",
        "UPDATE account SET balance = balance + 5 WHERE name = 'cage:vault'",
    ),
    "slips of a kind are numbered without a gap": ("UPDATE slip SET number = 3 WHERE number = 2",),
    "a slip is booked once, and twice if it is void": ("UPDATE slip SET amount = amount + 1 WHERE number = 2",),
    "every fill, credit and counter-entry has its slip": ("DELETE FROM slip_void",),
    "what a player did on a day is what his entries say": ("UPDATE player_day SET staked = 0 WHERE player = 'ann'",),
    "slips are as they were recorded": ("UPDATE slip SET second = 'bob' WHERE number = 2",),
    "shifts are as they were recorded": ("UPDATE rack_count SET counted = counted - 1",),
    "limits, exclusions and credit lines are as they were recorded": (
        "UPDATE player_limit SET amount = 9000000 WHERE player = 'ann'",
    ),
    "the state is what the records make it": ("UPDATE gaming_table SET exposure = 0 WHERE exposure > 0",),
    "whoever owes on markers has a credit line": ("DELETE FROM credit_line",),
    "shifts are numbered without a gap and follow one another": ("UPDATE shift SET end_entry = 0 WHERE number = 2",),
    "the float is opener, slips and settled flow": (
        "UPDATE account SET balance = balance - 5 WHERE name = 'house:table:c1:float'",
        "UPDATE account SET balance = balance + 5 WHERE name = 'cage:vault'",
    ),
}
"""What must be named, and the change that breaks it."""


@pytest.fixture
def evening(sqlite_pit: Pit) -> Pit:
    """A house with slips, one of them void, a drop, a marker, a limit and two shifts."""
    sqlite_pit.open_craps()
    for _ in range(2):
        sqlite_pit.do(slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=500_00))
    sqlite_pit.do(slips.VoidSlip(kind=SlipKind.FILL, number=1, reason="wrong table"))
    sqlite_pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=100_00))
    sqlite_pit.do(markers.SetCreditLine(player="ann", line_minor=100_00))
    sqlite_pit.do(markers.IssueMarker(player="ann", amount_minor=100_00, table="c1"))
    sqlite_pit.do(limits.SetLimit(player="ann", measure=Measure.STAKE, span=Span.DAY, amount_minor=500_00))
    for name in ("day", "swing"):
        sqlite_pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
        sqlite_pit.throw(2, 3)
        racks = (shifts.RackCount(table="c1", counted_minor=50_000_00),)
        sqlite_pit.do(shifts.EndShift(name=name, counts=racks))
    sqlite_pit.do(limits.ExcludePlayer(player="bob", days=7))
    sqlite_pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
    assert reports.check(sqlite_pit.house).discrepancies == ()
    return sqlite_pit


@pytest.mark.parametrize("rule", CHANGES)
def test_a_change_in_the_file_is_named_by_the_rule_that_it_breaks(evening: Pit, rule: str) -> None:
    with evening.house._write_engine.begin() as connection:
        triggers = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
        for name in triggers:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        for statement in CHANGES[rule]:
            assert connection.exec_driver_sql(statement).rowcount
    assert rule in {one.invariant for one in reports.check(evening.house).discrepancies}


def test_the_history_played_again_names_a_slip_that_books_another_amount(evening: Pit) -> None:
    with evening.house.read() as connection:
        bodies = [
            json.loads(one) for one in connection.execute(text("SELECT body FROM record ORDER BY number")).scalars()
        ]
    honest, forged = Retraced(), Retraced()
    assert [fault for body in bodies for fault in honest.add(body)] == []
    changed = next(body for body in bodies if body.get("event") == "fill")
    changed["amount"] += 1
    faults = [fault for body in bodies for fault in forged.add(body)]
    assert [(one.invariant, one.where) for one in faults] == [
        ("an entry books its event", f"record {changed['record']}")
    ]
