"""The laboratory live: every throw of the house updates the monitors of the dice that were thrown.

Evidence belongs to dice. A set of dice that is in play together is watched under its own share of the house's budget
of false alarms, given once for ever and noted in the history; a set that comes back resumes where it stood, at
whatever table. The monitors are derived from the throws and kept in the writer's memory; a snapshot every
`SNAPSHOT_THROWS` throws, when a set leaves a table and when the house closes, bounds what is worked out again after a
restart, to the last bit where the same kernel (numba or numpy) is installed, and to 1e-9 in log10 e where it is not.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from house.domain.lives import Kind
from house.domain.watching import groups
from house.service import alarms
from house.service.alarms import Raised
from house.service.desk import Work
from house.store import equipment, incidents, records, tables, throws, watches
from house.store.checks import Discrepancy
from house.store.incidents import StoredIncident
from house.store.throws import StoredDie, StoredThrow
from house.store.unit_of_work import Unit
from house.store.watches import Snapshot, Span, Watch
from integrity import monitors
from integrity.errors import LaboratoryError
from integrity.kernel import State
from integrity.monitors import Panel, panel

SNAPSHOT_THROWS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """A set of dice at a table as the throws so far leave it.

    Parameters
    ----------
    span
        Record by which the set came into play where it is.
    next_throw
        Throw of the table up to which the state goes, itself not in it.
    bars
        ln e of each monitor at which an incident is raised; infinite while one is open.
    """

    watch: Watch
    panel: Panel
    state: State
    span: int
    next_throw: int
    bars: NDArray[np.float64]

    def keep(self, unit: Unit) -> None:
        """Keep a snapshot, unless there is one that goes as far."""
        kept = watches.snapshot(unit.connection, self.watch.number)
        if kept is None or (kept.span, kept.next_throw) < (self.span, self.next_throw):
            self.put_down(unit)

    def put_down(self, unit: Unit) -> None:
        """Keep a snapshot, whatever there is."""
        saved = monitors.save(self.panel, self.state)
        watches.keep(unit, Snapshot(self.watch.number, self.span, self.next_throw, saved))


def warm_up() -> Thread:
    """Let numba, where it is installed, compile the monitors in the background; a throw that comes earlier waits.

    On a machine's first run that takes some seconds, later one.
    """
    of = panel(2)
    thread = Thread(
        target=monitors.observe, args=(of, monitors.start(of), (1, 2)), name="floorman-warm-up", daemon=True
    )
    thread.start()
    return thread


def panel_of(watch: Watch) -> Panel:
    """The monitors of a set, on its own share of the budget."""
    return panel(len(watch.dice), alpha=float(watch.alpha))


def plan(work: Work, dice: Sequence[str]) -> tuple[Watch, ...]:
    """Say how dice that come into play together will be watched; a set that is new gets its share of the budget."""
    rule = work.house.watching
    if rule is None:
        return ()
    number, planned = watches.next_number(work.connection), list[Watch]()
    for group in groups(tuple(dice)):
        found = watches.find(work.connection, group)
        planned.append(found or Watch(number, group, rule.alpha * rule.share(number), rule.alpha))
        number += found is None
    return tuple(planned)


def noted(planned: Sequence[Watch]) -> Mapping[str, Any]:
    """What a record says of the watching that begins with it: number and dice, share of alpha, alpha of the pit."""
    return {"watches": [[one.number, list(one.dice), str(one.alpha), str(one.pit_alpha)] for one in planned]}


def begin(work: Work, planned: Sequence[Watch], record: int, table: str, first_throw: int) -> None:
    """Watch sets that came into play at a table, in place of those that were there."""
    end(work, table)
    before = {watch.number for watch in watches.every(work.connection)} if planned else set()
    for watch in planned:
        if watch.number not in before:
            watches.add(work.unit, watch, record)
    if planned:
        watches.begin(work.unit, planned, record, table, first_throw)
    begun = list[Watched]()
    for watch in planned:
        if watch.number in before:
            resumed = load(work.connection, watch, first_throw)
            resumed.keep(work.unit)
            begun.append(resumed)
        else:
            begun.append(_first(watch, record, first_throw))
            begun[-1].put_down(work.unit)
    work.unit.memory = {**work.unit.memory, table: tuple(begun)}


def _first(watch: Watch, record: int, first_throw: int) -> Watched:
    """Begin the monitors of a set that was never in play: as `load` would find them, without looking."""
    of = panel_of(watch)
    state = monitors.break_order(of, monitors.start(of))
    return Watched(watch, of, state, record, first_throw, alarms.bars(of, watch.dice, ()))


def end(work: Work, table: str) -> None:
    """Keep a snapshot of every set that leaves a table."""
    for each in work.unit.memory.get(table, ()):
        each.keep(work.unit)
    work.unit.memory = {name: sets for name, sets in work.unit.memory.items() if name != table}


def observe(work: Work, throw: StoredThrow, dice: Sequence[StoredDie]) -> None:
    """Let the monitors see a throw that was just logged; what alarms becomes an incident at once."""
    found = work.unit.memory.get(throw.table)
    watched: tuple[Watched, ...] = at_table(work.connection, throw.table, throw.number) if found is None else found
    after = tuple(_observed(work, _caught_up(work.connection, each, throw), throw, dice) for each in watched)
    work.unit.memory = {**work.unit.memory, throw.table: after}


def _observed(work: Work, watched: Watched, throw: StoredThrow, dice: Sequence[StoredDie]) -> Watched:
    shown = {die.die: die.face or 0 for die in dice}
    faces = [0 if throw.void else shown.get(serial, 0) for serial in watched.watch.dice]
    if not any(faces):
        return replace(watched, next_throw=throw.number + 1)
    state = monitors.observe(watched.panel, watched.state, faces)
    after = replace(watched, state=state, next_throw=throw.number + 1)
    for alarm in alarms.crossed(watched.watch.dice, watched.panel, state, watched.bars):
        _raise(work, watched.watch, alarm, throw)
        after = replace(after, bars=alarms.silenced(watched.watch.dice, watched.panel, after.bars, alarm.subject))
    if int(state[0]) % SNAPSHOT_THROWS == 0:
        after.keep(work.unit)
    return after


def _raise(work: Work, watch: Watch, alarm: Raised, throw: StoredThrow) -> None:
    """Make an incident of an alarm, in the transaction of the throw, with all that speaks for it."""
    number = incidents.next_number(work.connection)
    dice = equipment.in_play(work.connection, throw.table).dice
    custody = {die: equipment.history(work.connection, Kind.DIE, die) for die in dice}
    body = {
        "event": "raised",
        "incident": number,
        "watch": watch.number,
        "dice": list(dice),
        "box": throw.box,
        "throw": throw.number,
        "shooter": throw.shooter,
        "subject": alarm.subject,
        "monitor": alarm.monitor,
        "monitored": list(alarm.dice),
        "attack": alarm.attack.id,
        "log10_evalue": f"{alarm.log10_evalue:.4f}",
        "bar": f"{alarm.bar:.4f}",
        "weight": f"{alarm.weight:.6f}",
        "alpha": str(watch.alpha),
        "pit_alpha": str(watch.pit_alpha),
        "throws": alarm.throws,
        "words": alarm.words,
        "check": alarm.attack.check,
        "custody": {die: [event.record for event in events] for die, events in custody.items()},
    }
    record = records.append(work.unit, "incident", throw.table, body)
    incident = StoredIncident(
        number=number,
        watch=watch.number,
        subject=alarm.subject,
        table=throw.table,
        throw=throw.number,
        raised=record,
        gaming_day=work.unit.gaming_day,
    )
    incidents.add(work.unit, incident)


def _caught_up(connection: Connection, watched: Watched, throw: StoredThrow) -> Watched:
    """Take in what another process let be thrown since."""
    if watched.next_throw == throw.number:
        return watched
    rest = Span(watched.span, throw.table, watched.next_throw, throw.number)
    state = _taken(connection, watched.watch, watched.panel, watched.state, rest)
    return replace(watched, state=state, next_throw=throw.number)


def at_table(connection: Connection, table: str, before: int | None = None) -> tuple[Watched, ...]:
    """Work out the sets at a table, as the throws before one leave them; None for all."""
    return tuple(load(connection, watch, before) for watch, _ in watches.at_table(connection, table))


def load(connection: Connection, watch: Watch, before: int | None = None, *, afresh: bool = False) -> Watched:
    """Work out a set's monitors from its snapshot and the throws since, or from the throws alone.

    Parameters
    ----------
    before
        Throw of the table where the set is now that is not to be taken in, nor those after it; None for all.
    afresh
        Leave the snapshot out of account.
    """
    of, saved = panel_of(watch), None if afresh else watches.snapshot(connection, watch.number)
    state = None if saved is None else _restored(of, saved)
    if saved is None or state is None:
        saved, state = None, monitors.start(of)
    spans = watches.spans(connection, watch.number, 0 if saved is None else saved.span)
    for span in spans:
        if saved is not None and span.record == saved.span:
            first = saved.next_throw
        else:
            first, state = span.first, monitors.break_order(of, state)
        end = before if span is spans[-1] and span.end is None else span.end
        state = _taken(connection, watch, of, state, Span(span.record, span.table, first, end))
    bars = alarms.bars(of, watch.dice, incidents.of_watch(connection, watch.number))
    return Watched(watch, of, state, spans[-1].record, _next(connection, spans[-1], before), bars)


def _next(connection: Connection, span: Span, before: int | None) -> int:
    """The throw at which a set's last span stands."""
    end = before if span.end is None else span.end
    if end is not None:
        return end
    table = tables.get(connection, span.table)
    assert table is not None, "a span is at a table"
    return table.next_throw


def _restored(of: Panel, saved: Snapshot) -> State | None:
    """Read a snapshot; None for one of other monitors, as of an earlier version."""
    try:
        return monitors.restore(of, saved.state)
    except LaboratoryError:
        return None


def _taken(connection: Connection, watch: Watch, of: Panel, state: State, span: Span) -> State:
    """Take in the throws of a span."""
    for faces in faces_of(connection, watch, span):
        state = monitors.observe_all(of, state, faces)
    return state


def faces_of(connection: Connection, watch: Watch, span: Span) -> Iterator[NDArray[np.int64]]:
    """Give the throws of a span as the monitors see them: arrays (throws, dice), 0 for a die that was not thrown."""
    place = {serial: index for index, serial in enumerate(watch.dice)}
    for rows in throws.parts(connection, span.table, span.first, span.end):
        lines = []
        for _, thrown in groupby(rows, key=lambda row: row.number):
            dice, line = list(thrown), [0] * len(place)
            for row in dice:
                if row.die in place:
                    line[place[row.die]] = row.face or 0
            if any(line) and all(row.state == "ok" for row in dice):
                lines.append(line)
        if lines:
            yield np.array(lines, dtype=np.int64)


def breaches(connection: Connection) -> Iterator[Discrepancy]:
    """Work out every snapshot anew from the throws, and find those that are not what the throws make them."""
    for watch in watches.every(connection):
        of, saved = panel_of(watch), watches.snapshot(connection, watch.number)
        kept = None if saved is None else _restored(of, saved)
        if saved is None or kept is None:
            continue
        due = monitors.start(of)
        for span in watches.spans(connection, watch.number):
            if span.record <= saved.span:
                end = saved.next_throw if span.record == saved.span else span.end
                whole = Span(span.record, span.table, span.first, end)
                due = _taken(connection, watch, of, monitors.break_order(of, due), whole)
        if not _same(of, kept, due):
            found, right = (f"{monitors.max_log10_evalues(of, state).max():.4f}" for state in (kept, due))
            yield Discrepancy(invariant=AS_THROWN, where=f"watch {watch.number}", found=found, due=right)


AS_THROWN = "a snapshot of monitors is what the throws make it"


def _same(of: Panel, one: State, other: State) -> bool:
    """Tell whether two states say the same: the counts exactly, log10 e to 1e-9."""
    counts = all(np.array_equal(monitors.field(of, one, name), monitors.field(of, other, name)) for name in _COUNTED)
    evidence = (monitors.log10_evalues, monitors.max_log10_evalues)
    return counts and all(np.allclose(said(of, one), said(of, other), rtol=0, atol=1e-9) for said in evidence)


_COUNTED = ("throws", "counts", "previous", "moves", "together", "crossed")


def rebar(work: Work, number: int) -> None:
    """Set the bars of a watched set anew, after an incident of it was closed."""
    raised = incidents.of_watch(work.connection, number)
    work.unit.memory = {
        table: tuple(
            replace(each, bars=alarms.bars(each.panel, each.watch.dice, raised))
            if each.watch.number == number
            else each
            for each in sets
        )
        for table, sets in work.unit.memory.items()
    }


def corrected(work: Work, table: str, throw: int) -> None:
    """Forget what was worked out from a throw that was corrected; alarms that were raised stay."""
    touched = set[int]()
    for watch, span in watches.at_throw(work.connection, table, throw):
        touched.add(watch.number)
        saved = watches.snapshot(work.connection, watch.number)
        if saved is None or saved.span > span.record or (saved.span == span.record and saved.next_throw > throw):
            watches.forget(work.unit, watch.number)
    work.unit.memory = {
        name: sets for name, sets in work.unit.memory.items() if touched.isdisjoint(each.watch.number for each in sets)
    }
