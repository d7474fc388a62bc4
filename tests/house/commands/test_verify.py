"""`floorman export FOLDER` and `floorman verify FOLDER`: exit codes, and what is said."""

import json
from pathlib import Path

import pytest

from tests.house.commands.conftest import Run


@pytest.fixture
def url(tmp_path: Path, run: Run) -> str:
    """A house with its shipped schedules in the history, signed when it closed."""
    made = f"sqlite:///{tmp_path / 'house.db'}"
    assert run("db", "init", "--database", made)[0] == 0
    return made


def test_an_export_verifies_with_the_public_key_alone(run: Run, url: str, tmp_path: Path) -> None:
    folder, key = tmp_path / "out", tmp_path / "house.db.pub"
    code, out, _ = run("export", folder, "--database", url, "--json")
    exported = json.loads(out)
    assert (code, exported["folder"]) == (0, str(folder))
    for name in ("house.db", "house.db.key", "house.db.checkpoints"):
        (tmp_path / name).unlink()
    code, out, _ = run("verify", folder, "--key", key, "--json")
    found = json.loads(out)
    assert (code, found["holds"], found["records"]) == (0, True, exported["records"])
    code, out, _ = run("verify", folder, "--key", key)
    assert code == 0
    assert f"{exported['records']} records are as signed" in out


def test_a_changed_record_is_code_1_and_named(run: Run, url: str, tmp_path: Path) -> None:
    folder, key = tmp_path / "out", tmp_path / "house.db.pub"
    run("export", folder, "--database", url)
    file = folder / "records.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"version":1', b'"version":2')
    file.write_bytes(b"".join(lines))
    code, out, _ = run("verify", folder, "--key", key, "--checkpoint", folder / "checkpoints")
    assert (code, "record 4 is not the record that was signed" in out) == (1, True)


def test_what_cannot_be_verified_is_code_2(run: Run, url: str, tmp_path: Path) -> None:
    folder, key = tmp_path / "out", tmp_path / "house.db.pub"
    run("export", folder, "--database", url)
    wrong = tmp_path / "wrong.pub"
    wrong.write_text("nonsense")
    assert run("verify", folder, "--key", wrong)[0] == 2
    assert run("verify", folder, "--key", tmp_path / "nowhere")[0] == 2
    assert run("verify", tmp_path / "nowhere", "--key", key)[0] == 2
    (folder / "records.jsonl").unlink()
    code, _, err = run("verify", folder, "--key", key)
    assert (code, "records.jsonl" in err) == (2, True)


def test_a_history_is_exported_as_a_whole_and_into_a_new_folder(run: Run, url: str, tmp_path: Path) -> None:
    code, _, err = run("export", tmp_path / "out", "--database", url, "--table", "c1")
    assert (code, "--table" in err) == (2, True)
    assert run("export", tmp_path / "out", "--database", url)[0] == 0
    code, _, err = run("export", tmp_path / "out", "--database", url)
    assert (code, "new or empty" in err) == (2, True)


def test_db_check_names_what_a_house_would_not_open_on(run: Run, url: str, tmp_path: Path) -> None:
    assert run("db", "check", "--database", url)[0] == 0
    signed = tmp_path / "house.db.checkpoints"
    signed.write_text(signed.read_text().replace("\n10\n", "\n11\n"))
    code, out, _ = run("db", "check", "--database", url)
    assert (code, "signed checkpoints" in out) == (1, True)
    code, _, err = run("db", "init", "--database", url)
    assert (code, "house.db.checkpoints" in err) == (2, True)
