"""A game as a table's records leave it: one way to follow them, live, in the database and in an export.

A correction of the last throw starts from the state before it. The throw is played with the corrected dice, and what
was done since is done again in its order, item by item, as far as the corrected layout allows: wagers taken down,
calls, who came to the rail and who left. What was staked or chosen on a layout that was not true is not done again:
bets and presses made since come back, and a game of Hooligan begun or a choice made since is as if it had not been.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from house.domain.refusals import Refused
from house.engines.protocol import Played
from house.service.games import Game, Load, Operation

CORRECT = "correct"
AGAIN = frozenset({"take_down", "call", "join", "leave"})
"""Operations since a throw that are done again after its correction."""


@dataclass(frozen=True, slots=True)
class Course:
    """A game between two operations.

    Parameters
    ----------
    current
        Fingerprint of the schedule for new bets.
    before
        The state before the last throw; None before the first.
    since
        Records of the last throw and of every operation after it, each with `current` as it was then.
    """

    state: Any
    current: str
    before: Any = None
    since: tuple[tuple[str, Operation], ...] = ()


@dataclass(frozen=True, slots=True)
class Followed:
    """A game after an operation.

    Parameters
    ----------
    under
        Fingerprint of the schedule under which each wager that moved was made.
    undone
        Records whose entries and movements the operation takes back.
    """

    course: Course
    played: Played[Any]
    under: Mapping[str, str]
    undone: tuple[Operation, ...] = ()


def follow(game: Game, course: Course, load: Load, record: Operation) -> Followed:
    """Play the operation that a record holds. Refused: by the engine."""
    if record["op"] == CORRECT:
        return _correct(game, course, load, record)
    played, under = _step(game, course.state, course.current, load, record)
    step = (course.current, record)
    if record["op"] == "throw":
        after = replace(course, state=played.state, before=course.state, since=(step,))
    else:
        after = replace(course, state=played.state, since=(*course.since, step) if course.since else ())
    return Followed(after, played, under)


def _step(game: Game, state: Any, current: str, load: Load, operation: Operation) -> tuple[Played[Any], dict[str, str]]:
    played = game.play(state, current, load, operation)
    return played, {**{movement.wager: current for movement in played.movements}, **made_under(game, state)}


def made_under(game: Game, state: Any) -> dict[str, str]:
    """Fingerprint of the schedule under which each wager that rides was made."""
    return {wager.wager: wager.schedule for wager in game.riding(state)}


def _correct(game: Game, course: Course, load: Load, record: Operation) -> Followed:
    (current, thrown), *since = course.since
    throw = {**thrown, "faces": record["faces"], "states": record["states"]}
    played, under = _step(game, course.before, current, load, throw)
    for current, operation in since:
        for again in _again(operation):
            try:
                step, made = _step(game, played.state, current, load, again)
            except Refused:
                continue
            played = Played(step.state, played.movements + step.movements, played.calls + step.calls)
            under = made | under
    undone = standing(course)
    after = replace(course, state=played.state, since=(*course.since, (course.current, record)))
    return Followed(after, played, under, undone)


def _again(operation: Operation) -> Iterator[Operation]:
    """The parts of an operation that are done again, one by one."""
    if operation["op"] in AGAIN:
        for item in operation.get("wagers", (None,)):
            yield operation if item is None else {**operation, "wagers": [item]}


def standing(course: Course) -> tuple[Operation, ...]:
    """Records since the last throw, it too, whose effect stands: a correction took back all before it."""
    records = tuple(record for _, record in course.since)
    corrected = [place for place, record in enumerate(records) if record["op"] == CORRECT]
    return records[corrected[-1] :] if corrected else records
