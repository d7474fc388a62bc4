"""Bets and the terms on which a craps table offers them: options, prices, limits, commission."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache

from payouts.craps.bets import Group, Leg, Opens, Prices
from payouts.header import Canonical, Header, canonical_bytes, fingerprint
from payouts.odds import Odds, Rounding


class DontBar(StrEnum):
    """The throw that ties a don't bet on its come-out."""

    TWELVE = "12"
    TWO = "2"
    ACE_DEUCE = "1-2"


class AfterWin(StrEnum):
    """What becomes of a place, buy, lay or hardway bet that has won."""

    STAY = "stay"
    DOWN = "down"


class Base(StrEnum):
    """What commission is reckoned on."""

    BET = "bet"
    WIN = "win"


class When(StrEnum):
    """When commission is taken: with the bet, or out of its winnings."""

    UP_FRONT = "up_front"
    WIN = "win"


class CommissionRounding(StrEnum):
    """How commission becomes chips; `none` keeps it to the minor unit, a part of one counting as a whole."""

    DOWN = "down"
    NEAREST = "nearest"
    UP = "up"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Commission:
    """What the house takes for paying true odds; amounts in minor units."""

    rate: Fraction
    base: Base
    when: When
    rounding: CommissionRounding
    unit_minor: int
    minimum_minor: int

    def charge(self, stake_minor: int, winnings_minor: int) -> int:
        """Commission on a stake and its winnings, minor units."""
        reckoned = stake_minor if self.base is Base.BET else winnings_minor
        unit = 1 if self.rounding is CommissionRounding.NONE else self.unit_minor
        units = _ROUNDED[self.rounding](self.rate.numerator * reckoned, self.rate.denominator * unit)
        return max(self.minimum_minor, units * unit)


_ROUNDED: Mapping[CommissionRounding, Callable[[int, int], int]] = {
    CommissionRounding.DOWN: lambda part, whole: part // whole,
    CommissionRounding.NEAREST: lambda part, whole: (2 * part + whole) // (2 * whole),
    CommissionRounding.UP: lambda part, whole: -(-part // whole),
    CommissionRounding.NONE: lambda part, whole: -(-part // whole),
}
"""A quotient as whole units; the nearest is half up."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a bet on one spot, summed per player; minor units.

    Parameters
    ----------
    increment_minor
        A stake is a multiple of it; where a bet is made of legs, it holds for one unit of each leg.
    max_winnings_minor
        Greatest winnings of one leg, None for no cap.
    """

    min_minor: int
    max_minor: int
    increment_minor: int
    max_winnings_minor: int | None = None


LegsOf = Callable[["CrapsSchedule", str, str], tuple[Leg, ...]]
SpotsOf = Callable[["CrapsSchedule", str], tuple[str, ...]]


def no_spot(_schedule: "CrapsSchedule", _bet: str) -> tuple[str, ...]:
    """The one spot of a bet that has none to choose."""
    return ("",)


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet of the catalogue, or one that a schedule file defines.

    Parameters
    ----------
    names
        Printed name, then the trade's other names.
    come_out
        The word of the table's option `come_out` that says whether the bet works on a come-out; "on" or "off" where
        no option does.
    contract
        Whether it stays until it is decided, once it has a point.
    parents
        Ids of the bets behind which it stands.
    orders
        For a bet that is an order for other bets: (bet, spot, units of the stake). The dealer books each leg as a wager
        of its own (`leg.bet` at `leg.spot`).
    definition
        For a bet that a schedule file defines: its definition in canonical text; "" in the catalogue.
    """

    id: str
    names: tuple[str, ...]
    group: Group
    prices: Prices
    make: LegsOf
    spots_of: SpotsOf = no_spot
    opens: Opens = Opens.ANY_TIME
    come_out: str = "on"
    contract: bool = False
    parents: tuple[str, ...] = ()
    orders: tuple[tuple[str, str, int], ...] = ()
    definition: str = ""

    @property
    def booked_as_parts(self) -> bool:
        """Whether the bet is only an order for others."""
        return bool(self.orders)

    def legs(self, schedule: "CrapsSchedule", spot: str = "") -> tuple[Leg, ...]:
        """Legs of the bet at a spot under a schedule that offers it."""
        return self.make(schedule, self.id, spot)

    def spots(self, schedule: "CrapsSchedule") -> tuple[str, ...]:
        """Spots at which a schedule that offers the bet takes it."""
        return self.spots_of(schedule, self.id)


@dataclass(frozen=True, slots=True)
class BetTerms:
    """How a table offers a bet.

    Parameters
    ----------
    pays
        Prices by key: "" for a bet with one price, else spots, totals, tiers or parts as the catalogue says.
    """

    bet: Bet
    pays: Mapping[str, Odds]
    limits: Limits
    commission: Commission | None = None
    player_edge_accepted: bool = False

    def price(self, key: str) -> Odds:
        """Price at a key, the one price where there is only one."""
        return self.pays[key] if key in self.pays else self.pays[""]


@dataclass(frozen=True, slots=True)
class CrapsTable:
    """The options of a table.

    Parameters
    ----------
    odds_limit
        For each point the greatest odds as a multiple of the flat bet; laid odds: the greatest win.
    come_out
        For each word of the catalogue whether bets of that kind work on a come-out.
    exposure_minor
        Greatest sum that the house stands to lose on one throw, None for no bound of the table's own.
    """

    points: tuple[int, ...]
    dont_bar: DontBar
    odds_limit: Mapping[int, int]
    come_out: Mapping[str, bool]
    after_win: AfterWin
    rounding: Rounding
    exposure_minor: int | None


@dataclass(frozen=True)
class CrapsSchedule:
    """A payout schedule of craps.

    Parameters
    ----------
    bets
        The bets on offer, by id.
    warnings
        Player's edges that the file accepts, one sentence each.
    """

    header: Header
    table: CrapsTable
    bets: Mapping[str, BetTerms]
    warnings: tuple[str, ...] = field(default=(), compare=False)

    def legs(self, bet: str, spot: str) -> tuple[Leg, ...]:
        """Legs of a bet on offer, at a spot of `spots`."""
        return _legs(self, bet, spot)

    def spots(self, bet: str) -> tuple[str, ...]:
        """Spots at which a bet on offer may be made, ("",) where it has none to choose."""
        return self.bets[bet].bet.spots(self)

    def works_on_come_out(self, bet: str) -> bool:
        """Tell whether a bet on offer works on a come-out unless its player calls otherwise."""
        word = self.bets[bet].bet.come_out
        return {"on": True, "off": False}.get(word, self.table.come_out.get(word, True))

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    @cached_property
    def canonical(self) -> bytes:
        """Canonical form: everything that matters to a player, as JSON bytes."""
        return canonical_bytes(self._canonical())

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical form, hexadecimal."""
        return fingerprint(self._canonical())

    def _canonical(self) -> Canonical:
        return {
            **self.header.canonical(),
            "table": _table_canonical(self.table),
            "bets": {name: _terms_canonical(terms) for name, terms in self.bets.items()},
        }


@lru_cache(maxsize=4096)
def _legs(schedule: CrapsSchedule, bet: str, spot: str) -> tuple[Leg, ...]:
    return schedule.bets[bet].bet.legs(schedule, spot)


def _table_canonical(table: CrapsTable) -> Canonical:
    return {
        "points": list(table.points),
        "dont_bar": table.dont_bar.value,
        "odds_limit": {str(point): multiple for point, multiple in table.odds_limit.items()},
        "come_out": dict(table.come_out),
        "after_win": table.after_win.value,
        "rounding": {"unit": table.rounding.unit_minor, "rule": table.rounding.rule.value},
        "exposure": table.exposure_minor,
    }


def _terms_canonical(terms: BetTerms) -> Canonical:
    limits = terms.limits
    return {
        "pays": {key: str(odds) for key, odds in terms.pays.items()},
        "limits": [limits.min_minor, limits.max_minor, limits.increment_minor, limits.max_winnings_minor],
        "commission": _commission_canonical(terms.commission) if terms.commission else None,
        "definition": terms.bet.definition,
    }


def _commission_canonical(commission: Commission) -> Canonical:
    return {
        "rate": str(commission.rate),
        "base": commission.base.value,
        "when": commission.when.value,
        "rounding": commission.rounding.value,
        "unit": commission.unit_minor,
        "minimum": commission.minimum_minor,
    }
