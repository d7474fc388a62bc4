"""The shift: stiff sheets, theoretical and actual win, the day's book; as papers to print, as CSV, as JSON Lines."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from house.console import shell
from house.console.session import Form, Posted, TheHouse, Visit, Visitor
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service import books, expected, papers, pit, sheets, shifts
from house.service.desk import House, check_allowed
from house.service.papers import Paper

router = APIRouter(prefix="/shift")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is asked of: a gaming day or a shift, one table or all, a player.

    Parameters
    ----------
    shift
        Number of a shift; 0 for the gaming day.
    table, player
        Ids; "" for all.
    """

    day: str
    shift: int = 0
    table: str = ""
    player: str = ""

    @property
    def query(self) -> str:
        """The same as the query of an address."""
        return shell.query(day=self.day, shift=self.shift or "", table=self.table, player=self.player)


def _asked(request: Request, house: House) -> Asked:
    asked = request.query_params
    number = asked.get("shift", "")
    return Asked(
        day=sheets.check_day(asked.get("day") or house.gaming_day()),
        shift=int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0,
        table=asked.get("table", "")[:64],
        player=asked.get("player", "")[:64],
    )


@router.get("")
def show_shift(request: Request, house: TheHouse, visitor: Visitor) -> HTMLResponse:
    """Show a gaming day or a shift."""
    return _shift(request, house, visitor)


def _shift(request: Request, house: House, visitor: Visit, posted: Posted | None = None) -> HTMLResponse:
    check_allowed(visitor.actor, Scope.BOOKS_READ)
    asked = _asked(request, house)
    ended = shifts.shifts(house)
    last = ended[-1].number if ended else 0
    choices = [(shift.number, f"{shift.number}: {shift.name}, {shift.gaming_day}") for shift in reversed(ended)]
    return shell.page(
        request,
        visitor,
        "shift/shift.html",
        posted=posted,
        asked=asked,
        sheet=_sheet(house, asked),
        expected=_expected(house, asked),
        shifts=[("", "the gaming day"), (last + 1, f"{last + 1}: in progress"), *choices],
        papers=[(name, PAPERS[name].title) for name in ("sheet", "expected", "book", "mispays")],
        racks=[one for one in pit.glances(house) if one.open],
    )


def _sheet(house: House, asked: Asked) -> sheets.StiffSheet:
    table = asked.table or None
    if asked.shift:
        return sheets.sheet_of_shift(house, asked.shift, table)
    return sheets.sheet_of_day(house, asked.day, table)


def _expected(house: House, asked: Asked) -> expected.Expected:
    table = asked.table or None
    if asked.shift:
        return expected.expected_of_shift(house, asked.shift, table)
    return expected.expected_of_day(house, asked.day, table)


@router.post("/end")
def end_shift(request: Request, house: TheHouse, visitor: Visitor, form: Form) -> Response:
    """End the shift, with the racks that two people counted."""

    def command(form: Posted) -> shifts.EndShift:
        racks = [one.table for one in pit.glances(house) if one.open]
        counts = tuple(
            shifts.RackCount(table=table, counted_minor=form.money(f"rack-{table}"))
            for table in racks
            if form.optional(f"rack-{table}")
        )
        return shifts.EndShift(name=form.text("name"), counts=counts)

    def to(done: shifts.ShiftEnded) -> str:
        return f"/shift?shift={done.shift.number}"

    def shows(posted: Posted) -> HTMLResponse:
        return _shift(request, house, visitor, posted)

    return shell.carry_out(request, visitor, form, command, to=to, said="The shift is ended.", shows=shows)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of paper: its title, what whoever reads it must be allowed, and how it is made."""

    title: str
    scope: Scope
    make: Callable[[House, Asked], Paper]


def _book(house: House, asked: Asked) -> Paper:
    return papers.book(books.day_book(house, asked.day), asked.day)


def _statement(house: House, asked: Asked) -> Paper:
    return papers.statement(books.statement(house, asked.player, asked.day, asked.day), asked.day, asked.day)


PAPERS: Mapping[str, _Kind] = {
    "sheet": _Kind("Stiff sheet", Scope.BOOKS_READ, lambda house, asked: papers.sheet(_sheet(house, asked))),
    "expected": _Kind(
        "Theoretical and actual win", Scope.BOOKS_READ, lambda house, asked: papers.expected(_expected(house, asked))
    ),
    "book": _Kind("The day's book", Scope.BOOKS_READ, _book),
    "statement": _Kind("A player's statement", Scope.BOOKS_READ, _statement),
    "mispays": _Kind("Mispay audit", Scope.BOOKS_READ, lambda house, asked: papers.mispays(books.mispays(house))),
}
"""Papers by the last word of their address."""


LINES = 500
"""Lines of a paper on one page; files have them all."""


def _leaf(request: Request, lines: int) -> range:
    """The lines of a paper that a page shows, from the one that the address asks for."""
    asked = request.query_params.get("from", "")
    first = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 0
    first = min(first, max(lines - 1, 0)) // LINES * LINES
    return range(first, min(first + LINES, lines))


@router.get("/papers/{name}")
def show_paper(request: Request, house: TheHouse, visitor: Visitor, name: str, form: str = "html") -> Response:
    """Show a paper to print, or give it as CSV or JSON Lines."""
    if name not in PAPERS or form not in tuple(papers.Form):
        raise Refused(Refusal.NOT_FOUND, "the house writes no such paper", "name")
    kind = PAPERS[name]
    check_allowed(visitor.actor, kind.scope)
    asked = _asked(request, house)
    paper = kind.make(house, asked)
    if form == "html":
        leaf = _leaf(request, len(paper.rows))
        return shell.page(
            request, visitor, "shift/paper.html", paper=paper, name=name, asked=asked, leaf=leaf, lines=LINES
        )
    media, write = papers.WRITERS[papers.Form(form)]
    named = f'attachment; filename="{paper.name}-{asked.day}.{form}"'
    return Response(write(paper), media_type=media, headers={**shell.HEADERS, "Content-Disposition": named})
