"""The API's conventions: keys, replays, pages, problems, OpenAPI."""

from dataclasses import fields
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.api.problems import STATUS
from house.api.schemas import (
    cage,
    dice_reports,
    equipment,
    fairness,
    history,
    incidents,
    pages,
    people,
    play,
    player_limits,
    reports,
    tables,
)
from house.api.schemas import corrections as correction_wire
from house.api.schemas import rounds as round_wire
from house.api.schemas import shifts as shift_wire
from house.api.schemas import slips as slip_wire
from house.domain.refusals import Refusal
from house.engines.protocol import Movement
from house.service import (
    adjustments,
    books,
    corrections,
    generator,
    hooligan,
    laboratory,
    limits,
    lives,
    markers,
    proofs,
    reconciliation,
    round_views,
    rounds,
    schedules,
    sheets,
    shifts,
    slips,
    surveillance,
    throws,
    wagers,
)
from house.service import cage as cage_service
from house.service import equipment as equipment_service
from house.service import incidents as incidents_service
from house.service import people as people_service
from house.service import reports as reports_service
from house.service import tables as tables_service

WIRE = (
    (cage.Player, cage_service.Player),
    (cage.PlayerBalance, cage_service.Balance),
    (cage.Vault, cage_service.Vault),
    (people.Person, people_service.Person),
    (people.ApiKey, people_service.ApiKey),
    (equipment.Piece, equipment_service.PieceView),
    (equipment.Happening, lives.Happening),
    (equipment.Inspected, lives.Inspected),
    (equipment.CountedArea, lives.CountedArea),
    (equipment.Link, lives.Link),
    (equipment.Custody, lives.Custody),
    (incidents.Incident, incidents_service.Incident),
    (incidents.Step, incidents_service.Step),
    (incidents.Line, laboratory.Line),
    (incidents.Board, laboratory.Board),
    (incidents.DieEvidence, laboratory.DieEvidence),
    (incidents.FaceCount, laboratory.FaceCount),
    (incidents.Point, laboratory.Point),
    (incidents.Used, laboratory.Used),
    (dice_reports.Reconciliation, reconciliation.Reconciliation),
    (dice_reports.AreaLine, reconciliation.AreaLine),
    (dice_reports.InUse, reconciliation.InUse),
    (dice_reports.Difference, reconciliation.Difference),
    (dice_reports.DaysIncidents, reconciliation.DaysIncidents),
    (equipment.Registered, equipment_service.Registered),
    (equipment.Schedule, schedules.Published),
    (tables.Table, tables_service.TableView),
    (tables.TableClosed, tables_service.TableClosed),
    (play.Movement, Movement),
    (play.Moved, wagers.Moved),
    (play.GameMoved, hooligan.GameMoved),
    (play.Settled, throws.Settled),
    (play.ThrowRow, surveillance.ThrowRow),
    (reports.AccountLine, reports_service.AccountLine),
    (reports.TrialBalance, reports_service.TrialBalance),
    (reports.Realised, reports_service.Realised),
    (reports.Discrepancy, reports_service.Discrepancy),
    (reports.Checked, reports_service.Checked),
    (correction_wire.Corrected, corrections.Corrected),
    (correction_wire.Correction, corrections.Correction),
    (correction_wire.DieShown, corrections.Shown),
    (correction_wire.Owed, adjustments.Owed),
    (correction_wire.Adjusted, adjustments.Adjusted),
    (round_wire.Carried, rounds.Carried),
    (round_wire.RoundEnded, rounds.Ended),
    (round_wire.Recovered, rounds.Recovered),
    (round_wire.RoundsMoney, rounds.RoundsMoney),
    (round_wire.RoundBetState, round_views.BetView),
    (round_wire.Round, round_views.RoundView),
    (slip_wire.Slip, slips.Slip),
    (slip_wire.DropCounted, slips.DropCounted),
    (slip_wire.Credit, markers.Credit),
    (slip_wire.TokeBox, cage_service.TokeBox),
    (shift_wire.Shift, shifts.Shift),
    (shift_wire.RackCounted, shifts.RackCounted),
    (shift_wire.ShiftEnded, shifts.ShiftEnded),
    (shift_wire.Made, proofs.Made),
    (shift_wire.StiffSheet, sheets.StiffSheet),
    (shift_wire.BookLine, books.BookLine),
    (shift_wire.Book, books.Book),
    (shift_wire.Statement, books.Statement),
    (shift_wire.Mispays, books.Mispays),
    (player_limits.LimitView, limits.LimitView),
    (player_limits.PlayerLimits, limits.PlayerLimits),
    (fairness.Seeds, generator.Seeds),
    (fairness.Revealed, generator.Revealed),
    (fairness.Drawn, generator.Drawn),
    (history.Checkpoint, proofs.Signed),
    (history.Record, proofs.Kept),
    (history.Inclusion, proofs.Included),
    (history.Consistency, proofs.Grown),
)


@pytest.mark.parametrize(("model", "answer"), WIRE, ids=[model.__name__ for model, _ in WIRE])
def test_every_answer_on_the_wire_has_the_fields_of_the_services_answer(model: Any, answer: Any) -> None:
    assert list(model.model_fields) == [field.name for field in fields(answer)]


def test_every_refusal_meets_http_in_one_table() -> None:
    assert set(STATUS) == set(Refusal)
    assert all(400 <= status < 500 for status in STATUS.values())


def test_a_repeat_with_its_key_is_answered_byte_for_byte_and_does_nothing(client: TestClient, write: Any) -> None:
    body = {"amount_minor": 12_34}
    first, second = (write("/players/ann/buy-ins", body, key="twice") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert first.headers.get("idempotency-replayed") is None
    assert second.headers["idempotency-replayed"] == "true"
    assert client.get("/v1/players/ann").json()["wallet_minor"] == first.json()["wallet_minor"]


def test_a_refusal_is_replayed_byte_for_byte_too(write: Any) -> None:
    body = {"amount_minor": 9_000_000_00}
    first, second = (write("/players/bob/cash-outs", body, key="too-much") for _ in range(2))
    assert (first.status_code, first.json()["code"]) == (402, "insufficient_funds")
    assert first.content == second.content
    assert second.headers["idempotency-replayed"] == "true"


def test_a_key_with_another_body_is_422(write: Any) -> None:
    assert write("/players/ann/buy-ins", {"amount_minor": 1}, key="one").status_code == 201
    answer = write("/players/ann/buy-ins", {"amount_minor": 2}, key="one")
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")


def test_a_refusal_names_field_and_bound(write: Any) -> None:
    bets = [
        {"player": "ann", "bet": "field", "stake_minor": 15_00},
        {"player": "ann", "bet": "pass", "stake_minor": 1_00},
    ]
    answer = write("/tables/craps-1/bets", {"bets": bets})
    assert (answer.status_code, answer.json()["code"]) == (422, "below_minimum")
    (fault,) = answer.json()["errors"]
    assert fault["pointer"] == "/bets/1/stake_minor"
    assert "1500" in fault["detail"] or "15.00" in fault["detail"]


def test_pages_follow_their_links_to_the_end(client: TestClient, write: Any) -> None:
    for number in range(5):
        assert write("/players", {"player": f"page-{number}", "name": f"Page {number}"}).status_code == 201
    found, link = [], "/v1/players?limit=2"
    while link:
        page = client.get(link).json()
        assert len(page["items"]) <= 2
        found += [item["player"] for item in page["items"]]
        link = page["next"]
    assert found == sorted(found)
    assert {f"page-{number}" for number in range(5)} <= set(found)


def test_a_parameter_that_an_operation_does_not_have_is_refused(client: TestClient, write: Any) -> None:
    assert client.get("/v1/reports/realised?table=craps-1").status_code == 200
    no = client.get("/v1/reports/realised?tabel=craps-1&x[=1")
    assert no.status_code == 422
    assert [(one["pointer"], one["code"]) for one in no.json()["errors"]] == [
        ("/query/tabel", "extra_forbidden"),
        ("/query", "extra_forbidden"),
    ]
    assert write("/funds?amount_minor=5", {"amount_minor": 1}).status_code == 422
    assert client.get("/v1/funds?x=1", headers={"Authorization": "Bearer no"}).status_code == 401


def test_a_name_is_normalised_once(client: TestClient, write: Any) -> None:
    answer = write("/players", {"player": "big", "name": "ᴮᴵᴳ ᴮᴵᴿᴰ"})
    assert answer.json()["name"] == "BIG BIRD"


def test_health_and_readiness_are_apart(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json()["status"] == "ready"


def operations(client: TestClient) -> list[tuple[str, str, dict[str, Any]]]:
    paths = client.get("/openapi.json").json()["paths"]
    return [(path, method, operation) for path, methods in paths.items() for method, operation in methods.items()]


def test_every_operation_has_a_stable_id_a_description_and_problems(client: TestClient) -> None:
    ids = [operation["operationId"] for _, _, operation in operations(client)]
    assert len(ids) == len(set(ids))
    for path, method, operation in operations(client):
        assert operation["operationId"].isidentifier(), path
        assert operation["description"], path
        assert {"400", "413", "422", "500", "503"} <= set(operation["responses"]), (path, method)
        for status, response in operation["responses"].items():
            if status >= "400":
                (example, *_) = response["content"]["application/problem+json"]["examples"].values()
                assert example["value"]["status"] == int(status)


WITHOUT_A_RECORD = ("/v1/tokens", "/v1/tokens/renewals", "/v1/approvals")


def test_every_write_asks_for_its_key(client: TestClient) -> None:
    for path, method, operation in operations(client):
        names = {parameter["name"] for parameter in operation.get("parameters", ()) if parameter["required"]}
        assert ("Idempotency-Key" in names) == (method != "get" and path not in WITHOUT_A_RECORD), path


def test_every_field_of_the_schemas_is_described(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    bare = [
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, rule in schema.get("properties", {}).items()
        if "description" not in rule and "$ref" not in rule and "$ref" not in rule.get("items", {})
    ]
    assert bare == []


def test_a_page_holds_at_most_five_hundred() -> None:
    assert pages.PAGE == 500
