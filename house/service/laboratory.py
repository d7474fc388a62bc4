"""Questions to the laboratory: the board of the pit, a die's evidence, an audit of the house's own log."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from house.domain.lives import Kind
from house.domain.watching import DEFAULT
from house.service import alarms, incidents, lives, watch
from house.service.desk import House
from house.service.incidents import Incident
from house.service.lives import Custody
from house.service.play import known_table
from house.service.sheets import check_days
from house.service.surveillance import observations
from house.service.watch import Watched
from house.store import incidents as incident_store
from house.store import tables, throws, watches
from house.store.watches import Span, Watch
from integrity import pit
from integrity.audit import Audit, audit
from integrity.fit import FAIR_D6
from integrity.intervals import confidence_sequence
from integrity.sequential import face_battery, face_path
from integrity.tails import LN10

POINTS = 200
"""Points of an evidence path at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One monitor of a set of dice in play.

    Parameters
    ----------
    watch, throws
        Number of the set, and how often it was thrown.
    monitor, dice
        Kind of the monitor and serials of the dice that it watches.
    weight
        Its share of the pit's whole budget.
    bar, log10_evalue, max_log10_evalue
        Where it alarms, its evidence now, and the most that it has been, log10.
    adjusted_log10_pvalue
        Holm's adjusted anytime p over all monitors in play, log10.
    accused, listed
        Whether it accuses, and whether it is on the work list (e-BH).
    """

    table: str
    watch: int
    throws: int
    monitor: str
    dice: tuple[str, ...]
    weight: float
    bar: float
    log10_evalue: float
    max_log10_evalue: float
    adjusted_log10_pvalue: float
    accused: bool
    listed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Every monitor of the dice in play; the accused first, then by evidence.

    Parameters
    ----------
    alpha
        The budget of false alarms over everything that is ever watched.
    given
        What the sets that were ever watched have of it, in all.
    """

    alpha: Fraction
    given: Fraction
    lines: tuple[Line, ...]
    open_incidents: tuple[int, ...]


def board(house: House) -> Board:
    """Judge all monitors of the dice in play together, as the last committed throws leave them.

    They are those in the writer's memory, and worked out where it has none since the house opened.
    """
    memory = house.writer.memory
    with house.read() as connection:
        every = watches.every(connection)
        found = {
            str(each.watch.number): (table.id, each)
            for table in tables.open_ones(connection)
            for each in (memory[table.id] if table.id in memory else watch.at_table(connection, table.id))
        }
        open_now = incident_store.after(connection, -1, 10_000, status="open", table=None)
    given = sum((one.alpha for one in every), Fraction(0))
    rule = house.watching
    alpha = max([one.pit_alpha for one in every] + ([] if rule is None else [rule.alpha]), default=Fraction(0))
    watched = {name: (each.panel, each.state) for name, (_, each) in found.items()}
    lines = pit.board(watched, float(alpha)) if watched else ()
    return Board(
        alpha=alpha,
        given=given,
        lines=tuple(
            _line(line, *found[line.table])
            for line in lines
            if alarms.heard(found[line.table][1].watch.dice, line.kind)
        ),
        open_incidents=tuple(one.number for one in open_now),
    )


def _line(line: pit.Line, table: str, each: Watched) -> Line:
    return Line(
        table=table,
        watch=each.watch.number,
        throws=int(each.state[0]),
        monitor=line.kind,
        dice=tuple(each.watch.dice[die] for die in line.dice),
        weight=line.weight,
        bar=line.bar_log10_evalue,
        log10_evalue=line.log10_evalue,
        max_log10_evalue=line.max_log10_evalue,
        adjusted_log10_pvalue=line.adjusted_log10_pvalue,
        accused=line.accused,
        listed=line.listed,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceCount:
    """How often a die showed a face, and bounds of its chance that hold at every throw at once with 99 %."""

    face: int
    count: int
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The evidence on a die's faces after so many throws of it, log10 e."""

    throws: int
    log10_evalue: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """Where a die was used: throws of it at a table, first and last throw of the table with it."""

    table: str
    throws: int
    first_throw: int
    last_throw: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DieEvidence:
    """All that is known of a die: its life, its faces, the evidence over time, and its incidents.

    Parameters
    ----------
    throws
        Throws that count; void ones do not.
    path
        Evidence of the face battery over the die's whole life, at most `POINTS` points, the last throw last.
    moves
        How often each face (rows, from 1) was followed by each (columns), without a change of table between, 6 x 6.
    """

    custody: Custody
    throws: int
    faces: tuple[FaceCount, ...]
    path: tuple[Point, ...]
    moves: tuple[tuple[int, ...], ...]
    used: tuple[Used, ...]
    incidents: tuple[Incident, ...]


def die(house: House, serial: str) -> DieEvidence:
    """Show a die with the evidence on it. Refused: NOT_FOUND."""
    custody = lives.custody(house, Kind.DIE, serial)
    with house.read() as connection:
        itself = watches.find(connection, (serial,))
        spans = () if itself is None else tuple((itself, span) for span in watches.spans(connection, itself.number))
        shown = [(span.table, *_shown(connection, one, span, serial)) for one, span in spans]
        about = [
            incidents.shown(connection, raised)
            for one in watches.of_die(connection, serial)
            for raised in incident_store.of_watch(connection, one.number)
            if serial in raised.subject
        ]
    faces = np.concatenate([each[1] for each in shown]) if shown else np.zeros(0, dtype=np.int64)
    counts = np.bincount(faces, minlength=7)[1:]
    low, high = confidence_sequence(counts)
    return DieEvidence(
        custody=custody,
        throws=int(counts.sum()),
        faces=tuple(
            FaceCount(face=face + 1, count=int(counts[face]), low=float(low[face]), high=float(high[face]))
            for face in range(6)
        ),
        path=_path(faces),
        moves=_moves([each[1] for each in shown]),
        used=_used(shown),
        incidents=tuple(about),
    )


def _shown(connection: Connection, one: Watch, span: Span, serial: str) -> tuple[NDArray[np.int64], list[int]]:
    """Faces that a die showed in a span, and the numbers of the throws."""
    numbers, faces = list[int](), list[int]()
    for rows in throws.parts(connection, span.table, span.first, span.end):
        for number, thrown in groupby(rows, key=lambda row: int(row.number)):
            dice = list(thrown)
            face = next((row.face for row in dice if row.die == serial), None)
            if face and all(row.state == "ok" for row in dice):
                numbers.append(number)
                faces.append(face)
    return np.array(faces, dtype=np.int64), numbers


def _path(faces: NDArray[np.int64]) -> tuple[Point, ...]:
    if not faces.size:
        return ()
    path = face_path(face_battery(FAIR_D6), faces) / LN10
    step = -(-faces.size // POINTS)
    at = [*range(step - 1, faces.size - 1, step), faces.size - 1]
    return tuple(Point(throws=index + 1, log10_evalue=float(path[index])) for index in at)


def _moves(spans: list[NDArray[np.int64]]) -> tuple[tuple[int, ...], ...]:
    """Count which face followed which within each span."""
    counts = np.zeros((6, 6), dtype=np.int64)
    for faces in spans:
        np.add.at(counts, (faces[:-1] - 1, faces[1:] - 1), 1)
    return tuple(tuple(row) for row in counts.tolist())


def _used(shown: list[tuple[str, NDArray[np.int64], list[int]]]) -> tuple[Used, ...]:
    return tuple(
        Used(table=table, throws=len(numbers), first_throw=numbers[0], last_throw=numbers[-1])
        for table, _, numbers in shown
        if numbers
    )


def audit_house(
    house: House, table: str | None = None, first_day: str | None = None, last_day: str | None = None
) -> Audit:
    """Audit the house's own log, of one table and of gaming days (YYYY-MM-DD, both counted in) if these are asked.

    Unlike the live monitors it tells a crooked box with fair dice from fair boxes with crooked dice, over all tables.
    Refused: BAD_VALUE, NOT_FOUND.
    """
    asked = [day for day in (first_day, last_day) if day is not None]
    if asked:
        check_days(asked[0], asked[-1])
    if table is not None:
        with house.read() as connection:
            known_table(connection, table)
    alpha = float((house.watching or DEFAULT).alpha)
    name = "the house" if table is None else f"table {table}"
    return audit(observations(house, table, days=(first_day, last_day)), alpha, name=name)
