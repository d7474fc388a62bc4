"""Bodies: UTF-8 and JSON, every field of an object named once; nothing else reaches a key or a rule."""

import json

import pytest
from fastapi.testclient import TestClient

from house.api.bodies import read
from house.api.problems import BadBody
from tests.house.api.conftest import Write
from tests.house.api.malformed import is_problem

TWICE = {
    "a field": ('{"amount_minor":1,"amount_minor":2}', "/amount_minor"),
    "the same value": ('{"amount_minor":1,"amount_minor":1}', "/amount_minor"),
    "another spelling": ('{"amount_minor":1,"amount_mino\\u0072":2}', "/amount_minor"),
    "of a list": (
        '{"bets":[{"player":"ann"},{"player":"ann","stake_minor":1,"stake_minor":2}]}',
        "/bets/1/stake_minor",
    ),
    "in a list of lists": ('[[{"a":1}],[{"a":1,"b":{},"b":{}}]]', "/1/0/b"),
    "the outer first": ('{"a":{"c":1,"c":1},"b":1,"b":1}', "/b"),
    "no plain name": ('{"a":{"<b>":1,"<b>":1}}', "/a"),
}


@pytest.mark.parametrize("what", TWICE)
def test_a_field_that_is_named_twice_is_refused_by_its_pointer(what: str) -> None:
    text, pointer = TWICE[what]
    with pytest.raises(BadBody) as refused:
        read(text.encode(), "application/json")
    assert (refused.value.status_code, refused.value.fault.code) == (422, "named_twice")
    assert refused.value.fault.pointer == pointer


def test_a_body_that_names_a_field_twice_takes_no_key(client: TestClient, write: Write) -> None:
    headers = {"Idempotency-Key": "not-taken", "Content-Type": "application/json"}
    twice = client.post("/v1/funds", content=b'{"amount_minor":1,"amount_minor":2}', headers=headers)
    assert twice.status_code == 422
    assert write("/funds", {"amount_minor": 3}, key="not-taken").status_code == 201
    again = client.post("/v1/funds", content=b'{"amount_minor":3,"amount_minor":3}', headers=headers)
    assert (again.status_code, again.json()["errors"][0]["code"]) == (422, "named_twice")


BODY = '{"amount_minor":1}'
NOT_UTF_8 = {
    "utf-16": BODY.encode("utf-16"),
    "utf-16-le": BODY.encode("utf-16-le"),
    "utf-16-be": BODY.encode("utf-16-be"),
    "utf-32": BODY.encode("utf-32"),
    "utf-32-le": BODY.encode("utf-32-le"),
    "utf-8 with a mark": BODY.encode("utf-8-sig"),
    "latin-1": '{"name":"Ä"}'.encode("latin-1"),
    "a surrogate": b'{"name":"\xed\xa0\x80"}',
    "overlong": b'{"name":"\xc0\xaf"}',
}


@pytest.mark.parametrize("what", NOT_UTF_8)
@pytest.mark.parametrize("charset", ["", "; charset=utf-8"])
def test_a_body_that_is_not_utf_8_is_malformed_and_told_so(client: TestClient, what: str, charset: str) -> None:
    headers = {"Idempotency-Key": "not-utf-8", "Content-Type": f"application/json{charset}"}
    answer = client.post("/v1/funds", content=NOT_UTF_8[what], headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_request")
    assert is_problem(answer)
    assert "UTF-8" in answer.json()["detail"] or "byte order mark" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("charset", "status"),
    [
        ("utf-8", 201),
        ('"UTF-8"', 201),
        ("utf8", 201),
        ("utf-16", 400),
        ("iso-8859-1", 400),
        ("", 400),
        ("us-ascii", 400),
    ],
)
def test_a_charset_that_is_not_utf_8_is_refused_even_where_the_bytes_agree(
    client: TestClient, charset: str, status: int
) -> None:
    headers = {
        "Idempotency-Key": f"charset-{charset or 'none'}",
        "Content-Type": f"application/json; charset={charset}",
    }
    assert client.post("/v1/funds", content=BODY.encode(), headers=headers).status_code == status


NO_JSON = {
    "not a number": ('{"amount_minor":NaN}', 400, "no NaN"),
    "infinity": ('{"amount_minor":-Infinity}', 400, "no -Infinity"),
    "too large for a double": ('{"amount_minor":1e400}', 422, "valid integer"),
    "too many digits": ('{"amount_minor":' + "9" * 5_000 + "}", 400, "fewer digits"),
    "nested lists": ("[" * 10_000 + "]" * 10_000, 400, "less deeply"),
    "nested objects": ('{"a":' * 10_000 + "1" + "}" * 10_000, 400, "less deeply"),
    "cut off": ('{"amount_minor":', 400, "at character 16"),
    "more behind": ('{"amount_minor":1}{}', 400, "at character 18"),
}


@pytest.mark.parametrize("what", NO_JSON)
def test_what_is_no_json_or_no_number_of_ours_is_refused_clearly(client: TestClient, what: str) -> None:
    text, status, why = NO_JSON[what]
    headers = {"Idempotency-Key": "no-json", "Content-Type": "application/json"}
    answer = client.post("/v1/funds", content=text.encode(), headers=headers)
    assert (answer.status_code, is_problem(answer)) == (status, True)
    assert why in answer.json()["detail"]


def test_what_is_named_twice_far_inside_is_found_without_end() -> None:
    deep = '{"a":' * 300 + '{"b":1,"b":1}' + "}" * 300
    wide = json.dumps([{"a": number} for number in range(5_000)])[:-1] + ',{"b":1,"b":1}]'
    for text, pointer in ((deep, "/a" * 300 + "/b"), (wide, "/5000/b")):
        with pytest.raises(BadBody) as refused:
            read(text.encode(), "")
        assert refused.value.fault.pointer == pointer


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Idempotency-Key", ["twice-a", "twice-b"]),
        ("Idempotency-Key", ["twice-c", "twice-c"]),
        ("Content-Type", ["application/json", "text/plain"]),
        ("Second-Person", ["a.b.c", "d.e.f"]),
    ],
)
def test_a_header_of_ours_that_is_sent_twice_is_refused_and_named(
    client: TestClient, name: str, values: list[str]
) -> None:
    headers = [("Idempotency-Key", "twice"), ("Content-Type", "application/json")]
    headers = [*(one for one in headers if one[0] != name), *((name, value) for value in values)]
    answer = client.post("/v1/funds", content=BODY.encode(), headers=headers)
    assert (answer.status_code, is_problem(answer)) == (400, True)
    assert answer.json()["errors"][0]["pointer"] == f"/header/{name.lower()}"


def test_who_asks_is_said_once(client: TestClient) -> None:
    token = client.headers["Authorization"]
    answer = client.get("/v1/myself", headers=[("Authorization", token), ("Authorization", "Bearer a.b.c")])
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/header/authorization")


def test_a_body_is_not_unpacked(client: TestClient) -> None:
    headers = {"Idempotency-Key": "packed", "Content-Type": "application/json", "Content-Encoding": "gzip"}
    answer = client.post("/v1/funds", content=BODY.encode(), headers=headers)
    assert (answer.status_code, "Content-Encoding" in answer.json()["detail"]) == (400, True)


def test_a_parameter_of_the_address_comes_once_unless_it_is_a_list(client: TestClient) -> None:
    for address, name in (("/v1/players?limit=1&limit=2", "limit"), ("/v1/incidents?table=a&table=b", "table")):
        answer = client.get(address)
        assert answer.status_code == 422
        assert [(one["pointer"], one["code"]) for one in answer.json()["errors"]] == [(f"/query/{name}", "named_twice")]
    ahead = client.get("/v1/feed?kind=throw&kind=cage&after=9007199254740991")
    assert (ahead.status_code, ahead.json()["code"]) == (422, "bad_value")


def test_who_signs_in_by_a_form_says_it_once(client: TestClient) -> None:
    form = b"username=boss&username=second&password=x"
    answer = client.post("/v1/tokens", content=form, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/username")


def test_whoever_watches_the_process_may_ask_for_the_head_alone(client: TestClient) -> None:
    assert [client.head(path).status_code for path in ("/healthz", "/readyz")] == [200, 200]


@pytest.mark.parametrize(
    "address",
    [
        "/v1/players/ann/statement?first=2026-07-02&last=2026-07-01",
        "/v1/laboratory/audit?first_day=2026-07-02&last_day=2026-07-01",
        "/v1/laboratory/audit?first_day=2026-13-45",
        "/v1/laboratory/audit?last_day=%D9%A2%D9%A0%D9%A2%D9%A6-11-30",
    ],
)
def test_gaming_days_are_days_and_the_first_is_not_after_the_last(client: TestClient, address: str) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_value")
