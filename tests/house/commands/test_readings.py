"""`floorman readings`: every reading of the rules, as a table, a picture and JSON."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
HEAD = 'game = "hooligan"\nname = "one-throw"\nversion = 1\ncurrency = "USD"\nstake = "1.00"\n'


@pytest.fixture
def schedule(tmp_path: Path) -> str:
    """A schedule of frames of one throw, which is soon solved."""
    file = tmp_path / "one-throw.toml"
    file.write_text(f'{HEAD}[rules]\nthrows_per_frame = 1\n[[pays]]\nscore = [40, 125]\npays = "2.00"\n')
    return str(file)


@pytest.mark.parametrize("throws", ["1", pytest.param("1,2", marks=pytest.mark.soak)])
def test_every_reading_is_there_once_and_the_schedules_own_moves_nothing(
    run: Run, schedule: str, tmp_path: Path, throws: str
) -> None:
    picture = tmp_path / "readings.svg"
    code, out, err = run("readings", "--schedule", schedule, "--throws", throws, "--svg", str(picture), "--json")
    document = json.loads(out)
    found = document["readings"]
    assert (code, err, document["player"]) == (0, "", "optimal")
    # Throws, natural, point_must_show, hooligan_keep, may_stop_early.
    assert len(found) == len({each["fingerprint"] for each in found}) == len(throws.split(",")) * 3 * 2 * 2 * 2
    assert [each["moves"] for each in found if not each["changed"]] == [0.0]
    assert "<svg" in picture.read_text()


def test_a_freedom_never_helps_the_house_against_the_best_player(run: Run, schedule: str) -> None:
    code, out, _ = run("readings", "--schedule", schedule, "--throws", "1", "--json")
    edges = {
        tuple(sorted((k, v) for k, v in each["changed"].items() if k != "throws_per_frame")): each["house_edge"]
        for each in json.loads(out)["readings"]
    }
    assert code == 0
    assert edges[("may_stop_early", True),] <= edges[()]
    assert edges[("natural", "optional"),] <= edges[()]
    assert edges[("point_must_show", True),] >= edges[()]
    assert edges[("hooligan_keep", "none"),] >= edges[()]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [(("--throws", "6"), "--throws"), (("--player", "x"), "--player"), (("--schedule", "strip-345x"), "--schedule")],
    ids=" ".join,
)
def test_impossible_questions_name_the_option(run: Run, arguments: tuple[str, ...], names: str) -> None:
    code, out, err = run("readings", *arguments)
    assert (code, out) == (2, "")
    assert names in err
