"""The protocol of a bet: a small machine over throws.

A machine is a value without moods: `start` gives its first state, `step` says what one throw does to a state.
Settlement runs it on the throws of the table; `payouts.chain` solves the same machine exactly. A state is a tuple of
integers, so that it can be stored, compared and hashed.

A bet that is off is not stepped: working and off belong to the table, not to the machine.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from payouts.odds import Odds

State = tuple[int, ...]
Throw = tuple[int, int]


class Outcome(StrEnum):
    """How a bet ends."""

    WIN = "win"
    TIE = "tie"
    LOSE = "lose"


@dataclass(frozen=True, slots=True)
class Payment:
    """The end of a bet: a win at `odds`, a tie (the stake comes back) or a loss."""

    outcome: Outcome
    odds: Odds | None = None

    def __post_init__(self) -> None:
        assert (self.odds is not None) == (self.outcome is Outcome.WIN), "a win has odds, nothing else has"


TIE = Payment(Outcome.TIE)
LOSE = Payment(Outcome.LOSE)


def win(odds: Odds) -> Payment:
    """A win at `odds`."""
    return Payment(Outcome.WIN, odds)


Step = State | Payment
"""What a throw does: the next state of a bet that goes on, or the payment that ends it."""


class Machine(Hashable, Protocol):
    """A bet as a machine over throws of two dice; a value, so that its solution can be kept."""

    def start(self) -> State:
        """State of a bet just made."""
        ...

    def step(self, state: State, throw: Throw) -> Step:
        """State after a throw, or the payment that ends the bet."""
        ...
