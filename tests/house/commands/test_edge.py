"""`floorman edge`: one spot, stakes, the law of the throws, loaded dice."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]


def document(run: Run, *arguments: str) -> Any:
    code, out, err = run(*arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_the_throws_of_a_pass_line_bet_end_at_once_on_its_twelve_ways_of_36(run: Run) -> None:
    # Natural or craps: (6 + 2 + 1 + 2 + 1) / 36. Mean 557/165, which every book gives as 3.38.
    (law,) = document(run, "edge", "craps", "--bet", "pass", "--throws", "2")["throws"]
    assert Fraction(law["law"][0]["chance"]) == Fraction(12, 36)
    # A point of 4 or 10 (3 ways), 5 or 9 (4), 6 or 8 (5), decided next by itself or the six 7s.
    second = sum(2 * Fraction(ways, 36) * Fraction(ways + 6, 36) for ways in (3, 4, 5))
    assert Fraction(law["law"][1]["chance"]) == second
    assert Fraction(law["longer"]) == 1 - Fraction(1, 3) - second
    assert Fraction(law["mean"]) == Fraction(557, 165)


def test_a_bet_of_parts_lasts_until_its_last_part_has_ended(run: Run) -> None:
    (law,) = document(run, "edge", "craps", "--bet", "horn", "--throws", "1")["throws"]
    assert (law["law"][0]["chance"], law["longer"]) == ("1/1", "0/1")


def test_the_edge_by_stake_is_that_of_each_legal_stake(run: Run) -> None:
    # cases/craps.md C13: buy 10 for $25 with 5 % of the bet on a win, rounded down to $1: 1/75.
    found = document(run, "edge", "craps", "--bet", "buy", "--spot", "10", "--stakes", "20.00-25.00")
    assert {each["stake"]: each["edge_made"] for each in found["stakes"]}["25.00"] == "1/75"
    assert [each["stake"] for each in found["stakes"]] == [f"{dollars}.00" for dollars in range(20, 26)]
    assert [bet["variant"] for bet in found["bets"]] == ["10"]


def test_loaded_dice_move_the_field(run: Run) -> None:
    # One die always 6, the other fair: totals 7 to 12, of which 9, 10, 11 pay 1 and 12 pays 3: 1/6 * (3 + 3 - 2).
    die = ("--die", "0,0,0,0,0,1", "--die", "1/6,1/6,1/6,1/6,1/6,1/6")
    (field,) = document(run, "edge", "craps", "--bet", "field", *die)["bets"]
    assert Fraction(field["edge_made"]) == Fraction(-4, 6)


def test_the_greatest_chance_of_every_score_is_shown(run: Run) -> None:
    # rules/hooligan.md: greatest P(score >= 84), >= 90, >= 94, >= 100 to six digits.
    reached = document(run, "edge", "hooligan", "--player", "score", "--thresholds")["greatest_chances"]
    assert (len(reached), reached[0]) == (336, 1.0)
    assert [round(reached[score], 6) for score in (84, 90, 94, 100)] == [0.102864, 0.039649, 0.018175, 0.004794]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--throws", "3"), "--bet"),
        (("--bet", "place", "--spot", "7"), "--spot must be one of 4, 5, 6"),
        (("--bet", "pass", "--stakes", "5"), "--stakes must be money"),
        (("--bet", "pass", "--stakes", "20.00-15.00"), "15.00 to 5000.00 in steps of 1.00"),
        (("--die", "1/6,1/6,1/6"), "--die must be six chances"),
        (("--die", "1/6,1/6,1/6,1/6,1/6,1/5"), "exactly 1"),
        (("--die", "1/0,0,0,0,0,1"), "--die must be a share"),
        (("--die", "-1/6,2/6,2/6,1/6,1/6,1/6"), "--die must be a share"),
        (("--die", "1,0,0,0,0,0", "--bet", "pass"), "for ever"),
        (("--bet", "pass", "--throws", "0"), "throws"),
    ],
    ids=" ".join,
)
def test_impossible_questions_name_the_option(run: Run, arguments: tuple[str, ...], names: str) -> None:
    code, out, err = run("edge", "craps", *arguments)
    assert (code, out) == (2, "")
    assert names in err
    assert "Traceback" not in err
