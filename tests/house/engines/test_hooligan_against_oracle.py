"""Random games at the counter agree with the second implementation, which imports none of ours."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.domain.ids import PlayerId, RoundId, WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.throws import read_throw
from house.engines.hooligan import (
    BankGame,
    HooliganState,
    choice_json,
    choose,
    dice_to_throw,
    must_choose,
    open_choices,
    read_choice,
    start_game,
    throw,
)
from payouts.header import Game, Header
from payouts.hooligan.rules import Choice as HooliganChoice
from payouts.hooligan.rules import ChoiceKind, HooliganKeep, HooliganRules, Natural, keep, name
from payouts.hooligan.schedule import Band, HooliganSchedule
from tests.oracles import hooligan_replay

HEADER = Header(game=Game.HOOLIGAN, name="random", version=1, currency="USD", decimals=2, declared={})
BANDS = (Band(0, 20, 3), Band(40, 59, 10), Band(60, 75, 60), Band(76, 335, 100))

READINGS = st.builds(
    HooliganRules,
    throws_per_frame=st.integers(1, 5),
    natural=st.sampled_from(Natural),
    point_must_show=st.booleans(),
    hooligan_keep=st.sampled_from(HooliganKeep),
    may_stop_early=st.booleans(),
)
# One throw in three is a straight, which random dice would show too seldom to test the naturals.
THROWS = st.one_of(
    st.lists(st.integers(1, 6), min_size=5, max_size=5),
    st.lists(st.integers(1, 2), min_size=5, max_size=5),
    st.sampled_from(([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])).flatmap(st.permutations),
)


def schedule(rules: HooliganRules) -> HooliganSchedule:
    top = tuple(band for band in BANDS if band.low <= rules.perfect_score)
    return HooliganSchedule(header=HEADER, stake_minor=25, trade_cost=Fraction(1), rules=rules, bands=top)


def log_of(data: st.DataObject, terms: HooliganSchedule) -> tuple[list[dict[str, Any]], HooliganState, int, int]:
    """Play a game at random: its events, the state after it, what was lost and what was won."""
    events: list[dict[str, Any]] = []
    played = start_game(HooliganState(), terms, RoundId("r"), WagerId("w"), PlayerId("ann"))
    while played.state.in_progress:
        offered = open_choices(played.state, terms)
        if offered and (must_choose(played.state) or data.draw(st.booleans())):
            chosen = data.draw(st.sampled_from(offered))
            events.append(chosen)
            choice = read_choice(chosen)
            assert choice is not None
            played = choose(played.state, terms, choice)
        else:
            faces = data.draw(THROWS)[: len(dice_to_throw(played.state, terms))]
            events.append({"faces": faces})
            played = throw(played.state, terms, read_throw(tuple(faces), None, len(faces)))
    return events, played.state, sum(m.lost for m in played.movements), sum(m.winnings for m in played.movements)


def check_payment(data: st.DataObject, rules: HooliganRules) -> None:
    """Play a game at random, and hold its score and payment against the other's."""
    terms = schedule(rules)
    events, state, lost, won = log_of(data, terms)
    boxes = hooligan_replay.replay(events, dict(rules.to_json()))
    assert isinstance(state.game, BankGame)
    assert state.game.position.sheet == (boxes["H"], *(boxes[number] for number in range(1, 7)))
    pays = [(band.low, band.high, band.pays_minor) for band in terms.bands]
    assert (lost, won) == (25, hooligan_replay.payment(sum(boxes.values()), pays))


@settings(deadline=None, max_examples=50)
@given(st.data(), READINGS)
def test_score_and_payment_of_random_play_agree(data: st.DataObject, rules: HooliganRules) -> None:
    check_payment(data, rules)


@pytest.mark.soak
@settings(deadline=None, max_examples=1000)
@given(st.data(), READINGS)
def test_score_and_payment_of_much_random_play_agree(data: st.DataObject, rules: HooliganRules) -> None:
    check_payment(data, rules)


ANY_CHOICE = st.one_of(
    st.integers(0, 7).map(name),
    st.sampled_from([HooliganChoice(kind) for kind in ChoiceKind if kind not in ("name", "keep")]),
    st.lists(st.integers(0, 5), max_size=5, unique=True).map(lambda slots: keep(*slots)),
)


def illegal(events: list[dict[str, Any]], rules: HooliganRules) -> bool:
    """Tell whether the other refuses the last event; a log that only ends too soon is allowed so far."""
    try:
        hooligan_replay.replay(events, dict(rules.to_json()))
    except hooligan_replay.Illegal as error:
        return "the log ends before" not in str(error)
    return False


def check_choice(data: st.DataObject, rules: HooliganRules, choice: HooliganChoice) -> None:
    """Stop a game at random and try any choice: both take it or neither does."""
    terms = schedule(rules)
    events, _, _, _ = log_of(data, terms)
    cut = data.draw(st.integers(0, len(events) - 1))
    state = start_game(HooliganState(), terms, RoundId("r"), WagerId("w"), PlayerId("ann")).state
    for event in events[:cut]:
        known = read_choice(event) if "choice" in event else None
        if known is not None:
            state = choose(state, terms, known).state
        else:
            state = throw(state, terms, read_throw(tuple(event["faces"]), None, len(event["faces"]))).state
    tried = [*events[:cut], choice_json(choice)]
    if illegal(tried, rules):
        with pytest.raises(Refused) as refused:
            choose(state, terms, choice)
        assert refused.value.refusal is Refusal.BAD_CHOICE
    else:
        choose(state, terms, choice)


@settings(deadline=None, max_examples=50)
@given(st.data(), READINGS, ANY_CHOICE)
def test_choices_that_ours_refuses_are_illegal_in_the_other(
    data: st.DataObject, rules: HooliganRules, choice: HooliganChoice
) -> None:
    check_choice(data, rules, choice)


@pytest.mark.soak
@settings(deadline=None, max_examples=1000)
@given(st.data(), READINGS, ANY_CHOICE)
def test_many_choices_that_ours_refuses_are_illegal_in_the_other(
    data: st.DataObject, rules: HooliganRules, choice: HooliganChoice
) -> None:
    check_choice(data, rules, choice)
