"""Evidence over time: log10 e of the faces after each block of throws, for the subjects of an audit that show most."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.audit import Audit
from integrity.evidence import frame_of
from integrity.findings import Finding, Sheets, Verdict
from integrity.sequential import face_battery, log10_evalue

MOST_PATHS: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The evidence of one subject, nothing set aside: throw numbers (blocks,) at the ends of blocks, log10 e there."""

    finding: Finding
    throws: NDArray[np.int64]
    log10_evalues: NDArray[np.float64]

    @property
    def name(self) -> str:
        """Name the subject."""
        return f"{self.finding.kind} {self.finding.id}"

    def first_over(self, bar: float) -> int | None:
        """Give the throw number at which the path is first seen at the bar, None if it never is."""
        over = self.throws[self.log10_evalues >= bar]
        return int(over[0]) if over.size else None


def bar_of(audit: Audit) -> float:
    """Give log10 e at which the first subject is accused."""
    return float(np.log10(max(1, sum(each.kind != "log" for each in audit.findings)) / audit.alpha))


def paths(audit: Audit, sheets: Sheets | None = None) -> tuple[Path, ...]:
    """Follow the faces of dice and tables, the accused first, then by evidence; those with none are left out.

    Parameters
    ----------
    sheets
        The sums of the audit's tallies, if they are at hand.
    """
    chosen = [
        each
        for each in audit.findings
        if each.kind in ("die", "table") and (each.verdict is Verdict.CROOKED or (each.n and each.log10_evalue > 0))
    ]
    chosen.sort(key=lambda each: (each.verdict is not Verdict.CROOKED, -each.log10_evalue))
    if not chosen:
        return ()
    known = sheets or Sheets(frame_of(audit.tallies))
    battery = face_battery(audit.null)
    found = []
    for each in chosen[:MOST_PATHS]:
        spells = known.of(known.everything, "die" if each.kind == "die" else "table").spells[each.code]
        throws = np.arange(1, len(spells) + 1) << audit.tallies.timeline.shift
        found.append(Path(each, throws, log10_evalue(battery, spells.cumsum(axis=0))))
    return tuple(found)
