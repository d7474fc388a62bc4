"""Running a table: opening it, its dice and schedule, fills and credits, buy-ins at it, its drop box, closing it."""

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import shell
from house.console.pit import doing
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.domain.slips import SlipKind
from house.service import cage, pit, schedules, slips, tables
from house.service.desk import Command, House, check_allowed
from house.service.tables import Method

router = APIRouter(prefix="/tables")


@router.get("/open")
def opening(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Ask what a new table shall be."""
    return _opening(request, house, visitor)


def _opening(request: Request, house: House, visitor: Visit, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.TABLES_WRITE)
    newest = {(one.game, one.name): one for one in schedules.schedules(house)}
    offered = [(f"{game} {name}", f"{game}: {name} (v{one.version})") for (game, name), one in newest.items()]
    return shell.page(
        request,
        visitor,
        "pit/opening.html",
        posted=posted,
        schedules=offered,
        methods=[(method.value, METHODS[method]) for method in Method],
        vault=cage.vault(house),
    )


METHODS: Mapping[Method, str] = {
    Method.BOX: "from a box",
    Method.GALLERY: "from a gallery's cage",
    Method.HAND: "by hand",
    Method.MACHINE: "by a machine",
    Method.RNG: "drawn by the house's generator",
}


@router.post("/open")
def open_table(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """Open a table."""

    def command(form: Posted) -> tables.OpenTable:
        game, _, schedule = form.text("schedule").partition(" ")
        return tables.OpenTable(
            table=form.text("table"),
            game=game,
            schedule=schedule,
            opener_minor=form.money("opener_minor"),
            dice=form.many("dice"),
            box=form.optional("box") or None,
            method=_method(form),
        )

    def shows(posted: Posted) -> HTMLResponse:
        return _opening(request, house, visitor, posted)

    def to(table: tables.TableView) -> str:
        return shell.address(f"/{table.game}", table.table)

    return shell.carry_out(request, visitor, form, command, to=to, said="The table is open.", shows=shows)


def _method(form: Posted) -> Method:
    try:
        return Method(form.text("method"))
    except ValueError:
        raise Refused(Refusal.BAD_VALUE, f"method must be one of {', '.join(Method)}", "method") from None


@router.get("/{table}")
def show_table(request: Request, house: TheHouse, visitor: Visitor, table: str) -> HTMLResponse:
    """Show how a table stands, with the forms of whoever runs it."""
    return _table(request, house, visitor, table)


def _table(request: Request, house: House, visitor: Visit, table: str, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.PIT_READ)
    view = tables.table(house, table)
    versions = [one for one in schedules.schedules(house) if (one.game, one.name) == (view.game, view.schedule)]
    return shell.page(
        request,
        visitor,
        "pit/table.html",
        posted=posted,
        table=view,
        versions=[(one.version, f"version {one.version}") for one in reversed(versions)],
        slips=_slips_of(house, table) if visitor.may(Scope.BOOKS_READ) else (),
        **table_glance(house, table),
    )


def table_glance(house: House, table: str) -> Mapping[str, Any]:
    """What is shown of one table at a glance."""
    glance = pit.glance(house, table)
    return {"glance": glance, "doing": doing(glance)}


def _slips_of(house: House, table: str) -> list[slips.Slip]:
    every = [slip for kind in SlipKind for slip in slips.slips(house, kind) if slip.table == table]
    return sorted(every, key=lambda slip: slip.record)


@router.post("/{table}/{event}")
def change(request: Request, house: TheHouse, visitor: Visitor, form: Form, *, table: str, event: str) -> Response:
    """Carry out what a form of the table's page asks for."""
    if event not in EVENTS:
        raise Refused(Refusal.NOT_FOUND, "nothing of this name is done at a table")

    def shows(posted: Posted) -> HTMLResponse:
        return _table(request, house, visitor, table, posted)

    make, said = EVENTS[event]
    amount = shell.amount_of(request, form)
    return shell.carry_out(
        request,
        visitor,
        form,
        lambda form: make(table, form),
        to=shell.address("/tables", table),
        said=said.format(table=table, amount=amount, player=form.optional("player")),
        shows=shows,
    )


def _dice(table: str, form: Posted) -> Command[Any]:
    return tables.ChangeDice(table=table, dice=form.many("dice"), box=form.optional("box") or None)


def _schedule(table: str, form: Posted) -> Command[Any]:
    return tables.ChangeSchedule(table=table, version=form.whole("version"))


def _close(table: str, _: Posted) -> Command[Any]:
    return tables.CloseTable(table=table)


def _slip(kind: SlipKind) -> Callable[[str, Posted], Command[Any]]:
    return lambda table, form: slips.WriteSlip(kind=kind, table=table, amount_minor=form.money("amount_minor"))


def _void(_: str, form: Posted) -> Command[Any]:
    kind, _, number = form.text("slip").partition(" ")
    if kind not in tuple(SlipKind) or not number.isascii() or not number.isdigit() or len(number) > 12:
        raise Refused(Refusal.BAD_VALUE, "slip must be one of this table", "slip")
    return slips.VoidSlip(kind=SlipKind(kind), number=int(number), reason=form.text("reason"))


def _buy_in(table: str, form: Posted) -> Command[Any]:
    return slips.TableBuyIn(table=table, player=form.text("player"), amount_minor=form.money("amount_minor"))


def _count(table: str, form: Posted) -> Command[Any]:
    return slips.CountDrop(table=table, counted_minor=form.money("counted_minor"))


EVENTS: Mapping[str, tuple[Callable[[str, Posted], Command[Any]], str]] = {
    "dice": (_dice, "Other dice are in play at {table}."),
    "schedule": (_schedule, "New bets at {table} go by the other version."),
    "closing": (_close, "{table} is closed."),
    "fills": (_slip(SlipKind.FILL), "Fill of {amount} to {table}."),
    "credits": (_slip(SlipKind.CREDIT), "Credit of {amount} from {table}."),
    "voids": (_void, "The slip is void."),
    "buy-ins": (_buy_in, "{player} bought in for {amount} at {table}."),
    "counts": (_count, "The drop box of {table} is counted."),
}
"""Last word of an address: how its form becomes a command, and what the next page says."""
