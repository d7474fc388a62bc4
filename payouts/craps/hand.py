"""The machines of bets that gather something over many throws: a collection, a count, the points of a shooter's hand.

`pays` is a tuple: its n-th payment is that for n things gathered, the last one for that many or more. Reaching the last
ends the bet at once, since nothing better can come.

`likeness` tells the chain which components of a state may change places: those with equal keys.
"""

from collections.abc import Hashable
from dataclasses import dataclass

from payouts.craps.puck import OFF, Event, follow
from payouts.dice import Dice, totals
from payouts.machine import LOSE, Payment, State, Step, Throw

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

    @property
    def by_total(self) -> bool:
        return all(totals(*map(sum, throws)) == throws for throws in (*self.items, self.enders))

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
        if event not in self.counted and point == state[0]:
            return state
        count = state[1] + (event in self.counted)
        if event is Event.SEVEN_OUT or count == len(self.pays) - 1:
            return self.pays[count]
        return (point, count)


def mark(points: tuple[int, ...], most: int, marked: State, throw: Throw) -> tuple[State, Event]:
    """Follow a hand with a mark for each point made.

    Parameters
    ----------
    most
        Greatest number of marks that is told apart.
    marked
        For each point twice its marks, and one more if it is the point that is on.
    """
    on = OFF
    for point, marks in zip(points, marked, strict=True):
        if marks % 2:
            on = point
    after, event = follow(points, on, throw)
    if event is Event.POINT_SET or event is Event.POINT_MADE:
        place = points.index(after or on)
        marks = min(marked[place] + 1, 2 * most + (after != OFF))
        return (*marked[:place], marks, *marked[place + 1 :]), event
    return marked, event


@dataclass(frozen=True, slots=True)
class DistinctPoints:
    """Different points made until the seven-out: the fire bet. The state is as in `mark`."""

    points: tuple[int, ...]
    pays: tuple[Payment, ...]

    @property
    def by_total(self) -> bool:
        return True

    def start(self) -> State:
        return (0,) * len(self.points)

    def step(self, state: State, throw: Throw) -> Step:
        marked, event = mark(self.points, 1, state, throw)
        if event is Event.SEVEN_OUT or event is Event.POINT_MADE:
            made = sum(marks >= 2 for marks in marked)
            if event is Event.SEVEN_OUT or made == len(self.pays) - 1:
                return self.pays[made]
        return marked

    def likeness(self, dice: Dice) -> tuple[Hashable, ...]:
        return tuple(dice.chance(totals(point)) for point in self.points)


@dataclass(frozen=True, slots=True)
class RepeatedPoint:
    """One point made again and again until the seven-out: replay; the best price reached is paid.

    The state is the rank of the best price so far and then, as in `mark`, the marks of each point. Marks of a point
    that can bring nothing better any more are dropped.

    Parameters
    ----------
    ranking
        Payments from the worst to the best.
    ranks
        For each point the place in `ranking` of its price for 0, 1, 2, ... times made, never falling, the last for that
        many or more; all equally long.
    """

    points: tuple[int, ...]
    ranking: tuple[Payment, ...]
    ranks: tuple[tuple[int, ...], ...]

    @property
    def by_total(self) -> bool:
        return True

    def start(self) -> State:
        return (0,) * (1 + len(self.points))

    def step(self, state: State, throw: Throw) -> Step:
        before = state[1:]
        marked, event = mark(self.points, len(self.ranks[0]) - 1, before, throw)
        if event is Event.NUMBER:
            return state
        if event is Event.SEVEN_OUT:
            return self.ranking[state[0]]
        if event is Event.POINT_SET:
            return (state[0], *marked)
        if event is not Event.POINT_MADE:
            return state
        made = next(place for place, marks in enumerate(before) if marks % 2)
        best = max(state[0], self.ranks[made][marked[made] // 2])
        if best == len(self.ranking) - 1:
            return self.ranking[best]
        return (best, *(marks if row[-1] > best else 0 for row, marks in zip(self.ranks, marked, strict=True)))

    def likeness(self, dice: Dice) -> tuple[Hashable, ...]:
        alike = ((dice.chance(totals(point)), row) for point, row in zip(self.points, self.ranks, strict=True))
        return ("best", *alike)


def tiers(prices: dict[int, Payment]) -> tuple[Payment, ...]:
    """Payments for 0 .. n gathered from those that the schedule names: a count between two of them pays the lower one.

    >>> from payouts.machine import TIE
    >>> [payment.outcome.value for payment in tiers({2: TIE})]
    ['lose', 'lose', 'tie']
    """
    row = [prices.get(0, LOSE)]
    for count in range(1, max(prices) + 1):
        row.append(prices.get(count, row[-1]))
    return tuple(row)
