"""`floorman db check` names what was changed in the database file, each rule of the cage by a change of its own."""

import json
from typing import Any

import pytest
from sqlalchemy import text

from house.domain.limits import Measure, Span
from house.domain.slips import SlipKind
from house.service import limits, markers, reports, shifts, slips, wagers
from house.service.counts import AS_COUNTED
from house.service.retrace import Retraced
from house.store.checks import Discrepancy
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


def changed(pit: Pit, *statements: str) -> tuple[Discrepancy, ...]:
    """What is found after changes in the file, made without its triggers."""
    with pit.house._write_engine.begin() as connection:
        triggers = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
        for name in triggers:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        for statement in statements:
            assert connection.exec_driver_sql(statement).rowcount
    return reports.check(pit.house).discrepancies


def bodies_of(pit: Pit) -> list[dict[str, Any]]:
    with pit.house.read() as connection:
        return [
            json.loads(one) for one in connection.execute(text("SELECT body FROM record ORDER BY number")).scalars()
        ]


@pytest.mark.parametrize("rule", CHANGES)
def test_a_change_in_the_file_is_named_by_the_rule_that_it_breaks(evening: Pit, rule: str) -> None:
    assert rule in {one.invariant for one in changed(evening, *CHANGES[rule])}


def test_a_changed_count_of_a_table_is_named_by_its_column(evening: Pit) -> None:
    """Rounds and wagers are named by them and stakes told large from small: a count set back names two things alike."""
    counts = "UPDATE gaming_table SET rounds = rounds - 1, wagers = wagers - 1, round = '', stakes_seen = '{}'"
    found = [one for one in changed(evening, counts) if one.invariant == "the state is what the records make it"]
    assert {one.where: (one.found, one.due) for one in found} == {
        "table c1 round": ("", "c1-r2"),
        "table c1 rounds": ("2", "3"),
        "table c1 wagers": ("2", "3"),
        "table c1 stakes_seen": ("{}", '{"1000":2}'),
    }


@pytest.mark.parametrize(("name", "value"), [("stake_class", 3), ("round", "c1-r7"), ("number", 5)])
def test_the_history_played_again_names_a_throw_that_is_not_named_as_it_is_counted(
    evening: Pit, name: str, value: object
) -> None:
    bodies, forged = bodies_of(evening), Retraced()
    thrown = next(body for body in bodies if body["kind"] == "throw")
    thrown[name] = value
    faults = [fault for body in bodies for fault in forged.add(body)]
    assert [(one.invariant, one.where) for one in faults] == [(AS_COUNTED, f"record {thrown['record']}")]


def test_the_history_played_again_names_a_shift_that_is_not_where_the_books_are(evening: Pit) -> None:
    bodies, forged = bodies_of(evening), Retraced()
    swing = [body for body in bodies if body["kind"] == "shift"][1]
    swing |= {"shift": 3, "end_entry": swing["end_entry"] - 1}
    faults = [fault for body in bodies for fault in forged.add(body)]
    assert {one.where for one in faults} == {f"record {swing['record']}"}
    assert {one.invariant for one in faults} == {
        "a shift ends where the books are",
        "shifts are numbered without a gap and follow one another",
    }


def test_the_history_played_again_names_a_slip_that_books_another_amount(evening: Pit) -> None:
    bodies = bodies_of(evening)
    honest, forged = Retraced(), Retraced()
    assert [fault for body in bodies for fault in honest.add(body)] == []
    changed = next(body for body in bodies if body.get("event") == "fill")
    void = next(body for body in bodies if body.get("event") == "slip_void")
    changed["amount"] += 1
    faults = [fault for body in bodies for fault in forged.add(body)]
    assert [(one.invariant, one.where) for one in faults] == [
        ("an entry books its event", f"record {changed['record']}"),
        ("what is voided is a slip that stands", f"record {void['record']}"),
    ]
