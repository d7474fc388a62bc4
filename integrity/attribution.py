"""Who is to blame: from the evidence on every subject to the few that explain it.

A crooked box marks every die that passes through it, a loaded die marks every box, table, slot and hand it visits. So
the strongest subject is accused first, its rows are taken out, everyone else is judged by the rows that remain, and so
on until nobody's evidence reaches the bar (Holm on 1/e over all subjects). A subject is set aside for another kind when
its own rows are explained better by a few members of that kind, each with evidence of its own: a table that saw two
loaded dice is not a crooked table.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrity.evidence import DOUBT, KINDS, Frame, Kind, Subject, View, attack_log_e, sums


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence on every subject in one view: ln(weight x e) by kind and attack, each (codes,)."""

    by_attack: Mapping[Kind, Mapping[str, NDArray[np.float64]]]

    def log_e(self, kind: Kind) -> NDArray[np.float64]:
        """Give ln e of every code of a kind."""
        parts = list(self.by_attack[kind].values())
        return np.asarray(np.logaddexp.reduce(np.stack(parts), axis=0))


@dataclass(frozen=True, slots=True)
class Accusation:
    """A subject accused, with the evidence by attack on the rows that spoke at that moment, and those rows."""

    subject: Subject
    log_e: float
    by_attack: Mapping[str, float]
    view: View


def evidence(frame: Frame, view: View, null: tuple[float, ...]) -> Evidence:
    """Weigh every subject in a view."""
    return Evidence({kind: attack_log_e(kind, sums(frame, view, kind), null) for kind in KINDS})


def subjects(frame: Frame) -> tuple[Subject, ...]:
    """List all subjects that have rows."""
    view = View.of(frame)
    found: list[Subject] = []
    for kind in KINDS:
        seen = sums(frame, view, kind)
        rows = seen.moves.sum(axis=(1, 2)) + seen.togethers.sum(axis=(1, 2))
        found += [(kind, code) for code in np.flatnonzero(rows).tolist()]
    return tuple(found)


def accuse(frame: Frame, null: tuple[float, ...], alpha: float) -> tuple[Accusation, ...]:
    """Accuse, strongest first, until nobody reaches the bar; then drop whoever the others explain.

    The chance that anyone is accused in a log of fair dice, boxes and hands is at most `alpha`.
    """
    tested = len(subjects(frame))
    view, found = View.of(frame), list[Accusation]()
    while len(found) < tested:
        bar = float(np.log((tested - len(found)) / alpha))
        best = _next(frame, view, null, bar, tested)
        if best is None:
            break
        found.append(best)
        view = view.without(frame, best.subject)
    return _needed(frame, null, found, float(np.log(tested / alpha)) if tested else 0.0)


def _next(frame: Frame, view: View, null: tuple[float, ...], bar: float, tested: int) -> Accusation | None:
    """Find the subject to accuse in a view."""
    weighed = evidence(frame, view, null)
    tops = [(float(log_e.max()), kind, int(log_e.argmax())) for kind in KINDS if len(log_e := weighed.log_e(kind))]
    strength, kind, code = max(tops, default=(0.0, "die", 0))
    if strength < bar:
        return None
    inside = evidence(frame, view.within(frame, (kind, code)), null)
    price = float(np.log(tested))
    better = _explained(inside, (kind, code), strength, price=price)
    if better is not None:
        shared, everywhere = (float(each.log_e(better[0])[better[1]]) for each in (inside, weighed))
        # whoever is to blame is no weaker over all of its rows than over those that it shares with the subject
        if everywhere >= max(bar, shared - price):
            (kind, code), strength = better, everywhere
    return Accusation((kind, code), strength, {a: float(v[code]) for a, v in weighed.by_attack[kind].items()}, view)


def _explained(inside: Evidence, subject: Subject, log_e: float, *, price: float) -> Subject | None:
    """Find whether members of another kind explain a subject's rows better; each costs `price` nats and doubt."""
    best, winner = log_e - price - DOUBT[subject[0]], None
    for kind in KINDS:
        if kind == subject[0]:
            continue
        values = inside.log_e(kind)
        gain = float(np.maximum(values - price - DOUBT[kind], 0.0).sum())
        if gain > best:
            best, winner = gain, (kind, int(values.argmax()))
    return winner


def _needed(frame: Frame, null: tuple[float, ...], found: list[Accusation], bar: float) -> tuple[Accusation, ...]:
    """Drop, last accused first, those who fall under the bar once all the others' rows are out."""
    kept = list(found)
    for each in reversed(found):
        if len(kept) < 2:
            break
        view = View.of(frame)
        for other in kept:
            if other.subject != each.subject:
                view = view.without(frame, other.subject)
        alone = evidence(frame, view, null).log_e(each.subject[0])
        if len(alone) <= each.subject[1] or alone[each.subject[1]] < bar:
            kept.remove(each)
    return tuple(kept)
