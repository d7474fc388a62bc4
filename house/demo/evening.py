"""All tables at once: a client and a thread each, with its own dice and its own chance, so that a seed is a story."""

import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import closing

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from house.demo.client import Client
from house.demo.script import Script, play

QUARTERS = ("A quarter", "Half", "Three quarters", "All")


class Called(Exception):
    """The other table's evening ended in an error, so this one is called off."""


class Milestones:
    """Tells both tables' progress: a bar on a terminal, and a line whenever both have come another quarter of the way.

    The lines are the same for every run of a seed, whichever table is ahead.
    """

    def __init__(self, console: Console, totals: Mapping[str, int]) -> None:
        self._console, self._totals = console, totals
        self._done = dict.fromkeys(totals, 0)
        self._told = 0
        self._lock = threading.Lock()
        self.called_off = threading.Event()
        shown = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total}"))
        errors = Console(stderr=True)
        self.bar = Progress(
            *shown, TimeElapsedColumn(), console=errors, disable=not sys.stderr.isatty(), transient=True
        )
        self._tasks = {what: self.bar.add_task(what, total=total) for what, total in totals.items()}

    def of(self, what: str) -> Callable[[int], None]:
        """The progress callback of one table."""

        def told(done: int) -> None:
            if self.called_off.is_set():
                raise Called
            with self._lock:
                self._done[what] = done
                self.bar.update(self._tasks[what], completed=done)
                while self._told < 4 and all(
                    4 * self._done[name] >= (self._told + 1) * total for name, total in self._totals.items()
                ):
                    self._told += 1
                    sums = ", ".join(f"{total * self._told // 4} {name}" for name, total in self._totals.items())
                    self._console.print(f"  {QUARTERS[self._told - 1]} of the evening is over: {sums}.")

        return told


def at_once(client: Callable[[str], Client], scripts: Mapping[str, Script[int]], milestones: Milestones) -> int:
    """Play every script, each by a client of its own name in its own thread; return the sum of their results.

    Raises
    ------
    Refused
        If the house refused anything; the other tables are called off.
    """

    def table(name: str, script: Script[int]) -> int:
        with closing(client(name)) as own:
            return play(script, own)

    with milestones.bar, ThreadPoolExecutor(len(scripts)) as pool:
        tables: list[Future[int]] = [pool.submit(table, name, script) for name, script in scripts.items()]
        wait(tables, return_when=FIRST_EXCEPTION)
        if any(each.done() and each.exception() for each in tables):
            milestones.called_off.set()
        wait(tables)
    failures = [error for each in tables if (error := each.exception()) is not None and not isinstance(error, Called)]
    if failures:
        raise failures[0]
    return sum(each.result() for each in tables)
