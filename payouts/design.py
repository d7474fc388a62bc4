"""Find Hooligan schedules with a wanted house percentage, and prove that none in the asked grid is closer.

The best player's mean payout R(x) of the prices x of the bands is the greatest of his plays' means, each of which is a
sum of prices times chances. So R is convex, piecewise linear, rises with every price and grows in proportion when all
prices do. A few solved schedules therefore bound all others:

- from below by every solved play, which anyone may follow under other prices;
- from above by the greatest chances of the thresholds (a ladder of prices is a sum of thresholds), and by every solved
  schedule: its own mean scaled up, or its mean plus what dearer bands can add at most.

A schedule whose bounds leave it no chance to be closer to the wanted percentage than the best one solved is never
solved.
"""

from dataclasses import asdict, dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from payouts.currency import DECIMALS, money_text
from payouts.errors import PayoutError, SolverLimitError
from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.solver import error_bound, greatest_chances, solve
from payouts.reading import Percentage

Floats = NDArray[np.float64]

MOST_POINTS = 1_000_000
"""Most grid points that are kept in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Schedules to choose from: bands that start at given thresholds, and the prices that they may have.

    Parameters
    ----------
    thresholds
        First score of each band, rising; each band ends where the next starts, the last at the perfect score.
    prices_minor
        Prices that a band may have, rising, in minor units; a higher band never pays less than a lower one.
    gap
        Places in the list of prices by which a band must pay more than the band below; 0 lets it pay the same.
    """

    stake_minor: int
    thresholds: tuple[int, ...]
    prices_minor: tuple[int, ...]
    trade_cost: Fraction = Fraction(1)
    gap: int = 1
    rules: HooliganRules = field(default_factory=HooliganRules)

    def __post_init__(self) -> None:
        top = self.rules.perfect_score
        if self.stake_minor < 1:
            raise PayoutError(f"stake_minor must be at least 1, got {self.stake_minor}")
        if not 0 < self.trade_cost <= 1:
            raise PayoutError(f"trade_cost must be above 0 and at most 1, got {self.trade_cost}")
        if self.gap < 0:
            raise PayoutError(f"gap must be at least 0, got {self.gap}")
        for name, values, low, high in (
            ("thresholds", self.thresholds, 0, top),
            ("prices_minor", self.prices_minor, 1, 2**53),
        ):
            apart = all(one < other for one, other in pairwise(values))
            if not values or not apart or not low <= values[0] or not values[-1] <= high:
                raise PayoutError(f"{name} must be rising numbers from {low} to {high}, got {list(values)[:20]}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Designed:
    """A schedule of the grid, solved.

    Parameters
    ----------
    prices_minor
        Price of each band.
    hit_chance
        Chance that the best player's game is paid anything.
    """

    prices_minor: tuple[int, ...]
    mean_minor: float
    house_edge: float
    hit_chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What a search found.

    Parameters
    ----------
    best
        Closest schedule; None when none meets the wanted hit chance.
    others
        Next closest of those that were solved; closer ones may have been passed over without solving.
    proved
        Whether no schedule of the grid is closer than `best` by more than the solver's error.
    points, solves
        Schedules in the grid, and how many were solved.
    """

    target: float
    best: Designed | None
    others: tuple[Designed, ...]
    proved: bool
    points: int
    solves: int


def design(
    grid: Grid,
    target: float,
    hit_chance: tuple[float, float] = (0.0, 1.0),
    most_solves: int = 2000,
    compiled: bool = False,
) -> Design:
    """Find the schedule of a grid whose house edge against the best player is closest to a target.

    Parameters
    ----------
    target
        House edge, 0.15 for 15 %.
    hit_chance
        Least and greatest chance that the best player's game is paid anything.
    most_solves
        Where to stop; the result then says that nothing is proved.
    compiled
        Whether to solve with the compiled loops of the extra `fast`.

    Raises
    ------
    PayoutError
        When the target is no share below 1.
    SolverLimitError
        When the grid has more than `MOST_POINTS` schedules; when the extra is wanted and not installed.
    """
    if not -10 <= target < 1:
        raise PayoutError(f"target must be a share below 1, got {target}")
    search = _Search(grid, (1 - target) * grid.stake_minor / float(grid.trade_cost), hit_chance, compiled)
    while search.solves < most_solves:
        point = search.next_point()
        if point is None:
            break
        search.solve(point)
    found = sorted(search.found, key=lambda each: abs(each.house_edge - target))
    return Design(
        target=target,
        best=found[0] if found else None,
        others=tuple(found[1:10]),
        proved=search.next_point() is None,
        points=len(search.prices),
        solves=search.solves,
    )


def document(grid: Grid, found: Design) -> dict[str, Any]:
    """What `floorman design hooligan --json` prints."""
    return {
        "target": found.target,
        "stake_minor": grid.stake_minor,
        "trade_cost": float(grid.trade_cost),
        "thresholds": list(grid.thresholds),
        "rules": grid.rules.to_json(),
        "best": None if found.best is None else asdict(found.best),
        "others": [asdict(each) for each in found.others],
        "proved": found.proved,
        "points": found.points,
        "solves": found.solves,
    }


def schedule_text(grid: Grid, found: Designed, name: str, currency: str = "USD") -> str:
    """A designed schedule as the text of a schedule file that declares its percentage.

    Parameters
    ----------
    currency
        ISO 4217; it gives the decimals of the grid's minor units.
    """
    decimals, rules = DECIMALS[currency], grid.rules
    edge = Percentage.of(Fraction(found.house_edge), 2)
    highs = [*(threshold - 1 for threshold in grid.thresholds[1:]), rules.perfect_score]
    bands = [
        f'[[pays]]\nscore = [{low}, {high}]\npays = "{money_text(price, decimals)}"\n'
        for low, high, price in zip(grid.thresholds, highs, found.prices_minor, strict=True)
    ]
    head = [
        'game = "hooligan"',
        f'name = "{name}"',
        "version = 1",
        f'currency = "{currency}"',
        f'stake = "{money_text(grid.stake_minor, decimals)}"',
        f'trade_cost = "{grid.trade_cost}"',
        "",
        "[rules]",
        f"throws_per_frame = {rules.throws_per_frame}",
        f'natural = "{rules.natural}"',
        f"point_must_show = {str(rules.point_must_show).lower()}",
        f'hooligan_keep = "{rules.hooligan_keep}"',
        f"may_stop_early = {str(rules.may_stop_early).lower()}",
        "",
        "[declared]",
        f'optimal = "{edge}"',
        "",
    ]
    return "\n".join(head + bands)


def _points(grid: Grid) -> Floats:
    """Prices of every schedule of the grid. Shape (points, bands)."""
    bands, prices = len(grid.thresholds), len(grid.prices_minor)
    # A ladder with gaps is one without them, lifted by a gap for each band below.
    choices = prices - (bands - 1) * grid.gap
    if choices < 1:
        raise PayoutError(f"prices_minor must be enough for {bands} bands that are {grid.gap} apart, got {prices}")
    size = comb(choices + bands - 1, bands)
    if size > MOST_POINTS:
        raise SolverLimitError(f"grid must have at most {MOST_POINTS} schedules, got {size}")
    places = np.array(list(combinations_with_replacement(range(choices), bands)))
    lifted: Floats = np.array(grid.prices_minor, dtype=np.float64)[places + grid.gap * np.arange(bands)]
    return lifted


class _Search:
    """Bounds of every schedule of a grid, made tighter by each one that is solved."""

    def __init__(self, grid: Grid, wanted_minor: float, hit_chance: tuple[float, float], compiled: bool) -> None:
        self.grid = grid
        self.wanted_minor = wanted_minor
        self.hit_chance = hit_chance
        self.compiled = compiled
        self.prices = _points(grid)
        self.reach = greatest_chances(grid.rules)[list(grid.thresholds)]
        steps = np.diff(self.prices, axis=1, prepend=0.0)
        self.upper: Floats = steps @ self.reach
        self.lower: Floats = np.zeros(len(self.prices))
        # A game is paid when it reaches the first threshold; where no play does so often enough nothing need be solved.
        reachable = hit_chance[0] <= float(self.reach[0]) * (1 + error_bound(grid.rules))
        self.open = np.full(len(self.prices), reachable, dtype=np.bool_)
        self.found: list[Designed] = []
        self.distance = np.inf
        self.solves = 0

    def next_point(self) -> int | None:
        """Schedule that may still be closer than the best one found, the most hopeful first; None if there is none."""
        slack = 2 * error_bound(self.grid.rules) * self.wanted_minor
        near, far = self.wanted_minor - self.distance + slack, self.wanted_minor + self.distance - slack
        alive = np.flatnonzero(self.open & (self.upper > near) & (self.lower < far))
        if not len(alive):
            return None
        # The plays that are known are nearly the best ones almost everywhere, so the lower bound is the better guess.
        guess = np.maximum(self.lower[alive], 0.0) if self.solves else self.upper[alive] / 2
        return int(alive[np.argmin(np.abs(guess - self.wanted_minor))])

    def solve(self, point: int) -> None:
        """Solve a schedule, note how close it is, and tighten the bounds of all others."""
        prices, grid = self.prices[point], self.grid
        pays = self._pays(prices)
        solved = solve(grid.rules, pays, compiled=self.compiled)
        chances = np.add.reduceat(solved.law, list(grid.thresholds))
        self.solves += 1
        self.open[point] = False
        self._tighten(prices, solved.mean, chances)
        hit = float(chances.sum())
        if self.hit_chance[0] <= hit <= self.hit_chance[1]:
            edge = 1 - float(grid.trade_cost) * solved.mean / grid.stake_minor
            whole = tuple(int(price) for price in prices)
            self.found.append(Designed(prices_minor=whole, mean_minor=solved.mean, house_edge=edge, hit_chance=hit))
            self.distance = min(self.distance, abs(solved.mean - self.wanted_minor))

    def _pays(self, prices: Floats) -> list[int]:
        """Payout of each final score."""
        scores = np.arange(self.grid.rules.perfect_score + 1)
        band = np.searchsorted(np.array(self.grid.thresholds), scores, side="right") - 1
        return [int(prices[each]) if each >= 0 else 0 for each in band]

    def _tighten(self, prices: Floats, mean: float, chances: Floats) -> None:
        """Bound every schedule by one that is solved; all bounds leave room for the solver's error."""
        error = error_bound(self.grid.rules)
        np.maximum(self.lower, self.prices @ chances * (1 - 2 * error), out=self.lower)
        scaled = (self.prices / prices).max(axis=1) * mean
        dearer = np.maximum(self.prices - prices, 0.0) @ self.reach + mean
        np.minimum(self.upper, np.minimum(scaled, dearer) * (1 + 2 * error), out=self.upper)
