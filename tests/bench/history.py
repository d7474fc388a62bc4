"""What the proof of the history costs: a record with its leaf against a bare row, opening, a proof, a full check.

Usage: python tests/bench/history.py [records], by default 100000.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine, text

from house.domain.gaming_day import GamingDays
from house.service import history
from house.store import database, records, tree
from house.store.unit_of_work import Unit, moment
from integrity.proof.notes import Checkpoint
from integrity.proof.tree import inclusion_proof, root_at

DAYS, AT, GROUP = GamingDays("UTC", 6), moment(1_800_000_000_000_000), 64
BODY = {
    "op": "throw", "faces": [3, 4], "states": ["ok", "ok"], "choice": None, "number": 17, "round": "c1-r17",
    "method": "hand", "box": None, "shooter": "ann", "source": "dealer", "stake_class": 2, "dice": ["c1-d0", "c1-d1"],
    "booked": [{"seq": 1, "id": "019", "kind": "bet_settle_loss", "lines": [["player:ann:riding", 1500]] * 4}],
    "moved": [{"seq": 1, "wager": "c1-3", "player": "ann", "bet": "field", "result": "lost", "lost": 1500}],
}  # fmt: skip


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    before = time.process_time()
    work()
    return time.process_time() - before


def fill(engine: Engine, size: int) -> float:
    """Append records in groups as the writer does; CPU seconds."""

    def all_of_them() -> None:
        edge = None
        for start in range(0, size, GROUP):
            with engine.begin() as connection:
                unit = Unit(connection, DAYS, AT) if edge is None else Unit(connection, DAYS, AT, edge)
                for _ in range(min(GROUP, size - start)):
                    records.append(unit, "sample", "c1", BODY)
                edge = unit.frontier

    return timed(all_of_them)


def bare(engine: Engine, size: int) -> float:
    """Insert the same text without a tree into a table without guards; CPU seconds."""
    row = {"number": 0, "kind": "throw", "table_id": "c1", "body": records.canonical(BODY), "leaf": ""}
    insert = text("INSERT INTO bare VALUES (:number, :kind, :table_id, :body, :leaf)")

    def all_of_them() -> None:
        for start in range(0, size, GROUP):
            with engine.begin() as connection:
                for number in range(start, min(size, start + GROUP)):
                    connection.execute(insert, {**row, "number": number, "body": records.canonical(BODY)})

    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE bare (number INTEGER PRIMARY KEY, kind, table_id, body, leaf)"))
    return timed(all_of_them)


def main() -> None:
    """Measure and tell."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        engine = database.write_engine(f"sqlite:///{Path(folder) / 'house.db'}")
        database.upgrade(engine)
        appended, plain = fill(engine, size), bare(engine, min(size, 20_000)) / min(size, 20_000) * size
        with engine.connect() as connection:
            look = tree.lookup(connection)
            signed = Checkpoint("bench", size, root_at(size, look))
            opening = timed(lambda: history.check_end(connection, signed))
            proving = timed(lambda: [inclusion_proof(number * size // 100, size, look) for number in range(100)]) / 100
            hashing = timed(lambda: [records.leaf_hash(one.text.encode()) for one in records.stored(connection)])
            whole = timed(lambda: list(history.breaches(connection, [signed])))
        engine.dispose()
    print(f"{size:,} records, CPU")
    print(f"  a record with its leaf: {1e6 * appended / size:.0f} us, {appended / plain:.2f} times a bare row")
    print(f"  opening on the last checkpoint: {opening:.2f} s, {opening / whole:.3f} of a full check")
    print(f"  an inclusion proof: {1e3 * proving:.2f} ms")
    print(
        f"  hashing every record again: {hashing:.2f} s; the full check: {whole:.2f} s, {whole / hashing:.1f} times it"
    )


if __name__ == "__main__":
    main()
