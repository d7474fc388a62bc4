"""Theoretical against actual win: the exact law of every wager that was decided, summed over all of them.

What is exact, and what is assumed, stands in `NOTES` and on every report that is made of this.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from sqlalchemy import Connection

from house.domain.shift import Period
from house.service import schedules
from house.service.desk import House
from house.service.play import known_table
from house.service.proofs import Made, made_at
from house.service.sheets import check_day
from house.service.shifts import period_of_shift
from house.store import settlements
from house.store import sheets as store
from payouts.craps.returns import wager_return
from payouts.craps.terms import CrapsSchedule
from payouts.errors import PayoutError
from payouts.hold import GameLaw, Interval, sum_law
from payouts.hooligan.percentages import figures
from payouts.hooligan.players import Player
from payouts.hooligan.schedule import HooliganSchedule
from payouts.par.hooligan import house_game

LIMITS = (0.005, 0.025, 0.975, 0.995)
"""Probabilities of the limits: the middle 99 % and the middle 95 % of such periods."""

NOTES = (
    "Law: the exact law of each wager by its own schedule and stake, as it was made, convolved over all decided.",
    "Wagers on one bet and spot that one throw decides win and lose together and count as one.",
    "All others are taken as independent; where one throw decides several bets, the true limits are not quite these.",
    "Wagers taken down before they were decided are in neither figure; Hooligan is measured against the best player.",
    "Limits are exact up to the slack that their interval shows.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Theoretical and actual win over a period; minor units.

    Parameters
    ----------
    wagers
        Decided: n.
    handle_minor
        Their stakes.
    theoretical_minor
        Expected win, exact.
    actual_minor
        What the house won on them, payouts in trade at their cost; a whole number but for that cost.
    limits
        (probability, low, high): the least win that is not exceeded with the probability lies between low and high.
    verdict
        "inside", "outside 95 %", "outside 99 %", or "none" where there is nothing to judge.
    left_out
        Wagers whose law could not be had, by bet; they are in no figure but `actual_minor`.
    """

    period: str
    table: str | None
    wagers: int
    handle_minor: int
    theoretical_minor: Fraction
    actual_minor: Fraction
    limits: tuple[tuple[float, int, int], ...]
    verdict: str
    left_out: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class _Law:
    """Law of the house's win on one wager or on several that go together, in units of 1 / `scale` minor units."""

    law: tuple[tuple[int, Fraction], ...]
    scale: int
    error: float


def expected_of_day(house: House, gaming_day: str, table: str | None = None) -> Expected:
    """Judge a gaming day, at one table or at all: what was decided by records of that day, however the clock went.

    Refused: BAD_VALUE, NOT_FOUND (table).
    """
    house.sign()
    with house.read() as connection:
        return judged(house, connection, store.day(connection, check_day(gaming_day)), table)


def expected_of_shift(house: House, number: int, table: str | None = None) -> Expected:
    """Judge a shift; the number after the last is the one in progress. Refused: NOT_FOUND."""
    house.sign()
    with house.read() as connection:
        return judged(house, connection, period_of_shift(connection, number), table)


def judged(house: House, connection: Connection, period: Period, table: str | None) -> Expected:
    """Judge a period, at one table or at all, without signing the history first. Refused: NOT_FOUND (table)."""
    if table is not None:
        known_table(connection, table)
    decided = settlements.decided(connection, period, table)
    counted: dict[_Law, int] = {}
    left_out: dict[str, int] = {}
    for group, times in Counter(decided).items():
        schedule = schedules.of(house, connection, group.fingerprint)
        try:
            law = _together([_law(schedule, group.bet, group.spot, stake) for stake in group.stakes])
        except PayoutError:
            left_out[group.bet] = left_out.get(group.bet, 0) + len(group.stakes) * times
            continue
        counted[law] = counted.get(law, 0) + times
    scale = lcm(1, *(law.scale for law in counted))
    mean = sum((_mean(law) * count for law, count in counted.items()), Fraction(0))
    actual = _actual(house, connection, settlements.brought(connection, period, table))
    limits, verdict = _limits(counted, scale, actual)
    return Expected(
        period=period.name,
        table=table,
        wagers=sum(len(group.stakes) for group in decided),
        handle_minor=sum(sum(group.stakes) for group in decided),
        theoretical_minor=mean,
        actual_minor=actual,
        limits=limits,
        verdict=verdict,
        left_out=tuple(sorted(left_out.items())),
        notes=NOTES,
        made=made_at(house, connection),
    )


def _law(schedule: schedules.Schedule, bet: str, spot: str, stake: int) -> _Law:
    """Law of one wager. Raises PayoutError."""
    if isinstance(schedule, CrapsSchedule):
        return _bet(schedule, bet, spot, stake)
    if schedule.fingerprint not in _GAMES:
        game = house_game(schedule, figures(schedule, Player.OPTIMAL))
        _GAMES[schedule.fingerprint] = _Law(tuple(game.law.items()), game.scale, game.law_error)
    return _GAMES[schedule.fingerprint]


_GAMES: dict[str, _Law] = {}
"""Laws of games of Hooligan, by the fingerprint of their schedule."""


@lru_cache(maxsize=4096)
def _bet(schedule: CrapsSchedule, bet: str, spot: str, stake: int) -> _Law:
    net = wager_return(schedule, bet, spot, stake).law
    return _Law(tuple((-gain, chance) for gain, chance in net), 1, 0.0)


def _together(laws: Iterable[_Law]) -> _Law:
    """Law of wagers that win and lose together: the same chances, amounts that add. Raises PayoutError."""
    first, *rest = laws
    amounts = [amount for amount, _ in first.law]
    for one in rest:
        if [chance for _, chance in one.law] != [chance for _, chance in first.law] or one.scale != first.scale:
            raise PayoutError("wagers that go together must have the same chances")
        amounts = [amount + more for amount, (more, _) in zip(amounts, one.law, strict=True)]
    return _Law(tuple((a, chance) for a, (_, chance) in zip(amounts, first.law, strict=True)), first.scale, first.error)


def _mean(law: _Law) -> Fraction:
    return sum((amount * chance for amount, chance in law.law), Fraction(0)) / law.scale


def _actual(house: House, connection: Connection, sums: Mapping[str, tuple[int, int]]) -> Fraction:
    """What the house kept, payouts in trade at what they cost it."""
    total = Fraction(0)
    for fingerprint, (kept, paid) in sums.items():
        schedule = schedules.of(house, connection, fingerprint)
        cost = schedule.trade_cost if isinstance(schedule, HooliganSchedule) else Fraction(1)
        total += kept - paid * cost
    return total


def _limits(
    counted: Mapping[_Law, int], scale: int, actual: Fraction
) -> tuple[tuple[tuple[float, int, int], ...], str]:
    """Limits of the total in minor units, and where the actual win lies."""
    if not counted:
        return (), "none"
    parts: list[tuple[GameLaw, int, float]] = []
    for law, count in counted.items():
        merged: dict[int, Fraction] = {}
        for amount, chance in law.law:
            place = amount * (scale // law.scale)
            merged[place] = merged.get(place, Fraction(0)) + chance
        parts.append((merged, count, law.error))
    try:
        total = sum_law(parts)
        found = [(probability, total.limit(probability)) for probability in LIMITS]
    except PayoutError:
        return (), "none"
    limits = tuple((p, limit.low // scale, -(-limit.high // scale)) for p, limit in found)
    return limits, _verdict([limit for _, limit in found], actual * scale)


def _verdict(limits: list[Interval], actual: Fraction) -> str:
    """Say where the actual win lies; within the slack of a limit it is inside."""
    low99, low95, high95, high99 = limits
    if not low99.low <= actual <= high99.high:
        return "outside 99 %"
    return "inside" if low95.low <= actual <= high95.high else "outside 95 %"
