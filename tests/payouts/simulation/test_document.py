"""What `floorman simulate` prints: values for JSON, the exact figures beside the simulated ones."""

import json
from fractions import Fraction

import numpy as np
import pytest

from payouts.craps.returns import wager_return
from payouts.craps.terms import CrapsSchedule
from payouts.dice import Dice
from payouts.hooligan.percentages import figures
from payouts.hooligan.players import Player
from payouts.hooligan.schedule import HooliganSchedule
from payouts.schedule import load, shipped
from payouts.simulation.automaton import compile_wagers
from payouts.simulation.document import craps_document, exact_edge, hooligan_document
from payouts.simulation.hooligan import simulate_hooligan
from payouts.simulation.play import simulate
from payouts.simulation.standing import lone_wager, read_order, standing_wagers


@pytest.fixture(scope="module")
def strip() -> CrapsSchedule:
    schedule = load(shipped("craps", "strip-345x"))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


def document_of(strip: CrapsSchedule, *orders: str, sessions: int = 50) -> dict:
    wagers = standing_wagers(strip, [read_order(strip, order) for order in orders])
    play = simulate(compile_wagers(wagers, strip.table.points), sessions, 200, np.random.default_rng(1))
    return craps_document(strip, play)


def test_a_document_of_craps_is_json_and_names_its_schedule(strip: CrapsSchedule) -> None:
    document = document_of(strip, "pass=15", "odds", "place:6=18")
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["fingerprint"] == strip.fingerprint
    assert [bet["bet"] for bet in document["bets"]] == ["pass", *["odds"] * 6, "place"]
    assert document["bets"][-1]["variant"] == "6"


def test_exact_edges_stand_beside_simulated_ones_except_for_odds(strip: CrapsSchedule) -> None:
    document = document_of(strip, "pass=15", "odds", "place:6=18")
    assert [bet["exact_edge"] for bet in document["bets"]] == ["7/495", *[None] * 6, "1/66"]
    assert document["bets"][0]["exact_edge_decimal"] == 7 / 495


def test_money_of_a_document_adds_up_to_its_edge_of_the_handle(strip: CrapsSchedule) -> None:
    document = document_of(strip, "pass=15", "place:6=18", "field=15")
    net, handle = (sum(Fraction(bet[key]) for bet in document["bets"]) for key in ("net", "handle"))
    assert document["edge_handle"] == pytest.approx(float(-net / handle))
    assert document["session"]["net_mean"]["value"] * 50 == pytest.approx(float(net))


def test_one_session_has_no_law_of_sessions(strip: CrapsSchedule) -> None:
    assert "session" not in document_of(strip, "pass=15", sessions=1)


@pytest.mark.parametrize("bet", ["pass", "dont_pass", "buy", "lay", "horn", "buffalo", "field", "fire"])
@pytest.mark.parametrize("dice", [(1,) * 36, (1,) * 35 + (5,)], ids=["fair", "loaded"])
def test_the_exact_edge_of_a_wager_is_that_of_its_bet(strip: CrapsSchedule, bet: str, dice: tuple[int, ...]) -> None:
    law, spot = Dice(dice, sum(dice)), strip.spots(bet)[0]
    stake = 12000
    wager = lone_wager(strip, bet, spot, stake)
    assert exact_edge(wager, law) == wager_return(strip, bet, spot, stake, law).edge_made


def test_a_document_of_hooligan_is_json_with_the_solvers_figures() -> None:
    schedule = load(shipped("hooligan", "scarne-quarter"))
    assert isinstance(schedule, HooliganSchedule)
    play = simulate_hooligan(schedule, Player.SIMPLE, 2000, np.random.default_rng(1))
    document = hooligan_document(play)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["exact_house_edge"] == figures(schedule, Player.SIMPLE).house_edge
    assert document["house_edge"]["low"] < document["exact_house_edge"] < document["house_edge"]["high"]
    assert sum(document["scores"]) == document["games"] == 2000
    assert hooligan_document(play, fair=False)["exact_house_edge"] is None
