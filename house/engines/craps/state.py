"""The state of a craps table: puck, rail, hand and what rides; and the schedules by which it is settled."""

from dataclasses import dataclass
from typing import Any

from house.domain.ids import PlayerId, WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.wagers import RidingLeg, Wager
from payouts.craps.terms import CrapsSchedule


@dataclass(frozen=True, slots=True, kw_only=True)
class CrapsState:
    """A craps table between two throws.

    Parameters
    ----------
    point
        The number the puck is on; None while it is off, on a come-out.
    rail
        Shooters in order; the first has the dice.
    hand
        Number of the hand at this table, from 1; a seven-out ends one.
    throws_in_hand
        Valid throws since the hand began.
    throws_since_seven
        Valid throws since the last 7, or since the table opened.
    wagers
        What rides, in the order in which it was made.
    """

    point: int | None = None
    rail: tuple[PlayerId, ...] = ()
    hand: int = 1
    throws_in_hand: int = 0
    throws_since_seven: int = 0
    wagers: tuple[Wager, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON, from which `from_json` makes an equal state."""
        return {
            "point": self.point,
            "rail": list(self.rail),
            "hand": self.hand,
            "throws_in_hand": self.throws_in_hand,
            "throws_since_seven": self.throws_since_seven,
            "wagers": [_wager_json(wager) for wager in self.wagers],
        }

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "CrapsState":
        """Read what `to_json` wrote, as such or after a trip through JSON text.

        Examples
        --------
        >>> state = CrapsState(point=6, rail=(PlayerId("ann"),), hand=3)
        >>> CrapsState.from_json(state.to_json()) == state
        True
        """
        rail = tuple(PlayerId(player) for player in values["rail"])
        wagers = tuple(_wager(wager) for wager in values["wagers"])
        return cls(**{**values, "rail": rail, "wagers": wagers})


def _wager_json(wager: Wager) -> dict[str, Any]:
    return {
        "id": wager.id,
        "player": wager.player,
        "bet": wager.bet,
        "spot": wager.spot,
        "legs": [{"index": leg.index, "stake": leg.stake, "state": list(leg.state)} for leg in wager.legs],
        "schedule": wager.schedule,
        "parent": wager.parent,
        "called": wager.called,
        "toke": wager.toke,
        "commission": wager.commission,
    }


def _wager(values: dict[str, Any]) -> Wager:
    legs = tuple(RidingLeg(**{**leg, "state": tuple(leg["state"])}) for leg in values["legs"])
    return Wager(**{**values, "legs": legs})


@dataclass(frozen=True, slots=True)
class Schedules:
    """The schedule for new bets, and those under which bets that still ride were made.

    Raises
    ------
    ValueError
        When an earlier schedule has other points or another currency: such a change waits for an empty layout.
    """

    current: CrapsSchedule
    earlier: tuple[CrapsSchedule, ...] = ()

    def __post_init__(self) -> None:
        ours = (self.current.table.points, self.current.header.currency)
        for schedule in self.earlier:
            theirs = (schedule.table.points, schedule.header.currency)
            if ours != theirs:
                raise ValueError(f"earlier must have the points and currency {ours}, got {theirs}")

    def of(self, wager: Wager) -> CrapsSchedule:
        """The schedule under which a wager was made."""
        for schedule in (self.current, *self.earlier):
            if schedule.fingerprint == wager.schedule:
                return schedule
        raise AssertionError(f"wager {wager.id} was made under a schedule that was not given: {wager.schedule}")


def riding(state: CrapsState, player: PlayerId | None = None) -> tuple[Wager, ...]:
    """Wagers on the layout, of one player or of all, in the order in which they were made."""
    return tuple(wager for wager in state.wagers if player in (None, wager.player))


def find(state: CrapsState, wager: WagerId) -> Wager:
    """The riding wager with an id.

    Raises
    ------
    Refused
        NOT_FOUND.
    """
    for one in state.wagers:
        if one.id == wager:
            return one
    raise Refused(Refusal.NOT_FOUND, "no such wager rides", field="wager", value=wager)


def is_fresh(wager: Wager, schedule: CrapsSchedule) -> bool:
    """Whether no throw has moved a wager since it was made, or since it last won and stayed up."""
    legs = schedule.legs(wager.bet, wager.spot)
    return all(leg.state == legs[leg.index].machine.start() for leg in wager.legs)


def number_of(wager: Wager) -> int:
    """The number that a line, come or put wager stands on; 0 before it has one."""
    return wager.legs[0].state[0]
