"""The daily reconciliation of dice: flows add up by area, long use is listed, differences are named."""

import sqlite3
from datetime import timedelta

from house.domain.lives import Event, Kind
from house.service import dice_papers, equipment, lives, tables
from house.service.papers import as_csv, as_html
from house.service.reconciliation import AreaLine, Difference, reconciliation
from house.store import equipment as store
from house.store.unit_of_work import moment
from tests.house.pits import Pit


def lines(pit: Pit, day: str) -> dict[tuple[str, Kind], AreaLine]:
    return {(line.area, line.kind): line for line in reconciliation(pit.house, day).lines}


def a_day_of_dice(pit: Pit) -> str:
    """Receive 8 dice, put two into play, move two, suspect, seal, cancel and destroy; return the gaming day."""
    pit.open_craps()
    pit.do(equipment.RegisterEquipment(dice=tuple(f"n{number}" for number in range(6))))
    pit.do(lives.MoveEquipment(dice=("n0", "n1"), area="cupboard"))
    pit.do(lives.SuspectEquipment(dice=("c1-d1",), seen="it swings"))
    pit.do(lives.SealEquipment(dice=("c1-d1",), seen="it swings"))
    pit.do(lives.CancelEquipment(dice=("n2", "n3"), why="chipped"))
    pit.do(lives.DestroyEquipment(dice=("n3",), why="chipped"))
    pit.do(lives.CountEquipment(area="pit", dice=3, boxes=0))
    return pit.clock.now.date().isoformat()


def test_the_flows_of_a_day_add_up_in_every_area(pit: Pit) -> None:
    day = a_day_of_dice(pit)
    found = lines(pit, day)
    dice = found["pit", Kind.DIE]
    # 8 received, 2 issued, of which 1 came back sealed, 2 moved away, 1 destroyed: 4 are left, n4 and n5 fit for play
    assert (dice.opening, dice.received, dice.returned, dice.moved, dice.issued) == (0, 8, 1, -2, 2)
    assert (dice.destroyed, dice.closing, dice.reserve) == (1, 4, 2)
    assert (dice.suspected, dice.sealed, dice.cancelled, dice.failed) == (1, 1, 2, 0)
    assert (dice.counted, dice.difference) == (3, -1)
    assert (found["cupboard", Kind.DIE].moved, found["cupboard", Kind.DIE].closing) == (2, 2)
    for line in found.values():
        flow = line.opening + line.received + line.returned + line.moved - line.issued - line.destroyed
        assert flow == line.closing


def test_the_next_day_opens_with_what_the_last_one_left_and_lists_what_stayed_in_play(sqlite_pit: Pit) -> None:
    day = a_day_of_dice(sqlite_pit)
    sqlite_pit.clock.now += timedelta(hours=25)
    next_day = sqlite_pit.clock.now.date().isoformat()
    assert lines(sqlite_pit, next_day)["pit", Kind.DIE].opening == lines(sqlite_pit, day)["pit", Kind.DIE].closing
    report = reconciliation(sqlite_pit.house, next_day)
    assert [(one.serial, one.table, one.issued_day, one.hours) for one in report.long_in_use] == [
        ("c1-box", "c1", day, 25),
        ("c1-d0", "c1", day, 25),
    ]
    sqlite_pit.do(tables.CloseTable(table="c1"))
    assert reconciliation(sqlite_pit.house, next_day).long_in_use == ()
    assert lines(sqlite_pit, day)["pit", Kind.DIE].closing == 4


def test_what_is_in_play_for_more_than_24_hours_is_listed_whatever_the_gaming_days_are(pit: Pit) -> None:
    # Issued at 20:00 of one gaming day, which ends at 06:00: for 23 h 59 a day later, for 24 h 01 two minutes after.
    pit.open_craps()
    with pit.house.read() as connection:
        (issued,) = {
            moment(one.at_us) for one in store.until(connection, "2026-07-01") if one.move.event is Event.ISSUED
        }
    found = {}
    for minutes in (24 * 60 - 1, 24 * 60 + 1):
        pit.clock.now = issued + timedelta(minutes=minutes)
        found[minutes] = [(one.serial, one.hours) for one in reconciliation(pit.house, "2026-07-02").long_in_use]
    assert found == {1439: [], 1441: [("c1-box", 24), ("c1-d0", 24), ("c1-d1", 24)]}
    pit.clock.now += timedelta(days=3)
    assert reconciliation(pit.house, "2026-07-01").long_in_use == ()
    assert {one.hours for one in reconciliation(pit.house, "2026-07-02").long_in_use} == {33}  # until 06:00


def test_a_row_that_does_not_agree_with_its_events_is_named(sqlite_pit: Pit) -> None:
    day = a_day_of_dice(sqlite_pit)
    assert reconciliation(sqlite_pit.house, day).differences == ()
    sqlite_pit.house.close()
    with sqlite3.connect(sqlite_pit.url.removeprefix("sqlite:///")) as database:
        database.execute("UPDATE die SET state = 'ready' WHERE serial = 'c1-d1'")
    sqlite_pit.reopen()
    report = reconciliation(sqlite_pit.house, day)
    assert report.differences == (Difference(where="die c1-d1", found="ready at -, pit", due="sealed at -, pit"),)
    paper = dice_papers.reconciliation(report)
    assert "Difference: die c1-d1" in as_html(paper)
    assert as_csv(paper).splitlines()[0].startswith("Storage area,Kind,Opening")
