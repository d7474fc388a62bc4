"""The history of dice and laboratory is followed offline and held against the books."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from house.domain.lives import Kind
from house.service import equipment, lives, reports, tables
from house.service.desk import inspect_house
from house.service.incidents import CloseIncident, Reason
from house.service.retrace import Retraced
from house.store import records
from tests.house.pits import Pit
from tests.house.service.test_incidents import throw_sixes
from tests.house.tampering import edit

Body = dict[str, Any]


@pytest.fixture
def told(sqlite_pit: Pit) -> tuple[Pit, list[Body]]:
    """A house in which dice were changed, sealed and inspected and an incident was closed, and its records."""
    pit = sqlite_pit
    pit.open_craps()
    throw_sixes(pit, 45, seed=1)
    pit.do(CloseIncident(incident=0, reason=Reason.CONFIRMED, text="it swings"))
    pit.do(equipment.RegisterEquipment(dice=("n0", "n1")))
    pit.do(tables.ChangeDice(table="c1", dice=("c1-d1", "n0"), box="c1-box"))
    pit.do(lives.SealEquipment(dice=("c1-d0",), seen="it swings"))
    box = {"rim_slope_degrees": (0,), "rim_rough": (0,), "fingers_inside": (0,)}
    pit.do(lives.InspectEquipment(kind=Kind.BOX, serial="c1-box", measured=box))
    pit.do(lives.CountEquipment(area="pit", dice=2, boxes=0))
    with pit.house.read() as connection:
        return pit, [json.loads(record.text) for record in records.stored(connection)]


def invariants(bodies: list[Body]) -> set[str]:
    retraced = Retraced()
    return {fault.invariant for body in bodies for fault in retraced.add(body)}


def the(bodies: list[Body], kind: str, event: str, number: int = 0) -> Body:
    return [body for body in bodies if body["kind"] == kind and body.get("event") == event][number]


def test_an_honest_history_of_dice_and_incidents_holds(told: tuple[Pit, list[Body]]) -> None:
    pit, bodies = told
    assert invariants(bodies) == set()
    assert reports.check(pit.house).discrepancies == ()


def test_what_a_record_makes_of_dice_must_follow_from_those_before(told: tuple[Pit, list[Body]]) -> None:
    _, bodies = told
    forgeries = {
        "what happens to die c1-d0 can happen": lambda: the(bodies, "dice_event", "sealed")["moves"][0].__setitem__(
            3, "ready"
        ),
        "the dice in play are those that were issued": lambda: the(bodies, "dice_event", "in_play", 1)["dice"].append(
            "n1"
        ),
        "a share that was given out never changes": lambda: the(bodies, "dice_event", "in_play", 1)["watches"].append(
            [1, ["c1-d0", "c1-d1"], "1/10", "1/100"]
        ),
        "the shares of the budget add to 1 at most": lambda: the(bodies, "dice_event", "in_play", 1)["watches"][
            0
        ].__setitem__(2, "1/100"),
        "incidents are numbered without a gap": lambda: the(bodies, "incident", "raised").__setitem__("incident", 3),
        "a throw is with dice that are in play": lambda: bodies[
            next(i for i, body in enumerate(bodies) if body["kind"] == "throw")
        ]["dice"].__setitem__(0, "n0"),
        "a throw is from a box that is in play": lambda: bodies[
            next(i for i, body in enumerate(bodies) if body["kind"] == "throw")
        ].__setitem__("box", "other"),
    }
    honest = json.dumps(bodies)
    for invariant, forge in forgeries.items():
        bodies[:] = json.loads(honest)
        forge()
        assert invariant in invariants(bodies)
    bodies[:] = json.loads(honest)
    twice = {**the(bodies, "incident", "ended"), "record": len(bodies)}
    assert "an incident that is closed stays closed" in invariants([*bodies, twice])


LIVES = "events of dice and boxes are as they were recorded"
EDITS = {
    "UPDATE piece_event SET state = 'ready' WHERE event = 'sealed'": LIVES,
    "DELETE FROM piece_event WHERE event = 'sealed'": LIVES,
    "UPDATE equipment_count SET dice = 9": "physical counts are as they were recorded",
    "UPDATE watch SET alpha = '1/100' WHERE number = 1": "watched sets are as they were recorded",
    "DELETE FROM watch_span WHERE watch = 2": "watched sets are as they were recorded",
    "UPDATE incident_event SET event = 'noted' WHERE event = 'ended'": "events of incidents are as they were recorded",
    "UPDATE die SET state = 'ready' WHERE serial = 'c1-d0'": "a die is what its last event made it",
    "UPDATE box SET area = 'other'": "a box is what its last event made it",
    "UPDATE incident SET status = 'open', reason = NULL": "an incident is what its events made it",
}


def test_rows_that_were_edited_in_the_file_are_found(told: tuple[Pit, list[Body]], tmp_path: Path) -> None:
    pit, _ = told
    pit.house.close()
    for number, (statement, invariant) in enumerate(EDITS.items()):
        copy = tmp_path / f"copy-{number}.db"
        shutil.copy(pit.url.removeprefix("sqlite:///"), copy)
        edit(f"sqlite:///{copy}", statement)
        with inspect_house(f"sqlite:///{copy}") as house:
            assert invariant in {one.invariant for one in reports.check(house).discrepancies}, statement
    pit.reopen()
