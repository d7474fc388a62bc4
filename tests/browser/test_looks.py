"""Every page of the console on three widths, light and dark: accessible, no wider than the screen, pictures left."""

from itertools import product

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import LOOKS, WIDTHS, Console, violations

pytestmark = pytest.mark.soak

PAGES = {
    "pit": "/",
    "table": "/tables/craps-1",
    "opening": "/tables/open",
    "craps": "/craps/craps-1",
    "hooligan": "/hooligan/hooligan-1",
    "cage": "/cage",
    "player": "/cage/players/ann",
    "shift": "/shift",
    "stiff-sheet": "/shift/papers/sheet",
    "laboratory": "/laboratory",
    "die": "/laboratory/dice/C-1",
    "schedules": "/schedules",
    "desk": "/schedules/hooligan/scarne-quarter",
    "history": "/history",
    "record": "/history/records/3",
    "people": "/people",
    "person": "/people/fred",
    "me": "/me",
    "not-found": "/nowhere",
}
"""Pages by the name of their pictures."""


SMALLEST_PX = 11
"""Words of a drawing are no smaller on any screen; initials on chips are, beside which the name stands."""
SMALL = """(least) => [...document.querySelectorAll("svg text:not(.initials)")]
    .filter((each) => each.getBoundingClientRect().width)
    .map((each) => [each.textContent, parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().d, each])
    .filter(([, , each]) => !each.hasAttribute("transform"))
    .map(([words, px]) => [words, px]).filter(([, px]) => px < least)"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_fits_at_every_width(console: Console, name: str) -> None:
    page = console.page("olga")
    page.goto(PAGES[name])
    LOOKS.mkdir(parents=True, exist_ok=True)
    for width, scheme in product(WIDTHS, ("light", "dark")):
        seen(page, f"{name}-{width}-{scheme}", width, scheme)


def seen(page: Page, name: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    assert violations(page) == [], name
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width, f"{name} is {wide} wide"
    assert page.evaluate(SMALL, SMALLEST_PX) == [], name
    page.screenshot(path=LOOKS / f"{name}.png", full_page=True)
