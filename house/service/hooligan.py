"""Games of Hooligan at a counter: a player against the house, or players among themselves for drinks."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from house.domain.people import Scope
from house.engines.hooligan import Decides
from house.engines.protocol import Movement
from house.service.cage import known_player
from house.service.desk import Command, Work
from house.service.generator import reserve
from house.service.play import Step, in_round, open_table, play
from house.store.tables import StoredTable

__all__ = ["Choose", "Decides", "GameMoved", "StartGame", "StartPeerGame"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMoved:
    """A game after a step: its round, what moved, and the engine's state as JSON."""

    table: str
    round: str
    movements: tuple[Movement, ...]
    calls: tuple[str, ...]
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StartGame(Command[GameMoved]):
    """Let a player pay the stake and begin a game against the house.

    Raises
    ------
    Refused
        NOT_FOUND, WRONG_GAME, TABLE_CLOSED, BET_CLOSED (a game is in progress), INSUFFICIENT_FUNDS; where the house
        draws, as `generator.reserve`.
    """

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    player: str

    def run(self, work: Work) -> GameMoved:
        """Take the stake and begin."""
        table = open_table(work.connection, self.table, "hooligan")
        player = known_player(work.connection, self.player)
        begun = _begun(table)
        named = replace(begun, wagers=table.wagers + 1)
        wager = f"{table.id}-{table.wagers}"
        operation = {"op": "game", "player": player, "wager": wager, "round": begun.round}
        return _moved(begun, play(work, named, "bet", operation, reserve(work, named, player), field="player"))


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPeerGame(Command[GameMoved]):
    """Let 2 to 12 players begin a game among themselves; it moves no money. Refused: as `StartGame`."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    players: tuple[str, ...]
    decides: Decides

    def run(self, work: Work) -> GameMoved:
        """Begin with the throw for order."""
        table = open_table(work.connection, self.table, "hooligan")
        for index, player in enumerate(self.players):
            known_player(work.connection, player, f"players[{index}]")
        begun = _begun(table)
        among = {"players": list(self.players), "decides": self.decides.value, "round": begun.round}
        return _moved(begun, play(work, begun, "round_open", {"op": "peer_game", **among}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Command[GameMoved]):
    """Make a choice without a throw behind it: one that ends the last frame ("keep 0 1 2 3 4", "decline", "stop").

    A choice that a throw follows belongs to that throw's command.

    Raises
    ------
    Refused
        NOT_FOUND, WRONG_GAME, TABLE_CLOSED, BAD_CHOICE.
    """

    scope: ClassVar[Scope] = Scope.THROWS_WRITE
    table: str
    choice: str

    def run(self, work: Work) -> GameMoved:
        """Make the choice."""
        table = open_table(work.connection, self.table, "hooligan")
        return _moved(table, play(work, table, "choice", {"op": "choose", "choice": self.choice}))


def _begun(table: StoredTable) -> StoredTable:
    """The table with a new round; the engine refuses it while one is in progress."""
    return in_round(replace(table, round=""))


def _moved(table: StoredTable, step: Step) -> GameMoved:
    return GameMoved(
        table=table.id,
        round=table.round,
        movements=step.played.movements,
        calls=step.played.calls,
        state=step.state,
    )
