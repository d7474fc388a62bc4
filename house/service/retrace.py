"""The house played again from its records alone: no database, no clock, nothing but what the history says."""

from dataclasses import dataclass, field
from typing import Any

from house.domain.ids import TableId
from house.domain.ledger import VAULT, table_float
from house.service.games import GAMES, Game
from house.service.play import entry_of, fields_of, made_under
from house.service.schedules import Schedule, pays_goods
from house.store import settlements
from house.store.checks import Discrepancy
from house.store.settlements import Settlement
from payouts.schedule import parse

Body = dict[str, Any]


@dataclass(slots=True)
class _Table:
    """A table as the records left it; `current` is the fingerprint of the schedule for new bets."""

    game: Game
    state: Any
    current: str


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

    def _faults(self, body: Body) -> list[tuple[str, object, object]]:
        """Pairs of what is found and due, each under its invariant."""
        pairs: list[tuple[str, object, object]] = [
            ("records are numbered without a gap", body["record"], self.records - 1)
        ]
        pairs += _FOLLOW.get(body["kind"], _nothing)(self, body)
        if "op" in body:
            pairs += self._play(body)
        pairs += self._book(body)
        if body.get("event") == "closed":
            left = self.balances.get(table_float(TableId(body["table"])).name, 0)
            pairs.append(("a closed table has no float", left, 0))
        return pairs

    def schedule(self, body: Body) -> list[tuple[str, object, object]]:
        """Take a schedule that was published."""
        schedule = parse(body["text"], "schedule")
        self._schedules[body["fingerprint"]] = schedule
        return [("a schedule has its fingerprint", body["fingerprint"], schedule.fingerprint)]

    def table_event(self, body: Body) -> list[tuple[str, object, object]]:
        """Open a table, or change the schedule at one."""
        if body["event"] == "opened":
            game = GAMES[body["game"]]
            self._tables[body["table"]] = _Table(game, game.read({}), body["fingerprint"])
        self._tables[body["table"]].current = body["fingerprint"]
        return []

    def _play(self, body: Body) -> list[tuple[str, object, object]]:
        """Play an operation, and compare what the record settles and books with what the engine does."""
        table = self._tables[body["table"]]
        riding = made_under(table.game, table.state)
        played = table.game.play(table.state, table.current, self._schedules.__getitem__, body)
        table.state = played.state
        self.settlements += len(played.movements)
        movements, entries, seq = [], [], self.entries
        for movement in played.movements:
            fingerprint = riding.get(movement.wager, table.current)
            goods = pays_goods(self._schedules[fingerprint])
            entry = entry_of(movement, TableId(body["table"]), goods)
            numbered = None if entry is None else seq
            movements.append(settlements.in_record(Settlement(fingerprint, numbered, fields_of(movement))))
            if entry is not None:
                seq += 1
                lines = [[line.account, line.amount] for line in entry.postings]
                entries.append({"kind": entry.kind.value, "lines": lines, "wager": movement.wager})
        booked = [{name: one.get(name) for name in ("kind", "lines", "wager")} for one in body.get("entries", [])]
        return [
            ("a settlement is what its schedule pays", body.get("movements", []), movements),
            ("an entry books its settlement", booked, entries),
        ]

    def _book(self, body: Body) -> list[tuple[str, object, object]]:
        """Make the entries of a record."""
        pairs: list[tuple[str, object, object]] = []
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


def _below_floor(account: str, balance: int) -> bool:
    """Tell whether a player owes or the vault does."""
    return balance > 0 if account.startswith("player:") else account == VAULT.name and balance < 0


def _nothing(_retraced: Retraced, _body: Body) -> list[tuple[str, object, object]]:
    return []


_FOLLOW = {"schedule": Retraced.schedule, "table_event": Retraced.table_event}
"""What a record of a kind changes beside games and books."""
