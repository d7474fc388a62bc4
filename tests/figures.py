"""The figures of `make soak`: what each check measured, in one dated file."""

import fcntl
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

FIGURES = Path("build/soak/figures.json")

Figure = Callable[..., None]


@pytest.fixture
def figure() -> Iterator[Figure]:
    """Keep figures under the number of a property (R1, R2, ...), beside those of the other checks of this run."""
    kept: dict[str, dict[str, Any]] = {}

    def keep(number: str, **values: Any) -> None:
        kept.setdefault(number, {}).update(values)

    yield keep
    FIGURES.parent.mkdir(parents=True, exist_ok=True)
    today = datetime.now(UTC).date().isoformat()
    with FIGURES.with_suffix(".lock").open("w", encoding="utf-8") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # tests of another process write here too
        found = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
        for number, values in kept.items():
            found[number] = {**found.get(number, {}), "date": today, **values}
        FIGURES.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n", encoding="utf-8")
