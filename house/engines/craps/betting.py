"""Bets of a betting window: a list of them, all or nothing."""

from collections.abc import Callable
from dataclasses import replace

from house.domain.ids import WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.wagers import Placement, Wager
from house.engines.craps.stakes import restake
from house.engines.craps.state import CrapsState, Schedules, number_of
from house.engines.protocol import Movement, Played, Result
from payouts.craps.bets import Opens
from payouts.craps.settling import leg_stakes, stake_unit
from payouts.craps.terms import Bet, CrapsSchedule


def place(state: CrapsState, schedules: Schedules, placements: tuple[Placement, ...]) -> Played[CrapsState]:
    """Put all bets of a window on the layout, or none.

    Two wagers of one player on one bet and spot stay apart, each settled by itself; limits hold for their sum. To add
    to a wager, press it. Odds without a spot stand on their parent's number. A bet that the dealer books as parts is
    one wager for each part: "w/1", "w/2", ... for an order w.

    Raises
    ------
    Refused
        The first bet at fault, by its first reason in the order of precedence; the field names the bet's index.
    """
    movements: list[Movement] = []
    for index, placement in enumerate(placements):
        try:
            for part in _parts(schedules.current, placement):
                state, movement = _place(state, schedules, part)
                movements.append(movement)
        except Refused as no:
            raise Refused(no.refusal, no.message, f"bets[{index}].{no.field}", no.value, no.limit) from None
    return Played(state, tuple(movements))


def _parts(schedule: CrapsSchedule, placement: Placement) -> tuple[Placement, ...]:
    """The placements that a dealer books for one order: itself, for most bets."""
    terms = schedule.bets.get(placement.bet)
    if terms is None or not terms.bet.booked_as_parts:
        return (placement,)
    check_spot(schedule, terms.bet, placement.spot)
    legs = schedule.legs(placement.bet, placement.spot)
    unit = stake_unit(schedule, placement.bet, placement.spot)
    if placement.stake < 1 or placement.stake % unit:
        value, limit = str(placement.stake), str(unit)
        raise Refused(Refusal.NOT_AN_INCREMENT, "the stake must divide over the parts", "stake_minor", value, limit)
    stakes = leg_stakes(legs, placement.stake)
    return tuple(
        replace(placement, wager=WagerId(f"{placement.wager}/{number}"), bet=leg.bet, spot=leg.spot, stake=stake)
        for number, (leg, stake) in enumerate(zip(legs, stakes, strict=True), 1)
    )


def _place(state: CrapsState, schedules: Schedules, asked: Placement) -> tuple[CrapsState, Movement]:
    schedule = schedules.current
    if any(asked.wager == one.id for one in state.wagers):
        raise Refused(Refusal.ALREADY_EXISTS, "a wager with this id rides", "wager", asked.wager)
    if asked.bet not in schedule.bets:
        raise Refused(Refusal.BET_NOT_OFFERED, _why_not_offered(schedule, asked.bet), "bet", asked.bet)
    bet = schedule.bets[asked.bet].bet
    parent = next((one for one in state.wagers if one.id == asked.parent), None)
    spot = asked.spot or _number_behind(bet, parent)
    if spot or not bet.parents:
        check_spot(schedule, bet, spot)
    wager = Wager(
        id=asked.wager,
        player=asked.player,
        bet=asked.bet,
        spot=spot,
        legs=(),
        schedule=schedule.fingerprint,
        parent=asked.parent,
        toke=asked.toke,
    )
    check_open(state, bet, wager)
    after, made = restake(state, schedules, wager, asked.stake)
    return after, staked(made, made.stake, made.commission)


def _number_behind(bet: Bet, parent: Wager | None) -> str:
    """The number on which odds stand behind a parent; "" while it has none, as on a come-out."""
    stands = parent is not None and parent.bet in bet.parents and number_of(parent)
    return str(stands) if stands else ""


def _why_not_offered(schedule: CrapsSchedule, bet: str) -> str:
    crapless = 7 not in schedule.table.points and 12 in schedule.table.points
    if crapless and bet in ("dont_pass", "dont_come", "lay_odds"):
        return "there is no betting wrong at a crapless table, where no throw but a 7 decides the come-out"
    return "the table's schedule does not offer this bet"


def check_spot(schedule: CrapsSchedule, bet: Bet, spot: str) -> None:
    """Refuse a spot that a bet does not take.

    Raises
    ------
    Refused
        BAD_SPOT; its limit lists the spots.
    """
    spots = bet.spots(schedule)
    if spot not in spots:
        listed = ", ".join(spots) or "none"
        raise Refused(Refusal.BAD_SPOT, "the bet is not made at this spot", "spot", spot[:40], listed)


_OPEN: dict[Opens, tuple[Callable[[CrapsState], bool], str]] = {
    Opens.ANY_TIME: (lambda state: True, ""),
    Opens.BEHIND: (lambda state: True, ""),
    Opens.COME_OUT: (lambda state: state.point is None, "the bet is made on a come-out, with the puck off"),
    Opens.POINT_ON: (lambda state: state.point is not None, "the bet is made with the puck on"),
    Opens.AFTER_SEVEN: (lambda state: state.throws_since_seven == 0, "the bet is closed until the next 7"),
    Opens.NEW_HAND: (lambda state: state.throws_in_hand == 0, "the bet is made before a shooter's first throw"),
}
"""For each way in which a bet opens: whether it is open now, and why it is not."""


def is_open(state: CrapsState, bet: Bet) -> bool:
    """Whether a bet may be made now, as far as puck and hand go."""
    return _OPEN[bet.opens][0](state)


def why_closed(state: CrapsState, bet: Bet) -> str:
    """Why a bet may not be made now, as far as puck and hand go; "" where it may."""
    return "" if is_open(state, bet) else _OPEN[bet.opens][1]


def check_open(state: CrapsState, bet: Bet, wager: Wager) -> None:
    """Refuse a bet that may not be made now, or not behind that parent.

    Raises
    ------
    Refused
        BET_CLOSED; NO_PARENT_BET when the parent is missing, another player's, of another kind, or on no number or
        another one.
    """
    if not is_open(state, bet):
        raise Refused(Refusal.BET_CLOSED, _OPEN[bet.opens][1], "bet", bet.id)
    parent = next((one for one in state.wagers if one.id == wager.parent), None)
    behind = parent is not None and parent.bet in bet.parents and parent.player == wager.player
    if bet.parents and not (behind and parent and str(number_of(parent)) == wager.spot):
        kinds = ", ".join(bet.parents)
        raise Refused(
            Refusal.NO_PARENT_BET, "odds stand behind a flat bet on its number", "parent", str(wager.parent), kinds
        )
    if wager.parent is not None and not bet.parents:
        raise Refused(Refusal.NO_PARENT_BET, "the bet stands behind no other", "parent", str(wager.parent), "none")


def staked(wager: Wager, stake: int, commission: int) -> Movement:
    """The movement of a stake put on the layout or added to it; minor units."""
    return Movement(
        wager=wager.id,
        player=wager.player,
        bet=wager.bet,
        spot=wager.spot,
        result=Result.STAKED,
        staked=stake,
        commission=commission,
        toke=wager.toke,
    )
