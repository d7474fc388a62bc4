"""What the service needs of each game's engine, as a table: one way to play an operation, live or from the records.

An operation is a JSON object with its name under "op"; it is stored as it was played, so that a replay plays it again.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from house.domain.ids import PlayerId, RoundId, WagerId
from house.domain.refusals import Refusal, Refused
from house.domain.throws import read_throw
from house.domain.wagers import Placement
from house.engines import craps, hooligan
from house.engines.protocol import Played
from payouts.errors import MoveError
from payouts.hooligan.rules import Choice

Operation = Mapping[str, Any]
Load = Callable[[str], Any]
"""Schedule with a fingerprint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A wager that rides; `schedule` is the fingerprint under which it was made, `working` what it was called."""

    wager: WagerId
    player: PlayerId
    bet: str
    spot: str
    stake_minor: int
    schedule: str
    toke: bool = False
    parent: WagerId | None = None
    working: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A game's engine as functions; a state is whatever the engine makes of it.

    Parameters
    ----------
    dice
        Dice that a throw takes at most.
    keeps
        Whether dice lie kept while others are thrown.
    read
        State from its JSON form; of an empty object, the state of a table just opened.
    play
        State, fingerprint of the schedule for new bets, loader of schedules, operation.
    dice_to_throw
        Slots, from 0, of the dice that the next throw throws, after the choice before it as text, if there is one.
    shooter
        Who has the dice, or None.
    riding
        Every wager that rides.
    exposure
        Most that the house may lose on what rides, minor units: state, fingerprint for new bets, loader.
    idle
        Whether nothing rides and no game is in progress.
    round_over
        Whether an operation, by the state after it, ended the round.
    offered
        What may be bet or chosen now.
    """

    dice: int
    keeps: bool
    read: Callable[[dict[str, Any]], Any]
    play: Callable[[Any, str, Load, Operation], Played[Any]]
    dice_to_throw: Callable[[Any, str, Load, str | None], tuple[int, ...]]
    shooter: Callable[[Any], PlayerId | None]
    riding: Callable[[Any], tuple[Open, ...]]
    exposure: Callable[[Any, str, Load], int]
    idle: Callable[[Any], bool]
    round_over: Callable[[Operation, Any], bool]
    offered: Callable[[Any, str, Load], tuple[Mapping[str, Any], ...]]


def _craps_schedules(state: craps.CrapsState, current: str, load: Load) -> craps.Schedules:
    earlier = dict.fromkeys(wager.schedule for wager in state.wagers if wager.schedule != current)
    return craps.Schedules(load(current), tuple(load(fingerprint) for fingerprint in earlier))


def _place(state: craps.CrapsState, schedules: craps.Schedules, operation: Operation) -> Played[craps.CrapsState]:
    return craps.place(state, schedules, tuple(Placement(**bet) for bet in operation["bets"]))


def _each(
    one: Callable[[craps.CrapsState, craps.Schedules, Operation], Played[craps.CrapsState]], field: str = "wagers"
) -> Callable[[craps.CrapsState, craps.Schedules, Operation], Played[craps.CrapsState]]:
    """Make a step on one wager a step on each of a list, all or none; a refusal names the command's `field`."""

    def every(state: craps.CrapsState, schedules: craps.Schedules, operation: Operation) -> Played[craps.CrapsState]:
        played = Played(state)
        for index, item in enumerate(operation["wagers"]):
            try:
                step = one(played.state, schedules, item)
            except Refused as no:
                raise Refused(no.refusal, no.message, f"{field}[{index}].{no.field}", no.value, no.limit) from None
            played = Played(step.state, played.movements + step.movements, played.calls + step.calls)
        return played

    return every


def _take_down(state: craps.CrapsState, schedules: craps.Schedules, item: Operation) -> Played[craps.CrapsState]:
    wager = WagerId(item["wager"])
    if item["stake"] is None:
        return craps.take_down(state, schedules, wager)
    return craps.reduce(state, schedules, wager, item["stake"])


def _press(state: craps.CrapsState, schedules: craps.Schedules, item: Operation) -> Played[craps.CrapsState]:
    return craps.press(state, schedules, WagerId(item["wager"]), item["stake"])


def _call(state: craps.CrapsState, _schedules: craps.Schedules, item: Operation) -> Played[craps.CrapsState]:
    return craps.call(state, WagerId(item["wager"]), item["working"])


_CRAPS_OPERATIONS: Mapping[str, Callable[[Any, craps.Schedules, Operation], Played[craps.CrapsState]]] = {
    "place": _place,
    "press": _each(_press),
    "take_down": _each(_take_down),
    "call": _each(_call, "calls"),
    "join": lambda state, _, operation: craps.join(state, PlayerId(operation["player"])),
    "leave": lambda state, _, operation: craps.leave(state, PlayerId(operation["player"])),
    "throw": lambda state, schedules, operation: craps.throw(state, schedules, _thrown(operation)),
}


def _thrown(operation: Operation) -> Any:
    faces, states = tuple(operation["faces"]), tuple(operation["states"])
    try:
        return read_throw(faces, states, len(faces))
    except Refused as no:  # by slot: a command says face and state die by die
        name, _, slot = no.field.partition("s[")
        raise Refused(no.refusal, no.message, f"dice[{slot}.{name}", no.value, no.limit) from None


def _play_craps(state: Any, current: str, load: Load, operation: Operation) -> Played[Any]:
    step = _CRAPS_OPERATIONS.get(operation["op"])
    if step is None or operation.get("choice") is not None:
        raise _wrong_game("craps")
    return step(state, _craps_schedules(state, current, load), operation)


def _offered_craps(state: Any, current: str, load: Load) -> tuple[Mapping[str, Any], ...]:
    return tuple(asdict(offer) for offer in craps.open_bets(state, _craps_schedules(state, current, load)))


def _riding_craps(state: craps.CrapsState) -> tuple[Open, ...]:
    return tuple(
        Open(
            wager=one.id,
            player=one.player,
            bet=one.bet,
            spot=one.spot,
            stake_minor=one.stake,
            schedule=one.schedule,
            toke=one.toke,
            parent=one.parent,
            working=one.called,
        )
        for one in state.wagers
    )


def _start_game(state: hooligan.HooliganState, schedule: Any, operation: Operation) -> Played[hooligan.HooliganState]:
    wager, player = WagerId(operation["wager"]), PlayerId(operation["player"])
    return hooligan.start_game(state, schedule, RoundId(operation["round"]), wager, player)


def _start_peer_game(
    state: hooligan.HooliganState, schedule: Any, operation: Operation
) -> Played[hooligan.HooliganState]:
    players = tuple(PlayerId(player) for player in operation["players"])
    decides = hooligan.Decides(operation["decides"])
    return hooligan.start_peer_game(state, schedule, RoundId(operation["round"]), players, decides)


def _throw_hooligan(
    state: hooligan.HooliganState, schedule: Any, operation: Operation
) -> Played[hooligan.HooliganState]:
    text = operation["choice"]
    return hooligan.throw(state, schedule, _thrown(operation), None if text is None else _choice(text))


_HOOLIGAN_OPERATIONS: Mapping[str, Callable[[Any, Any, Operation], Played[hooligan.HooliganState]]] = {
    "game": _start_game,
    "peer_game": _start_peer_game,
    "choose": lambda state, schedule, operation: hooligan.choose(state, schedule, _choice(operation["choice"])),
    "throw": _throw_hooligan,
}


def _choice(text: str) -> Choice:
    try:
        return Choice.parse(text)
    except MoveError as error:
        raise Refused(Refusal.BAD_CHOICE, str(error), field="choice", value=text[:40]) from None


def _under(state: hooligan.HooliganState, current: str) -> str:
    """Fingerprint under which the counter plays: that of the game in progress, else the current one."""
    return state.game.schedule if state.in_progress and state.game is not None else current


def _play_hooligan(state: Any, current: str, load: Load, operation: Operation) -> Played[Any]:
    step = _HOOLIGAN_OPERATIONS.get(operation["op"])
    if step is None:
        raise _wrong_game("hooligan")
    return step(state, load(_under(state, current)), operation)


def _offered_hooligan(state: Any, current: str, load: Load) -> tuple[Mapping[str, Any], ...]:
    return hooligan.open_choices(state, load(_under(state, current)))


def _dice_of_hooligan(state: hooligan.HooliganState, current: str, load: Load, choice: str | None) -> tuple[int, ...]:
    chosen = None if choice is None else _choice(choice)
    return hooligan.dice_to_throw(state, load(_under(state, current)), chosen)


def _riding_hooligan(state: hooligan.HooliganState) -> tuple[Open, ...]:
    game = state.game
    if not isinstance(game, hooligan.BankGame) or not state.in_progress:
        return ()
    return (
        Open(
            wager=game.wager,
            player=game.player,
            bet="hooligan",
            spot="",
            stake_minor=game.stake,
            schedule=game.schedule,
        ),
    )


def _exposure_of_craps(state: craps.CrapsState, current: str, load: Load) -> int:
    return craps.exposure(state, _craps_schedules(state, current, load))


def _exposure_of_hooligan(state: hooligan.HooliganState, current: str, load: Load) -> int:
    """The greatest payout less the stake, which is lost in any case; goods are not paid from the rack."""
    schedule = load(_under(state, current))
    if not _riding_hooligan(state) or schedule.trade_cost != 1:
        return 0
    return max(0, int(schedule.greatest_minor) - int(schedule.stake_minor))


def _wrong_game(game: str) -> Refused:
    return Refused(Refusal.WRONG_GAME, f"the table plays {game}", field="table", limit=game)


GAMES: Mapping[str, Game] = {
    "craps": Game(
        dice=2,
        keeps=False,
        read=lambda values: craps.CrapsState.from_json(values) if values else craps.CrapsState(),
        play=_play_craps,
        dice_to_throw=lambda *_: (0, 1),
        shooter=lambda state: state.rail[0] if state.rail else None,
        riding=_riding_craps,
        exposure=_exposure_of_craps,
        idle=lambda state: not state.wagers,
        round_over=lambda operation, _: operation["op"] == "throw" and set(operation["states"]) == {"ok"},
        offered=_offered_craps,
    ),
    "hooligan": Game(
        dice=5,
        keeps=True,
        read=lambda values: hooligan.HooliganState.from_json(values) if values else hooligan.HooliganState(),
        play=_play_hooligan,
        dice_to_throw=_dice_of_hooligan,
        shooter=hooligan.shooter,
        riding=_riding_hooligan,
        exposure=_exposure_of_hooligan,
        idle=lambda state: not state.in_progress,
        round_over=lambda _, state: not state.in_progress,
        offered=_offered_hooligan,
    ),
}
"""The games of the house."""
