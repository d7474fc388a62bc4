"""Faces of dice as they are drawn."""

import pytest

from house.console.drawing import dice


@pytest.mark.parametrize("shown", [1, 2, 3, 4, 5, 6])
def test_a_face_has_as_many_pips_as_it_shows_each_within_the_die(shown: int) -> None:
    assert len(set(dice.PIPS[shown])) == shown
    assert all(10 < across < 90 and 10 < down < 90 for across, down in dice.PIPS[shown])
    assert dice.face(shown).count("h0") == shown


def test_opposite_faces_add_to_seven_pips() -> None:
    assert {len(dice.PIPS[low]) + len(dice.PIPS[7 - low]) for low in (1, 2, 3)} == {7}


def test_a_throw_is_read_aloud_and_a_die_that_does_not_count_is_struck_through() -> None:
    html = dice.thrown((6, None), ("cocked", "ok"))
    assert 'aria-label="six, not read"' in html
    assert html.count("struck") == 1
