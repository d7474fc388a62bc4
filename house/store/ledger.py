"""The ledger in the database: entries and postings are added, balances follow in the same write."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, func, insert, or_, select, update

from house.domain.ledger import SIDE, Account, Entry, EntryKind, Posting
from house.domain.refusals import Refusal, Refused
from house.store import limits, records, rows
from house.store.prepared import Prepared
from house.store.unit_of_work import Unit, uuid7

_ACCOUNT = rows.table(rows.AccountRow)
_ENTRY = rows.table(rows.EntryRow)
_POSTING = rows.table(rows.PostingRow)

_ADD_POSTINGS = Prepared(insert(_POSTING))
_ADD_ENTRIES = Prepared(insert(_ENTRY))
_DELTA: BindParameter[int] = bindparam("delta")
_MOVE = Prepared(
    update(_ACCOUNT)
    .where(
        _ACCOUNT.c.name == bindparam("account"),
        or_(_ACCOUNT.c.lowest.is_(None), (_ACCOUNT.c.balance + _DELTA) * _ACCOUNT.c.side >= _ACCOUNT.c.lowest),
    )
    .values(balance=_ACCOUNT.c.balance + _DELTA)
)
_NORMAL = Prepared(
    select((_ACCOUNT.c.balance * _ACCOUNT.c.side).label("normal")).where(_ACCOUNT.c.name == bindparam("account"))
)


@dataclass(frozen=True, slots=True)
class Booking:
    """An entry to be made, what it belongs to, and why it was made where that does not follow from its kind."""

    entry: Entry
    table: str | None = None
    round: str | None = None
    wager: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's balance in the normal sense of its kind, and as signed (debits positive)."""

    account: str
    kind: str
    normal: int
    signed: int


@dataclass(frozen=True, slots=True)
class Numbered:
    """A booking with the number and the id of its entry."""

    seq: int
    id: str
    booking: Booking


def open_accounts(unit: Unit, accounts: Iterable[Account]) -> None:
    """Open accounts, each at 0."""
    values = [
        {"name": one.name, "kind": one.kind.value, "side": SIDE[one.kind], "lowest": one.floor, "balance": 0}
        for one in accounts
    ]
    if values:
        unit.connection.execute(insert(_ACCOUNT), values)


def numbered(unit: Unit, bookings: Sequence[Booking]) -> tuple[Numbered, ...]:
    """Give each booking the number and id of its entry, which `noted` writes into the record and `post` then makes."""
    seqs = unit.take_entries(len(bookings))
    return tuple(Numbered(seq, uuid7(unit.at), booking) for seq, booking in zip(seqs, bookings, strict=True))


def noted(entries: Sequence[Numbered]) -> dict[str, Any]:
    """What a record says of the entries that it makes; nothing if there are none."""
    return {"entries": [in_record(one) for one in entries]} if entries else {}


def in_record(one: Numbered) -> dict[str, Any]:
    """An entry as its record holds it; where it was booked is left out if nowhere."""
    booking = one.booking
    where = {"table": booking.table, "round": booking.round, "wager": booking.wager, "reason": booking.reason}
    return {
        "seq": one.seq,
        "id": one.id,
        "kind": booking.entry.kind.value,
        "lines": [[line.account, line.amount] for line in booking.entry.postings],
        **{name: value for name, value in where.items() if value is not None},
    }


def book(
    unit: Unit, kind: str, table: str | None, body: Mapping[str, Any], bookings: Sequence[Booking], *, field: str = ""
) -> int:
    """Add a record to the history that makes entries, and make them. Refused: as `post`."""
    entries = numbered(unit, bookings)
    record = records.append(unit, kind, table, {**body, **noted(entries)})
    post(unit, record, entries, field)
    return record


def post(unit: Unit, record: int, entries: Sequence[Numbered], field: str = "") -> None:
    """Make the entries that a record holds, and move the balances.

    The guard is in the write itself: a balance that would fall below its floor is not moved.

    Parameters
    ----------
    field
        Field of the request that a refusal names.

    Raises
    ------
    Refused
        INSUFFICIENT_FUNDS.
    """
    if not entries:
        return
    unit.round = entries[-1].booking.round or unit.round
    lines = [
        {"seq": one.seq, "line": line, "account": posting.account, "amount": posting.amount}
        for one in entries
        for line, posting in enumerate(one.booking.entry.postings)
    ]
    _ADD_POSTINGS.write(unit.connection, *lines)
    common = {
        "record": record,
        "at_us": unit.at_us,
        "gaming_day": unit.gaming_day,
        "actor": unit.by,
        "authorised_by": unit.second,
    }
    values = [
        {
            "seq": one.seq,
            "id": one.id,
            "kind": one.booking.entry.kind.value,
            "table_id": one.booking.table,
            "round": one.booking.round,
            "wager": one.booking.wager,
            "reason": one.booking.reason,
            **common,
        }
        for one in entries
    ]
    _ADD_ENTRIES.write(unit.connection, *values)
    limits.count(unit, [one.booking.entry for one in entries], field)
    _move(unit, entries, field)


def _move(unit: Unit, entries: Sequence[Numbered], field: str) -> None:
    net: dict[str, int] = {}
    for one in entries:
        for posting in one.booking.entry.postings:
            net[posting.account] = net.get(posting.account, 0) + posting.amount
    moves = [{"account": name, "delta": delta} for name, delta in sorted(net.items()) if delta]
    if moves and _MOVE.write(unit.connection, *moves) != len(moves):
        raise _short(unit.connection, net, field)


def _short(connection: Connection, net: dict[str, int], field: str) -> Refused:
    """Say which account does not hold enough, a player's before the house's.

    The accounts that could move have moved already and the others have not, so the lines are summed: they are all made.
    """
    found = connection.execute(select(_ACCOUNT).where(_ACCOUNT.c.name.in_(net)).order_by(_ACCOUNT.c.name.desc())).all()
    for row in found:
        if row.lowest is None or net[row.name] * row.side >= 0:
            continue
        lines = select(func.sum(_POSTING.c.amount)).where(_POSTING.c.account == row.name)
        after = int(connection.execute(lines).scalar_one()) * row.side
        if after < row.lowest:
            message = f"{row.name} does not hold the amount"
            value, limit = str(abs(net[row.name])), str(after - net[row.name] * row.side - row.lowest)
            return Refused(Refusal.INSUFFICIENT_FUNDS, message, field, value, f"at most {limit}")
    raise AssertionError(f"accounts are missing among {sorted(net)}, {len(found)} found")


def balances(connection: Connection, names: Sequence[str] | None = None) -> tuple[Balance, ...]:
    """Balances of some accounts, or of all, by name."""
    query = select(_ACCOUNT).order_by(_ACCOUNT.c.name)
    if names is not None:
        query = query.where(_ACCOUNT.c.name.in_(names))
    return tuple(Balance(row.name, row.kind, row.balance * row.side, row.balance) for row in connection.execute(query))


def ending(connection: Connection, suffix: str) -> tuple[Balance, ...]:
    """Balances of the accounts whose names end alike, by name."""
    query = select(_ACCOUNT).where(_ACCOUNT.c.name.endswith(suffix, autoescape=True)).order_by(_ACCOUNT.c.name)
    return tuple(Balance(row.name, row.kind, row.balance * row.side, row.balance) for row in connection.execute(query))


def normal(connection: Connection, account: Account) -> int:
    """One account's balance in the normal sense of its kind."""
    return int(_NORMAL.first(connection, {"account": account.name}).normal)


def of_wagers(connection: Connection, table: str) -> Iterator[tuple[int, Entry]]:
    """Entries of a table's wagers, with their numbers, in order."""
    query = (
        select(_ENTRY.c.seq, _ENTRY.c.kind, _POSTING.c.account, _POSTING.c.amount)
        .join(_POSTING, _POSTING.c.seq == _ENTRY.c.seq)
        .where(_ENTRY.c.table_id == table, _ENTRY.c.wager.is_not(None))
        .order_by(_ENTRY.c.seq, _POSTING.c.line)
    )
    rows = connection.execute(query.execution_options(yield_per=1000))
    for (seq, kind), lines in groupby(rows, key=lambda row: (row.seq, row.kind)):
        yield seq, Entry(EntryKind(kind), tuple(Posting(line.account, line.amount) for line in lines))


def of_records(connection: Connection) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Entries by the record that made them, each as it stands in the record, with its time and gaming day."""
    columns = _ENTRY.c
    query = (
        select(
            columns.record, columns.seq, columns.id, columns.kind, columns.table_id, columns.round, columns.wager,
            columns.reason, columns.at_us, columns.gaming_day, columns.actor, columns.authorised_by,
            _POSTING.c.account, _POSTING.c.amount,
        )
        .outerjoin(_POSTING, _POSTING.c.seq == columns.seq)
        .order_by(columns.seq, _POSTING.c.line)
    )  # fmt: skip
    rows = connection.execute(query.execution_options(yield_per=1000))
    entries = ((head, list(lines)) for head, lines in groupby(rows, key=lambda row: tuple(row[:12])))
    for record, group in groupby(entries, key=lambda one: one[0][0]):
        yield record, [_as_recorded(head, lines) for head, lines in group]


def _as_recorded(head: tuple[Any, ...], lines: Sequence[Any]) -> dict[str, Any]:
    _, seq, id_, kind, table, round_, wager, reason, at_us, gaming_day, by, second = head
    where = {"table": table, "round": round_, "wager": wager, "reason": reason}
    return {
        "seq": seq,
        "id": id_,
        "kind": kind,
        "lines": [[line.account, line.amount] for line in lines],
        **{name: value for name, value in where.items() if value is not None},
        "at_us": at_us,
        "gaming_day": gaming_day,
        "by": by,
        "second": second,
    }


def count(connection: Connection) -> int:
    """Number of entries."""
    return int(connection.execute(select(func.count()).select_from(_ENTRY)).scalar_one())
