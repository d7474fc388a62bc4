"""Whole hands of craps as text, derived by hand from the rules and replayed."""

from pathlib import Path

import pytest

from tests.golden.craps_script import GOLDEN, replay


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_hand_goes_as_it_is_written(path: Path) -> None:
    written, played = replay(path)
    assert played == written
