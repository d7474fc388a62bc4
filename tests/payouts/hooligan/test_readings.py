"""Readings of the open points: each is solved, and moves the percentage by what it says."""

import json
from fractions import Fraction

import pytest

from payouts import plots
from payouts.header import Game, Header
from payouts.hooligan.percentages import figures
from payouts.hooligan.readings import all_readings, changes, document, single_readings, under
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.hooligan.schedule import Band, HooliganSchedule, reading_fingerprint

HEADER = Header(game=Game.HOOLIGAN, name="test", version=1, currency="USD", decimals=2, declared={})
RULES = HooliganRules(throws_per_frame=2)
LADDER = HooliganSchedule(
    header=HEADER,
    stake_minor=100,
    trade_cost=Fraction(1, 2),
    rules=RULES,
    bands=(Band(60, 69, 300), Band(70, 230, 1000)),
)


def test_single_readings_are_the_own_one_and_one_change_each() -> None:
    readings = single_readings(LADDER)
    assert readings[0].rules == RULES
    assert (readings[0].changed, readings[0].moves) == ({}, 0)
    assert all(len(each.changed) == 1 for each in readings[1:])
    assert len(readings) == 1 + 4 + 2 + 1 + 1 + 1  # throws, naturals, showing, keeping, stopping


def test_all_readings_are_every_combination_and_hold_the_own_one() -> None:
    readings = all_readings(LADDER)
    assert len({each.rules_fingerprint for each in readings}) == 24  # 3 x 2 x 2 x 2
    (own,) = [each for each in readings if not each.changed]
    assert own.fingerprint == LADDER.fingerprint
    assert own.rules_fingerprint == reading_fingerprint(RULES)


def test_reading_moves_the_percentage_by_the_difference_of_the_edges() -> None:
    for each in single_readings(LADDER):
        read = under(LADDER, each.rules)
        assert each.house_edge == pytest.approx(figures(read).house_edge, abs=1e-12)
        assert each.moves == pytest.approx(each.house_edge - figures(LADDER).house_edge, abs=1e-12)


def test_freedom_of_the_player_never_costs_him() -> None:
    moved = {(option, value): each.moves for each in single_readings(LADDER) for option, value in each.changed.items()}
    assert moved["may_stop_early", True] <= 0
    assert moved["natural", "optional"] <= 0
    assert moved["point_must_show", True] >= 0
    assert moved["hooligan_keep", "none"] >= 0
    assert moved["throws_per_frame", 3] < 0 < moved["throws_per_frame", 1]


def test_last_band_goes_on_to_the_new_perfect_score() -> None:
    assert under(LADDER, HooliganRules(throws_per_frame=3)).bands[-1] == Band(70, 335, 1000)
    assert under(LADDER, HooliganRules(throws_per_frame=1)).bands[-1] == Band(70, 125, 1000)


def test_bands_above_the_new_perfect_score_are_left_out() -> None:
    high = HooliganSchedule(
        header=HEADER,
        stake_minor=100,
        trade_cost=Fraction(1),
        rules=RULES,
        bands=(Band(120, 130, 1), Band(200, 230, 2)),
    )
    assert under(high, HooliganRules(throws_per_frame=1)).bands == (Band(120, 125, 1),)


def test_changes_name_options_as_the_file_does() -> None:
    other = HooliganRules(2, Natural.BONUS, hooligan_keep=HooliganKeep.NONE)
    assert changes(RULES, other) == {"natural": "bonus", "hooligan_keep": "none"}


def test_picture_of_the_readings_names_each_and_its_edge() -> None:
    listed = single_readings(LADDER)
    drawn = plots.readings(listed)
    assert drawn.startswith("<?xml")
    assert "as the schedule has it" in drawn
    for each in listed:
        assert f"{each.house_edge:.2%}" in drawn
        assert all(option in drawn for option in each.changed)
    assert plots.readings(listed) == drawn


def test_document_of_the_readings_is_plain_values_with_fingerprints() -> None:
    written = json.loads(json.dumps(document(LADDER, single_readings(LADDER))))
    assert written["fingerprint"] == LADDER.fingerprint
    assert written["readings"][0]["changed"] == {}
    assert all(len(each["rules_fingerprint"]) == 64 for each in written["readings"])
