"""`floorman power`: both ways round, for people and for machines."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from house.cli import main


def floorman(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run `floorman` with arguments; the exit code."""
    monkeypatch.setattr(sys, "argv", ["floorman", *arguments])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_throws_needed_for_a_secured_die(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert floorman(monkeypatch, "power", "--attack", "repeats", "--size", "0.1", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    # the methods note: 305 planned; 480 (238) watched, 400 streams leave about 5 %
    assert found["planned_throws"] == 305
    assert found["watched_throws"] == pytest.approx(480, rel=0.15)
    assert found["price"] == pytest.approx(found["watched_throws"] / 305)


def test_smallest_load_of_a_night(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert floorman(monkeypatch, "power", "--attack", "load", "--throws", "1000", "--dice", "10") == 0
    said = capsys.readouterr().out
    assert "1,000" in said
    assert "10 judged together" in said
    assert "price" in said


def test_too_few_throws_show_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert floorman(monkeypatch, "power", "--attack", "load", "--throws", "1", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["size"], found["watched_throws"]) == (None, None)
    assert floorman(monkeypatch, "power", "--attack", "load", "--throws", "1") == 0
    assert "none" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--attack", "voodoo", "--size", "0.1"), "attack must be one of"),
        (("--attack", "load"), "size or throws must be given"),
        (("--attack", "load", "--size", "0.1", "--throws", "9"), "got both"),
        (("--attack", "tilt", "--size", "0.5"), "size must be above 0 and at most 0.1667"),
        (("--attack", "load", "--size", "0.1", "--alpha", "2"), "alpha must be between 0 and 1"),
    ],
)
def test_impossible_questions_name_the_bound(
    arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert floorman(monkeypatch, "power", *arguments) == 2
    assert said in capsys.readouterr().err


def test_an_audit_is_held_to_the_plan_that_was_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, log = tmp_path / "plan.json", tmp_path / "log.csv"
    planning = ("power", "--attack", "load", "--size", "0.1", "--write-plan", str(plan))
    assert floorman(monkeypatch, *planning) == 0
    needed = json.loads(plan.read_text())["throws"]
    assert floorman(monkeypatch, *planning) == 2
    assert "plan.json" in capsys.readouterr().err
    # a die that shows six at 0.45, far more than planned for: found at the planned throws, too few before them
    for throws, code, verdict in ((needed + 50, 1, "crooked"), (needed - 1, 0, "too_few")):
        faces = np.random.default_rng(91).choice(6, size=throws, p=[0.11] * 5 + [0.45]) + 1
        log.write_text("die,face\n" + "".join(f"d1,{face}\n" for face in faces))
        assert floorman(monkeypatch, "audit", str(log), "--plan", str(plan), "--json") == code
        assert json.loads(capsys.readouterr().out)["verdict"] == verdict


def test_a_faulty_plan_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, log = tmp_path / "plan.json", tmp_path / "log.csv"
    plan.write_text("{}")
    log.write_text("die,face\nd1,6\n")
    assert floorman(monkeypatch, "audit", str(log), "--plan", str(plan)) == 2
    assert "plan must have the keys" in capsys.readouterr().err


def test_a_plan_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = str(tmp_path / "plan.json")
    assert floorman(monkeypatch, "audit", "tests/data/labby_faces.csv", "--plan", missing) == 2
    said = capsys.readouterr().err
    assert "'--plan'" in said
    assert "does not exist" in said
