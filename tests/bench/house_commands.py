"""What a command of the house costs beside a plain SQLite transaction, in the same run on the same machine.

The plain transaction is the settlement of the textbook, written by hand against the driver: a row for the idempotency
key, two balances, two postings and a row of the log, in WAL with full synchronisation. The house's commands (two bets
in one window; a throw that settles them) carry the engine, the double entry, the records and the log besides, behind
the single writer. Asserted are ratios of processor time, since disk and load differ from minute to minute.
"""

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from house.domain.watching import DEFAULT as WATCHING
from house.domain.watching import Watching
from house.service import cage, equipment, schedules, tables, wagers, watch
from house.service.desk import Command, House, open_house, perform, submit
from house.service.throws import Throw, Thrown
from payouts.schedule import shipped

COMMANDS = 600
MOST_ALONE, MOST_IN_GROUPS = 25.0, 16.0
"""Greatest ratio to the plain transaction: each command waited for, and many waiting at once."""
MOST_WATCHED = 1.4
"""Greatest ratio of a throw whose dice the laboratory watches to one whose dice it does not."""

PLAIN = """
CREATE TABLE key (key TEXT PRIMARY KEY, body TEXT);
CREATE TABLE account (name TEXT PRIMARY KEY, balance INTEGER);
CREATE TABLE posting (entry INTEGER, line INTEGER, account TEXT, amount INTEGER, PRIMARY KEY (entry, line));
CREATE TABLE log (number INTEGER PRIMARY KEY, body TEXT);
INSERT INTO account VALUES ('wallet', 0), ('win', 0);
"""


def plain(folder: Path) -> float:
    """Processor seconds of one plain transaction."""
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
    connection.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {PLAIN}")
    began = time.process_time()
    for number in range(COMMANDS):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO key VALUES (?, ?)", (f"key-{number}", "{}"))
        for account, amount in (("wallet", 100), ("win", -100)):
            connection.execute("UPDATE account SET balance = balance + ? WHERE name = ?", (amount, account))
        for line, (account, amount) in enumerate((("wallet", 100), ("win", -100))):
            connection.execute("INSERT INTO posting VALUES (?, ?, ?, ?)", (number, line, account, amount))
        connection.execute("INSERT INTO log VALUES (?, ?)", (number, "{}"))
        connection.execute("COMMIT")
    spent = time.process_time() - began
    connection.close()
    return spent / COMMANDS


def opened(folder: Path, watching: Watching | None = WATCHING) -> House:
    """A house with a craps table, whose dice are watched or not."""
    folder.mkdir(exist_ok=True)
    house = open_house(f"sqlite:///{folder / 'house.db'}", watching=watching)
    schedules.publish(house, shipped("craps", "double-odds").read_text(encoding="utf-8"))
    setting: list[Command[object]] = [
        cage.FundHouse(amount_minor=10**9),
        cage.RegisterPlayer(player="ann", name="Ann"),
        cage.BuyIn(player="ann", amount_minor=10**8),
        equipment.RegisterEquipment(dice=("a", "b")),
        tables.OpenTable(table="c", game="craps", schedule="double-odds", opener_minor=10**7, dice=("a", "b")),
        wagers.JoinRail(table="c", player="ann"),
    ]
    for number, command in enumerate(setting):
        perform(house, command, f"set-{number}")
    return house


def evening(rng: random.Random) -> list[Command[object]]:
    """Windows of two bets and the throws that follow them."""
    window = wagers.PlaceBets(
        table="c",
        bets=(
            wagers.Bet(player="ann", bet="field", stake_minor=5_00),
            wagers.Bet(player="ann", bet="any_seven", stake_minor=5_00),
        ),
    )
    commands: list[Command[object]] = []
    for _ in range(COMMANDS // 2):
        dice = tuple(Thrown(die=die, face=rng.randint(1, 6)) for die in ("a", "b"))
        commands += [window, Throw(table="c", dice=dice)]
    return commands


def throws(folder: Path, watching: Watching | None) -> float:
    """Processor seconds of a throw with nothing riding, many waiting: the best of three rounds."""
    rng = random.Random(2)
    best = float("inf")
    watch.warm_up().join()
    with opened(folder, watching) as house:
        for part in range(3):

            def throw_all(part: int = part) -> None:
                commands = [
                    Throw(table="c", dice=tuple(Thrown(die=die, face=rng.randint(1, 6)) for die in ("a", "b")))
                    for _ in range(COMMANDS)
                ]
                for future in [submit(house, one, f"throw-{part}-{number}") for number, one in enumerate(commands)]:
                    future.result()

            best = min(best, spent(throw_all))
    return best


def spent(work: Callable[[], None]) -> float:
    """Processor seconds a command, of every thread."""
    began = time.process_time()
    work()
    return (time.process_time() - began) / COMMANDS


def main() -> int:
    """Print the table; 1 if a ratio is missed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = plain(folder)
        unwatched, watched = throws(folder / "unwatched", None), throws(folder / "watched", WATCHING)
        with opened(folder) as house:
            commands = evening(random.Random(1))

            def alone() -> None:
                for number, command in enumerate(commands):
                    perform(house, command, f"alone-{number}")

            def in_groups() -> None:
                futures = [submit(house, command, f"group-{number}") for number, command in enumerate(commands)]
                for future in futures:
                    future.result()

            costs = {"each waited for": (spent(alone), MOST_ALONE), "many waiting": (spent(in_groups), MOST_IN_GROUPS)}
    print(f"plain transaction: {base * 1e3:.3f} ms of processor")
    for what, (cost, most) in costs.items():
        print(f"command, {what}: {cost * 1e3:.2f} ms, {cost / base:.1f} times plain (at most {most:.0f})")
    ratio = watched / unwatched
    print(
        f"throw: {unwatched * 1e3:.2f} ms, watched live {watched * 1e3:.2f} ms,"
        f" {ratio:.2f} times (at most {MOST_WATCHED})"
    )
    return int(ratio > MOST_WATCHED or any(cost > most * base for cost, most in costs.values()))


if __name__ == "__main__":
    sys.exit(main())
