"""The house's own reports, made from its database whether or not it is open: sheets, expected win, books, mispays."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import DatabaseUrl, Exit, Json, print_json, write
from house.settings import load_settings
from house.showing import console, table

if TYPE_CHECKING:
    from house.service.desk import House
    from house.service.papers import Paper

Period = Annotated[str, typer.Argument(help="A gaming day like 2026-07-01, or the number of a shift.")]
Day = Annotated[str, typer.Argument(help="A gaming day like 2026-07-01.")]
Table = Annotated[str | None, typer.Option("--table", help="One table; without it, all.")]
Csv = Annotated[Path | None, typer.Option("--csv", help="Write it for a spreadsheet here.", dir_okay=False)]
JsonLines = Annotated[Path | None, typer.Option("--jsonl", help="Write it as JSON Lines here.", dir_okay=False)]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page to print and sign here.", dir_okay=False)]


def sheet(
    period: Period,
    *,
    only: Table = None,
    database: DatabaseUrl = None,
    csv: Csv = None,
    jsonl: JsonLines = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Make the stiff sheet of a gaming day or a shift: opener, fills, credits, drop, closer, win, hold.

    Example: floorman report sheet 2026-07-01 --html sheet.html
    """
    from house.service import papers, sheets

    with _open(database) as house:
        shift = _shift(period)
        made = sheets.sheet_of_day(house, period, only) if shift is None else sheets.sheet_of_shift(house, shift, only)
    _give(papers.sheet(made), csv, jsonl, html, as_json)


def expected(
    period: Period,
    *,
    only: Table = None,
    database: DatabaseUrl = None,
    csv: Csv = None,
    jsonl: JsonLines = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Compare the win of a gaming day or a shift with what its wagers ought to bring, within exact limits.

    Example: floorman report expected 2026-07-01 --table craps-1
    """
    from house.service import expected as service
    from house.service import papers

    with _open(database) as house:
        shift = _shift(period)
        made = (
            service.expected_of_day(house, period, only)
            if shift is None
            else service.expected_of_shift(house, shift, only)
        )
    _give(papers.expected(made), csv, jsonl, html, as_json)


def book(
    day: Day,
    *,
    database: DatabaseUrl = None,
    csv: Csv = None,
    jsonl: JsonLines = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Show every entry of a gaming day, line by line.

    Example: floorman report book 2026-07-01 --csv book.csv
    """
    from house.service import books, papers

    with _open(database) as house:
        made = books.day_book(house, day)
    _give(papers.book(made, day), csv, jsonl, html, as_json)


def statement(
    player: Annotated[str, typer.Argument(help="Id of the player.")],
    first: Annotated[str, typer.Argument(help="First gaming day, like 2026-07-01.")],
    last: Annotated[str, typer.Argument(help="Last gaming day, like 2026-07-31.")],
    *,
    database: DatabaseUrl = None,
    csv: Csv = None,
    jsonl: JsonLines = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Show what moved a player's accounts.

    Example: floorman report statement ann 2026-07-01 2026-07-31
    """
    from house.service import books, papers

    with _open(database) as house:
        made = books.statement(house, player, first, last)
    _give(papers.statement(made, first, last), csv, jsonl, html, as_json)


def mispays(
    *,
    database: DatabaseUrl = None,
    csv: Csv = None,
    jsonl: JsonLines = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Compute every settlement again; exit code 1 if anything was paid otherwise than its schedule pays.

    Example: floorman report mispays --database sqlite:///build/demo/house.db
    """
    from house.service import books, papers

    with _open(database) as house:
        made = books.mispays(house)
    _give(papers.mispays(made), csv, jsonl, html, as_json)
    raise typer.Exit(Exit.BAD_ANSWER if made.differences else Exit.DONE)


COMMANDS = (sheet, expected, book, statement, mispays)


def _shift(period: str) -> int | None:
    """The number of a shift; None for a gaming day."""
    return int(period) if re.fullmatch("[0-9]{1,15}", period, re.ASCII) else None


@contextmanager
def _open(database: str | None) -> Iterator["House"]:
    from house.app import open_existing

    with open_existing(load_settings(options={"--database": database})) as house:
        yield house


def _give(paper: "Paper", csv: Path | None, jsonl: Path | None, html: Path | None, as_json: bool) -> None:
    """Print a paper, and write it into the files that were asked for."""
    from house.service import papers

    files = {papers.Form.CSV: csv, papers.Form.JSONL: jsonl, papers.Form.HTML: html}
    for form, file in files.items():
        if file is not None:
            write(file, papers.WRITERS[form][1](paper))
    if as_json:
        print_json(papers.as_json(paper))
        return
    for name, text in (*papers.facts_of(paper), *papers.proof(paper.made)):
        console().print(f"{name}: {text}", markup=False)
    left = sum(column.kind is papers.Kind.TEXT for column in paper.columns[:1])
    console().print(table(paper.title, [column.title for column in paper.columns], papers.shown(paper), left=left))
    for note in paper.notes:
        console().print(f"* {note}", markup=False)
