"""The pit in a browser: a floorman's evening, and what others see of it while they look."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import PASSWORD, SCRIPT, Console
from tests.browser.test_cage import open_details


def test_the_pit_shows_at_once_what_happens_elsewhere(console: Console) -> None:
    table = console.table("craps")
    watching = console.page("sven")
    watching.goto("/")
    expect(watching.get_by_role("row", name=table)).to_contain_text("Come-out, no shooter")
    watching.evaluate("window.stayed = true")
    other = console.page("fred")
    other.goto(f"/tables/{table}")
    other.locator("#buy-in").get_by_label("Player").fill("ann")
    other.locator("#buy-in").get_by_label("Amount").fill("300")
    other.get_by_role("button", name="Buy in").click()
    expect(other.get_by_text(f"ann bought in for $300.00 at {table}.")).to_be_visible()
    expect(watching.get_by_role("row", name=table)).to_contain_text("300.00")
    expect(watching.get_by_role("row", name=table)).to_contain_text("99,700.00")
    assert watching.evaluate("window.stayed"), "the page was not loaded again"


@pytest.mark.parametrize("javascript", SCRIPT)
def test_a_floorman_opens_a_table_fills_it_and_closes_it(console: Console, javascript: bool) -> None:
    table = f"late-{'js' if javascript else 'plain'}"
    console.ask("olga", "/equipment", dice=[f"{table}-1", f"{table}-2"])
    page = console.page("fred", javascript=javascript)
    page.goto("/")
    page.get_by_role("link", name="Open a table").click()
    page.get_by_label("Table").fill(table)
    page.get_by_label("Schedule").select_option("craps strip-345x")
    page.get_by_label("Opener").fill("20,000")
    page.get_by_label("Dice", exact=True).fill(f"C-1 {table}-2")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_label("Opener")).to_have_value("20,000")
    expect(page.locator("#opening").get_by_role("alert")).to_be_visible()
    page.get_by_label("Dice", exact=True).fill(f"{table}-1 {table}-2")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text("The table is open.")).to_be_visible()
    page.goto(f"/tables/{table}")
    expect(page.get_by_text(f"{table}-1 {table}-2")).to_be_visible()

    open_details(page, "Fill or credit")
    slip = page.locator("#slip")
    slip.get_by_label("Amount").fill("5,000")
    slip.get_by_label("Id").fill("paula")
    slip.get_by_label("Password").fill(PASSWORD)
    slip.get_by_role("button", name="Fill from the vault").click()
    expect(page.get_by_text(f"Fill of $5,000.00 to {table}.")).to_be_visible()
    expect(page.locator(".tiles")).to_contain_text("$25,000.00")
    row = page.get_by_role("row", name=re.compile("^fill"))
    expect(row).to_contain_text("paula")

    open_details(page, "Close the table")
    page.get_by_role("button", name=f"Close {table}").click()
    expect(page.get_by_text(f"{table} is closed.")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("closed")


def test_history_names_who_did_what_and_proves_a_record(console: Console) -> None:
    page = console.page("audrey")
    page.goto("/history")
    expect(page.get_by_role("heading", name="Signed")).to_be_visible()
    page.goto("/history?before=5")  # other tests share the house: its newest records are theirs
    page.get_by_role("link", name="3", exact=True).click()
    expect(page.get_by_text("It is leaf 3 of the signed tree")).to_be_visible()


def test_the_house_says_no_on_a_page_of_its_own(console: Console, look: Callable[..., None]) -> None:
    page = console.page("sven")
    answer = page.goto("/tables/no-such-table")
    assert answer is not None
    assert answer.status == 404
    look(page, "not-found")


def test_the_first_page_is_light_and_its_policy_is_strict(console: Console) -> None:
    page = console.page("fred")
    answers: list[Response] = []
    page.on("response", lambda one: answers.append(one))  # noqa: PLW0108 -- playwright marks the listener
    answer = page.goto("/", wait_until="load")
    assert answer is not None
    assert 20_000 < sum(len(one.body()) for one in answers if "/live" not in one.url) < 150_000
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    expect(page.locator("[style], [onclick], script:not([src])")).to_have_count(0)


@pytest.mark.soak
def test_pages_of_the_pit_are_accessible_and_fit(console: Console, look: Callable[..., None]) -> None:
    page = console.page("olga")
    for address, name in (
        ("/", "pit"),
        ("/tables/craps-1", "table"),
        ("/tables/open", "opening"),
        ("/history", "history"),
        ("/history/records/3", "record"),
        ("/people", "people"),
        ("/people/fred", "person"),
        ("/me", "me"),
    ):
        page.goto(address)
        look(page, name)
