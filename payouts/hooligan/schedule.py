"""A Hooligan schedule: what a game costs to play and what each final score receives."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from payouts.header import Canonical, Header, canonical_bytes, fingerprint
from payouts.hooligan.rules import HooliganRules


@dataclass(frozen=True, slots=True, order=True)
class Band:
    """Scores from `low` to `high`, both in it, and what they receive in all, in minor units."""

    low: int
    high: int
    pays_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HooliganSchedule:
    """What a game costs, what it pays, and under which reading of the rules.

    Parameters
    ----------
    stake_minor
        Price of a game in minor units; it is never returned on top of what a score receives.
    trade_cost
        Share of a payout's face value that it costs the house, in (0, 1]; 1 is cash.
    bands
        Ordered and apart; scores outside every band receive nothing.
    warnings
        What the guard would have refused, had the file not accepted it.
    """

    header: Header
    stake_minor: int
    trade_cost: Fraction
    rules: HooliganRules
    bands: tuple[Band, ...]
    warnings: tuple[str, ...] = ()

    def pays_minor(self, score: int) -> int:
        """What a final score receives, in minor units."""
        return next((band.pays_minor for band in self.bands if band.low <= score <= band.high), 0)

    @property
    def law(self) -> tuple[int, ...]:
        """What each score from 0 to the perfect one receives, in minor units."""
        return tuple(self.pays_minor(score) for score in range(self.rules.perfect_score + 1))

    @property
    def greatest_minor(self) -> int:
        """Most that a game can pay, in minor units."""
        return max((band.pays_minor for band in self.bands), default=0)

    @property
    def canonical(self) -> bytes:
        """Bytes of all that matters to a player and to the house's percentage; notes and claims do not."""
        bands: list[Canonical] = [[band.low, band.high, band.pays_minor] for band in _joined(self.bands)]
        rules: dict[str, Canonical] = dict(self.rules.to_json())
        cost = f"{self.trade_cost.numerator}/{self.trade_cost.denominator}"
        terms: dict[str, Canonical] = {
            "stake_minor": self.stake_minor,
            "trade_cost": cost,
            "rules": rules,
            "pays": bands,
        }
        return canonical_bytes(self.header.canonical() | terms)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        return hashlib.sha256(self.canonical).hexdigest()


def reading_fingerprint(rules: HooliganRules) -> str:
    """SHA-256 of a reading of the rules, printed beside every figure made under it."""
    return fingerprint(dict(rules.to_json()))


def _joined(bands: Iterable[Band]) -> list[Band]:
    """Join neighbouring bands that pay alike, so that the layout of a file does not matter."""
    joined: list[Band] = []
    for band in bands:
        last = joined[-1] if joined else None
        if last is not None and last.high + 1 == band.low and last.pays_minor == band.pays_minor:
            joined[-1] = replace(last, high=band.high)
        else:
            joined.append(band)
    return joined
