"""How many throws a bet lasts: mean, variance, the law to any asked length, and its tail.

All take a chain: `payouts.chain.chain` of a machine, or `chain_together` of the legs of a wager.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TypeVar

from payouts.absorbing import Chain, expected_sums
from payouts.errors import PayoutError

EndT = TypeVar("EndT")


@dataclass(frozen=True, slots=True)
class Duration:
    """Mean and variance of the number of throws."""

    mean: Fraction
    variance: Fraction


def duration(chain: Chain[EndT]) -> Duration:
    """Mean and variance of the number of throws from the start of a chain to its end.

    With h the expected throws left in each state, E[N^2] is the expected sum of 2h - 1 over the states visited, since
    E[(1 + N')^2] = 2 (1 + E[N']) - 1 + E[N'^2].

    Raises
    ------
    PayoutError
        If the chain may go on for ever.
    """
    left = expected_sums(chain, [Fraction(1)] * len(chain.moves))
    square = expected_sums(chain, [2 * throws - 1 for throws in left])[0]
    return Duration(left[0], square - left[0] ** 2)


def length_law(chain: Chain[EndT], last: int) -> tuple[Fraction, ...]:
    """Chances of exactly 1, 2, ..., `last` throws."""
    return tuple(islice(_lengths(chain), _checked(last)))


def longer_than(chain: Chain[EndT], throws: int) -> Fraction:
    """Chance of more than so many throws."""
    return 1 - sum(length_law(chain, throws), Fraction(0))


def _checked(last: int) -> int:
    if last < 0:
        raise PayoutError(f"throws must be at least 0, got {last}")
    return last


def _lengths(chain: Chain[EndT]) -> Iterator[Fraction]:
    """Chances of exactly 1, 2, ... throws: powers of the moves, counted in whole numbers."""
    at, whole = {0: 1}, 1
    while True:
        whole *= chain.whole
        yield Fraction(sum(weight * sum(chain.endings[state].values()) for state, weight in at.items()), whole)
        after: dict[int, int] = {}
        for state, weight in at.items():
            for following, share in chain.moves[state].items():
                after[following] = after.get(following, 0) + weight * share
        at = after
