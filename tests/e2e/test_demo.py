"""The demo's story at a reduced size, checked against its database by second implementations of both games."""

import json
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from house.demo import craps, hooligan
from house.demo.story import Plan, Told, tell
from integrity.findings import Verdict
from tests.oracles import craps_replay, hooligan_replay

PLAN = Plan(seed=3, at_craps=craps.Evening(24, 12), at_hooligan=hooligan.Evening(12, 6))
PAID = ("returned", "lost", "winnings", "commission", "breakage")


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Told, str]:
    """Folder, outcome and text of a short evening, played through a real server."""
    folder, text = tmp_path_factory.mktemp("demo"), StringIO()
    told = tell(PLAN, folder, Console(file=text, width=120))
    return folder, told, text.getvalue()


@pytest.fixture
def database(story: tuple[Path, Told, str]) -> Iterator[sqlite3.Connection]:
    """The database that the evening left, opened by itself."""
    with closing(sqlite3.connect(story[0] / "house.db")) as connection:
        yield connection


def records(database: sqlite3.Connection, table: str) -> list[tuple[int, str, dict[str, Any]]]:
    """Number, kind and body of a table's records in order."""
    rows = database.execute("SELECT number, kind, body FROM record WHERE table_id = ? ORDER BY number", (table,))
    return [(number, kind, json.loads(body)) for number, kind, body in rows]


def settled(database: sqlite3.Connection, record: int) -> dict[str, tuple[int, ...]]:
    """What the house paid in a record, by wager."""
    columns = f"SELECT wager, {', '.join(PAID)} FROM settlement WHERE record = ? AND result <> 'staked'"
    return {wager: tuple(paid) for wager, *paid in database.execute(columns, (record,))}


def test_every_payment_at_craps_is_recomputed_by_a_second_implementation(database: sqlite3.Connection) -> None:
    (body,) = database.execute("SELECT body FROM schedule WHERE name = ?", (craps.SCHEDULE,)).fetchone()
    table, payments = craps_replay.Oracle(tomllib.loads(body)), 0
    for number, kind, record in records(database, craps.TABLE):
        if kind == "bet":
            parents = {bet["wager"]: bet["parent"] for bet in record["bets"]}
            made = "SELECT wager, bet, spot, staked FROM settlement WHERE record = ? ORDER BY line"
            for wager, bet, spot, stake in database.execute(made, (number,)):
                table.bet(wager, bet, spot, stake, parents[wager])
        elif kind == "throw" and set(record["states"]) == {"ok"}:
            due = {
                wager: tuple(getattr(paid, name) for name in PAID)
                for wager, paid in table.throw(*record["faces"]).items()
            }
            assert settled(database, number) == due, (number, record)
            payments += len(due)
    assert payments > 1000
    assert not table.riding


def games(database: sqlite3.Connection) -> Iterator[tuple[list[dict[str, Any]], tuple[int, ...]]]:
    """Events of every game of Hooligan, and what was paid at its end."""
    events: list[dict[str, Any]] = []
    for number, kind, record in records(database, hooligan.COUNTER):
        if record.get("choice"):
            word, *numbers = record["choice"].split()
            argument = {"name": {"point": int(numbers[0])} if numbers else {}, "keep": {"slots": [*map(int, numbers)]}}
            events.append({"choice": word, **argument.get(word, {})})
        if kind == "throw" and set(record["states"]) == {"ok"}:
            events.append({"faces": record["faces"]})
        paid = settled(database, number)
        if paid:
            (payment,) = paid.values()
            yield events, payment
            events = []


def test_every_game_of_hooligan_is_replayed_and_paid_again_by_a_second_implementation(
    database: sqlite3.Connection,
) -> None:
    bands = [(84, 89, 1_00), (90, 93, 2_00)]  # rules/hooligan.md: Scarne's two bands for a quarter
    played = 0
    for events, payment in games(database):
        score = sum(hooligan_replay.replay(events, {}).values())
        assert payment == (0, 25, hooligan_replay.payment(score, bands), 0, 0)
        played += 1
    assert played == PLAN.at_hooligan.games


def test_the_bank_balances_and_the_told_win_is_the_ledgers(database: sqlite3.Connection, story: Any) -> None:
    _, told, text = story
    assert told.books.sound
    assert (told.history.holds, told.history.unproved) == (True, 0)
    assert f"{told.history.proved:,} records of the history" in text
    (vault,) = database.execute("SELECT balance FROM account WHERE name = 'cage:vault'").fetchone()
    owed = database.execute("SELECT sum(abs(balance)) FROM account WHERE name LIKE 'player:%'").fetchone()
    assert abs(vault) - 1_000_000_00 == told.books.win
    assert owed == (0,)
    assert f"{told.books.win / 100:,.2f}" in text


def test_nobody_innocent_is_accused_and_the_robots_three_dice_are_named(story: Any) -> None:
    _, told, text = story
    assert {finding.id for finding in told.audit.accused} <= {craps.LOADED.serial, hooligan.CROOKED.serial}
    assert told.robot.verdict is Verdict.CROOKED
    assert len(told.robot.accused) == 3
    assert all(str(finding.id) in text for finding in told.robot.accused)


def test_the_log_that_stays_holds_every_throw(database: sqlite3.Connection, story: Any) -> None:
    lines = (story[0] / "throws.jsonl").read_text().splitlines()
    (dice,) = database.execute("SELECT count(*) FROM throw_die").fetchone()
    assert len(lines) == dice
    assert story[1].audit.throws + story[1].audit.void == database.execute("SELECT count(*) FROM throw").fetchone()[0]


@pytest.mark.soak
def test_the_same_seed_tells_the_same_story(tmp_path: Path) -> None:
    plan = Plan(seed=4, at_craps=craps.Evening(6, 3), at_hooligan=hooligan.Evening(4, 2))
    told = []
    for name in ("first", "second"):
        text = StringIO()
        tell(plan, tmp_path / name, Console(file=text, width=120))
        told.append(text.getvalue().replace(name, ""))
    assert told[0] == told[1]
