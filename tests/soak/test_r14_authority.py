"""R14: the whole authority matrix: roles x operations x tokens, every cell as OpenAPI declares it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from house.app import create_app
from house.domain.people import Role
from house.settings import load_settings
from tests.house.api.matrix import Staff, asked, everything, operations

pytestmark = pytest.mark.soak


def test_every_cell_is_as_declared(tmp_path: Path, figure: Any) -> None:
    house = f"sqlite:///{tmp_path / 'house.db'}"
    settings = replace(load_settings(environment={}), database=house, sign_ins_per_min=100_000)
    with TestClient(create_app(settings)) as client:
        staff = Staff(client.app.state.house)  # type: ignore[attr-defined]
        found = operations(client.get("/openapi.json").json())
        cells = [*everything(found)]
        wrong = [(cell, answer) for cell in cells if (answer := asked(client, staff, cell)) != cell.expected]
    expected = Counter(cell.expected for cell in cells)
    figure(
        "R14",
        cells=len(cells),
        operations=len(found),
        roles=len(Role),
        wrong=len(wrong),
        refused_as_not_signed_in=expected["not_signed_in"],
        refused_as_not_allowed=expected["not_allowed"],
        let_in=expected["let in"],
    )
    assert wrong == []
    assert len(cells) >= 600
