"""Wagers that the tests of simulation share: a line bet, place bets, a bet that cannot lose, all at fixed gains."""

from collections.abc import Callable

import pytest

from payouts.craps.decisions import Line, Race, ends
from payouts.dice import totals
from payouts.machine import LOSE, TIE, Machine, Outcome, Payment, win
from payouts.odds import Odds
from payouts.simulation.automaton import Part, Situation, Wager, always

EVEN = Odds(1, 1)


def gain(stake: int) -> Callable[[Payment], int]:
    """Net gain of a stake that every price pays in whole units."""

    def gained(payment: Payment) -> int:
        won = 0 if payment.odds is None else stake * payment.odds.to_one
        assert won == int(won)
        return {Outcome.WIN: int(won), Outcome.TIE: 0, Outcome.LOSE: -stake}[payment.outcome]

    return gained


def wager(
    label: str,
    machine: Machine,
    stake: int,
    *,
    made: Callable[[Situation], bool] = always,
    working: Callable[[Situation], bool] = always,
    behind: int | None = None,
) -> Wager:
    return Wager(label, (Part(machine, gain(stake)),), stake, made, working, behind)


def point_is_on(situation: Situation) -> bool:
    return situation.point != 0


def line() -> Line:
    come_out = ends((totals(7, 11), win(EVEN)), (totals(2, 3, 12), LOSE))
    return Line(come_out, win(EVEN), LOSE)


def dont() -> Line:
    come_out = ends((totals(7, 11), LOSE), (totals(2, 3), win(EVEN)), (totals(12), TIE))
    return Line(come_out, LOSE, win(EVEN))


def place(number: int, odds: Odds) -> Race:
    return Race(ends((totals(number), win(odds)), (totals(7), LOSE)))


class Bets:
    """The wagers by name."""

    wager = staticmethod(wager)
    line = staticmethod(line)
    dont = staticmethod(dont)
    place = staticmethod(place)
    point_is_on = staticmethod(point_is_on)
    gain = staticmethod(gain)

    @staticmethod
    def pass_and_places() -> tuple[Wager, ...]:
        """Pass line 10, place 6 and 8 with 12 each, off on a come-out."""
        return (
            wager("pass", line(), 10),
            wager("place 6", place(6, Odds(7, 6)), 12, working=point_is_on),
            wager("place 8", place(8, Odds(7, 6)), 12, working=point_is_on),
        )


@pytest.fixture(scope="session")
def bets() -> type[Bets]:
    return Bets
