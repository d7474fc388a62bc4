"""All readings of the open points of the rules, and how far each moves the house percentage of a schedule."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.hooligan.schedule import HooliganSchedule, reading_fingerprint
from payouts.hooligan.solver import mean_payout

OPTIONS: dict[str, tuple[int | Natural | HooliganKeep | bool, ...]] = {
    "throws_per_frame": (1, 2, 3, 4, 5),
    "natural": tuple(Natural),
    "point_must_show": (False, True),
    "hooligan_keep": tuple(HooliganKeep),
    "may_stop_early": (False, True),
}
"""Open points of the rules and their readings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A schedule under one reading of the rules.

    Parameters
    ----------
    changed
        Options that differ from the schedule's own reading, with their values, as in its file.
    fingerprint
        Of the schedule under this reading.
    rules_fingerprint
        Of the reading alone.
    mean_minor
        Mean payout of a game in minor units, at face value.
    moves
        House edge less that under the schedule's own reading.
    """

    rules: HooliganRules
    changed: dict[str, int | str | bool]
    fingerprint: str
    rules_fingerprint: str
    mean_minor: float
    house_edge: float
    moves: float


def single_readings(schedule: HooliganSchedule, player: Player = Player.OPTIMAL) -> tuple[Reading, ...]:
    """The schedule's own reading first, then every reading that differs from it in one option."""
    own = schedule.rules
    others = (
        replace(own, **{option: value})  # type: ignore[arg-type]
        for option, values in OPTIONS.items()
        for value in values
        if getattr(own, option) != value
    )
    return tuple(_readings(schedule, player, (own, *others)))


def all_readings(
    schedule: HooliganSchedule, player: Player = Player.OPTIMAL, throws: tuple[int, ...] = ()
) -> tuple[Reading, ...]:
    """Every reading of the open points, in the order of their options; the schedule's own among them.

    Parameters
    ----------
    throws
        Throws a frame that are tried; only the schedule's own if left out.
    """
    tried = dict(OPTIONS) | {"throws_per_frame": throws or (schedule.rules.throws_per_frame,)}
    combined = (dict(zip(tried, values, strict=True)) for values in product(*tried.values()))
    return tuple(_readings(schedule, player, (replace(schedule.rules, **values) for values in combined)))  # type: ignore[arg-type]


def _readings(schedule: HooliganSchedule, player: Player, readings: Iterable[HooliganRules]) -> Iterator[Reading]:
    base = _edge(schedule, _mean(schedule, player))
    for rules in readings:
        read = under(schedule, rules)
        mean = _mean(read, player)
        yield Reading(
            rules=rules,
            changed=changes(schedule.rules, rules),
            fingerprint=read.fingerprint,
            rules_fingerprint=reading_fingerprint(rules),
            mean_minor=mean,
            house_edge=_edge(read, mean),
            moves=_edge(read, mean) - base,
        )


def under(schedule: HooliganSchedule, rules: HooliganRules) -> HooliganSchedule:
    """The same prices under another reading; a band that ends at the perfect score goes on to the new one.

    Bands above the new perfect score are left out.
    """
    old, new = schedule.rules.perfect_score, rules.perfect_score
    bands = tuple(
        replace(band, high=new if band.high == old else min(band.high, new))
        for band in schedule.bands
        if band.low <= new
    )
    return replace(schedule, rules=rules, bands=bands)


def changes(own: HooliganRules, other: HooliganRules) -> dict[str, int | str | bool]:
    """Options in which a reading differs from another, with its values."""
    before = own.to_json()
    return {option: value for option, value in other.to_json().items() if before[option] != value}


def _mean(schedule: HooliganSchedule, player: Player) -> float:
    return mean_payout(schedule.rules, schedule.law, player)


def _edge(schedule: HooliganSchedule, mean_minor: float) -> float:
    return 1 - float(schedule.trade_cost) * mean_minor / schedule.stake_minor


def document(schedule: HooliganSchedule, readings: Iterable[Reading]) -> dict[str, Any]:
    """Readings as plain values for JSON, each with the fingerprints of schedule and reading."""
    return {
        "schedule": schedule.header.name,
        "fingerprint": schedule.fingerprint,
        "readings": [
            {
                "changed": each.changed,
                "fingerprint": each.fingerprint,
                "rules_fingerprint": each.rules_fingerprint,
                "return": each.mean_minor / 10**schedule.header.decimals,
                "house_edge": each.house_edge,
                "moves": each.moves,
            }
            for each in readings
        ],
    }
