"""Surveillance in a browser: an alarm of the night looked into, a die sealed, a log from elsewhere audited."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from house.app import open_settings
from house.service.desk import perform
from house.service.throws import Throw, Thrown
from house.service.wagers import JoinRail
from house.settings import load_settings
from tests.browser.conftest import PASSWORD, SCRIPT, Console, database, serving, stop

THROWS = 240


def night() -> list[tuple[int, int]]:
    """Faces of the two dice, throw by throw."""
    rng = np.random.default_rng(6)
    return [(6 if rng.random() < 0.4 else int(rng.integers(1, 6)), int(rng.integers(1, 7))) for _ in range(THROWS)]


@pytest.fixture(scope="module")
def served(furnished: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A house on which 240 throws were made with a die, C-1, that shows a six four times in ten."""
    folder = tmp_path_factory.mktemp("watched") / "house"
    shutil.copytree(furnished, folder)
    with open_settings(load_settings(environment={}, options={"--database": f"sqlite:///{database(folder)}"})) as house:
        perform(house, JoinRail(table="craps-1", player="ann"), "watched")
        for number, (loaded, fair) in enumerate(night()):
            dice = (Thrown(die="C-1", face=loaded), Thrown(die="C-2", face=fair))
            perform(house, Throw(table="craps-1", dice=dice), f"watched-{number}")
    process, said = serving(database(folder))
    try:
        yield Console(said["address"], chromium)
    finally:
        stop(process)


@pytest.mark.parametrize("javascript", SCRIPT)
def test_an_alarm_is_taken_on_looked_into_and_noted(console: Console, javascript: bool) -> None:
    page = console.page("sven", javascript=javascript)
    page.goto("/")
    page.get_by_role("link", name="Laboratory").click()
    page.get_by_role("region", name="Monitors, the most evidence first").get_by_text("accused").first.wait_for()
    page.locator("section", has=page.get_by_role("heading", name="Open incidents")).get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="die C-1")).to_be_visible()
    expect(page.locator("section", has_text="Check by hand").first).to_contain_text("balancing caliper")
    page.get_by_role("button", name="Give it").click()
    expect(page.get_by_text("It is given on.")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("sven")
    page.get_by_label("Note", exact=True).fill("Seen on camera two: set by hand, not shaken.")
    page.get_by_role("button", name="Note it").click()
    expect(page.get_by_role("region", name="Steps")).to_contain_text("camera two")


def test_a_die_shows_its_faces_its_evidence_and_what_follows_what(console: Console) -> None:
    page = console.page("sven")
    page.goto("/laboratory/dice/C-1")
    faces = page.get_by_role("img", name=re.compile("^Faces"))
    expect(faces).to_be_visible()
    expect(page.get_by_text("Face 6 cannot be one in six.")).to_be_visible()
    sixes = page.get_by_role("region", name="Faces in numbers").get_by_role("row").last
    expect(sixes.get_by_role("cell").first).to_have_text(str(sum(loaded == 6 for loaded, _ in night())))
    expect(page.get_by_role("img", name="Evidence on its faces.")).to_be_visible()
    expect(page.get_by_role("img", name="Transitions.")).to_be_visible()
    expect(page.get_by_role("region", name="Tables where it was used")).to_contain_text("240")


def test_a_floorman_measures_a_die_and_seals_it_with_a_second_person(console: Console) -> None:
    page = console.page("fred", javascript=False)
    page.goto("/laboratory/dice/C-6")
    fill_inspection(page, "1 6 2 5 3 x")
    page.get_by_role("button", name="Judge it").click()
    expect(page.get_by_role("alert")).to_contain_text("6 whole numbers")
    expect(page.get_by_label("Faces")).to_have_value("1 6 2 5 3 x")
    fill_inspection(page, "1 6 2 5 3 3")
    page.get_by_role("button", name="Judge it").click()
    expect(page.get_by_text("C-6 is inspected.")).to_be_visible()
    expect(page.locator(".heading")).to_contain_text("failed")
    page.locator("summary", has_text="Seal it").click()
    page.locator("#seals").get_by_label("What was seen").fill("A three on both sides.")
    page.locator("#seals").get_by_label("Id", exact=True).fill("sven")
    page.locator("#seals").get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Seal it").click()
    expect(page.get_by_text("C-6 is sealed.")).to_be_visible()
    expect(page.get_by_role("region", name="Its life, the latest first")).to_contain_text("fred and sven")


def fill_inspection(page: Page, faces: str) -> None:
    """Measure a die that is right but for its faces."""
    for label, value in (
        ("Faces", faces),
        ("Heights", "19050 19051 19052"),
        ("Convexity", "0"),
        ("Swings", "0"),
        ("Dark corners", "0"),
        ("Magnetic", "0"),
    ):
        page.get_by_label(label).first.fill(value)


def log_of(path: Path, throws: int = 600) -> Path:
    """Write a log with one loaded die, and two rows that no log may have."""
    rng = np.random.default_rng(4)
    rows = [
        f"{throw},{die},{slot},{face}"
        for throw in range(throws)
        for slot, (die, face) in enumerate(
            (("A", 6 if rng.random() < 0.4 else int(rng.integers(1, 6))), ("B", int(rng.integers(1, 7))))
        )
    ]
    rows[40:40] = ["20,A,0,9", "20,B,1,seven"]
    path.write_text("throw,die,slot,face\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("javascript", SCRIPT)
def test_a_log_file_is_audited_with_every_refused_row_shown(console: Console, javascript: bool, tmp_path: Path) -> None:
    page = console.page("sven", javascript=javascript)
    page.goto("/laboratory/logs")
    page.get_by_role("button", name="Audit it").click()
    expect(page.get_by_role("alert")).to_contain_text("must be a file")
    page.get_by_label("Throw log").set_input_files(log_of(tmp_path / "night.csv"))
    page.get_by_role("button", name="Audit it").click()
    expect(page.get_by_role("heading", name="The log itself is suspect")).to_be_visible()
    expect(page.locator(".warning").first).to_contain_text("Die A: die loaded to a face.")
    expect(page.get_by_text("night.csv").first).to_be_visible()
    refused = page.get_by_role("region", name="Rows that were refused").get_by_role("listitem")
    expect(refused).to_have_count(2)
    expect(refused.first).to_contain_text("line 42")
    expect(page.get_by_role("img", name="Faces of die A.")).to_be_visible()


def test_what_cannot_be_read_as_a_log_is_refused_beside_its_field(console: Console, tmp_path: Path) -> None:
    page = console.page("sven")
    page.goto("/laboratory/logs")
    wrong = tmp_path / "night.exe"
    wrong.write_bytes(b"MZ")
    page.get_by_label("Throw log").set_input_files(wrong)
    page.get_by_role("button", name="Audit it").click()
    expect(page.locator("#log-log-note")).to_contain_text("must have a name that says its form")
    broken = tmp_path / "night.parquet"
    broken.write_bytes(b"PAR1 and nothing else")
    page.get_by_label("Throw log").set_input_files(broken)
    page.get_by_role("button", name="Audit it").click()
    expect(page.locator("#log-log-note")).to_contain_text("Parquet")


def test_a_file_that_is_too_large_is_named_beside_its_field_and_nothing_typed_is_lost(
    console: Console, tmp_path: Path
) -> None:
    """Without a script the browser sends all of it before it looks at an answer."""
    page = console.page("sven", javascript=False)
    page.goto("/laboratory/logs")
    large = tmp_path / "night.csv"
    with large.open("wb") as file:
        file.truncate(65 * 2**20)
    page.get_by_label("Columns").fill("die=serial, face=pips")
    page.get_by_label("Throw log").set_input_files(large)
    page.get_by_role("button", name="Audit it").click()
    expect(page.locator("#log-log-note")).to_contain_text("night.csv is larger than 64 MiB")
    expect(page.get_by_label("Throw log")).to_be_focused()
    expect(page.get_by_label("Columns")).to_have_value("die=serial, face=pips")


@pytest.mark.soak
def test_power_answers_both_ways(console: Console) -> None:
    page = console.page("sven", javascript=False)
    page.goto("/laboratory/power")
    page.get_by_label("Attack").select_option("repeats")
    page.get_by_label("Size", exact=True).fill("0.1")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator(".headline")).to_have_text("305 throws")  # column "targeted fixed" of the laboratory's notes
    page.get_by_label("Size", exact=True).fill("")
    page.get_by_label("or throws").fill("305")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator(".facts")).to_contain_text("0.09")
    page.get_by_label("Size", exact=True).fill("0.1")
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_role("alert")).to_contain_text("got both")


@pytest.mark.soak
def test_a_dealer_sees_dice_and_no_evidence(console: Console) -> None:
    page = console.page("dora")
    page.goto("/laboratory/dice/C-1")
    expect(page.get_by_role("heading", name="Chain of custody")).to_be_visible()
    expect(page.get_by_role("heading", name="Evidence over its life")).to_have_count(0)
    assert page.goto("/laboratory/audit").status == 403  # type: ignore[union-attr]


@pytest.mark.soak
def test_the_laboratory_looks_right_everywhere(console: Console, look: Callable[..., None], tmp_path: Path) -> None:
    page = console.page("olga")
    for address, name in (
        ("/laboratory", "laboratory"),
        ("/laboratory/dice/C-1", "die"),
        ("/laboratory/dice/H-1", "die-unthrown"),
        ("/laboratory/boxes/B-1", "box"),
        ("/incidents", "incidents"),
        ("/incidents/0", "incident"),
        ("/laboratory/audit", "audit"),
        ("/laboratory/power?attack=load&size=0.05", "power"),
    ):
        page.goto(address)
        look(page, name)
    page.goto("/laboratory/logs")
    page.get_by_label("Throw log").set_input_files(log_of(tmp_path / "night.csv"))
    page.get_by_role("button", name="Audit it").click()
    expect(page.get_by_role("heading", name="The log itself is suspect")).to_be_visible()
    look(page, "log")
