"""An open house: the writer, the readers, the clock and chance; opened to work, or to be inspected only."""

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from threading import Lock
from typing import Any, Self, TypeVar

from sqlalchemy import Connection

from house.domain.gaming_day import GamingDays
from house.domain.inspections import DEFAULT, Rules
from house.domain.ledger import HOUSE_ACCOUNTS
from house.domain.watching import DEFAULT as DEFAULT_WATCHING
from house.domain.watching import Watching
from house.service import history, tokens
from house.service.checkpoints import Seal, Sealing
from house.service.in_flight import InFlight
from house.store import database, house, ledger, records
from house.store.unit_of_work import Unit
from house.store.writer import Writer

log = logging.getLogger("floorman.house")

FoundT = TypeVar("FoundT")


def utc_now() -> datetime:
    """Return the wall clock's time in UTC."""
    return datetime.now(UTC)


class House:
    """An open house: the writer, the readers, the clock and chance. Made by `open_house`; a context manager."""

    def __init__(
        self,
        url: str,
        clock: Callable[[], datetime],
        entropy: Callable[[int], bytes],
        days: GamingDays,
        queue_limit: int,
        *,
        seal: Seal | None,
        equipment: Rules = DEFAULT,
        watching: Watching | None = None,
    ) -> None:
        self._write_engine = database.write_engine(url)
        self._read_engine = database.read_engine(url)
        self.file = database.file_of(self._read_engine)
        """The database's file, None for a database of a server."""
        self._glancing = Lock()
        self._kept: Connection | None = None
        self._clock = clock
        self._days = days
        self._limit = queue_limit
        self._writer: Writer | None = None
        self.seal = seal
        """The signed checkpoints of the history, if the house makes them."""
        self.entropy = entropy
        """Gives as many bytes as asked that nobody can foretell: seeds of the house's generator."""
        self.secret = secrets.token_bytes(tokens.SECRET_BYTES)
        """Signs what the house gives to those who sign in; lasts as long as the house is open where it has no file."""
        self.in_flight = InFlight()
        """Idempotency keys whose first call is not answered yet."""
        self.equipment, self.watching = equipment, watching
        """Rules for dice and boxes; how the dice are watched, None where they are not."""
        self.schedules: dict[str, Any] = {}
        """Schedules in use, by fingerprint, as `schedules.of` reads them from the database."""

    def start(self, currency: str) -> None:
        """Bring the schema up to date, check that house and history are the same ones, and start the writer."""
        database.upgrade(self._write_engine)
        seal = self.seal
        if seal is not None:
            seal.resume()
            self.secret = tokens.open_secret(seal.sealing.secret)
        with self.read() as connection:
            history.check_end(connection, None if seal is None or seal.last is None else seal.last[1])
            if seal is not None:
                seal.check_signed(records.count(connection))
        patience_s = None if seal is None else seal.sealing.seconds
        self._writer = Writer(
            self._write_engine, self._clock, self._days, self._limit, seal=seal, patience_s=patience_s
        )
        self._writer.submit(lambda unit: _settle(unit, currency, self._days)).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def now(self) -> datetime:
        """The house's time, aware, in UTC."""
        return self._clock()

    @property
    def writer(self) -> Writer:
        """The single writer."""
        assert self._writer is not None, "the house is not open, or open to be inspected only"
        return self._writer

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Read one state of the database."""
        with self._read_engine.begin() as connection:
            yield connection

    def glance(self, ask: Callable[[Connection], FoundT]) -> FoundT:
        """Read with one prepared statement, which sees one state of the database by itself.

        A file is asked on one connection that is kept, by one thread after another: to borrow one and begin a
        transaction on it costs many times what the statement does.
        """
        if self.file is None:
            with self.read() as connection:
                return ask(connection)
        with self._glancing:
            if self._kept is None or self._kept.closed or self._kept.invalidated:
                self._kept = self._read_engine.connect()
            return ask(self._kept)

    def gaming_day(self) -> str:
        """The gaming day that it is, YYYY-MM-DD."""
        return self._days.of(self._clock()).isoformat()

    def end_of(self, gaming_day: str) -> datetime:
        """The first moment that is no more of a gaming day (YYYY-MM-DD), or now if it is not over."""
        if gaming_day >= self.gaming_day():
            return self.now()
        return self._days.end(date.fromisoformat(gaming_day))

    def sign(self) -> None:
        """Have the history signed as it stands, where it is and the house is open."""
        if self._writer is not None and self.seal is not None:
            self._writer.submit(_want_checkpoint).result()

    def close(self) -> None:
        """Finish the commands that were taken, keep what was derived, refuse new ones, and let the database go."""
        if self._writer is not None:
            if self._writer.alive and self._writer.memory:
                self._keep(self._writer)
            self._writer.close()
        with self._glancing:
            if self._kept is not None:
                self._kept.close()
        self._write_engine.dispose()
        self._read_engine.dispose()

    def _keep(self, writer: Writer) -> None:
        """Keep what commands derived, so that the next opening need not derive it again; without it, it does."""
        try:
            writer.submit(_keep_derived).result()
        except Exception as error:  # the database may be gone; nothing that was acknowledged depends on this
            log.warning("the monitors were not kept: %s", type(error).__name__)


def _keep_derived(unit: Unit) -> None:
    with unit.savepoint():
        for sets in unit.memory.values():
            for derived in sets:
                derived.keep(unit)


def _want_checkpoint(unit: Unit) -> None:
    unit.checkpoint_wanted = True


def _settle(unit: Unit, currency: str, days: GamingDays) -> None:
    """Note what the house is, and open its own accounts."""
    with unit.savepoint():
        house.settle(unit, currency, days)
        present = {balance.account for balance in ledger.balances(unit.connection)}
        ledger.open_accounts(unit, [account for account in HOUSE_ACCOUNTS if account.name not in present])


def open_house(
    url: str,
    *,
    clock: Callable[[], datetime] = utc_now,
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    zone: str = "UTC",
    cut_over_hour: int = 6,
    currency: str = "USD",
    queue_limit: int = 1024,
    sealing: Sealing | None = None,
    equipment: Rules = DEFAULT,
    watching: Watching | None = DEFAULT_WATCHING,
) -> House:
    """Open the house on a database, bringing its schema up to date.

    Parameters
    ----------
    url
        `sqlite:////path/to/file.db` or `postgresql://...`.
    clock
        Gives the time of each command, aware, in UTC.
    entropy
        Gives bytes for the seeds of the house's generator. Anything but `secrets.token_bytes` is for tests.
    zone, cut_over_hour
        The gaming day: named zone and the hour, 0..23, at which a new one begins.
    queue_limit
        Commands that may wait for the writer before `HouseBusy`.
    sealing
        Where and how often the history is signed; without it, it is not.
    equipment
        Rules for dice and boxes.
    watching
        The budget of false alarms of the live laboratory; None to watch nothing.

    Raises
    ------
    HistoryBroken
        When the history is not the one that was signed last.
    ValueError
        For an unknown zone, an hour outside 0..23, or a database of another currency.
    """
    seal = None if sealing is None else Seal(sealing)
    days = GamingDays(zone, cut_over_hour)
    opened = House(url, clock, entropy, days, queue_limit, seal=seal, equipment=equipment, watching=watching)
    try:
        opened.start(currency)
    except BaseException:
        opened.close()
        raise
    return opened


def inspect_house(url: str, sealing: Sealing | None = None) -> House:
    """Open a house to be read and checked only, whatever state its history is in; nothing is written.

    Raises
    ------
    HistoryBroken
        When there are checkpoints and no key.
    """
    signed = sealing is not None and (sealing.key.exists() or sealing.checkpoints.exists())
    seal = Seal(sealing) if sealing is not None and signed else None
    if seal is not None:
        seal.look()
    return House(url, utc_now, secrets.token_bytes, GamingDays("UTC", 0), 0, seal=seal)
