"""What the events of the cage and of a table book: one definition for the command that books and for whoever checks.

An event is the body of its record, as it stands in the history.
"""

from collections.abc import Callable, Mapping
from typing import Any

from house.domain.ids import PlayerId, TableId
from house.domain.ledger import (
    BANK,
    DEPOSITS,
    SUSPENSE,
    TOKES,
    VARIANCE,
    VAULT,
    Account,
    Entry,
    EntryKind,
    drop_box,
    marker,
    moves,
    table_float,
    wallet,
)

BOOKS_EVENT = "an entry books its event"
"""Invariant of every record of an event."""

Body = Mapping[str, Any]
Pairs = tuple[tuple[Account, Account, int], ...]
"""Accounts debited and credited, and the amount in minor units; below 0, the other way round."""


def _rack(table: str | None) -> Account:
    """Where the chips of an event come from: the table's rack, or the vault at the cage."""
    return VAULT if table is None else table_float(TableId(table))


def _box(table: str | None) -> Account:
    assert table is not None, "a drop box is a table's"
    return drop_box(TableId(table))


def _wallet(body: Body) -> Account:
    return wallet(PlayerId(body["player"]))


def _drop(table: str | None, body: Body) -> Pairs:
    return (_box(table), _wallet(body), body["amount"]), (DEPOSITS, _rack(table), body["amount"])


def _drop_count(table: str | None, body: Body) -> Pairs:
    return (VAULT, _box(table), body["slips"]), (VAULT, VARIANCE, body["counted"] - body["slips"])


def _slip_void(table: str | None, body: Body) -> Pairs:
    back = -1 if body["slip_kind"] == "fill" else 1
    return ((_rack(table), VAULT, back * body["amount"]),)


def _marker(table: str | None, body: Body) -> Pairs:
    owed = marker(PlayerId(body["player"]))
    return (owed, _wallet(body), body["amount"]), (DEPOSITS, _rack(table), body["amount"])


def _marker_paid(_table: str | None, body: Body) -> Pairs:
    owed = marker(PlayerId(body["player"]))
    if body["cash"]:
        return ((VAULT, owed, body["amount"]),)
    return (_wallet(body), owed, body["amount"]), (VAULT, DEPOSITS, body["amount"])


def _toke_paid(_table: str | None, body: Body) -> Pairs:
    """Dealers are paid, once what they owe is withheld from their box; older records know of nothing withheld."""
    withheld = body.get("withheld", 0)
    return (TOKES, SUSPENSE, withheld), (VAULT, DEPOSITS, withheld), (TOKES, DEPOSITS, body["amount"])


_BOOKED: Mapping[str, tuple[EntryKind, Callable[[str | None, Body], Pairs]]] = {
    "capital": (EntryKind.CAPITAL, lambda _, body: ((VAULT, BANK, body["amount"]),)),
    "withdrawal": (EntryKind.WITHDRAWAL, lambda _, body: ((BANK, VAULT, body["amount"]),)),
    "buy_in": (EntryKind.BUY_IN, lambda _, body: ((DEPOSITS, _wallet(body), body["amount"]),)),
    "cash_out": (EntryKind.CASH_OUT, lambda _, body: ((_wallet(body), DEPOSITS, body["amount"]),)),
    "toke": (EntryKind.TOKE, lambda _, body: ((_wallet(body), TOKES, body["amount"]),)),
    "toke_paid": (EntryKind.TOKE_PAID, _toke_paid),
    "opened": (EntryKind.OPENER, lambda table, body: ((_rack(table), VAULT, body["opener"]),)),
    "closed": (EntryKind.CLOSER, lambda table, body: ((VAULT, _rack(table), body["closer"]),)),
    "fill": (EntryKind.FILL, lambda table, body: ((_rack(table), VAULT, body["amount"]),)),
    "credit": (EntryKind.CREDIT, lambda table, body: ((VAULT, _rack(table), body["amount"]),)),
    "slip_void": (EntryKind.SLIP_VOID, _slip_void),
    "drop": (EntryKind.DROP, _drop),
    "drop_count": (EntryKind.DROP_COUNT, _drop_count),
    "marker": (EntryKind.MARKER, _marker),
    "marker_paid": (EntryKind.MARKER_PAID, _marker_paid),
}
"""Kind of the entry that an event makes, and what it moves."""


def entries_of(event: str, table: str | None, body: Body) -> tuple[Entry, ...] | None:
    """The entry that an event makes, none where it moves nothing; None for an event that is not booked here.

    Examples
    --------
    >>> (entry,) = entries_of("drop", "c1", {"player": "ann", "amount": 100})
    >>> for line in entry.postings:
    ...     print(line.account, line.amount)
    house:table:c1:drop 100
    player:ann:wallet -100
    cage:deposits 100
    house:table:c1:float -100
    """
    if event not in _BOOKED:
        return None
    kind, moved = _BOOKED[event]
    pairs = moved(table, body)
    return (moves(kind, *pairs),) if any(amount for _, _, amount in pairs) else ()


def booked(body: Body) -> tuple[list[Any], list[Any]] | None:
    """What a record of an event books, and what it ought to: kind and lines of each entry; None for other records."""
    due = entries_of(body.get("event", ""), body["table"], body)
    if due is None:
        return None
    found = [[entry["kind"], entry["lines"]] for entry in body.get("entries", [])]
    return found, [[one.kind.value, [[line.account, line.amount] for line in one.postings]] for one in due]
