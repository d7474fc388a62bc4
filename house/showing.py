"""How figures are laid out for people: rich tables on a console that never wraps into a narrow pipe."""

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

WIDTH = 140
"""Columns of a table where standard output is no terminal."""


def console(stderr: bool = False) -> Console:
    """A console that never wraps into a narrow pipe."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(stderr=stderr, width=None if stream.isatty() else WIDTH, highlight=False, soft_wrap=False)


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], left: int = 1) -> Table:
    """Lay out a table; the first `left` columns are text, the others figures."""
    laid = Table(
        title=title, title_justify="left", title_style="bold", header_style="bold", min_width=min(len(title), WIDTH)
    )
    for index, name in enumerate(columns):
        laid.add_column(name, justify="left" if index < left else "right", overflow="fold")
    for row in rows:
        laid.add_row(*(str(cell) for cell in row))
    return laid
