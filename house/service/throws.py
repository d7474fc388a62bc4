"""Throws: one command with the choice before it, the faces and the states of the dice; it settles everything."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from house.domain import stake_class
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.throws import DieState
from house.engines.protocol import Movement
from house.service import watch
from house.service.desk import Command, Work
from house.service.equipment import check_kept, lay
from house.service.games import GAMES, Operation
from house.service.play import in_round, loader, open_table, play, state_of
from house.store import equipment
from house.store import throws as store
from house.store.records import canonical
from house.store.tables import StoredTable
from house.store.throws import StoredDie, StoredThrow


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
        Who is seen to throw; without it, the one who has the dice.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, WRONG_METHOD (the house draws this table's throws, or they are called the generator's
        where dice are thrown), NOT_IN_PLAY (a die is not in play here, or appears twice), BAD_THROW, BAD_CHOICE,
        NOT_YOUR_TURN.
    """

    scope: ClassVar[Scope] = Scope.THROWS_WRITE
    table: str
    dice: tuple[Thrown, ...]
    choice: str | None = None
    shooter: str | None = None
    source: Source = Source.DEALER

    def run(self, work: Work) -> Settled:
        """Check the dice, play the throw, and log it."""
        table = in_round(open_table(work.connection, self.table))
        if Source.RNG in (table.method, self.source):
            raise Refused(Refusal.WRONG_METHOD, "only the house's generator draws throws", "table", table.id)
        in_play = equipment.in_play(work.connection, table.id)
        in_play.check_thrown(die.die for die in self.dice)
        return settle(work, table, in_play.box, self)


def settle(work: Work, table: StoredTable, box: str | None, thrown: Throw, drawn: Operation | None = None) -> Settled:
    """Play a throw whose dice are known to be in play, and log it.

    Parameters
    ----------
    table
        The table, in a round.
    drawn
        What the record says of a throw of the house's generator besides.
    """
    operation = {
        "op": "throw",
        "faces": [die.face for die in thrown.dice],
        "states": [die.state.value for die in thrown.dice],
        "choice": thrown.choice,
    }
    shooter = GAMES[table.game].shooter(state_of(table))
    if thrown.shooter not in (None, shooter):
        raise Refused(Refusal.NOT_YOUR_TURN, "the dice are another's", "shooter", thrown.shooter[:64], shooter or "")
    throw = StoredThrow(
        table=table.id,
        number=table.next_throw,
        round=table.round,
        method=table.method,
        box=box,
        shooter=shooter,
        source=thrown.source.value,
        stake_class=stake_class.quartile(stakes_seen(table), table.riding),
        void=not all(die.state is DieState.OK for die in thrown.dice),
    )
    serials = [die.die for die in thrown.dice]
    slots = _slots(work, table, thrown.choice)
    check_kept(work.connection, table.id, slots, serials)
    noted = {name: getattr(throw, name) for name in NOTED} | {"dice": serials}
    step = play(work, _counted(table), "throw", operation, noted | dict(drawn or {}))
    dice = [StoredDie(die=die.die, face=die.face, state=die.state.value) for die in thrown.dice]
    store.add(work.unit, throw, dice, step.record)
    if slots:
        lay(work, table.id, slots, serials)
    watch.observe(work, throw, dice)
    return Settled(
        table=table.id,
        throw=throw.number,
        round=table.round,
        void=throw.void,
        movements=step.played.movements,
        calls=step.played.calls,
        state=step.state,
    )


def _slots(work: Work, table: StoredTable, choice: str | None) -> tuple[int, ...]:
    """Slots of the dice that are thrown, where others may lie kept; none where no die is ever kept."""
    game = GAMES[table.game]
    if not game.keeps:
        return ()
    return game.dice_to_throw(state_of(table), table.fingerprint, loader(work.house, work.connection), choice)


NOTED = ("number", "round", "method", "box", "shooter", "source", "stake_class")
"""What the record of a throw says besides the operation and the dice."""


def _counted(table: StoredTable) -> StoredTable:
    """The table with one more throw, the state before it, and with what rides on it among what it has seen."""
    seen = stake_class.count(stakes_seen(table), table.riding)
    return replace(
        table,
        next_throw=table.next_throw + 1,
        state_before=table.state,
        stakes_seen=canonical({str(amount): times for amount, times in seen.items()}),
    )


def stakes_seen(table: StoredTable) -> dict[int, int]:
    """How often each amount rode at the throws of a table so far."""
    return {int(amount): times for amount, times in json.loads(table.stakes_seen).items()}
