"""Absorbing Markov chains in exact arithmetic.

Components of the transient states are taken in topological order (Kemeny and Snell, Finite Markov Chains, 1960,
ch. 3): within one, expected visits are found by elimination in fractions. Between them all is integers: every state has
a level, its longest way from the start in components, and what flows into a level is counted over the product of one
common denominator a level. So no greatest common divisors are taken on the way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Generic, NoReturn, TypeVar

from payouts.components import components
from payouts.errors import PayoutError

EndT = TypeVar("EndT")


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
class _Through(Generic[EndT]):
    """What becomes of one arrival at a state, until it has left the state's component; whole numbers over `over`."""

    moves: Mapping[int, int]
    endings: Mapping[EndT, int]
    visits: int
    over: int


def solve_chain(chain: Chain[EndT]) -> Solution[EndT]:
    """Solve a chain from state 0.

    Raises
    ------
    PayoutError
        If it may go on for ever.
    """
    order, throughs = _throughs(chain)
    level = _levels(order, throughs)
    common = [1] * (max(level.values()) + 1)
    for state, through in throughs.items():
        common[level[state]] = lcm(common[level[state]], through.over)
    arriving: dict[int, int] = {0: 1}
    ends: dict[EndT, list[int]] = {}
    visits = [0] * len(common)
    for state in order:
        if state not in arriving:
            continue
        through, at = throughs[state], level[state]
        share = arriving[state] * (common[at] // through.over)
        visits[at] += share * through.visits
        for after, weight in through.moves.items():
            flow = share * weight
            for between in common[at + 1 : level[after]]:
                flow *= between
            arriving[after] = arriving.get(after, 0) + flow
        for end, weight in through.endings.items():
            ends.setdefault(end, [0] * len(common))[at] += share * weight
    solved = {end: _over_levels(by_level, common) for end, by_level in ends.items()}
    assert sum(solved.values()) == 1, "a law must add to 1"
    return Solution(tuple(sorted(solved.items(), key=repr)), _over_levels(visits, common))


def _over_levels(by_level: Iterable[int], common: list[int]) -> Fraction:
    """Add what was counted at each level over the denominators down to it."""
    total, over = 0, 1
    for count, denominator in zip(by_level, common, strict=True):
        total = total * denominator + count
        over *= denominator
    return Fraction(total, over)


def _throughs(chain: Chain[EndT]) -> tuple[list[int], dict[int, _Through[EndT]]]:
    """Entrances of the components in topological order, and what becomes of an arrival at each."""
    found = components(chain.moves)
    belongs = {state: place for place, component in enumerate(found) for state in component}
    entered = {0, *(after for now, row in enumerate(chain.moves) for after in row if belongs[after] != belongs[now])}
    order: list[int] = []
    throughs: dict[int, _Through[EndT]] = {}
    for component in reversed(found):
        for state in component:
            if state in entered:
                order.append(state)
                throughs[state] = (
                    _through_state(chain, state) if len(component) == 1 else _through_many(chain, component, state)
                )
    return order, throughs


def _levels(order: list[int], throughs: Mapping[int, _Through[EndT]]) -> dict[int, int]:
    level = dict.fromkeys(order, 0)
    for state in order:
        for after in throughs[state].moves:
            level[after] = max(level[after], level[state] + 1)
    return level


def _through_state(chain: Chain[EndT], state: int) -> _Through[EndT]:
    moves = {after: weight for after, weight in chain.moves[state].items() if after != state}
    endings = chain.endings[state]
    leaving = sum(moves.values()) + sum(endings.values())
    if leaving == 0:
        _for_ever()
    shared = gcd(leaving, chain.whole, *moves.values(), *endings.values())
    return _Through(
        {after: weight // shared for after, weight in moves.items()},
        {end: weight // shared for end, weight in endings.items()},
        chain.whole // shared,
        leaving // shared,
    )


def _through_many(chain: Chain[EndT], component: tuple[int, ...], entrance: int) -> _Through[EndT]:
    moves: dict[int, Fraction] = {}
    endings: dict[EndT, Fraction] = {}
    visits = _visits_within(chain, component, entrance)
    for state, count in visits.items():
        share = count / chain.whole
        for after, weight in chain.moves[state].items():
            if after not in component:
                moves[after] = moves.get(after, Fraction(0)) + share * weight
        for end, weight in chain.endings[state].items():
            endings[end] = endings.get(end, Fraction(0)) + share * weight
    total = sum(visits.values(), Fraction(0))
    over = lcm(total.denominator, *(share.denominator for share in (*moves.values(), *endings.values())))
    return _Through(
        {after: int(share * over) for after, share in moves.items()},
        {end: int(share * over) for end, share in endings.items()},
        int(total * over),
        over,
    )


def _visits_within(chain: Chain[EndT], component: tuple[int, ...], entrance: int) -> dict[int, Fraction]:
    """Solve visits = arrival + visits x moves within a component."""
    rows = [
        [*(_balance(chain, origin, target) for origin in component), Fraction(target == entrance)]
        for target in component
    ]
    return dict(zip(component, _eliminate(rows), strict=True))


def expected_sums(chain: Chain[EndT], rewards: Sequence[Fraction]) -> list[Fraction]:
    """Expected sum, from each state to the end, of a reward for each visit to a state."""
    sums = [Fraction(0)] * len(chain.moves)
    for component in components(chain.moves):
        inside = {*component}
        rows = [
            [
                *(_balance(chain, state, after) for after in component),
                rewards[state]
                + sum(
                    Fraction(weight, chain.whole) * sums[after]
                    for after, weight in chain.moves[state].items()
                    if after not in inside
                ),
            ]
            for state in component
        ]
        for state, value in zip(component, _eliminate(rows), strict=True):
            sums[state] = value
    return sums


def _balance(chain: Chain[EndT], origin: int, target: int) -> Fraction:
    """Entry of the identity less the moves."""
    return (origin == target) - Fraction(chain.moves[origin].get(target, 0), chain.whole)


def _eliminate(rows: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations, each row its coefficients and then its right side (Gauss and Jordan).

    The last unknown is eliminated first: states found later have fewer neighbours, so fewer zeros are lost.
    """
    for pivot in reversed(range(len(rows))):
        chosen = next((row for row in reversed(range(pivot + 1)) if rows[row][pivot]), None)
        if chosen is None:
            _for_ever()
        rows[pivot], rows[chosen] = rows[chosen], rows[pivot]
        lead = rows[pivot][pivot]
        rows[pivot] = [value / lead if value else value for value in rows[pivot]]
        for row, values in enumerate(rows):
            if row != pivot and values[pivot]:
                pairs = zip(values, rows[pivot], strict=True)
                rows[row] = [mine - values[pivot] * by if by else mine for mine, by in pairs]
    return [row[-1] for row in rows]


def _for_ever() -> NoReturn:
    raise PayoutError("the dice must be able to end the bet, got dice with which it may last for ever")
