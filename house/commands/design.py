"""`floorman design`: schedules with a wanted house percentage."""

import sys
from contextlib import nullcontext
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import Json, give_up, print_json
from house.showing import console, table

if TYPE_CHECKING:
    from payouts.design import Design, Grid

design = typer.Typer(no_args_is_help=True, help="Payout schedules with a wanted house percentage.")

Numbers = Annotated[str, typer.Option(help="First score of each band, rising: 84,90,94.")]


@design.command()
def hooligan(
    *,
    target: Annotated[str, typer.Option(help='Wanted house percentage against the best player: "15%".')],
    thresholds: Numbers = "84,90,94,100",
    stake: Annotated[str, typer.Option(help="Price of a game.")] = "0.25",
    step: Annotated[str, typer.Option(help="Smallest step of a payout.")] = "0.25",
    greatest: Annotated[str, typer.Option(help="Greatest payout.")] = "5.00",
    trade_cost: Annotated[str, typer.Option(help="Share of a payout's face value that it costs; 1 is cash.")] = "1",
    hit: Annotated[str, typer.Option(help="Wanted chance that a game is paid anything: from,to.")] = "0,1",
    out: Annotated[Path | None, typer.Option(help="Write the best schedule to this file.", dir_okay=False)] = None,
    as_json: Json = False,
) -> None:
    """Find the schedule of a grid that is closest to a wanted percentage, with the proof that none is closer.

    Example: floorman design hooligan --target 15% --thresholds 70,84,94 --step 0.25 --greatest 3.00
    """
    from payouts.design import Grid, document, schedule_text
    from payouts.design import design as search

    unit, top = _money("--step", step), _money("--greatest", greatest)
    grid = Grid(
        stake_minor=_money("--stake", stake),
        thresholds=tuple(_whole("--thresholds", part) for part in thresholds.split(",")),
        prices_minor=tuple(range(unit, top + 1, unit)),
        trade_cost=_fraction("--trade-cost", trade_cost),
    )
    waiting = console(stderr=True).status("searching the grid") if sys.stderr.isatty() else nullcontext()
    with waiting:
        found = search(grid, _target(target), _chances(hit))
    if out is not None and found.best is not None:
        out.write_text(schedule_text(grid, found.best, out.stem), encoding="utf-8")
    if as_json:
        print_json(document(grid, found))
        return
    _show(grid, found)


def _show(grid: "Grid", found: "Design") -> None:
    proof = "none in the grid is closer" if found.proved else "not proved: the search was stopped"
    title = f"Closest to {100 * found.target:g} % of {found.points:,} schedules, {found.solves:,} solved; {proof}"
    solved = (*((found.best,) if found.best else ()), *found.others)
    rows = (
        (
            f"{100 * each.house_edge:.6f} %",
            f"{100 * each.hit_chance:.4f} %",
            *(f"{price / 100:.2f}" for price in each.prices_minor),
        )
        for each in solved
    )
    starts = (f"from {threshold}" for threshold in grid.thresholds)
    console().print(table(title, ("house keeps", "paid games", *starts), rows))


def _money(option: str, text: str) -> int:
    from payouts.currency import money_minor

    minor = money_minor(text, 2)
    if not minor:
        give_up(f'{option} must be money like "0.25", got {text!r}')
    return minor


def _whole(option: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        give_up(f"{option} must be whole numbers apart by commas, got {text!r}")
    return int(text)


def _fraction(option: str, text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        give_up(f'{option} must be a number like "0.5" or "1/2", got {text!r}')


def _target(text: str) -> float:
    from payouts.reading import Percentage

    percentage = Percentage.parse(text)
    if percentage is None:
        give_up(f'--target must be a percentage like "15%", got {text!r}')
    return float(percentage.value)


def _chances(text: str) -> tuple[float, float]:
    low, _, high = text.partition(",")
    bounds = float(_fraction("--hit", low)), float(_fraction("--hit", high))
    if not 0 <= bounds[0] <= bounds[1] <= 1:
        give_up(f"--hit must be two chances from 0 to 1, the lower first, got {text!r}")
    return bounds
