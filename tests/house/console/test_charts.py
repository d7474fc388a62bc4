"""Charts: what they draw of their numbers, and what they say to whoever does not see them."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from house.console.drawing import charts
from house.console.drawing.charts import Axis, Band, Bar, Line, Share

DRAWN = {
    "lines": charts.lines("L", "up", [Line("<d>", [(0.0, 0.0), (10.0, 3.0)])], bar=2.0, x_title="x", y_title="y"),
    "no line": charts.lines("L", "nothing", [], bar=2.0, x_title="x", y_title="y"),
    "shares": charts.shares("S", "one is odd", [Share("6", 0.4, 0.3, 0.5, odd=True)], expected=1 / 6),
    "heat": charts.heat("H", "diagonal", [[9, 1], [1, 9]], rows="before", columns="now"),
    "empty heat": charts.heat("H", "nothing", [[0, 0], [0, 0]], rows="before", columns="now"),
    "law": charts.score_law("Law", "said", [0.5, 0.3, 0.2], [Band(1, 2, "1.00")]),
    "bars": charts.bars("B", "said", [Bar("a", -1.0, "-1"), Bar("b", 2.0, "+2")]),
    "no bars": charts.bars("B", "nothing", []),
}


def parts(drawing: Markup, tag: str, class_: str = "") -> list[ElementTree.Element]:
    """Elements of a tag, those of a class if one is named."""
    found = ElementTree.fromstring(drawing).iter(tag)  # our own drawing, not a stranger's
    return [each for each in found if class_ in each.get("class", "").split() or not class_]


@pytest.mark.parametrize("name", DRAWN)
def test_every_chart_is_an_image_with_a_name_and_a_sentence_and_no_style_of_its_own(name: str) -> None:
    root = ElementTree.fromstring(DRAWN[name])
    assert root.get("role") == "img"
    title, says = (parts(DRAWN[name], tag)[0].text for tag in ("title", "desc"))
    assert root.get("aria-label") == f"{title}. {says}"
    assert not re.search(r"\sstyle=|<script|<style|nan|inf", DRAWN[name])


def test_a_line_goes_up_where_its_numbers_do_and_names_are_escaped() -> None:
    drawn = charts.lines(
        "L",
        "",
        [Line("<d>", [(0.0, 0.0), (5.0, 1.0), (10.0, 4.0)]), Line("e", [(0.0, 0.0)])],
        bar=2.0,
        x_title="x",
        y_title="y",
    )
    points = [tuple(map(float, point.split(","))) for point in parts(drawn, "polyline")[0].get("points", "").split()]
    assert all(before[0] < after[0] and before[1] > after[1] for before, after in pairwise(points))
    assert "&lt;d&gt;" in drawn
    bar = float(parts(drawn, "line", "chart-bar")[0].get("y1", ""))
    assert points[2][1] < bar < points[1][1]  # 4 is over the bar of 2, 1 is under it


def test_bounds_stand_around_their_share_and_an_odd_one_is_marked_by_more_than_colour() -> None:
    drawn = charts.shares("S", "", [Share("1", 0.2, 0.1, 0.3), Share("6", 0.4, 0.3, 0.5, odd=True)], expected=1 / 6)
    dots = parts(drawn, "circle")
    assert [dot.get("class") for dot in dots] == ["chart-dot", "chart-dot odd"]
    for dot, whisker in zip(dots, parts(drawn, "g", "chart-whisker"), strict=True):
        ends = sorted(float(line.get("y1", "")) for line in whisker)
        assert ends[0] < float(dot.get("cy", "")) < ends[-1]


def test_residuals_are_those_of_independence() -> None:
    # due is 5 everywhere: (9 - 5) / sqrt(5)
    assert charts.residuals([[9, 1], [1, 9]]) == [
        [pytest.approx(4 / 5**0.5), pytest.approx(-4 / 5**0.5)],
        [pytest.approx(-4 / 5**0.5), pytest.approx(4 / 5**0.5)],
    ]
    assert charts.residuals([[0, 0], [0, 0]]) == [[0.0, 0.0], [0.0, 0.0]]


def test_a_heat_map_tells_more_from_less_by_sign_and_has_row_one_at_the_bottom() -> None:
    cells = parts(DRAWN["heat"], "rect", "heat")
    assert [cell.get("class") for cell in cells] == ["heat more-1", "heat less-1", "heat less-1", "heat more-1"]
    assert float(cells[0].get("y", "")) > float(cells[2].get("y", ""))
    strong = charts.heat("H", "", [[90, 10], [10, 90]], rows="before", columns="now")
    assert [word.text for word in parts(strong, "text", "heat-word")] == ["+6", "−6", "−6", "+6"]


def test_scores_that_are_paid_are_filled_and_every_band_says_what_it_pays() -> None:
    columns = parts(DRAWN["law"], "rect", "chart-column")
    assert ["paid" in column.get("class", "") for column in columns] == [False, True, True]
    heights = [float(column.get("height", "")) for column in columns]
    assert heights[0] / heights[1] == pytest.approx(5 / 3, rel=0.01)
    assert "1.00" in DRAWN["law"]


def test_what_narrow_bands_pay_is_told_without_a_word_over_another_or_over_the_edge() -> None:
    law = [1 / 130] * 130
    lows = (84, 90, 94, 98, 112, 114, 116)
    pays = ("1.00", "2.00", "4.00", "10.00", "25.00", "100.00", "10,000.00")
    drawn = charts.score_law(
        "Law", "said", law, [Band(low, low + 1, paid) for low, paid in zip(lows, pays, strict=True)]
    )
    words = [word for word in parts(drawn, "text", "chart-word") if word.text in pays]
    assert [word.text for word in words] == list(pays)
    boxes = []
    for word in words:
        x, y, half = float(word.get("x", "")), float(word.get("y", "")), 0.636 * 13 * len(word.text or "") / 2
        boxes.append((x - half, x + half, y - 13, y))
    columns = parts(drawn, "rect", "chart-column")
    least = min(float(column.get("y", "")) for column in columns)
    for left, right, _, foot in boxes:
        assert left >= charts.LEFT - 0.1
        assert right <= charts.WIDTH + 0.1
        assert foot <= least, "no word lies over a column"
    for one, other in combinations(boxes, 2):
        assert one[1] <= other[0] + 0.1 or other[1] <= one[0] + 0.1 or one[3] <= other[2] or other[3] <= one[2]


def test_bars_go_left_and_right_of_one_middle() -> None:
    less, more = parts(DRAWN["bars"], "rect")
    middle = float(more.get("x", ""))
    assert float(less.get("x", "")) + float(less.get("width", "")) == pytest.approx(middle, abs=0.02)
    assert float(more.get("width", "")) == pytest.approx(2 * float(less.get("width", "")), abs=0.05)


def test_a_value_beyond_an_axis_stays_at_its_end() -> None:
    axis = Axis(0.0, 1.0, 100.0, 0.0)
    assert (axis.at(-5.0), axis.at(0.25), axis.at(9.0)) == (100.0, 75.0, 0.0)
