"""Tables of a test's own, opened as another system would."""

from itertools import count

from playwright.sync_api import Page

from tests.browser.conftest import PASSWORD, Console

_OPENED = count(1)
SET = {"craps": 2, "hooligan": 5}


def open_table(console: Console, page: Page, game: str, schedule: str, method: str = "hand") -> str:
    """Register a new set of dice and open a table with it; its address."""
    number = next(_OPENED)
    table = f"{game}-own-{number}"
    dice = [f"O-{number}-{slot}" for slot in range(SET[game])]
    body = {"table": table, "game": game, "schedule": schedule, "opener_minor": 10_000_00, "dice": dice}
    asked = page.request.post(f"{console.address}/v1/tokens", form={"username": "olga", "password": PASSWORD})
    bearer = f"Bearer {asked.json()['access_token']}"
    for path, sent in (("/equipment", {"dice": dice, "boxes": []}), ("/tables", {**body, "method": method})):
        headers = {"Authorization": bearer, "Idempotency-Key": f"{table}{path}"}
        answer = page.request.post(f"{console.address}/v1{path}", data=sent, headers=headers)
        assert answer.ok, answer.text()
    return f"/{game}/{table}"
