"""Advice: what a player does in any position, and what every other choice costs."""

from fractions import Fraction
from random import Random

import pytest

from payouts.errors import PayoutError
from payouts.hooligan.advice import advise
from payouts.hooligan.players import Player
from payouts.hooligan.rules import (
    DECLINE,
    STOP,
    TAKE,
    TAKE_UP,
    Choice,
    HooliganRules,
    Natural,
    Position,
    choose,
    dice_to_throw,
    keep,
    name,
    start,
    throw,
)
from payouts.hooligan.solver import error_bound, solve
from tests.payouts.hooligan.slow_walk import SlowWalk

RULES = HooliganRules()
PRINTED = [0] * 84 + [100] * 6 + [200] * 4 + [0] * 242
READINGS = [
    HooliganRules(2, natural, must_show, may_stop_early=stop, dice=2, faces=3)
    for natural in Natural
    for must_show, stop in ((False, False), (False, True), (True, True))
]


def payouts(rules: HooliganRules) -> list[int]:
    random = Random(9)
    return [random.choice((0, random.randrange(1, 500))) for _ in range(rules.perfect_score + 1)]


def played_by(rules: HooliganRules, pays: list[int], player: Player) -> Fraction:
    """Exact mean payout of a player who always follows the advice, walked through the rules event by event."""
    solved = solve(rules, pays, player)

    def policy(position: Position, choices: tuple[Choice | None, ...]) -> Choice | None:
        return advise(solved, position)[0].choice if choices != (None,) else None

    (mean,) = SlowWalk(rules, lambda score: (Fraction(pays[score]),), policy).game()
    return mean


# The blind player names before the throw, so that no position shows his choice where a point must show.
FOLLOWED = [
    (rules, player) for rules in READINGS for player in Player if player != Player.BLIND or not rules.point_must_show
]


@pytest.mark.parametrize(
    ("rules", "player"),
    [
        pytest.param(*one, marks=[pytest.mark.soak] if each % 3 else [], id="-".join(map(str, one)))
        for each, one in enumerate(FOLLOWED)
    ],
)
def test_who_follows_the_advice_earns_the_solved_mean(rules: HooliganRules, player: Player) -> None:
    pays = payouts(rules)
    mean = Fraction(solve(rules, pays, player).mean)
    assert abs(played_by(rules, pays, player) - mean) <= 2 * Fraction(error_bound(rules)) * mean


@pytest.mark.parametrize("rules", READINGS, ids=str)
def test_every_choice_is_valued_as_the_slow_walk_values_it(rules: HooliganRules) -> None:
    """A game is played at random, and each choice that is open on the way is valued twice."""
    pays = payouts(rules)
    solved = solve(rules, pays)
    walk = SlowWalk(rules, lambda score: (Fraction(pays[score]),))
    random = Random(10)
    position = start(rules)
    while not position.is_over:
        if position.pending:
            advised = advise(solved, position)
            for each in advised:
                (exact,) = walk.after(position, each.choice)
                assert abs(Fraction(each.mean_minor) - exact) <= 2 * Fraction(error_bound(rules)) * exact
                assert each.cost_minor == advised[0].mean_minor - each.mean_minor >= 0
            choice = random.choice(advised).choice
            assert choice is not None
            position = choose(rules, position, choice)
        else:
            faces = tuple(random.randint(1, rules.faces) for _ in dice_to_throw(rules, position))
            position = throw(rules, position, faces)


def test_simple_player_names_what_shows_most_and_ties_go_to_the_higher() -> None:
    solved = solve(RULES, PRINTED, Player.SIMPLE)
    for faces, point in (((2, 2, 2, 3, 3), 2), ((2, 2, 3, 3, 6), 3), ((1, 2, 3, 4, 6), 6)):
        assert advise(solved, throw(RULES, start(RULES), faces))[0].choice == name(point)


def test_blind_player_names_six_first() -> None:
    solved = solve(RULES, PRINTED, Player.BLIND)
    assert advise(solved, throw(RULES, start(RULES), (2, 2, 2, 3, 3)))[0].choice == name(6)


def test_best_player_misses_the_last_hooligan_that_would_carry_him_over_the_bands() -> None:
    """With 85 points a straight makes 105, which the two printed bands do not pay: he keeps all dice, for 1.00."""
    last = Position((None, 0, 0, 0, 0, 25, 60), throws_made=1, dice=(1, 2, 3, 4, 6), pending=True)
    solved = solve(RULES, PRINTED)
    worth = {each.choice: (each.mean_minor, each.cost_minor) for each in advise(solved, last)}
    assert worth[keep(0, 1, 2, 3, 4)] == (100, 0)
    assert worth[keep(0, 4)] == (100, 0)  # a 1 and a 6 make no straight either
    assert worth[keep(0, 1, 2, 3)][1] > 0
    assert advise(solve(RULES, PRINTED, Player.SCORE), last)[0].choice == keep(0, 1, 2, 3)


def test_best_player_declines_a_natural_that_would_hurt() -> None:
    rules = HooliganRules(natural=Natural.OPTIONAL)
    last = Position((None, 0, 0, 0, 0, 25, 60), throws_made=1, dice=(1, 2, 3, 4, 5), pending=True)
    advised = advise(solve(rules, PRINTED), last)
    assert [each.choice for each in advised] == [DECLINE, TAKE]
    assert [each.cost_minor for each in advised] == [0, 100]


def test_best_player_stops_inside_a_band_where_he_may() -> None:
    """84 with only ones open, and one point more thrown: 85 pays, and so does anything to 93, so he throws on.

    With 93 he stops: any further one would carry him over the bands.
    """
    rules = HooliganRules(may_stop_early=True)
    solved = solve(rules, PRINTED)
    stopped = Position(
        (20, None, 10, 9, 12, 15, 24), throws_made=1, dice=(1, 1, 1, 2, 2), aside=(0, 1, 2), point=1, count=3
    )
    assert stopped.score + stopped.count == 93
    assert advise(solved, stopped)[0].choice == STOP
    assert advise(solved, stopped)[1].choice is None


def test_position_without_a_choice_is_refused() -> None:
    with pytest.raises(PayoutError, match="a choice is open"):
        advise(solve(RULES, PRINTED), start(RULES))


def test_position_that_play_cannot_reach_is_refused() -> None:
    """Five dice make no seven points of sixes: 7 is no multiple of 6."""
    odd = Position((None, None, None, None, None, None, 7), throws_made=1, dice=(1, 1, 2, 2, 3), pending=True)
    with pytest.raises(PayoutError, match="play can reach"):
        advise(solve(RULES, PRINTED), odd)


def test_taking_up_is_advised_when_nothing_good_lies() -> None:
    position = throw(RULES, start(RULES), (1, 2, 3, 4, 6))
    best = advise(solve(RULES, range(336)), position)[0]
    assert best.choice == TAKE_UP
