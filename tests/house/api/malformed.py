"""Bodies that are no request, for every operation that takes one; and what an answer to them must be."""

import json
from typing import Any

from fastapi.testclient import TestClient

# Numbers that are no amount of money: wrong type, wrong size, or no number of JSON at all.
NUMBERS = (
    "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1.5", "-0.0", "1e2", "0", "-1", "-600", "true", "false", "null",
    '"5"', '"5_0"', '"٣"', '""', "[]", "{}", "[1]", '{"a":1}', "9007199254740992", "9223372036854775807",
    "9223372036854775808", "-9223372036854775809", "1" + "0" * 23, "9" * 400, "9" * 5000, '"NaN"', '"0x10"', '"1e3"',
)  # fmt: skip
# Texts that are no id: control characters, lone surrogates, lookalikes, injections, sizes.
TEXTS = (
    '""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"\\u202eevil"', '"a b"', '"../etc"',
    '"a/b"', '"%00"', '"\\n"', '"ann\\n"', '"аnn"', '"🎲"', '"x\' OR 1=1 --"', '"=HYPERLINK(1)"', '"<script>"',
    '"' + "a" * 65 + '"', '"' + "a" * 70_000 + '"', "1", "null", "true", "[]", "{}", '["ann"]',
    '{"$ne": 1}', '"\\ufeff"', '"\\u200bann"',
)  # fmt: skip
# Whole bodies that are no request.
BODIES = (
    "", " ", "null", "true", "0", "[]", "[[]]", '""', '"text"', "{", "}", "{]", '{"a"}', '{"a":}', "{'a':1}", "{a:1}",
    "NaN", "Infinity", "\ufeff{}", '{"a":1,}', "//", "undefined", "[" * 5_000, "[" * 5_000 + "]" * 5_000,
    '{"a":' * 3_000,
    '{"a":1}{"b":2}', "<xml/>", "a=1&b=2", '{"__proto__":{}}', '{"":1}', '{"\\ud800":1}',
    '{"amount_minor":1,"amount_minor":"x"}', '{"' + "k" * 10_000 + '":1}', '{"amount_minor":1,"extra":1}',
    '{"player":"ann","\\u0000":1}', "\x00", "\x7f",
)  # fmt: skip


def corpus() -> list[str]:
    numbers = [f'{{"amount_minor":{value}}}' for value in NUMBERS]
    bets = [f'{{"bets":[{{"player":"ann","bet":"pass","stake_minor":{value}}}]}}' for value in NUMBERS]
    faces = [f'{{"dice":[{{"die":"D-1","face":{value}}},{{"die":"D-2","face":3}}]}}' for value in NUMBERS]
    texts = [
        template % value
        for value in TEXTS
        for template in (
            '{"player":%s,"name":"x"}',
            '{"player":"new","name":%s}',
            '{"bets":[{"player":"ann","bet":%s,"stake_minor":1500}]}',
            '{"dice":[{"die":%s,"face":3},{"die":"D-2","face":3}]}',
            '{"choice":%s}',
        )
    ]
    return [*BODIES, *numbers, *bets, *faces, *texts]


def balances(client: TestClient) -> Any:
    accounts = client.get("/v1/reports/trial-balance").json()["accounts"]
    return {line["account"]: line["balance_minor"] for line in accounts if line["balance_minor"]}


def is_problem(answer: Any) -> bool:
    body = json.loads(answer.content)
    return (
        answer.headers["content-type"] == "application/problem+json"
        and body["status"] == answer.status_code
        and body["type"] == f"urn:floorman:problem:{body['code']}"
        and bool(body["detail"])
        and body["request_id"] == answer.headers["x-request-id"]
    )


AT_THE_COUNTER = frozenset({"startGame", "startPeerGame", "choose"})
PLACES = {"player": "ann", "table": "craps-1"}


def writes(client: TestClient) -> list[tuple[str, str, str]]:
    """Id, method and address of every operation that takes a body, at what the house of the tests has."""
    found: list[tuple[str, str, str]] = []
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method, operation in methods.items():
            if "requestBody" in operation:
                name = operation["operationId"]
                places = PLACES | ({"table": "hooligan-1"} if name in AT_THE_COUNTER else {})
                parts = (places.get(part[1:-1], "0") if part.startswith("{") else part for part in path.split("/"))
                found.append((name, method, "/".join(parts)))
    return found
