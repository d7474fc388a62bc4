"""Dice and boxes have lives: received, inspected, issued, suspected, sealed, cancelled, counted; each step is kept."""

from dataclasses import replace
from typing import Any

import pytest

from house.domain.inspections import DEFAULT
from house.domain.lives import Event, Kind, State
from house.domain.people import ROLES, Actor, PersonId, Role, Scope
from house.domain.refusals import Refusal, Refused
from house.service import equipment, lives, reports, tables
from house.service.desk import perform
from house.service.hooligan import StartGame
from house.service.throws import Throw, Thrown
from tests.house.pits import Pit
from tests.house.service.staff import hire

FAIR_BOX = {"rim_slope_degrees": (0,), "rim_rough": (0,), "fingers_inside": (0,)}
FAIR_DIE = {
    "faces": (1, 6, 2, 5, 3, 4),
    "heights_um": (19_300, 19_302, 19_301),
    "convexity_um": (2,),
    "swings": (0,),
    "dark_corners": (0,),
    "magnetic": (0,),
}
FLOORMAN = Actor(PersonId("flo"), ROLES[Role.FLOORMAN])
WATCHER = Actor(PersonId("sue"), ROLES[Role.SURVEILLANCE])
CHANGED = tables.ChangeDice(table="c1", dice=("n0", "n1"), box="n-box")


def refused(pit: Pit, command: Any, **people: Actor) -> tuple[Refusal, str]:
    pit.keys += 1
    with pytest.raises(Refused) as no:
        perform(pit.house, command, f"key-{pit.keys}", **people)
    return no.value.refusal, no.value.field


def events(pit: Pit, serial: str, kind: Kind = Kind.DIE) -> list[Event]:
    return [link.event for link in lives.custody(pit.house, kind, serial).links]


def inspected(pit: Pit, serial: str, **changed: tuple[int, ...]) -> lives.Inspected:
    found: lives.Inspected = pit.do(
        lives.InspectEquipment(kind=Kind.DIE, serial=serial, measured={**FAIR_DIE, **changed})
    )
    return found


def test_a_die_is_received_by_two_people_of_different_roles_and_its_life_is_kept(pit: Pit) -> None:
    lot = equipment.ReceiveEquipment(dice=("n0",), maker="Paulson", lot="7", area="cupboard")
    assert refused(pit, lot, by=FLOORMAN) == (Refusal.SECOND_PERSON_NEEDED, "second_person")
    for person, role in (("flo", Role.FLOORMAN), ("fred", Role.FLOORMAN), ("sue", Role.SURVEILLANCE)):
        hire(pit, person, role, password=None)
    twin = replace(FLOORMAN, id=PersonId("fred"))
    assert refused(pit, lot, by=FLOORMAN, second=twin) == (Refusal.SECOND_PERSON_NEEDED, "second_person")
    with_a_key = replace(FLOORMAN, scopes=FLOORMAN.scopes - {Scope.SEEDS_WRITE})
    assert refused(pit, lot, by=with_a_key, second=twin) == (Refusal.SECOND_PERSON_NEEDED, "second_person")
    perform(pit.house, lot, "received", FLOORMAN, WATCHER)
    (link,) = lives.custody(pit.house, Kind.DIE, "n0").links
    assert (link.event, link.by, link.second, link.area) == (Event.RECEIVED, "flo", "sue", "cupboard")
    assert link.facts == {"maker": "Paulson", "lot": "7"}


def test_a_die_that_fails_its_inspection_leaves_the_table_and_is_not_issued_again(pit: Pit) -> None:
    pit.open_craps()
    assert inspected(pit, "c1-d0").passed
    failed = inspected(pit, "c1-d1", swings=(1,))
    assert (failed.passed, failed.failures) == (False, ("swings 1, passes 0 to 0",))
    assert failed.piece.table is None
    with pytest.raises(Refused, match="not in play"):
        pit.throw(3, 4)
    again = tables.ChangeDice(table="c1", dice=("c1-d0", "c1-d1"))
    assert refused(pit, again) == (Refusal.NOT_FIT, "dice[1]")
    assert events(pit, "c1-d1") == [Event.REGISTERED, Event.ISSUED, Event.FAILED]
    assert lives.custody(pit.house, Kind.DIE, "c1-d1").links[-1].facts["measured"]["swings"] == [1]
    pit.do(lives.CancelEquipment(dice=("c1-d1",), why="it swings"))
    for serial, due in (("c1-d1", Refusal.NOT_FIT), ("none", Refusal.NOT_FOUND)):
        command = lives.InspectEquipment(kind=Kind.DIE, serial=serial, measured=FAIR_DIE)
        assert refused(pit, command) == (due, "serial")
    assert reports.check(pit.house).discrepancies == ()


@pytest.mark.parametrize("text", ["", " \n", "a\0b", "\u202eevil", "zero\u200bwidth", "x" * 2001])
def test_what_is_written_for_others_can_be_seen(pit: Pit, text: str) -> None:
    pit.open_craps()
    for command, field in (
        (lives.SuspectEquipment(dice=("c1-d1",), seen=text), "seen"),
        (lives.CancelEquipment(dice=("c1-d1",), why=text), "why"),
        (equipment.ReceiveEquipment(dice=("n0",), maker=text, lot="1"), "maker"),
    ):
        assert refused(pit, command) == (Refusal.BAD_VALUE, field)
    pit.do(lives.SuspectEquipment(dice=("c1-d1",), seen="swings\r\nat two diagonals: naïve ⚅"))


def test_nobody_registers_alone_where_two_receive(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    alone = equipment.RegisterEquipment(dice=("n0",))
    assert pit.house.equipment.two_receive
    assert refused(pit, alone, by=FLOORMAN) == (Refusal.SECOND_PERSON_NEEDED, "second_person")
    pit.house.equipment = replace(DEFAULT, two_receive=False)
    perform(pit.house, alone, "alone", FLOORMAN)
    assert events(pit, "n0") == [Event.REGISTERED]


def test_where_inspections_are_required_only_what_passed_one_comes_into_play(sqlite_pit: Pit) -> None:
    pit = sqlite_pit
    pit.open_craps()
    pit.house.equipment = replace(DEFAULT, inspection_required=True)
    pit.do(equipment.ReceiveEquipment(dice=("n0", "n1"), boxes=("n-box",), maker="m", lot="1"))
    assert refused(pit, CHANGED) == (Refusal.NOT_INSPECTED, "dice[0]")
    for serial in ("n0", "n1"):
        inspected(pit, serial)
    assert refused(pit, CHANGED) == (Refusal.NOT_INSPECTED, "box")
    pit.do(lives.InspectEquipment(kind=Kind.BOX, serial="n-box", measured=FAIR_BOX))
    pit.do(CHANGED)
    back = tables.ChangeDice(table="c1", dice=("c1-d0", "c1-d1"))
    assert refused(pit, back) == (Refusal.NOT_INSPECTED, "dice[0]")


def test_what_was_not_inspected_is_noted_where_it_comes_into_play(pit: Pit) -> None:
    pit.open_craps()
    facts = lives.custody(pit.house, Kind.DIE, "c1-d0").links[-1].facts
    assert facts["not_inspected"] == ["c1-d0", "c1-d1", "c1-box"]


def test_a_suspect_die_leaves_the_table_is_sealed_by_two_and_never_played_again(pit: Pit) -> None:
    pit.open_craps()
    pit.do(lives.SuspectEquipment(dice=("c1-d1",), seen="swings at one diagonal"))
    seal = lives.SealEquipment(dice=("c1-d1",), seen="swings at one diagonal", names=("kim",))
    assert refused(pit, seal, by=FLOORMAN) == (Refusal.SECOND_PERSON_NEEDED, "second_person")
    perform(pit.house, seal, "sealed", FLOORMAN, WATCHER)
    suspected, sealed = lives.custody(pit.house, Kind.DIE, "c1-d1").links[-2:]
    assert (suspected.table, suspected.facts) == ("c1", {"seen": "swings at one diagonal"})
    assert (sealed.by, sealed.second, sealed.facts["names"]) == ("flo", "sue", ["kim"])
    for command in (
        tables.ChangeDice(table="c1", dice=("c1-d0", "c1-d1")),
        lives.CancelEquipment(dice=("c1-d1",), why="w"),
        lives.ClearEquipment(dice=("c1-d1",), why="w"),
    ):
        assert refused(pit, command)[0] is Refusal.NOT_FIT
    pit.do(lives.DestroyEquipment(dice=("c1-d1",), why="after the hearing"))
    assert events(pit, "c1-d1")[-1] is Event.DESTROYED
    assert reports.check(pit.house).discrepancies == ()


def test_a_die_in_play_is_not_cancelled_nor_moved_and_one_event_is_at_one_table(pit: Pit) -> None:
    pit.open_craps()
    pit.open_hooligan()
    assert refused(pit, lives.CancelEquipment(dice=("c1-d0",), why="w")) == (Refusal.NOT_FIT, "dice[0]")
    assert refused(pit, lives.MoveEquipment(dice=("c1-d0",), area="x")) == (Refusal.NOT_FIT, "dice[0]")
    both = lives.SuspectEquipment(dice=("c1-d0", "h1-d0"), seen="s")
    assert refused(pit, both) == (Refusal.BAD_VALUE, "dice")
    assert refused(pit, lives.SuspectEquipment(seen="s")) == (Refusal.BAD_VALUE, "dice")
    assert refused(pit, lives.SuspectEquipment(dice=("none",), seen="s")) == (Refusal.NOT_FOUND, "dice[0]")


def test_a_physical_count_says_what_is_due_by_the_books(pit: Pit) -> None:
    pit.open_craps()
    pit.do(equipment.RegisterEquipment(dice=("n0", "n1", "n2"), boxes=("n-box",)))
    pit.do(lives.MoveEquipment(dice=("n2",), area="cupboard"))
    counted = pit.do(lives.CountEquipment(area="pit", dice=1, boxes=1))
    assert (counted.due_dice, counted.due_boxes) == (2, 1)


def test_dice_that_come_back_from_play_are_used_until_they_are_inspected(pit: Pit) -> None:
    pit.open_craps()
    pit.do(tables.CloseTable(table="c1"))
    (piece, *_) = equipment.dice(pit.house)
    assert (piece.serial, piece.state, piece.table) == ("c1-d0", State.USED, None)
    assert events(pit, "c1-box", Kind.BOX) == [Event.REGISTERED, Event.ISSUED, Event.RETURNED]


def test_a_kept_die_that_is_named_as_thrown_is_refused(pit: Pit) -> None:
    pit.open_hooligan()
    pit.do(StartGame(table="h1", player="ann"))
    settled = pit.throw(1, 1, 6, 2, 3, table="h1")
    assert settled.state["game"]["position"]["pending"]
    dice = ("h1-d0", "h1-d3", "h1-d4")  # the die in slot 0 is one of the two aces that stay
    thrown = tuple(Thrown(die=die, face=2) for die in dice)
    assert refused(pit, Throw(table="h1", dice=thrown, choice="name 1")) == (Refusal.NOT_IN_PLAY, "dice[0].die")
    free = ("h1-d4", "h1-d2", "h1-d3")  # in whatever order they were read
    pit.do(Throw(table="h1", dice=tuple(Thrown(die=die, face=2) for die in free), choice="name 1"))
