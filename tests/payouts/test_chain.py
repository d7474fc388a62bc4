"""The exact chain: known laws, agreement with brute force, lumping, loaded dice."""

from collections.abc import Hashable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from payouts.absorbing import Chain, expected_sums, solve_chain
from payouts.chain import chain, chain_together, payments, solve, solve_together
from payouts.components import components
from payouts.craps.decisions import Line, Race, Sequence, ends
from payouts.craps.hand import Collection, DistinctPoints
from payouts.dice import FAIR, THROWS, Dice, index, pair, throw_set, totals
from payouts.duration import duration, length_law, longer_than
from payouts.errors import PayoutError
from payouts.machine import LOSE, TIE, Machine, Outcome, Payment, State, Step, Throw, win
from payouts.odds import Odds

EVEN = win(Odds(1, 1))
PASS = Line(ends((totals(7, 11), EVEN), (totals(2, 3, 12), LOSE)), made=EVEN, out=LOSE)
PLACE_SIX = Race(ends((totals(6), EVEN), (totals(7), LOSE)))
LOADED = Dice.of([Fraction(n, 20) for n in (3, 3, 3, 3, 3, 5)])


def test_the_law_of_the_pass_line() -> None:
    assert dict(solve(PASS).endings) == {EVEN: Fraction(244, 495), LOSE: Fraction(251, 495)}
    assert solve(PASS).throws == Fraction(557, 165)


def test_a_bet_can_be_solved_from_any_of_its_states() -> None:
    assert dict(solve(PASS, FAIR, (6,)).endings)[EVEN] == Fraction(5, 11)


def test_a_race_lasts_a_geometric_number_of_throws() -> None:
    # 11 of 36 throws decide: mean 36/11, variance (1 - p) / p^2, tail (1 - p)^n
    decides, lasts = Fraction(11, 36), duration(chain(PLACE_SIX))
    assert (lasts.mean, lasts.variance) == (1 / decides, (1 - decides) / decides**2)
    assert length_law(chain(PLACE_SIX), 3) == tuple(decides * (1 - decides) ** n for n in range(3))
    assert longer_than(chain(PLACE_SIX), 40) == (1 - decides) ** 40
    assert length_law(chain(PLACE_SIX), 0) == ()


def test_the_length_of_a_pass_decision_by_cases() -> None:
    # one throw decides with 12/36; else a point of w ways ends with w + 6 of 36 each throw
    first = Fraction(12, 36)
    third = sum(Fraction(w, 36) * Fraction(30 - w, 36) * Fraction(w + 6, 36) for w in (3, 4, 5, 5, 4, 3))
    law = length_law(chain(PASS), 3)
    assert (law[0], law[2]) == (first, third)
    mean = 1 + sum(Fraction(w, 36) * Fraction(36, w + 6) for w in (3, 4, 5, 5, 4, 3))
    square = 1 + sum(
        Fraction(w, 36) * (2 * Fraction(36, w + 6) + (2 - Fraction(w + 6, 36)) / Fraction(w + 6, 36) ** 2)
        for w in (3, 4, 5, 5, 4, 3)
    )
    assert duration(chain(PASS)).mean == mean
    assert duration(chain(PASS)).variance == square - mean**2


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(PayoutError, match="throws must be at least 0, got -1"):
        longer_than(chain(PLACE_SIX), -1)


def test_machines_side_by_side_share_their_throws() -> None:
    hard_six, hard_eight = (
        Race(ends((pair(face, face), EVEN), (totals(7) | totals(2 * face) - pair(face, face), LOSE))) for face in (3, 4)
    )
    together = dict(solve_together((hard_six, hard_eight)).endings)
    # both lose: a 7 before anything else happens (6/16), or an easy one first and then the other against its 10 losers
    both = Fraction(6, 16) + 2 * Fraction(4, 16) * Fraction(10, 11)
    assert together[LOSE, LOSE] == both
    assert sum(chance for outcome, chance in together.items() if outcome[0] == EVEN) == Fraction(1, 11)
    # one race goes on until either is decided (16 ways), then the other if it is not (11 ways)
    assert duration(chain_together((hard_six, hard_eight))).mean == Fraction(36, 16) + Fraction(10, 16) * Fraction(
        36, 11
    )


def test_dice_that_can_never_end_a_bet_are_refused() -> None:
    ones = Dice.of([Fraction(1), *[Fraction(0)] * 5])
    with pytest.raises(PayoutError, match="last for ever"):
        solve(PLACE_SIX, ones)
    assert dict(solve(PASS, ones).endings) == {LOSE: Fraction(1)}


def test_dice_that_may_never_end_a_bet_are_refused_in_a_cycle_too() -> None:
    never: Chain[str] = Chain(({1: 1}, {0: 1}), ({}, {}), 1)
    with pytest.raises(PayoutError, match="last for ever"):
        solve_chain(never)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    weights=st.lists(st.lists(st.integers(0, 3), min_size=7, max_size=7), min_size=1, max_size=5),
)
def test_any_chain_agrees_with_a_plain_linear_solution(weights: list[list[int]]) -> None:
    # columns 0..4 are moves (kept within the states), 5 and 6 ends; every state may end, so that the chain must
    size = len(weights)
    rows = [[row[target] if target < size else 0 for target in range(5)] + [row[5] + 1, row[6]] for row in weights]
    whole = max(map(sum, rows))
    rows = [[*row[:5], row[5] + whole - sum(row), row[6]] for row in rows]
    moves = tuple({target: weight for target, weight in enumerate(row[:5]) if weight} for row in rows)
    endings = tuple({name: weight for name, weight in zip("ab", row[5:], strict=True) if weight} for row in rows)
    solved = solve_chain(Chain(moves, endings, whole))
    law = dict(solved.endings)
    tail = [Fraction(row[6], whole) for row in rows]
    assert law.get("b", Fraction(0)) == expected_sums(Chain(moves, endings, whole), tail)[0]
    assert sum(law.values()) == 1
    assert solved.throws == duration(Chain(moves, endings, whole)).mean


def reachable(following: list[set[int]], start: int) -> set[int]:
    seen, open_ = {start}, [start]
    while open_:
        for after in following[open_.pop()] - seen:
            seen.add(after)
            open_.append(after)
    return seen


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(1, 8).flatmap(lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n)))
def test_components_are_the_classes_of_mutual_reach_in_reverse_order(following: list[set[int]]) -> None:
    found = components(following)
    reach = [reachable(following, node) for node in range(len(following))]
    assert sorted(node for component in found for node in component) == [*range(len(following))]
    for place, component in enumerate(found):
        for one, two in product(component, component):
            assert two in reach[one]
        later = {node for other in found[place + 1 :] for node in other}
        assert not any(reach[node] & later for node in component)


class Unlumped:
    """A machine without its likeness."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def start(self) -> State:
        return self.machine.start()

    def step(self, state: State, throw: Throw) -> Step:
        return self.machine.step(state, throw)


FIRE = DistinctPoints((4, 5, 6, 8, 9, 10), (LOSE,) * 4 + tuple(win(Odds(n, 1)) for n in (24, 249, 999)))
EIGHT = Collection(tuple(totals(n) for n in (2, 3, 4, 5, 9, 10, 11, 12)), totals(7), (LOSE,) * 8 + (EVEN,))
DOUBLES = Collection(
    tuple(pair(n, n) for n in range(1, 7)), totals(7), (LOSE,) * 3 + tuple(win(Odds(n, 1)) for n in (4, 8, 15, 100))
)


@pytest.mark.parametrize("machine", [FIRE, EIGHT, DOUBLES], ids=["fire", "eight", "doubles"])
@pytest.mark.parametrize("dice", [FAIR, LOADED], ids=["fair", "loaded"])
def test_lumping_changes_nothing_but_the_number_of_states(machine: Machine, dice: Dice) -> None:
    plain = Unlumped(machine)
    assert solve(machine, dice) == solve(plain, dice)
    if machine is DOUBLES or dice is FAIR:
        assert len(chain(machine, dice).moves) < len(chain(plain, dice).moves)
    assert duration(chain(machine, dice)) == duration(chain(plain, dice))


def test_a_sequence_passes_its_stages_one_throw_each() -> None:
    no_seven = ends((totals(7), LOSE))
    machine = Sequence((no_seven, no_seven, ends((totals(7), LOSE), rest=EVEN)))
    assert dict(solve(machine).endings)[EVEN] == Fraction(5, 6) ** 3
    with pytest.raises(AssertionError, match="last stage"):
        Sequence((no_seven,))


def test_every_payment_of_a_machine_is_known() -> None:
    assert {payment.outcome for payment in payments(PASS)} == {Outcome.WIN, Outcome.LOSE}
    assert {payment.odds for payment in payments(FIRE)} == {None, Odds(24, 1), Odds(249, 1), Odds(999, 1)}


def test_the_law_of_a_throw_of_two_different_dice() -> None:
    first = [Fraction(n, 21) for n in range(1, 7)]
    dice = Dice.of(first, [Fraction(1, 6)] * 6)
    assert sum(dice.weights) == dice.whole
    assert dice.chance([(6, 1)]) == Fraction(6, 21) / 6
    assert dice.chance(THROWS) == 1
    assert Dice.of([Fraction(1, 6)] * 6) == FAIR


@pytest.mark.parametrize(
    "die",
    [[Fraction(1, 6)] * 5, [Fraction(1, 5)] * 6, [Fraction(-1, 6), Fraction(3, 6), *[Fraction(1, 6)] * 4], []],
)
def test_what_is_no_die_is_refused(die: list[Fraction]) -> None:
    with pytest.raises(PayoutError, match="a die must have six probabilities"):
        Dice.of(die)


@pytest.mark.parametrize(
    ("text", "throws"), [("7", 6), ("hard", 6), ("easy", 30), ("2-1", 2), ("2, 12,3-4", 4), ("4,2-2", 3)]
)
def test_a_set_of_throws_is_read_from_text(text: str, throws: int) -> None:
    assert len(throw_set(text)) == throws


@pytest.mark.parametrize("text", ["", "13", "1", "0-7", "7-1", "1-2-3", "seven", "2,,3", "02"])
def test_other_text_is_no_set_of_throws(text: str) -> None:
    with pytest.raises(PayoutError, match="throws must be totals"):
        throw_set(text)


def test_the_place_of_a_throw() -> None:
    assert [index(throw) for throw in THROWS] == [*range(36)]


def test_sets_of_throws_of_a_decision_may_not_overlap() -> None:
    with pytest.raises(AssertionError, match="overlap"):
        ends((totals(7), EVEN), (pair(3, 4), TIE))


def test_a_solution_is_a_value_that_can_be_compared() -> None:
    keys: set[Hashable] = {solve(PASS), solve(PASS), solve(PASS, LOADED)}
    assert len(keys) == 2
    assert isinstance(solve(PASS).endings[0][0], Payment)
