"""What may be staked: limits, payable units, odds behind their parent, the exposure of the table."""

from dataclasses import replace
from functools import lru_cache

from house.domain.refusals import Refusal, Refused
from house.domain.wagers import RidingLeg, Wager
from house.engines.craps.exposure import exposure, greatest_winnings
from house.engines.craps.state import CrapsState, Schedules, find, number_of
from payouts.craps.settling import check_stake, leg_stakes, up_front_commission
from payouts.craps.terms import CrapsSchedule
from payouts.errors import InexactStakeError

LAID = "lay_odds"
"""The odds whose limit holds for what they win; that of the others holds for what is staked."""


def restake(state: CrapsState, schedules: Schedules, wager: Wager, stake: int) -> tuple[CrapsState, Wager]:
    """Give a wager another stake, in minor units, where it rides or else as the last one on the layout.

    Raises
    ------
    Refused
        BELOW_MINIMUM, ABOVE_MAXIMUM, NOT_AN_INCREMENT, CANNOT_BE_PAID, ODDS_LIMIT, WINNINGS_LIMIT, EXPOSURE_LIMIT.
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
    _check_odds(after, schedules, find(after, wager.parent) if wager.parent else changed)
    _check_winnings(after, schedules, changed)
    _check_exposure(state, after, schedules)
    return after, changed


def _up_front(schedule: CrapsSchedule, wager: Wager) -> int:
    """Commission laid down beside the stakes of a wager, in minor units."""
    legs = schedule.legs(wager.bet, wager.spot)
    parts = ((leg.stake, legs[leg.index]) for leg in wager.legs)
    rounding = schedule.table.rounding
    return sum(up_front_commission(schedule.bets[part.bet], rounding, stake, part.spot) for stake, part in parts)


def _check_limits(state: CrapsState, schedule: CrapsSchedule, wager: Wager, stake: int, units: int) -> None:
    limits = schedule.bets[wager.bet].limits
    beside = sum(one.stake for one in _beside(state, wager))
    increment = limits.increment_minor * units
    if stake < max(1, limits.min_minor):
        raise _no(Refusal.BELOW_MINIMUM, "the stake is below the minimum", stake, max(1, limits.min_minor))
    if stake + beside > limits.max_minor:
        raise _no(
            Refusal.ABOVE_MAXIMUM, "the player's stakes on this spot pass the maximum", stake + beside, limits.max_minor
        )
    if stake % increment:
        raise _no(Refusal.NOT_AN_INCREMENT, "the stake must be a multiple of the increment", stake, increment)


def _beside(state: CrapsState, wager: Wager) -> tuple[Wager, ...]:
    """Other wagers whose stakes count with it: one player's, on the same bet and spot, and at the same stage."""

    def place(one: Wager) -> tuple[object, ...]:
        return (one.player, one.bet, one.spot, tuple(leg.state for leg in one.legs))

    return tuple(one for one in state.wagers if one.id != wager.id and place(one) == place(wager))


def _check_payable(schedule: CrapsSchedule, wager: Wager) -> None:
    unit = _unpaid(schedule, wager.bet, wager.spot, wager.stake)
    if unit:
        raise _no(Refusal.CANNOT_BE_PAID, "the winnings cannot be paid in whole chips", wager.stake, unit)


@lru_cache(maxsize=16384)
def _unpaid(schedule: CrapsSchedule, bet: str, spot: str, stake: int) -> int:
    """0 for a stake that can be paid, else the stake, in minor units, whose multiples can."""
    try:
        check_stake(schedule, bet, spot, stake)
    except InexactStakeError as error:
        return error.unit_minor
    return 0


def _check_odds(state: CrapsState, schedules: Schedules, flat: Wager) -> None:
    """Refuse odds behind a flat wager beyond the table's multiple of it: of what is taken, or of what laid odds win."""
    behind = tuple(one for one in state.wagers if one.parent == flat.id)
    for bet in dict.fromkeys(one.bet for one in behind):
        odds = tuple(one for one in behind if one.bet == bet)
        most = most_odds(schedules.of(odds[-1]), flat, bet)
        total = sum(one.stake for one in odds)
        if total > most:
            raise _no(Refusal.ODDS_LIMIT, "the odds pass the table's multiple of the flat bet", total, most)


def most_odds(schedule: CrapsSchedule, flat: Wager, bet: str) -> int:
    """Most that may be taken or laid behind a flat wager on a number, in minor units."""
    number = number_of(flat)
    most = schedule.table.odds_limit[number] * flat.stake
    return int(most / schedule.bets[bet].price(str(number)).to_one) if bet == LAID else most


def _check_winnings(state: CrapsState, schedules: Schedules, wager: Wager) -> None:
    """Refuse a further wager on a player's spot that would carry their winnings together past the greatest.

    The winnings of one wager are held at the greatest when it wins.
    """
    most = schedules.of(wager).bets[wager.bet].limits.max_winnings_minor
    beside = _beside(state, wager)
    if most is None or not beside:
        return
    won = sum(greatest_winnings(one, schedules.of(one)) for one in (*beside, wager))
    if won > most:
        raise _no(Refusal.WINNINGS_LIMIT, "the player's winnings on this spot would pass the greatest", won, most)


def _check_exposure(before: CrapsState, after: CrapsState, schedules: Schedules) -> None:
    """Refuse a stake that the house cannot cover; one that lessens what it may lose is never refused."""
    most = schedules.current.table.exposure_minor
    now = exposure(after, schedules)
    if most is not None and now > most and now > exposure(before, schedules):
        raise _no(Refusal.EXPOSURE_LIMIT, "the house's exposure at this table is full", now, most)


def _no(refusal: Refusal, message: str, value: int, limit: int) -> Refused:
    return Refused(refusal, message, "stake_minor", str(value), str(limit))
