"""Random play at a craps table agrees, payment by payment, with a second implementation that imports none of ours."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.domain.ids import PlayerId, WagerId
from house.domain.refusals import Refused
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps
from house.engines.protocol import Movement, Result
from payouts.schedule import shipped, shipped_names
from tests.golden.craps_script import GOLDEN, craps_schedule
from tests.oracles.craps_replay import Oracle, Paid

TABLE = (GOLDEN / "table.toml").read_text()
VARIANTS = {
    "bar 12, chips of 1.00": TABLE,
    "bar 2, cents, wins come down, hardways on": TABLE.replace('dont_bar = "12"', 'dont_bar = "2"')
    .replace('unit = "1.00", rule', 'unit = "0.01", rule')
    .replace('after_win = "stay"', 'after_win = "down"')
    .replace('hardway = "off"', 'hardway = "on"'),
    "bar 1-2, chips of 5.00": TABLE.replace('dont_bar = "12"', 'dont_bar = "1-2"').replace(
        'unit = "1.00", rule', 'unit = "5.00", rule'
    ),
    "crapless": (GOLDEN / "crapless-table.toml").read_text(),
    **{name: shipped("craps", name).read_text() for name in shipped_names("craps")},
}
REPLAYED = {
    *(
        "pass",
        "dont_pass",
        "come",
        "dont_come",
        "put",
        "odds",
        "lay_odds",
        "place",
        "place_to_lose",
        "buy",
        "lay",
        "big",
    ),
    *("hardway", "field", "any_seven", "any_craps", "aces", "ace_deuce", "yo", "boxcars", "hi_lo", "c_and_e", "horn"),
    *("horn_high", "whirl", "three_way", "hop", "hop_sevens", "small", "tall", "all", "fire"),
}
LINE = frozenset({"pass", "dont_pass", "come", "dont_come", "put", "odds", "lay_odds"})


@dataclass(frozen=True)
class Try:
    """Something tried at the table, picked by numbers from what the table offers or has riding."""

    kind: str
    bet: int = 0
    spot: int = 0
    units: int = 1
    working: bool | None = None


NUMBERS = st.integers(0, 10**6)
BETS = st.builds(Try, st.sampled_from(["bet", "line", "odds"]), NUMBERS, NUMBERS, st.integers(1, 40))
CHANGES = st.one_of(
    st.builds(Try, st.sampled_from(["down", "press", "reduce"]), NUMBERS, NUMBERS, st.integers(1, 40)),
    st.builds(Try, st.just("call"), NUMBERS, working=st.sampled_from([True, False, None])),
)
THROWS = st.builds(Try, st.just("throw"), st.integers(1, 6), st.integers(1, 6))
PLAY = st.lists(st.one_of(BETS, BETS, CHANGES, THROWS, THROWS, THROWS), min_size=40, max_size=80)


class Both:
    """The engine and the oracle side by side; what the engine refuses, the oracle never hears of."""

    def __init__(self, text: str) -> None:
        self.schedules = craps.Schedules(craps_schedule(text))
        self.state = craps.join(craps.CrapsState(), PlayerId("ann")).state
        self.oracle = Oracle(tomllib.loads(text))
        self.made = 0

    def bet(self, what: Try) -> None:
        offers = [one for one in craps.open_bets(self.state, self.schedules) if one.bet in REPLAYED]
        wanted = [one for one in offers if (one.bet in LINE, one.parent is not None) == WANTED.get(what.kind)] or offers
        bets = sorted({one.bet for one in wanted})
        spots = [one for one in wanted if one.bet == bets[what.bet % len(bets)]]
        offer = spots[what.spot % len(spots)]
        least = -(-offer.min_minor // offer.unit_minor)
        key = WagerId(f"w{self.made}")
        self.made += 1
        placement = Placement(
            wager=key,
            player=PlayerId("ann"),
            bet=offer.bet,
            spot=offer.spot,
            stake=max(least, what.units) * offer.unit_minor,
            parent=offer.parent,
        )
        played = craps.place(self.state, self.schedules, (placement,))
        self.state = played.state
        commission = self.oracle.bet(key, offer.bet, offer.spot, placement.stake, offer.parent)
        assert played.movements[0].commission == commission

    def restake(self, what: Try, target: WagerId) -> None:
        change, sign = (craps.press, 1) if what.kind == "press" else (craps.reduce, -1)
        before = self.oracle.riding[target].stake if target in self.oracle.riding else 0
        played = change(self.state, self.schedules, target, 100 * what.units)
        self.state = played.state
        more = self.oracle.restake(target, before + sign * 100 * what.units)
        (movement,) = played.movements
        assert movement.commission - movement.commission_back == more

    def do(self, what: Try) -> None:
        riding = self.state.wagers
        target = riding[what.bet % len(riding)].id if riding else WagerId("none")
        if what.kind == "down":
            played = craps.take_down(self.state, self.schedules, target)
            self.state = played.state
            compare(played.movements, self.oracle.take_down(target))
        elif what.kind in ("press", "reduce"):
            self.restake(what, target)
        elif what.kind == "call":
            self.state = craps.call(self.state, target, what.working).state
            self.oracle.call(target, what.working)
        elif what.kind == "throw":
            played = craps.throw(self.state, self.schedules, read_throw((what.bet, what.spot), None, dice=2))
            self.state = played.state
            compare(played.movements, self.oracle.throw(what.bet, what.spot))
        else:
            self.bet(what)
        assert self.state.point == (self.oracle.point or None)
        assert {wager.id: wager.stake for wager in self.state.wagers} == {
            key: bet.stake for key, bet in self.oracle.riding.items()
        }


WANTED = {"line": (True, False), "odds": (True, True)}


DECIDED: Counter[tuple[str, Result]] = Counter()


def compare(movements: tuple[Movement, ...], paid: dict[str, Paid]) -> None:
    ours = {
        movement.wager: Paid(
            movement.returned,
            movement.lost,
            movement.winnings,
            movement.commission,
            movement.commission_back,
            movement.breakage,
        )
        for movement in movements
    }
    assert ours == paid
    for movement in movements:
        DECIDED[movement.bet, movement.result] += 1
        assert (movement.result is Result.WON) == (movement.winnings > 0)


def play_on(table: Both, play: Iterable[Try]) -> None:
    for what in play:
        try:
            table.do(what)
        except Refused:
            continue


@pytest.mark.parametrize("text", VARIANTS.values(), ids=VARIANTS)
@settings(max_examples=6, deadline=None, derandomize=True)
@given(play=PLAY)
def test_every_payment_of_random_play_is_the_oracles(text: str, play: list[Try]) -> None:
    play_on(Both(text), play)


@pytest.mark.soak
@pytest.mark.parametrize("text", VARIANTS.values(), ids=VARIANTS)
@settings(max_examples=100, deadline=None, derandomize=True)
@given(play=PLAY)
def test_every_payment_of_much_random_play_is_the_oracles(text: str, play: list[Try]) -> None:
    play_on(Both(text), play)


def evening(random: Random, throws: int) -> Iterator[Try]:
    """Bets, changes and throws of an evening, a window of none to six tries before each throw."""
    kinds = ("bet", "bet", "bet", "line", "line", "line", "odds", "odds", "press", "reduce", "down", "call")
    for _ in range(throws):
        for _ in range(random.randrange(7)):
            working = random.choice((True, False, None))
            kind = random.choice(kinds)
            yield Try(kind, random.randrange(10**6), random.randrange(10**6), random.randint(1, 40), working)
        yield Try("throw", random.randint(1, 6), random.randint(1, 6))


SHIPPED = shipped_names("craps")
LONG = [
    pytest.param(text, id=name, marks=[pytest.mark.soak] if name in SHIPPED else []) for name, text in VARIANTS.items()
]
"""The shipped schedules, which random play has anyway, play their long evenings in the long checks."""


@pytest.mark.parametrize("text", LONG)
def test_every_payment_of_a_long_evening_is_the_oracles_and_every_bet_is_won_and_lost(text: str) -> None:
    DECIDED.clear()
    table = Both(text)
    play_on(table, evening(Random(20261129), throws=1500))
    seldom = {"all", "fire", "tall", "small", "aces", "boxcars"}
    offered = REPLAYED & set(table.schedules.current.bets)
    assert {bet for bet in offered if not DECIDED[bet, Result.LOST]} == set()
    assert {bet for bet in offered - seldom if not DECIDED[bet, Result.WON]} == set()
