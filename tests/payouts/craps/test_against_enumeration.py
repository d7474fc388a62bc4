"""Every bet of every shipped schedule against the independent enumeration of tests/oracles, with equality."""

import tomllib
from dataclasses import replace
from fractions import Fraction

import pytest

from payouts.craps.edges import edges
from payouts.craps.returns import wager_return
from payouts.craps.terms import CrapsSchedule
from payouts.dice import FAIR, Dice
from payouts.odds import Rounding
from payouts.schedule import load, shipped, shipped_names
from tests.oracles import craps_enumeration as oracle

FAIR_DIE = oracle.dice_of(1, 1, 1, 1, 1, 1)
LOADED = oracle.dice_of(14, 15, 16, 16, 15, 24)
BEVELLED = oracle.dice_of(20, 15, 15, 15, 15, 20)


def shipped_schedule(name: str) -> CrapsSchedule:
    schedule = load(shipped("craps", name))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


def compare(name: str, first: list[Fraction], second: list[Fraction], dice: Dice) -> None:
    file = tomllib.loads(shipped("craps", name).read_text(encoding="utf-8"))
    law = oracle.law_of(first, second)
    rows = edges(shipped_schedule(name), dice=dice)
    assert {row.bet for row in rows} == {*file["bets"]}
    for row in rows:
        expected = oracle.edge(file, row.bet, row.variant, row.stake_minor, law)
        assert (row.bet, row.variant, row.edge_made) == (row.bet, row.variant, expected)


@pytest.mark.parametrize("name", shipped_names("craps"))
def test_every_edge_of_a_shipped_schedule_agrees_for_fair_dice(name: str) -> None:
    compare(name, FAIR_DIE, FAIR_DIE, FAIR)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in ("crapless", "uk") else [pytest.mark.soak])
        for name in shipped_names("craps")
    ],
)
def test_every_edge_of_a_shipped_schedule_agrees_for_two_different_loaded_dice(name: str) -> None:
    compare(name, LOADED, BEVELLED, Dice.of(LOADED, BEVELLED))


@pytest.mark.parametrize("stake", [1, 7, 500, 1999, 2000, 2500, 12345])
def test_edges_agree_at_stakes_at_which_rounding_and_commission_bite(stake: int) -> None:
    file = tomllib.loads(shipped("craps", "strip-345x").read_text(encoding="utf-8"))
    file["table"]["rounding"]["unit"] = "1.00"
    schedule = shipped_schedule("strip-345x")
    by_dollar = replace(schedule, table=replace(schedule.table, rounding=Rounding(100)))
    law = oracle.law_of(FAIR_DIE, FAIR_DIE)
    for bet in ("place", "buy", "lay", "place_to_lose"):
        for spot in schedule.spots(bet):
            expected = oracle.edge(file, bet, spot, stake, law)
            assert wager_return(by_dollar, bet, spot, stake).edge_made == expected
