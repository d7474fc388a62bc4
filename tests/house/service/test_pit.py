"""The pit at a glance: what each table is at, and how its gaming day goes, the same as on the stiff sheets."""

from dataclasses import replace
from datetime import timedelta

import pytest

from house.domain.slips import SlipKind
from house.service import pit as service
from house.service import schedules, sheets, slips, tables, wagers
from tests.house.pits import Pit

SEVEN = wagers.Bet(player="ann", bet="any_seven", stake_minor=10_00)


def test_a_glance_says_what_rides_and_who_shoots(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps(opener=1_000_00)
    sqlite_pit.bet(SEVEN, replace(SEVEN, player="bob", stake_minor=30_00))
    glance = service.glance(sqlite_pit.house, "c1")
    # Any seven pays 4 to 1: 40 units on it may cost 160.
    assert (glance.riding_minor, glance.exposure_minor) == (40_00, 160_00)
    assert (glance.players, glance.shooter, glance.throws) == (2, "ann", 0)
    assert service.glances(sqlite_pit.house) == (glance,)


def test_schedules_in_play_are_read_ahead(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps("c1")
    sqlite_pit.open_craps("c2")
    (fingerprint,) = tables.in_play(sqlite_pit.house)
    sqlite_pit.house.schedules.clear()
    schedules.read_ahead(sqlite_pit.house, [fingerprint]).join()
    assert [one.fingerprint for one in sqlite_pit.house.schedules.values()] == [fingerprint]


def test_a_day_is_that_of_the_stiff_sheet_however_often_it_is_asked_for(pit: Pit) -> None:
    pit.open_craps(opener=1_000_00)
    pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=200_00))
    for faces in ((1, 3), (3, 4), (2, 2)):
        pit.bet(SEVEN)
        pit.throw(*faces)
        pit.do(slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=50_00))
        shown = service.today(pit.house, ["c1"])["c1"]
        (line,) = sheets.sheet_of_day(pit.house, pit.house.gaming_day()).lines
        assert (shown.won_minor, shown.drop_minor, shown.hold) == (line.win_minor, line.drop_minor, line.hold)
    assert shown.won_minor == 10_00 - 40_00 + 10_00


def test_a_table_that_is_asked_for_later_misses_nothing(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps("c1")
    sqlite_pit.open_craps("c2")
    for table in ("c1", "c2", "c1"):
        sqlite_pit.bet(SEVEN, table=table)
        sqlite_pit.throw(1, 3, table=table)
        service.today(sqlite_pit.house, ["c1"])
    shown = service.today(sqlite_pit.house, ["c1", "c2"])
    assert {table: one.won_minor for table, one in shown.items()} == {"c1": 20_00, "c2": 10_00}


def test_a_new_gaming_day_begins_with_nothing(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(SEVEN)
    sqlite_pit.throw(1, 3)
    assert service.today(sqlite_pit.house, ["c1"])["c1"].won_minor == 10_00
    sqlite_pit.clock.now += timedelta(days=1)
    later = service.today(sqlite_pit.house, ["c1"])["c1"]
    assert (later.won_minor, later.judged) == (0, None)


def test_limits_are_those_of_the_report_and_are_not_made_at_every_look(
    sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(SEVEN)
    sqlite_pit.throw(1, 3)
    judged = service.today(sqlite_pit.house, ["c1"])["c1"].judged
    assert judged is not None
    assert (judged.wagers, judged.theoretical_minor) == (1, pytest.approx(10_00 / 6)), "any seven keeps a sixth"
    sqlite_pit.bet(SEVEN)
    sqlite_pit.throw(1, 3)
    assert service.today(sqlite_pit.house, ["c1"])["c1"].judged is judged
    monkeypatch.setattr(service.time, "monotonic", lambda: 1e12)
    again = service.today(sqlite_pit.house, ["c1"])["c1"].judged
    assert again is not None
    assert again.wagers == 2
