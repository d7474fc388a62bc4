"""`floorman demo`: one evening of Hooligan and craps, end to end."""

from pathlib import Path
from typing import Annotated

import typer

from house.commands.output import Exit
from house.showing import console

FOLDER = Path("build/demo")


def demo(
    seed: Annotated[int, typer.Option(min=0, max=2**53 - 1, help="The same seed tells the same story.")] = 1,
    folder: Annotated[Path, typer.Option(help="Where database and log stay.", file_okay=False)] = FOLDER,
) -> None:
    """Play an evening through the real service, balance the bank, audit the log, name the cheats.

    Exit code 1 when the bank is off, a cheat is not named, or anybody else is.

    Example: floorman demo --seed 7
    """
    from house.demo.story import Plan, tell

    told = tell(Plan(seed=seed), folder, console())
    if not told.holds:
        raise typer.Exit(Exit.BAD_ANSWER)
