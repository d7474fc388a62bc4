"""What a sheet is: facts, tables of raw values with the kind of each column, notes, and the data of its pictures."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from payouts.header import Header
from payouts.hold import Interval

Value = str | int | float | Fraction | Interval | tuple[float, float] | None


class Kind(StrEnum):
    """What the values of a column are, which decides how each writer writes them."""

    TEXT = "text"
    WHOLE = "whole"  # an integer
    MONEY = "money"  # an int or an `Interval` in minor units
    SHARE = "share"  # a Fraction, or a float, or a pair of bounds: shown as a percentage
    NUMBER = "number"  # a float or a Fraction
    ONE_IN = "one in"  # a chance, shown as its reciprocal


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its key in JSON, its heading, its kind."""

    key: str
    title: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """A table; rows have a value for each column, None where there is none."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScoreLaw:
    """Data of the picture of a score law against the bands of a schedule.

    Parameters
    ----------
    laws
        (player, chance of each score from 0).
    bands
        (low, high, payout as text).
    """

    laws: tuple[tuple[str, tuple[float, ...]], ...]
    bands: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Funnel:
    """Data of a hold funnel: limits of hold as shares of the handle, over numbers of games.

    Parameters
    ----------
    limits
        For each number of games the hold at each probability.
    """

    title: str
    edge: float
    games: tuple[int, ...]
    probabilities: tuple[float, ...]
    limits: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The mathematics report of a schedule.

    Parameters
    ----------
    facts
        (key, heading, value) of what the report is of.
    notes
        How the figures were computed, a sentence or two each.
    """

    title: str
    header: Header
    fingerprint: str
    facts: tuple[tuple[str, str, str], ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    funnel: Funnel
    score_law: ScoreLaw | None = None


def head_facts(header: Header, fingerprint: str) -> tuple[tuple[str, str, str], ...]:
    """Facts that every sheet begins with."""
    facts = (
        ("game", "Game", header.game.value),
        ("schedule", "Schedule", header.name),
        ("version", "Version", str(header.version)),
        ("fingerprint", "Fingerprint (SHA-256)", fingerprint),
        ("currency", "Currency", header.currency),
        ("effective_from", "Effective from", header.effective_from.isoformat() if header.effective_from else "at once"),
        ("notes", "Notes", header.notes),
    )
    return tuple(fact for fact in facts if fact[2])
