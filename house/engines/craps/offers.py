"""What may be bet now: the live text of the felt."""

from collections.abc import Iterator
from dataclasses import dataclass

from house.domain.ids import WagerId
from house.engines.craps.betting import is_open
from house.engines.craps.stakes import most_odds
from house.engines.craps.state import CrapsState, Schedules, number_of
from payouts.craps.settling import prices, stake_unit
from payouts.craps.terms import BetTerms, CrapsSchedule


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
        for offer in (_behind(state, schedule, terms) if terms.bet.parents else _at_spots(schedule, terms))
    )


def _at_spots(schedule: CrapsSchedule, terms: BetTerms) -> Iterator[Offer]:
    for spot in terms.bet.spots(schedule):
        yield _offer(schedule, terms, spot, terms.limits.max_minor)


def _behind(state: CrapsState, schedule: CrapsSchedule, terms: BetTerms) -> Iterator[Offer]:
    for flat in state.wagers:
        if flat.bet in terms.bet.parents and number_of(flat):
            most = min(terms.limits.max_minor, most_odds(schedule, flat, terms.bet.id))
            yield _offer(schedule, terms, str(number_of(flat)), most, flat.id)


def _offer(schedule: CrapsSchedule, terms: BetTerms, spot: str, most: int, parent: WagerId | None = None) -> Offer:
    legs = schedule.legs(terms.bet.id, spot)
    return Offer(
        bet=terms.bet.id,
        name=terms.bet.names[0],
        group=terms.bet.group.value,
        spot=spot,
        pays=tuple(dict.fromkeys(str(odds) for leg in legs for odds in prices(leg.machine))),
        min_minor=terms.limits.min_minor,
        max_minor=most,
        unit_minor=stake_unit(schedule, terms.bet.id, spot),
        parent=parent,
    )
