"""A Hooligan counter: the score sheet, the frame with its choices, what a score pays, advice for staff, peer play."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import dealing, shell
from house.console.drawing.sheet import Line, frame, sheet
from house.console.figures import DASH
from house.console.regions import Region, at_table
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.engines import hooligan as engine
from house.engines.hooligan import BankGame, Decides, HooliganState, PeerGame
from house.engines.hooligan.peer import VERDICTS
from house.engines.hooligan.state import Game
from house.service import hooligan, schedules, tables
from house.service.desk import Command, House, check_allowed
from house.service.tables import TableView
from payouts.errors import MoveError
from payouts.hooligan.advice import Advice, advise
from payouts.hooligan.rules import Choice, ChoiceKind, HooliganRules, Position
from payouts.hooligan.schedule import Band, HooliganSchedule
from payouts.hooligan.solver import Solution, solve

router = APIRouter(prefix="/hooligan")

ADVISED = 12
"""Choices that advice lists, the best first."""

DECIDES: Mapping[Decides, str] = {
    Decides.HIGH: "the highest wins",
    Decides.LOW: "the lowest pays",
    Decides.TWO_LOW: "the two lowest pay",
}
OUTCOMES: Mapping[Decides, str] = {
    Decides.HIGH: "wins",
    Decides.LOW: "pays the drinks",
    Decides.TWO_LOW: "pay the drinks, half each",
}
"""What follows for those on whom a game among players decided."""


@router.get("/{table}")
def show_counter(request: Request, house: TheHouse, visitor: Visitor, table: str) -> HTMLResponse:
    """Show a Hooligan counter; the address may hold the choice before the next throw, and ask for advice."""
    return _counter(request, house, visitor, table)


def _counter(request: Request, house: House, visitor: Visit, table: str, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.PIT_READ)
    shown = at(house, table)
    view, state, schedule = shown["table"], shown["state"], shown["schedule"]
    asked = posted.optional("choice") if posted is not None else _asked(request)
    chosen = _open(state, schedule, asked)
    advised = "advise" in request.query_params
    return shell.page(
        request,
        visitor,
        "hooligan/counter.html",
        posted=posted,
        **shown,
        **dealing.entering(view),
        chosen=str(chosen or ""),
        says="" if chosen is None or shown["position"] is None else _said(chosen, shown["position"]),
        choices=_choices(state, schedule),
        keeps=_keeps(state, schedule),
        slots=engine.dice_to_throw(state, schedule, chosen),
        decides=[(one.value, words) for one, words in DECIDES.items()],
        advised=advised,
        advice=_advice(state, schedule) if advised else (),
        **dealing.seeds_of(house, view, request.query_params.get("seeds", "")[:64] or shown["shooter"]),
    )


def _asked(request: Request) -> str:
    """The choice in the address: itself, or for the last frame the dice that are ticked to be kept."""
    asked = request.query_params
    if "keeping" in asked:
        return " ".join(["keep", *sorted(slot for slot in asked.getlist("keep") if slot in set("01234"))])
    return asked.get("choice", "")[:40]


def at(house: House, table_id: str) -> Mapping[str, Any]:
    """What everybody sees of a counter: sheet, dice, score, bands, the last throw. Refused: NOT_FOUND."""
    view = tables.table(house, table_id)
    if view.game != "hooligan":
        raise Refused(Refusal.NOT_FOUND, "no Hooligan counter has this id", "table")
    state = HooliganState.from_json(dict(view.state))
    schedule = _schedule(house, view, state)
    position = engine.position(state)
    game = state.game
    return {
        "table": view,
        "state": state,
        "schedule": schedule,
        "shooter": engine.shooter(state),
        "position": position,
        "mode": "bank" if isinstance(game, BankGame) else "peer" if game is not None else "",
        "game": game,
        "playing": state.in_progress,
        "sheet": sheet(_lines(state)) if _lines(state) else "",
        "frame": frame(position) if position is not None and position.dice else "",
        "stands": standing(schedule, game.position.score) if isinstance(game, BankGame) else None,
        "needs": None if game is None else _doing(state, schedule),
        **dealing.last(house, table_id, lambda _: "Hooligan"),
    }


def _schedule(house: House, view: TableView, state: HooliganState) -> HooliganSchedule:
    """The schedule of the game that is shown, else that of the next one."""
    fingerprint = view.fingerprint if state.game is None else state.game.schedule
    with house.read() as connection:
        found = schedules.of(house, connection, fingerprint)
    assert isinstance(found, HooliganSchedule), "a counter plays by a schedule of Hooligan"
    return found


def _lines(state: HooliganState) -> tuple[Line, ...]:
    """Lines of the sheet; none before the order of play stands."""
    game, turn = state.game, engine.shooter(state)
    if isinstance(game, BankGame):
        return (Line(name="", position=game.position, turn=state.in_progress),)
    if not isinstance(game, PeerGame):
        return ()
    verdict = VERDICTS[game.decides]
    return tuple(
        Line(name=player, position=one, turn=player == turn, mark=f"· {verdict}" if player in game.decided else "")
        for player, one in zip(game.players, game.positions, strict=False)
    )


def standing(schedule: HooliganSchedule, score: int) -> Mapping[str, Any]:
    """What a score pays, and how far the next band is that pays more.

    Returns
    -------
    pays, in minor units; band that pays it, None for none; next band, None for none; needs, the points to it.
    """
    here = next((band for band in schedule.bands if band.low <= score <= band.high), None)
    pays = 0 if here is None else here.pays_minor
    above: Band | None = next((band for band in schedule.bands if band.low > score and band.pays_minor > pays), None)
    return {"pays": pays, "band": here, "next": above, "needs": None if above is None else above.low - score}


def _doing(state: HooliganState, schedule: HooliganSchedule) -> str:
    """Say what is to be done next."""
    position = engine.position(state)
    if not state.in_progress and state.game is not None:
        return over(state.game)
    if position is None:
        return "Throws five dice for the total"
    if position.pending and position.throws_made == schedule.rules.throws_per_frame and position.open_numbers:
        return "The last throw of the frame lies: a number must be named"
    if position.pending:
        return f"Throw {position.throws_made} of {schedule.rules.throws_per_frame} lies: choose"
    named = f", point {position.point}" if position.point else ""
    return f"Throw {position.throws_made + 1} of {schedule.rules.throws_per_frame} is next{named}"


def over(game: Game) -> str:
    """Say that a game is over, and of one among players who wins or pays what.

    >>> from house.domain.ids import PlayerId, RoundId
    >>> game = PeerGame(round=RoundId("1"), decides=Decides.TWO_LOW, schedule="f", groups=((PlayerId("ann"),),))
    >>> over(replace(game, decided=(PlayerId("bob"), PlayerId("ann"))))
    'The game is over: bob and ann pay the drinks, half each'
    """
    if isinstance(game, BankGame):
        return "The game is over"
    return f"The game is over: {' and '.join(game.decided)} {OUTCOMES[game.decides]}"


def _open(state: HooliganState, schedule: HooliganSchedule, text: str) -> Choice | None:
    """The choice that is asked for, if it is open and a throw follows it."""
    try:
        choice = Choice.parse(text) if text else None
    except MoveError:
        return None
    listed = {one: throws for one, throws, _ in _all(state, schedule)}
    return choice if choice is not None and listed.get(choice) else None


def _all(state: HooliganState, schedule: HooliganSchedule) -> list[tuple[Choice, bool, int]]:
    """Choices that are open, whether a throw of the same player follows, and of how many dice."""
    found = []
    for values in engine.open_choices(state, schedule):
        choice = engine.read_choice(values)
        assert choice is not None, "an open choice is one"
        after = engine.choose(state, schedule, choice).state
        goes_on = engine.shooter(after) == engine.shooter(state)
        found.append((choice, goes_on, len(engine.dice_to_throw(after, schedule)) if goes_on else 0))
    return found


def _choices(state: HooliganState, schedule: HooliganSchedule) -> list[Mapping[str, Any]]:
    """Choices other than the dice kept in a last frame, as a page shows them."""
    position = engine.position(state)
    return [
        {
            "value": str(choice),
            "words": words(choice),
            "shows": _shows(choice, position),
            "throws": goes_on,
            "dice": dice,
        }
        for choice, goes_on, dice in _all(state, schedule)
        if choice.kind is not ChoiceKind.KEEP
    ]


def _keeps(state: HooliganState, schedule: HooliganSchedule) -> tuple[int, ...]:
    """Faces that lie where any of them may be kept: the last frame, for Hooligan alone."""
    position = engine.position(state)
    kept = any(values["choice"] == ChoiceKind.KEEP for values in engine.open_choices(state, schedule))
    return position.dice if kept and position is not None else ()


_WORDS: Mapping[ChoiceKind, str] = {
    ChoiceKind.TAKE_UP: "Take up all five",
    ChoiceKind.TAKE: "Take the Hooligan, 20 points",
    ChoiceKind.DECLINE: "Decline it: the frame ends with 0",
    ChoiceKind.STOP: "End the frame",
}


def words(choice: Choice | None, dice: tuple[int, ...] = ()) -> str:
    """Say a choice; None is to throw on.

    Parameters
    ----------
    dice
        Faces that lie, by slot, where dice may be kept.

    Examples
    --------
    >>> words(Choice.parse("name 2")), words(Choice.parse("keep 0 2"), (1, 2, 4, 4, 6)), words(None)
    ('Name 2', 'Keep 1, 4', 'Throw on')
    """
    if choice is None:
        return "Throw on"
    if choice.kind is ChoiceKind.NAME:
        return f"Name {choice.point}"
    if choice.kind is ChoiceKind.KEEP:
        return f"Keep {', '.join(str(dice[slot]) for slot in choice.slots) or 'none'}"
    return _WORDS[choice.kind]


def _said(choice: Choice, position: Position) -> str:
    """Say a choice as the player calls it."""
    said = words(choice, position.dice)
    return said[:1].lower() + said[1:]


def _shows(choice: Choice, position: Position | None) -> str:
    """How many of the dice that lie a choice puts aside; "" for one that puts none aside by its nature."""
    if choice.kind is not ChoiceKind.NAME or position is None:
        return ""
    return f"{position.dice.count(choice.point) or 'none'} kept"


def _advice(state: HooliganState, schedule: HooliganSchedule) -> list[Mapping[str, Any]]:
    """What each choice is worth to the best player: money against the house, mean score among peers."""
    position = engine.position(state)
    if position is None or not engine.open_choices(state, schedule):
        return []
    bank, rules = isinstance(state.game, BankGame), schedule.rules
    unit = 10**schedule.header.decimals if bank else 1
    wanted = schedule.law if bank else tuple(range(rules.perfect_score + 1))
    valued = advise(_solved(rules, wanted), position)
    return [_advised(one, position, unit) for one in islice(valued, ADVISED)]


def _advised(one: Advice, position: Position, unit: int) -> Mapping[str, str]:
    value, cost = one.mean_minor / unit, one.cost_minor / unit
    return {
        "words": words(one.choice, position.dice),
        "value": f"{value:.4f}",
        "cost": f"{cost:.4f}" if cost > 0 else DASH,
    }


@lru_cache(maxsize=8)
def _solved(rules: HooliganRules, pays: tuple[int, ...]) -> Solution:
    return solve(rules, pays)


REGIONS: Mapping[str, Region] = {
    "hooligan": Region(Scope.PIT_READ, "hooligan/live.html", at, at_table),
}
"""The live part of a counter."""


@router.post("/{table}/{event}")
def change(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, table: str, event: str) -> Response:
    """Carry out what a form of the counter asks for."""
    if event not in EVENTS:
        raise Refused(Refusal.NOT_FOUND, "nothing of this name is done at a counter")

    def shows(posted: Posted) -> HTMLResponse:
        refused = posted.refused
        named = posted if refused is None else posted.refusing(_named(refused))
        return _counter(request, house, visitor, table, named)

    kept = {"advise": form.optional("advise"), "seeds": form.optional("player") if event == "seeds" else ""}
    asked = urlencode({name: value for name, value in kept.items() if value})
    to = shell.address("/hooligan", table) + (f"?{asked}" if asked else "")
    make = EVENTS[event]
    return shell.carry_out(
        request, visitor, form, lambda form: make(house, table, form), to=to, said=dealing.called, shows=shows
    )


def _throw(house: House, table: str, form: Posted) -> Command[Any]:
    """The throw of the dice that the choice leaves to be thrown."""
    view = tables.table(house, table)
    state = HooliganState.from_json(dict(view.state))
    choice = _choice(form)
    slots = engine.dice_to_throw(state, _schedule(house, view, state), choice)
    return dealing.thrown(view, form, slots, None if choice is None else str(choice))


def _choice(form: Posted) -> Choice | None:
    """The choice before a throw. Refused: BAD_CHOICE."""
    text = form.optional("choice")
    try:
        return Choice.parse(text) if text else None
    except MoveError as error:
        raise Refused(Refusal.BAD_CHOICE, str(error), "choice") from None


def _peers(_: House, table: str, form: Posted) -> Command[Any]:
    decides = form.text("decides")
    if decides not in tuple(Decides):
        raise Refused(Refusal.BAD_VALUE, f"decides must be one of {', '.join(Decides)}", "decides")
    return hooligan.StartPeerGame(table=table, players=form.many("players"), decides=Decides(decides))


def _named(refused: Refused) -> Refused:
    """The refusal of one of several players, beside the field of all, with his id.

    >>> one = Refused(Refusal.NOT_FOUND, "no player with this id is registered", "players[1]", "zoe")
    >>> _named(one).message, _named(one).field
    ('no player with the id zoe is registered', 'players')
    """
    if not refused.field.startswith("players["):
        return refused
    return replace(refused, field="players", message=refused.message.replace("this id", f"the id {refused.value}"))


EVENTS: Mapping[str, Callable[[House, str, Posted], Command[Any]]] = {
    "games": lambda _, table, form: hooligan.StartGame(table=table, player=form.text("player")),
    "peer-games": _peers,
    "choices": lambda _, table, form: hooligan.Choose(table=table, choice=form.text("choice")),
    "throws": _throw,
    "draws": lambda _, table, form: dealing.draw(table, form.optional("choice") or None),
    "tokes": lambda _house, _table, form: dealing.toke(form),
    "seeds": lambda _house, _table, form: dealing.seeding(form),
    "corrections": lambda _, table, form: dealing.correction(table, form),
}
"""Last word of an address: how its form becomes a command."""
