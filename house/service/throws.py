"""Throws: one command with the choice before it, the faces and the states of the dice; it settles everything."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from house.domain.throws import DieState
from house.engines.protocol import Movement
from house.service.desk import Command


class Source(StrEnum):
    """Who read the dice."""

    DEALER = "dealer"
    CAMERA = "camera"
    IMPORT = "import"
    RNG = "rng"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thrown:
    """One die of a throw, in the order of the slots; `face` is None where it could not be read."""

    die: str
    face: int | None
    state: DieState = DieState.OK


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a throw did.

    Parameters
    ----------
    throw
        Number of the throw at its table, dense from 0.
    void
        Whether the throw counts for nothing and is thrown again.
    calls
        What the stickman says.
    state
        The engine's state after it, as JSON.
    """

    table: str
    throw: int
    round: str
    void: bool
    movements: tuple[Movement, ...]
    calls: tuple[str, ...]
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw(Command[Settled]):
    """Throw the dice.

    Parameters
    ----------
    dice
        The dice thrown, in the order of the slots: two in craps; in Hooligan those that are not kept.
    choice
        Hooligan: the player's choice before this throw, as `payouts.hooligan.rules.Choice` spells it ("name 6").
    shooter
        Pseudonymous id; without it, the one that the engine names.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, NOT_IN_PLAY (a die is not in play here, or appears twice), BAD_THROW, BAD_CHOICE,
        NOT_YOUR_TURN.
    """

    table: str
    dice: tuple[Thrown, ...]
    choice: str | None = None
    shooter: str | None = None
    source: Source = Source.DEALER
