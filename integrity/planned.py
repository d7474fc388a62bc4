"""An audit held to a plan: the test that was written down, on the first throws that it asked for, and no other."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.attacks import ATTACKS
from integrity.directed import directed
from integrity.effects import Description, describe
from integrity.errors import PlanError
from integrity.evidence import Frame, Kind, View, attack_log_e, frame_of, sums
from integrity.findings import Finding, Verdict, subject_id
from integrity.fit import FAIR_D6
from integrity.observations import Names, Observations, State, whole_throws
from integrity.plan import Plan, judge
from integrity.tails import LN10
from integrity.tallies import Tallies

_KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(("equal", "seven", "eleven"), "pair"),
    "no_seven": "shooter",
    "crooked_box": "box",
    "crooked_hand": "shooter",
    "stakes": "stake_class",
    "slot": "slot",
}
"""Whom an attack is looked for in; a die, where nothing is said."""
_CONTRASTS: Final = ("load", "tilt", "flats", "crooked_box", "crooked_hand", "stakes", "slot")
_NEIGHBOURS: Final = ("repeats", "order")
"""Attacks judged by throws that follow one another."""
_UNSEEN: Final = {"missing": (5, 6.0, 5 / 6), "doubled": (5, 6.0, 5 / 6), "few_faces": (3, 20.0, 1 / 2)}
"""Faces that a die may show at most, sets of so many faces, chance that a fair throw stays in one of them."""


def kind_of(plan: Plan) -> Kind:
    """Tell whom a plan judges."""
    return _KINDS.get(plan.attack, "die")


def first_throws(batches: Iterable[Observations], plan: Plan) -> Iterator[Observations]:
    """Keep what a plan asks for: the first counted throws of a hand, the first counted dice of any other subject.

    A plan for a pair takes the first throws of both its dice; one for repeats or order takes one throw more.
    """
    kind = kind_of(plan)
    by_throw = plan.attack == "no_seven"
    most = plan.throws + (plan.attack in _NEIGHBOURS)
    seen: dict[str | int | None, int] = {}
    for batch in whole_throws(batches):
        codes, names = _coded(batch, kind)
        starts = batch.starts()
        throw = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(batch))))
        voiding = (batch.state >= State.COCKED) & (batch.state <= State.VOID)
        counts = (batch.state == State.OK) & ~np.logical_or.reduceat(voiding, starts)[throw]
        keep = np.zeros(len(batch), dtype=np.bool_)
        for code in np.unique(codes).tolist():
            name = None if code < 0 else names[code] if names else code
            rows = np.flatnonzero(counts & (codes == code))
            nth = np.unique(throw[rows], return_inverse=True)[1] if by_throw else np.arange(len(rows))
            keep[rows[nth + seen.get(name, 0) < most]] = True
            seen[name] = seen.get(name, 0) + int(nth.max(initial=-1)) + 1
        yield batch.take(keep)


def _coded(batch: Observations, kind: Kind) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Give the subject of every row (n,), -1 for none, and the names behind the codes where these are not numbers."""
    if kind in {"slot", "stake_class"}:
        return np.asarray(getattr(batch, kind), dtype=np.int64), ()
    column: Names = getattr(batch, "die" if kind == "pair" else kind)
    return column.codes.astype(np.int64), column.names


def planned_findings(tallies: Tallies, plan: Plan) -> tuple[Finding, ...]:
    """Judge every subject of a plan by the tallies of its first throws.

    Raises
    ------
    PlanError
        More subjects than the plan shares its alpha over, or throws and none of its kind at all.
    """
    frame, kind = frame_of(tallies), kind_of(plan)
    counted = sums(frame, View.of(frame), kind)
    codes = np.flatnonzero(counted.moves.sum(axis=(1, 2)) + counted.togethers.sum(axis=(1, 2))).tolist()
    if not codes and tallies.faces().any():
        raise PlanError(f"log must name a {kind} in some row to be held to a plan against {plan.attack}, got none")
    if len(codes) > plan.subjects:
        raise PlanError(f"subjects must be at least the {len(codes)} of kind {kind} in the log, got {plan.subjects}")
    log_e = np.logaddexp.reduce(np.stack(list(attack_log_e(kind, counted, FAIR_D6).values())), axis=0)
    return tuple(
        _finding(
            tallies,
            frame,
            plan,
            code,
            moves=counted.moves[code],
            pairs=counted.togethers[code],
            log_e=float(log_e[code]),
        )
        for code in codes
    )


def _finding(
    tallies: Tallies,
    frame: Frame,
    plan: Plan,
    code: int,
    *,
    moves: NDArray[np.int64],
    pairs: NDArray[np.int64],
    log_e: float,
) -> Finding:
    """Judge one subject."""
    kind = kind_of(plan)
    told, n = _test(plan, moves, pairs)
    log10_pvalue = told.log10_pvalue
    verdict = Verdict(judge(plan, n, log10_pvalue))
    return Finding(
        kind=kind,
        id=subject_id(tallies, frame, (kind, code)),
        attack=ATTACKS[plan.attack],
        n=n,
        set_aside=0,
        log10_evalue=log_e / LN10,
        pvalue=told.pvalue,
        log10_pvalue=log10_pvalue,
        law=told.law,
        adjusted=1.0 if log10_pvalue is None else min(1.0, plan.subjects * 10.0**log10_pvalue),
        effect=told.effect,
        verdict=Verdict.TOO_FEW if verdict is Verdict.NO_DATA else verdict,
        code=code,
        test=told.test,
        statistic=told.statistic,
        df=told.df,
        planned=True,
    )


def _test(plan: Plan, moves: NDArray[np.int64], pairs: NDArray[np.int64]) -> tuple[Description, int]:
    """Run the planned test: its description, and the throws that entered."""
    faces = moves.sum(axis=0)
    looked_for = "load" if plan.attack in _KINDS and plan.attack in _CONTRASTS else plan.attack
    n, told = int(faces.sum()), describe(looked_for, moves, pairs, FAIR_D6, plan.alpha)
    if plan.attack in _CONTRASTS:
        result = directed(faces)
        p_and_law = result.pvalue, result.log10_pvalue, result.law
        return Description(told.effect, *p_and_law, "largest of 15 contrasts", result.statistic), n
    if plan.attack in _UNSEEN:
        most, sets, chance = _UNSEEN[plan.attack]
        shown = int((faces > 0).sum())
        log10_pvalue = min(0.0, float(np.log10(sets) + n * np.log10(chance))) if 0 < shown <= most else 0.0
        return Description(told.effect, 10.0**log10_pvalue, log10_pvalue, "exact", "faces shown", float(shown)), n
    if plan.attack == "any":
        return told, n
    return told, int((moves[1:] if plan.attack in _NEIGHBOURS else pairs).sum())
