"""Standing wagers compiled to one automaton over (state, throw).

Any machine of the catalogue is compiled by reaching its states; several wagers, with the puck, by reaching the states
of all of them together. States that no sequence of throws tells apart are then merged. The accounts of play are dot
products with the counts of (state, throw).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from payouts.errors import PayoutError, SolverLimitError
from payouts.machine import Machine, Outcome, Payment, State, Step, Throw

THROWS: tuple[Throw, ...] = tuple((first, second) for first in range(1, 7) for second in range(1, 7))
MAX_STATES = 200_000
POINTS = frozenset({4, 5, 6, 8, 9, 10})
OPEN, *_ = range(4)
OUTCOMES = {Outcome.WIN: 1, Outcome.TIE: 2, Outcome.LOSE: 3}


@dataclass(frozen=True, slots=True)
class Situation:
    """What a standing order looks at before a throw.

    `point` is 0 on a come-out; `after_seven` holds on the first throw of all and after every 7; `others` are the states
    of the wagers listed before this one, None for one that is down.
    """

    point: int
    after_seven: bool
    others: tuple[State | None, ...]


def always(situation: Situation) -> bool:
    """Hold in every situation."""
    return True


@dataclass(frozen=True, slots=True)
class Wager:
    """A bet that a player keeps up for a whole session.

    Parameters
    ----------
    gain
        Net gain of the player in minor units when the bet ends with a payment: winnings less commission, or minus what
        was staked.
    stake_minor
        What the player puts at risk, minor units.
    made, working
        When a bet that is down is made, and when one that is up is stepped.
    behind
        Index of the wager that this one stands behind (odds): when that one ends and this does not, the stake comes
        back.
    """

    label: str
    machine: Machine
    gain: Callable[[Payment], int]
    stake_minor: int
    made: Callable[[Situation], bool] = always
    working: Callable[[Situation], bool] = always
    behind: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """Wagers as arrays over states S, throws 36 in the order of `THROWS`, and wagers W. State 0 is the start.

    Attributes
    ----------
    successor
        (S, 36) next state.
    gain
        (W, S, 36) net gain in minor units.
    outcome
        (W, S, 36) 0 open, 1 win, 2 tie, 3 lose.
    stepped
        (W, S) whether the wager is up and working.
    """

    wagers: tuple[Wager, ...]
    successor: NDArray[np.int64]
    gain: NDArray[np.int64]
    outcome: NDArray[np.int8]
    stepped: NDArray[np.bool_]

    @property
    def states(self) -> int:
        """Number of states."""
        return len(self.successor)


@dataclass(frozen=True, slots=True)
class _Node:
    """A state of the whole table before a throw: the puck and every wager."""

    point: int
    after_seven: bool
    states: tuple[State | None, ...]


def compile_wagers(wagers: Iterable[Wager], points: frozenset[int] = POINTS) -> Automaton:
    """Reach and merge the states of standing wagers on a table whose puck marks `points`.

    Raises
    ------
    PayoutError
        No wager, a wager behind one that is not listed before it, or wagers that can never be all fresh again.
    SolverLimitError
        More than `MAX_STATES` states.
    """
    listed = tuple(wagers)
    if not listed:
        raise PayoutError("wagers must name at least one bet, got none")
    for index, wager in enumerate(listed):
        if wager.behind is not None and not 0 <= wager.behind < index:
            raise PayoutError(f"behind must be a wager listed before {wager.label}, got {wager.behind}")
    watched = any(wager.made is not always or wager.working is not always for wager in listed)
    return _merged(_reached(listed, points if watched else None))


def _reached(wagers: tuple[Wager, ...], points: frozenset[int] | None) -> Automaton:
    """Reach every state; without `points` nobody watches the puck and it stays where it is."""
    memos: list[dict[tuple[State, Throw], Step]] = [{} for _ in wagers]
    start = _fresh(wagers, 0, True, (None,) * len(wagers))
    index = {start: 0}
    nodes = [start]
    successor: list[list[int]] = []
    gains: list[list[list[int]]] = []
    outcomes: list[list[list[int]]] = []
    stepped: list[list[bool]] = []
    for node in nodes:
        works = [state is not None and wagers[i].working(_situation(node, i)) for i, state in enumerate(node.states)]
        row: list[int] = []
        paid: list[list[int]] = []
        ended: list[list[int]] = []
        for throw in THROWS:
            states, ends = _thrown(wagers, memos, node.states, works, throw)
            point, after_seven = _puck(node.point, throw, points)
            arrived = _fresh(wagers, point, after_seven, states)
            if arrived not in index:
                index[arrived] = len(nodes)
                nodes.append(arrived)
                if len(nodes) > MAX_STATES:
                    raise SolverLimitError(f"wagers must have at most {MAX_STATES} states together, got more")
            row.append(index[arrived])
            paid.append([0 if end is None else w.gain(end) for w, end in zip(wagers, ends, strict=True)])
            ended.append([OPEN if end is None else OUTCOMES[end.outcome] for end in ends])
        successor.append(row)
        gains.append(paid)
        outcomes.append(ended)
        stepped.append(works)
    return Automaton(
        wagers,
        np.array(successor, np.int64),
        np.array(gains, np.int64).transpose(2, 0, 1),
        np.array(outcomes, np.int8).transpose(2, 0, 1),
        np.array(stepped, np.bool_).T,
    )


def _situation(node: _Node, wager: int) -> Situation:
    return Situation(node.point, node.after_seven, node.states[:wager])


def _fresh(wagers: tuple[Wager, ...], point: int, after_seven: bool, states: tuple[State | None, ...]) -> _Node:
    """Make every wager that is down and whose moment it is."""
    made: tuple[State | None, ...] = ()
    for wager, state in zip(wagers, states, strict=True):
        if state is None and wager.made(Situation(point, after_seven, made)):
            state = wager.machine.start()  # noqa: PLW2901
        made = (*made, state)
    return _Node(point, after_seven, made)


def _thrown(
    wagers: tuple[Wager, ...],
    memos: list[dict[tuple[State, Throw], Step]],
    states: tuple[State | None, ...],
    works: list[bool],
    throw: Throw,
) -> tuple[tuple[State | None, ...], list[Payment | None]]:
    """States after a throw, None where a bet ended or is down, and the payments of those that ended."""
    after: list[State | None] = list(states)
    ends: list[Payment | None] = [None] * len(wagers)
    for i, (wager, state) in enumerate(zip(wagers, states, strict=True)):
        if state is None:
            continue
        if works[i]:
            memo = memos[i]
            if (state, throw) not in memo:
                memo[state, throw] = wager.machine.step(state, throw)
            step = memo[state, throw]
            ends[i] = step if isinstance(step, Payment) else None
            after[i] = None if isinstance(step, Payment) else step
        if wager.behind is not None and after[i] is not None and after[wager.behind] is None:
            after[i] = None
            ends[i] = Payment(Outcome.TIE)
    return tuple(after), ends


def _puck(point: int, throw: Throw, points: frozenset[int] | None) -> tuple[int, bool]:
    if points is None:
        return point, True
    total = sum(throw)
    if point == 0:
        return (total if total in points else 0), total == 7
    return (0 if total in (7, point) else point), total == 7


def _merged(full: Automaton) -> Automaton:
    """Merge states that behave alike: coarsest partition stable under every throw (Moore 1956)."""
    shown = np.concatenate(
        [
            full.gain.transpose(1, 0, 2).reshape(full.states, -1),
            full.outcome.transpose(1, 0, 2).reshape(full.states, -1),
        ],
        axis=1,
    )
    block = _codes(np.concatenate([shown, full.stepped.T], axis=1))
    while True:
        finer = _codes(np.concatenate([block[:, None], block[full.successor]], axis=1))
        if finer.max() == block.max():
            break
        block = finer
    # Number blocks by their first state, so that the start is block 0.
    _, first, block = np.unique(block, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kept = first[order]
    merged = Automaton(
        full.wagers,
        rank[block][full.successor[kept]],
        np.ascontiguousarray(full.gain[:, kept]),
        np.ascontiguousarray(full.outcome[:, kept]),
        np.ascontiguousarray(full.stepped[:, kept]),
    )
    _check_return(merged.successor)
    return merged


def _codes(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """(n,) a number for each distinct row, column by column, so that nothing is hashed."""
    code = np.zeros(len(rows), np.int64)
    for column in rows.T:
        _, values = np.unique(column, return_inverse=True)
        _, code = np.unique(code * (values.max() + 1) + values, return_inverse=True)
    return code


def _check_return(successor: NDArray[np.int64]) -> None:
    """Refuse wagers that may never be as at the start again: their figures would not come from whole cycles."""
    returns = np.zeros(len(successor), np.bool_)
    returns[0] = True
    while True:
        wider = returns | returns[successor].any(axis=1)
        if wider.sum() == returns.sum():
            break
        returns = wider
    if not returns.all():
        raise PayoutError("wagers must be able to come back to their start, got some that cannot")
