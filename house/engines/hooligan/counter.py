"""Commands of a Hooligan counter: begin a game, choose, throw.

A throw takes the choice before it in the same command. A choice that ends the game, or in peer play the player's frame
(the number named after the last throw, for one), is followed by no throw of his: `choose` is for it. A void throw
changes nothing but that the choice before it stands, since it was made before the dice were thrown; the same dice are
thrown again.
"""

from collections.abc import Mapping
from typing import Any

from house.domain.ids import PlayerId, RoundId, WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.throws import Throw
from house.engines.hooligan import bank, peer
from house.engines.hooligan.state import BankGame, Decides, HooliganState, PeerGame
from house.engines.protocol import Played
from payouts.errors import MoveError
from payouts.hooligan import rules as hooligan
from payouts.hooligan.rules import Choice, ChoiceKind, Position
from payouts.hooligan.schedule import HooliganSchedule

Hooligan = Played[HooliganState]


def start_game(
    state: HooliganState, schedule: HooliganSchedule, round_id: RoundId, wager: WagerId, player: PlayerId
) -> Hooligan:
    """Let a player pay the stake and begin a game against the house.

    Raises
    ------
    Refused
        BET_CLOSED while a game is in progress.
    """
    _refuse_second_game(state)
    game, movement = bank.begin(schedule, round_id, wager, player)
    return Played(HooliganState(game), (movement,), (f"{player} plays for {schedule.header.money(game.stake)}",))


def start_peer_game(
    state: HooliganState,
    schedule: HooliganSchedule,
    round_id: RoundId,
    players: tuple[PlayerId, ...],
    decides: Decides,
) -> Hooligan:
    """Begin a game among 2 to 12 players under the schedule's reading of the rules; it moves no money.

    Raises
    ------
    Refused
        BET_CLOSED while a game is in progress; BAD_CHOICE when there are too few or too many players, or one twice.
    """
    _refuse_second_game(state)
    if not peer.FEWEST_PLAYERS <= len(players) <= peer.MOST_PLAYERS:
        limit = f"{peer.FEWEST_PLAYERS} to {peer.MOST_PLAYERS}"
        raise _bad_choice("peer play takes 2 to 12 players", "players", str(len(players)), limit)
    if len(set(players)) < len(players):
        twice = next(player for player in players if players.count(player) > 1)
        raise _bad_choice("a player plays once", "players", twice, "different players")
    game = peer.begin(schedule.fingerprint, round_id, players, decides)
    return Played(HooliganState(game), calls=(f"{', '.join(players)} throw for the order of play",))


def _refuse_second_game(state: HooliganState) -> None:
    if state.in_progress and state.game is not None:
        message = "a game is in progress at this counter"
        raise Refused(Refusal.BET_CLOSED, message, field="round", value=state.game.round, limit="one game at a time")


def shooter(state: HooliganState) -> PlayerId | None:
    """Player who throws next or whose choice is open; None without a game in progress."""
    if not state.in_progress or state.game is None:
        return None
    return state.game.player if isinstance(state.game, BankGame) else peer.thrower(state.game)


def position(state: HooliganState) -> Position | None:
    """Position of the player who is to act; None without a game, or while a hand is thrown for its total."""
    if not state.in_progress or state.game is None:
        return None
    if isinstance(state.game, BankGame):
        return state.game.position
    return None if state.game.contest is not None else state.game.positions[state.game.turn]


def open_choices(state: HooliganState, schedule: HooliganSchedule) -> tuple[dict[str, Any], ...]:
    """Choices that are open now, as `read_choice` reads them: {"choice": "name", "point": 6}.

    While `must_choose` holds, one of them comes before the next throw.
    """
    current = position(state)
    return () if current is None else tuple(map(choice_json, hooligan.legal_choices(schedule.rules, current)))


def must_choose(state: HooliganState) -> bool:
    """Tell whether the player must choose before the dice are thrown."""
    current = position(state)
    return current is not None and current.pending


def dice_to_throw(state: HooliganState, schedule: HooliganSchedule, choice: Choice | None = None) -> tuple[int, ...]:
    """Slots, from 0, of the dice that the next throw throws, after the choice before it if there is one.

    Dice put aside are not thrown. Empty without a game in progress and while a choice must come first.

    Raises
    ------
    Refused
        BAD_CHOICE when the choice is not open.
    """
    chosen = state if choice is None else choose(state, schedule, choice).state
    current = position(chosen)
    if current is None:
        return tuple(range(schedule.rules.dice)) if chosen.in_progress else ()
    return hooligan.dice_to_throw(schedule.rules, current)


def choose(state: HooliganState, schedule: HooliganSchedule, choice: Choice) -> Hooligan:
    """Apply a choice of the player.

    Raises
    ------
    Refused
        NOT_IN_PLAY without a game in progress; BAD_CHOICE when the choice is not open, naming those that are.
    """
    current = _running(state, schedule)
    if current is None:
        raise _bad_choice("a hand thrown for its total has no choice", "choice", str(choice)[:40], "none")
    try:
        after = hooligan.choose(schedule.rules, current, choice)
    except MoveError as error:
        limit = ", ".join(str(each) for each in hooligan.legal_choices(schedule.rules, current)) or "none"
        raise _bad_choice(str(error), "choice", str(choice)[:40], limit) from None
    return _advance(state, schedule, after)


def throw(state: HooliganState, schedule: HooliganSchedule, thrown: Throw, choice: Choice | None = None) -> Hooligan:
    """Apply the choice before a throw, if there is one, and the throw.

    Parameters
    ----------
    thrown
        The dice of `dice_to_throw(state, schedule, choice)`, in its order.

    Raises
    ------
    Refused
        NOT_IN_PLAY without a game in progress; BAD_CHOICE when the choice is not open, is missing, or ends the game or
        the player's turn so that he throws nothing; BAD_THROW when the dice are not those to throw.
    """
    chosen = Played(state) if choice is None else choose(state, schedule, choice)
    if choice is not None and shooter(chosen.state) != shooter(state):
        raise _bad_choice("the choice ends the turn, so this player throws no dice", "choice", str(choice), "no throw")
    current = _running(chosen.state, schedule)
    if current is not None and current.pending:
        limit = ", ".join(str(each) for each in hooligan.legal_choices(schedule.rules, current))
        raise _bad_choice("the player must choose before the dice are thrown", "choice", "none", limit)
    wanted = len(dice_to_throw(chosen.state, schedule))
    if len(thrown.faces) != wanted:
        message = "the dice thrown are those that are not put aside"
        raise Refused(Refusal.BAD_THROW, message, field="dice", value=str(len(thrown.faces)), limit=str(wanted))
    if not thrown.counts:
        return Played(chosen.state, chosen.movements, (*chosen.calls, "no throw"))
    played = _throw(chosen.state, schedule, current, thrown.shown)
    return Played(played.state, chosen.movements + played.movements, chosen.calls + played.calls)


def _throw(
    state: HooliganState, schedule: HooliganSchedule, current: Position | None, faces: tuple[int, ...]
) -> Hooligan:
    if current is not None:
        return _advance(state, schedule, hooligan.throw(schedule.rules, current, faces))
    assert isinstance(state.game, PeerGame), "only peers throw for a total"
    game, calls = peer.throw_for_total(state.game, schedule.rules, sum(faces))
    return Played(HooliganState(game), calls=calls)


def _running(state: HooliganState, schedule: HooliganSchedule) -> Position | None:
    if not state.in_progress or state.game is None:
        raise Refused(Refusal.NOT_IN_PLAY, "no game is in progress at this counter", field="round")
    assert state.game.schedule == schedule.fingerprint, "a game is played under the schedule with which it began"
    return position(state)


def _advance(state: HooliganState, schedule: HooliganSchedule, after: Position) -> Hooligan:
    if isinstance(state.game, BankGame):
        game, movements, calls = bank.advance(state.game, schedule, after)
        return Played(HooliganState(game), movements, calls)
    assert state.game is not None, "an event belongs to a game"
    among, calls = peer.advance(state.game, after)
    return Played(HooliganState(among), calls=calls)


def choice_json(choice: Choice) -> dict[str, Any]:
    """Plain values of a choice: {"choice": "keep", "slots": [0, 2]}, {"choice": "take_up"}."""
    extra: dict[ChoiceKind, dict[str, Any]] = {
        ChoiceKind.NAME: {"point": choice.point},
        ChoiceKind.KEEP: {"slots": list(choice.slots)},
    }
    return {"choice": choice.kind.value, **extra.get(choice.kind, {})}


_ARGUMENTS = {ChoiceKind.NAME: "point", ChoiceKind.KEEP: "slots"}


def read_choice(values: Mapping[str, Any]) -> Choice | None:
    """Read what `choice_json` wrote; an empty mapping is no choice.

    Raises
    ------
    Refused
        BAD_CHOICE, naming the field.

    Examples
    --------
    >>> str(read_choice({"choice": "name", "point": 6})), read_choice({})
    ('name 6', None)
    """
    if not values:
        return None
    word = values.get("choice")
    if not isinstance(word, str) or word not in set(ChoiceKind):
        raise _bad_choice("a choice is one of the known words", "choice", repr(word)[:40], ", ".join(ChoiceKind))
    kind = ChoiceKind(word)
    argument = _ARGUMENTS.get(kind)
    unknown = sorted(set(values) - {"choice", argument})
    if unknown:
        raise _bad_choice(f'"{kind}" has no such field', str(unknown[0])[:40], "", argument or "none")
    given = values.get(argument) if argument else None
    if kind is ChoiceKind.NAME:
        if type(given) is not int:
            raise _bad_choice('"name" takes a number', "point", repr(given)[:40], "1 to 6")
        return Choice(kind, point=given)
    if kind is ChoiceKind.KEEP:
        if not isinstance(given, list | tuple) or not all(type(slot) is int for slot in given):
            raise _bad_choice('"keep" takes slots', "slots", repr(given)[:40], "different slots from 0 to 4")
        return Choice(kind, slots=tuple(sorted(given)))
    return Choice(kind)


def _bad_choice(message: str, field: str, value: str, limit: str) -> Refused:
    return Refused(Refusal.BAD_CHOICE, message, field=field, value=value, limit=limit)
