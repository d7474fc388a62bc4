"""`floorman certificate`: what is written holds, and what was changed does not."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., tuple[int, str, str]]
HEAD = 'game = "hooligan"\nname = "one-throw"\nversion = 1\ncurrency = "USD"\nstake = "1.00"\n'
ONE_THROW = f'{HEAD}[rules]\nthrows_per_frame = 1\n[[pays]]\nscore = [40, 125]\npays = "2.00"\n'


@pytest.fixture
def schedule(tmp_path: Path) -> str:
    """A schedule of frames of one throw, which is soon checked."""
    file = tmp_path / "one-throw.toml"
    file.write_text(ONE_THROW)
    return str(file)


def test_a_certificate_holds_for_its_schedule_and_no_other(run: Run, schedule: str, tmp_path: Path) -> None:
    file = str(tmp_path / "certificate.json")
    assert run("certificate", "write", file, "--schedule", schedule)[0] == 0
    code, out, _ = run("certificate", "check", file, "--schedule", schedule, "--json")
    checked = json.loads(out)
    code_of_edge, out, _ = run("edge", "hooligan", "--schedule", schedule, "--player", "optimal", "--json")
    edge = json.loads(out)["players"]["optimal"]["house_edge"]
    assert (code, code_of_edge, checked["holds"]) == (0, 0, True)
    assert checked["house_edge"] == pytest.approx(edge, rel=checked["relative_error"] + 1e-15)
    code, out, _ = run("certificate", "check", file, "--schedule", "scarne-quarter")
    assert (code, "does not hold" in out) == (1, True)


@pytest.mark.soak
def test_a_certificate_in_fractions_holds_without_error(run: Run, schedule: str, tmp_path: Path) -> None:
    file = str(tmp_path / "certificate.json")
    assert run("certificate", "write", file, "--schedule", schedule, "--exact")[0] == 0
    code, out, _ = run("certificate", "check", file, "--json")
    assert (code, json.loads(out)["relative_error"]) == (0, 0.0)


def test_a_mean_that_was_changed_does_not_hold(run: Run, schedule: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    run("certificate", "write", str(file), "--schedule", schedule)
    document = json.loads(file.read_text())
    document["mean"] *= 0.99
    file.write_text(json.dumps(document))
    code, out, _ = run("certificate", "check", str(file), "--json")
    checked = json.loads(out)
    assert (code, checked["holds"]) == (1, False)
    assert "start" in checked["fault"]


@pytest.mark.parametrize("text", ["", "[]", "{", "nope"])
def test_what_is_no_certificate_cannot_be_checked(run: Run, text: str, tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    file.write_text(text)
    code, out, err = run("certificate", "check", str(file))
    assert (code, out) == (2, "")
    assert str(file) in err
    code, _, err = run("certificate", "check", str(tmp_path / "missing.json"))
    assert (code, "missing.json" in err) == (2, True)
