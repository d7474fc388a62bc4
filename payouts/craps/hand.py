"""The machines of bets that gather something over many throws: a collection, a count, the points of a shooter's hand.

`pays` is a tuple: its n-th payment is that for n things gathered, the last one for that many or more. Reaching the last
ends the bet at once, since nothing better can come.

`likeness` tells the chain which components of a state may change places: those with equal keys.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from payouts.craps.puck import OFF, Event, follow
from payouts.dice import Dice, totals
from payouts.machine import LOSE, Outcome, Payment, State, Step, Throw

THROWN = frozenset(Event)
"""Events of a hand counted by throws: all of them, the seven-out too."""
POINTS_MADE = frozenset({Event.POINT_MADE})
LINE_WINS = frozenset({Event.POINT_MADE, Event.NATURAL})


@dataclass(frozen=True, slots=True)
class Collection:
    """Different things to be shown before a throw that ends the bet. The state is a 0 or 1 for each thing.

    Parameters
    ----------
    items
        Disjoint sets of throws; one throw of a set shows the thing.
    enders
        Throws that end the bet.
    pays
        Payment for 0 .. len(items) things shown.
    """

    items: tuple[frozenset[Throw], ...]
    enders: frozenset[Throw]
    pays: tuple[Payment, ...]

    def start(self) -> State:
        return (0,) * len(self.items)

    def step(self, state: State, throw: Throw) -> Step:
        if throw in self.enders:
            return self.pays[min(sum(state), len(self.pays) - 1)]
        shown = tuple(int(had or throw in item) for had, item in zip(state, self.items, strict=True))
        return self.pays[-1] if sum(shown) == len(self.pays) - 1 else shown

    def likeness(self, dice: Dice) -> tuple[Hashable, ...]:
        return tuple(dice.chance(item) for item in self.items)


@dataclass(frozen=True, slots=True)
class Count:
    """A thing to be thrown again and again before a throw that ends the bet. The state is the count."""

    counted: frozenset[Throw]
    enders: frozenset[Throw]
    pays: tuple[Payment, ...]

    def start(self) -> State:
        return (0,)

    def step(self, state: State, throw: Throw) -> Step:
        if throw in self.enders:
            return self.pays[state[0]]
        if throw not in self.counted:
            return state
        return self.pays[-1] if state[0] + 2 == len(self.pays) else (state[0] + 1,)


@dataclass(frozen=True, slots=True)
class Hand:
    """A count of events until the seven-out. The state is the table's point and the count.

    Parameters
    ----------
    points
        Totals that become points at this table.
    counted
        Events that count; the seven-out itself may.
    """

    points: tuple[int, ...]
    counted: frozenset[Event]
    pays: tuple[Payment, ...]

    def start(self) -> State:
        return (OFF, 0)

    def step(self, state: State, throw: Throw) -> Step:
        point, event = follow(self.points, state[0], throw)
        count = state[1] + (event in self.counted)
        if event is Event.SEVEN_OUT or count == len(self.pays) - 1:
            return self.pays[count]
        return (point, count)


def mark(points: tuple[int, ...], most: int, state: State, throw: Throw) -> tuple[State, Event]:
    """Follow a hand with a mark for each point made.

    Parameters
    ----------
    most
        Greatest number of marks that is told apart.
    state
        For each point twice its marks, and one more if it is the point that is on.
    """
    active = next((place for place, marks in enumerate(state) if marks % 2), None)
    point, event = follow(points, OFF if active is None else points[active], throw)
    if event is Event.POINT_SET:
        active = points.index(point)
        return (*state[:active], state[active] + 1, *state[active + 1 :]), event
    if event is Event.POINT_MADE:
        assert active is not None, "a point is made only when one is on"
        marks = min(state[active] + 1, 2 * most)
        return (*state[:active], marks, *state[active + 1 :]), event
    return state, event


@dataclass(frozen=True, slots=True)
class DistinctPoints:
    """Different points made until the seven-out: the fire bet. The state is as in `mark`."""

    points: tuple[int, ...]
    pays: tuple[Payment, ...]

    def start(self) -> State:
        return (0,) * len(self.points)

    def step(self, state: State, throw: Throw) -> Step:
        marked, event = mark(self.points, 1, state, throw)
        made = sum(marks >= 2 for marks in marked)
        if event is Event.SEVEN_OUT or made == len(self.pays) - 1:
            return self.pays[made]
        return marked

    def likeness(self, dice: Dice) -> tuple[Hashable, ...]:
        return tuple(dice.chance(totals(point)) for point in self.points)


@dataclass(frozen=True, slots=True)
class RepeatedPoint:
    """One point made again and again until the seven-out: replay. The state is as in `mark`; the best price is paid.

    Parameters
    ----------
    pays
        For each point the payments for 0, 1, 2, ... times made, the last for that many or more; all equally long.
    """

    points: tuple[int, ...]
    pays: tuple[tuple[Payment, ...], ...]

    def start(self) -> State:
        return (0,) * len(self.points)

    def step(self, state: State, throw: Throw) -> Step:
        marked, event = mark(self.points, len(self.pays[0]) - 1, state, throw)
        if event is Event.NUMBER:
            return marked
        best = max((row[marks // 2] for row, marks in zip(self.pays, marked, strict=True)), key=_worth)
        if event is Event.SEVEN_OUT or _worth(best) == max(_worth(row[-1]) for row in self.pays):
            return best
        return marked

    def likeness(self, dice: Dice) -> tuple[Hashable, ...]:
        return tuple((dice.chance(totals(point)), row) for point, row in zip(self.points, self.pays, strict=True))


def _worth(payment: Payment) -> tuple[bool, object]:
    return payment.outcome is not Outcome.LOSE, payment.odds.to_one if payment.odds is not None else 0


def tiers(prices: dict[int, Payment]) -> tuple[Payment, ...]:
    """Payments for 0 .. n gathered from those that the schedule names: a count between two of them pays the lower one.

    >>> [payment.outcome.value for payment in tiers({2: Payment(Outcome.TIE)})]
    ['lose', 'lose', 'tie']
    """
    row = [prices.get(0, LOSE)]
    for count in range(1, max(prices) + 1):
        row.append(prices.get(count, row[-1]))
    return tuple(row)
