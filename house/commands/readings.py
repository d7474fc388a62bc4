"""`floorman readings`: how far each reading of Hooligan's open rules moves the house percentage."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from house.commands.asked import OnePlayer, Schedule, hooligan_schedule, integers, player_of
from house.commands.output import Json, print_json, working, write
from house.showing import console, table

if TYPE_CHECKING:
    from payouts.hooligan.players import Player
    from payouts.hooligan.readings import Reading
    from payouts.hooligan.schedule import HooliganSchedule


def readings(
    *,
    schedule: Schedule = "scarne-quarter",
    player: OnePlayer = "optimal",
    throws: Annotated[
        str | None,
        typer.Option(
            help="Throws a frame that are tried with all other readings, like 2,3,4; without it the schedule's "
            "own with all of them, and the others alone."
        ),
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the picture into this file.", dir_okay=False)] = None,
    as_json: Json = False,
) -> None:
    """Solve a schedule under every reading of the rules' open points, one option changed or several.

    Example: floorman readings --schedule quarter-ladder --svg readings.svg
    """
    from payouts.hooligan.readings import all_readings, document, single_readings

    terms, kind = hooligan_schedule(schedule), player_of(player)
    tried = () if throws is None else integers("--throws", throws, 1, 5)
    with working("solving every reading"):
        solved = all_readings(terms, kind, tried)
        if not tried:
            solved += single_readings(terms, kind)
    found = sorted({each.rules: each for each in solved}.values(), key=lambda each: (abs(each.moves), each.moves))
    if svg is not None:
        from payouts.plots import readings as picture

        write(svg, picture(found))
    if as_json:
        print_json(document(terms, found) | {"player": kind.value})
    else:
        console().print(_table(terms, kind, found))


def _table(terms: "HooliganSchedule", player: "Player", found: "list[Reading]") -> Table:
    rows = (
        (
            ", ".join(f"{option} = {value}" for option, value in each.changed.items()) or "as in the file",
            f"{100 * each.house_edge:.6f} %",
            f"{100 * each.moves:+.6f} %",
            each.fingerprint[:16],
            each.rules_fingerprint[:16],
        )
        for each in found
    )
    title = f"{terms.header.name} against the {player.value} player, fingerprint {terms.fingerprint[:16]}"
    return table(title, ("reading", "house keeps", "moved by", "schedule under it", "reading"), rows)
