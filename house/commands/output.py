"""How every command speaks: tables for people, one JSON document for machines, progress on standard error."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from threading import Timer
from typing import Annotated, NoReturn

import typer

from house.settings import without_password
from house.showing import console

__all__ = ["DatabaseUrl", "Exit", "Json", "give_up", "print_json", "without_password", "working", "write"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document for machines.")]
DatabaseUrl = Annotated[
    str | None,
    typer.Option("--database", help="Database, sqlite:///FILE or postgresql://...; without it, that of the settings."),
]


PATIENCE_S = 2.0
"""Seconds of work before a progress bar shows."""


class Exit(IntEnum):
    """Exit codes of every command."""

    DONE = 0
    BAD_ANSWER = 1
    NOT_DONE = 2


def print_json(document: object) -> None:
    """Print one JSON document; what is undefined is null, never NaN."""
    sys.stdout.write(json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def write(file: Path, text: str) -> None:
    """Write a text file that an option names."""
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        give_up(f"{file} must be a file that can be written, got {error.strerror or error}")


@contextmanager
def working(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, only on a terminal, while work goes on for more than `PATIENCE_S`.

    Parameters
    ----------
    total
        Steps of the work; None where they are not known beforehand.

    Yields
    ------
    callable
        To be called with the number of steps done since the last call.
    """
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)
    late = Timer(PATIENCE_S, bar.start)
    late.start()
    try:
        yield lambda done: bar.advance(task, done)
    finally:
        late.cancel()
        late.join()
        bar.stop()


def give_up(message: str) -> NoReturn:
    """Say on standard error why a command could not be done, and leave with code 2."""
    sys.stderr.write(f"floorman: {message}\n")
    raise typer.Exit(Exit.NOT_DONE)
