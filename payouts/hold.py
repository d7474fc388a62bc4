"""Limits of the house's hold over many games, by convolution of the exact law of one game.

The law of 2 k games is the law of k games convolved with itself. All terms are at least 0, so nothing cancels and every
chance keeps a relative error that is bounded as it grows; tails are cut at a stated mass; a law too wide to convolve is
rounded to a coarser lattice, which moves amounts by at most a stated slack. A limit is therefore an interval, most
often a single amount.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np
from numpy.typing import NDArray

from payouts.errors import PayoutError, SolverLimitError

MAX_GAMES = 10**9
POINTS = 1 << 14
"""Points beyond which a law is rounded to a coarser lattice before it is convolved with itself."""
PIECE = 1 << 11
"""Points of a law that are convolved at once."""
CUT = 1e-18
"""Mass cut from each tail after a convolution."""
ULP = 2.0**-53

GameLaw = Mapping[int, Fraction]
"""Exact law of what the house wins in one game, minor units, negative where the player wins."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An amount between two bounds, minor units; the bounds are equal where it is known exactly."""

    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class TotalLaw:
    """Law of the house's win over a number of games, with what it may be wrong by.

    Attributes
    ----------
    first, step
        Minor units: the amounts are first, first + step, ...
    chances
        (points,) their chances.
    error
        Most by which any distribution value F(x) is wrong, once amounts are moved by at most `slack`.
    slack
        Minor units by which rounding to coarser lattices may have moved amounts, down or up.
    """

    games: int
    first: int
    step: int
    chances: NDArray[np.float64]
    error: float
    slack: int

    def limit(self, probability: float) -> Interval:
        """Bound the smallest amount that the house's win does not exceed with at least this probability.

        Raises
        ------
        PayoutError
            A probability that the law's own error reaches into 0 or 1.
        """
        error = self.error + len(self.chances) * ULP
        if not error < probability < 1 - error:
            raise PayoutError(f"probability must be between {error:.1e} and 1 less that, got {probability}")
        low, high = np.searchsorted(np.cumsum(self.chances), [probability - error, probability + error])
        return Interval(self._amount(int(low)) - self.slack, self._amount(int(high)) + self.slack)

    def chance_of_loss(self) -> tuple[float, float]:
        """Bound the chance that the house has lost over all games."""
        amounts = self.first + self.step * np.arange(len(self.chances))
        error = self.error + len(self.chances) * ULP
        low = float(self.chances[amounts + self.slack < 0].sum()) - error
        high = float(self.chances[amounts - self.slack < 0].sum()) + error
        return max(low, 0.0), min(high, 1.0)

    def _amount(self, index: int) -> int:
        return self.first + self.step * min(index, len(self.chances) - 1)


@dataclass(frozen=True, slots=True)
class HoldRow:
    """Limits of hold over `games` games: (probability, amount) pairs, and the chance that the house loses."""

    games: int
    limits: tuple[tuple[float, Interval], ...]
    loss: tuple[float, float]
    error: float


PROBABILITIES = (0.005, 0.05, 0.5, 0.95, 0.995)
"""Of the limits that a sheet shows: the middle 99 % and 90 % of seasons, and the median."""


def limits_of_hold(
    law: GameLaw, games: Sequence[int], probabilities: Sequence[float] = PROBABILITIES, law_error: float = 0.0
) -> tuple[HoldRow, ...]:
    """Limits of what the house wins over each number of games.

    Parameters
    ----------
    law_error
        Most by which each chance of the law may be relatively wrong itself.

    Raises
    ------
    PayoutError
        A law whose chances are negative or do not sum to 1, or fewer than one game.
    SolverLimitError
        More games than `MAX_GAMES`.

    Examples
    --------
    >>> fair = {100: Fraction(1, 2), -100: Fraction(1, 2)}
    >>> limits_of_hold(fair, [4], [0.5])[0].limits
    ((0.5, Interval(low=0, high=0)),)
    """
    rows: dict[int, HoldRow] = {}
    totals: dict[int, TotalLaw] = {}
    for count in sorted(set(games)):
        # Begin with the largest total before it that divides it.
        known = max((done for done in totals if count % done == 0), default=0)
        total = _times(totals[known], count // known) if known else total_law(law, count, law_error)
        totals[count] = total
        limits = tuple((probability, total.limit(probability)) for probability in probabilities)
        rows[count] = HoldRow(count, limits, total.chance_of_loss(), total.error)
    return tuple(rows[count] for count in games)


def total_law(law: GameLaw, games: int, law_error: float = 0.0) -> TotalLaw:
    """Convolve the law of one game with itself, by squaring.

    Parameters and errors as in `limits_of_hold`.
    """
    check_law(law)
    if games < 1:
        raise PayoutError(f"games must be at least 1, got {games}")
    if games > MAX_GAMES:
        raise SolverLimitError(f"games must be at most {MAX_GAMES}, got {games}")
    return _times(_one_game(law, law_error), games)


def sum_law(parts: Sequence[tuple[GameLaw, int, float]]) -> TotalLaw:
    """Law of what the house wins over games of several kinds, all independent.

    Parameters
    ----------
    parts
        Law of one game, how many of them, and the most by which each chance of the law may be relatively wrong.

    Raises
    ------
    PayoutError
        No part; or as `limits_of_hold`.

    Examples
    --------
    >>> fair, double = ({stake: Fraction(1, 2), -stake: Fraction(1, 2)} for stake in (100, 200))
    >>> total = sum_law([(fair, 1, 0.0), (double, 1, 0.0)])
    >>> total.first, total.step, total.chances.tolist()
    (-300, 200, [0.25, 0.25, 0.25, 0.25])
    """
    if not parts:
        raise PayoutError("parts must be one or more, got none")
    totals = [total_law(law, games, error) for law, games, error in parts]
    totals.sort(key=lambda total: len(total.chances))
    whole = totals[0]
    for total in totals[1:]:
        whole = _sum_of_two(whole, total)
    return whole


def _sum_of_two(one: TotalLaw, other: TotalLaw) -> TotalLaw:
    """Law of the sum of two independent totals on lattices of their own: on a common one, if it is not too fine."""
    step = gcd(one.step, other.step)
    spans = [(law.step * (len(law.chances) - 1)) // step + 1 for law in (one, other)]
    if max(spans) > POINTS:
        step = max(one.step, other.step)
    fine, coarse = (_moved_to(law, step) for law in (one, other))
    return _sum(fine, coarse) if len(fine.chances) >= len(coarse.chances) else _sum(coarse, fine)


def _moved_to(law: TotalLaw, step: int) -> TotalLaw:
    """Put a law on a lattice of any step from its first amount, each amount to the nearest point."""
    if law.step == step:
        return law
    amounts = law.step * np.arange(len(law.chances))
    place = (amounts + step // 2) // step
    chances = np.bincount(place, weights=law.chances).astype(np.float64)
    slack = 0 if law.step % step == 0 else step - step // 2
    return TotalLaw(law.games, law.first, step, chances, law.error + (step // law.step + 2) * ULP, law.slack + slack)


def _times(one: TotalLaw, times: int) -> TotalLaw:
    """Law of the sum of so many independent totals, by squaring."""
    total = one
    for bit in bin(times)[3:]:
        total = _sum(total, total)
        if bit == "1":
            total = _sum(total, one)
    return total


def check_law(law: GameLaw) -> None:
    """Refuse chances that are negative or do not sum to exactly 1.

    Raises
    ------
    PayoutError
    """
    if not law or min(law.values()) < 0 or sum(law.values()) != 1:
        raise PayoutError(f"law must have chances of at least 0 that sum to 1, got {sum(law.values())}")


def _one_game(law: GameLaw, law_error: float) -> TotalLaw:
    amounts = [amount for amount, chance in law.items() if chance]
    first = min(amounts)
    step = gcd(*(amount - first for amount in amounts)) or 1
    size = (max(amounts) - first) // step + 1
    if size > 64 * POINTS:
        raise SolverLimitError(f"law must span at most {64 * POINTS} steps of its lattice, got {size}")
    chances = np.zeros(size)
    for amount in amounts:
        chances[(amount - first) // step] = float(law[amount])
    return _coarser(TotalLaw(1, first, step, chances, law_error + ULP, 0))


def _sum(one: TotalLaw, other: TotalLaw) -> TotalLaw:
    """Law of the sum of two independent totals, of which the first is on the coarser lattice."""
    fine = _on_lattice(other, one.step)
    chances = _convolved(one.chances, fine.chances)
    # A dot product of n terms of one sign is relatively wrong by at most n ulp (Higham 2002, section 3.1).
    terms = min(len(one.chances), len(fine.chances))
    error = one.error + fine.error + one.error * fine.error + (terms + 2) * 2 * ULP
    return _coarser(
        _cut(
            TotalLaw(one.games + other.games, one.first + fine.first, one.step, chances, error, one.slack + fine.slack)
        )
    )


def _convolved(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Convolve in pieces that stay in the cache, and below the size at which a dot product is split over threads."""
    total = np.zeros(len(one) + len(other) - 1)
    for start in range(0, len(other), PIECE):
        part = np.convolve(one, other[start : start + PIECE])
        total[start : start + len(part)] += part
    return total


def _cut(law: TotalLaw) -> TotalLaw:
    """Cut a mass of at most `CUT` from each tail."""
    low = int(np.searchsorted(np.cumsum(law.chances), CUT))
    high = len(law.chances) - int(np.searchsorted(np.cumsum(law.chances[::-1]), CUT))
    return TotalLaw(
        law.games, law.first + low * law.step, law.step, law.chances[low:high], law.error + 2 * CUT, law.slack
    )


def _coarser(law: TotalLaw) -> TotalLaw:
    """Round to every k-th point where there are more points than `POINTS`."""
    factor = -(-len(law.chances) // POINTS)
    return law if factor == 1 else _on_lattice(law, law.step * factor)


def _on_lattice(law: TotalLaw, step: int) -> TotalLaw:
    """Round a law to the nearest point of a coarser lattice; the first point is kept."""
    factor = step // law.step
    if factor == 1:
        return law
    place = (np.arange(len(law.chances)) + factor // 2) // factor
    chances = np.bincount(place, weights=law.chances).astype(np.float64)
    slack = law.slack + law.step * (factor // 2)
    return TotalLaw(law.games, law.first, step, chances, law.error + (factor + 1) * ULP, slack)
