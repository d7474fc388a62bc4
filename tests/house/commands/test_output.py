"""How commands speak while they work."""

import io
import sys
from pathlib import Path

import pytest
import typer

from house.commands.output import Exit, working, write


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_work_shows_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with working("counting dice", 10) as progress:
        progress(10)
    assert "counting dice" in screen.getvalue()


def test_work_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    with working("counting dice", 10) as progress:
        progress(10)
    assert capsys.readouterr() == ("", "")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as left:
        write(tmp_path / "missing" / "report.html", "text")
    assert left.value.exit_code == Exit.NOT_DONE
    assert "missing/report.html must be a file that can be written" in capsys.readouterr().err
