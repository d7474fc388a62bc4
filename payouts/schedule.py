"""Payout schedules of every game: load, check, publish.

Every schedule offers `header`, `canonical` (bytes of all that matters, whatever the layout of its file) and
`fingerprint`. The game decides how the rest of the file is read.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from payouts.header import Game, read_header
from payouts.reading import Section, read_file, read_toml

if TYPE_CHECKING:
    from payouts.craps.terms import CrapsSchedule
    from payouts.hooligan.terms import HooliganSchedule

SCHEDULES = Path(__file__).resolve().parent.parent / "config" / "schedules"
"""Where the shipped schedules are: one folder a game."""


def load(path: Path) -> "CrapsSchedule | HooliganSchedule":
    """Read a schedule file and refuse it with every fault at once.

    Raises
    ------
    ScheduleError
        If the file cannot be read or has faults, a player's edge that is not accepted and a wrong claim among them.
    """
    return parse(read_file(path), str(path))


def parse(text: str, file: str) -> "CrapsSchedule | HooliganSchedule":
    """Read the text of a schedule file; `file` is the name that faults show."""
    return read(read_toml(text, file))


def read(root: Section) -> "CrapsSchedule | HooliganSchedule":
    """Read a schedule from its parsed file; faults are raised as by `load`."""
    header = read_header(root)
    if root.raw("game") not in tuple(Game):
        root.finish_here()
    if header.game is Game.CRAPS:
        from payouts.craps.reader import parse_terms as craps_terms

        return craps_terms(root, header)
    from payouts.hooligan.terms import parse_terms as hooligan_terms

    return hooligan_terms(root, header)


def shipped(game: Game | str, name: str) -> Path:
    """Path of the shipped schedule of that name, whether or not there is one."""
    return SCHEDULES / str(game) / f"{name}.toml"


def shipped_names(game: Game | str) -> tuple[str, ...]:
    """Names of the schedules that are shipped for a game, in order."""
    return tuple(sorted(path.stem for path in (SCHEDULES / str(game)).glob("*.toml")))
