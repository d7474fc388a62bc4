"""The demo's house: a real server process on a fresh database."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STOP_S = 30


class NotServed(Exception):
    """The server process ended or said nothing."""


@contextmanager
def served(database: Path) -> Iterator[str]:
    """Run `floorman serve` on a SQLite file and a free port; give its address; stop it gracefully at the end.

    Raises
    ------
    NotServed
        If the process ends before it serves, or does not stop as it should.
    """
    command = [
        sys.executable,
        "-m",
        "house.cli",
        "serve",
        "--port",
        "0",
        "--json",
        "--database",
        f"sqlite:///{database}",
    ]
    quiet = {**os.environ, "FLOORMAN_LOG_LEVEL": "warning"}
    with subprocess.Popen(command, env=quiet, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            if not said:
                raise NotServed(f"the server ended with code {process.wait()}")
            address: str = json.loads(said)["address"]
            yield address
        finally:
            process.terminate()
            code = process.wait(STOP_S)
    if code not in (0, -15):
        raise NotServed(f"the server ended with code {code}")


def fresh(folder: Path, name: str) -> Path:
    """Path of a database file in a folder that exists, with no earlier database of that name."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{name}*"):
        old.unlink()
    return folder / name
