"""`floorman design`: schedules with a wanted house percentage."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.asked import Schedule, hooligan_schedule, integers, money, share
from house.commands.output import Exit, Json, give_up, print_json, working, write
from house.showing import console, table
from payouts.currency import money_text

if TYPE_CHECKING:
    from payouts.design import Design, Grid
    from payouts.hooligan.schedule import HooliganSchedule

design = typer.Typer(no_args_is_help=True, help="Payout schedules with a wanted house percentage.")

LEAST_TARGET = -10
STAKES_PAID = 20
"""Greatest payout without --greatest, in stakes."""
MOST_PRICES = 10_000


@design.command()
def hooligan(
    *,
    target: Annotated[str, typer.Option(help="Wanted house percentage against the best player, like 15%.")],
    thresholds: Annotated[str, typer.Option(help="First score of each band, rising.")] = "84,90,94,100",
    schedule: Schedule = "scarne-quarter",
    stake: Annotated[str | None, typer.Option(help="Price of a game; that of --schedule.")] = None,
    unit: Annotated[str | None, typer.Option(help="Payouts are multiples of it; the stake.")] = None,
    step: Annotated[str | None, typer.Option(help="Least step from band to band; the unit. 0 allows none.")] = None,
    greatest: Annotated[str | None, typer.Option(help="Greatest payout; 20 stakes.")] = None,
    trade_cost: Annotated[
        str | None, typer.Option(help="Share of a payout's face value that it costs; that of --schedule.")
    ] = None,
    hit: Annotated[str, typer.Option(help="Wanted chance that a game is paid: least,greatest.")] = "0%,100%",
    out: Annotated[Path | None, typer.Option(help="Write the closest to this schedule file.", dir_okay=False)] = None,
    as_json: Json = False,
) -> None:
    """Find the schedule of a grid that is closest to a wanted percentage, with the proof that none is closer.

    Currency and reading of the rules are those of --schedule. Exit code 1 when no schedule has the wanted chance.

    Example: floorman design hooligan --target 15% --thresholds 70,84,94 --unit 0.25 --greatest 3.00
    """
    from payouts.design import Grid, document, schedule_text
    from payouts.design import design as search

    terms = hooligan_schedule(schedule)
    decimals = terms.header.decimals
    stake_minor = terms.stake_minor if stake is None else money("--stake", stake, decimals, 1)
    prices, gap = _prices(terms, stake_minor, unit, step, greatest)
    grid = Grid(
        stake_minor=stake_minor,
        thresholds=integers("--thresholds", thresholds, 0, terms.rules.perfect_score),
        prices_minor=prices,
        trade_cost=terms.trade_cost if trade_cost is None else share("--trade-cost", trade_cost),
        gap=gap,
        rules=terms.rules,
    )
    wanted, hits = float(share("--target", target, LEAST_TARGET, 1)), _chances(hit)
    with working("searching the grid"):
        found = search(grid, wanted, hits)
    text = None if found.best is None else schedule_text(grid, found.best, _name(out), terms.header.currency)
    if out is not None and text is not None:
        write(out, text)
    if as_json:
        print_json(document(grid, found) | {"file": text})
    else:
        _show(terms, grid, found)
    raise typer.Exit(Exit.DONE if found.best else Exit.BAD_ANSWER)


def _prices(
    terms: "HooliganSchedule", stake_minor: int, unit: str | None, step: str | None, greatest: str | None
) -> tuple[tuple[int, ...], int]:
    """Prices that a band may have, and how many of them lie between two bands at least."""
    decimals = terms.header.decimals
    apart = stake_minor if unit is None else money("--unit", unit, decimals, 1)
    most = STAKES_PAID * stake_minor if greatest is None else money("--greatest", greatest, decimals, 1)
    least = apart if step is None else money("--step", step, decimals)
    if not apart <= most <= MOST_PRICES * apart:
        bounds = " to ".join(terms.header.money(each) for each in (apart, MOST_PRICES * apart))
        give_up(f"--greatest must be from one --unit to {MOST_PRICES:,} ({bounds}), got {terms.header.money(most)}")
    return tuple(range(apart, most + 1, apart)), -(-least // apart)


def _chances(text: str) -> tuple[float, float]:
    """Read two chances, least and greatest."""
    parts = text.split(",")
    if len(parts) != 2:
        give_up(f"--hit must be two chances like 5%,20%, got {text!r}")
    low, high = (float(share("--hit", part.strip())) for part in parts)
    return low, high


def _name(out: Path | None) -> str:
    """Name of the schedule that is written: that of its file, in the letters that a name may have."""
    stem = (
        "" if out is None else "".join(each if each.isascii() and each.isalnum() else "-" for each in out.stem.lower())
    )
    return stem.strip("-")[:64] or "designed"


def _show(terms: "HooliganSchedule", grid: "Grid", found: "Design") -> None:
    proof = "none in the grid is closer" if found.proved else "not proved: the search was stopped"
    title = f"Closest to {100 * found.target:g} % of {found.points:,} schedules, {found.solves:,} solved; {proof}"
    solved = (*((found.best,) if found.best else ()), *found.others)
    rows = (
        (
            f"{100 * each.house_edge:.6f} %",
            f"{100 * each.hit_chance:.4f} %",
            *(money_text(price, terms.header.decimals) for price in each.prices_minor),
        )
        for each in solved
    )
    starts = (f"from {threshold}" for threshold in grid.thresholds)
    console().print(table(title, ("house keeps", "paid games", *starts), rows))
