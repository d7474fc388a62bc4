"""Limits of hold and banks for ruin as the tables of a sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from payouts.hold import PROBABILITIES, GameLaw, HoldRow, Interval, limits_of_hold
from payouts.par.document import Column, Funnel, Kind, Table, Value
from payouts.ruin import bank_for_ruin

RUIN_CHANCES = (0.05, 0.01, 0.001, 1e-6)
FUNNEL_GAMES = (*(digit * 10**power for power in range(2, 6) for digit in (1, 2, 5)), 10**6)
VOLATILITY = NormalDist().inv_cdf(0.95)
"""Standard deviations of the volatility index: 90 % of the normal law lies within them."""


@dataclass(frozen=True, slots=True)
class Game:
    """What the house wins in one game.

    Parameters
    ----------
    law
        Law of the house's win in units of 1 / `scale` minor units.
    at_risk_minor
        What the player stakes, minor units: the handle of a game.
    law_error
        Most by which each chance is relatively wrong.
    """

    law: GameLaw
    at_risk_minor: int
    scale: int = 1
    law_error: float = 0.0

    @property
    def edge(self) -> Fraction:
        """Mean of the house's win over the stake."""
        mean = sum((amount * chance for amount, chance in self.law.items()), Fraction(0))
        return mean / (self.at_risk_minor * self.scale)

    @property
    def deviation(self) -> float:
        """Standard deviation of the house's win over the stake."""
        square = sum((amount**2 * chance for amount, chance in self.law.items()), Fraction(0))
        return sqrt(square / (self.at_risk_minor * self.scale) ** 2 - self.edge**2)

    @property
    def volatility_index(self) -> float:
        """`VOLATILITY` standard deviations of one game; over N games divide by the root of N."""
        return VOLATILITY * self.deviation

    def limits(self, games: Sequence[int]) -> tuple[HoldRow, ...]:
        """Limits of hold, in units of 1 / `scale` minor units."""
        return limits_of_hold(self.law, games, law_error=self.law_error)

    def hold(self, limit: Interval, games: int) -> tuple[float, float]:
        """Bounds of a limit as shares of the handle."""
        handle = games * self.at_risk_minor * self.scale
        return limit.low / handle, limit.high / handle

    def bank(self, chance: float) -> Interval | None:
        """Bank for a chance of ruin, minor units."""
        bank = bank_for_ruin(self.law, chance)
        return None if bank is None else self.money(bank)

    def money(self, amount: Interval) -> Interval:
        """Whole minor units around an amount."""
        return Interval(amount.low // self.scale, -(-amount.high // self.scale))


def limits_table(game: Game, games: Sequence[int]) -> Table:
    """Limits of hold of one game, a row for each number of games."""
    columns = [Column("games", "Games", Kind.WHOLE)]
    for probability in PROBABILITIES:
        columns.append(Column(f"win_{probability:g}", f"House wins, {probability:.1%} limit", Kind.MONEY))
        columns.append(Column(f"hold_{probability:g}", f"Hold, {probability:.1%} limit", Kind.SHARE))
    columns += [
        Column("loss", "Chance that the house loses", Kind.SHARE),
        Column("error", "Error of chances", Kind.NUMBER),
    ]
    rows: list[tuple[Value, ...]] = []
    for row in game.limits(games):
        cells: list[Value] = [row.games]
        for _, limit in row.limits:
            cells += [game.money(limit), game.hold(limit, row.games)]
        rows.append((*cells, row.loss, row.error))
    return Table(
        "hold",
        "Limits of hold",
        tuple(columns),
        tuple(rows),
        "A limit is the least win that the house does not exceed with that probability; hold is win over handle.",
    )


def ruin_table(game: Game, chances: Sequence[float]) -> Table:
    """Bank for each chance of ruin."""
    return Table(
        "ruin",
        "Bank for a chance of ruin",
        (
            Column("chance", "Chance of ruin", Kind.SHARE),
            Column("bank", "Bank", Kind.MONEY),
            Column("stakes", "Bank in stakes", Kind.NUMBER),
        ),
        tuple(
            (chance, bank, None if bank is None else bank.high / game.at_risk_minor)
            for chance, bank in ((chance, game.bank(chance)) for chance in chances)
        ),
        "Games without end, one after another at this stake; no bank suffices where the house has no edge.",
    )


def funnel_of(title: str, game: Game) -> Funnel:
    """Hold funnel of a game, from 100 to 1,000,000 games."""
    rows = game.limits(FUNNEL_GAMES)
    return Funnel(
        title=title,
        edge=float(game.edge),
        games=FUNNEL_GAMES,
        probabilities=PROBABILITIES,
        limits=tuple(tuple(sum(game.hold(limit, row.games)) / 2 for _, limit in row.limits) for row in rows),
    )


RISK_NOTES = (
    "Limits of hold: the exact law of one game convolved with itself in float64. All terms are positive.",
    "The error of chances is bounded as it grows, and stated; a limit is a range only where a wide law was rounded.",
    "Banks: the chance of ruin of the walk of wins over endless games, from the law of the player's record heights.",
    "A bank is a range where the amounts are too fine to solve and bounds by the adjustment coefficient are given.",
    f"Volatility index: {VOLATILITY:.4f} standard deviations of one game, per unit staked.",
    "By the normal law the hold over N games is within the index over the root of N of the edge with about 90 %.",
)
