"""The two commands of a fresh clone and the other targets of the Makefile."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def recipe(target: str, folder: Path, *options: str) -> str:
    """What `make` would run for a target."""
    make = shutil.which("make")
    assert make is not None, "make is not installed"
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    asked = [make, "-n", "--no-print-directory", *options, target]
    return subprocess.run(asked, cwd=folder, env=alone, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What a fresh clone has for make to look at: no virtual environment."""
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


(TARGETS,) = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)


@pytest.mark.parametrize("target", sorted({*TARGETS.split()} - {"setup", "clean"}))
def test_every_target_makes_the_environment_first(clone: Path, target: str) -> None:
    steps = recipe(target, clone)
    assert steps.index("-m venv") < steps.index("uv pip install") < len(steps)


def test_the_demo_runs_nothing_but_the_demo_and_takes_a_seed(clone: Path) -> None:
    steps = recipe("demo", clone, "SEED=7")
    assert ".venv/bin/floorman demo --seed 7" in steps
    assert "pytest" not in steps


def test_the_test_target_runs_style_types_contracts_and_tests(clone: Path) -> None:
    steps = recipe("test", clone)
    for step in ("ruff check", "ruff format --check", "mypy", "lint-imports", "pytest"):
        assert step in steps


def test_continuous_integration_runs_the_same_command() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
