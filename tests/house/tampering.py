"""Single tamperings of a house's history, of twelve kinds (R11), made as someone with the files would make them.

Each says at which record it is, where it is at one, so that a check can be held to naming it.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from house.service.checkpoints import Sealing, notes
from house.service.evidence import CHECKPOINTS, HASH_BYTES, LEAVES, RECORDS
from integrity.proof.notes import Checkpoint, private_key, read_private_key, sign_checkpoint
from integrity.proof.records import canonical
from integrity.proof.tree import Frontier, append, grow, leaf_hash

NAME = "test.example/history"
COLUMNS = {
    "record": ("kind", "table_id", "body", "leaf"),
    "tree_node": ("hash",),
    "entry": ("id", "kind", "table_id", "round", "wager", "record", "at_us", "gaming_day"),
    "posting": ("account", "amount"),
    "settlement": (
        "fingerprint", "wager", "player", "bet", "spot", "result", "staked", "returned", "lost", "winnings",
        "commission", "commission_back", "breakage", "held", "resolved", "odds", "toke", "seq", "table_id", "record",
    ),
    "throw": ("at_us", "round", "method", "box", "shooter", "source", "stake_class", "void", "gaming_day", "record"),
    "throw_die": ("die", "face", "state"),
    "schedule": ("body",),
    "account": ("balance",),
    "correction": ("number", "reason"),
    "correction_die": ("face", "state"),
    "undone": ("correction",),
    "transfer": ("kind", "round", "player", "amount", "wallet_after"),
}  # fmt: skip


@dataclass(frozen=True)
class Files:
    """A house at rest: its database, its signed checkpoints, an older copy of the database, an export."""

    database: Path
    older: Path
    sealing: Sealing
    export: Path

    def copy(self, folder: Path) -> "Files":
        """The same in another folder."""
        root = self.database.parent
        shutil.copytree(root, folder)
        moved = {name: folder / getattr(self, name).relative_to(root) for name in ("database", "older", "export")}
        place = folder / self.sealing.place.relative_to(root)
        return Files(**moved, sealing=Sealing(place=place, name=NAME))


def edit(url: str, *statements: str | tuple[str, tuple[object, ...]]) -> None:
    """Edit a SQLite database without its triggers, checks and foreign keys; statements may come with their values."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("BEGIN")
        for one in statements:
            statement, values = (one, ()) if isinstance(one, str) else one
            assert connection.execute(statement, values).rowcount > 0, statement
        connection.execute("COMMIT")


def edited(files: Files, *statements: tuple[str, tuple[object, ...]]) -> None:
    """Edit the database of a house at rest."""
    edit(f"sqlite:///{files.database}", *statements)


def asked(files: Files, query: str, *values: object) -> list[Any]:
    connection = sqlite3.connect(files.database)
    found = connection.execute(query, values).fetchall()
    connection.close()
    return found


def size_of(files: Files) -> int:
    return int(asked(files, "SELECT COUNT(*) FROM record")[0][0])


def other(value: object, rng: random.Random) -> object:
    """The value with one bit, sign or character changed."""
    if value is None:
        return "x"
    if isinstance(value, int):
        return value ^ 1 << rng.randrange(8)
    assert isinstance(value, str)
    if not value:
        return "x"
    place = rng.randrange(len(value))
    changed = chr(ord(value[place]) ^ 1 << rng.randrange(5))
    return value[:place] + changed + value[place + 1 :]


def bit(files: Files, rng: random.Random) -> int | None:
    """One bit of one column of any book."""
    table = rng.choice(sorted(COLUMNS))
    column = rng.choice(COLUMNS[table])
    rows = asked(files, f"SELECT rowid, {column} FROM {table}")
    row, value = rng.choice(rows)
    new = 1 - value if column in ("toke", "void") else other(value, rng)
    edited(files, (f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, row)))
    return int(row) if table == "record" and column in ("body", "kind", "table_id", "leaf") else None


def delete(files: Files, rng: random.Random) -> int:
    number = rng.randrange(size_of(files) - 1)
    edited(files, ("DELETE FROM record WHERE number = ?", (number,)))
    return number


def insert(files: Files, rng: random.Random) -> int:
    """A record put between two others, and everything behind it renumbered."""
    size, number = size_of(files), rng.randrange(1, size_of(files))
    behind = range(size - 1, number - 1, -1)
    moves = [("UPDATE record SET number = number + 1 WHERE number = ?", (one,)) for one in behind]
    copied = "INSERT INTO record SELECT ?, kind, table_id, body, leaf FROM record WHERE number = ?"
    edited(files, *moves, (copied, (number, number - 1)))
    return number


def swap(files: Files, rng: random.Random) -> int:
    first, second = sorted(rng.sample(range(size_of(files)), 2))
    moves = [(first, -1), (second, first), (-1, second)]
    edited(files, *[("UPDATE record SET number = ? WHERE number = ?", (to, was)) for was, to in moves])
    return first


def truncate(files: Files, rng: random.Random) -> int:
    number = size_of(files) - rng.randint(1, 5)
    edited(files, ("DELETE FROM record WHERE number >= ?", (number,)))
    return number


def wipe(files: Files, _rng: random.Random) -> int:
    edited(files, ("DELETE FROM record WHERE number >= 0", ()))
    return 0


def _rewritten(files: Files, number: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change a record and make every hash from there on right again."""
    frontier, statements = Frontier(), []
    for (text,) in asked(files, "SELECT body FROM record ORDER BY number"):
        new = text
        if frontier.size == number:
            new = canonical(change(json.loads(new))).decode()
            statements.append(("UPDATE record SET body = ? WHERE number = ?", (new, number)))
        leaf = leaf_hash(new.encode())
        if frontier.size == number:
            statements.append(("UPDATE record SET leaf = ? WHERE number = ?", (leaf.hex(), number)))
        frontier, completed = append(frontier, leaf)
        statements += [
            ("UPDATE tree_node SET hash = ? WHERE level = ? AND place = ?", (value.hex(), level, place))
            for (level, place), value in completed
            if level == 8
        ]
    edited(files, *statements)


def rewrite(files: Files, rng: random.Random) -> int:
    number = rng.randrange(size_of(files))
    _rewritten(files, number, lambda body: {**body, "gaming_day": "2020-01-01"})
    return number


def replay_old(files: Files, _rng: random.Random) -> int:
    """An older copy of the database put back."""
    shutil.copy(files.older, files.database)
    return size_of(files)


def fork(files: Files, rng: random.Random) -> None:
    """A second checkpoint of one size, signed by the house's own key over another root."""
    whole = notes(files.sealing.checkpoints)
    size = int(rng.choice(whole).split("\n")[1])
    checkpoint = Checkpoint(NAME, size, leaf_hash(b"another"))
    with files.sealing.checkpoints.open("a", encoding="utf-8") as file:
        file.write(sign_checkpoint(checkpoint, [read_private_key(files.sealing.key.read_text())]) + "\n")


def checkpoint(files: Files, rng: random.Random) -> None:
    """One character of the signed texts or signatures changed."""
    text = files.sealing.checkpoints.read_text()
    places = [place for place, character in enumerate(text) if character.isalnum()]
    place = rng.choice(places)
    changed = "A" if text[place] != "A" else "B"
    files.sealing.checkpoints.write_text(text[:place] + changed + text[place + 1 :])


def key(files: Files, rng: random.Random) -> None:
    """A checkpoint over the true root, signed with another key of the same name, in place of the house's."""
    new = private_key(NAME, rng.randbytes(32))
    leaves = [bytes.fromhex(leaf) for (leaf,) in asked(files, "SELECT leaf FROM record ORDER BY number")]
    root = grow(Frontier(), leaves).root
    files.sealing.checkpoints.write_text(sign_checkpoint(Checkpoint(NAME, len(leaves), root), [new]) + "\n")


def clock(files: Files, rng: random.Random) -> int:
    number = rng.randrange(size_of(files))
    _rewritten(files, number, lambda body: {**body, "at_us": body["at_us"] - 3_600_000_000})
    return number


KINDS: dict[str, Callable[[Files, random.Random], int | None]] = {
    "bit": bit,
    "delete": delete,
    "insert": insert,
    "swap": swap,
    "truncate": truncate,
    "wipe": wipe,
    "rewrite": rewrite,
    "replay_old": replay_old,
    "fork": fork,
    "checkpoint": checkpoint,
    "key": key,
    "clock": clock,
}
"""The twelve kinds; each gives the record that it is at, where it is at one."""


# ---- the same in an export ----

Lines = list[bytes]


def _line_changed(lines: Lines, number: int, **changes: object) -> None:
    lines[number] = canonical({**json.loads(lines[number]), **changes})


def bit_of_line(lines: Lines, rng: random.Random) -> int:
    number = rng.randrange(len(lines))
    line = bytearray(lines[number])
    line[rng.randrange(len(line))] ^= 1 << rng.randrange(8)
    lines[number] = bytes(line)
    return number


def delete_line(lines: Lines, rng: random.Random) -> int:
    number = rng.randrange(len(lines))
    del lines[number]
    return number


def insert_line(lines: Lines, rng: random.Random) -> int:
    number = rng.randrange(len(lines))
    lines.insert(number, lines[(number + 1) % len(lines)])
    return number


def swap_lines(lines: Lines, rng: random.Random) -> int:
    first, second = sorted(rng.sample(range(len(lines)), 2))
    lines[first], lines[second] = lines[second], lines[first]
    return first


def truncate_lines(lines: Lines, rng: random.Random) -> int:
    number = len(lines) - rng.randint(1, 5)
    del lines[number:]
    return number


def wipe_lines(lines: Lines, _rng: random.Random) -> int:
    lines.clear()
    return 0


def rewrite_line(lines: Lines, rng: random.Random) -> int:
    number = rng.randrange(len(lines))
    _line_changed(lines, number, gaming_day="2020-01-01")
    return number


def turn_clock(lines: Lines, rng: random.Random) -> int:
    number = rng.randrange(len(lines))
    _line_changed(lines, number, at_us=json.loads(lines[number])["at_us"] - 3_600_000_000)
    return number


LINE_KINDS: dict[str, Callable[[Lines, random.Random], int]] = {
    "bit": bit_of_line,
    "delete": delete_line,
    "insert": insert_line,
    "swap": swap_lines,
    "truncate": truncate_lines,
    "wipe": wipe_lines,
    "rewrite": rewrite_line,
    "clock": turn_clock,
}
"""Those of the twelve kinds that change the records of an export."""


def cut_export(export: Path, rng: random.Random) -> int:
    """The end cut off with its hashes and checkpoints, anywhere but at one; gives the first behind the last one."""
    lines = (export / RECORDS).read_bytes().splitlines(keepends=True)
    signed = {int(note.split("\n")[1]): note for note in notes(export / CHECKPOINTS)}
    length = rng.choice([size for size in range(min(signed) + 1, len(lines)) if size not in signed])
    (export / RECORDS).write_bytes(b"".join(lines[:length]))
    (export / LEAVES).write_bytes((export / LEAVES).read_bytes()[: length * HASH_BYTES])
    kept = [size for size in signed if size < length]
    (export / CHECKPOINTS).write_text("".join(f"{signed[size]}\n" for size in kept))
    return max(kept)
