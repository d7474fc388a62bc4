"""A craps table: the felt with its bets, the throw, what was paid and taken, the rail, corrections."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import dealing, shell
from house.console.drawing import chips, printed
from house.console.drawing.felt import Viewer, felt
from house.console.regions import Region, at_table
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.wagers import Wager
from house.engines.craps import CrapsState, Schedules, is_working
from house.engines.craps.state import number_of
from house.service import cage, schedules, tables, wagers
from house.service.desk import Command, House, check_allowed
from house.service.tables import TableView
from house.service.wagers import Bet, Call, Press, TakeDown, WagerCall
from payouts.craps.bets import Group
from payouts.craps.terms import CrapsSchedule

router = APIRouter(prefix="/craps")

CHIPS = (1, 5, 25, 100, 500, 1000)
"""Chips of the rack, in whole units of the currency."""
KEPT = ("player", "chip", "toke")
"""What the next bet is likely to have as well."""


@router.get("/{table}")
def show_table(request: Request, house: TheHouse, visitor: Visitor, table: str) -> HTMLResponse:
    """Show a craps table."""
    return _table(request, house, visitor, table)


def _table(request: Request, house: House, visitor: Visit, table: str, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.PIT_READ)
    bets = visitor.may(Scope.WAGERS_WRITE)
    shown = at(house, table, bets=bets)
    view: TableView = shown["table"]
    asked = request.query_params
    unit = 10 ** shown["schedule"].header.decimals
    return shell.page(
        request,
        visitor,
        "craps/table.html",
        posted=posted,
        **shown,
        **dealing.entering(view),
        part=f"craps/{table}" if bets else f"craps-seen/{table}",
        chips=[chip * unit for chip in CHIPS],
        chosen={name: asked.get(name, "")[:64] for name in KEPT},
        spots=_spots(shown["schedule"]) if bets else (),
        **dealing.seeds_of(house, view, asked.get("seeds", "")[:64] or shown["shooter"]),
        wallets=_wallets(house, shown["seats"]) if bets else {},
    )


def _spots(schedule: CrapsSchedule) -> list[tuple[str, str]]:
    """Every spot as a choice of a list."""
    return [(f"{bet}:{spot}", printed.sentence(schedule, bet, spot)) for bet, spot in printed.offered(schedule)]


def _wallets(house: House, players: Mapping[str, Any]) -> dict[str, int]:
    return {player: cage.balance(house, player).wallet_minor for player in players}


def at(house: House, table_id: str, *, bets: bool) -> Mapping[str, Any]:
    """What everybody sees of a craps table: the felt, what rides, the rail, the last throw. Refused: NOT_FOUND.

    Parameters
    ----------
    bets
        Whether its spots are buttons.
    """
    view = tables.table(house, table_id)
    if view.game != "craps":
        raise Refused(Refusal.NOT_FOUND, "no craps table has this id", "table")
    state = CrapsState.from_json(dict(view.state))
    by = _schedules(house, view, state)
    seats = chips.seats((*state.rail, *sorted({wager.player for wager in state.wagers} - set(state.rail))))
    return {
        "table": view,
        "state": state,
        "schedule": by.current,
        "shooter": state.rail[0] if state.rail else None,
        "seats": seats,
        "marks": chips.legend(seats),
        "felt": felt(by, state, Viewer(seats=seats, bets=bets and view.open)),
        "bets": bets and view.open,
        "riding": [_riding(wager, state, by) for wager in state.wagers],
        "total": sum(wager.stake for wager in state.wagers),
        "odds_words": odds_words(by.current),
        **dealing.last(house, table_id, lambda one: printed.name(by.current, one.bet, one.spot)),
    }


def _schedules(house: House, view: TableView, state: CrapsState) -> Schedules:
    """The schedules by which a table's bets are made and settled."""
    earlier = dict.fromkeys(wager.schedule for wager in state.wagers if wager.schedule != view.fingerprint)
    with house.read() as connection:
        found = [schedules.of(house, connection, one) for one in (view.fingerprint, *earlier)]
    current, *others = (one for one in found if isinstance(one, CrapsSchedule))
    return Schedules(current, tuple(others))


def _riding(wager: Wager, state: CrapsState, by: Schedules) -> Mapping[str, Any]:
    """A line of what rides."""
    schedule = by.of(wager)
    bet = schedule.bets[wager.bet].bet
    number = number_of(wager) if bet.group is Group.LINE else 0
    name = printed.name(schedule, wager.bet, wager.spot)
    return {
        "wager": wager,
        "bet": f"{name} on {number}" if number and not wager.spot else name,
        "paid": printed.paid(schedule, wager.bet, wager.spot),
        "works": is_working(wager, state.point, schedule),
        "called": wager.called is not None,
        "flat": bool(number),
    }


def odds_words(schedule: CrapsSchedule) -> str:
    """The odds that a table gives, as its sign says it.

    Examples
    --------
    >>> from payouts.schedule import load, shipped
    >>> odds_words(load(shipped("craps", "strip-345x"))), odds_words(load(shipped("craps", "downtown-10x")))
    ('3-4-5x odds', '10x odds')
    """
    if "odds" not in schedule.bets:
        return "no odds"
    multiples = dict.fromkeys(schedule.table.odds_limit[point] for point in sorted(schedule.table.points))
    return f"{'-'.join(map(str, sorted(multiples)))}x odds"


def _part(bets: bool) -> Callable[[House, str], Mapping[str, Any]]:
    return lambda house, table: at(house, table, bets=bets)


REGIONS: Mapping[str, Region] = {
    "craps": Region(Scope.WAGERS_WRITE, "craps/live.html", _part(True), at_table),
    "craps-seen": Region(Scope.PIT_READ, "craps/live.html", _part(False), at_table),
    "craps-glance": Region(Scope.PIT_READ, "craps/glance.html", _part(False), at_table),
}
"""The live parts of a table: the felt for whoever may bet and for whoever watches, and the last throw."""


@router.post("/{table}/{event}")
def change(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, table: str, event: str) -> Response:
    """Carry out what a form of the table asks for."""
    if event not in EVENTS:
        raise Refused(Refusal.NOT_FOUND, "nothing of this name is done at a craps table")

    def shows(posted: Posted) -> HTMLResponse:
        return _table(request, house, visitor, table, posted)

    make, to = EVENTS[event]
    kept = urlencode({name: form.optional(name) for name in KEPT if form.optional(name)}) if event == "bets" else ""
    return shell.carry_out(
        request,
        visitor,
        form,
        lambda form: make(house, table, form),
        to=shell.address("/craps", table) + (f"?{kept}" if kept else "") + to,
        said=dealing.called,
        shows=shows,
    )


def _bets(house: House, table: str, form: Posted) -> Command[Any]:
    """The bet that was tapped: the player's chips on the spot."""
    bet, _, spot = form.text("listed" if form.text("at") == "listed" else "at").partition(":")
    player = form.text("player")
    stake = form.money("stake_minor" if form.optional("stake_minor") else "chip")
    asked = Bet(player=player, bet=bet, spot=spot, stake_minor=stake, toke=form.ticked("toke"))
    return wagers.PlaceBets(table=table, bets=(replace(asked, parent=_parent(house, table, asked)),))


def _parent(house: House, table: str, asked: Bet) -> str | None:
    """The flat wager of the player behind which odds go. Refused: NO_PARENT_BET, where there are several."""
    view = tables.table(house, table)
    state = CrapsState.from_json(dict(view.state))
    schedule = _schedules(house, view, state).current
    parents = schedule.bets[asked.bet].bet.parents if asked.bet in schedule.bets else ()
    flats = [one for one in state.wagers if one.bet in parents and one.player == asked.player]
    there = [one.id for one in flats if str(number_of(one)) == asked.spot]
    if len(there) > 1:
        message = (
            f"{asked.player} has {len(there)} flat bets on {asked.spot}: put odds behind one in the list of what rides"
        )
        raise Refused(Refusal.NO_PARENT_BET, message, "at", asked.player)
    return there[0] if there else None


def _riders(form: Posted) -> tuple[str, ...]:
    """The wagers that are ticked. Refused: BAD_VALUE."""
    return form.many("wagers") or _refuse("wagers", "tick at least one bet that rides")


def _refuse(field: str, message: str) -> Any:
    raise Refused(Refusal.BAD_VALUE, message, field)


def _press(_: House, table: str, form: Posted) -> Command[Any]:
    amount = form.money("stake_minor")
    riders = tuple(Press(wager=wager, stake_minor=amount) for wager in _riders(form))
    return wagers.PressBets(table=table, wagers=riders)


def _take_down(_: House, table: str, form: Posted) -> Command[Any]:
    return wagers.TakeDownBets(table=table, wagers=tuple(TakeDown(wager=wager) for wager in _riders(form)))


def _reduce(_: House, table: str, form: Posted) -> Command[Any]:
    amount = form.money("stake_minor")
    riders = tuple(TakeDown(wager=wager, stake_minor=amount) for wager in _riders(form))
    return wagers.TakeDownBets(table=table, wagers=riders)


def _odds(house: House, table: str, form: Posted) -> Command[Any]:
    """Odds behind each wager that is ticked: taken behind those that bet right, laid behind the others."""
    riding = {one["wager"]: one for one in wagers.riding(house, table)}
    flats = [riding.get(wager) or _refuse("wagers", "one of these bets rides no more") for wager in _riders(form)]
    amount = form.money("stake_minor")
    behind = tuple(
        Bet(
            player=flat["player"],
            bet="lay_odds" if flat["bet"] in ("dont_pass", "dont_come") else "odds",
            stake_minor=amount,
            parent=flat["wager"],
            toke=flat["toke"],
        )
        for flat in flats
    )
    return wagers.PlaceBets(table=table, bets=behind)


def _call(call: Call) -> Callable[[House, str, Posted], Command[Any]]:
    def made(_: House, table: str, form: Posted) -> Command[Any]:
        return wagers.CallWagers(table=table, calls=tuple(WagerCall(wager=one, call=call) for one in _riders(form)))

    return made


def _throw(house: House, table: str, form: Posted) -> Command[Any]:
    return dealing.thrown(tables.table(house, table), form, (0, 1))


Made = Callable[[House, str, Posted], Command[Any]]

EVENTS: Mapping[str, tuple[Made, str]] = {
    "bets": (_bets, "#felt"),
    "presses": (_press, "#riding"),
    "take-downs": (_take_down, "#riding"),
    "reductions": (_reduce, "#riding"),
    "odds": (_odds, "#riding"),
    "working": (_call(Call.WORKING), "#riding"),
    "off": (_call(Call.OFF), "#riding"),
    "rule": (_call(Call.RULE), "#riding"),
    "throws": (_throw, ""),
    "draws": (lambda _house, table, _form: dealing.draw(table), ""),
    "arrivals": (lambda _house, table, form: wagers.JoinRail(table=table, player=form.text("player")), "#rail"),
    "departures": (lambda _house, table, form: wagers.LeaveRail(table=table, player=form.text("player")), "#rail"),
    "tokes": (lambda _house, _table, form: dealing.toke(form), "#tokes"),
    "seeds": (lambda _house, _table, form: dealing.seeding(form), ""),
    "corrections": (lambda _house, table, form: dealing.correction(table, form), ""),
}
"""Last word of an address: how its form becomes a command, and where on the page to go on."""
