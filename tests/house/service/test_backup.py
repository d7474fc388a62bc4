"""Copies of a house that is being written to, and houses made from them: sound, or refused."""

import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from house.service import cage, reports
from house.service.backup import BackupError, backup, restore
from house.service.checkpoints import Sealing
from house.service.desk import House, inspect_house, open_house, perform
from tests.house.pits import drop_database, new_database, server_binaries

NAME = "test.example/history"


def sealed(folder: Path) -> Sealing:
    return Sealing(place=folder / "house", name=NAME, records=7, seconds=3600)


@pytest.fixture
def tools(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client tools of PostgreSQL, of the tests' server."""
    if "postgresql" in request.node.name:
        monkeypatch.setenv("PATH", str(server_binaries(tmp_path)), prepend=":")


@pytest.fixture
def another_url(request: pytest.FixtureRequest, migrated_url: str, tmp_path: Path) -> Iterator[str]:
    """URL of a second database of the same kind, where nothing is."""
    if migrated_url.startswith("sqlite"):
        yield f"sqlite:///{tmp_path / 'restored' / 'house.db'}"
        return
    url = new_database(request.getfixturevalue("postgresql_server"))
    yield url
    drop_database(url)


def fund(house: House, count: int, name: str) -> None:
    for number in range(count):
        perform(house, cage.FundHouse(amount_minor=1), f"{name}-{number}")


@pytest.mark.usefixtures("tools")
def test_r20_a_copy_made_under_load_is_a_house_that_holds(migrated_url: str, another_url: str, tmp_path: Path) -> None:
    file = tmp_path / "copies" / "house.copy"
    with open_house(migrated_url, sealing=sealed(tmp_path / "signed")) as house:
        fund(house, 30, "before")
        done = threading.Event()

        def load() -> None:
            while not done.is_set():
                fund(house, 1, f"load-{house.writer.size}")

        thread = threading.Thread(target=load)
        thread.start()
        while house.writer.size < 33:
            time.sleep(0.001)
        try:
            count = backup(migrated_url, sealed(tmp_path / "signed"), file)
        finally:
            done.set()
            thread.join()
        fund(house, 5, "after")
        assert 30 < count < house.writer.size
    assert {one.name for one in file.parent.iterdir()} == {"house.copy", "house.copy.checkpoints", "house.copy.pub"}
    assert restore(file, another_url, sealed(tmp_path / "again")) == ()
    with inspect_house(another_url) as house:
        assert house.seal is None
        checked = reports.check(house)
    assert (checked.records, checked.discrepancies) == (count, ())


@pytest.mark.usefixtures("tools")
def test_a_restored_house_goes_on_where_its_key_is_put_beside_it(
    migrated_url: str, another_url: str, tmp_path: Path
) -> None:
    first, again, file = sealed(tmp_path / "signed"), sealed(tmp_path / "again"), tmp_path / "house.copy"
    with open_house(migrated_url, sealing=first) as house:
        fund(house, 10, "before")
        backup(migrated_url, first, file)
    assert restore(file, another_url, again) == ()
    shutil.copy(first.key, again.key)
    with open_house(another_url, sealing=again) as house:
        fund(house, 10, "after")
        assert reports.check(house).discrepancies == ()


def test_nothing_is_overwritten(migrated_url: str, tmp_path: Path) -> None:
    file = tmp_path / "house.copy"
    file.write_bytes(b"")
    with open_house(migrated_url, sealing=sealed(tmp_path / "signed")) as house:
        fund(house, 1, "before")
    for sealing in (sealed(tmp_path / "signed"), sealed(tmp_path / "free")):
        with pytest.raises(BackupError, match=r"already"):
            restore(file, migrated_url, sealing)
    with inspect_house(migrated_url) as house:
        assert reports.check(house).discrepancies == ()


@pytest.fixture
def copied(sqlite_url: str, tmp_path: Path) -> Path:
    file = tmp_path / "copies" / "house.copy"
    with open_house(sqlite_url, sealing=sealed(tmp_path / "signed")) as house:
        fund(house, 20, "before")
        backup(sqlite_url, sealed(tmp_path / "signed"), file)
    return file


def edit_record(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TRIGGER record_no_update")
        connection.execute("UPDATE record SET body = REPLACE(body, 'before', 'beyond') WHERE number = 4")
        connection.execute("""UPDATE record SET body = REPLACE(body, '"v":1', '"v":2') WHERE number = 4""")
        connection.commit()


def cut_tail(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for name in ("record_no_delete", "entry_no_delete", "posting_no_delete"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM posting WHERE seq > 9")
        connection.execute("DELETE FROM entry WHERE seq > 9")
        connection.execute("DELETE FROM record WHERE number > 9")
        connection.commit()


def other_key(file: Path) -> None:
    other = Sealing(place=file.parent / "other", name=NAME)
    with open_house(f"sqlite:///{file.parent / 'other.db'}", sealing=other):
        shutil.copy(other.public, file.with_name(file.name + ".pub"))


@pytest.mark.parametrize("spoil", [edit_record, cut_tail, other_key], ids=lambda spoil: spoil.__name__)
def test_a_copy_that_does_not_hold_is_named_and_leaves_no_house(copied: Path, tmp_path: Path, spoil: Any) -> None:
    spoil(copied)
    there = tmp_path / "restored"
    found = restore(copied, f"sqlite:///{there / 'house.db'}", sealed(there))
    assert found
    assert list(there.iterdir()) == []


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_what_another_house_left_beside_its_file_is_not_taken_into_a_restored_one(
    copied: Path, tmp_path: Path, ending: str
) -> None:
    left = tmp_path / f"restored.db{ending}"
    left.write_bytes(b"of another")
    with pytest.raises(BackupError, match="already"):
        restore(copied, f"sqlite:///{tmp_path / 'restored.db'}", sealed(tmp_path / "free"))
    assert left.read_bytes() == b"of another"


def test_nothing_is_left_of_a_copy_that_cannot_be_read_or_that_a_newer_floorman_made(
    copied: Path, tmp_path: Path
) -> None:
    there = tmp_path / "restored"
    with closing(sqlite3.connect(copied)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(ValueError, match="newer"):
        restore(copied, f"sqlite:///{there / 'house.db'}", sealed(there))
    assert list(there.iterdir()) == []
    content = bytearray(copied.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    copied.write_bytes(content)
    with pytest.raises(BackupError, match=r"not sound|no copy"):
        restore(copied, f"sqlite:///{there / 'house.db'}", sealed(there))
    assert not there.exists() or list(there.iterdir()) == []


def test_a_copy_and_a_restored_house_are_their_owners_alone(copied: Path, tmp_path: Path) -> None:
    there = tmp_path / "restored"
    assert restore(copied, f"sqlite:///{there / 'house.db'}", sealed(there)) == ()
    assert {file.stat().st_mode & 0o077 for file in (copied, there / "house.db")} == {0}


def test_a_file_that_is_no_database_is_refused(tmp_path: Path, sqlite_url: str) -> None:
    file = tmp_path / "text.copy"
    with pytest.raises(BackupError, match="no such file"):
        restore(file, sqlite_url, sealed(tmp_path / "free"))
    file.write_text("no database" * 100)
    with pytest.raises(BackupError, match="no copy"):
        restore(file, sqlite_url, sealed(tmp_path / "free"))
    assert not Path(sqlite_url.removeprefix("sqlite:///")).exists()


def test_a_copy_takes_the_place_of_an_older_one_only_when_it_is_whole(copied: Path, tmp_path: Path) -> None:
    before = copied.read_bytes()
    with pytest.raises(BackupError):
        backup(f"sqlite:///{tmp_path / 'nothing.db'}", sealed(tmp_path / "signed"), copied)
    assert copied.read_bytes() == before
    assert not [one for one in copied.parent.iterdir() if one.name.endswith(".part")]


def test_without_the_tools_of_postgresql_the_advice_is_given(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_house(postgresql_url):
        pass
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump is not there: install"):
        backup(postgresql_url, sealed(tmp_path), tmp_path / "house.copy")
