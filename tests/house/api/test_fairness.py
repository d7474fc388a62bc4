"""The generator over HTTP, from the promise to the player's own check of the proof."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.api.schemas import fairness as wire
from house.app import create_app
from house.service import fairness, generator
from house.settings import load_settings
from tests.house.api.conftest import register, sign_in

WIRE = (
    (wire.Seeds, generator.Seeds),
    (wire.Revealed, generator.Revealed),
    (wire.Drawn, generator.Drawn),
    (wire.DrawnThrow, fairness.DrawnThrow),
)


@pytest.mark.parametrize(("model", "answer"), WIRE, ids=[model.__name__ for model, _ in WIRE])
def test_every_answer_on_the_wire_has_the_fields_of_the_services_answer(model: Any, answer: Any) -> None:
    assert list(model.model_fields) == [field.name for field in fields(answer)]


def test_a_page_of_a_proof_has_the_fields_of_the_proof_and_a_link() -> None:
    assert list(wire.Proof.model_fields) == [*(field.name for field in fields(fairness.Proof)), "next"]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a house with a table where it draws, and ann at its rail."""
    file: Path = tmp_path_factory.mktemp("fairness") / "house.db"
    settings = replace(load_settings(environment={}), database=f"sqlite:///{file}")
    table = {"table": "g1", "game": "craps", "schedule": "strip-345x", "opener_minor": 1000_00, "dice": ["G-1", "G-2"]}
    with TestClient(create_app(settings)) as client:
        sign_in(client)
        register(client, "G-1", "G-2")
        for path, body in (
            ("/funds", {"amount_minor": 100_000_00}),
            ("/players", {"player": "ann", "name": "Ann Archer"}),
            ("/tables", table | {"method": "rng"}),
            ("/tables/g1/rail", {"player": "ann"}),
        ):
            post(client, path, body)
        yield client


_KEYS = count()


def post(client: TestClient, path: str, body: dict[str, Any] | None = None, status: int = 201) -> dict[str, Any]:
    answer = client.post(f"/v1{path}", json=body, headers={"Idempotency-Key": f"fair-{next(_KEYS)}"})
    assert answer.status_code == status, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


def test_a_player_plays_and_checks_the_house_with_the_program_that_it_serves(
    client: TestClient, tmp_path: Path
) -> None:
    assert client.get("/v1/players/ann/seeds").json()["code"] == "no_seeds"
    assert post(client, "/tables/g1/draws", {}, 409)["code"] == "no_seeds"
    promised = post(client, "/players/ann/seeds")
    noted = promised["commitment"]
    assert promised["client"] is None
    stale = {"commitment": promised["next_commitment"], "client": "lucky"}
    assert post(client, "/players/ann/client-seeds", stale, 409)["code"] == "state_changed"
    post(client, "/players/ann/client-seeds", {"commitment": noted, "client": "lucky"})
    drawn = [post(client, "/tables/g1/draws", {}) for _ in range(5)]
    assert [(one["nonce"], one["settled"]["throw"]) for one in drawn] == [(n, n) for n in range(5)]
    assert client.get(f"/v1/seeds/{noted}").json()["seed"] is None
    typed = {"dice": [{"die": "G-1", "face": 6}, {"die": "G-2", "face": 5}]}
    assert post(client, "/tables/g1/throws", typed, 409)["code"] == "wrong_method"
    end = {"next_commitment": promised["next_commitment"], "client": "lucky-2"}
    revealed = post(client, "/players/ann/reveals", end)
    assert (revealed["commitment"], revealed["throws"]) == (noted, 5)
    assert revealed["seeds"] == client.get("/v1/players/ann/seeds").json()

    link, names = f"/v1/seeds/{noted}?limit=2", []
    while link:
        page = client.get(link)
        names.append(f"page-{len(names)}.json")
        (tmp_path / names[-1]).write_text(page.text, encoding="utf-8")
        link = page.json()["next"]
    assert len(names) == 3
    (tmp_path / "verify_fair.py").write_text(client.get("/v1/verify_fair.py").text, encoding="utf-8")
    command = [sys.executable, "-I", "-S", "verify_fair.py", *names, "--commitment", noted, "--client", "lucky"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    kept = [json.loads((tmp_path / name).read_text())["draws"] for name in names]
    assert [draw["faces"] for page in kept for draw in page] == [one["faces"] for one in drawn]
    assert client.get("/v1/reports/check").json()["discrepancies"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/players/ann/client-seeds", {"commitment": "0" * 63, "client": "a"}),
        ("/players/ann/client-seeds", {"commitment": "G" * 64, "client": "a"}),
        ("/players/ann/client-seeds", {"commitment": "0" * 64, "client": "a:b"}),
        ("/players/ann/client-seeds", {"commitment": "0" * 64, "client": "a\n"}),
        ("/players/ann/reveals", {"next_commitment": "0" * 64, "client": "a" * 65}),
        ("/players/ann/reveals", {"client": "a"}),
        ("/tables/g1/draws", {"faces": [6, 5]}),
        ("/tables/g1/draws", None),
    ],
)
def test_a_request_out_of_form_is_422(client: TestClient, path: str, body: dict[str, Any] | None) -> None:
    assert post(client, path, body, 422)["code"] == "invalid_request"


@pytest.mark.parametrize(("commitment", "status"), [("0" * 64, 404), ("0" * 63, 422), ("x", 422)])
def test_a_proof_that_is_not_there(client: TestClient, commitment: str, status: int) -> None:
    assert client.get(f"/v1/seeds/{commitment}").status_code == status
