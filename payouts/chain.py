"""Solve machines exactly: how they end and how long they last, as fractions.

The states that a machine reaches are the transient states of an absorbing Markov chain. Expected visits are found in
topological order of the strongly connected components, within a component by elimination in fractions (Kemeny and
Snell, Finite Markov Chains, 1960, ch. 3). States that differ only by things of equal chance are lumped (`Lumped`).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Generic, Protocol, TypeVar, cast, runtime_checkable

from payouts.components import components
from payouts.dice import FAIR, THROWS, Dice
from payouts.errors import PayoutError
from payouts.machine import Machine, Payment, State, Throw

EndT = TypeVar("EndT")


@runtime_checkable
class Lumped(Protocol):
    """A machine that tells which of its states and throws are alike."""

    @property
    def by_total(self) -> bool:
        """Whether throws of the same total do the same."""
        ...

    def likeness(self, dice: Dice) -> tuple[Hashable, ...]:
        """Key of each component of a state; components with equal keys may change places. Empty if none may."""
        ...


@dataclass(frozen=True, slots=True)
class Chain(Generic[EndT]):
    """An absorbing chain; state 0 is the one that it starts from.

    Parameters
    ----------
    moves
        For each state the weights of the states that follow.
    endings
        For each state the weights of the ends that follow.
    whole
        What the weights of a state add to.
    """

    moves: tuple[Mapping[int, int], ...]
    endings: tuple[Mapping[EndT, int], ...]
    whole: int


@dataclass(frozen=True, slots=True)
class Solution(Generic[EndT]):
    """How a chain ends, and the expected number of throws until then."""

    endings: tuple[tuple[EndT, Fraction], ...]
    throws: Fraction


@dataclass(frozen=True, slots=True)
class Duration:
    """Mean and variance of the number of throws that a bet lasts."""

    mean: Fraction
    variance: Fraction


@lru_cache(maxsize=4096)
def solve(machine: Machine, dice: Dice = FAIR, state: State | None = None) -> Solution[Payment]:
    """Solve a machine from its start or from a given state.

    Raises
    ------
    PayoutError
        If the bet may last for ever with these dice.
    """
    return _solved(chain(machine, dice, state))


@lru_cache(maxsize=256)
def solve_together(machines: tuple[Machine, ...], dice: Dice = FAIR) -> Solution[tuple[Payment, ...]]:
    """Solve machines that run side by side on the same throws until all have ended."""
    return _solved(_chain_together(machines, dice))


@lru_cache(maxsize=256)
def chain(machine: Machine, dice: Dice = FAIR, state: State | None = None) -> Chain[Payment]:
    """Markov chain of a machine."""
    like = machine.likeness(dice) if isinstance(machine, Lumped) else ()
    by_total = isinstance(machine, Lumped) and machine.by_total

    def step(now: Hashable, throw: Throw) -> Hashable:
        after = machine.step(cast("State", now), throw)
        return after if isinstance(after, Payment) else arrange(after)

    arrange = _arranger(like)
    start = arrange(machine.start() if state is None else state)
    explored = _explore(start, step, lambda after: isinstance(after, Payment), _weighted(dice, by_total), dice.whole)
    return cast("Chain[Payment]", explored)


def payments(machine: Machine) -> tuple[Payment, ...]:
    """Every payment with which a machine can end."""
    return tuple(payment for payment, _ in solve(machine).endings)


def _chain_together(machines: tuple[Machine, ...], dice: Dice) -> Chain[tuple[Payment, ...]]:
    def step(now: Hashable, throw: Throw) -> Hashable:
        running = cast("tuple[State | Payment, ...]", now)
        return tuple(
            part if isinstance(part, Payment) else machine.step(part, throw)
            for machine, part in zip(machines, running, strict=True)
        )

    def ended(after: Hashable) -> bool:
        return all(isinstance(part, Payment) for part in cast("tuple[object, ...]", after))

    start = tuple(machine.start() for machine in machines)
    explored = _explore(start, step, ended, _weighted(dice, by_total=False), dice.whole)
    return cast("Chain[tuple[Payment, ...]]", explored)


def _weighted(dice: Dice, by_total: bool) -> tuple[tuple[Throw, int], ...]:
    """Throws to be told apart, with their weights; those that never come are left out."""
    weights: dict[object, tuple[Throw, int]] = {}
    for throw, weight in zip(THROWS, dice.weights, strict=True):
        key = sum(throw) if by_total else throw
        weights[key] = (throw, weight + (weights[key][1] if key in weights else 0))
    return tuple((throw, weight) for throw, weight in weights.values() if weight)


def _arranger(like: tuple[Hashable, ...]) -> Callable[[State], State]:
    """Bring components that may change places into one order."""
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(like):
        places.setdefault(key, []).append(place)
    groups = [group for group in places.values() if len(group) > 1]

    def arrange(state: State) -> State:
        arranged = list(state)
        for group in groups:
            for place, value in zip(group, sorted(state[each] for each in group), strict=True):
                arranged[place] = value
        return tuple(arranged)

    return arrange if groups else lambda state: state


def _explore(
    start: Hashable,
    step: Callable[[Hashable, Throw], Hashable],
    ended: Callable[[Hashable], bool],
    throws: Sequence[tuple[Throw, int]],
    whole: int,
) -> Chain[Hashable]:
    number: dict[Hashable, int] = {start: 0}
    found, moves, endings = [start], [], []
    for now in found:
        following: dict[int, int] = {}
        ending: dict[Hashable, int] = {}
        for throw, weight in throws:
            after = step(now, throw)
            if ended(after):
                ending[after] = ending.get(after, 0) + weight
                continue
            if after not in number:
                number[after] = len(found)
                found.append(after)
            following[number[after]] = following.get(number[after], 0) + weight
        moves.append(following)
        endings.append(ending)
    return Chain(tuple(moves), tuple(endings), whole)


def _solved(solved: Chain[EndT]) -> Solution[EndT]:
    ends: dict[EndT, Fraction] = {}
    throws = Fraction(0)
    for state, count in _visits(solved).items():
        throws += count
        share = count / solved.whole
        for end, weight in solved.endings[state].items():
            ends[end] = ends.get(end, Fraction(0)) + share * weight
    assert sum(ends.values()) == 1, "a law must add to 1"
    return Solution(tuple(sorted(ends.items(), key=repr)), throws)


def _visits(solved: Chain[EndT]) -> dict[int, Fraction]:
    """Expected number of visits to each state."""
    inflow: dict[int, Fraction] = {0: Fraction(1)}
    visits: dict[int, Fraction] = {}
    for component in reversed(components(solved.moves)):
        for state, count in _visits_within(solved, component, inflow).items():
            visits[state] = count
            share = count / solved.whole
            for after, weight in solved.moves[state].items():
                if after not in component:
                    inflow[after] = inflow.get(after, Fraction(0)) + share * weight
    return visits


def _visits_within(
    solved: Chain[EndT], component: tuple[int, ...], inflow: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """Solve visits = inflow + visits x moves within a component."""
    if len(component) == 1:
        (state,) = component
        leaving = solved.whole - solved.moves[state].get(state, 0)
        return {state: inflow[state] * Fraction(solved.whole, _positive(leaving))}
    size = len(component)
    rows = [
        [Fraction((solved.whole if column == row else 0) - solved.moves[origin].get(target, 0), solved.whole)
         for column, origin in enumerate(component)]
        + [inflow.get(target, Fraction(0))]
        for row, target in enumerate(component)
    ]  # fmt: skip
    for pivot in range(size):
        chosen = next((row for row in range(pivot, size) if rows[row][pivot]), None)
        if chosen is None:
            _positive(0)
            continue
        rows[pivot], rows[chosen] = rows[chosen], rows[pivot]
        lead = rows[pivot][pivot]
        rows[pivot] = [value / lead for value in rows[pivot]]
        for row in range(size):
            factor = rows[row][pivot]
            if row != pivot and factor:
                rows[row] = [value - factor * by for value, by in zip(rows[row], rows[pivot], strict=True)]
    return {state: rows[place][-1] for place, state in enumerate(component)}


def _positive(leaving: int) -> int:
    if leaving <= 0:
        raise PayoutError("the dice must be able to end the bet, got dice with which it may last for ever")
    return leaving
