"""The shift in a browser: what a floorman counts, prints and signs, and what an auditor takes home."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Console


def test_a_shift_ends_with_racks_that_two_people_counted(console: Console) -> None:
    table = console.table("craps")
    page = console.page("fred", javascript=False)
    page.goto(f"/tables/{table}")
    page.locator("#buy-in").get_by_label("Player").fill("ann")
    page.locator("#buy-in").get_by_label("Amount").fill("400")
    page.get_by_role("button", name="Buy in").click()
    page.get_by_role("link", name="Shift").click()
    row = page.get_by_role("row", name=table)
    expect(row).to_contain_text("99,600.00")
    form = page.locator("#end")
    form.get_by_label("Name of the shift").fill("swing")
    form.get_by_label(table).fill("99,595")
    form.get_by_role("button", name="End the shift").click()
    expect(form.get_by_role("alert")).to_contain_text("must be filled in")
    expect(form.get_by_label(table)).to_have_value("99,595")
    form.get_by_label("Id").fill("paula")
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button", name="End the shift").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile(r"Shift \d+ \(swing\)"))
    expect(page.get_by_role("row", name=table)).to_contain_text("99,595.00")


def test_papers_are_printed_and_taken_home_with_the_signed_root(console: Console, look: Callable[..., None]) -> None:
    page = console.page("audrey")
    page.goto("/shift")
    page.get_by_role("link", name="Print of Stiff sheet").click()
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    look(page, "stiff-sheet")
    page.emulate_media(media="print")
    expect(page.locator("header.top")).to_be_hidden()
    expect(page.get_by_text("Floorman", exact=True).last).to_be_visible()
    for paper in ("sheet", "book"):
        page.goto(f"/shift/papers/{paper}?form=html")
        expect_on_paper(page)
    lines = page.request.get("/shift/papers/book?form=jsonl").text().splitlines()
    head, *rows = (json.loads(line) for line in lines)
    assert sum(row["amount_minor"] for row in rows) == 0, "a book of whole entries sums to 0"
    assert len(head["made"]["signed_root"]) == 64
    answer = page.request.get("/shift/papers/book?form=csv")
    assert answer.headers["content-disposition"].endswith('.csv"')
    assert answer.text().splitlines()[0].startswith("Entry,Kind,")


def expect_on_paper(page: Page) -> None:
    """Print a page that is shown as in print: broadside, with no column beyond the edge of an A4 sheet."""
    across = re.findall(rb"/MediaBox \[0 0 (\d+) (\d+)\]", page.pdf(prefer_css_page_size=True))
    assert across
    assert all(int(width) > int(height) for width, height in across)
    page.set_viewport_size({"width": 1030, "height": 720})  # 297 mm less two margins of 12 mm
    cut = page.locator(".scroll").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().left + one.scrollWidth - innerWidth)"
    )
    assert max(cut) <= 0, cut


@pytest.mark.soak
def test_the_page_of_the_shift_is_accessible_and_fits(console: Console, look: Callable[..., None]) -> None:
    page = console.page("olga")
    page.goto("/shift")
    look(page, "shift")
