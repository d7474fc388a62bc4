"""`floorman edge`: exact house percentages of a schedule."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from house.commands.output import Json, give_up, print_json
from house.showing import console, table
from payouts.currency import money_minor, money_text
from payouts.header import Game
from payouts.schedule import load, shipped, shipped_names

if TYPE_CHECKING:
    from payouts.hooligan.percentages import PlayerFigures
    from payouts.hooligan.schedule import HooliganSchedule

edge = typer.Typer(no_args_is_help=True, help="Exact house percentages of a payout schedule.")

Schedule = Annotated[
    str, typer.Option("--schedule", help="A schedule file (.toml), or the name of a shipped schedule.")
]


@edge.command()
def craps(
    schedule: Schedule = "strip-345x",
    bet: Annotated[str | None, typer.Option(help="One bet only, by its id.")] = None,
    stake: Annotated[
        str | None, typer.Option(help='Stake like "15.00"; without it the smallest that is paid exactly.')
    ] = None,
    as_json: Json = False,
) -> None:
    """Every bet's exact edge per bet made, per bet resolved and per throw, its chances, deviation and throws.

    Example: floorman edge craps --schedule downtown-10x --bet place
    """
    from payouts.craps.edges import as_json as row_json
    from payouts.craps.edges import edges
    from payouts.craps.terms import CrapsSchedule

    terms = load(_file(Game.CRAPS, schedule))
    if not isinstance(terms, CrapsSchedule):
        give_up(f"--schedule must be a schedule of craps, got one of {terms.header.game}")
    rows = edges(terms, bet, None if stake is None else _minor(stake, terms.header.decimals))
    if as_json:
        bets = [row_json(terms, row) for row in rows]
        print_json({"schedule": terms.header.name, "fingerprint": terms.fingerprint, "bets": bets})
        return
    columns = ("bet", "stake", "made", "resolved", "per throw", "win", "tie", "lose", "deviation", "throws")
    shown = (
        (
            f"{row.bet} {row.variant}".strip(),
            money_text(row.stake_minor, terms.header.decimals),
            *map(_percent, (row.edge_made, row.edge_resolved, row.edge_per_throw, row.win, row.tie, row.lose)),
            f"{row.standard_deviation:.3f}",
            f"{float(row.expected_throws):.2f}",
        )
        for row in rows
    )
    title = f"{terms.header.name} version {terms.header.version}, fingerprint {terms.fingerprint[:16]}; fair dice"
    console().print(table(title, columns, shown))


@edge.command()
def hooligan(
    schedule: Schedule = "scarne-quarter",
    player: Annotated[str | None, typer.Option(help="One kind of player: optimal, score, simple or blind.")] = None,
    as_json: Json = False,
) -> None:
    """House percentage against each kind of player, with the score law and every band.

    Example: floorman edge hooligan --schedule quarter-ladder --player optimal
    """
    from payouts.hooligan.percentages import document, figures
    from payouts.hooligan.players import Player
    from payouts.hooligan.schedule import HooliganSchedule

    terms = load(_file(Game.HOOLIGAN, schedule))
    if not isinstance(terms, HooliganSchedule):
        give_up(f"--schedule must be a schedule of Hooligan, got one of {terms.header.game}")
    if player is not None and player not in set(Player):
        give_up(f"--player must be one of {', '.join(Player)}, got {player!r}")
    players = tuple(Player) if player is None else (Player(player),)
    if as_json:
        print_json(document(terms, players))
        return
    solved = [figures(terms, kind) for kind in players]
    console().print(_players(terms, solved))
    for each in solved:
        console().print(_bands(terms, each))


def _players(terms: "HooliganSchedule", solved: "list[PlayerFigures]") -> Table:
    """House percentage, payout and score of each kind of player."""
    header = terms.header
    columns = ("player", "house keeps", "mean payout", "deviation", "paid games", "mean score", "deviation of score")
    rows = (
        (
            each.player.value,
            f"{100 * each.house_edge:.6f} %",
            f"{each.mean_minor / 10**header.decimals:.10f}",
            f"{each.payout_sd_minor / 10**header.decimals:.4f}",
            f"{100 * each.hit_chance:.4f} %",
            f"{each.score_mean:.6f}",
            f"{each.score_sd:.4f}",
        )
        for each in solved
    )
    named = f"{header.name} version {header.version}, stake {header.money(terms.stake_minor)}"
    return table(f"{named}, fingerprint {terms.fingerprint[:16]}", columns, rows)


def _bands(terms: "HooliganSchedule", solved: "PlayerFigures") -> Table:
    """Chance of each band, and its share of what the player receives."""
    rows = (
        (
            f"{band.low}-{band.high}",
            terms.header.money(band.pays_minor),
            f"{100 * band.chance:.6f} %",
            "" if band.share is None else f"{100 * band.share:.3f} %",
        )
        for band in solved.bands
    )
    return table(f"Bands against the {solved.player.value} player", ("score", "pays", "chance", "share"), rows)


def _file(game: Game, schedule: str) -> Path:
    """The file that `--schedule` names: a path if it ends in .toml, else a shipped name."""
    if schedule.endswith(".toml"):
        return Path(schedule)
    names = shipped_names(game)
    if schedule not in names:
        give_up(f"--schedule must be a file ending in .toml or one of {', '.join(names)}, got {schedule!r}")
    return shipped(game, schedule)


def _minor(stake: str, decimals: int) -> int:
    minor = money_minor(stake, decimals)
    if minor is None:
        give_up(f"--stake must be money with at most {decimals} decimals, got {stake!r}")
    return minor


def _percent(share: Fraction | None) -> str:
    return "" if share is None else f"{100 * float(share):.4f} %"
