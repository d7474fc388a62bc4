"""The figures of a draft of a schedule: what it keeps from each kind of player or on each bet, and its faults."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from markupsafe import Markup

from house.console.drawing import charts
from house.console.drawing.charts import Band, Bar
from payouts.craps.bets import Group
from payouts.craps.edges import EdgeRow, edges
from payouts.craps.terms import CrapsSchedule
from payouts.currency import money_text
from payouts.errors import Fault, PayoutError, ScheduleError
from payouts.hooligan.percentages import PlayerFigures, all_figures
from payouts.hooligan.players import Player
from payouts.hooligan.schedule import HooliganSchedule
from payouts.par.document import Table
from payouts.par.hooligan import sensitivity
from payouts.schedule import parse

PLAYERS = {
    Player.OPTIMAL: ("The best player", "plays for the greatest payout"),
    Player.SCORE: ("Plays for score", "greatest mean score, ties broken by payout"),
    Player.SIMPLE: ("Simple", "every natural; the number that shows most after the first throw"),
    Player.BLIND: ("Blind", "6 down to 1, each named before its frame"),
}
"""Kinds of player as the desk calls them, and how each plays."""


@dataclass(frozen=True, slots=True)
class BandRow:
    """A band of scores against the best player: its chance and share, and what one stake more on it costs the house."""

    low: int
    high: int
    pays_minor: int
    chance: float
    share: float | None
    slope: float


@dataclass(frozen=True, slots=True)
class HooliganFigures:
    """A Hooligan schedule against every kind of player."""

    schedule: HooliganSchedule
    players: tuple[tuple[str, str, PlayerFigures], ...]
    bands: tuple[BandRow, ...]
    law: Markup


@dataclass(frozen=True, slots=True)
class CrapsFigures:
    """A craps schedule: every bet at every spot, in the groups of the layout."""

    schedule: CrapsSchedule
    groups: tuple[tuple[str, tuple[EdgeRow, ...]], ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as far as it can be read: its figures, or every fault that it has."""

    figures: HooliganFigures | CrapsFigures | None
    faults: tuple[Fault, ...]


@lru_cache(maxsize=64)
def judged(text: str) -> Draft:
    """Read and solve a draft.

    Notes
    -----
    Hooligan takes a sixth of a second of one core, a craps table a tenth; the same text is solved once.
    """
    try:
        schedule = parse(text, "draft")
    except ScheduleError as error:
        return Draft(None, error.faults)
    except PayoutError as error:
        return Draft(None, (Fault("draft", "", "", str(error)),))
    if isinstance(schedule, HooliganSchedule):
        return Draft(_hooligan(schedule), ())
    return Draft(_craps(schedule), ())


def _hooligan(schedule: HooliganSchedule) -> HooliganFigures:
    solved = all_figures(schedule)
    best, decimals = solved[Player.OPTIMAL], schedule.header.decimals
    bands = tuple(
        BandRow(each.low, each.high, each.pays_minor, each.chance, each.share, each.chance * float(schedule.trade_cost))
        for each in best.bands
    )
    drawn = [Band(each.low, each.high, money_text(each.pays_minor, decimals)) for each in best.bands]
    said = f"The best player is paid in {100 * best.hit_chance:.2f}% of games; his mean score is {best.score_mean:.1f}."
    return HooliganFigures(
        schedule,
        tuple((*words, solved[player]) for player, words in PLAYERS.items()),
        bands,
        charts.score_law("Scores of the best player against the bands", said, best.law, drawn),
    )


def _craps(schedule: CrapsSchedule) -> CrapsFigures:
    rows = edges(schedule)
    by_group = {group: [row for row in rows if schedule.bets[row.bet].bet.group is group] for group in Group}
    return CrapsFigures(schedule, tuple((group.value, tuple(found)) for group, found in by_group.items() if found))


@lru_cache(maxsize=32)
def sensitive(text: str) -> tuple[Table, Markup] | None:
    """Solve a Hooligan schedule anew with one unit more and less on each band: table and chart, None for others."""
    figures = judged(text).figures
    if not isinstance(figures, HooliganFigures):
        return None
    table = sensitivity(figures.schedule, figures.players[0][2])
    rows = [
        Bar(f"{row[0]}, one unit {word}", float(move), f"{100 * float(move):+.2f}%".replace("-", charts.MINUS))
        for row in table.rows
        for word, move in (("more", row[3]), ("less", row[5]))
        if isinstance(move, float | Fraction)
    ]
    said = "Against the best player, who changes his play with the payouts."
    return table, charts.bars("How the house edge moves", said, rows)
