"""One write transaction: the numbers that it gives out, the time of the command in hand, and who gave it."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.exc import InterfaceError, InternalError, OperationalError

from house.domain.gaming_day import GamingDays
from house.store import rows, tree
from house.store.prepared import Prepared, run
from integrity.proof.tree import Frontier

DATABASE_ERRORS = (OperationalError, InterfaceError, InternalError)
"""Errors that are the database's, not a command's."""

_ENTRY, _RECORD = rows.table(rows.EntryRow), rows.table(rows.RecordRow)
_LAST = Prepared(
    select(
        select(func.coalesce(func.max(_ENTRY.c.seq), -1)).scalar_subquery().label("entry"),
        select(func.coalesce(func.max(_RECORD.c.number), -1)).scalar_subquery().label("record"),
    )
)

_UNSETTLES = ("dice_event", "incident", "correction")
"""Kinds of records after which what was derived from those before may not be carried on; any other adds to it."""
_UNSETTLED = (
    select(_RECORD.c.number).where(_RECORD.c.number >= bindparam("size"), _RECORD.c.kind.in_(_UNSETTLES)).limit(1)
)


@dataclass(slots=True)
class Unit:
    """One write transaction, and the numbers that it gives out.

    Parameters
    ----------
    at
        Time of the command in hand, aware, in UTC.
    frontier
        The right edge of the history's tree, as an earlier unit left it; read from the database where it does not fit.
    memory
        What commands derived from the history, for those to come: by table, things with `keep(unit)`, which is called
        when the house closes. Replaced, never changed. What is not committed is forgotten, and all of it where another
        process wrote what `_UNSETTLES` it: it can be derived again.
    """

    connection: Connection
    days: GamingDays
    at: datetime
    frontier: Frontier = field(default_factory=Frontier)
    memory: Mapping[str, Any] = field(default_factory=dict)
    next_entry: int = field(init=False)
    by: str = field(default="house", init=False)
    """Who gave the command in hand."""
    second: str | None = field(default=None, init=False)
    """Who approved it besides."""
    at_us: int = field(init=False)
    """Time of the command in microseconds since 1970."""
    gaming_day: str = field(init=False)
    """Gaming day of the command, YYYY-MM-DD."""
    round: str | None = field(default=None, init=False)
    """The round that the command in hand is of."""
    checkpoint_wanted: bool = field(default=False, init=False)
    """Whether a signed checkpoint shall follow this transaction at once."""

    def __post_init__(self) -> None:
        self.begin(self.at)
        entries, records = _LAST.first(self.connection, {})
        self.next_entry = entries + 1
        if self.frontier.size != records + 1:
            if self.memory and self.connection.execute(_UNSETTLED, {"size": self.frontier.size}).first() is not None:
                self.memory = {}
            self.frontier = tree.frontier(self.connection, records + 1)

    def begin(self, at: datetime) -> None:
        """Take the next command in hand; who gives it is not known yet."""
        self.at, self.by, self.second, self.round = at, "house", None, None
        self.at_us, self.gaming_day = microseconds(at), self.days.of(at).isoformat()

    @property
    def next_record(self) -> int:
        """Number of the next record."""
        return self.frontier.size

    def take_entries(self, count: int) -> range:
        """Numbers of the next entries."""
        self.next_entry += count
        return range(self.next_entry - count, self.next_entry)

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo everything in the block if it raises, numbers and the tree's edge too.

        An error of the database itself is left as it is: it may have ended the transaction, and the group with it.
        """
        before = self.next_entry, self.frontier, self.memory
        run(self.connection, "SAVEPOINT command")
        try:
            yield
            run(self.connection, "RELEASE SAVEPOINT command")
        except DATABASE_ERRORS:
            raise
        except BaseException:
            run(self.connection, "ROLLBACK TO SAVEPOINT command")
            run(self.connection, "RELEASE SAVEPOINT command")
            self.next_entry, self.frontier, self.memory = before
            raise


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


def microseconds(at: datetime) -> int:
    """Whole microseconds since 1970 of an aware time.

    >>> microseconds(datetime.fromisoformat("1970-01-01T00:00:01.000001+00:00"))
    1000001
    """
    return (at - _EPOCH) // timedelta(microseconds=1)


def moment(at_us: int) -> datetime:
    """The aware time of `microseconds`."""
    return _EPOCH + timedelta(microseconds=at_us)


def uuid7(at: datetime) -> str:
    """An identifier that sorts by time (RFC 9562, version 7)."""
    noise = int.from_bytes(secrets.token_bytes(10))
    value = (
        (microseconds(at) // 1000) << 80 | 0x7 << 76 | (noise >> 68 & 0xFFF) << 64 | 0b10 << 62 | noise & (1 << 62) - 1
    )
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
