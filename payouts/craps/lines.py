"""Flat bets on the line together with their odds: the exact law, and the element of risk."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from payouts.chain import solve
from payouts.craps.decisions import Line
from payouts.craps.terms import CrapsSchedule
from payouts.dice import FAIR, Dice, totals
from payouts.errors import PayoutError
from payouts.machine import Outcome, Payment, State

ODDS_BEHIND = {"pass": "odds", "come": "odds", "put": "odds", "dont_pass": "lay_odds", "dont_come": "lay_odds"}
"""The odds that each bet on the line takes."""


@dataclass(frozen=True, slots=True)
class LineReturn:
    """What a flat bet of one unit brings with odds behind it; exact prices, no rounding.

    Parameters
    ----------
    law
        (net gain in units of the flat bet, its chance), by gain; chances add to 1.
    at_risk
        Expected sum staked, flat bet and odds together, in units of the flat bet.
    throws
        Expected throws until the bet is decided.
    """

    law: tuple[tuple[Fraction, Fraction], ...]
    at_risk: Fraction
    throws: Fraction

    @property
    def mean(self) -> Fraction:
        """Expected net gain, in units of the flat bet."""
        return sum((net * chance for net, chance in self.law), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Variance of the net gain, in units of the flat bet squared."""
        return sum((net * net * chance for net, chance in self.law), Fraction(0)) - self.mean**2

    @property
    def element_of_risk(self) -> Fraction:
        """Expected loss over the expected sum staked."""
        return -self.mean / self.at_risk


def line_return(
    schedule: CrapsSchedule,
    bet: str,
    spot: str = "",
    multiples: Mapping[int, Fraction | int] | None = None,
    dice: Dice = FAIR,
) -> LineReturn:
    """Solve a bet on the line with odds behind it at every point.

    Parameters
    ----------
    bet
        "pass", "come", "put", "dont_pass" or "dont_come".
    multiples
        Odds at each point as a multiple of the flat bet: of the odds staked where they are taken, of their win where
        they are laid. The table's limits if left out; a point that is not named has none.

    Raises
    ------
    PayoutError
        If the bet takes no odds, or the schedule does not offer it or its odds.
    """
    behind = ODDS_BEHIND.get(bet)
    if behind is None or bet not in schedule.bets or behind not in schedule.bets:
        raise PayoutError(f"bet must be one of {', '.join(ODDS_BEHIND)} and offered with its odds, got {bet}")
    machine = schedule.legs(bet, spot)[0].machine
    assert isinstance(machine, Line), "bets on the line are line machines"
    wanted = schedule.table.odds_limit if multiples is None else multiples
    law: dict[Fraction, Fraction] = {}
    at_risk = Fraction(1)
    for state, chance in _points_of(schedule, machine, dice):
        staked = _odds_staked(schedule, behind, state, wanted)
        at_risk += chance * staked
        for payment, ending in _endings(machine, state, dice):
            net = _net(payment, Fraction(1))
            if staked and payment.outcome is not Outcome.TIE:
                price = schedule.bets[behind].price(str(state[0])).to_one
                net += staked * price if payment.outcome is Outcome.WIN else -staked
            law[net] = law.get(net, Fraction(0)) + chance * ending
    return LineReturn(tuple(sorted(law.items())), at_risk, solve(machine, dice).throws)


def _points_of(schedule: CrapsSchedule, machine: Line, dice: Dice) -> list[tuple[State, Fraction]]:
    """States in which odds may be added, with their chances; (0,) stands for a come-out that decided the bet."""
    if machine.begins:
        return [(machine.start(), Fraction(1))]
    reached = [((point,), dice.chance(totals(point))) for point in schedule.table.points]
    return [((0,), 1 - sum((chance for _, chance in reached), Fraction(0))), *reached]


def _endings(machine: Line, state: State, dice: Dice) -> list[tuple[Payment, Fraction]]:
    if state != (0,):
        return list(solve(machine, dice, state).endings)
    decided: dict[Payment, int] = {}
    for payment, weight in zip(machine.come_out, dice.weights, strict=True):
        if payment is not None:
            decided[payment] = decided.get(payment, 0) + weight
    whole = sum(decided.values())
    return [(payment, Fraction(weight, whole)) for payment, weight in decided.items() if weight]


def _odds_staked(
    schedule: CrapsSchedule, behind: str, state: State, multiples: Mapping[int, Fraction | int]
) -> Fraction:
    multiple = Fraction(multiples.get(state[0], 0))
    if behind == "odds" or not multiple:
        return multiple
    return multiple / schedule.bets[behind].price(str(state[0])).to_one


def _net(payment: Payment, stake: Fraction) -> Fraction:
    if payment.odds is not None:
        return stake * payment.odds.to_one
    return Fraction(0) if payment.outcome is Outcome.TIE else -stake
