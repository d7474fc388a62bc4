"""Lives of dice, incidents and the laboratory over HTTP."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.house.api.conftest import PASSWORD, approval_of, register

FAIR = {
    "faces": [1, 6, 2, 5, 3, 4],
    "heights_um": [19300, 19302, 19301],
    "convexity_um": [2],
    "swings": [0],
    "dark_corners": [0],
    "magnetic": [0],
}
Second = Callable[[str], dict[str, str]]


@pytest.fixture(scope="module")
def incident(client: TestClient, write: Any) -> dict[str, Any]:
    """An incident: a die at a table of its own shows six, again and again."""
    register(client, "L-1", "L-2")
    for path, body in (
        (
            "/tables",
            {
                "table": "lab-1",
                "game": "craps",
                "schedule": "strip-345x",
                "opener_minor": 100_00,
                "dice": ["L-1", "L-2"],
            },
        ),
        ("/tables/lab-1/rail", {"player": "ann"}),
    ):
        assert write(path, body).status_code == 201, path
    rng = random.Random(1)
    for _ in range(40):
        thrown = {"dice": [{"die": "L-1", "face": 6}, {"die": "L-2", "face": rng.randint(1, 6)}]}
        assert write("/tables/lab-1/throws", thrown).status_code == 201
    found: dict[str, Any] = client.get("/v1/incidents?table=lab-1").json()["items"][0]
    return found


def test_an_incident_names_the_die_the_evidence_and_its_custody(client: TestClient, incident: dict[str, Any]) -> None:
    assert incident["accused"] == "die L-1"
    assert float(incident["log10_evalue"]) >= float(incident["bar"]) > 2
    assert incident["pit_alpha"] == "1/100"
    custody = client.get("/v1/dice/L-1").json()
    assert [link["record"] for link in custody["links"]] == incident["custody"]["L-1"]
    assert client.get(f"/v1/incidents/{incident['incident']}").json() == incident
    filtered = client.get("/v1/incidents?status=open&table=lab-1&limit=1").json()
    assert filtered["next"] == f"/v1/incidents?status=open&table=lab-1&limit=1&after={incident['incident']}"
    assert client.get(filtered["next"]).json() == {"items": [], "next": None}
    board = client.get("/v1/laboratory/board").json()
    assert incident["incident"] in board["open_incidents"]
    assert board["lines"][0]["dice"] == ["L-1"]
    evidence = client.get("/v1/laboratory/dice/L-1").json()
    assert (evidence["throws"], evidence["faces"][5]["count"]) == (40, 40)
    audit = client.get("/v1/laboratory/audit?table=lab-1").json()["audit"]
    assert (audit["throws"], audit["alpha"]) == (40, 0.01)


def test_an_incident_is_given_away_noted_closed_and_reported(
    client: TestClient, write: Any, incident: dict[str, Any]
) -> None:
    path = f"/incidents/{incident['incident']}"
    assert write(f"{path}/assignments", {"person": "lee"}).json()["code"] == "not_found"
    assert write("/people", {"person": "lee", "name": "Lee", "roles": ["surveillance"]}).status_code == 201
    assert write(f"{path}/assignments", {"person": "lee"}).json()["assigned"] == "lee"
    assert write(f"{path}/notes", {"text": "under the caliper"}).status_code == 201
    closed = write(f"{path}/closings", {"reason": "confirmed", "text": "it swings"})
    assert (closed.status_code, closed.json()["status"]) == (201, "closed")
    again = write(f"{path}/closings", {"reason": "confirmed", "text": "it swings"})
    assert (again.status_code, again.json()["code"]) == (409, "incident_closed")
    assert write(f"{path}/closings", {"reason": "bored", "text": "x"}).status_code == 422
    report = client.get(f"/v1/days/{incident['gaming_day']}/incidents").json()
    assert incident["incident"] in [one["incident"] for one in report["incidents"]]
    printed = client.get(f"/v1/days/{incident['gaming_day']}/incidents/file?form=html")
    assert "die loaded" in printed.text or "L-1" in printed.text
    assert client.get("/v1/incidents/999").json()["code"] == "not_found"


def test_dice_are_received_by_two_inspected_and_sealed_by_two(client: TestClient, write: Any, second: Second) -> None:
    lot = {"dice": ["N-1", "N-2"], "boxes": ["N-B"], "maker": "Paulson", "lot": "7", "area": "cupboard"}
    alone = write("/equipment/receptions", lot)
    assert (alone.status_code, alone.json()["code"]) == (403, "second_person_needed")
    same_role = write("/equipment/receptions", lot, **second("ReceiveEquipment"))
    assert same_role.json()["code"] == "second_person_needed"
    one = write("/equipment", {"dice": ["N-1", "N-2"], "boxes": ["N-B"]})
    assert (one.status_code, one.json()["code"]) == (403, "second_person_needed")
    sue = {"person": "sue", "name": "Sue", "roles": ["surveillance"], "password": PASSWORD}
    assert write("/people", sue).status_code == 201
    content = json.dumps(lot).encode()
    approval = approval_of(client, "ReceiveEquipment", "POST", "/v1/equipment/receptions", content, person="sue")
    assert write("/equipment/receptions", lot, **{"Second-Person": approval}).status_code == 201
    passed = write("/dice/N-1/inspections", {"measured": FAIR})
    assert (passed.status_code, passed.json()["piece"]["state"]) == (201, "ready")
    failed = write("/dice/N-2/inspections", {"measured": {**FAIR, "magnetic": [1]}})
    assert failed.json()["failures"] == ["magnetic 1, passes 0 to 0"]
    box = {"rim_slope_degrees": [0], "rim_rough": [1], "fingers_inside": [0]}
    assert write("/boxes/N-B/inspections", {"measured": box}).json()["passed"] is False
    missing = write("/dice/N-1/inspections", {"measured": {}})
    assert (missing.status_code, missing.json()["errors"][0]["pointer"]) == (422, "/measured/faces")
    change = {"dice": ["D-1", "N-2"], "box": None}
    assert write("/tables/craps-1/dice-changes", change).json()["code"] == "not_fit"
    seal = {"dice": ["N-2"], "boxes": [], "seen": "drawn by a magnet", "names": ["kim"]}
    assert write("/equipment/seals", seal).json()["code"] == "second_person_needed"
    sealed = write("/equipment/seals", seal, **second("SealEquipment"))
    assert (sealed.status_code, sealed.json()["dice"][0]["state"]) == (201, "sealed")
    assert write("/equipment/moves", {"dice": ["N-1"], "boxes": [], "area": "safe"}).status_code == 201
    last = client.get("/v1/dice/N-1").json()["links"][-1]
    assert (last["event"], last["area"]) == ("moved", "safe")
    assert client.get("/v1/boxes/N-B").json()["piece"]["state"] == "failed"
    report = client.get(f"/v1/days/{last['gaming_day']}/dice").json()
    assert report["differences"] == []
    assert {line["area"] for line in report["lines"]} == {"cupboard", "pit", "safe"}
    csv = client.get(f"/v1/days/{last['gaming_day']}/dice/file?form=csv")
    assert (csv.status_code, csv.text.splitlines()[0][:12]) == (200, "Storage area")
    assert client.get("/v1/days/2026-13-45/dice").json()["code"] == "bad_value"
