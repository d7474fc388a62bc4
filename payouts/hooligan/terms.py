"""A Hooligan schedule: what a game costs to play and what each final score receives."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from payouts.errors import Fault
from payouts.header import Canonical, Header, canonical_bytes, fingerprint
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.reading import Percentage, Section, refuse

LEAST_TRADE_COST = Fraction(1, 10**6)


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


def parse_terms(root: Section, header: Header) -> HooliganSchedule:
    """Read the keys of a Hooligan schedule that follow its head, and check the whole.

    Raises
    ------
    ScheduleError
        With every fault of the file at once; when there is none, with the guard's refusal and every wrong claim.
    """
    rules = read_rules(root.section("rules"))
    schedule = HooliganSchedule(
        header=header,
        stake_minor=root.money("stake", header.decimals),
        trade_cost=root.fraction("trade_cost", LEAST_TRADE_COST, Fraction(1), default=Fraction(1)),
        rules=rules,
        bands=_read_bands(root, header, rules),
    )
    for kind in header.declared:
        if kind not in KINDS:
            root.fault(f"declared.{kind}", "a kind of player (" + ", ".join(KINDS) + ")", header.declared[kind])
    root.finish()
    return _judged(schedule, root.file)


KINDS = ("optimal", "score", "simple", "blind")
"""Kinds of player, by which a percentage may be declared."""


def read_rules(section: Section) -> HooliganRules:
    """Read the readings of the rules; those left out are the defaults."""
    default = HooliganRules()
    return HooliganRules(
        throws_per_frame=section.integer("throws_per_frame", 1, 5, default=default.throws_per_frame),
        natural=section.choice("natural", Natural, default=default.natural),
        point_must_show=section.boolean("point_must_show", default=default.point_must_show),
        hooligan_keep=section.choice("hooligan_keep", HooliganKeep, default=default.hooligan_keep),
        may_stop_early=section.boolean("may_stop_early", default=default.may_stop_early),
    )


def _read_bands(root: Section, header: Header, rules: HooliganRules) -> tuple[Band, ...]:
    sections = root.sections("pays")
    if not sections:
        root.fault("pays", "at least one band of scores", "none")
    read = [(_read_band(section, header, rules), section) for section in sections]
    placed = sorted(((band, section) for band, section in read if band is not None), key=lambda each: each[0])
    for (before, _), (band, section) in pairwise(placed):
        if band.low <= before.high:
            section.fault("score", f"above {before.high}, where the band from {before.low} ends")
    return tuple(band for band, _ in placed)


def _read_band(section: Section, header: Header, rules: HooliganRules) -> Band | None:
    pays_minor = section.money("pays", header.decimals)
    score, top = section.raw("score"), rules.perfect_score
    match score:
        case [int(low), int(high)] if bool not in (type(low), type(high)) and 0 <= low <= high <= top:
            return Band(low, high, pays_minor)
    section.fault("score", f"two rising scores [low, high] from 0 to {top}")
    return None


def _judged(schedule: HooliganSchedule, file: str) -> HooliganSchedule:
    """Hold the schedule to the guard, for which the best player decides, and to what it declares.

    The edge is held to be above zero only if it is so by more than the solver's error bound.
    """
    from payouts.hooligan.percentages import house_edge_bounds

    accepted = schedule.header.player_edge_accepted
    low, edge, _ = house_edge_bounds(schedule, "optimal")
    found = Percentage.of(Fraction(edge), 4)
    stake = schedule.header.money(schedule.stake_minor)
    guard = f"a house edge above zero against the best player, at a stake of {stake}"
    faults = [Fault(file, "pays", f"{found} (optimal)", guard)] if low <= 0 and not accepted else []
    for kind, claim in schedule.header.declared.items():
        below, middle, above = house_edge_bounds(schedule, kind)
        if not claim.holds(Fraction(below)) and not claim.holds(Fraction(above)):
            right = Percentage.of(Fraction(middle), claim.decimals)
            faults.append(Fault(file, f"declared.{kind}", str(claim), f"the exact figure, {right}"))
    refuse(faults)
    if low > 0:
        return schedule
    warning = f"hooligan at a stake of {stake}: the edge against the best player is {found} (accepted)"
    return replace(schedule, warnings=(warning,))
