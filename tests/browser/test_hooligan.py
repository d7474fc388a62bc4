"""A Hooligan counter in the browser: a game against the house, advice, peers for drinks, throws of the generator."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Console

Look = Callable[[Page, str], None]


def throw(page: Page, *faces: int) -> None:
    """Enter a throw: a tap a die, the last of which throws."""
    for place, face in enumerate(faces[:-1], 1):
        page.locator(f"#throw-{place}-{face}").check(force=True)
    with page.expect_navigation():
        page.locator(f"#throw-{len(faces)}-{faces[-1]}").click()


def name(page: Page, number: int) -> None:
    page.get_by_role("link", name=f"Name {number}").click()
    expect(page.get_by_text(f"says name {number}")).to_be_visible()


def dice_to_throw(page: Page) -> int:
    return page.locator(".acting .faces").count()


def expect_sheet(page: Page, *, says: str) -> None:
    """Wait until the score sheet says something, as who cannot see it hears it."""
    expect(page.locator("svg.score-sheet")).to_have_attribute("aria-label", re.compile(re.escape(says)))


def begin(page: Page, player: str = "ann") -> None:
    page.get_by_role("textbox", name="Player", exact=True).fill(player)
    page.get_by_role("button", name="Take $0.25 and begin").click()
    expect(page.get_by_role("heading", name=f"{player} plays for $0.25")).to_be_visible()


def test_a_game_against_the_house_from_the_stake_to_the_payout(console: Console, look: Look) -> None:
    """Scores are worked out by hand: the point times the dice that showed it, 20 for the straight."""
    page = console.page("dora", width=1024)
    watcher = console.page("audrey", width=1024)
    table = console.table("hooligan")
    counter = f"/hooligan/{table}"
    page.goto(counter)
    watcher.goto(counter)
    begin(page)
    expect(watcher.get_by_role("heading", name="ann plays for $0.25")).to_be_visible()
    expect(watcher.locator(".acting")).to_have_count(0)  # an auditor throws no dice

    throw(page, 6, 6, 6, 2, 3)
    page.get_by_role("link", name="Advice for staff").click()
    expect(page.locator("#advice tbody tr").first).to_contain_text("Name 6 best")
    expect(page.locator("#advice tbody tr")).to_have_count(7)  # six numbers, and taking up
    name(page, 6)
    expect(page.locator(".acting .faces")).to_have_count(2)
    look(page, "hooligan-frame")
    throw(page, 6, 1)
    expect(page.get_by_text("Point 6, shown 4 times: 24 so far.")).to_be_visible()
    expect(page.get_by_role("img", name="thrown one; kept aside six, six, six, six")).to_be_visible()
    throw(page, 6)
    expect_sheet(page, says="6 scores 30, open are 1, 2, 3, 4, 5, H, score 30")
    expect(page.get_by_text("As it stands it pays $0.00; 54 more for $1.00.")).to_be_visible()

    for number, frames in ((5, ((5, 5, 5, 5, 1), (5,))), (4, ((4, 4, 4, 1, 1), (4, 1)))):
        throw(page, *frames[0])
        name(page, number)
        throw(page, *frames[1])
        throw(page, *([1] * dice_to_throw(page)))
    expect_sheet(page, says="4 scores 16, 5 scores 25, 6 scores 30")  # 71 so far
    throw(page, 1, 2, 3, 4, 5)
    expect_sheet(page, says="H scores 20")  # a natural
    expect(page.get_by_text("As it stands it pays $2.00", exact=False)).to_be_visible()
    dice = [{"die": f"{table}-{n}", "face": 5 if n == 4 else 6} for n in range(5)]
    for number in (3, 2, 1):  # nothing more: a number that never shows, told by another dealer
        for choice in (None, f"name {number}", None):
            console.ask("boris", f"/tables/{table}/throws", dice=dice, choice=choice)
    whole = "1 scores 0, 2 scores 0, 3 scores 0, 4 scores 16, 5 scores 25, 6 scores 30, H scores 20, score 91"
    expect_sheet(page, says=whole)
    expect(page.locator("#sheet")).to_contain_text("The game is over")
    expect(page.get_by_text("ann: stake $0.25 taken, $2.00 paid (2.00 for 0.25)")).to_be_visible()


def test_without_javascript_a_last_throw_asks_for_a_number_and_two_people_correct_the_next(console: Console) -> None:
    page = console.page("dora", javascript=False)
    counter = f"/hooligan/{console.table('hooligan')}"
    page.goto(counter)
    begin(page, "bob")
    for _ in range(2):
        for place in range(1, 5):
            page.locator(f"#throw-{place}-{place}").check(force=True)
        page.locator("#throw-5-6").click()
        page.get_by_role("link", name="Take up all five").click()
    page.locator("#throw-1-2").check(force=True)
    page.locator("#throw-5-2").click()  # dice 2, 3 and 4 are not read
    expect(page.get_by_role("alert").first).to_have_text("Choose what die 2 shows")
    expect(page.locator("#throw-1-2")).to_be_checked()
    for place in (2, 3, 4):
        page.locator(f"#throw-{place}-2").check(force=True)
    page.locator("#throw-5-2").click()
    expect(page.get_by_role("heading", name="a number must be named")).to_be_visible()
    page.get_by_role("link", name="Name 2").click()
    for place in range(1, 5):
        page.locator(f"#throw-{place}-{place}").check(force=True)
    page.locator("#throw-5-6").click()
    expect_sheet(page, says="2 scores 10")
    correct(console, counter)


def correct(console: Console, counter: str) -> None:
    """The last throw, 1 2 3 4 6, was 1 2 3 4 5."""
    page = console.page("boris")
    page.goto(counter)
    page.get_by_text(re.compile("^Correct throw")).click()
    page.get_by_label("Die 5 shows").select_option("5")
    page.get_by_label("Id", exact=True).fill("paula")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Correct the throw").click()
    expect(page.get_by_text("corrected")).to_be_visible()
    expect_sheet(page, says="2 scores 10, H scores 20, open are 1, 3, 4, 5, 6, score 30")


@pytest.mark.soak
def test_peers_play_for_drinks_on_the_same_sheet_with_throws_that_the_house_draws(console: Console, look: Look) -> None:
    page = console.page("dora")
    page.goto(f"/hooligan/{console.table('hooligan', schedule='quarter-ladder', method='rng')}")
    seed(page, "ann")
    seed(page, "bob")
    page.get_by_role("textbox", name="Players").fill("ann bob")
    page.get_by_label("Decided by").select_option("low")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.get_by_role("heading", name="For drinks: the lowest pays")).to_be_visible()
    draw(page)
    draw(page)
    for _ in range(20):  # a tie for the order of play is thrown again
        if page.locator("svg.score-sheet").count():
            break
        draw(page)
    both = re.compile(r"^(ann|bob): open are 1, 2, 3, 4, 5, 6, H, score 0\. (ann|bob): ")
    expect(page.locator("svg.score-sheet")).to_have_attribute("aria-label", both)
    draw(page)
    look(page, "hooligan-peers")


def seed(page: Page, player: str) -> None:
    """Commit to seeds for a player, and take his own."""
    page.get_by_label("Seeds of").fill(player)
    page.get_by_role("button", name="Show").click()
    page.get_by_role("button", name=f"Commit to seeds for {player}").click()
    page.get_by_label(f"Seed of {player}").fill(f"lucky-{player}")
    page.get_by_role("button", name="Take the seed").click()
    expect(page.get_by_text(f"lucky-{player}")).to_be_visible()


def draw(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Draw the throw").click()
