"""The sheet of a Hooligan schedule."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

from payouts.currency import money_text
from payouts.hooligan.percentages import PlayerFigures, all_figures
from payouts.hooligan.players import Player
from payouts.hooligan.schedule import Band, HooliganSchedule, reading_fingerprint
from payouts.hooligan.solver import error_bound, mean_payout
from payouts.par.document import Column, Kind, ScoreLaw, Sheet, Table, head_facts
from payouts.par.risk import RISK_NOTES, Game, funnel_of, limits_table, ruin_table


def hooligan_sheet(schedule: HooliganSchedule, games: tuple[int, ...], ruin_chances: tuple[float, ...]) -> Sheet:
    """Make the sheet; hold, ruin and sensitivity are against the best player."""
    solved = all_figures(schedule)
    best = solved[Player.OPTIMAL]
    game = house_game(schedule, best)
    header = schedule.header
    return Sheet(
        title=f"Hooligan: {header.name}, version {header.version}",
        header=header,
        fingerprint=schedule.fingerprint,
        facts=head_facts(header, schedule.fingerprint) + _facts(schedule),
        tables=(
            _players(schedule, solved.values()),
            *(_bands(schedule, figures) for figures in solved.values()),
            limits_table(game, games),
            ruin_table(game, ruin_chances),
            sensitivity(schedule, best),
        ),
        notes=(*_notes(schedule), *RISK_NOTES),
        funnel=funnel_of(f"{header.name} against the best player", game),
        score_law=ScoreLaw(
            laws=tuple((figures.player.value, figures.law) for figures in solved.values()),
            bands=tuple((band.low, band.high, header.money(band.pays_minor)) for band in schedule.bands),
        ),
    )


def house_game(schedule: HooliganSchedule, figures: PlayerFigures) -> Game:
    """Law of what the house wins in a game: the stake less what the payout costs it."""
    scale = schedule.trade_cost.denominator
    chances: dict[int, Fraction] = {}
    for chance, paid in zip(figures.law, schedule.law, strict=True):
        won = schedule.stake_minor * scale - paid * schedule.trade_cost.numerator
        chances[won] = chances.get(won, Fraction(0)) + Fraction(chance)
    whole = sum(chances.values())
    law = {won: chance / whole for won, chance in sorted(chances.items())}
    return Game(law, schedule.stake_minor, scale, 2 * figures.error)


def _facts(schedule: HooliganSchedule) -> tuple[tuple[str, str, str], ...]:
    rules = schedule.rules.to_json()
    return (
        ("stake", "Stake", schedule.header.money(schedule.stake_minor)),
        ("trade_cost", "Cost of a payout's face value to the house", str(schedule.trade_cost)),
        *((f"rules.{name}", f"Rule: {name.replace('_', ' ')}", str(value).lower()) for name, value in rules.items()),
        ("rules_fingerprint", "Fingerprint of the reading", reading_fingerprint(schedule.rules)),
        *((f"declared.{kind}", f"Declared: {kind}", str(claim)) for kind, claim in schedule.header.declared.items()),
    )


def _players(schedule: HooliganSchedule, solved: Iterable[PlayerFigures]) -> Table:
    unit = 10**schedule.header.decimals
    columns = (
        Column("player", "Player"),
        Column("return", f"Mean payout, {schedule.header.currency}", Kind.NUMBER),
        Column("house_edge", "House edge", Kind.SHARE),
        Column("payout_sd", "Deviation of the payout", Kind.NUMBER),
        Column("deviation", "Deviation per unit staked", Kind.NUMBER),
        Column("volatility_index", "Volatility index", Kind.NUMBER),
        Column("hit_chance", "Chance of a payout", Kind.SHARE),
        Column("score_mean", "Mean score", Kind.NUMBER),
        Column("score_sd", "Deviation of the score", Kind.NUMBER),
    )
    rows = []
    for figures in solved:
        game = house_game(schedule, figures)
        rows.append(
            (
                figures.player.value,
                figures.mean_minor / unit,
                figures.house_edge,
                figures.payout_sd_minor / unit,
                game.deviation,
                game.volatility_index,
                figures.hit_chance,
                figures.score_mean,
                figures.score_sd,
            )
        )
    return Table("players", "House percentage by player", columns, tuple(rows))


def _bands(schedule: HooliganSchedule, figures: PlayerFigures) -> Table:
    cost = float(schedule.trade_cost) / schedule.stake_minor
    paid = [
        (f"{band.low}-{band.high}", band.pays_minor, band.chance, band.chance, band.chance * band.pays_minor * cost,
         band.share)
        for band in figures.bands
    ]  # fmt: skip
    covered = sum(band.chance for band in figures.bands)
    return Table(
        f"bands_{figures.player.value}",
        f"Bands against the player '{figures.player.value}'",
        (
            Column("score", "Score"),
            Column("pays", "Pays", Kind.MONEY),
            Column("chance", "Chance", Kind.SHARE),
            Column("one_in", "One game in", Kind.ONE_IN),
            Column("contribution", "Cost to the house per unit staked", Kind.SHARE),
            Column("share", "Share of all payouts", Kind.SHARE),
        ),
        (*paid, ("other", 0, 1 - covered, 1 - covered, 0.0, 0.0 if figures.mean_minor else None)),
    )


def sensitivity(schedule: HooliganSchedule, best: PlayerFigures) -> Table:
    """House edge with one unit more, and less, on each band; the best player answers with his best play."""
    unit = gcd(*(band.pays_minor for band in schedule.bands)) or 1

    def edge(changed: Band, by: int) -> float | None:
        if changed.pays_minor + by < 0:
            return None
        pays = [paid + by * (changed.low <= score <= changed.high) for score, paid in enumerate(schedule.law)]
        mean = mean_payout(schedule.rules, pays, Player.OPTIMAL)
        return 1 - float(schedule.trade_cost) * mean / schedule.stake_minor

    rows = []
    for band in schedule.bands:
        more, less = edge(band, unit), edge(band, -unit)
        rows.append(
            (
                f"{band.low}-{band.high}",
                band.pays_minor,
                more,
                None if more is None else more - best.house_edge,
                less,
                None if less is None else less - best.house_edge,
            )
        )
    return Table(
        "sensitivity",
        f"Sensitivity: {money_text(unit, schedule.header.decimals)} more or less on one band",
        (
            Column("score", "Score"),
            Column("pays", "Pays", Kind.MONEY),
            Column("edge_more", "House edge with one unit more", Kind.SHARE),
            Column("moves_more", "Moves by", Kind.SHARE),
            Column("edge_less", "House edge with one unit less", Kind.SHARE),
            Column("moves_less", "Moves by (less)", Kind.SHARE),
        ),
        tuple(rows),
        "Against the best player, who changes his play with the payouts: every row is solved anew.",
    )


def _notes(schedule: HooliganSchedule) -> tuple[str, ...]:
    return (
        "House edge: 1 less the cost of the mean payout over the stake. The stake is never returned on top.",
        "Percentages: a dynamic programme over every position of the game, in float64.",
        f"Every value and chance has a relative error below {error_bound(schedule.rules):.1e}.",
        "The law of the score sums to 1 and its mean payout is the value, within that error.",
        "Player optimal has the greatest mean payout; score the greatest mean score, ties broken by payout.",
        "Player simple names the number that shows most after the first throw; blind names 6 to 1 before each frame.",
    )
