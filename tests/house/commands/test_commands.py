"""The command line: help with examples, JSON for machines, exit codes 0, 1 and 2, errors that name the bound."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import typer

from house.cli import app
from tests.house.commands.conftest import Run

DATA = Path(__file__).resolve().parents[2] / "data"


@pytest.fixture
def database(tmp_path: Path, run: Run) -> str:
    """The URL of a database that `db init` made."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    assert run("db", "init", "--database", url)[0] == 0
    return url


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Every command of the command line, by its words."""
    for name, one in (group or typer.main.get_command(app)).commands.items():
        yield from commands(one, (*path, name)) if hasattr(one, "commands") else ((*path, name),)


@pytest.mark.parametrize("command", [("report",), *commands()], ids=" ".join)
def test_every_command_has_help_with_an_example(run: Run, command: tuple[str, ...]) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    asked = " ".join(command).removesuffix(" schedule")  # `report` alone is of a schedule
    assert f"Example: floorman {asked}" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["edge", "craps", "--schedule", "nope"], "--schedule"),
        (["edge", "craps", "--bet", "nope"], "bet must be one of pass"),
        (["edge", "craps", "--bet", "pass", "--stake", "1e3"], "--stake"),
        (["edge", "craps", "--bet", "pass", "--stake", "0.01"], "15.00"),
        (["edge", "hooligan", "--player", "nope"], "optimal, score, simple, blind"),
        (["edge", "hooligan", "--schedule", "nope.toml"], "nope.toml"),
        (["audit", "nope.csv"], "nope.csv"),
        (["audit", "nope.csv", "--alpha", "0.5"], "alpha"),
        (["audit", str(DATA / "labby_faces.csv"), "--columns", "die"], "--columns"),
        (["serve", "--port", "70000"], "port"),
        (["serve", "--database", "mysql://x"], "--database"),
        (["db", "check", "--database", "x"], "--database"),
        (["db", "check", "--database", "sqlite:///nowhere/house.db"], "nowhere/house.db"),
        (["audit", "sqlite:///nowhere/house.db"], "nowhere/house.db"),
        (["export", "x.csv", "--database", "sqlite:///nowhere/house.db"], "nowhere/house.db"),
        (["demo", "--seed", "-1"], "seed"),
        (["nope"], "nope"),
        (["claim", "nope.toml"], "nope.toml"),
        (["design", "hooligan", "--target", "x"], "--target"),
        (["design", "hooligan", "--target", "15%", "--unit", "0"], "--unit"),
        (["design", "hooligan", "--target", "15%", "--thresholds", "9,8"], "thresholds"),
        (["report", "nope"], "strip-345x"),
        (["export", "--database", "sqlite:///x"], "OUT"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_is_code_2_and_names_the_place(run: Run, arguments: list[str], names: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert names.lower() in err.lower()
    assert "Traceback" not in err


def test_edge_craps_prints_the_pass_line_as_an_exact_fraction(run: Run) -> None:
    # 7/495: rules/craps.md and every book; derived in tests/payouts.
    code, out, _ = run("edge", "craps", "--bet", "pass", "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["schedule"], len(document["fingerprint"])) == ("strip-345x", 64)
    assert Fraction(document["bets"][0]["edge_made"]) == Fraction(7, 495)
    assert document["bets"][0]["edge_made_decimal"] == 7 / 495


def test_edge_hooligan_prints_the_best_players_return(run: Run) -> None:
    # rules/hooligan.md: greatest mean payout of the two printed bands $0.1210246542, the house keeps 51.590138 %.
    code, out, _ = run("edge", "hooligan", "--player", "optimal", "--json")
    document = json.loads(out)
    assert code == 0
    assert round(document["players"]["optimal"]["return"], 10) == 0.1210246542
    assert round(100 * document["players"]["optimal"]["house_edge"], 6) == 51.590138


def test_edge_takes_a_schedule_file_whatever_its_folder_and_name(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    head = 'game = "hooligan"\nname = "mine"\nversion = 2\ncurrency = "USD"\nstake = "1.00"\n'
    file.write_text(head + '[[pays]]\nscore = [100, 335]\npays = "5.00"\n')
    code, out, _ = run("edge", "hooligan", "--schedule", str(file), "--json")
    assert (code, json.loads(out)["schedule"]) == (0, "mine")


def test_the_game_of_the_schedule_must_be_the_commands(run: Run, tmp_path: Path) -> None:
    code, _, err = run("edge", "craps", "--schedule", "config/schedules/hooligan/scarne-quarter.toml")
    assert (code, "--schedule" in err) == (2, True)


def test_a_wrong_claim_is_code_1_and_says_under_what_it_would_hold(run: Run, tmp_path: Path) -> None:
    # Bar 12: 3/220 = 1.3636 % per bet made, 27/1925 = 1.4026 % per bet resolved (tests/data/craps_edges.csv).
    file = tmp_path / "published.toml"
    head = 'game = "craps"\nname = "published"\nversion = 1\ncurrency = "USD"\n[table]\npoints = [4, 5, 6, 8, 9, 10]\n'
    table = 'dont_bar = "12"\nodds_limit = {4 = 1, 5 = 1, 6 = 1, 8 = 1, 9 = 1, 10 = 1}\n'
    limits = 'limits = {min = "1.00", max = "100.00", increment = "1.00"}\n'
    file.write_text(f'{head}{table}[bets.dont_pass]\npays = "1 to 1"\n{limits}[declared]\ndont_pass = "1.40 %"\n')
    code, out, _ = run("claim", str(file), "--json")
    (claim,) = json.loads(out)["claims"]
    assert (code, claim["holds"], claim["right"]) == (1, False, {"": "1.36 %"})
    assert ["per bet resolved"] in [way["departures"] for way in claim["would_hold"]]


def test_a_design_is_written_as_a_schedule_that_declares_its_percentage(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "fifteen.toml"
    search = ("--target", "15%", "--thresholds", "70,84,94", "--greatest", "3.00", "--unit", "0.25", "--out", str(file))
    code, out, _ = run("design", "hooligan", *search, "--json")
    found = json.loads(out)
    assert (code, found["proved"]) == (0, True)
    code, out, _ = run("edge", "hooligan", "--schedule", str(file), "--player", "optimal", "--json")
    assert code == 0
    assert abs(json.loads(out)["players"]["optimal"]["house_edge"] - found["best"]["house_edge"]) < 1e-12


def test_a_report_is_text_json_and_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    code, out, _ = run("report", "scarne-quarter", "--html", str(page), "--json")
    assert (code, isinstance(json.loads(out), dict)) == (0, True)
    assert "image/svg+xml" in page.read_text()


def test_an_audit_that_accuses_is_code_1_with_one_document_of_json(run: Run) -> None:
    code, out, _ = run("audit", str(DATA / "robot_d6_throws.csv"), "--json")
    document = json.loads(out)
    assert (code, document["verdict"], document["alpha"]) == (1, "crooked", 0.01)
    assert sum(finding["verdict"] == "crooked" for finding in document["findings"]) == 3


def test_an_audit_of_a_house_without_throws_has_no_data(run: Run, database: str) -> None:
    code, out, _ = run("audit", database, "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "no_data")


def test_a_new_database_is_sound_and_holds_the_shipped_schedules(run: Run, database: str) -> None:
    code, out, _ = run("db", "init", "--database", database, "--json")
    names = {(one["game"], one["name"]) for one in json.loads(out)["schedules"]}
    assert (code, {("craps", "strip-345x"), ("hooligan", "scarne-quarter")} <= names) == (0, True)
    code, out, _ = run("db", "check", "--database", database, "--json")
    assert (code, json.loads(out)["discrepancies"]) == (0, [])


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_an_empty_log_is_exported_in_every_format(run: Run, database: str, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"throws.{suffix}"
    code, out, _ = run("export", str(file), "--database", database, "--json")
    assert (code, json.loads(out)["rows"], file.exists()) == (0, 0, True)


def test_a_format_that_is_not_known_is_refused(run: Run, database: str, tmp_path: Path) -> None:
    code, _, err = run("export", str(tmp_path / "throws.xml"), "--database", database)
    assert (code, ".parquet" in err) == (2, True)
