"""The lives of dice and boxes as a table: what can happen, and what cannot."""

from itertools import product

import pytest

from house.domain.inspections import MEASURES, SPREAD, TOLERANCES, failures
from house.domain.lives import FIT, LIFE, ON_HAND, Event, Kind, State
from house.domain.refusals import Refusal, Refused

FAIR = {
    "faces": (1, 6, 2, 5, 3, 4),
    "heights_um": (19_300, 19_302, 19_301),
    "convexity_um": (2,),
    "swings": (0,),
    "dark_corners": (0,),
    "magnetic": (0,),
}


def reached() -> set[State]:
    found: set[State] = {LIFE[None, Event.RECEIVED]}
    while more := {after for (before, _), after in LIFE.items() if before in found} - found:
        found |= more
    return found


def test_every_state_can_be_reached_from_reception() -> None:
    assert reached() == set(State)


def test_a_sealed_die_never_comes_into_play_again() -> None:
    after_sealing = {State.SEALED}
    while more := {after for (before, _), after in LIFE.items() if before in after_sealing} - after_sealing:
        after_sealing |= more
    assert after_sealing == {State.SEALED, State.DESTROYED}


def test_nothing_happens_to_what_is_destroyed() -> None:
    assert not [event for event, state in product(Event, [State.DESTROYED]) if (state, event) in LIFE]


def test_only_pieces_that_are_fit_are_issued_and_all_on_hand_are_out_of_play() -> None:
    assert {before for before, event in LIFE if event is Event.ISSUED} == set(FIT)
    assert set(State) - set(ON_HAND) == {State.IN_PLAY, State.DESTROYED}


def test_a_die_within_all_tolerances_passes() -> None:
    assert failures(Kind.DIE, FAIR, TOLERANCES[Kind.DIE]) == ()


# Faults of the old inspection: a dispatcher, shaped dice, convexity, a load, mercury, a magnet. 0.0002 inch is 5.08 um.
@pytest.mark.parametrize(
    ("measure", "found", "named"),
    [
        ("faces", (1, 6, 5, 5, 3, 4), "faces"),
        ("faces", (1, 2, 6, 5, 3, 4), "faces"),
        ("heights_um", (19_300, 19_306, 19_301), SPREAD),
        ("heights_um", (19_049, 19_050, 19_050), "heights_um"),
        ("convexity_um", (6,), "convexity_um"),
        ("swings", (1,), "swings"),
        ("dark_corners", (1,), "dark_corners"),
        ("magnetic", (1,), "magnetic"),
    ],
)
def test_each_fault_of_the_old_inspection_is_named(measure: str, found: tuple[int, ...], named: str) -> None:
    (words,) = failures(Kind.DIE, {**FAIR, measure: found}, TOLERANCES[Kind.DIE])
    assert words.split()[0] == named


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"swings": ()}, "measured.swings"),
        ({"heights_um": (1, 2)}, "measured.heights_um"),
        ({"hue": (1,)}, "measured.hue"),
    ],
)
def test_a_measure_that_is_missing_or_unknown_is_refused_by_name(
    change: dict[str, tuple[int, ...]], field: str
) -> None:
    with pytest.raises(Refused) as no:
        failures(Kind.DIE, {**FAIR, **change}, TOLERANCES[Kind.DIE])
    assert (no.value.refusal, no.value.field) == (Refusal.BAD_VALUE, field)


def test_every_tolerance_is_of_a_measure() -> None:
    for kind in Kind:
        assert set(TOLERANCES[kind]) - {SPREAD} == set(MEASURES[kind]) - {"faces"}
