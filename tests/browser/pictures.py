"""Take the pictures of README, of an evening of sample play: the pit, a craps table, a die, the schedule desk.

Run by `make pictures`. A part of the evening is played; then a hand begins with chips on the felt and a point.
"""

import time
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from house.demo import craps, hooligan
from house.demo.sample import Sample
from house.demo.story import Plan
from tests.browser.conftest import Console, found_browser

PICTURES = Path(__file__).resolve().parents[2] / "house" / "console" / "pictures"
PERSON, WIDTH = "boss-1", 1280
PLAN = Plan(
    seed=1, at_craps=craps.Evening(shooters=150, cheat_from=40), at_hooligan=hooligan.Evening(games=60, cheat_from=40)
)
PAGES = {
    "pit": ("/", 560),
    "craps-table": (f"/craps/{craps.TABLE}", 1560),
    "die": (f"/laboratory/dice/{craps.LOADED.serial}", 1100),
    "schedule-desk": ("/schedules/hooligan/scarne-quarter", 1100),
}
"""Address and height by the name of a picture."""
BEFORE = (("wes", "pass", "", 25), ("ines", "pass", "", 15), ("cole", "dont_pass", "", 50), ("fay", "field", "", 15))
AFTER = (
    ("ines", "come", "", 25),
    ("hal", "place", "8", 30),
    ("ruth", "place", "5", 25),
    ("fay", "hardway", "8", 5),
    ("pru", "field", "", 20),
)
"""Player, bet, spot and whole units staked before the point is thrown, and after it."""


def ask(page: Page, token: str, path: str, body: Any = None) -> Any:
    """Ask the API for something; without a body, read."""
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"picture-{next(_KEYS)}"}
    asked = page.request.get if body is None else page.request.post
    answer = asked(f"/v1{path}", headers=headers, **({} if body is None else {"data": body}))
    assert answer.ok, answer.text()
    return answer.json()


_KEYS = count()


def begin_a_hand(page: Page, token: str) -> None:
    """Take down what rides, put chips on the felt, throw a six the easy way, and put on more."""
    at = f"/tables/{craps.TABLE}"

    def bets(placed: Any) -> None:
        lines = [
            {"player": player, "bet": bet, "stake_minor": stake * 100} | ({"spot": spot} if spot else {})
            for player, bet, spot, stake in placed
        ]
        ask(page, token, f"{at}/bets", {"bets": lines})

    def throw(*faces: int) -> None:
        dice = ask(page, token, at)["dice"]
        thrown = [{"die": die, "face": face} for die, face in zip(dice, faces, strict=False)]
        ask(page, token, f"{at}/throws", {"dice": thrown})

    throw(3, 4)  # whatever was riding on a point is decided
    bets(BEFORE)
    throw(4, 2)
    bets(AFTER)


def take(console: Console, password: str) -> None:
    """Stage a hand, look at each page, and keep its picture."""
    page = console.page()
    token = page.request.post("/v1/tokens", form={"username": PERSON, "password": password}).json()["access_token"]
    begin_a_hand(page, token)
    page.goto("/sign-in")
    page.get_by_label("Id").fill(PERSON)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    PICTURES.mkdir(exist_ok=True)
    for name, (address, height) in PAGES.items():
        page.set_viewport_size({"width": WIDTH, "height": height})
        page.goto(address)
        assert page.locator(".lone .code").count() == 0, f"{address} is no page"
        page.screenshot(path=PICTURES / f"{name}.png")
    console.close()


def main() -> None:
    """Play, then take the pictures."""
    sample = Sample(Path("build/pictures"), PLAN, pace_s=0.0)
    sample.begin()
    while sample.state in ("opening", "playing"):
        time.sleep(0.5)
    assert sample.state == "over", sample.trouble
    with sync_playwright() as playwright:
        browser = found_browser(playwright)
        take(Console(sample.address, browser), next(word for person, _, word in sample.people if person == PERSON))
        browser.close()
    sample.close()


if __name__ == "__main__":
    main()
