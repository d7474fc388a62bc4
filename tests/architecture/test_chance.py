"""Where chance may come from: what serves players draws from the system's own chance and from nothing else."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FORETOLD = {"random", "numpy.random"}
"""Generators whose output gives away their state (case C04)."""
SIMULATIONS = {"house/demo": FORETOLD, "house/commands": {"numpy.random"}}
"""What plays with an explicit, seeded generator, and with which: the demo's world, and commands that simulate."""
SOURCES = sorted((ROOT / "house").rglob("*.py"))


def drawn_from(source: str) -> set[str]:
    """Modules of chance that a source imports or reaches through another module."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr == "random":
            found.add("numpy.random" if node.value.id in ("np", "numpy") else "")
    return found & FORETOLD


def test_c04_the_house_draws_from_nothing_that_can_be_foretold() -> None:
    assert len(SOURCES) > 200
    found = {
        str(path.relative_to(ROOT)): drawn_from(path.read_text(encoding="utf-8"))
        - SIMULATIONS.get(str(path.parent.relative_to(ROOT)), set())
        for path in SOURCES
    }
    assert {name: chance for name, chance in found.items() if chance} == {}


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("import random", "random"),
        ("from random import choice", "random"),
        ("import numpy as np\nnp.random.default_rng(1)", "numpy.random"),
        ("from numpy import random", "numpy.random"),
        ("from numpy.random import default_rng", "numpy.random"),
    ],
)
def test_the_lint_sees(source: str, module: str) -> None:
    assert module in drawn_from(source)
