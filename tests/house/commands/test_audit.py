"""`floorman audit` on a house's database and on what `floorman export` wrote of it."""

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from house.domain.throws import DieState
from house.service.throws import Throw, Thrown
from tests.house.commands.conftest import Run
from tests.house.pits import Pit

THROWS = 120


@pytest.fixture(scope="module")
def evening(lasting_pit: Pit) -> Pit:
    """Throws of two dice held to the same face, far more often than chance, one of them void."""
    lasting_pit.open_craps()
    chance = random.Random(1)
    for number in range(THROWS):
        face = chance.randint(1, 6)
        lasting_pit.throw(face, face if number % 3 else chance.randint(1, 6))
    cocked = Thrown(die="c1-d1", face=None, state=DieState.COCKED)
    lasting_pit.do(Throw(table="c1", dice=(Thrown(die="c1-d0", face=4), cocked)))
    return lasting_pit


def audited(run: Run, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Audit, and read the one document of JSON."""
    code, out, err = run("audit", *arguments, "--json")
    assert err == ""
    return code, json.loads(out)


def test_a_database_and_every_file_exported_from_it_have_one_audit(evening: Pit, run: Run, tmp_path: Path) -> None:
    code, live = audited(run, evening.url)
    assert (code, live["throws"], live["void"], live["refused"]) == (1, THROWS, 1, 0)
    assert [each["subject"] for each in live["findings"] if each["verdict"] == "crooked"] == [{"pair": "c1-d0 + c1-d1"}]
    for ending in ("jsonl", "csv", "parquet"):
        file = tmp_path / f"log.{ending}"
        assert run("export", str(file), "--database", evening.url)[0] == 0
        _, found = audited(run, str(file))
        assert found["findings"][:-1] == live["findings"][:-1]
        for name in ("throws", "dice", "void", "missing", "refused", "notes", "verdict"):
            assert found[name] == live[name], (ending, name)


def test_the_password_of_a_database_is_not_in_its_report(evening: Pit, run: Run) -> None:
    _, out, _ = run("audit", evening.url)
    assert out.startswith("AUDIT    ")
    assert "@" not in out.splitlines()[0]


def test_the_json_of_an_audit_keeps_the_published_format(evening: Pit, run: Run) -> None:
    # rules/formats, section 3
    _, found = audited(run, evening.url)
    assert {"log", "throws", "refused", "void", "alpha", "findings", "verdict"} <= set(found)
    assert found["verdict"] in {"no_data", "log_suspect", "crooked", "not_shown", "too_few"}
    for each in found["findings"]:
        (kind,) = each["subject"]
        assert kind in {"die", "box", "shooter", "table", "pair", "slot", "stake_class", "log"}
        assert {"attack", "log10_evalue", "pvalue", "log10_pvalue", "adjusted", "effect", "verdict"} <= set(each)
        assert math.isfinite(each["log10_evalue"])
        assert 0 <= each["adjusted"] <= 1
        assert each["pvalue"] is None or 0 <= each["pvalue"] <= 1
        assert each["log10_pvalue"] is None or math.isfinite(each["log10_pvalue"])
    subjects = [tuple(each["subject"].items()) for each in found["findings"]]
    assert len(subjects) == len(set(subjects))


def test_a_database_that_does_not_answer_is_code_2_in_one_line(run: Run) -> None:
    code, out, err = run("audit", "postgresql://ann:secret@127.0.0.1:1/house")
    assert (code, out) == (2, "")
    assert err.startswith("floorman: the database cannot be used: ")
    assert err.count("\n") == 1
    assert "secret" not in err


def test_an_audit_may_begin_at_a_throw_or_a_time(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "log.csv"
    rows = "".join(f"{throw},2026-07-01T20:{throw:02}:00Z,{1 + throw * 5 % 6}\n" for throw in range(60))
    file.write_text("throw,at,face\n" + rows)
    for since in ("40", "2026-07-01T22:40+02:00"):
        assert audited(run, str(file), "--since", since)[1]["throws"] == 20
    for since in ("soon", "2026-07-01T22:40", "-1"):
        code, _, err = run("audit", str(file), "--since", since)
        assert code == 2
        assert "--since must be a throw number or a time with its zone" in err
