"""What the last throw of a table did, for whoever watches it: the dice as they stand, the calls, bet by bet."""

import json
from dataclasses import dataclass
from datetime import datetime

from house.domain.throws import DieState
from house.engines.protocol import Movement
from house.service.desk import House
from house.service.games import GAMES
from house.service.play import known_table, loader
from house.store import corrections, records, throws
from house.store.unit_of_work import moment


@dataclass(frozen=True, slots=True, kw_only=True)
class LastThrow:
    """The last throw of a table, as a correction left it if there was one.

    Parameters
    ----------
    throw
        Its number at the table.
    dice
        Serials, in the order in which they were logged.
    faces, states
        Of each die; a face is None where it could not be read.
    void
        Whether it counts for nothing.
    calls
        What the stickman said.
    movements
        What it did to each wager.
    """

    table: str
    throw: int
    at: datetime
    shooter: str | None
    dice: tuple[str, ...]
    faces: tuple[int | None, ...]
    states: tuple[DieState, ...]
    void: bool
    corrected: bool
    calls: tuple[str, ...]
    movements: tuple[Movement, ...]


def last_throw(house: House, table_id: str) -> LastThrow | None:
    """Show the last throw of a table, played again from its record; None before the first. Refused: NOT_FOUND."""
    with house.read() as connection:
        table = known_table(connection, table_id)
        if not table.next_throw:
            return None
        number, logged = throws.logged(connection, table.id, table.next_throw - 1)
        record = records.get(connection, number)
        assert record is not None, "a throw has its record"
        corrected = corrections.last(connection, table.id, table.next_throw - 1)
        shown = corrected or tuple((die.face, die.state) for die in logged)
        faces, states = tuple(face for face, _ in shown), tuple(DieState(state) for _, state in shown)
        game = GAMES[table.game]
        operation = {**record.body, "faces": list(faces), "states": [state.value for state in states]}
        before = game.read(json.loads(table.state_before))
        played = game.play(before, table.fingerprint, loader(house, connection), operation)
        return LastThrow(
            table=table.id,
            throw=table.next_throw - 1,
            at=moment(record.body["at_us"]),
            shooter=record.body["shooter"],
            dice=tuple(die.die for die in logged),
            faces=faces,
            states=states,
            void=any(state is not DieState.OK for state in states),
            corrected=bool(corrected),
            calls=played.calls,
            movements=played.movements,
        )
