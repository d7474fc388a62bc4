"""Solve machines exactly: how they end and how long they last, as fractions.

The states that a machine reaches are the transient states of an absorbing Markov chain (`payouts.absorbing`). States
that differ only by things of equal chance are lumped (`Lumped`).
"""

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Protocol, cast, runtime_checkable

from payouts.absorbing import Chain, Solution, solve_chain
from payouts.dice import FAIR, THROWS, Dice
from payouts.errors import SolverLimitError
from payouts.machine import Machine, Payment, State, Throw


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


def solve(machine: Machine, dice: Dice = FAIR, state: State | None = None) -> Solution[Payment]:
    """Solve a machine from its start or from a given state.

    Raises
    ------
    PayoutError
        If the bet may last for ever with these dice.
    SolverLimitError
        If it has more than `MOST_STATES` states.
    """
    return _solve(machine, dice, state)


def solve_together(machines: tuple[Machine, ...], dice: Dice = FAIR) -> Solution[tuple[Payment, ...]]:
    """Solve machines that run side by side on the same throws until all have ended."""
    return _solve_together(machines, dice)


@lru_cache(maxsize=4096)
def _solve(machine: Machine, dice: Dice, state: State | None) -> Solution[Payment]:
    return solve_chain(chain(machine, dice, state))


@lru_cache(maxsize=256)
def _solve_together(machines: tuple[Machine, ...], dice: Dice) -> Solution[tuple[Payment, ...]]:
    return solve_chain(chain_together(machines, dice))


def chain(machine: Machine, dice: Dice = FAIR, state: State | None = None) -> Chain[Payment]:
    """Markov chain of a machine."""
    like = machine.likeness(dice) if isinstance(machine, Lumped) else ()
    by_total = isinstance(machine, Lumped) and machine.by_total

    def step(now: Hashable, throw: Throw) -> Hashable:
        after = machine.step(cast("State", now), throw)
        return after if after is now or isinstance(after, Payment) else arrange(after)

    arrange = _arranger(like)
    start = arrange(machine.start() if state is None else state)
    explored = _explore(start, step, lambda after: isinstance(after, Payment), _weighted(dice, by_total), dice.whole)
    return cast("Chain[Payment]", explored)


def payments(machine: Machine) -> tuple[Payment, ...]:
    """Every payment with which a machine can end."""
    return tuple(payment for payment, _ in solve(machine).endings)


def chain_together(machines: tuple[Machine, ...], dice: Dice = FAIR) -> Chain[tuple[Payment, ...]]:
    """Markov chain of machines that run side by side until all have ended."""

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


MOST_STATES = 100_000
"""States that a chain may have; a larger one is refused."""


def _explore(
    start: Hashable,
    step: Callable[[Hashable, Throw], Hashable],
    ended: Callable[[Hashable], bool],
    throws: Sequence[tuple[Throw, int]],
    whole: int,
) -> Chain[Hashable]:
    number: dict[Hashable, int] = {start: 0}
    found, moves, endings = [start], [], []
    for place, now in enumerate(found):
        following: dict[int, int] = {}
        ending: dict[Hashable, int] = {}
        for throw, weight in throws:
            after = step(now, throw)
            if after is now:
                following[place] = following.get(place, 0) + weight
                continue
            if ended(after):
                ending[after] = ending.get(after, 0) + weight
                continue
            if after not in number:
                if len(found) == MOST_STATES:
                    raise SolverLimitError(f"a bet must have at most {MOST_STATES} states, got more")
                number[after] = len(found)
                found.append(after)
            following[number[after]] = following.get(number[after], 0) + weight
        moves.append(following)
        endings.append(ending)
    return Chain(tuple(moves), tuple(endings), whole)
