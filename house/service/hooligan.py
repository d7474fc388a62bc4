"""Games of Hooligan at a counter: a player against the house, or players among themselves for drinks."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from house.engines.protocol import Movement
from house.service.desk import Command


class Decides(StrEnum):
    """Who wins or pays in peer play."""

    HIGH = "high"
    LOW = "low"
    TWO_LOW = "two_low"


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
        NOT_FOUND, WRONG_GAME, TABLE_CLOSED, BET_CLOSED (a game is in progress), INSUFFICIENT_FUNDS.
    """

    table: str
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPeerGame(Command[GameMoved]):
    """Let 2 to 12 players begin a game among themselves; it moves no money. Refused: as `StartGame`."""

    table: str
    players: tuple[str, ...]
    decides: Decides


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Command[GameMoved]):
    """Make a choice without a throw behind it: one that ends the last frame ("keep 0 1 2 3 4", "decline", "stop").

    A choice that a throw follows belongs to that throw's command.

    Raises
    ------
    Refused
        NOT_FOUND, WRONG_GAME, TABLE_CLOSED, BAD_CHOICE.
    """

    table: str
    choice: str
