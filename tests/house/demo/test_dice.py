"""The physical world of the demo does what its dice and boxes say."""

from itertools import pairwise
from random import Random

import pytest

from house.demo.dice import FAIR, LOADED_SIX, Box, Die, Hand


def test_the_laws_sum_to_one_and_the_load_is_a_tenth_on_six() -> None:
    assert sum(LOADED_SIX) == pytest.approx(1, abs=1e-12)
    assert LOADED_SIX[5] - FAIR[5] == pytest.approx(0.10, abs=1e-12)


def test_a_loaded_die_shows_its_six_as_often_as_its_law_says() -> None:
    # 20,000 throws, p = 0.2667: standard deviation 62.5; six of them are passed by chance 2 times in 10^9.
    hand = Hand(Random(1))
    sixes = sum(hand.throw((Die("L", LOADED_SIX),)) == (6,) for _ in range(20_000))
    assert abs(sixes - 20_000 * (1 / 6 + 0.10)) < 375


def test_a_crooked_box_repeats_one_die_in_one_throw_of_four() -> None:
    # One fair die in the box repeats with 1/6 + 1/4 * 5/6 = 3/8: 20,000 throws, standard deviation 68.5, six of them.
    hand, box = Hand(Random(2)), Box("B", repeats=0.25)
    shown = [hand.throw((Die("D"),), box) for _ in range(20_001)]
    repeats = sum(before == after for before, after in pairwise(shown))
    assert abs(repeats - 7_500) < 411


def test_the_same_seed_throws_the_same_dice() -> None:
    dice, box = (Die("a"), Die("b", LOADED_SIX)), Box("B", repeats=0.25)
    first, second = Hand(Random(3)), Hand(Random(3))
    assert [first.throw(dice, box) for _ in range(50)] == [second.throw(dice, box) for _ in range(50)]
