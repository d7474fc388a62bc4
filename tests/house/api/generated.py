"""Requests made by schemathesis from the API's own description, good and bad, each answer held against it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import load_all_checks
from schemathesis.specs.openapi.checks import positive_data_acceptance

from house.app import create_app, open_settings
from house.domain.people import Role
from house.service.access import admit
from house.service.desk import House
from house.settings import load_settings
from tests.house.api.serving import listening

WITHOUT_END = ("/v1/feed",)
"""Operations that go on until somebody stops them."""


@dataclass
class Served:
    """A house that an application serves on a port, and the key of an admin."""

    house: House
    port: int
    key: str


@contextmanager
def served(folder: Path) -> Iterator[Served]:
    """Serve a fresh house without limits on how often it may be asked."""
    plain = load_settings(environment={})
    set_ = replace(plain, database=f"sqlite:///{folder / 'house.db'}", requests_per_s=10**6, sign_ins_per_min=10**5)
    load_all_checks()
    with open_settings(set_) as house:
        _, key = admit(house, "boss", (Role.ADMIN,), 1, "key-of-boss")
        with listening(create_app(set_, house)) as port:
            yield Served(house, port, key)


def try_all(one: Served, examples: int) -> tuple[Counter[int], list[str]]:
    """Ask every operation so many times with requests that fit its description, and as many that do not.

    The house refuses by rules that a schema does not say, so a request that fits may be answered 422; every other
    check of schemathesis is made. Returned are the statuses, and what was wrong.
    """
    schema = schemathesis.openapi.from_url(f"http://127.0.0.1:{one.port}/openapi.json", timeout=120)
    statuses: Counter[int] = Counter()
    wrong: list[str] = []

    def ask(case: Any) -> None:
        case.headers = {**dict(case.headers or {}), "Authorization": f"Bearer {one.key}"}
        answer = case.call()
        statuses[answer.status_code] += 1
        try:
            case.validate_response(answer, excluded_checks=[positive_data_acceptance])
        except Exception as error:
            wrong.append(f"{case.operation.label}: {error}"[:2000])

    for found in schema.get_all_operations():
        operation = found.ok()
        if operation.path in WITHOUT_END:
            continue
        for mode in schemathesis.GenerationMode:
            run = given(operation.as_strategy(generation_mode=mode))(ask)
            bounded = settings(
                max_examples=examples,
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            try:
                seed(13)(bounded(run))()
            except Unsatisfiable:  # an operation without parameters cannot be asked wrongly
                continue
    return statuses, wrong
