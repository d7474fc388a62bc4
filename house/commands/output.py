"""How every command speaks: tables for people, one JSON document for machines, progress on standard error."""

import json
import sys
from enum import IntEnum
from typing import Annotated, NoReturn

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option("--database", help="Database, sqlite:///FILE or postgresql://...; without it, that of the settings."),
]


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    BAD_ANSWER = 1
    NOT_DONE = 2


def print_json(document: object) -> None:
    """Print one JSON document; what is undefined is null, never NaN."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


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
