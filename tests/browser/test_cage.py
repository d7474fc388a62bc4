"""The cage in a browser: a clerk's evening, without any script and by keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, SCRIPT, Console


@pytest.mark.parametrize("javascript", SCRIPT)
def test_a_clerk_registers_a_player_takes_his_money_and_pays_him_out(console: Console, javascript: bool) -> None:
    player = f"zoe-{'js' if javascript else 'plain'}"
    page = console.page("carl", javascript=javascript)
    page.goto("/")
    page.get_by_role("link", name="Cage").click()
    page.locator("#register").get_by_label("Id").fill(player)
    page.locator("#register").get_by_label("Name").fill("Zoë Zander")
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="Zoë Zander")).to_be_visible()
    expect(page.get_by_role("status").first).to_contain_text(f"{player} is registered.")

    page.locator("#own-window").get_by_label("Amount").fill("1,250.50")
    page.get_by_role("button", name="Buy in").click()
    expect(page.get_by_text(f"{player} bought in for $1,250.50.")).to_be_visible()
    expect(page.locator(".tiles").get_by_text("$1,250.50")).to_be_visible()

    page.locator("#own-window").get_by_label("Amount").fill("2,000")
    page.get_by_role("button", name="Cash out").click()
    fault = page.locator("#own-window").get_by_role("alert")
    expect(fault).to_be_visible()
    expect(page.locator("#own-window").get_by_label("Amount")).to_have_value("2,000")
    page.locator("#own-window").get_by_label("Amount").fill("250.50")
    page.get_by_role("button", name="Cash out").click()
    expect(page.get_by_text(f"{player} is paid $250.50.")).to_be_visible()
    expect(page.locator(".tiles").get_by_text("$1,000.00")).to_be_visible()


def test_an_amount_that_is_none_is_refused_beside_its_field_and_nothing_typed_is_lost(console: Console) -> None:
    page = console.page("carl")
    page.goto("/cage")
    page.locator("#window").get_by_label("Player", exact=True).fill("ann")
    page.locator("#window").get_by_label("Amount").fill("twelve")
    page.get_by_role("button", name="Buy in").click()
    amount = page.locator("#window").get_by_label("Amount")
    expect(amount).to_have_value("twelve")
    expect(amount).to_have_attribute("aria-invalid", "true")
    expect(amount).to_be_focused()
    expect(page.locator("#window-amount_minor-note")).to_have_text("Amount (USD) must be an amount like 12.50")
    expect(page.locator("#window").get_by_label("Player", exact=True)).to_have_value("ann")


def test_a_limit_is_set_lowered_at_once_and_holds_at_the_window(console: Console) -> None:
    page = console.page("carl")
    page.goto("/cage/players/bob")
    page.get_by_label("Limit", exact=True).select_option("deposit day")
    page.get_by_label("At most (USD)").first.fill("2,600")
    page.get_by_role("button", name="Set the limit").click()
    expect(page.get_by_role("row", name="deposit a day")).to_contain_text("2,600.00")
    page.locator("#own-window").get_by_label("Amount").fill("500")
    page.get_by_role("button", name="Buy in").click()
    alert = page.locator("#own-window").get_by_role("alert")
    expect(alert).to_contain_text("limit of the day is $2,600")
    expect(alert).to_contain_text("$100")


@pytest.mark.soak
def test_two_people_agree_to_a_credit_line_and_one_cannot_be_both(console: Console) -> None:
    page = console.page("carl", javascript=False)
    page.goto("/cage/players/ann")
    open_details(page, "Credit line")
    form = page.locator("#own-line")
    form.get_by_label("At most").fill("1,000")
    form.get_by_label("Id").fill("carl")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Set the line").click()
    expect(form.get_by_role("alert")).to_contain_text("another person")
    expect(form.get_by_label("At most")).to_have_value("1,000")
    form.get_by_label("Id").fill("cora")
    form.get_by_label("Password").fill("wrong password here")
    form.get_by_role("button", name="Set the line").click()
    expect(form.get_by_role("alert")).to_contain_text("password is not right")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="Set the line").click()
    expect(page.get_by_text("The credit line of ann is set.")).to_be_visible()
    expect(page.locator(".tiles")).to_contain_text("line $1,000.00")


def open_details(page: Page, summary: str) -> None:
    """Open a disclosure, which needs no script."""
    page.locator("summary", has_text=re.compile(f"^{summary}$")).click()


@pytest.mark.soak
def test_the_window_works_by_keyboard_alone(console: Console) -> None:
    page = console.page("carl")
    page.goto("/cage")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#window").get_by_label("Player", exact=True)).to_be_focused()
    page.keyboard.type("ann")
    page.keyboard.press("Tab")
    page.keyboard.type("75")
    page.keyboard.press("Enter")
    expect(page.get_by_text("ann bought in for $75.00.")).to_be_visible()


def test_whoever_may_not_is_told_so_and_sees_no_form_for_it(console: Console) -> None:
    page = console.page("dora")
    answer = page.goto("/cage")
    assert answer is not None
    assert answer.status == 403
    expect(page.get_by_role("heading", name="You may not do this")).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("link", name="Cage")).to_have_count(0)
    expect(page.get_by_role("link", name="Open a table")).to_have_count(0)


def test_a_form_of_another_site_is_turned_away(console: Console) -> None:
    page = console.page("carl")
    page.goto("/cage")
    kept = page.request.post("/cage/buy-ins", form={"player": "ann", "amount_minor": "5", "csrf": "0" * 64})
    assert kept.status == 403
    token = page.locator("#window input[name=csrf]").get_attribute("value")
    assert token is not None
    body = {"player": "ann", "amount_minor": "5", "csrf": token, "form": "window", "key": "k"}
    foreign = page.request.post("/cage/buy-ins", form=body, headers={"Sec-Fetch-Site": "cross-site"})
    assert foreign.status == 403


def test_pages_of_the_cage_are_accessible_and_fit(console: Console, look: Callable[..., None]) -> None:
    page = console.page("olga")
    for address, name in (("/cage", "cage"), ("/cage/players/ann", "player")):
        page.goto(address)
        look(page, name)
