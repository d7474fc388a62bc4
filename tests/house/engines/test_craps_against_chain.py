"""The money of the table is the percentage of the sheet: each bet's expected gain, summed over the table's own play.

The table is played from the window in which a bet is made until it is decided, over all 36 throws from every state it
comes to; the expected gain follows from linear equations in fractions. It must be the edge that `payouts` states.
"""

from fractions import Fraction
from typing import Any

import pytest

from house.domain.ids import PlayerId, WagerId
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps
from house.engines.craps import CrapsState, Schedules
from house.engines.protocol import Movement, Result
from payouts.craps.bets import Group, Opens
from payouts.craps.edges import edges, edges_by_stake
from payouts.dice import THROWS
from tests.golden.craps_script import craps_schedule

NAMES = ("table", "strip-345x", "bar-2", "crapless", "uk", "for-one")
LEFT_OUT = frozenset({Group.COMPOSITE, Group.HAND})
"""Orders are booked as other bets; bets over a hand come to too many states for this plain way."""
Equations = dict[Any, tuple[Fraction, dict[Any, Fraction]]]


def gain(movement: Movement) -> int:
    return movement.winnings + movement.commission_back - movement.commission - movement.lost


def key(state: CrapsState) -> Any:
    """What the rest of a wager depends on: the puck and the wager."""
    return (state.point, state.wagers)


def equations(state: CrapsState, schedules: Schedules, found: Equations) -> Equations:
    """For each state: the gain of its next throw, and the chance of each state after it; decided bets end."""
    if key(state) in found:
        return found
    now, then = Fraction(0), dict[Any, Fraction]()
    found[key(state)] = (now, then)
    after = []
    for faces in THROWS:
        played = craps.throw(state, schedules, read_throw(faces, None, dice=2))
        decided = [one for one in played.movements if one.result is not Result.RETURNED]
        if decided:
            up_again = played.state.wagers[0].commission if played.state.wagers else 0
            now += Fraction(sum(map(gain, decided)) + up_again, 36)
        else:
            after.append(played.state)
            then[key(played.state)] = then.get(key(played.state), Fraction(0)) + Fraction(1, 36)
    found[key(state)] = (now, then)
    for each in after:
        equations(each, schedules, found)
    return found


def expected(found: Equations) -> Fraction:
    """Solve for the first state, eliminating the last ones first."""
    left = dict(found)
    first = next(iter(left))
    while len(left) > 1:
        gone, (gained, to) = left.popitem()
        stay = 1 - to.pop(gone, Fraction(0))
        for one, (now, then) in left.items():
            share = then.pop(gone, Fraction(0)) / stay
            merged = {each: then.get(each, 0) + share * to.get(each, 0) for each in then | to}
            left[one] = (now + share * gained, merged)
    gained, to = left[first]
    return gained / (1 - to.get(first, Fraction(0)))


def table_edge(name: str, bet: str, spot: str, stake: int) -> Fraction:
    """House edge of a bet as the table plays it, over the stake and the commission laid down with it."""
    schedules = Schedules(craps_schedule(name))
    opens = schedules.current.bets[bet].bet.opens
    point = 6 if opens is Opens.POINT_ON else None
    state = CrapsState(point=point, rail=(PlayerId("sam"),))
    order = Placement(wager=WagerId("w"), player=PlayerId("ann"), bet=bet, spot=spot, stake=stake)
    made = craps.place(state, schedules, (order,))
    laid = sum(movement.commission for movement in made.movements)
    return (laid - expected(equations(made.state, schedules, {}))) / (stake + laid)


def bets(name: str) -> list[str]:
    terms = craps_schedule(name).bets.values()
    return [one.bet.id for one in terms if one.bet.group not in LEFT_OUT and one.bet.opens is not Opens.BEHIND]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in ("strip-345x", "for-one") else [pytest.mark.soak]) for name in NAMES],
)
def test_every_bet_costs_at_the_table_what_the_sheet_says(name: str) -> None:
    schedule = craps_schedule(name)
    for bet in bets(name):
        for row in edges(schedule, bet):
            assert (bet, row.variant, table_edge(name, bet, row.variant, row.stake_minor)) == (
                bet,
                row.variant,
                row.edge_made,
            )


@pytest.mark.parametrize(
    ("bet", "spot"), [("place", "6"), ("place", "5"), ("place_to_lose", "4"), ("buy", "10"), ("lay", "4")]
)
def test_rounding_and_commission_cost_at_the_table_what_the_sheet_says(bet: str, spot: str) -> None:
    stakes = range(1000, 5000, 700)
    for stake, edge in edges_by_stake(craps_schedule("table"), bet, spot, stakes):
        assert (stake, table_edge("table", bet, spot, stake)) == (stake, edge)


@pytest.mark.parametrize("point", [4, 5, 6, 8, 9, 10])
@pytest.mark.parametrize(("flat", "odds"), [("pass", "odds"), ("dont_pass", "lay_odds")])
def test_odds_add_nothing_to_what_their_flat_costs(flat: str, odds: str, point: int) -> None:
    schedules = Schedules(craps_schedule("table"))
    state = CrapsState(rail=(PlayerId("sam"),))
    line = Placement(wager=WagerId("w"), player=PlayerId("ann"), bet=flat, stake=6000)
    behind = Placement(wager=WagerId("o"), player=PlayerId("ann"), bet=odds, stake=6000, parent=line.wager)
    state = craps.place(state, schedules, (line,)).state
    faces = next(faces for faces in THROWS if sum(faces) == point)
    alone = craps.throw(state, schedules, read_throw(faces, None, dice=2)).state
    both = craps.place(alone, schedules, (behind,)).state
    assert expected(equations(alone, schedules, {})) == expected(equations(both, schedules, {}))
