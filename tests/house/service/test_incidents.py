"""Incidents: assigned, noted, closed for a reason, never opened again; the next needs ten times the evidence."""

import random
from typing import Any

import pytest

from house.domain.people import Role
from house.domain.refusals import Refusal, Refused
from house.service import incidents, laboratory
from house.service.desk import submit
from house.service.incidents import AssignIncident, CloseIncident, NoteIncident, Reason
from house.service.people import LockPerson
from house.service.throws import Throw, Thrown
from integrity.findings import Verdict
from tests.house.pits import Pit
from tests.house.service.staff import hire


def throw_sixes(pit: Pit, count: int, seed: int, chance: float = 0.6) -> None:
    """Throw the dice of table c1; the first shows six with a chance and else any face."""
    rng, futures = random.Random(seed), []
    for _ in range(count):
        first = 6 if rng.random() < chance else rng.randint(1, 6)
        pit.keys += 1
        dice = (Thrown(die="c1-d0", face=first), Thrown(die="c1-d1", face=rng.randint(1, 6)))
        futures.append(submit(pit.house, Throw(table="c1", dice=dice), f"key-{pit.keys}"))
    for future in futures:
        future.result()


def refusal(pit: Pit, command: Any) -> Refusal:
    with pytest.raises(Refused) as no:
        pit.do(command)
    return no.value.refusal


# Six with 0.67 gives about 0.8 nats a throw: the bar of 3.88 in log10 is crossed within 60 throws.
def test_an_incident_is_assigned_noted_and_closed_and_stays_so(pit: Pit) -> None:
    pit.open_craps()
    throw_sixes(pit, 60, seed=1)
    (raised,) = incidents.incidents(pit.house)
    for person, role in (("lee", Role.SURVEILLANCE), ("dan", Role.DEALER), ("gone", Role.FLOORMAN)):
        hire(pit, person, role, password=None)
    pit.do(LockPerson(person="gone"))
    for person, no in (("nobody", Refusal.NOT_FOUND), ("gone", Refusal.NOT_FOUND), ("dan", Refusal.BAD_VALUE)):
        assert refusal(pit, AssignIncident(incident=0, person=person)) is no
    assert pit.do(AssignIncident(incident=0, person="lee")).assigned == "lee"
    pit.do(NoteIncident(incident=0, text="both dice go to the caliper"))
    closed = pit.do(CloseIncident(incident=0, reason=Reason.CONFIRMED, text="swings on a pivot"))
    assert (closed.status, closed.reason, closed.words) == ("closed", "confirmed", raised.words)
    assert [(step.event, step.text) for step in closed.steps[1:]] == [
        ("assigned", "lee"),
        ("noted", "both dice go to the caliper"),
        ("ended", "swings on a pivot"),
    ]
    assert incidents.incident(pit.house, 0) == closed
    for command in (AssignIncident(incident=0, person="kim"), CloseIncident(incident=0, reason=Reason.WORN, text="x")):
        assert refusal(pit, command) is Refusal.INCIDENT_CLOSED
    assert refusal(pit, NoteIncident(incident=1, text="x")) is Refusal.NOT_FOUND
    assert refusal(pit, NoteIncident(incident=0, text=" ")) is Refusal.BAD_VALUE
    assert incidents.incidents(pit.house, status="open") == ()
    assert incidents.incidents(pit.house, table="c2") == ()


def test_more_evidence_is_no_new_incident_until_the_first_is_closed_and_then_tenfold(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    pit.open_craps()
    throw_sixes(pit, 90, seed=2)
    assert len(incidents.incidents(pit.house)) == 1
    pit.do(CloseIncident(incident=0, reason=Reason.FALSE_ALARM, text="nothing found"))
    throw_sixes(pit, 1, seed=3, chance=1.0)  # one six more is worth less than ln 6 nats, and so less than ten times
    assert len(incidents.incidents(pit.house)) == 1
    pit.reopen()
    throw_sixes(pit, 20, seed=4)
    first, second = incidents.incidents(pit.house)
    assert (first.status, second.status) == ("closed", "open")
    at_close = next(step for step in first.steps if step.event == "ended")
    assert second.steps[0].record > at_close.record
    assert second.accused == first.accused


def test_the_board_accuses_and_the_dies_page_shows_faces_path_and_use(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    pit.open_craps()
    throw_sixes(pit, 60, seed=5)
    board = laboratory.board(pit.house)
    top = board.lines[0]
    assert (top.monitor, top.dice, top.accused, top.throws) == ("faces", ("c1-d0",), True, 60)
    assert board.open_incidents == (0,)
    die = laboratory.die(pit.house, "c1-d0")
    assert die.throws == sum(face.count for face in die.faces) == 60
    six = die.faces[5]
    assert six.low > 1 / 6
    assert die.path[-1].throws == 60
    assert die.path[-1].log10_evalue > 3
    assert [(used.table, used.throws, used.first_throw, used.last_throw) for used in die.used] == [("c1", 60, 0, 59)]
    assert [one.incident for one in die.incidents] == [0]
    assert laboratory.die(pit.house, "c1-d1").incidents == ()
    with pytest.raises(Refused, match="not registered"):
        laboratory.die(pit.house, "nobody")


def test_the_audit_of_the_houses_own_log_takes_tables_and_days(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    pit.open_craps()
    throw_sixes(pit, 60, seed=6)
    found = laboratory.audit_house(pit.house)
    assert {(one.kind, one.id) for one in found.accused} == {("die", "c1-d0")}
    assert found.throws == 60
    day = pit.clock.now.date().isoformat()
    assert laboratory.audit_house(pit.house, "c1", day, day).throws == 60
    assert laboratory.audit_house(pit.house, last_day="2020-01-01").verdict is Verdict.NO_DATA
    with pytest.raises(Refused):
        laboratory.audit_house(pit.house, "c9")
