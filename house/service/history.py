"""Whether the history in the database is the one that was written and signed, and the books hold what it says."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection

from house.domain.bookings import BOOKS_EVENT, booked
from house.service import cage_books, pieces
from house.service.checkpoints import HistoryBroken
from house.store import corrections, ledger, records, settlements, throws, tree
from house.store import rounds as round_store
from house.store import schedules as schedule_store
from house.store.checks import MOST, Discrepancy
from house.store.corrections import StoredCorrection
from house.store.records import StoredRecord
from house.store.tree import TreeBroken
from integrity.proof.notes import Checkpoint
from integrity.proof.tree import Frontier, append, leaf_hash, root_at

TAIL = 4096
"""Records before the last checkpoint that are hashed again when the house opens."""

AS_SEALED = "a record is as it was sealed"
AS_SIGNED = "the history leads to its signed checkpoints"
COMPLETE = "the history is as long as it was signed"
ONE_LOG = "no two checkpoints of one size differ"
HASHES = "the hashes of the tree follow from the records"


def check_end(connection: Connection, checkpoint: Checkpoint | None) -> None:
    """Check the history against the last checkpoint by the stored hashes, and its last records by their bytes.

    Raises
    ------
    HistoryBroken
        When it is shorter, or another one.
    """
    size, signed = records.count(connection), 0 if checkpoint is None else checkpoint.size
    if size < signed:
        raise HistoryBroken(
            f"the history has {size} records and {signed} were signed: those from {size} on are missing"
        )
    try:
        tree.frontier(connection, size)
        root = root_at(signed, tree.lookup(connection))
    except TreeBroken as error:
        raise HistoryBroken(f"the history is broken: {error}") from error
    if checkpoint is not None and root != checkpoint.root:
        raise HistoryBroken(f"the first {signed} records are not those that were signed")
    for record in records.stored(connection, max(0, min(signed, size) - TAIL)):
        for fault in _read(record)[1]:
            raise HistoryBroken(f"{fault.where} is not as it was sealed: found {fault.found}, due {fault.due}")


def breaches(connection: Connection, checkpoints: Sequence[Checkpoint] = ()) -> Iterator[Discrepancy]:
    """Hash every record again, and find in order where records, tree, books and checkpoints differ."""
    yield from _forks(checkpoints)
    due = {one.size: one.root for one in checkpoints}
    books = [_Beside(name, take(connection), say) for name, (take, say) in _BOOKS.items()]
    published = {one.fingerprint: one.body for one in schedule_store.every(connection)}
    frontier, signed, found = Frontier(), 0, 0
    for record in records.stored(connection):
        if record.number != frontier.size:
            where, should = f"record {frontier.size}", f"record {frontier.size}"
            yield Discrepancy(invariant=AS_SEALED, where=where, found=f"record {record.number}", due=should)
            return
        body, faults = _read(record)
        if body is not None:
            for book in books:
                faults += book.compare(record.number, body)
            faults += _of_schedule(record, body, published)
            faults += _of_event(record, body)
        frontier, completed = append(frontier, tree.read(record.leaf) or leaf_hash(record.text.encode()))
        faults += _of_tree(connection, completed)
        if frontier.size in due and due[frontier.size] != frontier.root:
            where = f"record {record.number}" if signed == record.number else f"records {signed} to {record.number}"
            faults.append(_differs(AS_SIGNED, where, frontier.root.hex(), due[frontier.size].hex()))
        elif frontier.size in due:
            signed = frontier.size
        yield from faults
        found += len(faults)
        if found > MOST:
            return
    if max(due, default=0) > frontier.size:
        yield _differs(COMPLETE, f"record {frontier.size}", f"{frontier.size} records", f"{max(due)} records")
    for book in books:
        yield from book.left()


def _differs(invariant: str, where: str, found: object, due: object) -> Discrepancy:
    return Discrepancy(invariant=invariant, where=where, found=str(found)[:500], due=str(due)[:500])


def _forks(checkpoints: Sequence[Checkpoint]) -> Iterator[Discrepancy]:
    sizes = Counter(size for size, _ in {(one.size, one.root) for one in checkpoints})
    for size, roots in sizes.items():
        if roots > 1:
            yield _differs(ONE_LOG, f"checkpoints of {size} records", f"{roots} roots", "one")


def _read(record: StoredRecord) -> tuple[dict[str, Any] | None, list[Discrepancy]]:
    """Compare a record's bytes with its leaf and its columns with its bytes; give what it says when they agree."""
    leaf = leaf_hash(record.text.encode(errors="replace")).hex()
    if leaf != record.leaf:
        return None, [_differs(AS_SEALED, f"record {record.number}", leaf, record.leaf)]
    body = json.loads(record.text)
    columns = {"record": record.number, "kind": record.kind, "table": record.table, "v": records.VERSION}
    says = {name: body.get(name) for name in columns}
    if says != columns:
        return None, [_differs(AS_SEALED, f"record {record.number}", columns, says)]
    return body, []


def _of_tree(connection: Connection, completed: Sequence[tuple[tuple[int, int], bytes]]) -> Iterator[Discrepancy]:
    for (level, place), value in completed[1:]:
        if level % tree.STRIDE == 0:
            found = tree.kept(connection, level, place)
            if found != value:
                where = f"records {place << level} to {(place + 1 << level) - 1}"
                yield _differs(HASHES, where, "none" if found is None else found.hex(), value.hex())


def _of_schedule(record: StoredRecord, body: dict[str, Any], published: dict[str, str]) -> Iterator[Discrepancy]:
    if record.kind == "schedule" and published.get(body["fingerprint"]) != body["text"]:
        found = published.get(body["fingerprint"], "none")
        yield _differs("a schedule is published as it was recorded", f"record {record.number}", found, body["text"])


def _of_event(record: StoredRecord, body: dict[str, Any]) -> Iterator[Discrepancy]:
    """Compare what an event of the cage or of a table books with what it says."""
    found_due = booked(body)
    if found_due is not None and found_due[0] != found_due[1]:
        yield _differs(BOOKS_EVENT, f"record {record.number}", *found_due)


class _Beside:
    """A book in order of the records that made its lines, to be compared with what they say."""

    def __init__(
        self, name: str, lines: Iterator[tuple[int, list[Any]]], say: Callable[[dict[str, Any]], list[Any]]
    ) -> None:
        self._invariant = f"{name} are as they were recorded"
        self._lines = lines
        self._say = say
        self._next = next(lines, None)

    def compare(self, number: int, body: dict[str, Any]) -> list[Discrepancy]:
        """Find whether the lines of a record are those that it says; records come in order."""
        due = self._say(body)
        if not due and (self._next is None or self._next[0] > number):
            return []
        faults: list[Discrepancy] = []
        found: list[Any] = []
        while self._next is not None and self._next[0] <= number:
            if self._next[0] == number:
                found = self._next[1]
            else:
                faults.append(_differs(self._invariant, f"record {self._next[0]}", self._next[1], "none"))
            self._next = next(self._lines, None)
        if found != due:
            faults.append(_differs(self._invariant, f"record {number}", found, due))
        return faults

    def left(self) -> Iterator[Discrepancy]:
        """Find what belongs to no record at the end."""
        while self._next is not None:
            yield _differs(self._invariant, f"record {self._next[0]}", self._next[1], "none")
            self._next = next(self._lines, None)


def _entries(body: dict[str, Any]) -> list[Any]:
    if "entries" not in body:
        return []
    common = {name: body[name] for name in ("at_us", "gaming_day", "by", "second")}
    return [{**entry, **common} for entry in body["entries"]]


def _movements(body: dict[str, Any]) -> list[Any]:
    return [{**movement, "table": body["table"]} for movement in body.get("movements", [])]


def _throws(body: dict[str, Any]) -> list[Any]:
    if body["kind"] != "throw":
        return []
    dice = list(zip(body["dice"], body["faces"], body["states"], strict=True))
    void = any(state != "ok" for state in body["states"])
    return [{name: body[name] for name in throws.IN_RECORD} | {"dice": dice, "void": void}]


def _corrections(body: dict[str, Any]) -> list[Any]:
    if body["kind"] != "correction":
        return []
    dice = tuple(zip(body["faces"], body["states"], strict=True))
    said = {name: body[name] for name in ("record", "table", "number", "reason")}
    return [StoredCorrection(**said, dice=dice, undone=tuple(body["undone"]))]


def _corrected(connection: Connection) -> Iterator[tuple[int, list[Any]]]:
    return ((one.record, [one]) for one in corrections.every(connection))


def _transfers(body: dict[str, Any]) -> list[Any]:
    return round_store.said(body) if body["kind"] == "round" else []


_BOOKS: dict[
    str,
    tuple[Callable[[Connection], Iterator[tuple[int, list[Any]]]], Callable[[dict[str, Any]], list[Any]]],
] = {
    "entries": (ledger.of_records, _entries),
    "settlements": (settlements.of_records, _movements),
    "throws": (throws.of_records, _throws),
    "corrections": (_corrected, _corrections),
    "rounds": (round_store.of_records, _transfers),
    **cage_books.BOOKS,
    **pieces.BOOKS,
}
"""Books of the house: how their lines are read by record, and what a record says that they hold."""
