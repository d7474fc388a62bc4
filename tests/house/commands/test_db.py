"""`floorman db`: copies, houses from copies, and the schema brought up to date."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def database(tmp_path: Path, run: Any) -> str:
    """A house with the shipped schedules."""
    url = f"sqlite:///{tmp_path / 'house.db'}"
    assert run("db", "init", "--database", url)[0] == 0
    return url


def test_a_copy_is_restored_and_served_again(tmp_path: Path, run: Any, database: str) -> None:
    copy, other = tmp_path / "copies" / "house.copy", f"sqlite:///{tmp_path / 'other' / 'house.db'}"
    code, said, _ = run("db", "backup", str(copy), "--database", database, "--json")
    records = json.loads(said)["records"]
    assert (code, records > 0) == (0, True)
    code, said, _ = run("db", "restore", str(copy), "--database", other, "--json")
    assert (code, json.loads(said)["discrepancies"]) == (0, [])
    shutil.copy(tmp_path / "house.db.key", tmp_path / "other" / "house.db.key")
    code, said, _ = run("db", "check", "--database", other, "--json")
    assert (code, json.loads(said)["records"]) == (0, records)
    code, _, error = run("db", "restore", str(copy), "--database", other)
    assert (code, "overwrites nothing" in error) == (2, True)


@pytest.mark.parametrize("ending", [".checkpoints", ".pub"])
def test_a_copy_whose_history_cannot_be_compared_is_restored_only_where_that_is_asked(
    tmp_path: Path, run: Any, database: str, ending: str
) -> None:
    copy, there = tmp_path / "house.copy", tmp_path / "other.db"
    assert run("db", "backup", str(copy), "--database", database)[0] == 0
    missing = copy.with_name(copy.name + ending)
    missing.unlink()
    code, _, error = run("db", "restore", str(copy), "--database", f"sqlite:///{there}")
    said = " ".join(error.split())
    assert (code, there.exists()) == (2, False)
    assert f"{missing.name} is missing, so the history of the copy is not signed" in said
    assert "--unsigned" in said
    code, answer, _ = run("db", "restore", str(copy), "--database", f"sqlite:///{there}", "--unsigned", "--json")
    assert (code, json.loads(answer)["discrepancies"]) == (0, [])
    assert missing.name in json.loads(answer)["unsigned"]
    if ending == ".checkpoints":
        code, answer, _ = run("db", "check", "--database", f"sqlite:///{there}", "--json")
        (fault,) = json.loads(answer)["discrepancies"]
        assert (code, fault["where"], fault["found"]) == (1, "checkpoints", "none")


@pytest.mark.parametrize("endings", [(".checkpoints",), (".checkpoints", ".key", ".pub")])
def test_who_takes_the_checkpoints_away_is_found(
    tmp_path: Path, run: Any, database: str, endings: tuple[str, ...]
) -> None:
    for ending in endings:
        (tmp_path / f"house.db{ending}").unlink()
    code, said, _ = run("db", "check", "--database", database, "--json")
    (fault,) = json.loads(said)["discrepancies"]
    assert (code, fault["where"], fault["found"], fault["due"]) == (1, "checkpoints", "none", "signed")


@pytest.mark.parametrize(
    "name", ["house.db", "house.db.key", "house.db.checkpoints", "house.db-wal", "house.db.tokens"]
)
def test_a_copy_never_replaces_a_file_of_its_house(tmp_path: Path, run: Any, database: str, name: str) -> None:
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    code, _, error = run("db", "backup", str(tmp_path / "." / name), "--database", database)
    assert (code, "apart from the files of the house" in error) == (2, True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_what_is_no_key_and_what_is_no_database_is_named(tmp_path: Path, run: Any, database: str) -> None:
    (tmp_path / "house.db.key").write_text("garbage")
    code, _, error = run("db", "check", "--database", database)
    assert (code, "house.db.key" in error) == (2, True)
    (tmp_path / "none.db").write_text("this is no database")
    code, _, error = run("db", "check", "--database", f"sqlite:///{tmp_path / 'none.db'}")
    assert (code, error) == (2, "floorman: the database cannot be used: file is not a database\n")


def test_a_database_is_its_owners_alone(database: str) -> None:
    assert Path(database.removeprefix("sqlite:///")).stat().st_mode & 0o077 == 0


def test_a_copy_that_does_not_hold_is_exit_code_one(tmp_path: Path, run: Any, database: str) -> None:
    copy = tmp_path / "house.copy"
    assert run("db", "backup", str(copy), "--database", database)[0] == 0
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("DROP TRIGGER record_no_update")
        connection.execute("""UPDATE record SET body = REPLACE(body, '"v":1', '"v":2') WHERE number = 1""")
        connection.commit()
    code, said, _ = run("db", "restore", str(copy), "--database", f"sqlite:///{tmp_path / 'other.db'}")
    assert code == 1
    assert "not restored" in said
    assert not (tmp_path / "other.db").exists()


def test_upgrade_says_from_where_to_where_and_refuses_a_database_that_is_not_there(
    tmp_path: Path, run: Any, database: str
) -> None:
    code, said, _ = run("db", "upgrade", "--database", database, "--json")
    versions = json.loads(said)
    assert (code, versions["before"]) == (0, versions["after"])
    code, _, error = run("db", "upgrade", "--database", f"sqlite:///{tmp_path / 'none.db'}")
    assert (code, "must be a file that exists" in error) == (2, True)


def test_a_newer_schema_is_refused_in_words(run: Any, database: str) -> None:
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    code, _, error = run("db", "upgrade", "--database", database)
    assert (code, "a newer Floorman made it" in error) == (2, True)
