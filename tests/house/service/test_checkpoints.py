"""Checkpoints: when they are signed, where they are kept, and what a house does that finds another history."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from house.domain.refusals import Refused
from house.service import equipment, proofs, reports, tables
from house.service.checkpoints import HistoryBroken, Seal, Sealing, last_note, notes
from house.service.desk import House, inspect_house, open_house, perform
from integrity.errors import ProofError
from integrity.proof.notes import open_checkpoint, private_key, read_public_key
from integrity.proof.tree import Frontier, grow, leaf_hash
from tests.house.pits import Clock, Pit
from tests.house.tampering import edit

NAME = "test.example/history"


@pytest.fixture
def sealing(tmp_path: Path) -> Sealing:
    return Sealing(place=tmp_path / "signed" / "house", name=NAME, records=10, seconds=3600)


@pytest.fixture
def opened(sqlite_url: str, clock: Clock, sealing: Sealing) -> Callable[[], Pit]:
    """Opens the house on its file and its checkpoints, again and again."""
    return lambda: Pit(open_house(sqlite_url, clock=clock, sealing=sealing), sqlite_url, clock)


def sizes(sealing: Sealing) -> list[int]:
    key = read_public_key(sealing.public.read_text())
    return [open_checkpoint(note, [key], NAME).size for note in notes(sealing.checkpoints)]


def edge(size: int) -> Frontier:
    return grow(Frontier(), [leaf_hash(b"%d" % number) for number in range(size)])


def register(house: House, number: int) -> Any:
    return perform(house, equipment.RegisterEquipment(dice=(f"d{number}",)), f"register-{number}")


def test_a_checkpoint_follows_ten_records_a_closed_table_and_the_end(
    opened: Callable[[], Pit], sealing: Sealing
) -> None:
    pit = opened()
    for number in range(25):
        register(pit.house, number)
    assert sizes(sealing) == [0, 10, 20]  # the first one stands for the empty log
    pit.fund()
    pit.publish("craps", "double-odds")
    table = {"table": "c", "game": "craps", "schedule": "double-odds", "opener_minor": 100, "dice": ("d1", "d2")}
    pit.do(tables.OpenTable(**table))
    assert sizes(sealing)[-1] < 30
    pit.do(tables.CloseTable(table="c"))
    with pit.house.read() as connection:
        count = connection.execute(text("SELECT COUNT(*) FROM record")).scalar_one()
    assert sizes(sealing)[-1] == count
    register(pit.house, 25)
    assert sizes(sealing)[-1] == count
    pit.house.close()
    assert sizes(sealing)[-1] == count + 1


def test_a_checkpoint_follows_after_so_many_seconds_with_something_new(sealing: Sealing) -> None:
    now = [0.0]
    seal = Seal(sealing, now_s=lambda: now[0])
    seal.resume()
    for at_s, size in ((0, 0), (1, 1), (3599, 2), (3600, 2), (3601, 3), (7200, 3), (90_000, 3)):
        now[0] = at_s
        seal(edge(size), False)
    assert sizes(sealing) == [0, 2, 3]


def test_a_house_that_lost_its_checkpoints_does_not_open_and_a_new_key_is_told_of(
    opened: Callable[[], Pit], sealing: Sealing, caplog: pytest.LogCaptureFixture
) -> None:
    """Else a tail could be cut off with the checkpoints that know of it, and the house would sign what is left."""
    pit = opened()
    register(pit.house, 0)
    pit.house.close()
    sealing.checkpoints.unlink()
    with pytest.raises(HistoryBroken, match="1 records, and no checkpoint"):
        opened()
    for file in (sealing.key, sealing.public):
        file.unlink()
    opened().house.close()
    assert "signs a history of 1 records from here" in caplog.text
    assert sizes(sealing) == [1]


def test_an_idle_house_signs_what_is_left(sqlite_url: str, clock: Clock, tmp_path: Path) -> None:
    """The writer asks again after the second has passed; polled, for up to twenty seconds."""
    sealing = Sealing(place=tmp_path / "house", name=NAME, records=1000, seconds=1)
    with open_house(sqlite_url, clock=clock, sealing=sealing) as house:
        register(house, 0)
        for _ in range(200):
            if sizes(sealing)[-1] == 1:
                break
            time.sleep(0.1)
        assert sizes(sealing)[-1] == 1


def test_the_key_is_made_once_for_its_owner_alone(opened: Callable[[], Pit], sealing: Sealing) -> None:
    opened().house.close()
    assert sealing.key.stat().st_mode & 0o777 == 0o600
    made = sealing.key.read_bytes()
    opened().house.close()
    assert sealing.key.read_bytes() == made
    assert [path.name for path in sorted(sealing.place.parent.iterdir())] == [
        "house.checkpoints",
        "house.key",
        "house.pub",
        "house.tokens",
    ]
    sealing.key.chmod(0o640)
    with pytest.raises(ValueError, match="chmod 600"):
        opened()


def test_a_note_that_was_cut_short_is_cut_off_and_the_next_one_stands_alone(
    opened: Callable[[], Pit], sealing: Sealing
) -> None:
    pit = opened()
    register(pit.house, 0)
    pit.house.close()
    assert sizes(sealing) == [0, 1]
    whole = sealing.checkpoints.read_bytes()
    note = last_note(sealing.checkpoints)
    assert note is not None
    for cut in range(1, len(note.encode()) + 1):
        sealing.checkpoints.write_bytes(whole[:-cut])
        assert sizes(sealing) == [0]
        assert last_note(sealing.checkpoints) == notes(sealing.checkpoints)[-1]
    sealing.checkpoints.write_bytes(whole[:-40])
    opened().house.close()
    assert sealing.checkpoints.read_bytes() == whole  # Ed25519 signs the same bytes the same way


def test_a_file_that_cannot_be_written_stops_no_play(opened: Callable[[], Pit], sealing: Sealing) -> None:
    pit = opened()
    sealing.checkpoints.unlink()
    sealing.checkpoints.mkdir()
    for number in range(12):
        register(pit.house, number)
    sealing.checkpoints.rmdir()
    register(pit.house, 12)
    assert sizes(sealing) == [13]
    pit.house.close()


EDITS = {
    "b01 the last records are gone": ("DELETE FROM record WHERE number >= 11", "has 11 records and 13 were signed"),
    "b02 all records are gone": ("DELETE FROM record", "has 0 records and 13 were signed"),
    "a record in the middle is gone": ("DELETE FROM record WHERE number = 4", "has 12 records and 13 were signed"),
    "b10 a body is edited, its hash left": (
        "UPDATE record SET body = replace(body, 'd5', 'dX') WHERE number = 5",
        "record 5 is not as it was sealed",
    ),
    "a hash is edited": ("UPDATE record SET leaf = replace(leaf, '0', '1') WHERE number = 5", "not those that were"),
    "a column is edited": ("UPDATE record SET kind = 'cage' WHERE number = 5", "record 5 is not as it was sealed"),
}


@pytest.mark.parametrize("what", EDITS)
def test_a_house_does_not_open_on_another_history(
    opened: Callable[[], Pit], sealing: Sealing, sqlite_url: str, what: str
) -> None:
    pit = opened()
    for number in range(13):
        register(pit.house, number)
    pit.house.close()
    statement, message = EDITS[what]
    edit(sqlite_url, statement)
    with pytest.raises(HistoryBroken, match=message):
        opened()
    inspected = inspect_house(sqlite_url, sealing)
    assert reports.check(inspected).discrepancies
    inspected.close()


def test_a_house_does_not_open_on_an_older_copy_or_a_fork_of_itself(
    opened: Callable[[], Pit], sealing: Sealing, sqlite_url: str, tmp_path: Path
) -> None:
    pit = opened()
    register(pit.house, 0)
    pit.house.close()
    file, older = tmp_path / "house.db", tmp_path / "older.db"
    shutil.copy(file, older)
    pit = opened()
    register(pit.house, 1)
    pit.house.close()
    shutil.copy(older, file)
    with pytest.raises(HistoryBroken, match="has 1 records and 2 were signed"):
        opened()
    with open_house(sqlite_url, clock=pit.clock) as unsigned:  # the copy goes on without the checkpoints: a fork
        for number in range(2, 9):
            register(unsigned, number)
    with pytest.raises(HistoryBroken, match="not those that were signed"):
        opened()


def test_a_house_does_not_open_beside_another_key_to_check_with(opened: Callable[[], Pit], sealing: Sealing) -> None:
    opened().house.close()
    sealing.public.write_text(f"{private_key(NAME, bytes(32)).public}\n", encoding="ascii")
    with pytest.raises(ValueError, match=rf"{sealing.public.name} must be {NAME}.+, which checks what"):
        opened()
    sealing.public.unlink()
    opened().house.close()


def test_a_house_does_not_open_with_another_key_or_none(opened: Callable[[], Pit], sealing: Sealing) -> None:
    opened().house.close()
    key = sealing.key.read_text()
    sealing.key.write_text(f"{private_key(NAME, b'?' * 32)}\n")
    with pytest.raises(HistoryBroken, match="signed by a known key"):
        opened()
    sealing.key.write_text(f"{private_key('other.example', b'?' * 32)}\n")
    with pytest.raises(ValueError, match=r"must be the key of test\.example/history"):
        opened()
    sealing.key.unlink()
    with pytest.raises(HistoryBroken, match="is not there"):
        opened()
    sealing.key.touch(0o600)
    sealing.key.write_text("nonsense")
    with pytest.raises(ProofError, match="PRIVATE"):
        opened()
    sealing.key.write_text(key)
    opened().house.close()


def test_a_house_that_is_only_read_shows_its_last_checkpoint_and_writes_nothing(
    opened: Callable[[], Pit], sealing: Sealing, sqlite_url: str
) -> None:
    pit = opened()
    register(pit.house, 0)
    pit.house.close()
    whole = sealing.checkpoints.read_text() + "half a"
    sealing.checkpoints.write_text(whole)
    with inspect_house(sqlite_url, sealing) as inspected:
        assert proofs.checkpoint(inspected).size == 1
    assert sealing.checkpoints.read_text() == whole


def test_a_checkpoint_that_was_changed_stops_the_house_and_is_named_by_the_check(
    opened: Callable[[], Pit], sealing: Sealing, sqlite_url: str
) -> None:
    pit = opened()
    register(pit.house, 0)
    pit.house.close()
    whole = sealing.checkpoints.read_text()
    sealing.checkpoints.write_text(whole.replace("\n1\n", "\n2\n"))
    with pytest.raises(HistoryBroken, match="does not hold"):
        opened()
    with inspect_house(sqlite_url, sealing) as inspected:
        found = reports.check(inspected).discrepancies
    assert [(one.invariant, one.where) for one in found] == [
        ("the history leads to its signed checkpoints", "checkpoints")
    ]


def test_an_unsigned_house_has_no_checkpoint_and_says_so(sqlite_pit: Pit) -> None:
    with pytest.raises(Refused, match="signed no checkpoint"):
        proofs.checkpoint(sqlite_pit.house)
