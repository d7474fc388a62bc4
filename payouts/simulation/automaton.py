"""Standing wagers compiled to one automaton over (state, throw).

Any machine of the catalogue is compiled by reaching its states; several wagers, with the puck, by reaching the states
of all of them together. States that no sequence of throws tells apart are then merged. The accounts of play are dot
products with the counts of (state, throw).
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from payouts.craps.puck import BOX_NUMBERS, OFF, Event, follow
from payouts.dice import THROWS
from payouts.errors import PayoutError, SolverLimitError
from payouts.machine import Machine, Outcome, Payment, State, Throw

MAX_STATES = 200_000
HALF = tuple(throw for throw in THROWS if throw[0] <= throw[1])
"""Throws up to the order of the dice."""
MIRROR = np.array([HALF.index((min(throw), max(throw))) for throw in THROWS])
"""(36,) place in `HALF` of each throw."""
OPEN, *_ = range(4)
OUTCOMES = {Outcome.WIN: 1, Outcome.TIE: 2, Outcome.LOSE: 3}


@dataclass(frozen=True, slots=True)
class Situation:
    """What a standing order looks at before a throw.

    `point` is 0 on a come-out; `after_seven` holds on the first throw of all and after every 7, `new_hand` on the first
    throw of all and after every seven-out; `others` are the states of the first parts of the wagers listed before this
    one, None for one that is down or ended.
    """

    point: int
    after_seven: bool
    new_hand: bool
    others: tuple[State | None, ...]


def always(situation: Situation) -> bool:
    """Hold in every situation."""
    return True


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a bet: its machine, and what the player gains, net, in minor units, when it ends with a payment."""

    machine: Machine
    gain: Callable[[Payment], int]


@dataclass(frozen=True, slots=True)
class Wager:
    """A bet that a player keeps up for a whole session; it must not tell the two dice apart.

    A bet of several parts ends with the last of them. Its gain is the sum of theirs, its outcome the sign of that.

    Parameters
    ----------
    stake_minor
        What the player puts at risk on all parts, minor units.
    made, working
        When a bet that is down is made, and when one that is up is stepped.
    behind
        Index of the wager that this one stands behind (odds): when that one ends and this does not, the stake comes
        back.
    """

    label: str
    parts: tuple[Part, ...]
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


def compile_wagers(wagers: Iterable[Wager], points: Collection[int] = BOX_NUMBERS) -> Automaton:
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
    return _merged(_reached(_Board(listed, points)))


_End = tuple[int, int]
"""How a bet ends: gain and code of the outcome."""
_DOWN = -1
_NOT_ENDED = (0, OPEN)
_CAME_BACK = (0, OUTCOMES[Outcome.TIE])


@dataclass(frozen=True, slots=True)
class _Up:
    """A bet that is up: what its ended parts have gained, and the states of its parts, None for an ended one."""

    gained: int
    parts: tuple[State | None, ...]


class _Alone:
    """One wager's own states, by number; state 0 is a bet just made. Each is stepped once, when it is asked for."""

    def __init__(self, wager: Wager) -> None:
        self.wager = wager
        self.states = [_Up(0, tuple(part.machine.start() for part in wager.parts))]
        self.index = {self.states[0]: 0}
        self.rows: dict[int, tuple[int | _End, ...]] = {}

    def row(self, state: int) -> tuple[int | _End, ...]:
        """Tell for each throw of `HALF` the next state, or how the bet ends."""
        if state not in self.rows:
            self.rows[state] = tuple(self._step(self.states[state], throw) for throw in HALF)
        return self.rows[state]

    def _step(self, bet: _Up, throw: Throw) -> int | _End:
        gained, states = bet.gained, list(bet.parts)
        for i, (part, state) in enumerate(zip(self.wager.parts, bet.parts, strict=True)):
            if state is not None:
                step = part.machine.step(state, throw)
                states[i] = None if isinstance(step, Payment) else step
                gained += part.gain(step) if isinstance(step, Payment) else 0
        if states.count(None) == len(states):
            return gained, OUTCOMES[Outcome.WIN if gained > 0 else Outcome.LOSE if gained < 0 else Outcome.TIE]
        after = _Up(gained, tuple(states))
        if after not in self.index:
            self.index[after] = len(self.states)
            self.states.append(after)
            _check_size(len(self.states))
        return self.index[after]


@dataclass(frozen=True, slots=True)
class _Puck:
    """What the table shows before a throw."""

    point: int = OFF
    after_seven: bool = True
    new_hand: bool = True


_Node = tuple[_Puck, tuple[int, ...]]
"""A state of everything before a throw: the puck and the state of every wager, `_DOWN` for one that is down."""


class _Board:
    """The wagers of a session, stepped together."""

    def __init__(self, wagers: tuple[Wager, ...], points: Collection[int]) -> None:
        self.wagers = wagers
        self.alone = tuple(map(_Alone, wagers))
        self.points = points
        self.watched = any(wager.made is not always or wager.working is not always for wager in wagers)

    def start(self) -> _Node:
        return self.made(_Puck(), [_DOWN] * len(self.wagers))

    def made(self, puck: _Puck, bets: list[int]) -> _Node:
        """Make every bet that is down and whose moment it is."""
        if _DOWN in bets:
            for i, wager in enumerate(self.wagers):
                if bets[i] == _DOWN and wager.made(self.situation(puck, bets[:i])):
                    bets[i] = 0
        return puck, tuple(bets)

    def situation(self, puck: _Puck, bets: Sequence[int]) -> Situation:
        others = (
            None if bet == _DOWN else alone.states[bet].parts[0] for bet, alone in zip(bets, self.alone, strict=False)
        )
        return Situation(puck.point, puck.after_seven, puck.new_hand, tuple(others))

    def works(self, node: _Node) -> list[bool]:
        """Tell which bets the next throw steps."""
        puck, bets = node
        return [
            bet != _DOWN and (wager.working is always or wager.working(self.situation(puck, bets[:i])))
            for i, (wager, bet) in enumerate(zip(self.wagers, bets, strict=True))
        ]

    def thrown(self, node: _Node, works: list[bool]) -> list[tuple[_Node, list[_End]]]:
        """Step everything: for each throw of `HALF` the next node, and how each bet ended."""
        puck, bets = node
        rows = [self.alone[i].row(bet) if works[i] else (bet,) * len(HALF) for i, bet in enumerate(bets)]
        return [self._arrived(self.moved(puck, throw), steps) for throw, *steps in zip(HALF, *rows, strict=True)]

    def _arrived(self, puck: _Puck, steps: list[int | _End]) -> tuple[_Node, list[_End]]:
        after = [step if isinstance(step, int) else _DOWN for step in steps]
        ends = [_NOT_ENDED if isinstance(step, int) else step for step in steps]
        for i, wager in enumerate(self.wagers):
            if wager.behind is not None and after[i] != _DOWN and after[wager.behind] == _DOWN:
                after[i], ends[i] = _DOWN, _CAME_BACK
        return self.made(puck, after), ends

    def moved(self, puck: _Puck, throw: Throw) -> _Puck:
        """Follow the puck, where anybody watches it."""
        if not self.watched:
            return puck
        point, event = follow(self.points, puck.point, throw)
        return _Puck(point, sum(throw) == 7, event is Event.SEVEN_OUT)


def _check_size(states: int) -> None:
    if states > MAX_STATES:
        raise SolverLimitError(f"wagers must have at most {MAX_STATES} states together, got more")


def _reached(board: _Board) -> Automaton:
    start = board.start()
    index, nodes = {start: 0}, [start]
    successor: list[list[int]] = []
    ended: list[list[list[_End]]] = []
    stepped: list[list[bool]] = []
    for node in nodes:
        works = board.works(node)
        arrivals = board.thrown(node, works)
        for arrived, _ in arrivals:
            if arrived not in index:
                index[arrived] = len(nodes)
                nodes.append(arrived)
        _check_size(len(nodes))
        successor.append([index[arrived] for arrived, _ in arrivals])
        ended.append([ends for _, ends in arrivals])
        stepped.append(works)
    ends = np.array(ended, np.int64)[:, MIRROR].transpose(3, 2, 0, 1)
    return Automaton(
        board.wagers,
        np.array(successor, np.int64)[:, MIRROR],
        ends[0],
        ends[1].astype(np.int8),
        np.array(stepped, np.bool_).T,
    )


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
