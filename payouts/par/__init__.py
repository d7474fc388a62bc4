"""The mathematics report (PAR sheet) of a schedule: a value, and its text, HTML and JSON. The caller writes files.

document.py    what a sheet is: facts, tables of raw values, notes, the data of its pictures
risk.py        limits of hold and banks for ruin as tables
craps.py hooligan.py    a schedule -> its sheet
writing.py     a sheet -> text, HTML, JSON
"""

from payouts.craps.terms import CrapsSchedule
from payouts.hooligan.schedule import HooliganSchedule
from payouts.par.document import Sheet
from payouts.par.risk import GAMES, RUIN_CHANCES

__all__ = ["GAMES", "RUIN_CHANCES", "par_sheet"]


def par_sheet(
    schedule: CrapsSchedule | HooliganSchedule,
    games: tuple[int, ...] = GAMES,
    ruin_chances: tuple[float, ...] = RUIN_CHANCES,
) -> Sheet:
    """Make the mathematics report of a schedule.

    Parameters
    ----------
    games
        Numbers of games over which the limits of hold are given.
    ruin_chances
        Chances of ruin for which the banks are given.
    """
    if isinstance(schedule, HooliganSchedule):
        from payouts.par.hooligan import hooligan_sheet

        return hooligan_sheet(schedule, games, ruin_chances)
    from payouts.par.craps import craps_sheet

    return craps_sheet(schedule, games, ruin_chances)
