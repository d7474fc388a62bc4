"""No input makes a 500: a corpus of bodies against every write, and paths, headers and queries that are wrong."""

import pytest
from fastapi.testclient import TestClient

from tests.house.api.malformed import balances, corpus, is_problem, writes


def test_the_corpus_is_large_enough() -> None:
    assert len(set(corpus())) >= 150


EVERY = 30
"""Of the corpus every operation gets one in so many, each others; all of them in tests/soak."""


def test_no_body_of_the_corpus_makes_a_500_or_moves_money(client: TestClient) -> None:
    before, bodies, asked = balances(client), corpus(), 0
    for place, (operation, method, path) in enumerate(writes(client)):
        for number in range(place % EVERY, len(bodies), EVERY):
            headers = {"Idempotency-Key": f"{operation}-{number}", "Content-Type": "application/json"}
            content = bodies[number].encode("utf-8", "surrogatepass")
            answer = client.request(method, path, content=content, headers=headers)
            asked += 1
            sound = answer.status_code < 300 or (answer.status_code < 500 and is_problem(answer))
            assert sound, (path, bodies[number][:200], answer.text)
    assert asked >= 500
    assert balances(client) == before


def test_no_operation_takes_a_field_twice_whatever_else_is_right(client: TestClient) -> None:
    before, asked = balances(client), 0
    for operation, method, path in [*writes(client), ("signIn", "post", "/v1/tokens")]:
        headers = {"Idempotency-Key": f"twice-{operation}", "Content-Type": "application/json; charset=UTF-8"}
        answer = client.request(method, path, content=b'{"username":"ann","username":"bob"}', headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request"), operation
        assert [fault["pointer"] for fault in answer.json()["errors"]] == ["/username"], operation
        assert is_problem(answer)
        asked += 1
    assert asked >= 40
    assert balances(client) == before


@pytest.mark.parametrize("raw", [b"\xff\xfe", b'{"player":"\xff"}', b"\x80", b'{"amount_minor":1}\x00'])
def test_bytes_that_are_no_text_are_malformed(client: TestClient, raw: bytes) -> None:
    headers = {"Idempotency-Key": "raw", "Content-Type": "application/json"}
    answer = client.post("/v1/funds", content=raw, headers=headers)
    assert answer.status_code == 400
    assert is_problem(answer)


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data; boundary=x", ""])
def test_a_body_that_is_not_called_json_is_refused(client: TestClient, kind: str) -> None:
    headers = {"Idempotency-Key": f"kind-{len(kind)}"} | ({"Content-Type": kind} if kind else {})
    answer = client.post("/v1/funds", content=b'{"amount_minor":1}', headers=headers)
    assert answer.status_code == 422
    assert is_problem(answer)


@pytest.mark.parametrize(
    "path",
    ["/v1/players/1" + "0" * 23, "/v1/players/%00", "/v1/players/%ff", "/v1/players/a%20b", "/v1/tables/" + "a" * 500],
)
def test_a_path_that_names_nothing_is_404_or_422(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code in (404, 422)
    assert is_problem(answer)


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=501",
        "limit=-1",
        "limit=x",
        "limit=1e3",
        "limit=NaN",
        "after=%00",
        "after=a%20b",
        "limit=" + "9" * 400,
    ],
)
def test_a_query_out_of_bounds_names_its_parameter(client: TestClient, query: str) -> None:
    answer = client.get(f"/v1/players?{query}")
    assert answer.status_code == 422
    assert is_problem(answer)
    assert answer.json()["errors"][0]["pointer"] == f"/query/{query.partition('=')[0]}"


@pytest.mark.parametrize("key", ["", "a b", "ä", "x" * 256, "\t"])
def test_a_key_that_is_no_key_is_400(client: TestClient, key: str) -> None:
    answer = client.post("/v1/funds", json={"amount_minor": 1}, headers={"Idempotency-Key": key.encode("latin-1")})
    assert answer.status_code == 400
    assert is_problem(answer)
    assert answer.json()["code"] == "idempotency_key_missing"


def test_a_write_without_a_key_is_400_before_anything_else(client: TestClient) -> None:
    answer = client.post("/v1/funds", json={"amount_minor": -1})
    assert (answer.status_code, answer.json()["code"]) == (400, "idempotency_key_missing")


def test_a_body_larger_than_the_house_reads_is_413(client: TestClient) -> None:
    headers = {"Idempotency-Key": "large", "Content-Type": "application/json"}
    declared = client.post("/v1/funds", content=b" " * 131073, headers=headers)
    streamed = client.post("/v1/funds", content=(b" " * 50_000 for _ in range(4)), headers=headers)
    assert (declared.status_code, streamed.status_code) == (413, 413)
    assert is_problem(declared)
    assert is_problem(streamed)


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/v1/nothing", 404), ("PUT", "/v1/players", 405)])
def test_an_address_that_is_not_there_is_a_problem_too(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)
    assert answer.status_code == status
    assert is_problem(answer)


def test_a_problem_never_repeats_what_was_sent(client: TestClient) -> None:
    headers = {"Idempotency-Key": "echo"}
    for body in ({"amount_minor": "MARKER"}, {"amount_minor": 1, "MARKER ": 1}, {"MARKER\u202e": 1}):
        assert "MARKER" not in client.post("/v1/funds", json=body, headers=headers).text


def test_every_fault_of_a_body_is_named_by_pointer_and_bound(client: TestClient) -> None:
    body = {
        "bets": [{"player": "ann", "bet": "pass", "stake_minor": 0}, {"player": "a b", "bet": "field", "colour": 1}]
    }
    answer = client.post("/v1/tables/craps-1/bets", json=body, headers={"Idempotency-Key": "faults"})
    pointers = {fault["pointer"] for fault in answer.json()["errors"]}
    assert pointers == {"/bets/0/stake_minor", "/bets/1/player", "/bets/1/stake_minor", "/bets/1/colour"}
    assert "greater than or equal to 1" in answer.json()["errors"][0]["detail"]


def test_a_method_that_is_not_allowed_is_told_all_that_are(client: TestClient) -> None:
    assert client.put("/v1/players").headers["allow"] == "GET, POST"
    assert client.delete("/v1/tables/craps-1").headers["allow"] == "GET"
