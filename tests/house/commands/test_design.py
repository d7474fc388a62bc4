"""`floorman design`: the grid that is asked for, in the units of the schedule it starts from."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
HEAD = 'game = "hooligan"\nname = "yen"\nversion = 1\ncurrency = "JPY"\nstake = "100"\ntrade_cost = "0.5"\n'
YEN = f'{HEAD}[rules]\nthrows_per_frame = 1\n[[pays]]\nscore = [60, 125]\npays = "300"\n'


@pytest.fixture
def yen(tmp_path: Path) -> str:
    """A schedule of frames of one throw in a currency without decimals, paid in trade."""
    file = tmp_path / "yen.toml"
    file.write_text(YEN)
    return str(file)


def found(run: Run, *arguments: str) -> Any:
    code, out, err = run("design", "hooligan", *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_currency_trade_cost_and_reading_are_those_of_the_schedule(run: Run, yen: str, tmp_path: Path) -> None:
    out = tmp_path / "New one.toml"
    search = ("--schedule", yen, "--thresholds", "44,52", "--greatest", "1000", "--unit", "50")
    design = found(run, "--target", "20%", *search, "--out", str(out))
    assert (design["stake_minor"], design["trade_cost"], design["rules"]["throws_per_frame"]) == (100, 0.5, 1)
    assert design["points"] == 20 * 19 // 2
    assert design["file"] == out.read_text()
    code, said, _ = run("edge", "hooligan", "--schedule", str(out), "--player", "optimal", "--json")
    edge = json.loads(said)
    assert (code, edge["schedule"], edge["currency"]) == (0, "new-one", "JPY")
    assert abs(edge["players"]["optimal"]["house_edge"] - design["best"]["house_edge"]) < 1e-12


def test_bands_are_at_least_the_step_apart(run: Run, yen: str) -> None:
    search = ("--schedule", yen, "--thresholds", "44,52", "--greatest", "500", "--unit", "100")
    assert [found(run, "--target", "20%", *search, "--step", step)["points"] for step in ("0", "100", "250")] == [
        15,
        10,
        3,
    ]


def test_no_schedule_with_the_wanted_chance_is_code_1(run: Run, yen: str) -> None:
    search = ("--schedule", yen, "--thresholds", "44,52", "--greatest", "500", "--unit", "100", "--hit", "99%,100%")
    code, out, _ = run("design", "hooligan", "--target", "20%", *search, "--json")
    assert (code, json.loads(out)["best"], json.loads(out)["file"]) == (1, None, None)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--target", "fifteen"), "--target must be a share"),
        (("--target", "200%"), "--target must be a share"),
        (("--target", "100%"), "target must be a share below 1"),
        (("--target", "15%", "--thresholds", "90,84"), "thresholds must be rising"),
        (("--target", "15%", "--thresholds", "90,336"), "--thresholds must be integers from 0 to 335"),
        (("--target", "15%", "--unit", "0.001"), "--unit must be money"),
        (("--target", "15%", "--greatest", "99999999"), "--greatest must be from one --unit to 10,000"),
        (("--target", "15%", "--greatest", "0.50"), "prices_minor must be enough for 4 bands"),
        (("--target", "15%", "--hit", "5%"), "--hit must be two chances"),
        (("--target", "15%", "--hit", "5%,120%"), "--hit must be a share"),
        (("--target", "15%", "--trade-cost", "0"), "trade_cost must be above 0"),
        (("--target", "15%", "--unit", "0.01", "--greatest", "50.00"), "at most 1000000 schedules"),
    ],
    ids=" ".join,
)
def test_impossible_designs_name_the_option(run: Run, arguments: tuple[str, ...], names: str) -> None:
    code, out, err = run("design", "hooligan", *arguments)
    assert (code, out) == (2, "")
    assert names in err
    assert "Traceback" not in err
