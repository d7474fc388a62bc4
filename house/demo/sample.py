"""An evening of sample play for whoever sees the console first: a house of its own, played while it is looked at."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path

from house.demo import doors
from house.demo.client import Client
from house.demo.script import Answer, Ask, Script, play
from house.demo.server import fresh, served
from house.demo.staff import STAFF, Employee, hire
from house.demo.story import Plan, guests, schedules, scripts

PACE_S = 0.05
"""Pause after each request, so that the evening can be followed."""

log = logging.getLogger("floorman.sample")


class _Over(Exception):
    """The sample house is closed while it plays."""


class Sample:
    """A sample house, which begins when it is asked for and ends with `close`.

    Attributes
    ----------
    state
        "idle", "opening", "playing", "over" (played to its end; the house stays open) or "failed".
    address
        Where it is served, once it is.
    people
        Who may sign in there: id, role, password.
    trouble
        Why it failed.
    """

    def __init__(self, folder: Path, plan: Plan | None = None, pace_s: float = PACE_S) -> None:
        self._folder, self._plan, self._pace_s = folder, plan or Plan(seed=1), pace_s
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.state, self.address, self.trouble = "idle", "", ""
        self.people: tuple[tuple[str, str, str], ...] = ()

    def begin(self) -> None:
        """Open the house and let its evening begin, unless it has begun."""
        with self._lock:
            if self._thread is None:
                self.state = "opening"
                self._thread = threading.Thread(target=self._run, name="floorman-sample", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """End play and close the house."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            database = fresh(self._folder, "sample.db")
            staff = hire(database)
            if self._stop.is_set():
                raise _Over
            with served(database) as self.address:
                self.people = tuple((one.id, STAFF[one.id].value, one.password) for one in staff.values())
                self.state = "playing"
                self._play(staff)
                self.state = "over"
                self._stop.wait()
        except _Over:
            self.state = "over"
        except Exception as error:
            log.exception("the sample house failed")
            self.state, self.trouble = "failed", str(error)

    def _play(self, staff: Mapping[str, Employee]) -> None:
        """Open the doors, then play both tables at once."""
        self._through(staff, "doors", doors.opening(*guests()))
        _, counter = schedules()
        tables = scripts(self._plan, counter)
        with ThreadPoolExecutor(len(tables)) as pool:
            played = [pool.submit(self._through, staff, name, script) for name, script in tables.items()]
            wait(played)
        for each in played:
            each.result()

    def _through(self, staff: Mapping[str, Employee], name: str, script: Script[object]) -> None:
        """Play a script through the service, at the sample's pace."""
        with closing(Client(self.address, f"sample-{name}", staff)) as client:
            play(script, self._paced(client))

    def _paced(self, client: Callable[[Ask], Answer]) -> Callable[[Ask], Answer]:
        def paced(ask: Ask) -> Answer:
            if self._stop.is_set():
                raise _Over
            time.sleep(self._pace_s)
            return client(ask)

        return paced
