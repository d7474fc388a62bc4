"""Bugs of public logs (part B of the service's case list) that a proved history answers."""

import json
import random
from pathlib import Path

import pytest
from sqlalchemy import Engine

from house.domain.gaming_day import GamingDays
from house.service import evidence, history, reports
from house.service.checkpoints import HistoryBroken, Seal, Sealing
from house.service.desk import inspect_house, open_house
from house.store import database, guards, records, tree
from house.store.unit_of_work import Unit
from house.store.writer import Writer
from integrity.proof.notes import read_public_key
from integrity.proof.tree import Frontier, grow, leaf_hash
from tests.house.pits import Clock, Pit
from tests.house.tampering import Files, edited, truncate, wipe


def sealed(tmp_path: Path, clock: Clock) -> tuple[Files, Pit]:
    """A signed house on a file."""
    sealing = Sealing(place=tmp_path / "signed" / "house", name="case.example")
    files = Files(tmp_path / "house.db", tmp_path / "older.db", sealing, tmp_path / "out")
    url = f"sqlite:///{files.database}"
    return files, Pit(open_house(url, clock=clock, sealing=sealing), url, clock)


def test_b01_records_cut_off_the_end_are_missed_by_the_checkpoint_kept_elsewhere(tmp_path: Path, clock: Clock) -> None:
    files, pit = sealed(tmp_path, clock)
    pit.fund()
    for player in ("ann", "bob", "cleo", "dora"):
        pit.seat(player)
    pit.house.close()
    at = truncate(files, random.Random(1))
    with pytest.raises(HistoryBroken, match=f"has {at} records and 9 were signed"):
        open_house(pit.url, sealing=files.sealing)
    with inspect_house(pit.url, files.sealing) as house:
        found = {(one.invariant, one.where) for one in reports.check(house).discrepancies}
    assert (history.COMPLETE, f"record {at}") in found


def test_b02_an_empty_log_with_a_checkpoint_fails(tmp_path: Path, clock: Clock) -> None:
    files, pit = sealed(tmp_path, clock)
    pit.fund()
    pit.house.close()
    wipe(files, random.Random(1))
    with pytest.raises(HistoryBroken, match="has 0 records and 1 were signed"):
        open_house(pit.url, sealing=files.sealing)
    files.database.unlink()
    with pytest.raises(HistoryBroken, match="has 0 records and 1 were signed"):
        open_house(pit.url, sealing=files.sealing)


@pytest.fixture
def engine(migrated_url: str) -> Engine:
    made = database.write_engine(migrated_url)
    database.upgrade(made)
    return made


def test_b03_two_processes_append_in_turn_to_one_tree_and_both_sign_it(
    engine: Engine, migrated_url: str, tmp_path: Path, clock: Clock
) -> None:
    days, sealing = GamingDays("UTC", 6), Sealing(place=tmp_path / "h", name="case.example", records=7)
    other = database.write_engine(migrated_url)
    writers = [Writer(one, clock, days, 1000, seal=Seal(sealing)) for one in (engine, other)]

    def note(unit: Unit) -> int:
        with unit.savepoint():
            return records.append(unit, "note", None, {})

    futures = [writer.submit(note) for _ in range(150) for writer in writers]
    assert sorted(future.result() for future in futures) == list(range(300))
    for writer in writers:
        writer.close()
    signed, wrong = Seal(sealing).all()
    with engine.connect() as connection:
        assert (wrong, list(history.breaches(connection, signed))) == ((), [])
    assert max(one.size for one in signed) == 300
    for one in (engine, other):
        one.dispose()


def test_b04_what_is_hashed_is_what_is_read_back(pit: Pit) -> None:
    """On both databases, with a microsecond in the time."""
    pit.clock.now = pit.clock.now.replace(microsecond=123_457)
    pit.open_craps()
    pit.throw(1, 3)
    with pit.house.read() as connection:
        found = list(records.stored(connection))
        assert list(history.breaches(connection)) == []
        assert tree.frontier(connection, len(found)) == grow(
            Frontier(), [leaf_hash(one.text.encode()) for one in found]
        )
    assert all('123457,"' in one.text for one in found[-2:])


def test_another_gaming_day_is_a_record_with_what_was_before(sqlite_pit: Pit) -> None:
    """Exception records hold the value before and the value after (IN 68 IAC 25-3-8, notes/service.md 4.3)."""
    sqlite_pit.reopen()
    sqlite_pit.house.close()
    sqlite_pit.house = open_house(sqlite_pit.url, clock=sqlite_pit.clock, zone="Europe/Oslo", cut_over_hour=5)
    with sqlite_pit.house.read() as connection:
        (changed,) = [json.loads(one.text) for one in records.stored(connection) if one.kind == "config_change"]
    assert (changed["event"], changed["before"], changed["after"]) == (
        "gaming_day",
        {"zone": "UTC", "cut_over_hour": 6},
        {"zone": "Europe/Oslo", "cut_over_hour": 5},
    )
    assert reports.check(sqlite_pit.house).discrepancies == ()


def test_b07_migrations_run_again_leave_the_root(pit: Pit) -> None:
    pit.open_craps()
    pit.throw(1, 3)

    def root() -> bytes:
        with pit.house.read() as connection:
            return grow(Frontier(), [bytes.fromhex(one.leaf) for one in records.stored(connection)]).root

    before = root()
    pit.reopen()
    assert root() == before
    engine = database.write_engine(pit.url)
    with engine.connect() as connection:
        assert guards.missing(connection) == ()
    engine.dispose()


def test_b10_the_check_hashes_the_bodies_and_does_not_trust_the_hashes_beside_them(
    tmp_path: Path, clock: Clock
) -> None:
    files, pit = sealed(tmp_path, clock)
    pit.fund()
    pit.seat("ann")
    pit.house.close()
    edited(files, ("UPDATE record SET body = replace(body, '100000000', '100000001') WHERE number = 0", ()))
    with inspect_house(pit.url, files.sealing) as house:
        found = reports.check(house).discrepancies[0]
        evidence.export(house, files.export)
    assert (found.invariant, found.where) == (history.AS_SEALED, "record 0")
    verified = evidence.verify(files.export, read_public_key(files.sealing.public.read_text()))
    assert (verified.holds, verified.check.first_bad, verified.check.located) == (False, 0, True)
