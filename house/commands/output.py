"""How every command speaks: tables for people, one JSON document for machines, progress on standard error."""

import json
import sys
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.table import Table

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option("--database", help="Database, sqlite:///FILE or postgresql://...; without it, that of the settings."),
]

WIDTH = 120
"""Columns of a table where standard output is no terminal."""


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    BAD_ANSWER = 1
    NOT_DONE = 2


def console(stderr: bool = False) -> Console:
    """A console that never wraps into a narrow pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else WIDTH, highlight=False, soft_wrap=False)


def print_json(document: object) -> None:
    """Print one JSON document; what is undefined is null, never NaN."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], left: int = 1) -> Table:
    """Lay out a table; the first `left` columns are text, the others figures."""
    laid = Table(title=title, title_justify="left", title_style="bold", header_style="bold")
    for index, name in enumerate(columns):
        laid.add_column(name, justify="left" if index < left else "right", overflow="fold")
    for row in rows:
        laid.add_row(*(str(cell) for cell in row))
    return laid


def give_up(message: str) -> NoReturn:
    """Say on standard error why a command could not be done, and leave with code 2."""
    sys.stderr.write(f"floorman: {message}\n")
    raise typer.Exit(Exit.NOT_DONE)


def without_password(database: str) -> str:
    """Show a database URL without who opens it.

    >>> without_password("postgresql://ann:secret@localhost/house")
    'postgresql://localhost/house'
    """
    scheme, separator, rest = database.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2]}"
