"""The board of a pit: one budget over tables, accusations by Holm, a work list by e-BH."""

import math

import numpy as np
import pytest

from integrity.errors import LaboratoryError
from integrity.monitors import observe_all, start
from integrity.pit import board, pit_panels

DICE = {"craps 1": 2, "craps 2": 2, "hooligan": 5}


def thrown(rng: np.random.Generator, dice: int, throws: int, *, load: float = 0.0) -> np.ndarray:
    """Throw fair dice, the first of them loaded."""
    faces = rng.integers(1, 7, size=(throws, dice))
    faces[rng.random(throws) < load, 0] = 6
    return faces


def test_budget_of_the_pit_is_one_and_on_show() -> None:
    panels = pit_panels(DICE, alpha=0.01)
    lines = board({table: (panel, start(panel)) for table, panel in panels.items()})
    assert math.fsum(line.weight for line in lines) == pytest.approx(1.0, abs=1e-9)
    assert math.fsum(10**-line.bar_log10_evalue for line in lines) == pytest.approx(0.01, abs=1e-9)
    assert not any(line.accused or line.listed for line in lines)
    assert {line.table for line in lines} == set(DICE)


def test_the_loaded_die_is_accused_and_listed_and_nobody_else() -> None:
    rng = np.random.default_rng(95)
    panels = pit_panels(DICE)
    watched = {
        table: (
            panel,
            observe_all(panel, start(panel), thrown(rng, panel.dice, 1500, load=0.12 * (table == "craps 2"))),
        )
        for table, panel in panels.items()
    }
    lines = board(watched)
    accused = [line for line in lines if line.accused]
    assert {(line.table, line.dice) for line in accused} == {("craps 2", (0,))}
    assert accused == list(lines[: len(accused)])
    assert all(line.listed for line in accused if line.kind == "faces")


def test_whoever_crosses_its_own_bar_is_accused() -> None:
    # Holm never accuses fewer than the bars do
    rng = np.random.default_rng(96)
    panels = pit_panels({"a": 1, "b": 1})
    watched = {t: (p, observe_all(p, start(p), thrown(rng, 1, 700, load=0.2))) for t, p in panels.items()}
    lines = board(watched)
    assert any(line.max_log10_evalue >= line.bar_log10_evalue for line in lines)
    assert all(line.accused for line in lines if line.max_log10_evalue >= line.bar_log10_evalue)


def test_a_share_kept_back_is_not_given_out() -> None:
    panels = pit_panels({"a": 1}, {"a": 0.25})
    whole = pit_panels({"a": 1})
    faces = thrown(np.random.default_rng(97), 1, 300, load=0.2)
    kept = board({"a": (panels["a"], observe_all(panels["a"], start(panels["a"]), faces))})
    full = board({"a": (whole["a"], observe_all(whole["a"], start(whole["a"]), faces))})
    assert kept[0].bar_log10_evalue == pytest.approx(full[0].bar_log10_evalue + math.log10(4), abs=1e-9)
    assert kept[0].adjusted_log10_pvalue == pytest.approx(full[0].adjusted_log10_pvalue + math.log10(4), abs=1e-9)


def test_impossible_budgets_are_refused() -> None:
    with pytest.raises(LaboratoryError, match="shares must be positive"):
        pit_panels({"a": 1, "b": 1}, {"a": 0.7, "b": 0.7})
    with pytest.raises(LaboratoryError, match="shares must be of the tables"):
        pit_panels({"a": 1}, {"b": 1.0})
    whole = pit_panels({"a": 1})["a"]
    with pytest.raises(LaboratoryError, match="share the budget"):
        board({"a": (whole, start(whole)), "b": (whole, start(whole))})
    assert board({}) == ()
