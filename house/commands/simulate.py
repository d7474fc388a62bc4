"""`floorman simulate`: seeded play in bulk, the exact figures beside the simulated ones."""

from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.table import Table

from house.commands.asked import (
    Faces,
    OnePlayer,
    Schedule,
    chances_of_faces,
    craps_schedule,
    dice_of,
    hooligan_schedule,
    money,
    player_of,
)
from house.commands.output import Json, give_up, print_json, working
from house.showing import console, table

simulate = typer.Typer(no_args_is_help=True, help="Seeded play in bulk, beside the exact figures.")

MOST_SESSIONS = 1_000_000
MOST_THROWS = 10**13
MOST_GAMES = 10**9

Seed = Annotated[int, typer.Option(min=0, max=2**53 - 1, help="The same seed plays the same throws.")]
Level = Annotated[float, typer.Option(help="Chance with which each interval covers the true figure.")]


@simulate.command()
def craps(
    orders: Annotated[
        list[str],
        typer.Argument(help="Bets that are kept up: BET, BET:SPOT or BET:SPOT=STAKE, like pass odds place:6=18.00."),
    ],
    *,
    schedule: Schedule = "strip-345x",
    throws: Annotated[int, typer.Option(min=1, max=10**12, help="Throws of a session, at least.")] = 100,
    sessions: Annotated[int, typer.Option(min=1, max=MOST_SESSIONS, help="Sessions played.")] = 10_000,
    bank: Annotated[
        str | None, typer.Option(help="The player's money: the chance that a session loses it all.")
    ] = None,
    seed: Seed = 1,
    level: Level = 0.99,
    die: Faces = None,
    as_json: Json = False,
) -> None:
    """Play sessions of standing bets, made and working as at the table; a session ends with every bet decided.

    Example: floorman simulate craps pass odds place:6=18.00 place:8=18.00 --throws 100 --sessions 10000
    """
    import numpy as np

    from payouts.simulation.accounts import ruin
    from payouts.simulation.document import craps_document
    from payouts.simulation.standing import play_orders

    if throws * sessions > MOST_THROWS:
        give_up(f"--throws times --sessions must be at most {MOST_THROWS:,}, got {throws * sessions:,}")
    terms, dice = craps_schedule(schedule), dice_of(die)
    bank_minor = None if bank is None else money("--bank", bank, terms.header.decimals, 1)
    with working("playing", throws * sessions) as progress:
        play = play_orders(terms, orders, sessions, throws, np.random.default_rng(seed), dice=dice, progress=progress)
    document = craps_document(terms, play, level, dice) | {"seed": seed}
    if bank_minor is not None:
        document["ruin"] = {"bank": bank, "chance": asdict(ruin(play, bank_minor, level))}
    if as_json:
        print_json(document)
        return
    console().print(_bets(document))
    if "session" in document:
        console().print(_sessions(document["session"]))
    if bank is not None:
        chance, low, high = _estimate(document["ruin"]["chance"])
        console().print(f"Sessions that lose {bank} {terms.header.currency}: {chance}, from {low} to {high}")


@simulate.command()
def hooligan(
    *,
    schedule: Schedule = "scarne-quarter",
    player: OnePlayer = "optimal",
    games: Annotated[int, typer.Option(min=1, max=MOST_GAMES, help="Games played.")] = 100_000,
    seed: Seed = 1,
    level: Level = 0.99,
    die: Annotated[
        str | None,
        typer.Option(help="Chances of the faces 1 to 6 of every die; the player plays as if they were fair."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play games of one kind of player, dice thrown and choices made one by one.

    Example: floorman simulate hooligan --schedule quarter-ladder --player simple --games 1000000
    """
    import numpy as np

    from payouts.simulation.document import hooligan_document
    from payouts.simulation.hooligan import simulate_hooligan

    terms, kind = hooligan_schedule(schedule), player_of(player)
    faces = None if die is None else chances_of_faces(die)
    with working("playing", games) as progress:
        play = simulate_hooligan(terms, kind, games, np.random.default_rng(seed), die=faces, progress=progress)
    document = hooligan_document(play, level, fair=faces is None) | {"seed": seed}
    if as_json:
        print_json(document)
    else:
        console().print(_games(document))


def _bets(document: dict[str, Any]) -> Table:
    """Simulated accounts of every bet beside the exact edge."""
    columns = ("bet", "stake", "bets", "handle", "player's net", "edge", "from", "to", "exact")
    rows = [
        (
            f"{bet['bet']} {bet['variant']}".strip(),
            bet["stake"],
            f"{bet['bets']:,}",
            bet["handle"],
            bet["net"],
            *_estimate(bet["edge_made"]),
            "" if bet["exact_edge_decimal"] is None else _percent(bet["exact_edge_decimal"]),
        )
        for bet in document["bets"]
    ]
    title = (
        f"{document['schedule']}, fingerprint {document['fingerprint'][:16]}: {document['sessions']:,} sessions, "
        f"{document['throws']:,} throws, seed {document['seed']}; intervals of {document['level']:.4g}"
    )
    return table(title, columns, rows)


def _sessions(session: dict[str, Any]) -> Table:
    """How sessions ended for the player."""
    rows = [("mean", *_amounts(session["net_mean"]))]
    rows += [(f"{each['probability']:.0%}", *_amounts(each["net"])) for each in session["net_quantiles"]]
    title = f"Player's net of a session: deviation {session['net_sd']:,.2f}, lowest point of all {session['lowest']}"
    return table(title, ("", "net", "from", "to"), rows)


def _games(document: dict[str, Any]) -> Table:
    """Simulated figures of Hooligan beside the exact ones."""
    figures = [
        ("house keeps", *_estimate(document["house_edge"]), _percent(document["exact_house_edge"])),
        ("mean score", *_amounts(document["score_mean"]), _number(document["exact_score_mean"])),
    ]
    bands = [
        (f"score {low} to {high}", *_estimate(band["chance"]), _percent(band["exact_chance"]))
        for band in document["bands"]
        for low, high in [band["score"]]
    ]
    title = (
        f"{document['schedule']}, fingerprint {document['fingerprint'][:16]}: {document['games']:,} games of the "
        f"{document['player']} player, seed {document['seed']}; intervals of {document['level']:.4g}"
    )
    return table(title, ("figure", "simulated", "from", "to", "exact, fair dice"), figures + bands)


def _estimate(estimate: dict[str, float | None]) -> tuple[str, ...]:
    return tuple(_percent(estimate[end]) for end in ("value", "low", "high"))


def _amounts(estimate: dict[str, float | None]) -> tuple[str, ...]:
    return tuple(_number(estimate[end]) for end in ("value", "low", "high"))


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.4f} %"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.2f}"
