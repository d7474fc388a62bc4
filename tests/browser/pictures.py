"""Take the pictures of README, of an evening of sample play: the pit, a craps table, a die, the schedule desk.

Run by `make pictures`. The evening is played until an alarm is raised, or to its end.
"""

import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from house.demo.sample import Sample
from tests.browser.conftest import Console, found_browser

PICTURES = Path(__file__).resolve().parents[2] / "house" / "console" / "pictures"
PERSON, SIZE = "boss-1", {"width": 1280, "height": 800}
PAGES = {
    "pit": "/",
    "craps-table": "/craps/craps-1",
    "die": "/laboratory/dice/C-13",
    "schedule-desk": "/schedules/hooligan/scarne-quarter",
}
"""Addresses by the name of their picture."""


def signed_in(console: Console, password: str) -> Page:
    """A window with the pit boss signed in."""
    page = console.page()
    page.set_viewport_size(SIZE)  # type: ignore[arg-type]
    page.goto("/sign-in")
    page.get_by_label("Id").fill(PERSON)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    return page


def main() -> None:
    """Play, look, and keep the pictures."""
    PICTURES.mkdir(exist_ok=True)
    sample = Sample(Path("build/pictures"), pace_s=0.0)
    sample.begin()
    while sample.state == "opening":
        time.sleep(0.5)
    assert sample.state == "playing", sample.trouble
    with sync_playwright() as playwright:
        browser = found_browser(playwright)
        console = Console(sample.address, browser)
        page = signed_in(console, next(password for person, _, password in sample.people if person == PERSON))
        while sample.state == "playing" and not page.locator(".tag.alarm").count():
            time.sleep(2)
            page.goto("/")
        for name, address in PAGES.items():
            page.goto(address)
            page.screenshot(path=PICTURES / f"{name}.png", full_page=name != "die")
        console.close()
        browser.close()
    sample.close()


if __name__ == "__main__":
    main()
