"""A craps table by the keyboard alone: no mouse, and no focus that a script of the test sets."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import PASSWORD, Console

MOST_STOPS = 200
"""How far apart two things may stand for somebody who presses Tab."""
FOCUS = """() => {
    const at = document.activeElement;
    if (!at || at === document.body) return { id: "", name: "nothing: the focus is lost", seen: false };
    const whole = at.closest("label") || at;
    const worn = [at, whole].map((each) => getComputedStyle(each));
    const marked = worn.some((style) => style.outlineStyle !== "none" || style.boxShadow !== "none");
    const box = whole.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const there = left < right && top < bottom && document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const name = at.getAttribute("aria-label") || at.labels?.[0]?.innerText || at.innerText || at.tagName;
    return { id: at.id, name, seen: marked && !!there && whole.contains(there) };
}"""
"""What has the focus, and whether somebody sees that it has: a mark around it, on the screen, nothing over it."""


Focus = tuple[str, str]
"""The id and the name of what has the focus."""


def focus(page: Page) -> Focus:
    """What has the focus, which is somewhere and is seen."""
    at = page.evaluate(FOCUS)
    assert at["seen"], at
    return at["id"], at["name"]


def go(page: Page, wanted: str, key: str = "Tab") -> None:
    """Press Tab, or Shift+Tab, until what has an id, or a name that begins so, has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press(key)
        found, name = focus(page)
        if found.startswith(wanted) or name.startswith(wanted):
            return
    raise AssertionError(f"{wanted} cannot be reached by the keyboard")


def back(page: Page, wanted: str) -> None:
    go(page, wanted, "Shift+Tab")


def send(page: Page, stays: str, key: str = "Enter") -> None:
    """Send a form with what has the focus; after it the focus is where the work goes on."""
    with page.expect_navigation():
        page.keyboard.press(key)
    page.wait_for_load_state()
    page.wait_for_function(AFTER_FRAMES)
    found, name = focus(page)
    assert found == stays or name.startswith(stays), (found, name)


AFTER_FRAMES = "() => new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => told(true))))"


def sign_in(console: Console, address: str, person: str) -> Page:
    """Sign in by typing; a page at the address."""
    page = console.page(width=1600)
    page.goto(address)
    go(page, "sign-in-person")
    page.keyboard.type(person)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    return page


WAY = """(wanted) => {
    const both = [document.activeElement, document.getElementById(wanted)];
    const [from, to] = both.map((at) => at.getBoundingClientRect());
    const right = to.left + to.right - from.left - from.right, down = to.top + to.bottom - from.top - from.bottom;
    const aside = from.width < 200 && (Math.abs(right) > 140 || Math.abs(down) < 20);
    return aside ? (right > 0 ? "ArrowRight" : "ArrowLeft") : down > 0 ? "ArrowDown" : "ArrowUp";
}"""
"""The arrow that leads nearer to a spot: to its column first, then up or down."""


def spot(page: Page, wanted: str, key: str = "Tab") -> None:
    """Go to the players' side of the felt, and there by arrows to a spot."""
    go(page, "wide-", key)
    for _ in range(20):
        if focus(page)[0] == wanted:
            return
        page.keyboard.press(page.evaluate(WAY, wanted))
    raise AssertionError(f"{wanted} cannot be reached by arrows")


def throw(page: Page, first: int, second: int) -> None:
    """Enter a throw: a face of the first die by arrows, the second's button."""
    back(page, "throw-1-6")
    for _ in range(first):  # round from the six
        page.keyboard.press("ArrowRight")
    assert focus(page)[0] == f"throw-1-{first}"
    go(page, f"throw-2-{second}")
    send(page, f"throw-2-{second}")


def test_a_boxman_works_a_craps_table_by_the_keyboard_alone(console: Console) -> None:
    table = console.table("craps")
    page = sign_in(console, f"/craps/{table}", "boris")
    riding, paid = page.locator("#riding tbody tr"), page.locator("#results tbody tr")

    go(page, "arrive-player")
    page.keyboard.type("ann")
    send(page, "arrive-player")
    expect(page.locator(".rail")).to_contain_text("ann has the dice")

    spot(page, "wide-place-8", "Shift+Tab")
    send(page, "wide-place-8", "Space")
    back(page, "bet-chip-3")
    page.keyboard.press("ArrowRight")  # from $25 to $100
    spot(page, "wide-pass")
    send(page, "wide-pass")
    expect(riding).to_have_count(2)

    throw(page, 4, 2)
    expect(page.locator(".call")).to_contain_text("Point is six")
    go(page, "bet-stake_minor")
    page.keyboard.type("50")
    spot(page, "wide-odds-6")
    send(page, "wide-odds-6")
    expect(riding.filter(has_text="Odds 6")).to_contain_text("50.00")

    go(page, "Place 8 of ann")
    page.keyboard.press("Space")
    go(page, "change-off")
    send(page, "change-off")
    expect(riding.filter(has_text="Place 8")).to_contain_text("off called")
    back(page, "Place 8 of ann")
    page.keyboard.press("Space")
    go(page, "change-working")
    send(page, "change-working")
    expect(riding.filter(has_text="Place 8")).to_contain_text("works called")
    back(page, "Place 8 of ann")
    page.keyboard.press("Space")
    go(page, "change-take-down")
    send(page, "change-take-down")
    expect(riding).to_have_count(2)

    throw(page, 3, 3)
    expect(paid.filter(has_text="Odds 6")).to_contain_text("60.00")
    go(page, "Bets that were paid and taken")  # a long list is scrolled by the keyboard too

    back(page, "Correct throw 1")
    page.keyboard.press("Enter")
    go(page, "correct-face-1")
    page.keyboard.type("4")
    go(page, "correct-reason")
    page.keyboard.press("ArrowDown")
    go(page, "correct-second_person")
    page.keyboard.type("paula")
    page.keyboard.press("Tab")
    page.keyboard.type("not hers")
    send(page, "correct-second_password")
    page.keyboard.type(PASSWORD)
    send(page, "Correct throw 1")
    expect(page.locator(".call")).to_contain_text("Seven-out")
    expect(page.locator(".glance")).to_contain_text("corrected")
    assert paid.filter(has_text="lost").count() == 2
