"""Random play at a craps table agrees, payment by payment, with a second implementation that imports none of ours."""

import tomllib
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.domain.ids import PlayerId, WagerId
from house.domain.refusals import Refused
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps
from house.engines.protocol import Movement, Result
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
}
SPOTLESS = (
    *(
        "pass",
        "dont_pass",
        "come",
        "dont_come",
        "pass",
        "dont_pass",
        "come",
        "dont_come",
        "field",
        "any_seven",
        "any_craps",
    ),
    *("aces", "ace_deuce", "yo", "boxcars", "hi_lo", "c_and_e", "horn", "whirl", "three_way", "hop_sevens"),
)
NUMBERED = ("put", "place", "place_to_lose", "buy", "lay", "hardway", "big", "horn_high")
POINTS = ("4", "5", "6", "8", "9", "10")


@dataclass(frozen=True)
class Try:
    """Something tried at the table: a bet, odds behind the n-th wager, a take-down or a call of it, or a throw."""

    kind: str
    bet: str = ""
    spot: str = ""
    stake: int = 0
    target: int = 0
    working: bool | None = None


FACES = st.integers(1, 6)
STAKES = st.integers(1, 60).map(lambda units: 100 * units)
BETS = st.one_of(
    st.builds(Try, st.just("bet"), st.sampled_from(SPOTLESS), st.just(""), STAKES),
    st.builds(Try, st.just("bet"), st.sampled_from(NUMBERED), st.sampled_from([*POINTS, "2", "3", "11", "12"]), STAKES),
    st.builds(
        lambda low, high, stake: Try("bet", "hop", f"{min(low, high)}-{max(low, high)}", stake), FACES, FACES, STAKES
    ),
)
CHANGES = st.one_of(
    st.builds(Try, st.just("odds"), st.sampled_from(["odds", "lay_odds"]), st.just(""), STAKES, st.integers(0, 9)),
    st.builds(Try, st.just("down"), target=st.integers(0, 9)),
    st.builds(Try, st.just("call"), target=st.integers(0, 9), working=st.sampled_from([True, False, None])),
)
THROWS = st.builds(lambda first, second: Try("throw", stake=10 * first + second), FACES, FACES)
PLAY = st.lists(st.one_of(BETS, CHANGES, THROWS, THROWS), min_size=5, max_size=60)


class Both:
    """The engine and the oracle side by side; what the engine refuses, the oracle never hears of."""

    def __init__(self, text: str) -> None:
        self.schedules = craps.Schedules(craps_schedule(text))
        self.state = craps.join(craps.CrapsState(), PlayerId("ann")).state
        self.oracle = Oracle(tomllib.loads(text))
        self.made = 0

    def bet(self, bet: str, spot: str, stake: int, parent: WagerId | None = None) -> None:
        key = WagerId(f"w{self.made}")
        self.made += 1
        placement = Placement(wager=key, player=PlayerId("ann"), bet=bet, spot=spot, stake=stake, parent=parent)
        self.state = craps.place(self.state, self.schedules, (placement,)).state
        self.oracle.bet(key, bet, self.state.wagers[-1].spot, stake, parent)

    def do(self, what: Try) -> None:
        target = self.state.wagers[what.target % len(self.state.wagers)].id if self.state.wagers else WagerId("none")
        if what.kind == "bet":
            self.bet(what.bet, what.spot, what.stake)
        elif what.kind == "odds":
            self.bet(what.bet, "", what.stake, target)
        elif what.kind == "down":
            played = craps.take_down(self.state, self.schedules, target)
            self.state = played.state
            compare(played.movements, self.oracle.take_down(target))
        elif what.kind == "call":
            self.state = craps.call(self.state, self.schedules, target, what.working).state
            self.oracle.call(target, what.working)
        else:
            first, second = divmod(what.stake, 10)
            played = craps.throw(self.state, self.schedules, read_throw((first, second), None, dice=2))
            self.state = played.state
            compare(played.movements, self.oracle.throw(first, second))
        assert self.state.point == (self.oracle.point or None)
        assert {wager.id: wager.stake for wager in self.state.wagers} == {
            key: bet.stake for key, bet in self.oracle.riding.items()
        }


def compare(movements: tuple[Movement, ...], paid: dict[str, Paid]) -> None:
    ours = {
        movement.wager: Paid(
            movement.returned, movement.lost, movement.winnings, movement.commission, movement.breakage
        )
        for movement in movements
    }
    assert ours == paid
    for movement in movements:
        assert (movement.result is Result.WON) == (movement.winnings > 0)


@pytest.mark.parametrize("text", VARIANTS.values(), ids=VARIANTS)
@settings(max_examples=300, deadline=None, derandomize=True)
@given(play=PLAY)
def test_every_payment_of_random_play_is_the_oracles(text: str, play: list[Try]) -> None:
    table = Both(text)
    for what in play:
        try:
            table.do(what)
        except Refused:
            continue
