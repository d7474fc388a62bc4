"""The audit of a throw log: tallies -> one finding a subject, and a verdict with its stated budget of false alarms.

E-values decide, so the audit may be repeated while the log grows; p-values only describe.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from integrity.continuity import MOST_JUMPS
from integrity.counted import Counted, Start, count, from_start
from integrity.errors import LaboratoryError, PlanError
from integrity.evidence import Frame, Kind, blind, frame_of
from integrity.findings import FEWEST_THROWS, LOG_SHARE, Finding, Verdict, findings_of, log_finding, totals_finding
from integrity.fit import FAIR_D6
from integrity.observations import Observations
from integrity.plan import Plan
from integrity.planned import first_throws, planned_findings
from integrity.readers import Reading, read, stated_throws
from integrity.rows import Ledger
from integrity.suspicion import faces_sorted, suspicions
from integrity.tallies import Tallies, tally

__all__ = ["Audit", "Finding", "Source", "Verdict", "audit"]

SYMMETRIC_ONLY: Final[frozenset[Kind]] = frozenset(("slot", "die", "pair"))
"""Kinds that mean nothing where the logger sorted the faces of each throw."""


@dataclass(frozen=True, slots=True)
class Audit:
    """The audit of one log, with everything it rests on.

    `budget` says how alpha is shared; `refusals` are the first refused rows in words, `notes` what the reader met.
    `tallies` are those of the rows that were judged: with a plan, of the first throws alone.
    """

    log: str
    sha256: str | None
    throws: int
    dice: int
    refused: int
    void: int
    missing: int
    alpha: float
    null: tuple[float, ...]
    findings: tuple[Finding, ...]
    verdict: Verdict
    refusals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    plan: Plan | None = None
    tallies: Tallies = field(default_factory=Tallies, repr=False, compare=False)

    @property
    def accused(self) -> tuple[Finding, ...]:
        """Give the findings against somebody, strongest first."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.CROOKED)

    def record(self) -> dict[str, Any]:
        """Give the audit as JSON's plain values; what is undefined is None."""
        return {
            "log": self.log,
            "sha256": self.sha256,
            "throws": self.throws,
            "dice": self.dice,
            "refused": self.refused,
            "void": self.void,
            "missing": self.missing,
            "alpha": self.alpha,
            "plan": self.plan.to_record() if self.plan else None,
            "budget": {"subjects": 1 - LOG_SHARE, "log": LOG_SHARE},
            "findings": [finding.record() for finding in self.findings],
            "verdict": str(self.verdict),
            "refusals": list(self.refusals),
            "notes": list(self.notes),
        }


Source = str | Path | Observations | Tallies | Counted | Reading | Iterable[Observations]


def audit(
    source: Source,
    alpha: float = 0.01,
    null: tuple[float, ...] | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    plan: Plan | None = None,
    start: Start | None = None,
    name: str | None = None,
) -> Audit:
    """Audit a log.

    Parameters
    ----------
    source
        A path (see `readers.read`), a batch, batches in order, or what was counted before (see `counted`, `cluster`).
    alpha
        Chance that anybody at all is accused, or an honest log called suspect, however the moment of the audit is
        chosen. The checks of the log that depend on luck have a tenth of it and are meant for one look.
    null
        Fair probabilities of faces 1 to 6; equal by default.
    columns
        Which column of a file is which: `{"face": "pips", "die": "serial"}`.
    plan
        A planned test: its p-value decides, on the first throws that it asks for, with its own alpha; the source is
        read twice, so it must be a file, a batch or a list of batches. Without a plan, e-values decide.
    start
        Where the test begins, the number of a throw or a time: what made somebody look must not count as evidence.
    name
        What the log is called in the report; by default the file's name.

    Raises
    ------
    LaboratoryError
        A file that cannot be read at all, an `alpha` that is no chance, or a plan that the log cannot be held to.

    Examples
    --------
    >>> from integrity.observations import observations
    >>> audit(observations([1, 2, 3] * 200, die="d")).verdict
    <Verdict.CROOKED: 'crooked'>
    """
    if not 0.0 < alpha < 1.0:
        raise LaboratoryError(f"alpha must be between 0 and 1, got {alpha}")
    law = FAIR_D6 if null is None else tuple(float(chance) for chance in null)
    alpha = plan.alpha if plan else alpha
    reading = _reading(source, columns)
    log = _counted(source, reading, start)
    tallies, ledger = log.tallies, log.ledger
    suspicious = suspicions(tallies, ledger.refused, LOG_SHARE * alpha)
    throws, void = tallies.throws_by_setting()[:, 0].sum(), tallies.throws_by_setting()[:, 1:].sum()
    dice, title = int(tallies.faces().sum()), name or log.name
    looked_at = tallies
    if plan:
        rows = from_start(_batches(source, reading), start, lambda _: None)
        looked_at = tally(first_throws(rows, plan))
        findings = planned_findings(looked_at, plan)
    else:
        findings = findings_of(tallies, judged(tallies, frame_of(tallies)), law, alpha)
    findings = (*findings, log_finding(suspicious, title, dice)) if dice else ()
    if ledger.totals.any():
        findings = (totals_finding(ledger.totals, law, alpha), *findings)
        throws, dice = throws + ledger.totals.sum(), dice + 2 * int(ledger.totals.sum())
    return Audit(
        log=title,
        sha256=log.sha256,
        throws=int(throws),
        dice=dice,
        refused=ledger.refused,
        void=int(void),
        missing=min(tallies.by_table.missing, tallies.by_die.missing),
        alpha=alpha,
        null=law,
        findings=findings,
        verdict=_overall(findings, dice, int(throws), plan),
        refusals=tuple(ledger.refusals),
        notes=_notes(ledger.notes, tallies, int(throws)),
        plan=plan,
        tallies=looked_at,
    )


def judged(tallies: Tallies, frame: Frame) -> Frame:
    """Give what may be judged of a log: neither places nor dice where the logger sorted the faces of each throw."""
    return blind(frame, SYMMETRIC_ONLY) if faces_sorted(tallies) else frame


def _reading(source: Source, columns: Mapping[str, str] | None) -> Reading | None:
    """Open a file, if the source is one."""
    if isinstance(source, Reading):
        return source
    return read(source, columns) if isinstance(source, str | Path) else None


def _notes(read: Iterable[str], tallies: Tallies, throws: int) -> tuple[str, ...]:
    """Give the reader's notes, and what does not agree with them or with itself in the log."""
    notes = list(read)
    stated = stated_throws(notes)
    if stated not in (None, throws):
        notes.append(f"the log states {stated:,} throws, it has {throws:,}")
    if late := tallies.clock.backward:
        notes.append(f"{late:,} throw{'s have' if late > 1 else ' has'} a time before that of the throw before it")
    notes += _jumps(tallies)
    cells = tallies.spelt_cells()
    homes = np.unique(np.stack((cells.die, cells.table), axis=1)[cells.die >= 0], axis=0)[:, 0]
    dice, tables = np.unique(homes, return_counts=True)
    for die, homes_of_die in zip(dice[tables > 1].tolist(), tables[tables > 1].tolist(), strict=True):
        notes.append(f"die {tallies.name_of('die', die)} was thrown at {homes_of_die} tables")
    return tuple(notes)


def _jumps(tallies: Tallies) -> Iterator[str]:
    """Say between which throws of each table numbers jump; nothing where dice are numbered and not tables."""
    if tallies.by_table.counts.sum() <= tallies.by_die.counts.sum():
        names = {code + 1: f"table {name}" for name, code in tallies.names["table"].items()} | {0: "the log"}
        for place, jumps in sorted(tallies.by_table.jumps.items()):
            said = ", ".join(f"from {before:,} to {after:,}" for before, after in jumps)
            more = " and perhaps further on" if len(jumps) == MOST_JUMPS else ""
            yield f"throw numbers of {names[place]} jump {said}{more}"


def _counted(source: Source, reading: Reading | None, start: Start | None) -> Counted:
    """Count what is not counted yet."""
    if reading is not None:
        return count(reading, start)
    if isinstance(source, Counted | Tallies):
        if start is not None:
            raise LaboratoryError("start must be given when rows are counted, got tallies")
        return source if isinstance(source, Counted) else Counted(source)
    assert not isinstance(source, str | Path | Reading)
    ledger = Ledger()
    batches = [source] if isinstance(source, Observations) else source
    return Counted(tally(from_start(batches, start, ledger.note)), ledger)


def _batches(source: Source, reading: Reading | None) -> Iterable[Observations]:
    """Give the rows of a source once more."""
    if reading is not None:
        return reading.batches()
    if isinstance(source, Observations):
        return [source]
    if isinstance(source, list | tuple):
        return source
    raise PlanError("a planned audit reads the log twice: source must be a file, a batch or a list of batches")


def _overall(findings: Iterable[Finding], dice: int, throws: int, plan: Plan | None) -> Verdict:
    """Choose the verdict of the whole log; it has too few throws if nobody has as many as a plan asks."""
    if not dice:
        return Verdict.NO_DATA
    verdicts = {
        finding.verdict for finding in findings if finding.kind != "log" or finding.verdict is Verdict.LOG_SUSPECT
    }
    for bad in (Verdict.LOG_SUSPECT, Verdict.CROOKED):
        if bad in verdicts:
            return bad
    few = verdicts == {Verdict.TOO_FEW} if plan else throws < FEWEST_THROWS
    return Verdict.TOO_FEW if few else Verdict.NOT_SHOWN
