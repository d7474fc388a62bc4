"""The cage and the shift over the wire: slips, drop, markers, limits, sheets and their files."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from fastapi.testclient import TestClient

Write = Callable[..., Any]
Second = Callable[[str], dict[str, str]]


def approved(write: Write, second: Second, path: str, body: dict[str, Any], operation: str, **more: Any) -> Any:
    answer = write(path, body, **second(operation), **more)
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_a_slip_wants_two_people_and_is_listed_and_voided(client: TestClient, write: Write, second: Second) -> None:
    body = {"kind": "fill", "amount_minor": 500_00, "chips": [{"value_minor": 100_00, "count": 5}]}
    alone = write("/tables/craps-1/slips", body)
    assert (alone.status_code, alone.json()["code"]) == (403, "second_person_needed")
    made = approved(write, second, "/tables/craps-1/slips", body, "WriteSlip")
    assert (made["number"], made["denominations"], made["second"]) == (1, {"10000": 5}, "second")
    wrong = write("/tables/craps-1/slips", {**body, "amount_minor": 1}, **second("WriteSlip"))
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/chips")
    approved(write, second, "/slips/fill/1/void", {"reason": "wrong table"}, "VoidSlip")
    (listed,) = client.get("/v1/slips/fill").json()["items"]
    assert (listed["number"], listed["voided"]) == (1, "wrong table")
    assert client.get("/v1/slips/credit").json()["items"] == []


def test_money_at_the_table_on_markers_and_for_the_dealers(client: TestClient, write: Write, second: Second) -> None:
    bought = write("/tables/craps-1/buy-ins", {"player": "ann", "amount_minor": 300_00})
    assert bought.status_code == 201, bought.text
    approved(write, second, "/players/ann/credit", {"line_minor": 100_00}, "SetCreditLine", method="PUT")
    owed = approved(write, second, "/players/ann/markers", {"amount_minor": 100_00, "table": "craps-1"}, "IssueMarker")
    assert owed == client.get("/v1/players/ann/credit").json()
    assert client.get("/v1/players/ann").json()["marker_minor"] == 100_00
    assert write("/players/ann/markers/payments", {"amount_minor": 100_00, "cash": False}).json()["owed_minor"] == 0
    assert write("/players/ann/tokes", {"amount_minor": 5_00}).status_code == 201
    assert write("/tokes/payments", {"amount_minor": 5_00}).json() == client.get("/v1/tokes").json()
    counted = approved(write, second, "/tables/craps-1/drop-counts", {"counted_minor": 299_00}, "CountDrop")
    assert counted["variance_minor"] == -1_00
    taken = approved(write, second, "/withdrawals", {"amount_minor": 1_00}, "WithdrawCapital")
    assert taken == client.get("/v1/funds").json()


def test_limits_are_set_confirmed_and_kept(client: TestClient, write: Write, second: Second) -> None:
    body = {"measure": "deposit", "span": "day", "amount_minor": 10_000_00}
    assert write("/players/bob/limits", body, method="PUT").status_code == 201
    raised = write("/players/bob/limits", {**body, "amount_minor": None}, method="PUT").json()
    assert raised == client.get("/v1/players/bob/limits").json()
    assert raised["limits"][0]["raise_pending"]
    named = {"measure": "deposit", "span": "day"}
    early = write("/players/bob/limits/confirmations", named)
    assert (early.status_code, early.json()["code"]) == (409, "cooling_off")
    over = write("/players/bob/buy-ins", {"amount_minor": 1})
    assert (over.status_code, over.json()["code"]) == (409, "player_limit")
    assert over.json()["errors"][0]["detail"] == "must be at most 0 more"
    write("/players", {"player": "eve", "name": "Eve"})
    assert write("/players/eve/exclusion", {"days": None}, method="PUT").json()["excluded"]
    assert write("/players/eve/buy-ins", {"amount_minor": 1}).json()["code"] == "player_excluded"
    assert write("/players/eve/readmissions", None, **second("ReadmitPlayer")).json()["code"] == "cooling_off"


def test_a_shift_ends_with_counts_and_its_reports_can_be_printed(
    client: TestClient, write: Write, second: Second
) -> None:
    day = client.get("/v1/shifts/1/sheet").json()["made"]
    float_minor = client.get("/v1/tables/craps-1").json()["float_minor"]
    counts = [{"table": "craps-1", "counted_minor": float_minor - 5_00}]
    ended = approved(write, second, "/shifts", {"name": "swing", "counts": counts}, "EndShift")
    assert ended["counts"][0]["difference_minor"] == -5_00
    (shift,) = client.get("/v1/shifts").json()["items"]
    assert (shift["number"], shift["name"]) == (1, "swing")
    sheet = client.get("/v1/shifts/1/sheet").json()
    (craps,) = (line for line in sheet["lines"] if line["table"] == "craps-1")
    assert (craps["counted_minor"], craps["closer_minor"]) == (float_minor - 5_00, float_minor)
    assert sheet["made"]["signed_root"] == sheet["made"]["root"] != day["root"]
    gaming_day = shift["gaming_day"]
    assert client.get(f"/v1/days/{gaming_day}/sheet").json()["lines"]
    assert client.get(f"/v1/days/{gaming_day}/expected").json()["verdict"] == "none"
    assert client.get("/v1/shifts/1/expected").json()["wagers"] == 0
    assert client.get("/v1/shifts/99/sheet").status_code == 404
    assert client.get("/v1/days/2026-13-01/sheet").status_code == 422
    assert client.get("/v1/reports/mispays").json()["differences"] == []


@pytest.mark.parametrize(
    "path",
    [
        "/shifts/1/sheet/file",
        "/shifts/1/expected/file",
        "/days/{day}/sheet/file",
        "/days/{day}/expected/file",
        "/days/{day}/book/file",
        "/players/ann/statement/file",
        "/reports/mispays/file",
    ],
)
@pytest.mark.parametrize("form", ["csv", "jsonl", "html"])
def test_every_report_is_a_file_that_carries_the_signed_root(client: TestClient, path: str, form: str) -> None:
    day = client.app.state.house.gaming_day()  # type: ignore[attr-defined]
    days = {"first": day, "last": day} if "statement" in path else {}
    answer = client.get(f"/v1{path}".format(day=day), params={"form": form, **days})
    assert answer.status_code == 200, answer.text
    root = client.app.state.house.seal.last[1].root.hex()  # type: ignore[attr-defined]
    assert root in answer.text
    if form == "csv":
        rows = list(csv.reader(StringIO(answer.text, newline="")))
        assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    elif form == "jsonl":
        head, *_ = map(json.loads, answer.text.splitlines())
        assert head["made"]["signed_root"] == root
    else:
        assert "<script" not in answer.text
