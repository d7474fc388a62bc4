"""Changes to a wager that rides: press, reduce, take down."""

from dataclasses import replace

from house.domain.ids import WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.wagers import Wager
from house.engines.craps.betting import check_open, staked
from house.engines.craps.stakes import restake
from house.engines.craps.state import CrapsState, Schedules, find, is_fresh
from house.engines.craps.throwing import bring_down
from house.engines.protocol import Played
from payouts.craps.bets import Group


def press(state: CrapsState, schedules: Schedules, wager: WagerId, stake: int) -> Played[CrapsState]:
    """Add to a wager, as if the sum were bet now; `stake` in minor units.

    Raises
    ------
    Refused
        NOT_FOUND; BET_CLOSED where the bet may not be made now, has moved on since it was made (more on a line bet that
        has its point is a put), or was made under an earlier schedule; and everything that `place` refuses of a stake.
    """
    before = find(state, wager)
    _check_positive(stake)
    schedule = schedules.of(before)
    if schedule is not schedules.current or not is_fresh(before, schedule):
        raise Refused(Refusal.BET_CLOSED, "nothing may be added to this wager any more", "wager", wager)
    check_open(state, schedule.bets[before.bet].bet, before)
    after, pressed = restake(state, schedules, before, before.stake + stake)
    return Played(after, (staked(pressed, stake, pressed.commission - before.commission),))


def reduce(state: CrapsState, schedules: Schedules, wager: WagerId, stake: int) -> Played[CrapsState]:
    """Take a part of a wager back, with what commission up front is less for it; `stake` in minor units.

    Raises
    ------
    Refused
        NOT_FOUND; CONTRACT_BET; ABOVE_MAXIMUM when nothing would be left (take it down); and everything that `place`
        refuses of the stake that is left, ODDS_LIMIT for the odds behind it.
    """
    before = find(state, wager)
    _check_positive(stake)
    _check_contract(before, schedules)
    if stake >= before.stake:
        value, limit = str(stake), str(before.stake - 1)
        raise Refused(Refusal.ABOVE_MAXIMUM, "that is more than a part of the wager", "stake_minor", value, limit)
    after, reduced = restake(state, schedules, before, before.stake - stake)
    back = replace(bring_down(before), returned=stake, commission_back=before.commission - reduced.commission)
    return Played(after, (back,))


def take_down(state: CrapsState, schedules: Schedules, wager: WagerId) -> Played[CrapsState]:
    """Take a wager down; its up-front commission comes back, and the odds behind it come down with it.

    Raises
    ------
    Refused
        NOT_FOUND; CONTRACT_BET.
    """
    _check_contract(find(state, wager), schedules)
    down = tuple(one for one in state.wagers if wager in (one.id, one.parent))
    left = tuple(one for one in state.wagers if wager not in (one.id, one.parent))
    return Played(replace(state, wagers=left), tuple(bring_down(one) for one in down))


def _check_positive(stake: int) -> None:
    if stake < 1:
        raise Refused(Refusal.BELOW_MINIMUM, "a change is at least one minor unit", "stake_minor", str(stake), "1")


def _check_contract(wager: Wager, schedules: Schedules) -> None:
    """A contract bet on a number, and any bet but a flat that has gathered something, stay until they are decided."""
    bet = schedules.of(wager).bets[wager.bet].bet
    binding = bet.contract or bet.group is not Group.LINE
    if binding and any(any(leg.state) for leg in wager.legs):
        raise Refused(Refusal.CONTRACT_BET, "the bet stays until it is decided", "wager", wager.id)
