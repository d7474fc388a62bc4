"""A parlay: the stake and its winnings ride on the same bet, for so many wins in a row."""

from collections.abc import Iterator
from fractions import Fraction

from payouts.chain import solve
from payouts.craps.returns import Return
from payouts.craps.settling import check_stake, legal_stakes, settle, up_front_commission
from payouts.craps.terms import CrapsSchedule
from payouts.dice import FAIR, Dice
from payouts.errors import PayoutError
from payouts.machine import Outcome, Payment

Riding = dict[tuple[int, int], Fraction]
"""Chances of (stake that rides, net of all else so far)."""


def parlay_return(
    schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int, *, wins: int, dice: Dice = FAIR
) -> Return:
    """Law of the return of a parlay, made of the bets that it consists of.

    After each win but the last the payout is bet again, as much of it as the bet takes; the rest the player keeps. A
    tie leaves the bet as it is. `throws` of the result are all throws of the parlay.

    Parameters
    ----------
    stake_minor
        First stake, minor units.
    wins
        Wins in a row after which the player takes all, from 1.

    Raises
    ------
    PayoutError
        If the bet has more than one leg or does not take the stake, or `wins` is below 1.
    """
    legs = schedule.legs(bet, spot)
    if len(legs) != 1 or wins < 1:
        raise PayoutError(f"a parlay must be 1 or more wins on a bet of one leg, got {wins} on {bet}")
    check_stake(schedule, bet, spot, stake_minor)
    decided, throws_each = _decided(schedule, bet, spot, dice)
    first = stake_minor + _up_front(schedule, bet, spot, stake_minor)
    riding: Riding = {(stake_minor, -first): Fraction(1)}
    law: dict[int, Fraction] = {}
    throws = Fraction(0)
    for left in range(wins - 1, -1, -1):
        throws += throws_each * sum(riding.values(), Fraction(0))
        following: Riding = {}
        for (stake, net), chance in riding.items():
            for payment, share in decided:
                again, after = _after(schedule, bet, spot, (stake, net), payment, last=left == 0)
                if again:
                    following[again, after] = following.get((again, after), Fraction(0)) + chance * share
                else:
                    law[after] = law.get(after, Fraction(0)) + chance * share
        riding = following
    return Return(first, tuple(sorted(law.items())), throws)


def _decided(
    schedule: CrapsSchedule, bet: str, spot: str, dice: Dice
) -> tuple[tuple[tuple[Payment, Fraction], ...], Fraction]:
    """Wins and losses of a bet that is left up on a tie, with their chances, and the throws that it lasts."""
    solution = solve(schedule.legs(bet, spot)[0].machine, dice)
    ends = [(payment, chance) for payment, chance in solution.endings if payment.outcome is not Outcome.TIE]
    decisive = sum((chance for _, chance in ends), Fraction(0))
    return tuple((payment, chance / decisive) for payment, chance in ends), solution.throws / decisive


def _after(
    schedule: CrapsSchedule, bet: str, spot: str, riding: tuple[int, int], payment: Payment, *, last: bool
) -> tuple[int, int]:
    """What rides after a decision, 0 if the parlay is over, and the net of all else."""
    stake, net = riding
    if payment.outcome is Outcome.LOSE:
        return 0, net
    settled = settle(schedule.bets[bet], schedule.table.rounding, stake, payment)
    held = stake + settled.net(stake)
    again = 0 if last else next(_stakes_within(schedule, bet, spot, held), 0)
    charged = _up_front(schedule, bet, spot, again) if again else 0
    return again, net + held - again - charged


def _stakes_within(schedule: CrapsSchedule, bet: str, spot: str, held: int) -> Iterator[int]:
    """Legal stakes that a sum pays for, commission up front with them, from the greatest."""
    low, high, step = legal_stakes(schedule, bet, spot)
    for stake in range(min(held, high) // step * step, low - 1, -step):
        if stake + _up_front(schedule, bet, spot, stake) <= held:
            yield stake


def _up_front(schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int) -> int:
    return up_front_commission(schedule.bets[bet], schedule.table.rounding, stake_minor, spot)
