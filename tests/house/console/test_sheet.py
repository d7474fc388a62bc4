"""Hooligan's score sheet and frame as they are drawn, and what a score pays."""

import re

import pytest

from house.console.drawing.sheet import Line, frame, sheet
from house.console.hooligan import standing
from payouts.hooligan.rules import HooliganRules, Position, choose, name, start, throw
from payouts.hooligan.schedule import HooliganSchedule
from payouts.schedule import load, shipped

RULES = HooliganRules()


@pytest.fixture(scope="module")
def quarter() -> HooliganSchedule:
    schedule = load(shipped("hooligan", "scarne-quarter"))
    assert isinstance(schedule, HooliganSchedule)
    return schedule


def words(svg: object) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", str(svg))


def test_a_new_sheet_is_ruled_into_boxes_1_to_6_and_h_all_of_them_empty() -> None:
    drawn = sheet((Line(name="", position=start(RULES)),))
    assert words(drawn) == ["1", "2", "3", "4", "5", "6", "H", "Score", "0"]
    assert str(drawn).count('class="sheet-box"') == 7


def test_a_closed_box_holds_its_score_a_nought_too_and_the_point_what_it_has_made_so_far() -> None:
    deuces = choose(RULES, throw(RULES, start(RULES), (2, 2, 2, 3, 3)), name(2))
    assert words(sheet((Line(name="", position=deuces, turn=True),)))[8:] == ["6", "0"]
    played = Position((0, 3, None, None, None, None, 24))
    assert words(sheet((Line(name="", position=played),)))[8:] == ["3", "24", "0", "27"]


def test_the_sheet_is_read_aloud_line_by_line_with_who_won() -> None:
    lines = (
        Line(name="ann", position=Position((20, 1, 2, 3, 4, 5, 6)), mark="· wins"),
        Line(name="bob", position=Position((0, 0, 2, 3, 4, 5, 6))),
    )
    drawn = str(sheet(lines))
    assert "ann: 1 scores 1" in drawn
    assert "H scores 20, score 41. bob:" in drawn
    assert "ann · wins" in drawn


def test_dice_that_are_kept_lie_apart_from_those_of_the_throw() -> None:
    deuces = choose(RULES, throw(RULES, start(RULES), (2, 3, 2, 3, 6)), name(2))
    assert 'aria-label="thrown three, three, six; kept aside two, two"' in str(frame(deuces))
    lying = throw(RULES, start(RULES), (2, 3, 2, 3, 6))
    assert 'aria-label="thrown two, three, two, three, six"' in str(frame(lying))


@pytest.mark.parametrize(
    ("score", "pays", "needs", "then"),
    [
        (0, 0, 84, 100),  # Scarne: "a score between 84 and 89 inclusive will get the player $1"
        (83, 0, 1, 100),
        (84, 100, 6, 200),  # "a score between 90 and 93 is paid off at $2"
        (93, 200, None, None),
        (94, 0, None, None),  # this schedule has his two printed bands and nothing above
    ],
)
def test_a_score_pays_its_band_and_the_next_band_is_so_many_points_away(
    quarter: HooliganSchedule, score: int, pays: int, needs: int | None, then: int | None
) -> None:
    stands = standing(quarter, score)
    assert (stands["pays"], stands["needs"]) == (pays, needs)
    assert (stands["next"].pays_minor if stands["next"] else None) == then
