"""What the house stands to lose on what rides."""

from functools import lru_cache

from house.domain.wagers import RidingLeg, Wager
from house.engines.craps.state import CrapsState, Schedules
from payouts.craps.bets import Group
from payouts.craps.settling import prices, settle
from payouts.craps.terms import CrapsSchedule
from payouts.dice import THROWS
from payouts.machine import Payment, win


def exposure(state: CrapsState, schedules: Schedules) -> int:
    """Sum of the greatest winnings of everything that rides, in minor units.

    It is an upper bound of what one throw or many can cost the house: bets that cannot all win are counted in full.
    """
    return sum(greatest_winnings(wager, schedules.of(wager)) for wager in state.wagers)


def greatest_winnings(wager: Wager, schedule: CrapsSchedule) -> int:
    """The most that a wager can win beside its stake before it is settled, in minor units.

    The legs of a one-throw wager win on the same throw or not at all; those of any other are summed.
    """
    return _greatest(schedule, wager.bet, wager.spot, wager.legs)


@lru_cache(maxsize=4096)
def _greatest(schedule: CrapsSchedule, bet: str, spot: str, riding: tuple[RidingLeg, ...]) -> int:
    parts = schedule.legs(bet, spot)

    def won(leg: RidingLeg, payment: Payment) -> int:
        terms = schedule.bets[parts[leg.index].bet]
        return settle(terms, schedule.table.rounding, leg.stake, payment).winnings

    if schedule.bets[bet].bet.group is Group.ONE_THROW:
        steps = ([(leg, parts[leg.index].machine.step(leg.state, throw)) for leg in riding] for throw in THROWS)
        return max(sum(won(leg, step) for leg, step in legs if isinstance(step, Payment)) for legs in steps)
    odds = (prices(parts[leg.index].machine) for leg in riding)
    return sum(max((won(leg, win(one)) for one in each), default=0) for leg, each in zip(riding, odds, strict=True))
