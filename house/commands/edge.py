"""`floorman edge`: exact house percentages of a schedule."""

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from house.commands.asked import Faces, Schedule, craps_schedule, dice_of, hooligan_schedule, money, player_of
from house.commands.output import Json, give_up, print_json, working
from house.showing import console, table
from payouts.currency import money_text

if TYPE_CHECKING:
    from payouts.absorbing import Chain
    from payouts.craps.edges import EdgeRow
    from payouts.craps.terms import CrapsSchedule
    from payouts.dice import Dice
    from payouts.hooligan.percentages import PlayerFigures
    from payouts.hooligan.schedule import HooliganSchedule

edge = typer.Typer(no_args_is_help=True, help="Exact house percentages of a payout schedule.")

MOST_STAKES = 10_000
MOST_THROWS = 1_000


@edge.command()
def craps(
    *,
    schedule: Schedule = "strip-345x",
    bet: Annotated[str | None, typer.Option(help="One bet only, by its id.")] = None,
    spot: Annotated[str | None, typer.Option(help="With --bet: one spot only, like 6 or 1-2.")] = None,
    stake: Annotated[
        str | None, typer.Option(help='Stake like "15.00"; without it the smallest that is paid exactly.')
    ] = None,
    stakes: Annotated[
        str | None, typer.Option(help="With --bet: edge at every legal stake from LOW to HIGH, like 5.00-100.00.")
    ] = None,
    throws: Annotated[
        int | None,
        typer.Option(min=1, max=MOST_THROWS, help="With --bet: law of the number of throws up to here, and its tail."),
    ] = None,
    die: Faces = None,
    as_json: Json = False,
) -> None:
    """Every bet's exact edge per bet made, per bet resolved and per throw, its chances, deviation and throws.

    Example: floorman edge craps --schedule downtown-10x --bet place
    """
    from payouts.craps.edges import as_json as row_json
    from payouts.craps.edges import edges

    terms, dice = craps_schedule(schedule), dice_of(die)
    for option, value in (("--spot", spot), ("--stakes", stakes), ("--throws", throws)):
        if value is not None and bet is None:
            give_up(f"{option} must come with --bet, got none")
    with working("solving"):
        rows = edges(terms, bet, None if stake is None else money("--stake", stake, terms.header.decimals, 1), dice)
        if spot is not None:
            rows = _at_spot(rows, spot)
        by_stake = [] if stakes is None else _by_stake(terms, rows, stakes, dice)
        lengths = [] if throws is None else [_lengths(terms, row, throws, dice) for row in rows]
    if as_json:
        document: dict[str, Any] = {"schedule": terms.header.name, "fingerprint": terms.fingerprint}
        document["bets"] = [row_json(terms, row) for row in rows]
        print_json(document | ({"stakes": by_stake} if stakes else {}) | ({"throws": lengths} if throws else {}))
        return
    console().print(_bets(terms, rows, "fair dice" if die is None else "the dice given"))
    if stakes is not None:
        shown = (
            (each["bet"], each["stake"], each["edge_made"], _percent(each["edge_made_decimal"])) for each in by_stake
        )
        console().print(table("Edge per bet made by stake", ("bet", "stake", "exact", "edge"), shown))
    for each in lengths:
        console().print(_law_of_throws(each))


def _at_spot(rows: "tuple[EdgeRow, ...]", spot: str) -> "tuple[EdgeRow, ...]":
    """Keep the rows of one spot."""
    found = tuple(row for row in rows if row.variant == spot)
    if not found:
        give_up(f"--spot must be one of {', '.join(row.variant or 'none' for row in rows)}, got {spot!r}")
    return found


def _bets(terms: "CrapsSchedule", rows: "tuple[EdgeRow, ...]", dice: str) -> Table:
    """Every figure of every bet."""
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
    title = f"{terms.header.name} version {terms.header.version}, fingerprint {terms.fingerprint[:16]}; {dice}"
    return table(title, columns, shown)


def _by_stake(terms: "CrapsSchedule", rows: "tuple[EdgeRow, ...]", stakes: str, dice: "Dice") -> list[dict[str, Any]]:
    """Edge of each row's bet at every legal stake between two."""
    from payouts.craps.edges import edges_by_stake
    from payouts.craps.settling import legal_stakes

    decimals = terms.header.decimals
    lowest, _, highest = stakes.partition("-")
    low, high = money("--stakes", lowest, decimals, 1), money("--stakes", highest, decimals, 1)
    found: list[dict[str, Any]] = []
    for row in rows:
        first, last, step = legal_stakes(terms, row.bet, row.variant)
        legal = range(-(-max(low, first) // step) * step, min(high, last) + 1, step)
        if not 0 < len(legal) <= MOST_STAKES:
            name = f"{row.bet} {row.variant}".strip()
            bounds = " to ".join(money_text(each, decimals) for each in (first, last))
            of = f"{name}, {bounds} in steps of {money_text(step, decimals)}"
            give_up(f"--stakes must hold 1 to {MOST_STAKES} of the stakes of {of}, got {len(legal)}")
        for stake, share in edges_by_stake(terms, row.bet, row.variant, legal, dice):
            found.append(
                {"bet": row.bet, "variant": row.variant, "stake": money_text(stake, decimals)}
                | _exact("edge_made", share)
            )
    return found


def _lengths(terms: "CrapsSchedule", row: "EdgeRow", throws: int, dice: "Dice") -> dict[str, Any]:
    """Law of the number of throws of a bet up to a length, and the chance of more."""
    from payouts.chain import chain, chain_together
    from payouts.duration import duration, length_law

    machines = tuple(leg.machine for leg in terms.legs(row.bet, row.variant))
    moves: Chain[Any] = chain(machines[0], dice) if len(machines) == 1 else chain_together(machines, dice)
    lasts, law = duration(moves), length_law(moves, throws)
    return {
        "bet": row.bet,
        "variant": row.variant,
        **_exact("mean", lasts.mean),
        **_exact("variance", lasts.variance),
        "law": [{"throws": count, **_exact("chance", chance)} for count, chance in enumerate(law, 1)],
        **_exact("longer", 1 - sum(law, Fraction(0))),
    }


def _law_of_throws(lengths: dict[str, Any]) -> Table:
    name = f"{lengths['bet']} {lengths['variant']}".strip()
    title = f"Throws of {name}: mean {lengths['mean_decimal']:.4f}, variance {lengths['variance_decimal']:.4f}"
    shown = [(each["throws"], f"{100 * each['chance_decimal']:.6g} %") for each in lengths["law"]]
    shown.append((f"more than {len(shown)}", f"{100 * lengths['longer_decimal']:.6g} %"))
    return table(title, ("throws", "chance"), shown)


def _exact(name: str, share: Fraction) -> dict[str, str | float]:
    """A fraction for JSON, with its decimal twin."""
    return {name: f"{Decimal(share.numerator)}/{Decimal(share.denominator)}", f"{name}_decimal": float(share)}


@edge.command()
def hooligan(
    schedule: Schedule = "scarne-quarter",
    player: Annotated[str | None, typer.Option(help="One kind of player: optimal, score, simple or blind.")] = None,
    thresholds: Annotated[
        bool, typer.Option("--thresholds", help="Also the greatest chance of every score, each by who wants it alone.")
    ] = False,
    as_json: Json = False,
) -> None:
    """House percentage against each kind of player, with the score law and every band.

    Example: floorman edge hooligan --schedule quarter-ladder --player optimal
    """
    from payouts.hooligan.percentages import document, figures
    from payouts.hooligan.players import Player
    from payouts.hooligan.solver import greatest_chances

    terms = hooligan_schedule(schedule)
    players = tuple(Player) if player is None else (player_of(player),)
    reached = greatest_chances(terms.rules).tolist() if thresholds else []
    if as_json:
        print_json(document(terms, players) | ({"greatest_chances": reached} if thresholds else {}))
        return
    solved = [figures(terms, kind) for kind in players]
    console().print(_players(terms, solved))
    for each in solved:
        console().print(_bands(terms, each))
    if thresholds:
        rows = ((score, f"{chance:.10g}") for score, chance in enumerate(reached))
        console().print(table("Greatest chance of a score or more", ("score", "chance"), rows))


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


def _percent(share: Fraction | float | None) -> str:
    return "" if share is None else f"{100 * float(share):.4f} %"
