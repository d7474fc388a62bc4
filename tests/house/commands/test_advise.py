"""`floorman advise`: the choices of a position, worth against each other."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]


def choices(run: Run, *arguments: str) -> list[tuple[str, float, float]]:
    code, out, err = run("advise", *arguments, "--json")
    assert (code, err) == (0, "")
    return [(each["choice"], each["return"], each["cost"]) for each in json.loads(out)["choices"]]


def test_on_the_last_throw_of_the_last_number_only_that_number_can_be_named(run: Run) -> None:
    # Only 6 is open, H is closed: naming it with three sixes makes 70 + 18 = 88, which scarne-quarter pays $1.00.
    found = choices(run, "66612", "--open", "6", "--hooligan-closed", "--score", "70", "--throw", "3")
    assert found == [("name 6", 1.0, 0.0)]


def test_every_choice_costs_what_the_best_is_worth_more(run: Run) -> None:
    found = choices(run, "22233", "--open", "6,5,2", "--score", "41")
    best = found[0][1]
    assert {said for said, _, _ in found} == {"name 2", "name 5", "name 6", "take_up"}
    assert all(cost == pytest.approx(best - worth, abs=1e-12) and cost >= 0 for _, worth, cost in found)


def test_a_straight_of_the_last_frame_may_be_kept_or_broken_after_the_first_throw(run: Run) -> None:
    # 70 + 20 = 90 pays $2.00; with all dice kept it is certain.
    found = choices(run, "23456", "--open", "", "--score", "70", "--throw", "2")
    assert len(found) == 2**5
    assert found[0] == ("keep 0 1 2 3 4", 2.0, 0.0)


def test_stopping_a_frame_is_worth_what_the_point_has_made(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stops.toml"
    head = 'game = "hooligan"\nname = "stops"\nversion = 1\ncurrency = "USD"\nstake = "1.00"\n'
    file.write_text(f'{head}[rules]\nmay_stop_early = true\n[[pays]]\nscore = [100, 109]\npays = "3.00"\n')
    position = ("--open", "6", "--hooligan-closed", "--score", "82", "--throw", "2", "--point", "6", "--count", "3")
    found = choices(run, "66612", "--schedule", str(file), *position)
    # 82 + 18 = 100 pays; two dice are left for one throw, of which one six makes 106 and two make 112:
    # throwing on pays with 35/36.
    assert found == [("stop", 3.0, 0.0), ("throw", pytest.approx(3 * 35 / 36), pytest.approx(3 / 36))]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("2223",), "DICE must be 5 faces"),
        (("22237",), "DICE must be 5 faces"),
        (("22233", "--score", "5"), "--score"),
        (("22233", "--open", "7"), "--open"),
        (("22233", "--throw", "4"), "--throw must be from 1 to 3"),
        (("22233", "--point", "2", "--count", "3"), "--point"),
        (("22233", "--count", "3"), "--count"),
        (("22233", "--player", "lucky"), "--player"),
        # A natural is credited at once: no choice is open.
        (("12345", "--open", "", "--score", "70"), "position must be one in which a choice is open"),
        # No frame of one 6 alone has brought 334 points.
        (("22233", "--open", "1,2,3,4,5", "--score", "91"), "position must be one that play can reach"),
    ],
    ids=" ".join,
)
def test_impossible_positions_name_the_option(run: Run, arguments: tuple[str, ...], names: str) -> None:
    code, out, err = run("advise", *arguments)
    assert (code, out) == (2, "")
    assert names in err
    assert "Traceback" not in err
