"""`floorman report`: the mathematics report (PAR sheet) of a schedule, and the house's own reports."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from house.commands import house_reports
from house.commands.asked import any_schedule, integers, share
from house.commands.output import Json, print_json, working, write

MOST_GAMES = 10**9
LEAST_RUIN, MOST_RUIN = 1e-12, 0.5


class _OfASchedule(TyperGroup):
    """Commands of which `schedule` is meant where none is named, so that `report quarter-ladder` makes its sheet."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put `schedule` before what is no command."""
        named = args and (args[0] in self.commands or args[0] in ("--help", ""))
        return super().parse_args(ctx, args if named or not args else ["schedule", *args])


report = typer.Typer(
    cls=_OfASchedule,
    no_args_is_help=True,
    help=(
        "Reports: of a schedule's mathematics, and of the house from its database.\n\n"
        "Example: floorman report quarter-ladder; floorman report sheet 2026-07-01"
    ),
)
for command in house_reports.COMMANDS:
    report.command()(command)


@report.command(name="schedule")
def of_schedule(
    schedule: Annotated[str, typer.Argument(help="A schedule file (.toml), or the name of a shipped schedule.")],
    *,
    html: Annotated[
        Path | None, typer.Option(help="Write the report with pictures here as well.", dir_okay=False)
    ] = None,
    drawings: Annotated[
        Path | None,
        typer.Option("--pictures", help="Write the pictures alone, as SVG, into this folder.", file_okay=False),
    ] = None,
    games: Annotated[
        str | None, typer.Option(help="Numbers of games for the limits of hold, like 1000,1000000.")
    ] = None,
    ruin: Annotated[str | None, typer.Option(help="Chances of ruin for the banks, like 1%,0.01%.")] = None,
    as_json: Json = False,
) -> None:
    """Make the mathematics report of a schedule: percentages, bands or bets, limits of hold, bank for a chance of ruin.

    Example: floorman report quarter-ladder --html quarter-ladder.html
    """
    from payouts.par import RUIN_CHANCES, par_sheet
    from payouts.par.writing import as_html, as_text
    from payouts.par.writing import as_json as sheet_json

    terms = any_schedule(schedule)
    counts = None if games is None else integers("--games", games, 1, MOST_GAMES)
    chances = RUIN_CHANCES if ruin is None else _chances(ruin)
    with working("making the report"):
        sheet = par_sheet(terms, counts, chances)
    if html is not None:
        from payouts.plots import pictures

        write(html, as_html(sheet, pictures(sheet)))
    if drawings is not None:
        from payouts.plots import pictures

        for name, drawing in pictures(sheet).items():
            write(drawings / f"{terms.header.name}-{name.replace('_', '-')}.svg", drawing)
    if as_json:
        print_json(sheet_json(sheet))
    else:
        sys.stdout.write(as_text(sheet))


def _chances(text: str) -> tuple[float, ...]:
    return tuple(float(share("--ruin", part.strip(), LEAST_RUIN, MOST_RUIN)) for part in text.split(","))
