"""Settings are read once, and every fault of file, environment and command line is reported at once."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from house.app import sealing
from house.domain.inspections import TOLERANCES, Rules
from house.domain.lives import Kind
from house.settings import CONFIG, KEYS, load_equipment, load_monitors, load_settings
from payouts.errors import ScheduleError

SHIPPED = (CONFIG / "house.toml").read_text()


def test_the_shipped_settings_serve_on_this_machine_alone() -> None:
    settings = load_settings(environment={})
    assert (settings.host, settings.database) == ("127.0.0.1", "sqlite:///build/house/house.db")


def test_the_environment_goes_before_the_file_and_the_command_line_before_both() -> None:
    environment = {"FLOORMAN_PORT": "9001", "FLOORMAN_HOST": "localhost"}
    settings = load_settings(environment=environment, options={"--port": 9002, "--host": None})
    assert (settings.port, settings.host) == (9002, "localhost")


def test_every_key_has_a_variable_of_its_type() -> None:
    sections = tomllib.loads(SHIPPED)
    assert {section: set(keys) for section, keys in sections.items()} == {
        section: set(keys) for section, keys in KEYS.items()
    }
    settings = load_settings(
        environment={
            "FLOORMAN_SERVER_BEHIND_PROXY": "true",
            "FLOORMAN_SERVER_GRACE_S": "3",
            "FLOORMAN_HISTORY_NAME": "our.house/log",
            "FLOORMAN_LOG_LEVEL": "warning",
        }
    )
    assert (settings.behind_proxy, settings.grace_s, settings.history_name) == (True, 3, "our.house/log")
    assert settings.log_level == "warning"


@pytest.mark.parametrize(
    "url", ["postgres://ann:hunter2@db/house", "postgres:///house?user=ann&password=hunter2", "ann:hunter2@db/house"]
)
def test_what_is_said_of_a_database_that_cannot_be_holds_no_password(url: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        load_settings(environment={"FLOORMAN_DATABASE": url})
    assert "FLOORMAN_DATABASE" in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_an_unknown_key_is_named_without_its_value(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(SHIPPED.replace("[server]", '[server]\nsecret = "hunter2"') + '[keys]\ntoken = "hunter2"\n')
    with pytest.raises(ScheduleError) as refused:
        load_settings(other, environment={})
    assert sorted(fault.key for fault in refused.value.faults) == ["keys", "server.secret"]
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("FLOORMAN_SERVER_BEHIND_PROXY", "yes"),
        ("FLOORMAN_SERVER_GRACE_S", "0"),
        ("FLOORMAN_SERVER_GRACE_S", "٣"),
        ("FLOORMAN_LOG_LEVEL", "loud"),
        ("FLOORMAN_STORE_QUEUE_LIMIT", "1e3"),
        ("FLOORMAN_DATABASE", "oracle://x"),
    ],
)
def test_a_variable_that_cannot_be_is_named_itself(variable: str, value: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        load_settings(environment={variable: value})
    assert [(fault.file, fault.key) for fault in refused.value.faults] == [("environment", variable)]


def test_another_file_is_named_by_a_variable(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(SHIPPED.replace("cut_over_hour = 6", "cut_over_hour = 4"))
    assert load_settings(environment={"FLOORMAN_CONFIG": str(other)}).cut_over_hour == 4


def test_all_faults_come_at_once_each_with_its_place_and_bound(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    text = SHIPPED.replace("8000", '"x"').replace("America/New_York", "Atlantis/Deep") + 'colour = "red"\n'
    wrong.write_text(text.replace("records = 1000", "records = 0").replace("floorman.example", "my house"))
    with pytest.raises(ScheduleError) as refused:
        load_settings(
            wrong,
            environment={"FLOORMAN_HOST": "a b", "FLOORMAN_PROT": "1"},
            options={"--database": "mysql://x"},
        )
    faults = {(Path(fault.file).name, fault.key) for fault in refused.value.faults}
    assert faults == {
        ("environment", "FLOORMAN_PROT"),
        ("environment", "FLOORMAN_HOST"),
        ("command line", "--database"),
        ("wrong.toml", "house.zone"),
        ("wrong.toml", "history.name"),
        ("wrong.toml", "history.records"),
        ("wrong.toml", "server.port"),
        ("wrong.toml", "log.colour"),
    }
    assert all(fault.bound for fault in refused.value.faults)


@pytest.mark.parametrize(
    ("database", "folder", "place"),
    [
        ("sqlite:////srv/house.db", "", "/srv/house.db"),
        ("sqlite:////srv/house.db", "/mnt/other", "/mnt/other/house.db"),
        ("postgresql://ann@host/pit", "", "build/history/pit"),
        ("postgresql://ann@host/pit?sslmode=require", "/mnt/other", "/mnt/other/pit"),
    ],
)
def test_checkpoints_lie_beside_the_database_unless_a_folder_is_named(database: str, folder: str, place: str) -> None:
    settings = replace(load_settings(environment={}), database=database, history_folder=folder)
    assert sealing(settings).place == Path(place)


@pytest.mark.parametrize("text", ["", "[house", "house = 3"])
def test_a_file_that_is_no_settings_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text)
    with pytest.raises(ScheduleError, match=r"house\.toml"):
        load_settings(file, environment={})


def test_the_shipped_budget_of_false_alarms_is_one_in_a_hundred() -> None:
    assert load_monitors().alpha == Fraction(1, 100)


def test_a_budget_outside_its_bound_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "monitors.toml"
    file.write_text('alpha = "0.5"\n')
    with pytest.raises(ScheduleError, match="alpha"):
        load_monitors(file)


def test_the_rules_for_dice_are_shipped_and_those_beside_the_named_settings_go_before(tmp_path: Path) -> None:
    shipped = load_equipment(environment={})
    assert shipped == Rules(two_receive=True, inspection_required=False, tolerances=TOLERANCES)
    (tmp_path / "equipment.toml").write_text(
        'reception = "one"\ninspection = "required"\n[die]\nheight_spread_um = [0, 3]\n[box]\n'
    )
    (tmp_path / "monitors.toml").write_text('alpha = "0.001"\nsets = 4\n')
    here = {"FLOORMAN_CONFIG": str(tmp_path / "house.toml")}
    rules, watching = load_equipment(environment=here), load_monitors(environment=here)
    assert (rules.two_receive, rules.inspection_required) == (False, True)
    assert rules.tolerances[Kind.DIE]["height_spread_um"] == (0, 3)
    assert rules.tolerances[Kind.DIE]["swings"] == (0, 0)
    assert (watching.alpha, watching.sets) == (Fraction(1, 1000), 4)


def test_every_fault_of_the_rules_for_dice_is_named(tmp_path: Path) -> None:
    file = tmp_path / "equipment.toml"
    head = 'reception = 2\ninspection = "maybe"\n'
    file.write_text(head + "[die]\nswings = [1, 0]\nmagnetic = 0\nhue = [0, 1]\n[box]\nrim_rough = [0, 0]\n")
    with pytest.raises(ScheduleError) as refused:
        load_equipment(file)
    assert {fault.key for fault in refused.value.faults} == {
        "reception",
        "inspection",
        "die.swings",
        "die.magnetic",
        "die.hue",
    }
