"""One request that fits and one that does not, for every operation: each is answered as OpenAPI says."""

from pathlib import Path

from house.service import reports
from tests.house.api.generated import served, try_all


def test_every_operation_answers_as_it_is_described(tmp_path: Path) -> None:
    with served(tmp_path) as one:
        statuses, wrong = try_all(one, examples=1)
        checked = reports.check(one.house)
    assert wrong == []
    assert max(statuses) < 500
    assert sum(statuses.values()) >= 150
    assert checked.discrepancies == ()
