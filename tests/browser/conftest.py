"""The console in a real browser: Chromium against a real server process on a house that has its people and players."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from house.app import open_settings
from house.domain.people import Role
from house.service.access import hashed
from house.service.cage import BuyIn, FundHouse, RegisterPlayer
from house.service.desk import perform
from house.service.equipment import RegisterEquipment
from house.service.people import AddPerson
from house.service.tables import Method, OpenTable
from house.settings import CONFIG, load_settings
from tests.opened import Opened

LOOKS = Path(__file__).resolve().parents[2] / "build" / "browser"
"""Where pictures of pages are left, to be looked at."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
PASSWORD = "ankle deep in chips"
PEOPLE = {
    "olga": Role.ADMIN,
    "carl": Role.CAGE,
    "cora": Role.CAGE,
    "fred": Role.FLOORMAN,
    "paula": Role.PIT_BOSS,
    "dora": Role.DEALER,
    "boris": Role.BOXMAN,
    "sven": Role.SURVEILLANCE,
    "audrey": Role.AUDITOR,
}
"""Who works in the house, all with one password."""
SCRIPT = (pytest.param(True, id="with script"), pytest.param(False, id="without script", marks=pytest.mark.soak))
"""Stories told twice; `make test` tells the dealer's evening without a script, the long checks the others."""
PATIENCE_MS = 45_000
"""How long a page may take on a machine that does much else; no test measures time."""
TOKEN_S = 600.0
"""Seconds after which a token is fetched anew; it is good for 900."""
AXE_TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
WIDTHS = {360: 780, 1024: 768, 1600: 1000}


def database(folder: Path) -> Path:
    """The database file of a house in a folder."""
    return folder / "house.db"


def serving(file: Path) -> tuple[subprocess.Popen[str], dict[str, str]]:
    """Start `floorman serve` on a database and a free port; what it said. One person registers dice there."""
    config = Path(shutil.copy(CONFIG / "house.toml", file.parent))
    rules = 'reception = "one"\ninspection = "advised"\n[die]\n[box]\n'
    config.with_name("equipment.toml").write_text(rules, encoding="utf-8")
    command = [sys.executable, "-m", "house.cli", "serve", "--json", "--port", "0", "--database", f"sqlite:///{file}"]
    named = {**os.environ, "FLOORMAN_CONFIG": str(config)}
    process = subprocess.Popen(command, env=named, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said, f"the server ended with code {process.wait()}"
    return process, json.loads(said)


def stop(process: subprocess.Popen[str]) -> None:
    """Stop a server as an operator does."""
    process.send_signal(signal.SIGTERM)
    process.wait(120)
    assert process.stdout is not None
    process.stdout.close()


def found_browser(playwright: Playwright) -> Browser:
    """Launch the machine's browser; one without fails."""
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    assert found is not None, f"the console is tested in Chromium: install one of {', '.join(BROWSERS)}"
    return playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser; gone with each file of tests, since its loop would run beside those of other tests."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = found_browser(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory, opened: Opened) -> Path:
    """A folder with a house that is closed: people, players with money, dice, a craps table and a Hooligan counter."""
    folder = tmp_path_factory.mktemp("furnished")
    opened(folder)
    settings = load_settings(environment={}, options={"--database": f"sqlite:///{database(folder)}"})
    with open_settings(settings) as house:
        people = [
            AddPerson(
                person=person,
                name=person.title(),
                roles=(role,),
                password_hash=hashed(house, PASSWORD, person, "furnish"),
            )
            for person, role in PEOPLE.items()
        ]
        commands = [
            *people,
            FundHouse(amount_minor=1_000_000_00),
            RegisterEquipment(dice=tuple(f"C-{n}" for n in range(1, 7)), boxes=("B-1",)),
            RegisterEquipment(dice=tuple(f"H-{n}" for n in range(1, 11))),
            RegisterPlayer(player="ann", name="Ann Archer"),
            RegisterPlayer(player="bob", name="Bob Boxman"),
            BuyIn(player="ann", amount_minor=5_000_00),
            BuyIn(player="bob", amount_minor=2_500_00),
            OpenTable(
                table="craps-1",
                game="craps",
                schedule="strip-345x",
                opener_minor=100_000_00,
                dice=("C-1", "C-2"),
                method=Method.HAND,
            ),
            OpenTable(
                table="hooligan-1",
                game="hooligan",
                schedule="scarne-quarter",
                opener_minor=10_000_00,
                dice=tuple(f"H-{n}" for n in range(1, 6)),
                box="B-1",
            ),
        ]
        for number, command in enumerate(commands):
            perform(house, command, f"furnish-{number}")
    return folder


@dataclass
class Console:
    """A running console and the browser before it."""

    address: str
    browser: Browser
    tokens: dict[str, tuple[float, str]] = field(default_factory=dict)
    contexts: list[BrowserContext] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def page(self, person: str | None = None, *, javascript: bool = True, width: int = 1024) -> Page:
        """A fresh browser window, with somebody signed in; an error of a script or of the policy fails the test."""
        context = self.browser.new_context(
            base_url=self.address,
            java_script_enabled=javascript,
            viewport={"width": width, "height": WIDTHS.get(width, 800)},
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", self._fail)
        page.on("console", lambda said: self._fail(said.text) if said.type == "error" else None)
        if person is not None:
            name = f"floorman-session-{self.address.rpartition(':')[2]}"
            context.add_cookies([{"name": name, "value": self._token(page, person), "url": self.address}])
        return page

    def _fail(self, error: object) -> None:
        if "Failed to load resource" not in str(error):  # a refusal is a 4xx page
            self.errors.append(str(error))

    def _token(self, page: Page, person: str) -> str:
        at_s, token = self.tokens.get(person, (-TOKEN_S, ""))
        if time.monotonic() - at_s >= TOKEN_S:
            answer = page.request.post("/v1/tokens", form={"username": person, "password": PASSWORD})
            assert answer.ok, answer.text()
            token = answer.json()["access_token"]
            self.tokens[person] = time.monotonic(), token
        return token

    def ask(self, person: str, path: str, **body: Any) -> Any:
        """Ask the API for something, as somebody."""
        page = self.contexts[0].pages[0] if self.contexts else self.page()
        headers = {"Authorization": f"Bearer {self._token(page, person)}", "Idempotency-Key": f"browser-{uuid4()}"}
        answer = page.request.post(f"/v1{path}", data=body, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def table(self, game: str, **wanted: Any) -> str:
        """Open a table with dice of its own, at 100,000 and by the usual schedule unless `wanted` says else; its id."""
        table = f"{game}-{uuid4().hex[:6]}"
        dice = [f"{table}-{n}" for n in range(2 if game == "craps" else 5)]
        self.ask("olga", "/equipment", dice=dice)
        schedule = {"craps": "strip-345x", "hooligan": "scarne-quarter"}[game]
        opened = {"schedule": schedule, "opener_minor": 100_000_00, "method": "hand", **wanted}
        self.ask("olga", "/tables", table=table, game=game, dice=dice, **opened)
        return table

    def close(self) -> None:
        """Close the windows of a test; what went wrong in them is told."""
        for context in self.contexts:
            context.close()
        errors = list(self.errors)
        self.contexts.clear()
        self.errors.clear()
        assert errors == []


@pytest.fixture(scope="session")
def address(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server on a copy of the furnished house; tests share it, so each plays at tables that it opens itself."""
    folder = tmp_path_factory.mktemp("served") / "house"
    shutil.copytree(furnished, folder)
    process, said = serving(database(folder))
    try:
        yield said["address"]
    finally:
        stop(process)


@pytest.fixture(scope="module")
def served(address: str, chromium: Browser) -> Console:
    """The shared server before the browser."""
    return Console(address, chromium)


@pytest.fixture
def console(served: Console) -> Iterator[Console]:
    """The console; its windows are closed after each test."""
    yield served
    served.close()


def violations(page: Page, *rules: str, without: str = "") -> list[str]:
    """What axe finds wrong with a page, a line an element; all rules, or some; but for the elements of a selector."""
    if not page.evaluate("typeof axe !== 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    only = {"type": "rule", "values": list(rules)} if rules else {"type": "tag", "values": list(AXE_TAGS)}
    where = json.dumps({"exclude": [without]} if without else {"include": ["html"]})
    found: Any = page.evaluate(f"axe.run({where}, {json.dumps({'runOnly': only, 'resultTypes': ['violations']})})")
    return [f"{one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"]]


@pytest.fixture(scope="session")
def look(pytestconfig: pytest.Config) -> Callable[..., None]:
    """Look at a page: no violation by axe, light and dark, and nothing wider than a narrow screen.

    Parameters of the function: the page and a name for its two pictures, which `make test` does not leave.
    `test_looks.py` leaves those of all pages.
    """
    LOOKS.mkdir(parents=True, exist_ok=True)
    pictures = pytestconfig.getoption("markexpr") != "not soak"

    def picture(page: Page, name: str) -> None:
        if pictures:
            page.screenshot(path=LOOKS / f"{name}.png", full_page=True)

    def looked(page: Page, name: str) -> None:
        page.wait_for_load_state()
        assert violations(page) == [], name
        picture(page, f"{name}-1024-light")
        page.emulate_media(color_scheme="dark")
        # the print of a felt is the same by night; test_looks.py looks at all of it
        assert violations(page, "color-contrast", without=".felt-board") == [], f"{name} in the dark"
        page.set_viewport_size({"width": 360, "height": WIDTHS[360]})
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 360, f"{name} is {wide} wide on a screen of 360"
        picture(page, f"{name}-360-dark")
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1024, "height": WIDTHS[1024]})

    return looked
