"""Figures of a schedule against each kind of player, and the document that the command line prints."""

import json
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from payouts.hooligan.percentages import all_figures, document, figures, house_edge_bounds
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.schedule import Band, HooliganSchedule, reading_fingerprint
from payouts.hooligan.solver import settled_law, solve
from payouts.schedule import load, shipped


def schedule(name: str) -> HooliganSchedule:
    read = load(shipped("hooligan", name))
    assert isinstance(read, HooliganSchedule)
    return read


QUARTER, TRADE = schedule("scarne-quarter"), schedule("bar-trade")


def test_house_keeps_51_59_per_cent_of_scarnes_quarter_from_the_best_player() -> None:
    """$0.1210246542 and 51.590138 %, as the table of exact values in the rules has them."""
    best = figures(QUARTER)
    assert round(best.mean_minor / 100, 10) == 0.1210246542
    assert round(100 * best.house_edge, 6) == 51.590138


def test_player_of_the_score_has_the_greatest_mean_score_and_the_best_player_the_greatest_payout() -> None:
    solved = all_figures(QUARTER)
    assert list(solved) == list(Player)
    assert round(solved[Player.SCORE].score_mean, 10) == 65.3997965063
    assert max(solved, key=lambda kind: solved[kind].mean_minor) is Player.OPTIMAL
    assert max(solved, key=lambda kind: solved[kind].score_mean) is Player.SCORE


@pytest.mark.parametrize("kind", list(Player))
def test_figures_follow_from_the_law(kind: Player) -> None:
    solved = figures(TRADE, kind)
    mean = sum(chance * score for score, chance in enumerate(solved.law))
    square = sum(chance * score**2 for score, chance in enumerate(solved.law))
    paid = sum(chance * pays for chance, pays in zip(solved.law, TRADE.law, strict=True))
    assert solved.score_mean == pytest.approx(mean, rel=1e-12)
    assert solved.score_sd == pytest.approx(sqrt(square - mean**2), rel=1e-9)
    assert solved.mean_minor == pytest.approx(paid, rel=1e-11)
    assert solved.hit_chance == pytest.approx(sum(band.chance for band in solved.bands), rel=1e-12)


def test_trade_counts_at_its_cost() -> None:
    """1 - trade cost x return / stake: 60 cents in the dollar, a stake of one dollar."""
    solved = figures(TRADE)
    assert solved.house_edge == pytest.approx(1 - 0.6 * solved.mean_minor / 100, rel=1e-12)


def test_bands_share_the_whole_mean_payout() -> None:
    solved = figures(TRADE)
    assert [(band.low, band.high) for band in solved.bands] == [(70, 79), (80, 89), (90, 99), (100, 335)]
    assert sum(band.share or 0 for band in solved.bands) == pytest.approx(1, rel=1e-11)


def test_share_is_undefined_for_a_player_who_receives_nothing() -> None:
    """The simple player never ends on some scores; a schedule that pays one of those alone pays him nothing."""
    once = replace(QUARTER, rules=HooliganRules(throws_per_frame=1), bands=())
    never = [score for score, chance in enumerate(figures(once, Player.SIMPLE).law) if chance == 0]
    (band,) = figures(replace(once, bands=(Band(never[0], never[0], 100),)), Player.SIMPLE).bands
    assert (band.chance, band.share) == (0, None)


def test_bounds_hold_the_exact_edge() -> None:
    low, middle, high = house_edge_bounds(QUARTER, "optimal")
    assert low < middle < high
    assert high - low < 1e-11
    assert middle == figures(QUARTER).house_edge


def test_document_has_the_fields_of_the_format() -> None:
    written = json.loads(json.dumps(document(QUARTER), allow_nan=False))
    assert written["schedule"] == "scarne-quarter"
    assert written["fingerprint"] == QUARTER.fingerprint
    assert written["rules_fingerprint"] == reading_fingerprint(QUARTER.rules)
    assert written["stake"] == "0.25"
    assert list(written["players"]) == ["optimal", "score", "simple", "blind"]
    best = written["players"]["optimal"]
    assert round(best["return"], 10) == 0.1210246542
    assert round(best["house_edge"], 8) == 0.51590138
    assert len(best["score_law"]) == 336
    assert [band["score"] for band in best["bands"]] == [[84, 89], [90, 93]]
    assert [band["pays"] for band in best["bands"]] == [1.0, 2.0]


def test_document_of_one_player_has_that_player_alone() -> None:
    assert list(document(QUARTER, (Player.SIMPLE,))["players"]) == ["simple"]


def test_declared_percentages_of_the_shipped_schedules_are_the_exact_ones_rounded() -> None:
    for name in ("scarne-quarter", "quarter-ladder", "dollar-counter", "bar-trade"):
        read = schedule(name)
        assert read.header.declared["optimal"].holds(Fraction(figures(read).house_edge))


@pytest.mark.parametrize("kind", list(Player))
def test_a_player_whom_no_payout_moves_has_one_law_for_every_schedule(kind: Player) -> None:
    """The simple and the blind player rank no two options level; the others look at the payouts."""
    settled = settled_law(TRADE.rules, kind)
    assert (settled is not None) == (kind in (Player.SIMPLE, Player.BLIND))
    if settled is not None:
        solved = solve(TRADE.rules, TRADE.law, kind)
        assert settled == pytest.approx(solved.law, rel=1e-12)
        assert figures(TRADE, kind).mean_minor == pytest.approx(solved.mean, rel=1e-12)
