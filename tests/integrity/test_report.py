"""The audit in writing: what a reader must find in the text, the JSON and the page."""

import json
import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from integrity.audit import Audit, audit
from integrity.observations import from_columns, observations
from integrity.paths import paths
from integrity.report import document, html, record, text, undrawn
from integrity.sparklines import ASCII
from tests.integrity.evenings import Cheats, evening


@pytest.fixture(scope="module")
def crooked() -> Audit:
    """An evening with both cheats."""
    return audit(evening(3, Cheats()), name="<evening>")


@pytest.fixture(scope="module")
def page(crooked: Audit) -> str:
    """The page of that evening."""
    return html(crooked)


def test_the_text_names_the_accused_the_error_rate_and_what_could_not_be_seen(crooked: Audit) -> None:
    said = text(crooked).replace("\n", " ")
    assert "VERDICT  Crooked: box B1, die L." in said
    for part in ("Next: Feel the upper inner edge of the box", "is at most 1.00%", "What could not have been seen"):
        assert part in re.sub(r" +", " ", said)


def test_the_text_is_read_in_a_minute(crooked: Audit) -> None:
    # about 300 words of prose a minute; the indented tables are skimmed
    prose = [line for line in text(crooked).splitlines() if not line.startswith("  ") or line.startswith("  once")]
    assert len(" ".join(prose).split()) < 300
    assert max(map(len, text(crooked).splitlines())) <= 130


def test_the_json_is_one_document_without_nan(crooked: Audit) -> None:
    assert json.loads(record(crooked))["verdict"] == "crooked"


def test_the_page_stands_alone_shows_pictures_and_escapes_names(page: str) -> None:
    assert page.count("<svg") == 5
    assert "<evening>" not in page
    assert not re.search(r"(src|href)=.https?:", page.replace("xmlns", ""))


def test_an_empty_log_says_that_nothing_was_tested() -> None:
    found = audit(observations([0], state=["void"]))
    assert "nothing was tested" in text(found)
    assert "nothing was tested" in html(found)


def test_a_log_of_totals_says_that_it_shows_no_single_die() -> None:
    said = text(audit(Path(__file__).parents[1] / "data" / "software_2d6_sums.csv")).replace("\n", " ")
    assert "What could not have been seen: anything about a single die or box" in said


def test_columns_of_a_frame_are_audited_as_arrays_are() -> None:
    batch = evening(5)
    columns = {"face": batch.face, "throw": batch.throw, "slot": batch.slot, "stake_class": batch.stake_class} | {
        name: getattr(batch, name).values() for name in ("die", "table", "box", "shooter")
    }
    assert audit(from_columns(columns)).record() == audit(batch).record()


@pytest.fixture(scope="module")
def switched() -> Audit:
    """A magnet at the only table, switched on for 300 of 4,000 throws."""
    rng = np.random.default_rng(21)
    faces = rng.integers(1, 7, (4000, 2))
    faces[2000:2300] = rng.choice(6, (300, 2), p=[0.1] * 5 + [0.5]) + 1
    return audit(observations(faces, die=["a", "b"], table="T"), name="night")


def test_a_report_says_that_who_passed_through_the_accused_could_not_be_judged(switched: Audit) -> None:
    # two dice, their pair, two places in the throw
    assert [(each.kind, each.id) for each in switched.accused] == [("table", "T")]
    said = text(switched).replace("\n", " ")
    assert "All throws of 5 other subjects passed through somebody accused" in said
    assert "does not tell apart" not in said


def test_pictures_show_dice_that_were_set_aside_and_the_path_of_the_accused_table(switched: Audit) -> None:
    page = html(switched)
    assert page.count("die a (n=4,000)") == 1
    assert "Evidence over time" in page
    assert "table T" in page


def test_the_path_of_a_box_that_repeats_is_over_the_bar_before_the_end(crooked: Audit, page: str) -> None:
    (box,) = [each for each in paths(crooked) if each.name == "box B1"]
    assert box.log10_evalues[0] < 2 < box.bar < box.log10_evalues[-1]
    first = box.first_over()
    assert first is not None
    assert 0 < first < box.throws[-1]
    assert f"box B1: over {box.bar:.1f} by throw {first:,}" in page


def test_every_finding_tells_its_test_statistic_and_degrees_of_freedom(crooked: Audit, page: str) -> None:
    record = {next(iter(each["subject"].items())): each for each in crooked.record()["findings"]}
    die, box = record["die", "L"], record["box", "B1"]
    assert (die["test"], die["df"]) == ("pearson", 5)
    assert die["statistic"] > 20.5  # its p is far under 0.001, whose chi-square on 5 df is 20.515
    assert (box["test"], box["statistic"], box["df"]) == ("binomial", box["effect"]["hits"], None)
    assert f"pearson {die['statistic']:,.6g} on 5 df" in page


def test_the_report_tells_who_made_it(crooked: Audit, page: str) -> None:
    made = f"by floorman {version('floorman')}"
    assert made in text(crooked)
    assert made in page


def test_a_suspect_log_is_told_with_its_chance_in_an_honest_one() -> None:
    # case B6 ten times as long: chi-square 0.0002, left tail on 5 df (0.0001)^2.5 / 3.3 = 3e-11
    counts = [10_000, 10_001, 9_999, 10_000, 10_000, 10_000]
    found = audit(observations([1, 2, 3, 4, 5, 6], weight=counts, die="d", ordered=False))
    assert "too even (chance of that in an honest log: 10^-" in found.findings[-1].words


def test_what_speaks_against_the_log_comes_before_whom_it_accuses_and_is_named_once() -> None:
    rng = np.random.default_rng(33)
    faces = np.concatenate([rng.permutation(6) + 1 for _ in range(200)])
    said = re.sub(r"\s+", " ", text(audit(observations(faces, die="d", table="T"))))
    assert "The log itself is suspect; what it says about dice cannot be relied on. By what it says die d" in said
    assert said.index("* Invented log") < said.index("* Die d")
    assert said.lower().count("invented log: too even") == 1


@pytest.fixture(scope="module")
def held() -> Audit:
    """Two of three dice held to seven in 40 % of their throws, from the middle of the night."""
    rng = np.random.default_rng(31)
    faces = rng.integers(1, 7, (2000, 3))
    late = (np.arange(2000) >= 1000) & (rng.random(2000) < 0.4)
    faces[late, 2] = 7 - faces[late, 0]
    return audit(observations(faces, die=["a", "b", "c"], table="T"), name="night")


def test_the_path_of_dice_held_together_rises_when_they_were_held(held: Audit) -> None:
    (pair,) = [each for each in paths(held) if each.finding.kind == "pair"]
    first = pair.first_over()
    assert first is not None
    assert 1000 < first < 1300  # 90 % of such monitors alarm within 141 throws at a hold of 0.2 from the start
    page = html(held)
    assert "pair a + c" in page
    assert html(held) == page  # the same audit gives the same page


def test_the_json_has_the_faces_the_paths_and_the_alarms_of_the_page(held: Audit) -> None:
    told = document(held)
    (path,) = [each for each in told["over_time"] if each["subject"] == {"pair": "a + c"}]
    assert path["attack"] == "seven"
    assert path["ends_at_finding"]
    assert 1000 < path["alarm"] < 1300
    assert path["alarm"] in path["throws"]
    assert [(each["die"], sum(each["counts"])) for each in told["faces"]] == [("a", 2000), ("b", 2000), ("c", 2000)]
    assert all(
        low < 1 / 6 < high for each in told["faces"] for low, high in zip(each["low"], each["high"], strict=True)
    )
    assert told["not_over_time"] == []
    assert json.loads(record(held))["over_time"] == told["over_time"]


def test_the_text_draws_who_is_accused_in_one_line_with_the_throw_at_which_it_was_over_the_bar(held: Audit) -> None:
    (line,) = [each for each in text(held).splitlines() if each.startswith("  pair a + c")]
    (path,) = [each for each in paths(held) if each.accused]
    assert "█" in line
    assert line.endswith(f"over {path.bar:.1f} by throw {path.first_over():,}")
    assert "Evidence over time, throws 0 to 1,999" in text(held)
    assert text(held, ASCII).isascii()


def test_a_log_of_counts_says_that_the_accused_cannot_be_followed_over_time() -> None:
    found = audit(observations([1, 6], weight=[400, 600], ordered=False, die="d"))
    assert paths(found) == ()
    assert undrawn(found) == "Not drawn over time: die d. The log has counts, and no order."
    assert undrawn(found) in text(found)
    assert document(found)["not_over_time"] == [{"die": "d"}]
