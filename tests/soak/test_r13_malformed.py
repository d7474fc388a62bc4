"""R13: our own corpus against every operation that writes, and schemathesis with all its checks against every one."""

import json
from collections import Counter
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from house.service import reports
from tests.figures import Figure
from tests.house.api.generated import served, try_all
from tests.house.api.malformed import balances, corpus, is_problem, writes

pytestmark = pytest.mark.soak

EXAMPLES = 25
LEAST = 5_000


@pytest.mark.timeout(3000)
def test_r13_the_corpus_moves_no_money_and_makes_no_5xx(client: TestClient, figure: Figure) -> None:
    before, statuses = balances(client), Counter[int]()
    for operation, method, path in writes(client):
        for number, body in enumerate(corpus()):
            headers = {"Idempotency-Key": f"{operation}-{number}", "Content-Type": "application/json"}
            answer = client.request(method, path, content=body.encode("utf-8", "surrogatepass"), headers=headers)
            statuses[answer.status_code] += 1
            sound = answer.status_code < 300 or (answer.status_code < 500 and is_problem(answer))
            assert sound, (path, body[:200], answer.text)
    answers = {str(status): count for status, count in sorted(statuses.items())}
    figure("R13", corpus=len(corpus()), corpus_answers=answers, corpus_5xx=0, money_unchanged=True)
    assert statuses[429] == 0  # a request that is turned away is not tried
    assert sum(statuses.values()) >= LEAST
    assert balances(client) == before


@pytest.mark.timeout(3000)
def test_r13_generated_requests_are_answered_as_described(tmp_path: Path, figure: Figure) -> None:
    with served(tmp_path) as one:
        statuses, wrong = try_all(one, EXAMPLES)
        checked = reports.check(one.house)
    answers = {str(status): count for status, count in sorted(statuses.items())}
    figure("R13", generated_requests=sum(statuses.values()), answers=answers, violations=len(wrong))
    assert wrong == [], json.dumps(wrong[:3])
    assert max(statuses) < 500
    assert sum(statuses.values()) >= LEAST
    assert checked.discrepancies == ()
