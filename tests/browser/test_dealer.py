"""A dealer's evening at a craps table, from the opening bets to what was paid, and a correction."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser.conftest import PASSWORD, Console

Look = Callable[[Page, str], None]
TABLE = "/craps/craps-1"


def spot(page: Page, name: str) -> Locator:
    """The button of a spot: its name begins so."""
    return page.locator(".felt button:visible").and_(page.get_by_role("button", name=re.compile(f"^{re.escape(name)}")))


def arrive(page: Page, *players: str) -> None:
    for player in players:
        page.get_by_role("textbox", name="Player").fill(player)
        with page.expect_navigation():
            page.get_by_role("button", name="Comes to the rail").click()
        expect(page.get_by_role("button", name=f"{player} leaves the rail")).to_be_visible()


def bet(page: Page, name: str, player: str = "ann", chip: str = "$25") -> None:
    """Choose the player and the chip, and tap the spot; the page comes back with the bet among what rides."""
    page.get_by_role("radio", name=re.compile(f"^{player}")).check(force=True)
    page.get_by_role("radio", name=chip, exact=True).check(force=True)
    before = riding(page)
    with page.expect_navigation():
        spot(page, name).click()
    expect(page.locator("#riding tbody tr")).to_have_count(before + 1)


def beside(console: Console, table: str, *bets: dict[str, object]) -> None:
    """Place bets as another dealer of the table does at the same time."""
    console.ask("boris", f"/tables/{table}/bets", bets=list(bets))


def riding(page: Page) -> int:
    return page.locator("#riding tbody tr").count()


def throw(page: Page, first: str, second: str) -> None:
    """Enter a throw with two taps."""
    page.get_by_role("radio", name=first, exact=True).check(force=True)
    with page.expect_navigation():
        page.get_by_role("button", name=f"Die 2 shows {second}: throw").click()


def results(page: Page) -> list[list[str]]:
    """What was paid and taken: player, bet, result, odds, winnings, commission, taken, given back."""
    lines = page.locator("#results tbody tr").all()
    return [[cell.inner_text().strip() for cell in line.locator("th, td").all()] for line in lines]


@pytest.fixture
def dora(console: Console) -> Page:
    """The dealer at the table."""
    page = console.page("dora", width=1600)
    page.goto(TABLE)
    return page


def test_an_evening_at_the_felt_from_opening_bets_to_paid_results_and_a_correction(
    console: Console, dora: Page, look: Look
) -> None:
    watcher = console.page("sven", width=1024)
    name = console.table("craps")
    table = f"/craps/{name}"
    dora.goto(table)
    watcher.goto(table)
    expect(watcher.get_by_text("Nothing was thrown here yet.")).to_be_visible()
    arrive(dora, "ann")
    console.ask("dora", f"/tables/{name}/rail", player="bob")
    beside(console, name, {"player": "bob", "bet": "dont_pass", "stake_minor": 25_00})
    expect(dora.locator("#riding tbody tr")).to_have_count(1)
    bet(dora, "Pass line")
    bet(dora, "Field", "bob")
    expect(watcher.locator("#riding tbody tr")).to_have_count(3)  # by itself

    throw(dora, "four", "two")
    expect(dora.locator(".call")).to_have_text("Six, the easy wayPoint is six")
    assert results(dora) == [["bob", "Field", "lost", "–", "–", "–", "25.00", "–"]]
    expect(watcher.locator(".call")).to_contain_text("Point is six")
    expect(watcher.locator(".felt-panel.wide .puck.on")).to_be_visible()
    expect(watcher.locator(".felt button")).to_have_count(0)  # who may not bet has no buttons

    beside(
        console,
        name,
        {"player": "bob", "bet": "place", "spot": "8", "stake_minor": 25_00},
        {"player": "ann", "bet": "hardway", "spot": "8", "stake_minor": 5_00},
    )
    expect(dora.locator("#riding tbody tr")).to_have_count(4)
    bet(dora, "Odds 6", chip="$100")
    bet(dora, "Come,", "bob")
    look(dora, "craps-point")

    dora.get_by_label("Place 8 of bob, $25").check()
    dora.locator("#change-stake_minor").fill("5")
    dora.get_by_role("button", name="Press").click()
    expect(dora.get_by_label("Place 8 of bob, $30")).to_be_visible()
    dora.get_by_label("Hard 8 of ann, $5").check()
    dora.get_by_role("button", name="Off", exact=True).click()
    expect(dora.locator("#riding tr", has_text="Hard 8")).to_contain_text("off called")

    throw(dora, "five", "three")
    assert results(dora) == [
        ["bob", "Place 8", "won stays up", "7 to 6", "35.00", "–", "–", "–"],
    ]
    expect(dora.locator("#riding tr", has_text="Come on 8")).to_be_visible()
    dora.get_by_label("Place 8 of bob, $30").check()
    dora.get_by_role("button", name="Take down", exact=True).click()
    expect(dora.get_by_label("Place 8 of bob, $30")).to_have_count(0)

    throw(dora, "three", "three")
    assert results(dora) == [
        ["bob", "Don't pass", "lost", "–", "–", "–", "25.00", "–"],
        ["ann", "Pass line", "won", "1 to 1", "25.00", "–", "–", "25.00"],
        ["ann", "Odds 6", "won", "6 to 5", "120.00", "–", "–", "100.00"],
    ]
    correct(console, table)


def correct(console: Console, table: str) -> None:
    """The last throw was 4 and 3: the boxman corrects it, and the pit boss approves with his own password."""
    boxman = console.page("boris", width=1024)
    boxman.goto(table)
    boxman.get_by_text("Correct throw 2").click()
    boxman.get_by_label("Die 1 shows").select_option("4")
    boxman.get_by_label("It was").select_option("misread")
    boxman.get_by_label("Id", exact=True).fill("paula")
    boxman.get_by_label("Password").fill("not hers")
    boxman.get_by_role("button", name="Correct the throw").click()
    expect(boxman.get_by_role("alert")).to_be_visible()
    expect(boxman.get_by_label("Die 1 shows")).to_have_value("4")  # nothing typed is lost
    boxman.get_by_label("Password").fill(PASSWORD)
    with boxman.expect_navigation():
        boxman.get_by_role("button", name="Correct the throw").click()
    expect(boxman.locator(".call")).to_contain_text("Seven-out")
    expect(boxman.get_by_text("corrected")).to_be_visible()
    lost = {(line[0], line[1]): (line[2], line[6]) for line in results(boxman)}
    assert lost["ann", "Pass line"] == ("lost", "25.00")
    assert lost["ann", "Odds 6"] == ("lost", "100.00")
    expect(boxman.locator(".rail li").first).to_contain_text("bob")  # the dice pass


def test_the_whole_work_can_be_done_without_javascript(console: Console) -> None:
    page = console.page("dora", javascript=False, width=1024)
    page.goto(TABLE)
    if not page.get_by_role("button", name="ann leaves the rail").count():
        arrive(page, "ann")
    bet(page, "Any craps", chip="$1")
    page.get_by_text("Tap a spot on the felt, or choose it from a list").click()
    page.get_by_label("Bet and spot").select_option("yo:")
    page.get_by_role("textbox", name="Other amount").fill("7.50")
    page.get_by_role("button", name="Place it").click()
    expect(page.get_by_role("alert")).to_have_text("The stake must be a multiple of the increment: a multiple of $1")
    expect(page.get_by_role("textbox", name="Other amount")).to_have_value("7.50")
    expect(page.get_by_label("Bet and spot")).to_have_value("yo:")
    page.get_by_role("textbox", name="Other amount").fill("7")
    page.get_by_role("button", name="Place it").click()
    expect(page.locator("#riding")).to_contain_text("Yo")
    page.get_by_text("A die is cocked, off or foul").click()
    page.locator("#throw-state-1").select_option("cocked")
    page.get_by_role("button", name="No throw").click()
    expect(page.locator(".call")).to_have_text("No throw")
    throw(page, "six", "five")
    assert ["ann", "Yo", "won", "15 to 1", "105.00", "–", "–", "7.00"] in results(page)
    assert ["ann", "Any craps", "lost", "–", "–", "–", "1.00", "–"] in results(page)


@pytest.mark.soak
def test_odds_behind_two_flat_bets_on_a_number_are_asked_for_by_name(dora: Page) -> None:
    """A tap cannot say behind which of them: the dealer is told where he can."""
    if not dora.get_by_role("button", name="ann leaves the rail").count():
        arrive(dora, "ann")
    while dora.locator(".puck.on").count():  # to a come-out
        throw(dora, "four", "three")
    bet(dora, "Pass line")
    throw(dora, "five", "four")
    bet(dora, "Put 9")
    spot(dora, "Odds 9").click()
    expect(dora.get_by_role("alert")).to_contain_text("ann has 2 flat bets on 9")


def test_a_felt_is_light_enough_for_the_floor(console: Console) -> None:
    """Everything that a first visit to a table sends, as it goes over the wire."""
    page = console.page("dora", width=360)
    asked: list[Request] = []
    page.on("request", lambda one: asked.append(one))  # noqa: PLW0108 -- playwright marks the listener
    page.goto(TABLE, wait_until="load")
    sizes = [one.sizes()["responseBodySize"] for one in asked if "/live" not in one.url]
    assert 20_000 < sum(sizes) < 150_000
    expect(page.locator("[style], [onclick], script:not([src])")).to_have_count(0)
    page.emulate_media(media="print")
    expect(page.locator(".betting")).to_be_hidden()
