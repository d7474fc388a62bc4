"""Shifts and their reports: stiff sheets, theoretical win, the day's book, statements, mispays; as files too."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from house.api.bodies import Once
from house.api.deps import (
    AfterNumber,
    AtTable,
    By,
    Key,
    Limit,
    SecondPerson,
    TheHouse,
    page,
    reads,
    shown,
    write,
    writes,
)
from house.api.schemas import shifts as wire
from house.api.schemas.fields import DAY, GREATEST, PlayerId
from house.api.schemas.pages import PAGE, Page
from house.domain.people import Scope
from house.domain.refusals import Refusal
from house.service import books, expected, papers, sheets, shifts
from house.service.papers import Paper

router = APIRouter(tags=["reports"], route_class=Once)

BOOKS = Scope.BOOKS_READ
Number = Annotated[int, Path(ge=1, le=GREATEST, description="Number of a shift; one after the last: in progress")]
Day = Annotated[str, Path(pattern=DAY, description="Gaming day", examples=["2026-07-01"])]
First = Annotated[str, Query(pattern=DAY, description="First gaming day", examples=["2026-07-01"])]
Last = Annotated[str, Query(pattern=DAY, description="Last gaming day", examples=["2026-07-31"])]
Form = Annotated[papers.Form, Query(description="csv, jsonl or html", examples=["csv"])]


@router.post("/shifts", **writes(shifts.EndShift, wire.ShiftEnded, "endShift", Refusal.NOT_FOUND, Refusal.TABLE_CLOSED))
async def end_shift(house: TheHouse, key: Key, by: By, body: wire.NewShiftEnd, *, second: SecondPerson) -> Response:
    """End the shift of the house, with the racks that two people counted."""
    return await write(house, body.command(), key, by, second)


@router.get("/shifts", **reads(Page[wire.Shift], "listShifts", scope=BOOKS))
def list_shifts(request: Request, house: TheHouse, after: AfterNumber = -1, limit: Limit = PAGE) -> Page[wire.Shift]:
    """List the shifts that ended, by number."""
    found = shifts.shifts(house, after, limit)
    return page(request, wire.Shift, found, limit, found[-1].number if len(found) == limit else None)


@router.get("/shifts/{number}/sheet", **reads(wire.StiffSheet, "showShiftSheet", Refusal.NOT_FOUND, scope=BOOKS))
def show_shift_sheet(house: TheHouse, number: Number, table: AtTable = None) -> wire.StiffSheet:
    """Show the stiff sheet of a shift: opener, fills, credits, drop, closer, win, hold."""
    return shown(wire.StiffSheet, sheets.sheet_of_shift(house, number, table))


@router.get("/shifts/{number}/expected", **reads(wire.Expected, "showShiftExpected", Refusal.NOT_FOUND, scope=BOOKS))
def show_shift_expected(house: TheHouse, number: Number, table: AtTable = None) -> wire.Expected:
    """Show theoretical against actual win of a shift, with exact limits."""
    return shown(wire.Expected, expected.expected_of_shift(house, number, table))


@router.get("/days/{gaming_day}/sheet", **reads(wire.StiffSheet, "showDaySheet", Refusal.NOT_FOUND, scope=BOOKS))
def show_day_sheet(house: TheHouse, gaming_day: Day, table: AtTable = None) -> wire.StiffSheet:
    """Show the stiff sheet of a gaming day."""
    return shown(wire.StiffSheet, sheets.sheet_of_day(house, gaming_day, table))


@router.get("/days/{gaming_day}/expected", **reads(wire.Expected, "showDayExpected", Refusal.NOT_FOUND, scope=BOOKS))
def show_day_expected(house: TheHouse, gaming_day: Day, table: AtTable = None) -> wire.Expected:
    """Show theoretical against actual win of a gaming day, with exact limits."""
    return shown(wire.Expected, expected.expected_of_day(house, gaming_day, table))


@router.get("/days/{gaming_day}/book", **reads(wire.Book, "showDayBook", scope=BOOKS))
def show_day_book(house: TheHouse, gaming_day: Day, after: AfterNumber = -1, limit: Limit = PAGE) -> wire.Book:
    """Show the entries of a gaming day beyond one by number, line by line."""
    return shown(wire.Book, books.day_book(house, gaming_day, after, limit))


@router.get("/players/{player}/statement", **reads(wire.Statement, "showStatement", Refusal.NOT_FOUND, scope=BOOKS))
def show_statement(house: TheHouse, player: PlayerId, first: First, last: Last) -> wire.Statement:
    """Show what moved a player's accounts from one gaming day to another."""
    return shown(wire.Statement, books.statement(house, player, first, last))


@router.get("/reports/mispays", **reads(wire.Mispays, "showMispays", scope=BOOKS))
def show_mispays(house: TheHouse) -> wire.Mispays:
    """Compute every settlement again, and show what was paid otherwise than its schedule pays."""
    return shown(wire.Mispays, books.mispays(house))


def as_file(paper: Paper, form: papers.Form) -> Response:
    """Answer with a paper as a file."""
    media_type, written = papers.WRITERS[form]
    name = f'attachment; filename="{paper.name}.{form}"'
    safe = {"Content-Disposition": name, "X-Content-Type-Options": "nosniff"}
    return Response(written(paper), media_type=media_type, headers=safe)


def files(operation: str, *refusals: Refusal, scope: Scope = BOOKS) -> dict[str, Any]:
    """Describe a report as a file, for OpenAPI."""
    described = reads(wire.Made, operation, *refusals, scope=scope)
    content = {media.partition(";")[0]: {"schema": {"type": "string"}} for media, _ in papers.WRITERS.values()}
    responses = {**described["responses"], 200: {"description": "The report as a file", "content": content}}
    return {**described, "response_model": None, "response_class": Response, "responses": responses}


@router.get("/shifts/{number}/sheet/file", **files("printShiftSheet", Refusal.NOT_FOUND))
def print_shift_sheet(house: TheHouse, number: Number, form: Form, table: AtTable = None) -> Response:
    """Give the stiff sheet of a shift as a file: CSV that is no formula, JSON Lines, or a page to print and sign."""
    return as_file(papers.sheet(sheets.sheet_of_shift(house, number, table)), form)


@router.get("/shifts/{number}/expected/file", **files("printShiftExpected", Refusal.NOT_FOUND))
def print_shift_expected(house: TheHouse, number: Number, form: Form, table: AtTable = None) -> Response:
    """Give theoretical against actual win of a shift as a file."""
    return as_file(papers.expected(expected.expected_of_shift(house, number, table)), form)


@router.get("/days/{gaming_day}/sheet/file", **files("printDaySheet", Refusal.NOT_FOUND))
def print_day_sheet(house: TheHouse, gaming_day: Day, form: Form, table: AtTable = None) -> Response:
    """Give the stiff sheet of a gaming day as a file."""
    return as_file(papers.sheet(sheets.sheet_of_day(house, gaming_day, table)), form)


@router.get("/days/{gaming_day}/expected/file", **files("printDayExpected", Refusal.NOT_FOUND))
def print_day_expected(house: TheHouse, gaming_day: Day, form: Form, table: AtTable = None) -> Response:
    """Give theoretical against actual win of a gaming day as a file."""
    return as_file(papers.expected(expected.expected_of_day(house, gaming_day, table)), form)


@router.get("/days/{gaming_day}/book/file", **files("printDayBook"))
def print_day_book(house: TheHouse, gaming_day: Day, form: Form) -> Response:
    """Give the whole book of a gaming day as a file."""
    return as_file(papers.book(books.day_book(house, gaming_day), gaming_day), form)


@router.get("/players/{player}/statement/file", **files("printStatement", Refusal.NOT_FOUND))
def print_statement(house: TheHouse, player: PlayerId, first: First, last: Last, form: Form) -> Response:
    """Give a player's statement as a file."""
    return as_file(papers.statement(books.statement(house, player, first, last), first, last), form)


@router.get("/reports/mispays/file", **files("printMispays"))
def print_mispays(house: TheHouse, form: Form) -> Response:
    """Give the mispay audit as a file."""
    return as_file(papers.mispays(books.mispays(house)), form)
