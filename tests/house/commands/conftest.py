"""The command line, run in this process."""

import sys
from collections.abc import Callable

import pytest

from house.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `floorman` with arguments: exit code, standard output, standard error."""

    def floorman(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["floorman", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return floorman
