"""What may be staked: limits, payable units, odds behind their parent, the exposure of the table."""

from dataclasses import replace
from math import lcm

from house.domain.refusals import Refusal, Refused
from house.domain.wagers import RidingLeg, Wager
from house.engines.craps.exposure import exposure
from house.engines.craps.state import CrapsState, Schedules, find, number_of
from payouts.craps.settling import leg_stakes, payable_unit, prices, up_front_commission
from payouts.craps.terms import CrapsSchedule
from payouts.odds import RoundingRule

LAID = "lay_odds"
"""The odds whose limit holds for what they win; that of the others holds for what is staked."""


def restake(state: CrapsState, schedules: Schedules, wager: Wager, stake: int) -> tuple[CrapsState, Wager]:
    """Give a wager another stake, in minor units, where it rides or else as the last one on the layout.

    Raises
    ------
    Refused
        BELOW_MINIMUM, ABOVE_MAXIMUM, NOT_AN_INCREMENT, CANNOT_BE_PAID, ODDS_LIMIT, EXPOSURE_LIMIT.
    """
    schedule = schedules.of(wager)
    legs = schedule.legs(wager.bet, wager.spot)
    riding = wager.legs or tuple(RidingLeg(index, 0, leg.machine.start()) for index, leg in enumerate(legs))
    wager = replace(wager, legs=riding)
    parts = tuple(legs[leg.index] for leg in riding)
    _check_limits(state, schedule, wager, stake, sum(leg.weight for leg in parts))
    stakes = leg_stakes(parts, stake)
    changed = replace(wager, legs=tuple(replace(leg, stake=part) for leg, part in zip(riding, stakes, strict=True)))
    _check_payable(schedule, changed)
    changed = replace(changed, commission=_up_front(schedule, changed))
    here = any(one.id == wager.id for one in state.wagers)
    wagers = tuple(changed if one.id == wager.id else one for one in state.wagers)
    after = replace(state, wagers=wagers if here else (*wagers, changed))
    check_odds(after, schedule, find(after, wager.parent) if wager.parent else changed)
    check_exposure(after, schedules)
    return after, changed


def _up_front(schedule: CrapsSchedule, wager: Wager) -> int:
    """Commission laid down beside the stakes of a wager, in minor units."""
    legs = schedule.legs(wager.bet, wager.spot)
    parts = ((leg.stake, legs[leg.index]) for leg in wager.legs)
    rounding = schedule.table.rounding
    return sum(up_front_commission(schedule.bets[part.bet], rounding, stake, part.spot) for stake, part in parts)


def _check_limits(state: CrapsState, schedule: CrapsSchedule, wager: Wager, stake: int, units: int) -> None:
    limits = schedule.bets[wager.bet].limits
    beside = sum(one.stake for one in state.wagers if one.id != wager.id and _same_spot(one, wager))
    increment = limits.increment_minor * units
    if stake < max(1, limits.min_minor):
        raise _no(Refusal.BELOW_MINIMUM, "the stake is below the minimum", stake, max(1, limits.min_minor))
    if stake + beside > limits.max_minor:
        raise _no(
            Refusal.ABOVE_MAXIMUM, "the player's stakes on this spot pass the maximum", stake + beside, limits.max_minor
        )
    if stake % increment:
        raise _no(Refusal.NOT_AN_INCREMENT, "the stake must be a multiple of the increment", stake, increment)


def _same_spot(one: Wager, other: Wager) -> bool:
    """Whether two wagers' stakes count together: one player's, on one bet and spot, and at the same stage."""
    keys = [(each.player, each.bet, each.spot, tuple(leg.state for leg in each.legs)) for each in (one, other)]
    return keys[0] == keys[1]


def _check_payable(schedule: CrapsSchedule, wager: Wager) -> None:
    """Refuse a stake that an exact table cannot pay, or a part of whose winnings any table would round to nothing."""
    rounding = schedule.table.rounding
    legs = schedule.legs(wager.bet, wager.spot)
    increment = schedule.bets[wager.bet].limits.increment_minor * sum(leg.weight for leg in legs)
    unit = lcm(payable_unit(schedule, wager.bet, wager.spot), increment)
    least = min(leg.stake * odds.to_one for leg in wager.legs for odds in prices(legs[leg.index].machine))
    if (rounding.rule is RoundingRule.EXACT and wager.stake % unit) or least < rounding.unit_minor:
        raise _no(Refusal.CANNOT_BE_PAID, "the winnings cannot be paid in whole chips", wager.stake, unit)


def check_odds(state: CrapsState, schedule: CrapsSchedule, flat: Wager) -> None:
    """Refuse odds behind a flat wager beyond the table's multiple of it: of what is taken, or of what laid odds win.

    Raises
    ------
    Refused
        ODDS_LIMIT; its limit is the most that may be taken or laid in all, in minor units.
    """
    behind = tuple(one for one in state.wagers if one.parent == flat.id)
    for bet in {one.bet for one in behind}:
        odds = tuple(one for one in behind if one.bet == bet)
        most = most_odds(schedule, flat, bet)
        total = sum(one.stake for one in odds)
        if total > most:
            raise _no(Refusal.ODDS_LIMIT, "the odds pass the table's multiple of the flat bet", total, most)


def most_odds(schedule: CrapsSchedule, flat: Wager, bet: str) -> int:
    """Most that may be taken or laid behind a flat wager on a number, in minor units."""
    number = number_of(flat)
    most = schedule.table.odds_limit[number] * flat.stake
    return int(most / schedule.bets[bet].price(str(number)).to_one) if bet == LAID else most


def check_exposure(state: CrapsState, schedules: Schedules) -> None:
    """Refuse what the house cannot lose.

    Raises
    ------
    Refused
        EXPOSURE_LIMIT.
    """
    most = schedules.current.table.exposure_minor
    if most is not None and exposure(state, schedules) > most:
        raise _no(
            Refusal.EXPOSURE_LIMIT, "the house's exposure at this table is full", exposure(state, schedules), most
        )


def _no(refusal: Refusal, message: str, value: int, limit: int) -> Refused:
    return Refused(refusal, message, "stake_minor", str(value), str(limit))
