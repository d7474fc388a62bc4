"""The Hooligan counter: games against the house and among peers; expected points and money are by hand."""

import json
from fractions import Fraction

import pytest

from house.domain.ids import PlayerId, RoundId, WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.throws import Throw, read_throw
from house.engines.hooligan import (
    Decides,
    HooliganState,
    PeerGame,
    choice_json,
    choose,
    dice_to_throw,
    must_choose,
    open_choices,
    read_choice,
    shooter,
    start_game,
    start_peer_game,
    throw,
)
from house.engines.protocol import Movement, Played, Result
from payouts.header import Game, Header
from payouts.hooligan.rules import Choice, HooliganRules, Position, name
from payouts.hooligan.schedule import Band, HooliganSchedule

ANN, BOB, CAT = PlayerId("ann"), PlayerId("bob"), PlayerId("cat")
STRAIGHT = (1, 2, 3, 4, 5)


def schedule(*bands: Band, **rules: object) -> HooliganSchedule:
    header = Header(game=Game.HOOLIGAN, name="test", version=1, currency="USD", decimals=2, declared={})
    reading = HooliganRules(**rules)  # type: ignore[arg-type]
    return HooliganSchedule(header=header, stake_minor=25, trade_cost=Fraction(1), rules=reading, bands=bands)


PRINTED = schedule(Band(84, 89, 100), Band(90, 93, 200))


def ok(*faces: int) -> Throw:
    return read_throw(faces, None, len(faces))


def begun(terms: HooliganSchedule = PRINTED) -> HooliganState:
    return start_game(HooliganState(), terms, RoundId("r1"), WagerId("w1"), ANN).state


def play(state: HooliganState, terms: HooliganSchedule, *events: Choice | tuple[int, ...]) -> Played[HooliganState]:
    played = Played(state)
    for event in events:
        step = (
            choose(played.state, terms, event) if isinstance(event, Choice) else throw(played.state, terms, ok(*event))
        )
        played = Played(step.state, played.movements + step.movements, played.calls + step.calls)
    return played


def frame(number: int, hits: int) -> tuple[Choice | tuple[int, ...], ...]:
    """A frame that makes `hits` of a number, 0 to 4, all in its first throw."""
    other = 1 if number != 1 else 2
    miss = (other,) * (5 - hits)
    return ((number,) * hits + miss, name(number), miss, miss)


def to_score(*hits: int) -> tuple[Choice | tuple[int, ...], ...]:
    """A game: a natural, then frames of 1 to 6 with so many hits each."""
    return (STRAIGHT, *(event for number, hit in enumerate(hits, 1) for event in frame(number, hit)))


# A game against the house


def test_stake_rides_when_the_game_begins() -> None:
    played = start_game(HooliganState(), PRINTED, RoundId("r1"), WagerId("w1"), ANN)
    assert played.movements == (
        Movement(wager=WagerId("w1"), player=ANN, bet="hooligan", spot="", result=Result.STAKED, staked=25),
    )
    assert played.state.in_progress
    assert shooter(played.state) == ANN


@pytest.mark.parametrize(
    ("hits", "score", "pays"),
    [
        ((0, 3, 3, 3, 4, 2), 79, 0),
        ((1, 2, 3, 3, 4, 3), 84, 100),
        ((4, 4, 4, 4, 4, 4), 104, 0),
        ((2, 4, 4, 4, 4, 2), 90, 200),
    ],
)
def test_final_score_is_paid_by_the_schedule_and_the_stake_never_returned(
    hits: tuple[int, ...], score: int, pays: int
) -> None:
    assert 20 + sum(number * hit for number, hit in enumerate(hits, 1)) == score
    played = play(begun(), PRINTED, *to_score(*hits))
    assert not played.state.in_progress
    assert shooter(played.state) is None
    (movement,) = played.movements
    assert movement.result is (Result.WON if pays else Result.LOST)
    assert (movement.lost, movement.returned, movement.winnings) == (25, 0, pays)


def test_only_one_game_at_a_counter() -> None:
    with pytest.raises(Refused) as caught:
        start_game(begun(), PRINTED, RoundId("r2"), WagerId("w2"), BOB)
    assert caught.value.refusal is Refusal.BET_CLOSED
    assert (caught.value.field, caught.value.value) == ("round", "r1")


def test_next_game_begins_when_one_is_over() -> None:
    over = play(begun(), PRINTED, *to_score(0, 0, 0, 0, 0, 0)).state
    assert start_game(over, PRINTED, RoundId("r2"), WagerId("w2"), BOB).state.in_progress


def test_choice_and_throw_are_one_command() -> None:
    state = throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state
    assert must_choose(state)
    assert dice_to_throw(state, PRINTED) == ()
    assert dice_to_throw(state, PRINTED, name(2)) == (3, 4)
    both = throw(state, PRINTED, ok(2, 2), name(2)).state
    assert both == play(state, PRINTED, name(2), (2, 2)).state
    assert dice_to_throw(both, PRINTED) == (0, 1, 2, 3, 4)


def test_number_named_after_the_last_throw_is_followed_by_the_next_frames_throw() -> None:
    six = Choice.parse("take_up")
    state = play(begun(), PRINTED, (1,) * 5, six, (1,) * 5, six, (6, 6, 1, 1, 1)).state
    played = throw(state, PRINTED, ok(5, 5, 5, 5, 5), name(6))
    assert played.calls == ("frame of 6 scores 12",)
    assert dice_to_throw(played.state, PRINTED, name(5)) == (0, 1, 2, 3, 4)


def test_choice_that_ends_the_game_takes_no_throw() -> None:
    once = schedule(Band(0, 10, 5), throws_per_frame=1)
    events = [event for number in range(1, 6) for event in ((number,) * 5, name(number))]
    state = play(begun(once), once, STRAIGHT, *events, (1, 1, 1, 1, 2)).state
    with pytest.raises(Refused, match="ends the turn") as caught:
        throw(state, once, ok(1, 1, 1, 1, 1), name(6))
    assert caught.value.refusal is Refusal.BAD_CHOICE
    played = choose(state, once, name(6))
    assert played.movements[0].result is Result.LOST  # 20 + 5 x (1+2+3+4+5) + 0 = 95
    assert played.calls == ("frame of 6 scores 0", "final score 95, pays 0.00 USD")


def test_void_throw_leaves_the_choice_and_is_thrown_again() -> None:
    state = throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state
    void = throw(state, PRINTED, read_throw((2, 2), ("ok", "cocked"), 2), name(2))
    assert void.movements == ()
    assert void.calls == ("no throw",)
    assert void.state == choose(state, PRINTED, name(2)).state
    assert dice_to_throw(void.state, PRINTED) == (3, 4)


# Refusals


def test_wrong_choice_is_refused_by_name_with_what_is_open() -> None:
    state = throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state
    with pytest.raises(Refused) as caught:
        throw(state, PRINTED, ok(1, 1, 1, 1, 1), Choice.parse("stop"))
    assert caught.value.refusal is Refusal.BAD_CHOICE
    assert (caught.value.field, caught.value.value) == ("choice", "stop")
    assert caught.value.limit == "name 1, name 2, name 3, name 4, name 5, name 6, take_up"


def test_throw_without_the_choice_that_is_open_is_refused() -> None:
    state = throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state
    with pytest.raises(Refused, match="must choose") as caught:
        throw(state, PRINTED, ok(2, 2))
    assert caught.value.refusal is Refusal.BAD_CHOICE


def test_throw_of_dice_put_aside_is_refused() -> None:
    state = throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state
    with pytest.raises(Refused) as caught:
        throw(state, PRINTED, ok(2, 2, 2, 3, 3), name(2))
    assert caught.value.refusal is Refusal.BAD_THROW
    assert (caught.value.field, caught.value.value, caught.value.limit) == ("dice", "5", "2")


def test_nothing_is_chosen_or_thrown_without_a_game() -> None:
    with pytest.raises(Refused) as chosen:
        choose(HooliganState(), PRINTED, name(1))
    with pytest.raises(Refused) as thrown:
        throw(HooliganState(), PRINTED, ok(1, 1, 1, 1, 1))
    assert chosen.value.refusal is thrown.value.refusal is Refusal.NOT_IN_PLAY


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"choice": "roll"}, "choice"),
        ({"choice": 3}, "choice"),
        ({"point": 3}, "choice"),
        ({"choice": "name"}, "point"),
        ({"choice": "name", "point": True}, "point"),
        ({"choice": "name", "point": 6, "slots": []}, "slots"),
        ({"choice": "keep", "slots": "12"}, "slots"),
        ({"choice": "keep", "slots": [1.0]}, "slots"),
        ({"choice": "stop", "point": 1}, "point"),
    ],
)
def test_choice_that_cannot_be_read_is_refused_by_its_field(values: dict[str, object], field: str) -> None:
    with pytest.raises(Refused) as caught:
        read_choice(values)
    assert caught.value.refusal is Refusal.BAD_CHOICE
    assert caught.value.field == field


def test_open_choices_are_read_back() -> None:
    state = throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state
    offered = open_choices(state, PRINTED)
    assert offered[:2] == ({"choice": "name", "point": 1}, {"choice": "name", "point": 2})
    assert offered[-1] == {"choice": "take_up"}
    assert [choice_json(choice) for values in offered if (choice := read_choice(values))] == list(offered)


# Peer play


def peers(decides: Decides, *players: PlayerId) -> HooliganState:
    return start_peer_game(HooliganState(), PRINTED, RoundId("p"), players, decides).state


def hands(state: HooliganState, *totals: int) -> Played[HooliganState]:
    """Throw hands of five with these totals, 5 to 30, whoever throws."""
    return play(state, PRINTED, *(tuple((total + die) // 5 for die in range(5)) for total in totals))


@pytest.mark.parametrize("total", range(5, 31))
def test_hands_of_a_wanted_total_are_made_of_five_faces(total: int) -> None:
    state = peers(Decides.HIGH, ANN, BOB)
    assert hands(state, total).calls == (f"ann throws {total}",)


def test_order_of_play_is_by_total_and_ties_throw_again() -> None:
    played = hands(peers(Decides.HIGH, ANN, BOB, CAT), 12, 20, 20, 9, 9, 10, 11)
    assert played.calls == (
        "ann throws 12",
        "bob throws 20",
        "cat throws 20",
        "bob, cat throw again",
        "bob throws 9",
        "cat throws 9",
        "bob, cat throw again",
        "bob throws 10",
        "cat throws 11",
        "order of play: cat, bob, ann",
    )
    assert shooter(played.state) == CAT


def test_frames_are_played_in_turn() -> None:
    state = hands(peers(Decides.HIGH, ANN, BOB), 20, 10).state
    state = play(state, PRINTED, *frame(6, 2)).state
    assert shooter(state) == BOB
    state = play(state, PRINTED, STRAIGHT).state
    assert shooter(state) == ANN
    assert play(state, PRINTED, (1, 1, 1, 1, 2)).state.in_progress


def with_scores(decides: Decides, **scores: int) -> HooliganState:
    """A peer game in which all but the last player's last frame is played; he misses Hooligan in it."""
    players = tuple(PlayerId(player) for player in scores)
    over = [Position((0, points, 0, 0, 0, 0, 0)) for points in scores.values()]
    last = Position((None, *over[-1].sheet[1:]), throws_made=2, dice=(1, 1, 1, 1, 1), pending=True)
    return HooliganState(
        PeerGame(
            round=RoundId("p"),
            decides=decides,
            schedule=PRINTED.fingerprint,
            groups=tuple((player,) for player in players),
            positions=(*over[:-1], last),
            turn=len(players) - 1,
        )
    )


def finish(state: HooliganState, *totals: int) -> Played[HooliganState]:
    missed = throw(state, PRINTED, ok(1, 1, 1, 1, 1), Choice.parse("keep"))
    later = hands(missed.state, *totals)
    return Played(later.state, missed.movements + later.movements, missed.calls + later.calls)


def decided(played: Played[HooliganState]) -> tuple[str, ...]:
    assert isinstance(played.state.game, PeerGame)
    assert not played.state.in_progress
    assert played.movements == ()
    return played.state.game.decided


def test_high_man_wins() -> None:
    played = finish(with_scores(Decides.HIGH, ann=60, bob=61, cat=50))
    assert decided(played) == ("bob",)
    assert played.calls[-1] == "bob wins"


def test_low_man_pays() -> None:
    played = finish(with_scores(Decides.LOW, ann=60, bob=61, cat=50))
    assert decided(played) == ("cat",)
    assert played.calls[-1] == "cat pays"


def test_two_lowest_pay() -> None:
    assert decided(finish(with_scores(Decides.TWO_LOW, ann=60, bob=61, cat=50))) == ("cat", "ann")


def test_tie_for_high_is_thrown_off_until_it_is_broken() -> None:
    played = finish(with_scores(Decides.HIGH, ann=61, bob=61, cat=50), 20, 20, 7, 8)
    assert decided(played) == ("bob",)


def test_tie_for_low_is_paid_by_the_lowest_hand() -> None:
    assert decided(finish(with_scores(Decides.LOW, ann=50, bob=61, cat=50), 20, 19)) == ("cat",)


def test_tie_for_the_second_place_is_thrown_off_by_those_who_tie() -> None:
    played = finish(with_scores(Decides.TWO_LOW, ann=60, bob=60, cat=50), 8, 9)
    assert decided(played) == ("cat", "ann")


def test_three_who_tie_for_two_places_fill_both_by_one_hand() -> None:
    assert decided(finish(with_scores(Decides.TWO_LOW, ann=50, bob=50, cat=50), 8, 30, 9)) == ("ann", "cat")


def test_tie_within_both_places_needs_no_hand() -> None:
    assert decided(finish(with_scores(Decides.TWO_LOW, ann=50, bob=60, cat=50))) == ("ann", "cat")


def test_two_of_three_still_tied_throw_again_for_the_place_left() -> None:
    played = finish(with_scores(Decides.TWO_LOW, ann=50, bob=50, cat=50), 8, 9, 9, 12, 11)
    assert decided(played) == ("ann", "cat")


def test_peer_choice_that_ends_a_frame_takes_no_throw_of_the_next_player() -> None:
    take_up = Choice.parse("take_up")
    state = hands(peers(Decides.HIGH, ANN, BOB), 20, 10).state
    state = play(state, PRINTED, (1,) * 5, take_up, (1,) * 5, take_up, (6, 6, 1, 1, 1)).state
    with pytest.raises(Refused, match="ends the turn"):
        throw(state, PRINTED, ok(1, 1, 1, 1, 1), name(6))
    assert shooter(choose(state, PRINTED, name(6)).state) == BOB


@pytest.mark.parametrize("count", [0, 1, 13])
def test_peer_play_takes_2_to_12(count: int) -> None:
    players = tuple(PlayerId(str(seat)) for seat in range(count))
    with pytest.raises(Refused) as caught:
        start_peer_game(HooliganState(), PRINTED, RoundId("p"), players, Decides.LOW)
    assert (caught.value.field, caught.value.value, caught.value.limit) == ("players", str(count), "2 to 12")


def test_player_sits_once() -> None:
    with pytest.raises(Refused) as caught:
        start_peer_game(HooliganState(), PRINTED, RoundId("p"), (ANN, BOB, ANN), Decides.LOW)
    assert (caught.value.field, caught.value.value) == ("players", "ann")


# State


@pytest.mark.parametrize(
    "state",
    [
        HooliganState(),
        begun(),
        throw(begun(), PRINTED, ok(2, 2, 2, 3, 3)).state,
        peers(Decides.TWO_LOW, ANN, BOB, CAT),
        hands(peers(Decides.HIGH, ANN, BOB, CAT), 12, 20, 20, 9).state,
        with_scores(Decides.LOW, ann=1, bob=2),
        finish(with_scores(Decides.LOW, ann=1, bob=2)).state,
    ],
    ids=["no game", "begun", "choice", "order", "again", "frames", "over"],
)
def test_state_survives_json(state: HooliganState) -> None:
    assert HooliganState.from_json(json.loads(json.dumps(state.to_json()))) == state
