"""Copies of a house while it runs, and a house made from a copy, which is checked before it is called one.

A copy is the database as it is at one moment, and beside it the checkpoints signed until then and the key that checks
them. The key that signs is no part of it: it never changes, and whoever had both could sign another past.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, create_engine, inspect, make_url
from sqlalchemy.exc import SQLAlchemyError

from house.service import history
from house.service.checkpoints import HistoryBroken, Sealing, notes
from house.service.desk import inspect_house
from house.store import checks, database
from house.store.checks import Discrepancy
from integrity.errors import ProofError
from integrity.proof.notes import Checkpoint, open_checkpoint, read_public_key


class BackupError(ValueError):
    """A copy could not be made, or what was asked to be restored is none."""


def backup(url: str, sealing: Sealing, file: Path) -> int:
    """Copy a house to a file, and its checkpoints and public key beside it, while it may be running.

    What stands under that name already is replaced once the copy is whole.

    Returns
    -------
    int
        Records in the copy.

    Raises
    ------
    BackupError
        When the copy cannot be made, is not sound, or would replace a file of the house itself.
    """
    _check_apart(url, sealing, file)
    made = file.with_name(f".{file.name}.part")
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = {ending: source.read_bytes() for ending, source in _beside(sealing).items() if source.exists()}
    try:
        records = _copy_sqlite(make_url(url), made) if _is_sqlite(url) else _dump(make_url(url), made)
        for ending, content in beside.items():
            _write(file.with_name(file.name + ending), content)
        made.replace(file)
    finally:
        made.unlink(missing_ok=True)
    return records


def _check_apart(url: str, sealing: Sealing, file: Path) -> None:
    """Check that no file of the house would be replaced by its copy: its key is nowhere else."""
    own = {sealing.key, sealing.secret, *_beside(sealing).values()}
    own |= set(_files(make_url(url))) if _is_sqlite(url) else set()
    copies = {file, *(file.with_name(file.name + ending) for ending in _beside(sealing))}
    if {one.resolve() for one in own} & {one.resolve() for one in copies}:
        raise BackupError(f"{file} must be apart from the files of the house itself: choose another name or folder")


def _beside(sealing: Sealing) -> dict[str, Path]:
    """Files of the checkpoints that belong into a copy, read before the database: so it holds what they sign."""
    return {".checkpoints": sealing.checkpoints, ".pub": sealing.public}


def _is_sqlite(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


def _write(file: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    made = file.with_name(f".{file.name}.part")
    with made.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    made.replace(file)


def _copy_sqlite(url: URL, made: Path) -> int:
    """Copy a SQLite database by its own means: one state of it, whatever is written meanwhile."""
    made.unlink(missing_ok=True)
    database.make_private(made)
    source = f"{Path(url.database or '').resolve().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(source, uri=True)) as here, closing(sqlite3.connect(made)) as there:
            here.execute("BEGIN")
            count = here.execute("SELECT COUNT(*) FROM record").fetchone()[0]  # from here on it sees one state
            here.backup(there, pages=-1)
            there.execute("PRAGMA journal_mode = DELETE")
            found = there.execute("PRAGMA quick_check").fetchone()[0]
    except sqlite3.Error as error:
        raise BackupError(f"{url.database} could not be copied: {error}") from error
    if found != "ok":
        raise BackupError(f"the copy of {url.database} is not sound: {found}")
    return int(count)


def _dump(url: URL, made: Path) -> int:
    """Dump a PostgreSQL database by its own tool, in the state that we see too."""
    database.make_private(made)
    with _reading(url) as connection:
        seen = connection.exec_driver_sql("SELECT pg_export_snapshot(), COUNT(*) FROM record").one()
        words = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={seen[0]}", f"--file={made}")
        _tool(url, "pg_dump", *words)
    return int(seen[1])


def _tool(url: URL, name: str, *words: str) -> None:
    """Run a tool of PostgreSQL on a database; its password goes by the environment."""
    found = shutil.which(name)
    if found is None:
        advice = "install the client tools of PostgreSQL, in the server's version or a newer one, and put them on PATH"
        raise BackupError(f"{name} is not there: {advice}")
    where = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username, "PGPASSWORD": url.password}
    options = {f"PG{key.upper()}": value for key, value in url.query.items() if key in ("sslmode", "sslrootcert")}
    set_ = {key: str(value) for key, value in (where | options).items() if value}
    command = [found, f"--dbname={url.database}", *words]
    done = subprocess.run(command, env={**os.environ, **set_}, check=False, capture_output=True, text=True)
    if done.returncode:
        raise BackupError(f"{name} failed: {(done.stderr.strip().splitlines() or ['it did not say why'])[-1]}")


@contextmanager
def _reading(url: URL) -> Iterator[Connection]:
    engine = create_engine(url, isolation_level="REPEATABLE READ")
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def unsigned(file: Path) -> str | None:
    """Say what a copy lacks to be held against what was signed; None where nothing is missing."""
    for ending in (".checkpoints", ".pub"):
        beside = file.with_name(file.name + ending)
        if not beside.is_file() or not beside.read_bytes().strip():
            return f"{beside} is {'empty' if beside.is_file() else 'missing'}, so the history of the copy is not signed"
    return None


def restore(file: Path, url: str, sealing: Sealing, *, unproved: bool = False) -> tuple[Discrepancy, ...]:
    """Make a house from a copy where none is, and check it: its history against its checkpoints, and its books.

    Parameters
    ----------
    url
        Of a SQLite file that is not there, or of an empty PostgreSQL database.
    sealing
        Where its checkpoints shall be. Put the key that signs there before the house is opened.
    unproved
        Whether to take a copy that is `unsigned`: its history is then held against itself and its books alone, which
        whoever could write to the copy could make anew.

    Returns
    -------
    tuple
        What does not hold; then nothing is left of what was made in a SQLite file's place.

    Raises
    ------
    BackupError
        When there is a house already, the file is no copy of one, or it is `unsigned`.
    """
    if not file.is_file():
        raise BackupError(f"{file} must be a copy made by floorman db backup, there is no such file")
    target = make_url(url)
    _check_free(target, sealing)
    if _is_sqlite(url):
        _check_copy(file)
    if not unproved and (lacks := unsigned(file)):
        advice = "put beside the copy what was made with it, or take it as it is with --unsigned"
        raise BackupError(f"{lacks} and cannot be compared with what was signed: {advice}")
    if _is_sqlite(url):
        place = Path(target.database or "")
        place.parent.mkdir(parents=True, exist_ok=True)
        database.make_private(place)
        shutil.copyfile(file, place)
    else:
        _tool(target, "pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", str(file.resolve()))
    sealing.place.parent.mkdir(parents=True, exist_ok=True)
    for ending, there in _beside(sealing).items():
        if (source := file.with_name(file.name + ending)).is_file():
            _write(there, source.read_bytes())
    found: tuple[Discrepancy, ...] | None = None
    try:
        found = tuple(_check(url, sealing))
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise BackupError(f"{file} is not sound: {type(error).__name__}") from error
    finally:
        if found != () and _is_sqlite(url):
            for made in (*_files(target), *_beside(sealing).values()):
                made.unlink(missing_ok=True)
    return found


def _files(target: URL) -> tuple[Path, ...]:
    """The file of a SQLite database and those that SQLite keeps beside it, which it would take for its own."""
    file = Path(target.database or "")
    return (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm", "-journal")))


def _check_copy(file: Path) -> None:
    """Check that a file is a SQLite database with a history."""
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("SELECT COUNT(*) FROM record").fetchone()
    except sqlite3.Error as error:
        raise BackupError(f"{file} is no copy of a house: {error}") from error


def _check_free(target: URL, sealing: Sealing) -> None:
    """Check that nothing is overwritten."""
    for there in (sealing.checkpoints, *(_files(target) if _is_sqlite(str(target)) else ())):
        if there.exists():
            raise BackupError(f"{there} is there already: restoring overwrites nothing, move it away first")
    if not _is_sqlite(str(target)):
        with _reading(target) as connection:
            tables = inspect(connection).get_table_names()
        if tables:
            raise BackupError(f"the database {target.database} holds {len(tables)} tables already: it must be empty")


def _check(url: str, sealing: Sealing) -> Iterator[Discrepancy]:
    """Find what does not hold of what was restored."""
    try:
        signed = _signed(sealing)
    except (HistoryBroken, ProofError) as error:
        yield Discrepancy(invariant=history.AS_SIGNED, where="checkpoints", found=str(error), due="signed")
        return
    engine = database.write_engine(url)
    try:
        database.upgrade(engine)
    finally:
        engine.dispose()
    with inspect_house(url) as house, house.read() as connection:
        yield from history.breaches(connection, signed)
        yield from checks.breaches(connection)


def _signed(sealing: Sealing) -> Sequence[Checkpoint]:
    if not (sealing.checkpoints.exists() and sealing.public.exists()):
        return ()
    key = read_public_key(sealing.public.read_text(encoding="ascii"))
    return [open_checkpoint(note, [key], sealing.name) for note in notes(sealing.checkpoints)]
