"""The first run in a browser: the code of the house makes its owner, who adds people; the door keeps others out."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PASSWORD, Console, serving, stop
from tests.opened import Opened


@pytest.fixture(scope="module")
def new_house(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, opened: Opened
) -> Iterator[tuple[Console, str]]:
    """A house that nobody owns, and the code that it printed."""
    process, said = serving(opened(tmp_path_factory.mktemp("new")))
    console = Console(said["address"], chromium)
    try:
        yield console, said["first_run_code"]
        console.close()
    finally:
        stop(process)


@pytest.mark.soak
def test_an_evening_of_sample_play_runs_in_a_house_of_its_own(
    new_house: tuple[Console, str], look: Callable[..., None]
) -> None:
    console, code = new_house
    page = console.page()
    page.goto("/first-run")
    page.locator("#sample").get_by_label("One-time code").fill(code)
    page.get_by_role("button", name="Play an evening").click()
    for _ in range(60):
        if page.get_by_role("link", name="Go to the sample house").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    row = page.get_by_role("row", name="floor-1")
    password = row.locator("code").nth(1).inner_text()
    page.get_by_role("link", name="Go to the sample house").click()
    page.get_by_label("Id").fill("floor-1")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Pit")).to_be_visible()
    for _ in range(60):
        if page.get_by_text("shoots").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    expect(page.get_by_role("row", name="craps-1")).to_contain_text("shoots")
    look(page, "sample-pit")
    page.goto(console.address + "/sign-in")
    expect(page.get_by_role("heading", name="A new house")).to_be_visible()


def test_the_printed_code_makes_the_first_owner_who_adds_people(
    new_house: tuple[Console, str], look: Callable[..., None]
) -> None:
    console, code = new_house
    page = console.page(javascript=False)
    page.goto("/")
    expect(page).to_have_url(re.compile("/first-run$"))
    page.get_by_label("Your id").fill("olga")
    page.get_by_label("Your name").fill("Olga Owner")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.locator("#claim").get_by_label("One-time code").fill("AAAAAA-BBBBBB-CCCCCC-DDDDDD")
    page.get_by_role("button", name="Own the house").click()
    expect(page.get_by_text("The code is not the one that the house printed")).to_be_visible()
    expect(page.get_by_label("Your id")).to_have_value("olga")
    look_page = console.page()
    look_page.goto("/first-run")
    look(look_page, "first-run")
    page.locator("#claim").get_by_label("One-time code").fill(code.lower())
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password again").fill(PASSWORD)
    page.get_by_role("button", name="Own the house").click()
    expect(page.get_by_role("status")).to_contain_text("The house is yours, olga.")
    expect(page.get_by_text("No table is open.")).to_be_visible()
    add_a_floorman(page)


def add_a_floorman(page: Page) -> None:
    page.get_by_role("link", name="People").click()
    page.get_by_label("Id", exact=True).fill("fred")
    page.get_by_label("Name").fill("Fred Floor")
    page.get_by_label("First password").fill(PASSWORD)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text("Roles must be one or more")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Fred Floor")
    page.get_by_label("floorman").check()
    page.get_by_label("First password").fill(PASSWORD)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("row", name="fred")).to_contain_text("floorman")


def test_a_stranger_is_sent_to_the_door_and_from_there_to_where_he_was_going(
    console: Console, look: Callable[..., None]
) -> None:
    page = console.page()
    page.goto("/cage?player=ann")
    expect(page).to_have_url(re.compile("/sign-in"))
    page.get_by_label("Id").fill("carl")
    page.get_by_label("Password").fill("not his password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not right")
    expect(page.get_by_label("Id")).to_have_value("carl")
    look(page, "sign-in")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/cage\?player=ann$"))
    expect(page.get_by_label("Player", exact=True)).to_have_value("ann")
    page.get_by_role("link", name="carl").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.goto("/cage")
    expect(page).to_have_url(re.compile("/sign-in"))
