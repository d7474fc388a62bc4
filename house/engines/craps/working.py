"""Working or off: the rule of the table, and what a player called."""

from dataclasses import replace

from house.domain.ids import WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.wagers import Wager
from house.engines.craps.state import CrapsState, find
from house.engines.protocol import Played
from payouts.craps.terms import CrapsSchedule


def is_working(wager: Wager, point: int | None, schedule: CrapsSchedule) -> bool:
    """Whether a wager takes part in the next throw.

    The table's rule turns bets off for a come-out alone; a player's call holds until the puck moves.

    Parameters
    ----------
    point
        The number the puck is on, None on a come-out.
    schedule
        The one under which the wager was made.
    """
    if wager.called is not None:
        return wager.called
    return point is not None or schedule.works_on_come_out(wager.bet)


def call(state: CrapsState, wager: WagerId, working: bool | None) -> Played[CrapsState]:
    """Call a wager working (True), off (False) or back to the rule of the table (None), until the puck moves.

    Raises
    ------
    Refused
        NOT_FOUND; CONTRACT_BET for bets that remember throws, the flats and those over a hand: they always work.
    """
    found = find(state, wager)
    if any(leg.state for leg in found.legs):
        raise Refused(Refusal.CONTRACT_BET, "this bet always works", field="wager", value=found.bet)
    wagers = tuple(replace(one, called=working) if one is found else one for one in state.wagers)
    return Played(replace(state, wagers=wagers))
