"""A throw at a craps table: every working bet's machine takes one step, the puck moves, the dice go round."""

from dataclasses import dataclass, replace

from house.domain.refusals import Refusal, Refused
from house.domain.throws import Throw
from house.domain.wagers import RidingLeg, Wager
from house.engines.craps.calls import call_throw
from house.engines.craps.rail import pass_dice
from house.engines.craps.state import CrapsState, Schedules
from house.engines.craps.working import is_working
from house.engines.protocol import Movement, Played, Result
from payouts.craps.bets import Group
from payouts.craps.puck import OFF, Event, follow
from payouts.craps.settling import settle, up_front_commission
from payouts.craps.terms import AfterWin, CrapsSchedule
from payouts.machine import Outcome, Payment

STAYING = frozenset({Group.PLACE, Group.BUY_LAY, Group.HARDWAY})
"""Groups that stay up after a win where the table says so."""


def throw(state: CrapsState, schedules: Schedules, thrown: Throw) -> Played[CrapsState]:
    """Settle a throw of two dice.

    A void throw moves nothing: puck, hand and bets stay, and the dice are thrown again.

    Raises
    ------
    Refused
        BAD_THROW unless the throw is of two dice; NOT_IN_PLAY without a shooter at the rail.
    """
    if not state.rail:
        raise Refused(Refusal.NOT_IN_PLAY, "nobody at the rail has the dice", field="shooter")
    if len(thrown.faces) != 2:
        raise Refused(Refusal.BAD_THROW, "craps is thrown with two dice", "dice", str(len(thrown.faces)), "2")
    if not thrown.counts:
        return Played(state, calls=("no throw",))
    first, second = thrown.shown
    point, event = follow(schedules.current.table.points, state.point or OFF, (first, second))
    wagers, movements = _settle(state, schedules, (first, second))
    out = event is Event.SEVEN_OUT
    after = CrapsState(
        point=point or None,
        rail=pass_dice(state.rail) if out else state.rail,
        hand=state.hand + out,
        throws_in_hand=0 if out else state.throws_in_hand + 1,
        throws_since_seven=0 if first + second == 7 else state.throws_since_seven + 1,
        wagers=tuple(replace(one, called=None) for one in wagers) if event in _PUCK_MOVES else wagers,
    )
    return Played(after, movements, call_throw(event, (first, second)))


_PUCK_MOVES = frozenset({Event.POINT_SET, Event.POINT_MADE, Event.SEVEN_OUT})


def _settle(
    state: CrapsState, schedules: Schedules, faces: tuple[int, int]
) -> tuple[tuple[Wager, ...], tuple[Movement, ...]]:
    """Step what works; then bring down, unpaid, odds whose parent is gone."""
    results: dict[str, tuple[Wager | None, Movement | None]] = {}
    for wager in state.wagers:
        schedule = schedules.of(wager)
        working = is_working(wager, state.point, schedule)
        results[wager.id] = step_wager(wager, schedule, faces) if working else (wager, None)
    for wager in state.wagers:
        alone = wager.parent is not None and results[wager.parent][0] is None
        if alone and results[wager.id][0] is not None:
            results[wager.id] = (None, bring_down(wager))
    wagers = tuple(wager for wager, _ in results.values() if wager is not None)
    return wagers, tuple(movement for _, movement in results.values() if movement is not None)


def bring_down(wager: Wager) -> Movement:
    """The movement of a wager that leaves the layout undecided: stake and up-front commission come back."""
    return Movement(
        wager=wager.id,
        player=wager.player,
        bet=wager.bet,
        spot=wager.spot,
        result=Result.RETURNED,
        returned=wager.stake,
        commission_back=wager.commission,
        toke=wager.toke,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Decided:
    """What a throw did to the money of one leg, in minor units; the amounts are those of a movement."""

    outcome: Outcome
    resolved: int
    returned: int = 0
    lost: int = 0
    winnings: int = 0
    commission: int = 0
    breakage: int = 0
    held: int = 0
    odds: str = ""


_SUMMED = ("resolved", "returned", "lost", "winnings", "commission", "breakage", "held")
_RESULTS = ((Outcome.WIN, Result.WON), (Outcome.LOSE, Result.LOST), (Outcome.TIE, Result.TIED))
"""A wager of several legs won if any leg won, lost if none won and any lost."""


def step_wager(wager: Wager, schedule: CrapsSchedule, faces: tuple[int, int]) -> tuple[Wager | None, Movement | None]:
    """Step the open legs of a working wager: what still rides, and what its money does."""
    steps = tuple(_step_leg(wager, leg, schedule, faces) for leg in wager.legs)
    riding = tuple(leg for leg, _ in steps if leg is not None)
    decided = tuple(one for _, one in steps if one is not None)
    after = replace(wager, legs=riding) if riding else None
    if not decided:
        return after, None
    outcomes = {one.outcome for one in decided}
    movement = Movement(
        wager=wager.id,
        player=wager.player,
        bet=wager.bet,
        spot=wager.spot,
        result=next(result for outcome, result in _RESULTS if outcome in outcomes),
        odds=", ".join(dict.fromkeys(one.odds for one in decided if one.odds)),
        toke=wager.toke,
        **{name: sum(getattr(one, name) for one in decided) for name in _SUMMED},
    )
    return after, movement


def _step_leg(
    wager: Wager, leg: RidingLeg, schedule: CrapsSchedule, faces: tuple[int, int]
) -> tuple[RidingLeg | None, _Decided | None]:
    """Step one leg: the leg that rides on, if any, and its money, if it was decided."""
    part = schedule.legs(wager.bet, wager.spot)[leg.index]
    step = part.machine.step(leg.state, faces)
    if not isinstance(step, Payment):
        return replace(leg, state=step), None
    if step.outcome is not Outcome.WIN:
        lost = leg.stake if step.outcome is Outcome.LOSE else 0
        return None, _Decided(outcome=step.outcome, resolved=leg.stake, returned=leg.stake - lost, lost=lost)
    terms = schedule.bets[part.bet]
    paid = settle(terms, schedule.table.rounding, leg.stake, step)
    stays = schedule.table.after_win is AfterWin.STAY and schedule.bets[wager.bet].bet.group in STAYING
    again = up_front_commission(terms, schedule.table.rounding, leg.stake, part.spot) if stays else 0
    decided = _Decided(
        outcome=step.outcome,
        resolved=leg.stake,
        returned=0 if stays else leg.stake,
        winnings=paid.winnings,
        commission=paid.commission + again,
        breakage=paid.breakage,
        held=paid.withheld,
        odds=str(step.odds),
    )
    return replace(leg, state=part.machine.start()) if stays else None, decided
