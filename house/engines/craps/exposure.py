"""What the house stands to lose on what rides."""

from house.domain.wagers import Wager
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
    parts = schedule.legs(wager.bet, wager.spot)

    def won(index: int, stake: int, payment: Payment) -> int:
        terms = schedule.bets[parts[index].bet]
        return settle(terms, schedule.table.rounding, stake, payment).winnings

    if schedule.bets[wager.bet].bet.group is Group.ONE_THROW:
        steps = ([(leg, parts[leg.index].machine.step(leg.state, throw)) for leg in wager.legs] for throw in THROWS)
        return max(
            sum(won(leg.index, leg.stake, step) for leg, step in legs if isinstance(step, Payment)) for legs in steps
        )
    return sum(
        max((won(leg.index, leg.stake, win(odds)) for odds in prices(parts[leg.index].machine)), default=0)
        for leg in wager.legs
    )
