"""Corrections and adjustments over HTTP."""

from collections.abc import Callable
from typing import Any

from fastapi.testclient import TestClient

from tests.house.api.conftest import Write

Second = Callable[[str], dict[str, str]]


def dice(*faces: int) -> list[dict[str, Any]]:
    return [{"face": face} for face in faces]


def thrown(*faces: int) -> dict[str, Any]:
    return {"dice": [{"die": f"D-{slot}", "face": face} for slot, face in enumerate(faces, 1)]}


def test_a_throw_is_corrected_by_two_people_and_listed_with_what_was_logged(
    client: TestClient, write: Write, second: Second
) -> None:
    write("/tables/craps-1/bets", {"bets": [{"player": "ann", "bet": "field", "stake_minor": 15_00}]})
    number = write("/tables/craps-1/throws", thrown(3, 4)).json()["throw"]
    body = {"throw": number, "dice": dice(4, 5), "reason": "misread"}
    alone = write("/tables/craps-1/corrections", body)
    assert (alone.status_code, alone.json()["code"]) == (403, "second_person_needed")
    done = write("/tables/craps-1/corrections", body, **second("CorrectThrow"))
    assert done.status_code == 201, done.text
    assert [one["winnings"] for one in done.json()["movements"]] == [15_00]
    (listed,) = client.get("/v1/tables/craps-1/corrections").json()["items"]
    assert [die["face"] for die in listed["logged"]] == [3, 4]
    assert [die["face"] for die in listed["shows"]] == [4, 5]
    assert (listed["by"], listed["second"]) == ("boss", "second")
    rows = client.get(f"/v1/tables/craps-1/throws?after={number - 1}").json()["items"]
    assert [row["face"] for row in rows] == [4, 5]


def test_an_older_throw_is_adjusted(client: TestClient, write: Write, second: Second) -> None:
    first = write("/tables/craps-1/throws", thrown(1, 1)).json()["throw"]
    write("/tables/craps-1/throws", thrown(1, 2))
    body = {"throw": first, "dice": dice(1, 3), "reason": "miskeyed"}
    late = write("/tables/craps-1/corrections", body, **second("CorrectThrow"))
    assert (late.status_code, late.json()["code"]) == (409, "too_late")
    before = client.get("/v1/players/bob").json()["wallet_minor"]
    asked = {
        "direction": "to_player", "amount_minor": 7_00, "table": "craps-1", "throw": first, "cause": "mispaid"
    }  # fmt: skip
    adjusted = write("/players/bob/adjustments", asked, **second("Adjust"))
    assert (adjusted.status_code, adjusted.json()["wallet_minor"]) == (201, before + 7_00)
    assert client.get("/v1/owed").json() == {"items": [], "next": None}
    nothing = write("/players/bob/owed-payments", {"amount_minor": 1})
    assert (nothing.status_code, nothing.json()["code"]) == (422, "bad_value")


def test_those_who_owe_come_in_pages(client: TestClient, write: Write, second: Second) -> None:
    bets = [{"player": player, "bet": "field", "stake_minor": 15_00} for player in ("bob", "ann")]
    assert write("/tables/craps-1/bets", {"bets": bets}).status_code == 201
    number = write("/tables/craps-1/throws", thrown(1, 2)).json()["throw"]
    for player in ("ann", "bob"):  # they go home with what a throw of 7 would not have paid
        has = client.get(f"/v1/players/{player}").json()["wallet_minor"]
        assert write(f"/players/{player}/cash-outs", {"amount_minor": has}).status_code == 201
    body = {"throw": number, "dice": dice(3, 4), "reason": "misread"}
    assert write("/tables/craps-1/corrections", body, **second("CorrectThrow")).status_code == 201
    link, found = "/v1/owed?limit=1", []
    while link:
        page = client.get(link).json()
        found += page["items"]
        link = page["next"]
    assert found == [{"player": player, "owed_minor": 30_00} for player in ("ann", "bob")]  # the stake and its winnings
