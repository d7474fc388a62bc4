"""From the end of a bet to whole minor units: winnings, breakage, cap and commission.

The tables and the mathematics both call these functions, so that what is paid is what was reckoned.
"""

from dataclasses import dataclass
from math import ceil, lcm

from payouts.chain import payments
from payouts.craps.bets import Leg
from payouts.craps.terms import Base, BetTerms, CommissionRounding, CrapsSchedule, When
from payouts.errors import InexactStakeError, PayoutError
from payouts.machine import Machine, Outcome, Payment
from payouts.odds import Odds, Rounding, RoundingRule, exact_stake, winnings


@dataclass(frozen=True, slots=True)
class Settlement:
    """What one leg of a wager receives beside its stake; minor units.

    Parameters
    ----------
    winnings
        After rounding and cap, the commission not taken from it.
    commission
        Taken out of the winnings, never more than they are.
    breakage
        What rounding left with the house.
    withheld
        What the cap on winnings left with the house.
    """

    outcome: Outcome
    winnings: int = 0
    commission: int = 0
    breakage: int = 0
    withheld: int = 0

    def net(self, stake_minor: int) -> int:
        """Gain or loss of the player on this leg, commission paid up front not in it."""
        return self.winnings - self.commission - (stake_minor if self.outcome is Outcome.LOSE else 0)


def settle(terms: BetTerms, rounding: Rounding, stake_minor: int, payment: Payment) -> Settlement:
    """Settle one leg.

    Parameters
    ----------
    terms
        Terms of `leg.bet`.
    stake_minor
        Stake on this leg, minor units, at least 1.

    Raises
    ------
    InexactStakeError
        Under the rounding rule "exact", for winnings that are not whole units.
    """
    if payment.odds is None:
        return Settlement(payment.outcome)
    won = winnings(stake_minor, payment.odds, rounding)
    cap = terms.limits.max_winnings_minor
    paid = won.paid if cap is None else min(won.paid, cap)
    charged = min(paid, _commission(terms, When.WIN, stake_minor, paid))
    return Settlement(payment.outcome, paid, charged, won.breakage, won.paid - paid)


def up_front_commission(terms: BetTerms, rounding: Rounding, stake_minor: int, spot: str) -> int:
    """Commission that the player lays down beside a stake, minor units; 0 where it is taken on a win or not at all."""
    if terms.commission is None:
        return 0
    won = stake_minor * terms.price(spot).to_one // rounding.unit_minor * rounding.unit_minor
    return _commission(terms, When.UP_FRONT, stake_minor, won)


def _commission(terms: BetTerms, when: When, stake_minor: int, winnings_minor: int) -> int:
    if terms.commission is None or terms.commission.when is not when:
        return 0
    return terms.commission.charge(stake_minor, winnings_minor)


def leg_stakes(legs: tuple[Leg, ...], stake_minor: int) -> tuple[int, ...]:
    """Divide a stake over the legs by their weights.

    Raises
    ------
    PayoutError
        If it does not divide into whole minor units.
    """
    units = sum(leg.weight for leg in legs)
    if stake_minor % units:
        raise PayoutError(f"stake_minor must be a multiple of {units}, got {stake_minor}")
    return tuple(stake_minor // units * leg.weight for leg in legs)


def stake_unit(schedule: CrapsSchedule, bet: str, spot: str = "") -> int:
    """Unit of which every stake on a bet must be a multiple, minor units.

    It is the increment for each unit of each leg; where the table rounds "exact", also a stake that is paid exactly.
    """
    units = sum(leg.weight for leg in schedule.legs(bet, spot))
    unit = units * schedule.bets[bet].limits.increment_minor
    if schedule.table.rounding.rule is RoundingRule.EXACT:
        return lcm(unit, payable_unit(schedule, bet, spot))
    return unit


def payable_unit(schedule: CrapsSchedule, bet: str, spot: str = "") -> int:
    """Smallest stake of which every multiple is paid exactly on every win, minor units; commission not counted."""
    legs = schedule.legs(bet, spot)
    units = sum(leg.weight for leg in legs)
    exact = [
        units * (lcm(exact_stake(odds, schedule.table.rounding), leg.weight) // leg.weight)
        for leg in legs
        for odds in prices(leg.machine)
    ]
    return lcm(units, *exact)


def prices(machine: Machine) -> tuple[Odds, ...]:
    """Odds at which a machine can win."""
    return tuple(payment.odds for payment in payments(machine) if payment.odds is not None)


def check_stake(schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int) -> None:
    """Refuse a stake that cannot be paid: one that does not divide, or that some win would pay nothing.

    Raises
    ------
    InexactStakeError
        With the unit whose multiples can be paid.
    """
    unit, money = stake_unit(schedule, bet, spot), schedule.header.money
    where = f"{bet} {spot}".strip()
    if stake_minor < 1 or stake_minor % unit:
        message = f"stake must be a multiple of {money(unit)} on {where}, got {money(stake_minor)}"
        raise InexactStakeError(message, unit)
    least = -(-least_paid_stake(schedule, bet, spot) // unit) * unit
    if stake_minor < least:
        message = f"stake must be at least {money(least)} on {where} to win anything, got {money(stake_minor)}"
        raise InexactStakeError(message, lcm(unit, payable_unit(schedule, bet, spot)))


def least_paid_stake(schedule: CrapsSchedule, bet: str, spot: str = "") -> int:
    """Smallest stake that wins at least one unit of chips on every win, minor units."""
    legs = schedule.legs(bet, spot)
    units, chip = sum(leg.weight for leg in legs), schedule.table.rounding.unit_minor
    return max(
        (ceil(chip * units / (odds.to_one * leg.weight)) for leg in legs for odds in prices(leg.machine)), default=1
    )


def legal_stakes(schedule: CrapsSchedule, bet: str, spot: str) -> tuple[int, int, int]:
    """Smallest and greatest legal stake and the step between, minor units; smallest above greatest if there is none."""
    limits, unit = schedule.bets[bet].limits, stake_unit(schedule, bet, spot)
    floor = max(limits.min_minor, least_paid_stake(schedule, bet, spot))
    return -(-floor // unit) * unit, limits.max_minor // unit * unit, unit


def default_stake(schedule: CrapsSchedule, bet: str, spot: str = "") -> int:
    """Smallest legal stake that is paid exactly, its commission too if the limits leave room; minor units.

    Where no legal stake is paid exactly it is the smallest legal one.
    """
    limits = schedule.bets[bet].limits
    unit = stake_unit(schedule, bet, spot)
    floor = max(limits.min_minor, least_paid_stake(schedule, bet, spot))
    exact = lcm(unit, payable_unit(schedule, bet, spot))
    for step in (lcm(exact, commission_unit(schedule.bets[bet], spot)), exact, unit):
        stake = -(-floor // step) * step
        if stake <= limits.max_minor:
            return stake
    return unit


def commission_unit(terms: BetTerms, spot: str) -> int:
    """Smallest stake of which every multiple is charged commission exactly, minor units; 1 without commission."""
    commission = terms.commission
    if commission is None or commission.rate == 0:
        return 1
    share = commission.rate * (1 if commission.base is Base.BET else terms.price(spot).to_one)
    chip = 1 if commission.rounding is CommissionRounding.NONE else commission.unit_minor
    return (share / chip).denominator
