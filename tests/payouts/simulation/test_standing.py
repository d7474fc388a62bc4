"""Standing orders become wagers as the house's schedule has them."""

import numpy as np
import pytest

from payouts.craps.terms import CrapsSchedule
from payouts.dice import index
from payouts.errors import InexactStakeError, PayoutError
from payouts.schedule import load, shipped
from payouts.simulation.automaton import Automaton, compile_wagers
from payouts.simulation.play import simulate
from payouts.simulation.standing import Order, lone_wager, play_orders, read_order, standing_wagers


@pytest.fixture(scope="module")
def strip() -> CrapsSchedule:
    schedule = load(shipped("craps", "strip-345x"))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


def gains(auto: Automaton, *throws: tuple[int, int]) -> list[list[int]]:
    state, seen = 0, []
    for throw in throws:
        seen.append(auto.gain[:, state, index(throw)].tolist())
        state = int(auto.successor[state, index(throw)])
    return seen


def compiled(schedule: CrapsSchedule, *orders: str) -> Automaton:
    return compile_wagers(
        standing_wagers(schedule, [read_order(schedule, order) for order in orders]), schedule.table.points
    )


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("pass", Order("pass")),
        ("place:6", Order("place", "6")),
        ("place:6=18.00", Order("place", "6", 1800)),
        ("odds", Order("odds")),
        ("odds:4=30", Order("odds", "4", 3000)),
        ("hop:1-2=5", Order("hop", "1-2", 500)),
    ],
)
def test_an_order_is_read_from_text(strip: CrapsSchedule, text: str, order: Order) -> None:
    assert read_order(strip, text) == order


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("front", "bet must be one of pass"),
        ("place:7", "spot of place must be one of 4"),
        ("place", "spot of place must be one of 4"),
        ("pass=free", "stake must be an amount of USD, got 'free'"),
        ("pass=0", "stake must be an amount of USD, got '0'"),
        ("pass=1.005", "stake must be an amount of USD"),
    ],
)
def test_an_order_that_cannot_be_read_is_refused(strip: CrapsSchedule, text: str, message: str) -> None:
    with pytest.raises(PayoutError, match=message):
        read_order(strip, text)


def test_pass_with_places_plays_as_the_house_has_it(strip: CrapsSchedule) -> None:
    """Place bets are off on the come-out: 6 and 7 there leave them; with the point on 8 a 6 pays 7 to 6."""
    auto = compiled(strip, "pass=15", "place:6=18", "place:8=18")
    assert gains(auto, (3, 4), (4, 4), (3, 3), (4, 4), (3, 4)) == [
        [1500, 0, 0],
        [0, 0, 0],
        [0, 2100, 0],
        [1500, 0, 2100],
        [1500, 0, 0],
    ]


def test_odds_without_a_stake_are_the_most_the_table_takes(strip: CrapsSchedule) -> None:
    """3-4-5x of 15: 45 on 4 pays 90; don't pass lays 90 on a 4 to win 45, three times the flat bet."""
    assert gains(compiled(strip, "pass=15", "odds"), (2, 2), (1, 3))[1] == [1500, 9000, 0, 0, 0, 0, 0]
    assert gains(compiled(strip, "dont_pass=15", "lay_odds"), (2, 2), (3, 4))[1] == [1500, 4500, 0, 0, 0, 0, 0]


def test_come_odds_are_off_on_a_come_out_and_come_back_there(strip: CrapsSchedule) -> None:
    """Case B1: come on 6 with odds, a point is made, the come-out shows 7: the flat bet loses, the odds come back."""
    auto = compiled(strip, "pass=15", "come=15", "odds:6=50")
    assert auto.wagers[2].behind == 0
    alone = compile_wagers(
        standing_wagers(strip, [Order("come", stake_minor=1500), Order("odds", "6", 5000)]), strip.table.points
    )
    assert gains(alone, (2, 2), (3, 3), (2, 2), (3, 4))[3] == [-1500, 0]


def test_a_put_bet_is_made_when_its_point_is_on(strip: CrapsSchedule) -> None:
    auto = compiled(strip, "put:6=15")
    assert gains(auto, (2, 2), (3, 3), (2, 2), (3, 3), (2, 4)) == [[0], [0], [0], [0], [1500]]


def test_a_fire_bet_is_made_only_by_a_new_shooter(strip: CrapsSchedule) -> None:
    """A come-out 7 ends no hand; after the seven-out the bet is made again at once."""
    auto = compiled(strip, "fire=5")
    out = gains(auto, (3, 4), (2, 2), (3, 4), (3, 3), (3, 4))
    assert out == [[0], [0], [-500], [0], [-500]]


def test_a_small_bet_is_made_only_after_a_seven(strip: CrapsSchedule) -> None:
    """It wins on the last of its totals and waits: the totals thrown before the next 7 decide nothing."""
    auto = compiled(strip, "small=5")
    throws = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 3), (3, 4), (3, 4)]
    assert [gain[0] for gain in gains(auto, *throws)] == [0, 0, 0, 0, strip_small(strip), 0, 0, -500]


def strip_small(schedule: CrapsSchedule) -> int:
    return int(500 * schedule.bets["small"].price("").to_one)


def test_a_bet_that_the_dealer_books_as_parts_becomes_as_many_wagers(strip: CrapsSchedule) -> None:
    wagers = standing_wagers(strip, [Order("buffalo", stake_minor=2500)])
    assert [wager.label for wager in wagers] == ["hardway 4", "hardway 6", "hardway 8", "hardway 10", "any_seven"]
    assert [wager.stake_minor for wager in wagers] == [500] * 5


def test_commission_up_front_is_at_risk_with_the_stake(strip: CrapsSchedule) -> None:
    uk = load(shipped("craps", "uk"))
    assert isinstance(uk, CrapsSchedule)
    for schedule in (strip, uk):
        for bet in {"buy", "lay"} & set(schedule.bets):
            for spot in schedule.spots(bet):
                wager = lone_wager(schedule, bet, spot)
                worst = min(int(gain) for gain in compile_wagers([wager]).gain.ravel())
                assert worst == -wager.stake_minor


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        (["odds"], "odds must come after one of pass, come, put"),
        (["place:6=18", "odds"], "odds must come after one of"),
        (["pass=1"], "stake of pass must be from 15.00 USD to"),
        (["pass=15", "odds:4=46"], "stake of odds 4 must be from 0.01 USD to 45.00 USD, got 46.00 USD"),
    ],
)
def test_orders_that_the_table_does_not_take_are_refused(strip: CrapsSchedule, orders, message: str) -> None:
    with pytest.raises(PayoutError, match=message):
        compiled(strip, *orders)


def test_a_stake_that_is_no_multiple_of_the_increment_is_refused(strip: CrapsSchedule) -> None:
    with pytest.raises(InexactStakeError):
        compiled(strip, "pass=15.50")


def test_everything_on_a_shipped_layout_can_be_played_at_once(strip: CrapsSchedule) -> None:
    """Line, odds, places, hardways, field: one automaton, whose net is that of its accounts."""
    orders = ["pass=15", "odds", *(f"place:{n}" for n in (4, 5, 6, 8, 9, 10)), "hardway:6", "hardway:8", "field"]
    play = simulate(compiled(strip, *orders), 64, 1000, np.random.default_rng(4))
    assert play.net is not None
    assert int(play.net.sum()) == int((play.counts * play.automaton.gain.sum(axis=0)).sum())


def test_orders_are_played_as_their_wagers_are(strip: CrapsSchedule) -> None:
    orders = ["pass=15", "place:6=18"]
    played = play_orders(strip, orders, 20, 100, np.random.default_rng(9))
    compared = simulate(compiled(strip, *orders), 20, 100, np.random.default_rng(9))
    assert (played.counts == compared.counts).all()


def test_a_crapless_table_has_its_own_points() -> None:
    """An 11 on the come-out becomes the point; thrown again it wins the line bet."""
    crapless = load(shipped("craps", "crapless"))
    assert isinstance(crapless, CrapsSchedule)
    stake = crapless.bets["pass"].limits.min_minor
    wagers = standing_wagers(crapless, [Order("pass", stake_minor=stake)])
    auto = compile_wagers(wagers, crapless.table.points)
    assert gains(auto, (5, 6), (3, 3), (5, 6)) == [[0], [0], [stake]]
