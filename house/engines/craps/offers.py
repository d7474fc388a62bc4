"""What may be bet now: the live text of the felt."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from house.domain.ids import WagerId
from house.engines.craps.betting import is_open
from house.engines.craps.stakes import most_odds
from house.engines.craps.state import CrapsState, Schedules, number_of
from payouts.craps.settling import prices, stake_unit
from payouts.craps.terms import Bet, CrapsSchedule


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One bet at one spot that may be made now; amounts in minor units.

    Parameters
    ----------
    pays
        Every price that the bet can be paid at, as printed.
    max_minor
        Greatest sum of one player's stakes here; for odds the most behind their parent.
    unit_minor
        A stake is a multiple of it.
    parent
        For odds: the wager that they would stand behind.
    """

    bet: str
    name: str
    group: str
    spot: str
    pays: tuple[str, ...]
    min_minor: int
    max_minor: int
    unit_minor: int
    parent: WagerId | None = None


def open_bets(state: CrapsState, schedules: Schedules) -> tuple[Offer, ...]:
    """List every bet and spot that the table takes before the next throw, in the order of the schedule."""
    schedule = schedules.current
    return tuple(
        offer
        for terms in schedule.bets.values()
        if is_open(state, terms.bet)
        for offer in (_behind(state, schedule, terms.bet) if terms.bet.parents else _at_spots(schedule, terms.bet))
    )


def _at_spots(schedule: CrapsSchedule, bet: Bet) -> Iterator[Offer]:
    return (_offer(schedule, bet.id, spot) for spot in bet.spots(schedule))


def _behind(state: CrapsState, schedule: CrapsSchedule, bet: Bet) -> Iterator[Offer]:
    for flat in state.wagers:
        if flat.bet in bet.parents and number_of(flat):
            offer = _offer(schedule, bet.id, str(number_of(flat)))
            most = min(offer.max_minor, most_odds(schedule, flat, bet.id))
            yield replace(offer, max_minor=most, parent=flat.id)


@lru_cache(maxsize=4096)
def _offer(schedule: CrapsSchedule, bet: str, spot: str) -> Offer:
    terms = schedule.bets[bet]
    return Offer(
        bet=bet,
        name=terms.bet.names[0],
        group=terms.bet.group.value,
        spot=spot,
        pays=tuple(dict.fromkeys(str(odds) for leg in schedule.legs(bet, spot) for odds in prices(leg.machine))),
        min_minor=terms.limits.min_minor,
        max_minor=terms.limits.max_minor,
        unit_minor=stake_unit(schedule, bet, spot),
    )
