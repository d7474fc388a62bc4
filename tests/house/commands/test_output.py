"""How commands speak while they work."""

import io
import sys
import time
from pathlib import Path

import pytest
import typer

from house.commands import output
from house.commands.output import Exit, working, write


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _screen(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    return screen


def test_long_work_shows_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _screen(monkeypatch)
    monkeypatch.setattr(output, "PATIENCE_S", 0.0)
    with working("counting dice", 10) as progress:
        progress(5)
        waited = time.monotonic() + 10
        while "counting dice" not in screen.getvalue() and time.monotonic() < waited:
            time.sleep(0.01)
        progress(5)
    assert "counting dice" in screen.getvalue()


def test_work_that_is_soon_done_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _screen(monkeypatch)
    with working("counting dice", 10) as progress:
        progress(10)
    assert "counting dice" not in screen.getvalue()


def test_work_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with working("counting dice", 10) as progress:
        progress(10)
    assert capsys.readouterr() == ("", "")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as left:
        write(tmp_path / "missing" / "report.html", "text")
    assert left.value.exit_code == Exit.NOT_DONE
    assert "missing/report.html must be a file that can be written" in capsys.readouterr().err
