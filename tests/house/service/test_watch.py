"""The laboratory runs live: the same numbers as in batch, across restarts, changes of dice and corrections."""

import random
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from house.domain.throws import DieState
from house.domain.watching import Watching
from house.service import corrections, equipment, incidents, laboratory, reports, tables, watch
from house.service.desk import open_house, submit
from house.service.hooligan import StartGame
from house.service.throws import Throw, Thrown
from house.service.watch import Watched
from house.store import records, watches
from integrity import monitors
from tests.house.pits import Pit

LOADED = (1, 1, 1, 1, 1, 4)
"""Weights of the faces of a die whose six comes 4 times in 9."""


def throw_many(pit: Pit, count: int, seed: int, *, weights: Sequence[int] = (1,) * 6, dice: str = "c1-d") -> None:
    """Throw two dice of table c1 a number of times, the first with a law of its own, in groups."""
    rng = random.Random(seed)
    futures = []
    for _ in range(count):
        faces = (rng.choices(range(1, 7), weights)[0], rng.randint(1, 6))
        thrown = tuple(Thrown(die=f"{dice}{slot}", face=face) for slot, face in enumerate(faces))
        pit.keys += 1
        futures.append(submit(pit.house, Throw(table="c1", dice=thrown), f"key-{pit.keys}"))
    for future in futures:
        future.result()


def live(pit: Pit, table: str = "c1") -> Watched:
    found, *_ = pit.house.writer.memory[table]
    assert isinstance(found, Watched)
    return found


def saved(watched: Watched) -> bytes:
    return monitors.save(watched.panel, watched.state)


def worked_out(pit: Pit, number: int = 1, *, afresh: bool = True) -> Watched:
    with pit.house.read() as connection:
        return watch.load(connection, watches.get(connection, number), afresh=afresh)


def test_a_new_set_begins_as_it_would_be_worked_out(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    begun, found = live(sqlite_pit), worked_out(sqlite_pit)
    assert (saved(begun), begun.span, begun.next_throw) == (saved(found), found.span, found.next_throw)
    assert (begun.bars == found.bars).all()


def test_a_restart_continues_to_the_last_bit(pit: Pit) -> None:
    pit.open_craps()
    throw_many(pit, 150, seed=1)
    before = saved(live(pit))
    pit.reopen()
    throw_many(pit, 50, seed=2)
    after = saved(live(pit))
    assert saved(worked_out(pit)) == after != before


def test_a_snapshot_is_kept_every_thousand_throws_and_what_follows_it_is_exact(
    sqlite_pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert watch.SNAPSHOT_THROWS == 1000
    monkeypatch.setattr(watch, "SNAPSHOT_THROWS", 100)
    sqlite_pit.open_craps()
    throw_many(sqlite_pit, 170, seed=3)
    with sqlite_pit.house.read() as connection:
        kept = watches.snapshot(connection, 1)
    assert kept is not None
    assert kept.next_throw == 100
    assert saved(worked_out(sqlite_pit, afresh=False)) == saved(worked_out(sqlite_pit)) == saved(live(sqlite_pit))


def test_a_house_that_closes_keeps_its_monitors_so_that_the_next_opening_works_nothing_out(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    pit.open_craps()
    throw_many(pit, 30, seed=19)
    before, sets = saved(live(pit)), len(pit.house.writer.memory["c1"])
    pit.reopen()
    with pit.house.read() as connection:
        kept = watches.snapshot(connection, 1)
    assert kept is not None
    assert (kept.next_throw, kept.state) == (30, before)
    worked = []
    monkeypatch.setattr(monitors, "observe_all", lambda *_: worked.append(1))
    throw_many(pit, 1, seed=20)
    monkeypatch.undo()
    assert (worked, len(pit.house.writer.memory["c1"])) == ([], sets)
    assert saved(worked_out(pit)) == saved(live(pit))
    assert reports.check(pit.house).discrepancies == ()


def test_a_house_whose_monitors_cannot_be_kept_closes_all_the_same(
    sqlite_pit: Pit, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite_pit.open_craps()
    throw_many(sqlite_pit, 3, seed=21)

    def full(*_: object) -> None:
        raise OSError(28, "no space")

    monkeypatch.setattr(watches, "keep", full)
    sqlite_pit.reopen()
    assert "the monitors were not kept: OSError" in caplog.text
    throw_many(sqlite_pit, 1, seed=22)
    assert saved(worked_out(sqlite_pit)) == saved(live(sqlite_pit))


def test_live_evidence_is_that_of_the_batch(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    throw_many(sqlite_pit, 150, seed=4, weights=LOADED)
    now = live(sqlite_pit)
    with sqlite_pit.house.read() as connection:
        (span,) = watches.spans(connection, 1)
        faces = np.concatenate(list(watch.faces_of(connection, now.watch, span)))
    batch = monitors.observe_all(now.panel, monitors.start(now.panel), faces)
    difference = monitors.log10_evalues(now.panel, batch) - monitors.log10_evalues(now.panel, now.state)
    assert float(np.abs(difference).max()) < 1e-9
    assert [alarm.throw for alarm in monitors.alarms(now.panel, batch)] == [
        alarm.throw for alarm in monitors.alarms(now.panel, now.state)
    ]


# A die whose six has 4/9 gives about 0.24 nats a throw: its bar of 3.88 in log10 falls well within 300 throws. That a
# fair die or pair alarms besides has a chance of at most alpha = 1/100.
def test_a_loaded_die_becomes_one_incident_that_names_it_in_the_throws_own_transaction(pit: Pit) -> None:
    pit.open_craps()
    throw_many(pit, 300, seed=5, weights=LOADED)
    (found,) = incidents.incidents(pit.house)
    assert (found.accused, found.attack, found.status) == ("die c1-d0", "load", "open")
    assert "face 6" in found.words
    assert "pivot" in found.check
    assert (found.table, found.dice, found.box) == ("c1", ("c1-d0", "c1-d1"), "c1-box")
    assert (found.pit_alpha, found.alpha, found.throws) == ("1/100", "8/53625", found.throw + 1)
    assert float(found.log10_evalue) >= float(found.bar)
    with pit.house.read() as connection:
        by_record = {row.number: row for row in records.stored(connection)}
    raised = found.steps[0].record
    assert by_record[raised].kind == "incident"
    assert by_record[raised - 1].kind == "throw"
    assert found.custody["c1-d0"] == tuple(
        number for number, row in by_record.items() if row.kind == "dice_event" and '"c1-d0"' in row.text
    )
    assert reports.check(pit.house).discrepancies == ()


def test_dice_that_come_back_resume_their_evidence_at_another_table_too(pit: Pit) -> None:
    pit.open_craps()
    throw_many(pit, 60, seed=6, weights=LOADED)
    before = live(pit)
    pit.do(equipment.RegisterEquipment(dice=("n0", "n1")))
    pit.do(tables.ChangeDice(table="c1", dice=("n0", "n1")))
    throw_many(pit, 5, seed=7, dice="n")
    assert live(pit).watch.dice == ("n0", "n1")
    assert int(live(pit).state[0]) == 5
    pit.do(tables.ChangeDice(table="c1", dice=("c1-d1", "c1-d0")))
    resumed = live(pit)
    assert (resumed.watch, int(resumed.state[0])) == (before.watch, 60)
    assert np.array_equal(
        monitors.log10_evalues(resumed.panel, resumed.state), monitors.log10_evalues(before.panel, before.state)
    )
    throw_many(pit, 30, seed=8)
    assert saved(worked_out(pit)) == saved(live(pit))


def test_shares_of_the_budget_are_given_once_and_stated(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.open_hooligan()
    sqlite_pit.house.watching = Watching(alpha=Fraction(1, 1000))
    sqlite_pit.do(equipment.RegisterEquipment(dice=("n0", "n1")))
    sqlite_pit.do(tables.ChangeDice(table="c1", dice=("n0", "n1")))
    sqlite_pit.do(tables.ChangeDice(table="c1", dice=("c1-d0", "c1-d1")))
    with sqlite_pit.house.read() as connection:
        given = [(one.alpha, one.pit_alpha) for one in watches.every(connection)]
    rule = Watching()
    # a pair, five dice, another pair: each set and every die by itself
    assert given == [
        *((rule.share(number) / 100, Fraction(1, 100)) for number in range(1, 10)),
        *((rule.share(number) / 1000, Fraction(1, 1000)) for number in range(10, 13)),
    ]
    board = laboratory.board(sqlite_pit.house)
    assert (board.alpha, board.given) == (Fraction(1, 100), sum(alpha for alpha, _ in given))
    assert {line.table for line in board.lines} == {"c1", "h1"}


def test_a_throw_that_is_refused_or_void_is_not_evidence(pit: Pit) -> None:
    pit.open_craps()
    throw_many(pit, 3, seed=9)
    before = saved(live(pit))
    with pytest.raises(Exception, match="not in play"):
        pit.do(Throw(table="c1", dice=(Thrown(die="c1-d0", face=6), Thrown(die="other", face=6))))
    cocked = (Thrown(die="c1-d0", face=6, state=DieState.COCKED), Thrown(die="c1-d1", face=6))
    pit.do(Throw(table="c1", dice=cocked))
    assert saved(live(pit)) == before
    throw_many(pit, 3, seed=10)
    assert saved(worked_out(pit)) == saved(live(pit)) != before


def test_dice_of_hooligan_that_are_kept_are_not_observed(sqlite_pit: Pit) -> None:
    sqlite_pit.open_hooligan()
    sqlite_pit.do(StartGame(table="h1", player="ann"))
    sqlite_pit.throw(1, 1, 6, 2, 3, table="h1")
    sqlite_pit.throw(1, 4, 4, table="h1", slots=(2, 3, 4), choice="name 1")
    now = live(sqlite_pit, "h1")
    counts = monitors.field(now.panel, now.state, "counts")[:, 1:].sum(axis=1)
    assert counts.tolist() == [1, 1, 2, 2, 2]
    assert saved(worked_out(sqlite_pit)) == saved(now)


def test_a_corrected_throw_is_seen_as_it_was_and_alarms_stay(pit: Pit) -> None:
    pit.open_craps()
    throw_many(pit, 40, seed=11)
    shown = (corrections.Shown(face=1), corrections.Shown(face=1))
    wrong = pit.throw(6, 6)
    wrong_state = saved(live(pit))
    reason = next(iter(corrections.Reason))
    pit.do(corrections.CorrectThrow(table="c1", throw=wrong.throw, dice=shown, reason=reason))
    throw_many(pit, 1, seed=12)
    assert saved(worked_out(pit)) == saved(live(pit)) != wrong_state
    sixes = monitors.field(live(pit).panel, live(pit).state, "counts")[0]
    with pit.house.read() as connection:
        (span,) = watches.spans(connection, 1)
        faces = np.concatenate(list(watch.faces_of(connection, live(pit).watch, span)))
    assert sixes[6] == (faces[:, 0] == 6).sum()
    assert (faces[40] == 1).all()


def test_another_writers_throws_are_taken_in(postgresql_url: str, clock: Any) -> None:
    pit = Pit(open_house(postgresql_url, clock=clock), postgresql_url, clock)
    pit.fund()
    pit.seat("ann")
    pit.open_craps()
    throw_many(pit, 20, seed=13)
    with open_house(postgresql_url, clock=clock) as other:
        twin = replace(pit, house=other, keys=10_000)
        throw_many(twin, 20, seed=14)
        throw_many(pit, 20, seed=15)
        throw_many(twin, 20, seed=16)
        assert saved(live(twin)) == saved(worked_out(pit))
    pit.house.close()


def test_a_snapshot_that_was_tampered_with_changes_nothing_that_is_said(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    pit.open_craps()
    throw_many(pit, 80, seed=17)
    pit.do(tables.CloseTable(table="c1"))
    honest = saved(worked_out(pit))
    with sqlite3.connect(pit.url.removeprefix("sqlite:///")) as database:
        assert database.execute("UPDATE snapshot SET state = zeroblob(LENGTH(state))").rowcount == 3  # set and dice
    assert saved(worked_out(pit, afresh=False)) == honest
    assert reports.check(pit.house).discrepancies == ()


def test_a_snapshot_that_was_forged_with_its_digest_is_named_by_the_check(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    pit.open_craps()
    throw_many(pit, 70, seed=18)
    pit.do(tables.CloseTable(table="c1"))
    with pit.house.read() as connection:
        honest = watches.snapshot(connection, 1)
    assert honest is not None
    of = worked_out(pit).panel
    other = monitors.observe(of, monitors.restore(of, honest.state), (6, 6))
    forged = replace(honest, state=monitors.save(of, other))
    pit.house.writer.submit(lambda unit: watches.keep(unit, forged)).result()
    (found,) = reports.check(pit.house).discrepancies
    assert (found.invariant, found.where) == (watch.AS_THROWN, "watch 1")
