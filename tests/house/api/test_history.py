"""The history over the API: what a stranger with the public key can check for himself."""

import base64
from typing import Any

import pytest
from fastapi.testclient import TestClient

from integrity.proof.notes import open_checkpoint, read_public_key
from integrity.proof.tree import leaf_hash, verify_consistency, verify_inclusion
from tests.house.api.conftest import Write


def hashes(values: list[str]) -> list[bytes]:
    return [bytes.fromhex(value) for value in values]


@pytest.fixture
def records(client: TestClient) -> list[dict[str, Any]]:
    """Every record, page by page."""
    found: list[dict[str, Any]] = []
    link = "/v1/history/records?limit=7"
    while link:
        page = client.get(link).json()
        found += page["items"]
        link = page["next"]
    return found


def test_every_record_is_proved_to_be_in_every_tree_that_holds_it(
    client: TestClient, records: list[dict[str, Any]]
) -> None:
    assert [one["record"] for one in records] == list(range(len(records)))
    for one in records:
        leaf = leaf_hash(one["text"].encode())
        assert leaf.hex() == one["leaf"]
        for size in {one["record"] + 1, len(records)}:
            proof = client.get(f"/v1/history/records/{one['record']}/inclusion", params={"size": size}).json()
            assert (proof["record"], proof["size"], proof["leaf"]) == (one["record"], size, one["leaf"])
            root = bytes.fromhex(proof["root"])
            assert verify_inclusion(leaf, one["record"], size, hashes(proof["path"]), root)


def test_every_tree_is_proved_to_begin_with_every_earlier_one(
    client: TestClient, records: list[dict[str, Any]]
) -> None:
    sizes = [1, 2, 7, 8, len(records) - 1, len(records)]
    for new in sizes:
        for old in [size for size in sizes if size <= new]:
            proof = client.get("/v1/history/consistency", params={"old": old, "new": new}).json()
            old_root, new_root = hashes([proof["old_root"], proof["new_root"]])
            assert verify_consistency(old, new, old_root, new_root, hashes(proof["path"]))


def test_the_checkpoint_is_signed_and_proofs_are_for_its_tree_unless_another_is_asked(client: TestClient) -> None:
    shown = client.get("/v1/history/checkpoint").json()
    signed = open_checkpoint(shown["note"], [read_public_key(shown["key"])])
    assert (signed.size, signed.root.hex()) == (shown["size"], shown["root"])
    assert shown["note"].split("\n")[2] == base64.b64encode(signed.root).decode()
    if signed.size:
        proof = client.get("/v1/history/records/0/inclusion").json()
        assert (proof["size"], proof["root"]) == (shown["size"], shown["root"])


def test_a_closed_table_is_signed_before_its_answer(client: TestClient, write: Write) -> None:
    body = {"table": "brief", "game": "craps", "schedule": "strip-345x", "opener_minor": 5, "dice": ["D-9", "D-10"]}
    opened = write("/tables", body | {"method": "hand"})
    assert opened.status_code == 201, opened.text
    assert write("/tables/brief/closings").status_code == 201
    count = len(client.get("/v1/history/records").json()["items"])
    assert client.get("/v1/history/checkpoint").json()["size"] == count
    proof = client.get("/v1/history/consistency", params={"old": 1}).json()
    assert proof["new"] == count


@pytest.mark.parametrize(
    "path",
    [
        "/records/100000/inclusion",
        "/records/0/inclusion?size=100000",
        "/records/5/inclusion?size=5",
        "/consistency?old=100000",
        "/consistency?old=3&new=2",
        "/consistency?old=1&new=100000",
    ],
)
def test_a_record_or_tree_that_is_not_there_is_not_found(client: TestClient, path: str) -> None:
    answer = client.get(f"/v1/history{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/records/-1/inclusion", "/records/0/inclusion?size=0", "/consistency?old=0"])
def test_a_number_out_of_bounds_is_refused(client: TestClient, path: str) -> None:
    assert client.get(f"/v1/history{path}").status_code == 422
