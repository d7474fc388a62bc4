"""The machines of bets that one throw after another decides: races, sequences and the line.

An `Ends` table says for each of the 36 throws, in the order of `dice.THROWS`, how the bet ends, or None if it goes on.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from payouts.dice import THROWS, index
from payouts.machine import Payment, State, Step, Throw

Ends = tuple[Payment | None, ...]


def ends(*decided: tuple[Iterable[Throw], Payment], rest: Payment | None = None) -> Ends:
    """Build the table of a decision from disjoint sets of throws and how the bet ends on each.

    Parameters
    ----------
    rest
        How the bet ends on every other throw; None if it goes on.
    """
    table: dict[Throw, Payment] = {}
    for throws, payment in decided:
        for throw in throws:
            assert throw not in table, "sets of throws overlap"
            table[throw] = payment
    return tuple(table.get(throw, rest) for throw in THROWS)


@dataclass(frozen=True, slots=True)
class Race:
    """A bet that each throw either ends or leaves as it is.

    Place, buy, lay, big, hardway and odds bets are races; a race that every throw ends is a one-throw bet.
    """

    ends: Ends

    def start(self) -> State:
        return ()

    def step(self, state: State, throw: Throw) -> Step:
        payment = self.ends[index(throw)]
        return state if payment is None else payment


@dataclass(frozen=True, slots=True)
class Sequence:
    """A bet that must pass one stage after another, a throw each; the last stage ends it whatever is thrown."""

    stages: tuple[Ends, ...]

    def __post_init__(self) -> None:
        assert None not in self.stages[-1], "the last stage must end the bet"

    def start(self) -> State:
        return (0,)

    def step(self, state: State, throw: Throw) -> Step:
        payment = self.stages[state[0]][index(throw)]
        return (state[0] + 1,) if payment is None else payment


@dataclass(frozen=True, slots=True)
class Line:
    """A bet on the line: a come-out, and then its own point against a 7. The state is the point, 0 before it.

    Parameters
    ----------
    come_out
        How the bet ends on its come-out; None where the total becomes its point.
    made
        How it ends when the point is thrown again.
    out
        How it ends on a 7 after the point.
    begins
        Point with which the bet begins, 0 for none: a put bet begins on one.
    """

    come_out: Ends
    made: Payment
    out: Payment
    begins: int = 0

    def start(self) -> State:
        return (self.begins,)

    def step(self, state: State, throw: Throw) -> Step:
        (point,) = state
        total = sum(throw)
        if point == 0:
            payment = self.come_out[index(throw)]
            return (total,) if payment is None else payment
        if total == point:
            return self.made
        return self.out if total == 7 else state
