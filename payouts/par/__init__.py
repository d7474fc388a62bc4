"""The mathematics report (PAR sheet) of a schedule: a value, and its text, HTML and JSON. The caller writes files.

document.py    what a sheet is: facts, tables of raw values, notes, the data of its pictures
risk.py        limits of hold and banks for ruin as tables
craps.py hooligan.py    a schedule -> its sheet
writing.py     a sheet -> text, HTML, JSON
"""

from payouts.craps.terms import CrapsSchedule
from payouts.hooligan.schedule import HooliganSchedule
from payouts.par.document import Sheet
from payouts.par.risk import RUIN_CHANCES

__all__ = ["RUIN_CHANCES", "par_sheet"]


HOOLIGAN_GAMES = (100, 1_000, 10_000, 100_000, 1_000_000)
CRAPS_GAMES = (100, 10_000, 1_000_000)


def par_sheet(
    schedule: CrapsSchedule | HooliganSchedule,
    games: tuple[int, ...] | None = None,
    ruin_chances: tuple[float, ...] = RUIN_CHANCES,
) -> Sheet:
    """Make the mathematics report of a schedule.

    Parameters
    ----------
    games
        Numbers of games over which the limits of hold are given; those of the game's own sheet if None.
    ruin_chances
        Chances of ruin for which the banks are given.
    """
    if isinstance(schedule, HooliganSchedule):
        from payouts.par.hooligan import hooligan_sheet

        return hooligan_sheet(schedule, games or HOOLIGAN_GAMES, ruin_chances)
    from payouts.par.craps import craps_sheet

    return craps_sheet(schedule, games or CRAPS_GAMES, ruin_chances)
