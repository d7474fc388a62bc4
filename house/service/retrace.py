"""The house played again from its records alone: no database, no clock, nothing but what the history says."""

from dataclasses import dataclass, field, replace
from typing import Any

from house.domain.bookings import BOOKS_EVENT, booked
from house.domain.corrections import Direction, adjusted, collected
from house.domain.ids import PlayerId, TableId
from house.domain.ledger import DEPOSITS, SUSPENSE, VAULT, table_float
from house.domain.people import HOUSE
from house.service.adjustments import owing
from house.service.cage_books import Numbered
from house.service.corrections import taken_back
from house.service.counts import Counts
from house.service.course import CORRECT, Course, follow
from house.service.games import GAMES, Game
from house.service.pieces import Pairs, Pieces
from house.service.play import fields_of, moves_of
from house.service.retraced_rounds import RetracedRounds
from house.service.schedules import Schedule, pays_goods
from house.store import settlements
from house.store.checks import Discrepancy
from house.store.ledger import Booking
from house.store.settlements import Settlement
from payouts.schedule import parse

Body = dict[str, Any]


@dataclass(slots=True)
class _Table:
    """A table as the records left it."""

    game: Game
    course: Course
    counts: Counts


@dataclass(slots=True)
class Retraced:
    """What the records so far make of the house.

    Attributes
    ----------
    records, settlements, entries
        How many there were.
    balances
        Signed balance of every account, debits positive, minor units.
    """

    records: int = 0
    settlements: int = 0
    entries: int = 0
    balances: dict[str, int] = field(default_factory=dict)
    _tables: dict[str, _Table] = field(default_factory=dict)
    _rounds: RetracedRounds = field(default_factory=RetracedRounds)
    _pieces: Pieces = field(default_factory=Pieces)
    _numbered: Numbered = field(default_factory=Numbered)
    _schedules: dict[str, Schedule] = field(default_factory=dict)

    def add(self, body: Body) -> list[Discrepancy]:
        """Follow the next record, and find what it says that its predecessors do not bear out."""
        where, self.records = f"record {self.records}", self.records + 1
        try:
            return [
                Discrepancy(invariant=invariant, where=where, found=str(found)[:500], due=str(due)[:500])
                for invariant, found, due in self._faults(body)
                if found != due
            ]
        except Exception as error:  # what a forged record makes an engine do is anybody's guess
            found = f"{type(error).__name__}: {error}"[:500]
            return [Discrepancy(invariant="a record can be played again", where=where, found=found, due="played")]

    def _faults(self, body: Body) -> Pairs:
        """Pairs of what is found and due, each under its invariant."""
        pairs: Pairs = [("records are numbered without a gap", body["record"], self.records - 1)]
        pairs += _FOLLOW.get(body["kind"], _nothing)(self, body)
        pairs += self._pieces.follow(body)
        pairs += self._numbered.follow(body)
        if "op" in body:
            pairs += self._play(body)
        pairs += self._book(body)
        event = booked(body)
        if event is not None:
            pairs.append((BOOKS_EVENT, *event))
        if body.get("event") == "closed":
            left = self.balances.get(table_float(TableId(body["table"])).name, 0)
            pairs.append(("a closed table has no float", left, 0))
        return pairs

    def schedule(self, body: Body) -> Pairs:
        """Take a schedule that was published."""
        schedule = parse(body["text"], "schedule")
        self._schedules[body["fingerprint"]] = schedule
        return [("a schedule has its fingerprint", body["fingerprint"], schedule.fingerprint)]

    def table_event(self, body: Body) -> Pairs:
        """Open a table, or change the schedule at one."""
        if body["event"] == "opened":
            game = GAMES[body["game"]]
            self._tables[body["table"]] = _Table(
                game, Course(game.read({}), body["fingerprint"]), Counts(body["table"])
            )
        table = self._tables[body["table"]]
        table.course = replace(table.course, current=body["fingerprint"])
        return []

    def _play(self, body: Body) -> Pairs:
        """Play an operation, and compare what the record settles and books with what the engine does."""
        table = self._tables[body["table"]]
        followed = follow(table.game, table.course, self._schedules.__getitem__, body)
        named = [*table.counts.follow(table.game, table.course, followed.course, body)]
        table.course = followed.course
        moves = moves_of(followed.played.movements, followed.under, TableId(body["table"]), self._goods)
        self.settlements += len(moves)
        back = taken_back(body["table"], followed.undone, body.get("reason", ""))
        movements, entries, seq = [], [_in_record(one) for one in back], self.entries + len(back)
        for move in moves:
            numbered = None if move.entry is None else seq
            kept = Settlement(move.fingerprint, numbered, fields_of(move.movement))
            movements.append(settlements.in_record(kept))
            if move.entry is not None:
                seq += 1
                entries.append(_in_record(Booking(move.entry, wager=move.movement.wager)))
        pairs: Pairs = [("a settlement is what its schedule pays", body.get("movements", []), movements)]
        if body["op"] == CORRECT:
            made = [one.entry for one in back] + [move.entry for move in moves if move.entry is not None]
            lent = owing(body["table"], made, self.balances, body["reason"])
            entries += [_in_record(one) for one in lent]
            undone = [one["record"] for one in followed.undone]
            pairs.append(("a correction takes back what it corrects", body["undone"], undone))
            pairs.append(("a correction has two names", *_alone(body)))
        return [*pairs, *named, ("an entry books its settlement", _entries_of(body), entries)]

    def round(self, body: Body) -> Pairs:
        """Follow what happened in a round of another system."""
        return self._rounds.follow(body, self.balances)

    def cage(self, body: Body) -> Pairs:
        """Compare what is withheld from dealers who are paid with what they owe."""
        if body["event"] != "toke_paid":
            return []
        owed = self.balances.get(SUSPENSE.name, 0)
        return [("dealers are paid once they owe nothing", body.get("withheld", 0), owed)]

    def shift(self, body: Body) -> Pairs:
        """Compare what a shift says of the books with the books."""
        said = body["end_entry"], {table: booked for table, _, booked in body["counts"]}
        racks = {table: self.balances.get(table_float(TableId(table)).name, 0) for table in said[1]}
        return [("a shift ends where the books are", said, (self.entries, racks))]

    def _goods(self, fingerprint: str) -> bool:
        """Whether a schedule pays in trade."""
        return pays_goods(self._schedules[fingerprint])

    def adjustment(self, body: Body) -> Pairs:
        """Compare what an adjustment books with what it says."""
        entry = adjusted(PlayerId(body["player"]), Direction(body["direction"]), body["amount"])
        lent = owing(body["table"], [entry], self.balances, body["reason"])
        due = [_in_record(one) for one in (Booking(entry), *lent)]
        return [
            ("an adjustment books its amount", _entries_of(body), due),
            ("an adjustment has two names", *_alone(body)),
        ]

    def owed_collected(self, body: Body) -> Pairs:
        """Compare what the collection of a debt books with what it says."""
        due = [_in_record(Booking(collected(PlayerId(body["player"]), body["amount"])))]
        return [("a debt is collected as it says", _entries_of(body), due)]

    def _book(self, body: Body) -> Pairs:
        """Make the entries of a record."""
        pairs: Pairs = []
        for entry in body.get("entries", []):
            pairs.append(("entries are numbered without a gap", entry["seq"], self.entries))
            self.entries += 1
            lines = entry["lines"]
            total = sum(amount for _, amount in lines)
            pairs.append(("an entry has two lines or more, which sum to 0", (len(lines) > 1, total), (True, 0)))
            for account, amount in lines:
                self.balances[account] = self.balances.get(account, 0) + amount
        moved = {account for entry in body.get("entries", []) for account, _ in entry["lines"]}
        short = [account for account in sorted(moved) if _below_floor(account, self.balances[account])]
        pairs.append(("no balance is below its floor", short, []))
        return pairs


_COMPARED = ("kind", "lines", "wager")
"""What is compared of an entry."""


def _entries_of(body: Body) -> list[dict[str, object]]:
    """`_COMPARED` of each entry of a record."""
    return [{name: one.get(name) for name in _COMPARED} for one in body.get("entries", [])]


def _alone(body: Body) -> tuple[bool, bool]:
    """Whether nobody approved besides who acted, and whether that may be: the house itself stands for both."""
    return body["second"] in (None, body["by"]), body["by"] == HOUSE.id


def _in_record(booking: Booking) -> dict[str, object]:
    """`_COMPARED` of an entry, as its record has it."""
    lines = [[line.account, line.amount] for line in booking.entry.postings]
    return {"kind": booking.entry.kind.value, "lines": lines, "wager": booking.wager}


def _below_floor(account: str, balance: int) -> bool:
    """Tell whether a player owes more than his markers, or the cage does what it has not."""
    if account.startswith("player:") and not account.endswith((":marker", ":owed")):
        return balance > 0
    return balance < 0 and (account in _NEVER_BELOW or account.endswith((":marker", ":owed", ":drop")))


_NEVER_BELOW = (VAULT.name, DEPOSITS.name)


def _nothing(_retraced: Retraced, _body: Body) -> Pairs:
    return []


_FOLLOW = {
    "schedule": Retraced.schedule,
    "table_event": Retraced.table_event,
    "adjustment": Retraced.adjustment,
    "owed_collected": Retraced.owed_collected,
    "round": Retraced.round,
    "shift": Retraced.shift,
    "cage": Retraced.cage,
}
"""What a record of a kind changes beside games and books."""
