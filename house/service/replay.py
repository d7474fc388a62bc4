"""The mispay audit: play every table again from the records, and compare the books with what the engines say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection

from house.domain.bookings import entries_of
from house.domain.ids import PlayerId, TableId
from house.domain.ledger import TOKES_RIDING, Entry, riding, table_float
from house.service.corrections import taken_back
from house.service.counts import Counts
from house.service.course import Course, Followed, follow
from house.service.desk import House
from house.service.games import GAMES
from house.service.play import Move, fields_of, loader, moves_of, pays_in_trade, state_of
from house.store import ledger, records, rounds, settlements, throws
from house.store import tables as store
from house.store.checks import Discrepancy
from house.store.records import Record, canonical
from house.store.settlements import Settlement
from house.store.tables import StoredTable

ValueT = TypeVar("ValueT")


class _Beside(Generic[ValueT]):
    """Values read in order of a number, beside something that is read in the same order."""

    def __init__(self, pairs: Iterator[tuple[int, ValueT]]) -> None:
        self._pairs = pairs
        self._next = next(pairs, None)
        self.passed: list[int] = []
        """Numbers that nobody asked for."""

    def take(self, number: int) -> ValueT | None:
        """The value at a number, None if there is none; numbers are asked for in rising order."""
        while self._next is not None and self._next[0] < number:
            self.passed.append(self._next[0])
            self._next = next(self._pairs, None)
        if self._next is None or self._next[0] != number:
            return None
        value, self._next = self._next[1], next(self._pairs, None)
        return value

    def finish(self) -> list[int]:
        """Numbers that nobody asked for, to the end."""
        self.take(2**63)
        return self.passed


@dataclass(slots=True)
class _Reading:
    """A table as it is played again: what is booked beside its records, and the flow to its rack so far."""

    house: House
    connection: Connection
    table: StoredTable
    booked: _Beside[list[Settlement]]
    entries: _Beside[Entry]
    logged: _Beside[tuple[int, list[tuple[str, int | None, str]]]]
    flow: int = 0
    slips: int = 0
    """Fills less credits and drop so far, minor units."""

    def goods(self, fingerprint: str) -> bool:
        """Whether a schedule pays in trade."""
        return pays_in_trade(self.house, self.connection, fingerprint)

    def differs(self, invariant: str, where: str, found: object, due: object) -> Discrepancy:
        """Make a discrepancy at this table."""
        place = f"table {self.table.id} {where}".rstrip()
        return Discrepancy(invariant=invariant, where=place, found=str(found)[:500], due=str(due)[:500])


def replay(house: House, connection: Connection) -> Iterator[Discrepancy]:
    """Play every table again, and find where the books differ from what the engines say."""
    due = {riding(PlayerId(player)).name: amount for player, amount in rounds.held(connection).items()}
    for table in _every_table(connection):
        reading = _read(house, connection, table)
        yield from _replay_table(reading)
        yield from _check_float(reading)
        for wager in GAMES[table.game].riding(state_of(table)):
            account = TOKES_RIDING if wager.toke else riding(wager.player)
            due[account.name] = due.get(account.name, 0) + wager.stake_minor
    for balance in ledger.balances(connection):
        if balance.account.endswith(":riding") and balance.normal != due.get(balance.account, 0):
            where, held = f"account {balance.account}", str(due.get(balance.account, 0))
            yield Discrepancy(invariant="held is what rides", where=where, found=str(balance.normal), due=held)


def _every_table(connection: Connection) -> Iterator[StoredTable]:
    last = ""
    while part := store.after(connection, last, 500):
        yield from part
        last = part[-1].id


def _read(house: House, connection: Connection, table: StoredTable) -> _Reading:
    booked = groupby(settlements.of_table(connection, table.id), key=lambda pair: pair[0])
    return _Reading(
        house=house,
        connection=connection,
        table=table,
        booked=_Beside((number, [settlement for _, settlement in pairs]) for number, pairs in booked),
        entries=_Beside(ledger.of_wagers(connection, table.id)),
        logged=_Beside((record, (number, dice)) for record, number, dice in throws.by_record(connection, table.id)),
    )


def _replay_table(reading: _Reading) -> Iterator[Discrepancy]:
    game = GAMES[reading.table.game]
    load = loader(reading.house, reading.connection)
    course, counts = Course(game.read({}), reading.table.fingerprint), Counts(reading.table.id)
    for record in records.of_table(reading.connection, reading.table.id):
        course = replace(course, current=record.body.get("fingerprint", course.current))
        if "op" not in record.body:
            reading.slips += _slipped(record)
            continue
        try:
            followed = follow(game, course, load, record.body)
        except Exception as error:  # what an edited record makes an engine do is anybody's guess
            found = f"{type(error).__name__}: {error}"
            yield reading.differs("a record can be played again", f"record {record.number}", found, "played")
            return
        yield from _compare(reading, record, followed)
        for invariant, found, due in counts.follow(game, course, followed.course, record.body):
            yield reading.differs(invariant, f"record {record.number}", found, due)
        course = followed.course
    yield from _left_over(reading)
    kept = {
        "state": canonical(course.state.to_json()),
        "state_before": "" if course.before is None else canonical(course.before.to_json()),
        "riding": sum(wager.stake_minor for wager in game.riding(course.state)),
        "exposure": game.exposure(course.state, course.current, load),
        **counts.kept(),
    }
    for name, due in kept.items():
        if getattr(reading.table, name) != due:
            found = getattr(reading.table, name)
            yield reading.differs("the state is what the records make it", name, found, due)


def _compare(reading: _Reading, record: Record, followed: Followed) -> Iterator[Discrepancy]:
    """Compare what was booked for a record with what the engine says now."""
    moves = moves_of(followed.played.movements, followed.under, TableId(reading.table.id), reading.goods)
    yield from _compare_undone(reading, record, followed)
    found = reading.booked.take(record.number) or []
    due = [(move.fingerprint, fields_of(move.movement)) for move in moves]
    if [(one.fingerprint, dict(one.movement)) for one in found] != due:
        shown = [dict(one.movement) for one in found]
        over = sum(map(_paid, (dict(one.movement) for one in found))) - sum(_paid(one) for _, one in due)
        wrong = reading.differs("a settlement is what its schedule pays", f"record {record.number}", shown, due)
        yield replace(wrong, record=record.number, overpaid_minor=over)
    for one, move in zip(found, moves, strict=False):
        yield from _compare_entry(reading, record, one, move)
    if record.kind == "throw":
        yield from _compare_throw(reading, record)


def _compare_undone(reading: _Reading, record: Record, followed: Followed) -> Iterator[Discrepancy]:
    """Compare the entries by which a correction takes back what was booked, and take it out of the flow."""
    if not followed.undone:
        return
    back = taken_back(reading.table.id, followed.undone, record.body["reason"])
    made = zip(back, record.body.get("entries", ()), strict=False)
    pairs = [(one.entry, reading.entries.take(entry["seq"])) for one, entry in made if one.wager is not None]
    due, found = [one for one, _ in pairs], [one for _, one in pairs]
    if found != due:
        yield reading.differs("a correction takes back what it corrects", f"record {record.number}", found, due)
    undone = [one["record"] for one in followed.undone]
    if record.body["undone"] != undone:
        where = f"record {record.number}"
        yield reading.differs("a correction takes back what it corrects", where, record.body["undone"], undone)
    for movement in (one for taken in followed.undone for one in taken.get("movements", ())):
        reading.flow -= _brought(movement, reading.goods(movement["fingerprint"]))


def _brought(movement: Mapping[str, Any], in_trade: bool) -> int:
    """What a movement brought to the table's rack, minor units."""
    paid = 0 if in_trade else movement.get("winnings", 0)
    kept = movement.get("lost", 0) + movement.get("commission", 0)
    return int(kept - movement.get("commission_back", 0) - paid)


def _paid(movement: Mapping[str, Any]) -> int:
    """What a movement paid its player, less what it took, minor units."""
    paid = sum(movement[name] for name in ("returned", "winnings", "commission_back"))
    return int(paid - movement["staked"] - movement["commission"])


def _compare_entry(reading: _Reading, record: Record, booked: Settlement, move: Move) -> Iterator[Discrepancy]:
    found = None if booked.seq is None else reading.entries.take(booked.seq)
    if found != move.entry:
        yield reading.differs("an entry books its settlement", f"record {record.number}", found, move.entry)
    reading.flow += _brought(fields_of(move.movement), reading.goods(booked.fingerprint))


def _compare_throw(reading: _Reading, record: Record) -> Iterator[Discrepancy]:
    body = record.body
    due = (body["number"], list(zip(body["dice"], body["faces"], body["states"], strict=True)))
    found = reading.logged.take(record.number)
    if found != due:
        yield reading.differs("a throw is logged as it was recorded", f"record {record.number}", found, due)


def _left_over(reading: _Reading) -> Iterator[Discrepancy]:
    for name, left in (
        ("settlements", reading.booked.finish()),
        ("entries", reading.entries.finish()),
        ("throws", reading.logged.finish()),
    ):
        if left:
            yield reading.differs(f"{name} belong to a record that was played", "", f"numbers {left[:20]}", "none")


def _slipped(record: Record) -> int:
    """What an event brought to its table's rack beside opener, closer and bets, minor units."""
    event = record.body.get("event", "")
    if record.table is None or event in ("opened", "closed"):
        return 0
    rack = table_float(TableId(record.table)).name
    made = entries_of(event, record.table, record.body) or ()
    return sum(line.amount for entry in made for line in entry.postings if line.account == rack)


def _check_float(reading: _Reading) -> Iterator[Discrepancy]:
    table = reading.table
    due = table.opener + reading.slips + reading.flow
    if not table.open and table.closer != due:
        yield reading.differs("the closer is opener, slips and settled flow", "", table.closer, due)
    found = ledger.normal(reading.connection, table_float(TableId(table.id)))
    if found != (due if table.open else 0):
        yield reading.differs("the float is opener, slips and settled flow", "", found, due if table.open else 0)
