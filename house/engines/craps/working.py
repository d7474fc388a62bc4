"""Working or off: the rule of the table, and what a player called."""

from dataclasses import replace

from house.domain.ids import WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.wagers import Wager
from house.engines.craps.state import CrapsState, Schedules, find
from house.engines.protocol import Played
from payouts.craps.bets import Group
from payouts.craps.terms import CrapsSchedule

_ALWAYS_WORKING = frozenset({Group.LINE, Group.HAND, Group.OTHER})


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


def call(state: CrapsState, schedules: Schedules, wager: WagerId, working: bool | None) -> Played[CrapsState]:
    """Call a wager working (True), off (False) or back to the rule of the table (None), until the puck moves.

    Raises
    ------
    Refused
        NOT_FOUND; CONTRACT_BET for flats and bets over a hand, which always work.
    """
    found = find(state, wager)
    if schedules.of(found).bets[found.bet].bet.group in _ALWAYS_WORKING:
        raise Refused(Refusal.CONTRACT_BET, "this bet always works", field="wager", value=found.bet)
    wagers = tuple(replace(one, called=working) if one is found else one for one in state.wagers)
    return Played(replace(state, wagers=wagers))
