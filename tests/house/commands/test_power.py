"""`floorman power`: both ways round, for people and for machines."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.house.commands.conftest import Run


def test_throws_needed_for_a_secured_die(run: Run) -> None:
    code, out, _ = run("power", "--attack", "repeats", "--size", "0.1", "--json")
    found = json.loads(out)
    assert code == 0
    # the methods note: 305 planned; 480 (238) watched, 400 streams leave about 5 %
    assert found["planned_throws"] == 305
    assert found["watched_throws"] == pytest.approx(480, rel=0.15)
    assert found["price"] == pytest.approx(found["watched_throws"] / 305)


def test_smallest_load_of_a_night(run: Run) -> None:
    code, said, _ = run("power", "--attack", "load", "--throws", "1000", "--dice", "10")
    assert code == 0
    assert "1,000" in said
    assert "10 judged together" in said
    assert "price" in said


def test_too_few_throws_show_nothing(run: Run) -> None:
    code, out, _ = run("power", "--attack", "load", "--throws", "1", "--json")
    found = json.loads(out)
    assert (code, found["size"], found["watched_throws"]) == (0, None, None)
    code, out, _ = run("power", "--attack", "load", "--throws", "1")
    assert (code, "none" in out) == (0, True)


def test_checks_of_the_log_say_what_is_certain_and_that_nobody_watches(run: Run) -> None:
    code, out, _ = run("power", "--attack", "gaps", "--throws", "6000", "--json")
    found = json.loads(out)
    assert (code, found["certain"], found["price"], found["dice"]) == (0, True, None, 1)
    # 7 / 6,007 is the first share above 1 in 1,000
    assert found["size"] == pytest.approx(7 / 6007)
    code, said, _ = run("power", "--attack", "too_even", "--size", "0.9")
    assert (code, "no number is enough" in said, "looking has no price" in said) == (0, True, True)


@pytest.mark.parametrize("attack", ["magnet", "switched", "changed", "voids"])
def test_a_plan_that_an_audit_would_refuse_is_refused_before_it_is_written(
    run: Run, tmp_path: Path, attack: str
) -> None:
    plan = tmp_path / "plan.json"
    code, _, err = run("power", "--attack", attack, "--size", "0.1", "--write-plan", plan)
    assert (code, plan.exists()) == (2, False)
    assert "attack of a plan must be one of load" in err


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
def test_impossible_questions_name_the_bound(run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, _, err = run("power", *arguments)
    assert (code, said in err) == (2, True)


def test_an_audit_is_held_to_the_plan_that_was_stored(run: Run, tmp_path: Path) -> None:
    plan, log = tmp_path / "plan.json", tmp_path / "log.csv"
    planning = ("power", "--attack", "load", "--size", "0.1", "--write-plan", plan)
    assert run(*planning)[0] == 0
    needed = json.loads(plan.read_text())["throws"]
    code, _, err = run(*planning)
    assert (code, "plan.json" in err) == (2, True)
    # a die that shows six at 0.45, far more than planned for: found at the planned throws, too few before them
    for throws, due, verdict in ((needed + 50, 1, "crooked"), (needed - 1, 0, "too_few")):
        faces = np.random.default_rng(91).choice(6, size=throws, p=[0.11] * 5 + [0.45]) + 1
        log.write_text("die,face\n" + "".join(f"d1,{face}\n" for face in faces))
        code, out, _ = run("audit", log, "--plan", plan, "--json")
        assert (code, json.loads(out)["verdict"]) == (due, verdict)


def test_a_faulty_plan_is_refused(run: Run, tmp_path: Path) -> None:
    plan, log = tmp_path / "plan.json", tmp_path / "log.csv"
    plan.write_text("{}")
    log.write_text("die,face\nd1,6\n")
    code, _, err = run("audit", log, "--plan", plan)
    assert (code, "plan must have the keys" in err) == (2, True)


def test_a_plan_that_is_not_there_is_named(run: Run, tmp_path: Path) -> None:
    code, _, said = run("audit", "tests/data/labby_faces.csv", "--plan", tmp_path / "plan.json")
    assert code == 2
    assert "'--plan'" in said
    assert "does not exist" in said
