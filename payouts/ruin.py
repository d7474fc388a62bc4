"""The bank that a house needs for a wanted chance of ruin, over games without end.

One game after another moves the bank by what the house wins. Ruin is the first moment at which the bank is 0 or less.
With Y what the player wins in a game, the adjustment coefficient r > 0 solves E exp(r Y) = 1, and a bank B is ruined
with a chance between exp(-r (B + m)) and exp(-r B), where m is what the greatest win passes it by at most (Cramer,
Lundberg; Asmussen and Albrecher, Ruin Probabilities, 2010, ch. III). r is bracketed by exact signs in fractions.

On a lattice of moderate size the chance itself is found: the player's record heights are independent, with a law g
whose tilted mass, the sum of g(j) exp(r j), is 1. g is the least fixed point of the first game's split. It is
approached from below with every round made smaller by its rounding, so that what the tilted mass falls short of 1
bounds the error.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, floor, gcd, log, log1p

import numpy as np
from numpy.typing import NDArray

from payouts.errors import PayoutError
from payouts.hold import ULP, GameLaw, Interval, check_law

MAX_WORK = 4 * 10**6
"""Products of a round beyond which record heights are not solved for."""
MAX_BANK_STEPS = 200_000
"""Lattice steps of a bank beyond which the bounds by r alone, narrow there, are given."""
MAX_ROUNDS = 100_000
SHORT = 1e-12
"""Missing tilted mass that is small enough."""


@dataclass(frozen=True, slots=True)
class _Walk:
    """The bank's walk on its lattice: `unit` minor units a step; chances of the player's wins of -a .. m steps."""

    unit: int
    losses: int
    wins: int
    chances: tuple[Fraction, ...]
    r_low: float
    r_high: float


def bank_for_ruin(law: GameLaw, chance: float) -> Interval | None:
    """Bound the smallest bank whose chance of ruin is at most `chance`.

    Parameters
    ----------
    law
        Exact law of what the house wins in a game, minor units.

    Returns
    -------
    Interval or None
        Minor units, a multiple of the amounts' common unit: the upper bound surely suffices, less than the lower one
        surely does not. None where the house has no edge: then every bank is ruined.

    Examples
    --------
    >>> bank_for_ruin({100: Fraction(2, 3), -100: Fraction(1, 3)}, 0.001)  # halves with each unit: 2**-10 < 0.001
    Interval(low=1000, high=1000)
    """
    if not 0 < chance < 1:
        raise PayoutError(f"chance must be between 0 and 1, got {chance}")
    walk = _walk(law)
    if walk is None:
        return None
    if walk.wins <= 0:
        return Interval(0, 0)
    low = max(1, floor(-log(chance) / walk.r_high * (1 - 8 * ULP)) - walk.wins + 1)
    high = max(1, ceil(-log(chance) / walk.r_low * (1 + 8 * ULP)))
    if _solvable(walk, high):
        least, most = _ruin(walk, high)
        low = max(low, 1 + int(np.argmax(least <= chance)))
        high = min(high, 1 + int(np.argmax(most <= chance))) if (most <= chance).any() else high
    return Interval(low * walk.unit, high * walk.unit)


def chance_of_ruin(law: GameLaw, bank_minor: int) -> tuple[float, float]:
    """Bound the chance that a bank is ever ruined.

    Examples
    --------
    >>> low, high = chance_of_ruin({1: Fraction(2, 3), -1: Fraction(1, 3)}, 10)
    >>> low <= 2**-10 <= high < 2**-10 * (1 + 1e-9)
    True
    """
    if bank_minor < 1:
        raise PayoutError(f"bank_minor must be at least 1, got {bank_minor}")
    walk = _walk(law)
    if walk is None:
        return 1.0, 1.0
    if walk.wins <= 0:
        return 0.0, 0.0
    steps = -(-bank_minor // walk.unit)
    if _solvable(walk, steps):
        least, most = _ruin(walk, steps)
        return float(least[-1]), float(most[-1])
    return exp(-walk.r_high * (steps + walk.wins - 1)) * (1 - 8 * ULP), exp(-walk.r_low * steps) * (1 + 8 * ULP)


def _walk(law: GameLaw) -> _Walk | None:
    """Put a game on its lattice; None if the house has no edge."""
    check_law(law)
    if sum(amount * chance for amount, chance in law.items()) <= 0:
        return None
    amounts = [amount for amount, chance in law.items() if chance]
    unit = gcd(*amounts)
    losses, wins = max(amounts) // unit, -min(amounts) // unit
    chances = [Fraction(0)] * (losses + max(wins, 0) + 1)
    for amount in amounts:
        chances[losses - amount // unit] += law[amount]
    r_low, r_high = _adjustment(chances, losses) if wins > 0 else (0.0, 0.0)
    return _Walk(unit, losses, wins, tuple(chances), r_low, r_high)


def _adjustment(chances: list[Fraction], losses: int) -> tuple[float, float]:
    """Bracket r > 0 with E exp(r Y) = 1, in lattice steps: bisect in floats, then widen until exact signs agree."""
    win = np.arange(len(chances)) - losses
    floats = np.array([float(chance) for chance in chances])
    kept = floats > 0
    # The greatest win alone makes the expectation pass 1 here.
    high = (-log(floats[-1]) + 1) / (len(chances) - 1 - losses)
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        excess = float(floats[kept] @ np.expm1(middle * win[kept]))
        low, high = (middle, high) if excess < 0 else (low, middle)
    slack = 4 * ULP
    while True:
        below, above = exp(low) - slack, exp(high) + slack
        if below > 1 and _sign(chances, losses, below) < 0 < _sign(chances, losses, above):
            return log(below) * (1 - 4 * ULP), log(above) * (1 + 4 * ULP)
        slack *= 4
        if below <= 1:
            return 0.0, log(above)


def _sign(chances: list[Fraction], losses: int, z: float) -> int:
    """Exact sign of E z**Y - 1."""
    base, total = Fraction(z), Fraction(0)
    for power, chance in enumerate(chances):
        if chance:
            total += chance * base**power
    return 1 if total > base**losses else -1


def _solvable(walk: _Walk, steps: int) -> bool:
    return walk.r_low > 0 and walk.losses**2 * walk.wins <= MAX_WORK and steps <= MAX_BANK_STEPS


def _ruin(walk: _Walk, steps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bound the chance of ruin of banks of 1 .. `steps` lattice steps, by the renewal equation of record heights."""
    heights, short = _heights(walk)
    wins = len(heights)
    beyond = np.zeros(steps + wins)
    beyond[:wins] = heights[::-1].cumsum()[::-1]
    least = np.zeros(steps + 1)
    for bank in range(1, steps + 1):
        near = min(bank - 1, wins)
        least[bank] = beyond[bank - 1] + heights[:near] @ least[bank - near : bank][::-1]
    banks = np.arange(1, steps + 1)
    rounding = banks * (wins + 4) * ULP
    most = least[1:] * (1 + rounding) + np.exp(-walk.r_low * banks) * -np.expm1(banks * log1p(-short))
    return least[1:] * (1 - rounding), np.minimum(most, 1)


@lru_cache(maxsize=64)
def _heights(walk: _Walk) -> tuple[NDArray[np.float64], float]:
    """Law of the player's first record height, 1 .. m steps, from below, and the tilted mass that it lacks at most."""
    floats = np.array([float(chance) for chance in walk.chances]) * (1 - 4 * ULP)
    losses, wins = walk.losses, walk.wins
    up, stay, down = floats[losses + 1 :], floats[losses], floats[:losses][::-1]
    tilt = np.exp(walk.r_low * np.arange(1, wins + 1)) * (1 - 4 * ULP)
    shrink = 1 - (4 * losses + 16) * ULP
    heights, short = np.zeros(wins), 1.0
    passed = np.zeros((losses + 1, wins))
    for count in range(MAX_ROUNDS):
        passed[0] = heights
        for depth in range(1, losses + 1):
            near = min(depth, wins)
            passed[depth] = heights[:near] @ passed[depth - near : depth][::-1]
            passed[depth, : wins - near] += heights[near:] if depth < wins else 0
        heights = (up + down @ passed[1:]) / (1 - stay) * shrink
        if count % 64 == 63:
            lacking = 1 - float(heights @ tilt) * (1 - wins * ULP)
            settled = lacking < SHORT or lacking > 0.999 * short
            short = lacking
            if settled:
                break
    return heights, min(max(short, ULP), 1 - ULP)
