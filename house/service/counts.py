"""What a table counts beside its game: rounds, wagers and throws so far, and what rode at its throws.

Rounds and wagers are named by these counts, and stakes are told large from small by them, so an audit counts again.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from house.domain import stake_class
from house.service.course import CORRECT, Course
from house.service.games import Game, Operation
from house.store.records import canonical

BEGINS = frozenset({"place", "take_down", "press", "call", "throw"})
"""Operations that begin a round where none is in progress."""
GAMES_BEGUN = frozenset({"game", "peer_game"})
"""Operations that begin a round of their own."""

AS_COUNTED = "rounds, wagers and throws are named as they are counted"


@dataclass(slots=True)
class Counts:
    """The counts of a table, kept up to date record by record.

    Attributes
    ----------
    round, rounds, wagers, next_throw
        As `house.store.tables.StoredTable` has them.
    seen
        How often each amount of `stake_class.digits` rode at a throw.
    """

    table: str
    round: str = ""
    rounds: int = 0
    wagers: int = 0
    next_throw: int = 0
    seen: dict[int, int] = field(default_factory=dict)

    def follow(self, game: Game, before: Course, after: Course, body: Operation) -> Iterator[tuple[str, Any, Any]]:
        """Count an operation that was played; yield what its record names differently: invariant, found, due."""
        if body["op"] == CORRECT:
            thrown = before.since[0][1]
            begun_since = self.round if self.round != thrown["round"] else ""
            over = game.round_over({**thrown, "states": body["states"]}, after.state)
            self.round = begun_since if over else thrown["round"]
            return
        if body["op"] in GAMES_BEGUN or (body["op"] in BEGINS and not self.round):
            self.round, self.rounds = f"{self.table}-r{self.rounds}", self.rounds + 1
        found, due = named(body), self._names(game, before, body)
        if found != due:
            yield AS_COUNTED, found, due
        if game.round_over(body, after.state):
            self.round = ""

    def _names(self, game: Game, before: Course, body: Operation) -> dict[str, Any]:
        """What an operation's record shall name, and count it."""
        wagers = len(body["bets"]) if body["op"] == "place" else int(body["op"] == "game")
        due: dict[str, Any] = {"wagers": [f"{self.table}-{self.wagers + number}" for number in range(wagers)]}
        self.wagers += wagers
        if body["op"] in GAMES_BEGUN:
            due["round"] = self.round
        if body["op"] == "throw":
            riding = sum(wager.stake_minor for wager in game.riding(before.state))
            quartile = stake_class.quartile(self.seen, riding)
            due |= {"round": self.round, "number": self.next_throw, "stake_class": quartile}
            mark = stake_class.digits(riding)
            self.seen[mark] = self.seen.get(mark, 0) + 1
            self.next_throw += 1
        return due

    def kept(self) -> dict[str, Any]:
        """The counts as the columns of a table hold them."""
        seen = canonical({str(amount): times for amount, times in self.seen.items()})
        names = ("round", "rounds", "wagers", "next_throw")
        return {name: getattr(self, name) for name in names} | {"stakes_seen": seen}


def named(body: Operation) -> dict[str, Any]:
    """What the record of an operation names: the wagers that it makes, its round, the number and class of a throw."""
    names = {"throw": ("round", "number", "stake_class")} | dict.fromkeys(GAMES_BEGUN, ("round",))
    made = body["bets"] if body["op"] == "place" else [body] if body["op"] == "game" else []
    return {"wagers": [one["wager"] for one in made]} | {name: body[name] for name in names.get(body["op"], ())}
