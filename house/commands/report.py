"""`floorman report`: the mathematics report (PAR sheet) of a schedule."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from house.commands.output import Json, give_up, print_json
from payouts.header import Game
from payouts.schedule import load, shipped, shipped_names


def report(
    schedule: Annotated[str, typer.Argument(help="A schedule file (.toml), or the name of a shipped schedule.")],
    html: Annotated[
        Path | None, typer.Option(help="Write the report with pictures here as well.", dir_okay=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the mathematics report of a schedule: percentages, bands or bets, limits of hold, bank for a chance of ruin.

    Example: floorman report quarter-ladder --html quarter-ladder.html
    """
    from payouts.par import par_sheet
    from payouts.par.writing import as_html, as_text
    from payouts.par.writing import as_json as sheet_json

    sheet = par_sheet(load(_file(schedule)))
    if html is not None:
        from payouts.plots import pictures

        html.write_text(as_html(sheet, pictures(sheet)), encoding="utf-8")
    if as_json:
        print_json(sheet_json(sheet))
    else:
        sys.stdout.write(as_text(sheet))


def _file(schedule: str) -> Path:
    if schedule.endswith(".toml"):
        return Path(schedule)
    names = {name: game for game in Game for name in shipped_names(game)}
    if schedule not in names:
        give_up(f"SCHEDULE must be a file ending in .toml or one of {', '.join(names)}, got {schedule!r}")
    return shipped(names[schedule], schedule)
