"""The rows of the rules of Hooligan, as events on positions; expected points are by hand from Scarne's text."""

import pytest

from payouts.errors import MoveError, PayoutError
from payouts.hooligan.rules import (
    DECLINE,
    STOP,
    TAKE,
    TAKE_UP,
    Choice,
    HooliganKeep,
    HooliganRules,
    Natural,
    Position,
    choose,
    dice_to_throw,
    keep,
    legal_choices,
    name,
    start,
    throw,
)

RULES = HooliganRules()
STRAIGHT = (5, 1, 3, 2, 4)
LAST_FRAME = Position((None, 0, 0, 0, 0, 0, 0))


def play(rules: HooliganRules, position: Position, *events: Choice | tuple[int, ...]) -> Position:
    for event in events:
        position = choose(rules, position, event) if isinstance(event, Choice) else throw(rules, position, event)
    return position


# Rows 1 and 2: dice, throws, frames


def test_perfect_score_is_335_by_play() -> None:
    position = throw(RULES, start(RULES), (1, 2, 3, 4, 5))
    for number in range(1, 7):
        five = (number,) * 5
        position = play(RULES, position, five, name(number), five, five)
    assert position.is_over
    assert position.score == 335 == RULES.perfect_score


@pytest.mark.parametrize(("throws", "perfect"), [(1, 125), (2, 230), (3, 335), (4, 440), (5, 545)])
def test_perfect_score_by_throws_a_frame(throws: int, perfect: int) -> None:
    assert HooliganRules(throws_per_frame=throws).perfect_score == perfect  # 5 x throws x 21 + 20


@pytest.mark.parametrize(
    ("key", "value"), [("throws_per_frame", 0), ("throws_per_frame", 6), ("dice", 1), ("dice", 6), ("faces", 7)]
)
def test_numbers_out_of_range_are_refused_by_name(key: str, value: int) -> None:
    with pytest.raises(PayoutError, match=f"^{key} must be from"):
        HooliganRules(**{key: value})  # type: ignore[arg-type]


def test_game_has_seven_frames_and_then_no_throw() -> None:
    position = play(RULES, start(RULES), STRAIGHT)
    for number in range(1, 7):
        position = play(RULES, position, (1, 1, 1, 1, 1), name(number), *[(1,) * 5] * 2)
    assert position.is_over
    assert legal_choices(RULES, position) == ()
    assert dice_to_throw(RULES, position) == ()
    with pytest.raises(MoveError) as caught:
        throw(RULES, position, (1, 1, 1, 1, 1))
    assert caught.value.code == "game_over"


# Row 3: choosing the point


@pytest.mark.parametrize("throws_before", [1, 2])
def test_any_open_number_may_be_named_or_all_dice_taken_up(throws_before: int) -> None:
    position = start(RULES)
    for _ in range(throws_before - 1):
        position = play(RULES, position, (1, 1, 2, 2, 2), TAKE_UP)
    position = throw(RULES, position, (1, 1, 2, 2, 2))
    assert legal_choices(RULES, position) == (*map(name, range(1, 7)), TAKE_UP)


def test_a_number_must_be_named_after_the_last_throw_and_ends_the_frame() -> None:
    position = play(RULES, start(RULES), (1, 1, 1, 1, 1), TAKE_UP, (1, 1, 1, 1, 1), TAKE_UP, (6, 6, 2, 2, 2))
    assert legal_choices(RULES, position) == tuple(map(name, range(1, 7)))
    assert play(RULES, position, name(6)).sheet == (None, None, None, None, None, None, 12)


def test_numbers_played_are_dead() -> None:
    position = play(RULES, start(RULES), (2, 2, 2, 2, 2), name(2), (1,) * 5, (1,) * 5, (2, 2, 2, 3, 3))
    with pytest.raises(MoveError, match=r'got "name 2"') as caught:
        choose(RULES, position, name(2))
    assert caught.value.code == "choice_not_open"
    assert '"name 1", "name 3"' in str(caught.value)


def test_point_must_show_leaves_only_open_numbers_that_show() -> None:
    rules = HooliganRules(point_must_show=True)
    assert legal_choices(rules, throw(rules, start(rules), (2, 2, 2, 3, 3))) == (name(2), name(3), TAKE_UP)


def test_point_must_show_opens_all_numbers_when_none_shows() -> None:
    rules = HooliganRules(point_must_show=True)
    position = throw(rules, Position((None, 3, None, 3, None, None, None)), (1, 1, 3, 3, 3))
    assert legal_choices(rules, position) == (name(2), name(4), name(5), name(6), TAKE_UP)


# Rows 4, 5, 6: after naming, and the score of a frame


def test_three_deuces_then_two_then_three_more_score_16() -> None:
    position = play(RULES, start(RULES), (2, 2, 2, 3, 3), name(2))
    assert dice_to_throw(RULES, position) == (3, 4)
    position = play(RULES, position, (2, 2))
    assert dice_to_throw(RULES, position) == (0, 1, 2, 3, 4)
    assert play(RULES, position, (2, 2, 2, 5, 6)).sheet[2] == 16


@pytest.mark.parametrize(("last", "points"), [(2, 10), (5, 8)])
def test_three_deuces_then_one_score_10_or_8(last: int, points: int) -> None:
    position = play(RULES, start(RULES), (2, 2, 2, 3, 3), name(2), (4, 2))
    assert dice_to_throw(RULES, position) == (3,)
    assert play(RULES, position, (last,)).sheet[2] == points


@pytest.mark.parametrize(("number", "count", "points"), [(3, 5, 15), (6, 7, 42)])
def test_scarnes_scores_of_five_threes_and_seven_sixes(number: int, count: int, points: int) -> None:
    five, rest = (number,) * 5, (number,) * (count - 5) + (1,) * (10 - count)
    position = play(RULES, start(RULES), five, name(number), rest)
    assert play(RULES, position, (1,) * len(dice_to_throw(RULES, position))).sheet[number] == points


def test_all_five_are_thrown_when_none_is_kept() -> None:
    position = play(RULES, start(RULES), (2, 2, 2, 3, 3), name(6))
    assert dice_to_throw(RULES, position) == (0, 1, 2, 3, 4)


def test_dice_taken_up_before_naming_do_not_count() -> None:
    position = play(RULES, start(RULES), (6, 6, 6, 6, 6), TAKE_UP, (6, 1, 1, 1, 1), name(6), (1, 1, 1, 1))
    assert position.sheet[6] == 6


def test_throws_are_compulsory_after_naming() -> None:
    position = play(RULES, start(RULES), (2, 2, 2, 3, 3), name(2))
    assert legal_choices(RULES, position) == ()
    with pytest.raises(MoveError, match=r'none now.*"stop"'):
        choose(RULES, position, STOP)


def test_may_stop_early_after_any_throw_once_named() -> None:
    rules = HooliganRules(may_stop_early=True)
    named = play(rules, start(rules), (2, 2, 2, 3, 3), name(2))
    assert legal_choices(rules, named) == (STOP,)
    assert choose(rules, named, STOP).sheet[2] == 6
    assert play(rules, named, (1, 2), STOP).sheet[2] == 8
    assert legal_choices(rules, start(rules)) == ()


# Rows 7 and 8: the natural


def test_natural_is_credited_at_once_and_is_the_hooligan_frame() -> None:
    assert throw(RULES, start(RULES), STRAIGHT) == Position((20, None, None, None, None, None, None))


def test_optional_natural_may_be_taken_or_played() -> None:
    rules = HooliganRules(natural=Natural.OPTIONAL)
    position = throw(rules, start(rules), STRAIGHT)
    assert legal_choices(rules, position) == (TAKE, *map(name, range(1, 7)), TAKE_UP)
    assert choose(rules, position, TAKE).sheet[0] == 20
    assert choose(rules, position, name(5)).aside == (0,)


def test_bonus_natural_closes_hooligan_and_the_frame_goes_on() -> None:
    rules = HooliganRules(natural=Natural.BONUS)
    position = throw(rules, start(rules), STRAIGHT)
    assert position.score == 20
    assert legal_choices(rules, position) == (*map(name, range(1, 7)), TAKE_UP)
    assert play(rules, position, name(4), (1,) * 4, (1,) * 4).sheet == (20, None, None, None, 4, None, None)


@pytest.mark.parametrize("natural", list(Natural))
def test_straight_is_nothing_special_when_hooligan_is_closed_or_on_a_later_throw(natural: Natural) -> None:
    rules = HooliganRules(natural=natural)
    closed = throw(rules, Position((20, None, None, None, None, None, None)), STRAIGHT)
    later = play(rules, start(rules), (1, 1, 1, 1, 2), TAKE_UP, STRAIGHT)
    assert legal_choices(rules, closed) == legal_choices(rules, later) == (*map(name, range(1, 7)), TAKE_UP)


# Rows 9 and 10: the last frame


def test_last_frame_keeps_any_dice_between_three_throws() -> None:
    position = throw(RULES, LAST_FRAME, (2, 3, 4, 4, 6))
    assert len(legal_choices(RULES, position)) == 32  # subsets of five slots
    position = choose(RULES, position, keep(0, 1, 2, 4))
    assert dice_to_throw(RULES, position) == (3,)
    position = play(RULES, position, (3,), keep(0, 2, 3, 4))
    assert dice_to_throw(RULES, position) == (1,)
    assert throw(RULES, position, (5,)).sheet[0] == 20
    assert throw(RULES, position, (1,)).sheet[0] == 0


def test_last_frame_natural_is_credited() -> None:
    assert throw(RULES, LAST_FRAME, STRAIGHT).score == 20


def test_last_frame_straight_on_a_later_throw_may_be_kept_or_broken() -> None:
    position = play(RULES, LAST_FRAME, (1, 1, 1, 1, 1), keep(), STRAIGHT)
    assert choose(RULES, position, keep(0, 1, 2, 3, 4)).score == 20
    assert play(RULES, position, keep(0), (1, 1, 1, 1)).score == 0


def test_last_frame_keeping_all_dice_without_a_straight_ends_it_with_nothing() -> None:
    position = choose(RULES, throw(RULES, LAST_FRAME, (2, 3, 4, 4, 6)), keep(0, 1, 2, 3, 4))
    assert position.is_over
    assert position.score == 0


def test_last_frame_optional_natural_may_be_declined_under_any() -> None:
    rules = HooliganRules(natural=Natural.OPTIONAL)
    position = throw(rules, LAST_FRAME, STRAIGHT)
    assert legal_choices(rules, position) == (TAKE, DECLINE)
    assert choose(rules, position, TAKE).score == 20
    assert choose(rules, position, DECLINE).score == 0


@pytest.mark.parametrize("natural", list(Natural))
def test_last_frame_under_none_throws_all_five_until_made(natural: Natural) -> None:
    rules = HooliganRules(natural=natural, hooligan_keep=HooliganKeep.NONE)
    assert throw(rules, LAST_FRAME, STRAIGHT).score == 20
    second = throw(rules, LAST_FRAME, (2, 3, 4, 4, 6))
    assert legal_choices(rules, second) == ()
    assert dice_to_throw(rules, second) == (0, 1, 2, 3, 4)
    assert throw(rules, second, STRAIGHT).score == 20
    assert play(rules, second, (1, 1, 1, 1, 1), (1, 1, 1, 1, 1)).sheet[0] == 0
    assert play(rules, second, (1, 1, 1, 1, 1), STRAIGHT).sheet[0] == 20


def test_last_frame_optional_natural_of_one_throw_may_be_declined() -> None:
    rules = HooliganRules(natural=Natural.OPTIONAL, throws_per_frame=1)
    assert legal_choices(rules, throw(rules, LAST_FRAME, STRAIGHT)) == (TAKE, DECLINE)


def test_hooligan_cannot_be_chosen_with_numbers_open() -> None:
    position = throw(RULES, start(RULES), (1, 1, 2, 3, 4))
    for choice in (TAKE, DECLINE, keep(0), name(0), name(7)):
        with pytest.raises(MoveError, match="choice must be one of"):
            choose(RULES, position, choice)


# Throws and choices that are none


@pytest.mark.parametrize("faces", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (1, 2, 3, 4, 7)])
def test_faces_must_be_those_of_the_dice_to_throw(faces: tuple[int, ...]) -> None:
    with pytest.raises(MoveError, match="faces must be 5 from 1 to 6") as caught:
        throw(RULES, start(RULES), faces)
    assert caught.value.code == "bad_faces"


def test_throw_waits_for_the_choice() -> None:
    with pytest.raises(MoveError) as caught:
        play(RULES, start(RULES), (1, 1, 2, 2, 3), (1, 1, 1, 1, 1))
    assert caught.value.code == "choice_pending"


@pytest.mark.parametrize("choice", [name(6), TAKE_UP, TAKE, DECLINE, STOP, keep(), keep(4, 0)])
def test_choice_reads_its_own_text(choice: Choice) -> None:
    assert Choice.parse(str(choice)) == choice


@pytest.mark.parametrize(
    "text", ["", "name", "name 12", "name x", "name 6 5", "keep ²", "stop 1", "NAME 6", "take  up"]
)
def test_text_that_is_no_choice_is_refused(text: str) -> None:
    with pytest.raises(MoveError) as caught:
        Choice.parse(text)
    assert caught.value.code == "choice_unknown"
