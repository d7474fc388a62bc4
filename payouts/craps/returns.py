"""The exact law of what a wager brings at a given stake, rounding and commission in it."""

from dataclasses import dataclass
from fractions import Fraction

from payouts.chain import solve, solve_together
from payouts.craps.bets import Leg
from payouts.craps.settling import leg_stakes, settle, up_front_commission
from payouts.craps.terms import CrapsSchedule
from payouts.dice import FAIR, Dice
from payouts.machine import Payment


@dataclass(frozen=True, slots=True)
class Return:
    """What a wager brings, stake by stake.

    Parameters
    ----------
    at_risk_minor
        Stake and commission paid up front, minor units.
    law
        (net gain of the player in minor units, its chance), by gain; chances add to 1.
    throws
        Expected throws until the whole wager is decided.
    """

    at_risk_minor: int
    law: tuple[tuple[int, Fraction], ...]
    throws: Fraction

    @property
    def mean(self) -> Fraction:
        """Expected net gain of the player, minor units."""
        return sum((net * chance for net, chance in self.law), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Variance of the net gain, minor units squared."""
        return sum((net * net * chance for net, chance in self.law), Fraction(0)) - self.mean**2

    @property
    def win(self) -> Fraction:
        """Chance that the player gains."""
        return sum((chance for net, chance in self.law if net > 0), Fraction(0))

    @property
    def tie(self) -> Fraction:
        """Chance that nothing is gained or lost."""
        return sum((chance for net, chance in self.law if net == 0), Fraction(0))

    @property
    def lose(self) -> Fraction:
        """Chance that the player loses."""
        return sum((chance for net, chance in self.law if net < 0), Fraction(0))

    @property
    def edge_made(self) -> Fraction:
        """House edge per bet made: ties count."""
        return -self.mean / self.at_risk_minor

    @property
    def edge_resolved(self) -> Fraction | None:
        """House edge per bet resolved: ties left out; None if every bet ties."""
        return self.edge_made / (1 - self.tie) if self.tie != 1 else None

    @property
    def edge_per_throw(self) -> Fraction:
        """House edge per bet made over the expected throws."""
        return self.edge_made / self.throws


def wager_return(schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int, dice: Dice = FAIR) -> Return:
    """Law of the return of a wager.

    Parameters
    ----------
    stake_minor
        Stake on all legs together, minor units; any that divides over them, within the limits or not.

    Raises
    ------
    PayoutError
        If the stake does not divide over the legs or is not paid exactly where the table asks it.
    """
    legs = schedule.legs(bet, spot)
    stakes = leg_stakes(legs, stake_minor)
    charged = sum(_up_front(schedule, leg, stake) for leg, stake in zip(legs, stakes, strict=True))
    law: dict[int, Fraction] = {}
    endings, throws = _endings(legs, dice)
    for payments, chance in endings:
        net = -charged + sum(
            _net(schedule, leg, stake, payment) for leg, stake, payment in zip(legs, stakes, payments, strict=True)
        )
        law[net] = law.get(net, Fraction(0)) + chance
    return Return(stake_minor + charged, tuple(sorted(law.items())), throws)


def mean_return(
    schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int, dice: Dice = FAIR
) -> tuple[int, Fraction]:
    """Sum at risk and expected net gain, minor units, leg by leg: the same as `wager_return`, without the joint law."""
    legs = schedule.legs(bet, spot)
    stakes = leg_stakes(legs, stake_minor)
    charged = sum(_up_front(schedule, leg, stake) for leg, stake in zip(legs, stakes, strict=True))
    mean = sum(
        (
            _net(schedule, leg, stake, payment) * chance
            for leg, stake in zip(legs, stakes, strict=True)
            for payment, chance in solve(leg.machine, dice).endings
        ),
        Fraction(-charged),
    )
    return stake_minor + charged, mean


def _endings(legs: tuple[Leg, ...], dice: Dice) -> tuple[tuple[tuple[tuple[Payment, ...], Fraction], ...], Fraction]:
    if len(legs) == 1:
        solution = solve(legs[0].machine, dice)
        return tuple(((payment,), chance) for payment, chance in solution.endings), solution.throws
    together = solve_together(tuple(leg.machine for leg in legs), dice)
    return together.endings, together.throws


def _net(schedule: CrapsSchedule, leg: Leg, stake_minor: int, payment: Payment) -> int:
    return settle(schedule.bets[leg.bet], schedule.table.rounding, stake_minor, payment).net(stake_minor)


def _up_front(schedule: CrapsSchedule, leg: Leg, stake_minor: int) -> int:
    return up_front_commission(schedule.bets[leg.bet], schedule.table.rounding, stake_minor, leg.spot)
