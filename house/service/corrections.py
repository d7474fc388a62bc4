"""Corrections of a mis-keyed throw, until its table throws again; whatever is found later is an adjustment.

A correction is a record of its own, with two names. The throw's record, its row in the log and its entries stay as they
are: the correction takes back what was booked since the throw, the throw with it, by further entries, plays the throw
with the dice as they were (`course`), and books what that does. Whoever reads the throw log afterwards is given the
corrected dice, once.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import Connection

from house.domain import corrections as domain
from house.domain.corrections import Reason
from house.domain.ids import TableId
from house.domain.ledger import EntryKind
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.throws import DieState
from house.engines.protocol import Movement
from house.service import watch
from house.service.adjustments import Owed, check_made, lent_by, owed_by
from house.service.course import Course, Followed, follow, standing
from house.service.desk import Command, House, Work
from house.service.games import GAMES, Operation
from house.service.play import goods, known_table, loader, moves_of, open_table, record_moves, state_of
from house.service.throws import Source
from house.store import corrections as store
from house.store import records, throws
from house.store import tables as table_store
from house.store.corrections import StoredCorrection
from house.store.ledger import Booking
from house.store.records import canonical
from house.store.tables import StoredTable
from house.store.unit_of_work import moment

__all__ = ["CorrectThrow", "Corrected", "Correction", "Reason", "Shown", "corrections", "taken_back"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a die of a throw really showed; `face` is None where it could not be read."""

    face: int | None
    state: DieState = DieState.OK


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """What a correction did.

    Parameters
    ----------
    record
        Number of its record.
    undone
        Records whose entries it took back.
    movements
        What the throw does now, and what was done since and still holds.
    owed
        What players owe now whose wallets were short.
    state
        The engine's state after it, as JSON.
    """

    record: int
    table: str
    throw: int
    void: bool
    undone: tuple[int, ...]
    movements: tuple[Movement, ...]
    calls: tuple[str, ...]
    owed: tuple[Owed, ...]
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A correction as it is shown: what was logged at first, and what it says that the dice showed.

    Parameters
    ----------
    by, second
        The two people.
    undone
        Records whose entries it took back.
    """

    record: int
    table: str
    throw: int
    reason: Reason
    at: datetime
    by: str
    second: str | None
    dice: tuple[str, ...]
    logged: tuple[Shown, ...]
    shows: tuple[Shown, ...]
    undone: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectThrow(Command[Corrected]):
    """Correct the last throw of a table: what its dice showed, or whether it counts.

    Parameters
    ----------
    throw
        Number of the throw; it must be the table's last.
    dice
        Every die of the throw, in the order in which it was logged.

    Raises
    ------
    Refused
        NOT_FOUND, TABLE_CLOSED, WRONG_METHOD (the generator's throws are proved, not corrected), TOO_LATE (the table
        has thrown again: adjust), BAD_THROW, BAD_VALUE (the throw stands so already), BAD_CHOICE (the choice before the
        throw does not go with it), INSUFFICIENT_FUNDS (the vault, for what players owe from now on).
    """

    scope: ClassVar[Scope] = Scope.CORRECTIONS_WRITE
    approval: ClassVar[Scope] = Scope.CORRECTIONS_APPROVE
    table: str
    throw: int
    dice: tuple[Shown, ...]
    reason: Reason

    def run(self, work: Work) -> Corrected:
        """Take back what was booked since the throw, and settle it as it was."""
        table = open_table(work.connection, self.table)
        if table.method == Source.RNG:
            raise Refused(Refusal.WRONG_METHOD, "a throw of the generator can be proved", "table", table.id, "rng")
        _check_last(table, self.throw)
        course = _course(work, table)
        thrown = course.since[0][1]
        operation = {
            "op": "correct",
            "number": self.throw,
            "dice": thrown["dice"],
            "faces": [die.face for die in self.dice],
            "states": [die.state.value for die in self.dice],
            "reason": self.reason.value,
        }
        _check_changed(course, operation)
        followed = follow(GAMES[table.game], course, loader(work.house, work.connection), operation)
        return _correct(work, _as_corrected(work, table, thrown, followed), operation, followed)


def _check_last(table: StoredTable, number: int) -> None:
    check_made(table, number)
    if number != table.next_throw - 1:
        message = "the table has thrown again; adjust what the throw paid wrongly"
        raise Refused(Refusal.TOO_LATE, message, "throw", str(number), str(table.next_throw - 1))


def _check_changed(course: Course, operation: Operation) -> None:
    """Check that a correction reads every die, and changes something."""
    stands, *_ = standing(course)
    if len(operation["faces"]) != len(stands["faces"]):
        count = str(len(stands["faces"]))
        raise Refused(Refusal.BAD_THROW, "a correction reads every die", "dice", str(len(operation["faces"])), count)
    if all(operation[name] == stands[name] for name in ("faces", "states")):
        raise Refused(Refusal.BAD_VALUE, "the throw stands so already", "dice")


def _course(work: Work, table: StoredTable) -> Course:
    """The table's game since its last throw, from its records."""
    record, _ = throws.logged(work.connection, table.id, table.next_throw - 1)
    since = list(records.of_table(work.connection, table.id, record))
    changes = [one.body["before"] for one in since if one.body.get("event") == "schedule"]
    current, steps = [*changes, table.fingerprint][0], []
    for one in since:
        current = one.body.get("fingerprint", current)
        if "op" in one.body:
            steps.append((current, one.body))
    before = GAMES[table.game].read(json.loads(table.state_before))
    return Course(state_of(table), table.fingerprint, before, tuple(steps))


def _as_corrected(work: Work, table: StoredTable, thrown: Operation, followed: Followed) -> StoredTable:
    """The table with the game as the correction leaves it."""
    game, state = GAMES[table.game], followed.course.state
    load = loader(work.house, work.connection)
    corrected = followed.course.since[-1][1]
    over = game.round_over({**thrown, "states": corrected["states"]}, state)
    begun_since = table.round if table.round != thrown["round"] else ""
    return replace(
        table,
        state=canonical(state.to_json()),
        riding=sum(wager.stake_minor for wager in game.riding(state)),
        exposure=game.exposure(state, table.fingerprint, load),
        round=begun_since if over else thrown["round"],
    )


def _correct(work: Work, table: StoredTable, operation: Operation, followed: Followed) -> Corrected:
    """Write the correction with all its entries, and keep it."""
    undone = tuple(one["record"] for one in followed.undone)
    moves = moves_of(followed.played.movements, followed.under, TableId(table.id), goods(work))
    back = taken_back(table.id, followed.undone, operation["reason"])
    made = [one.entry for one in back] + [move.entry for move in moves if move.entry is not None]
    lent = lent_by(work, table.id, made, operation["reason"])
    body = {**operation, "undone": list(undone)}
    record = record_moves(work, table, "correction", body, moves, before=back, after=lent, field="dice")
    table_store.save(work.unit, table)
    dice = tuple(zip(operation["faces"], operation["states"], strict=True))
    kept = StoredCorrection(
        record=record,
        table=table.id,
        number=operation["number"],
        reason=operation["reason"],
        dice=dice,
        undone=undone,
    )
    store.add(work.unit, kept)
    watch.corrected(work, table.id, kept.number)
    return Corrected(
        record=record,
        table=table.id,
        throw=operation["number"],
        void=any(state != DieState.OK for _, state in dice),
        undone=undone,
        movements=followed.played.movements,
        calls=followed.played.calls,
        owed=owed_by(work.connection, lent),
        state=followed.course.state.to_json(),
    )


def taken_back(table: str, undone: Sequence[Operation], reason: str) -> tuple[Booking, ...]:
    """The entries that undo those of some records, in the order in which they were made.

    What a correction took back itself stays taken back.
    """
    return tuple(
        Booking(
            domain.taken_back([(account, amount) for account, amount in entry["lines"]]),
            table,
            entry.get("round"),
            entry.get("wager"),
            reason,
        )
        for record in undone
        for entry in record.get("entries", ())
        if entry["kind"] != EntryKind.CORRECTION
    )


def corrections(house: House, table_id: str, after: int = -1, limit: int = 500) -> tuple[Correction, ...]:
    """List the corrections at a table whose records follow one, in order. Refused: NOT_FOUND."""
    with house.read() as connection:
        known_table(connection, table_id)
        return tuple(_shown(connection, one) for one in store.page(connection, table_id, after, limit))


def _shown(connection: Connection, one: StoredCorrection) -> Correction:
    body = records.get(connection, one.record)
    assert body is not None, "a correction has its record"
    _, logged = throws.logged(connection, one.table, one.number)
    return Correction(
        record=one.record,
        table=one.table,
        throw=one.number,
        reason=Reason(one.reason),
        at=moment(body.body["at_us"]),
        by=body.body["by"],
        second=body.body["second"],
        dice=tuple(die.die for die in logged),
        logged=tuple(Shown(face=die.face, state=DieState(die.state)) for die in logged),
        shows=tuple(Shown(face=face, state=DieState(state)) for face, state in one.dice),
        undone=one.undone,
    )
