"""Lines of the ledger as people read them: a day's, or a player's."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, func, select

from house.domain.ids import PlayerId
from house.domain.ledger import marker, riding, trade, wallet
from house.store import rows

_ENTRY, _POSTING = rows.table(rows.EntryRow), rows.table(rows.PostingRow)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of one entry, with what the entry says; the amount is signed, debits positive, minor units."""

    seq: int
    kind: str
    at_us: int
    gaming_day: str
    table: str | None
    round: str | None
    wager: str | None
    account: str
    amount: int
    actor: str
    authorised_by: str | None
    reason: str | None
    record: int


_COLUMNS = (
    *(_ENTRY.c[name] for name in ("seq", "kind", "at_us", "gaming_day")),
    _ENTRY.c.table_id.label("table"),
    *(_ENTRY.c[name] for name in ("round", "wager", "actor", "authorised_by", "reason", "record")),
    _POSTING.c.account,
    _POSTING.c.amount,
)
_LINES = select(*_COLUMNS).join(_POSTING, _POSTING.c.seq == _ENTRY.c.seq).order_by(_ENTRY.c.seq, _POSTING.c.line)


def of_day(connection: Connection, gaming_day: str, after: int, limit: int) -> tuple[Line, ...]:
    """Lines of the entries of a gaming day: of `limit` entries at most, beyond one by number."""
    numbers = (
        select(_ENTRY.c.seq)
        .where(_ENTRY.c.gaming_day == gaming_day, _ENTRY.c.seq > after)
        .order_by(_ENTRY.c.seq)
        .limit(limit)
    )
    return _read(connection, _LINES.where(_ENTRY.c.seq.in_(numbers)))


def of_player(connection: Connection, player: PlayerId, days: tuple[str, str]) -> tuple[Line, ...]:
    """Lines on a player's own accounts from one gaming day to another, both in it."""
    names = [account(player).name for account in (wallet, riding, trade, marker)]
    return _read(connection, _LINES.where(_POSTING.c.account.in_(names), _ENTRY.c.gaming_day.between(*days)))


def before_day(connection: Connection, accounts: Sequence[str], gaming_day: str) -> int:
    """Signed sum of all lines on some accounts before a gaming day, minor units."""
    query = (
        select(func.coalesce(func.sum(_POSTING.c.amount), 0))
        .join(_ENTRY, _ENTRY.c.seq == _POSTING.c.seq)
        .where(_POSTING.c.account.in_(accounts), _ENTRY.c.gaming_day < gaming_day)
    )
    return int(connection.execute(query).scalar_one())


def _read(connection: Connection, query: Select[tuple[object, ...]]) -> tuple[Line, ...]:
    return tuple(Line(**row._mapping) for row in connection.execute(query))
