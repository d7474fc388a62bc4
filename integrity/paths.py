"""Evidence over time: log10 e after each block of throws, for the subjects of an audit that show most."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.audit import Audit
from integrity.evidence import Frame, Kind, frame_of
from integrity.findings import Finding, Sheets, Verdict
from integrity.locks import lock_log10_evalue
from integrity.observations import FACES
from integrity.sequential import face_battery, log10_evalue

MOST_PATHS: Final = 6
FOLLOWED: Final[Mapping[str, Kind]] = {"die": "die", "box": "box", "table": "table"}
"""Kinds of subjects whose moves are known by blocks of throws."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The evidence of one subject, nothing set aside: throw numbers (blocks,) at the ends of blocks, log10 e there.

    `of` says of what: "repeats" for who repeats most of all, "faces" for everybody else.
    """

    finding: Finding
    of: str
    throws: NDArray[np.int64]
    log10_evalues: NDArray[np.float64]

    @property
    def name(self) -> str:
        """Name the subject, and its evidence if that is not of the faces."""
        return f"{self.finding.kind} {self.finding.id}" + (", repeats" if self.of == "repeats" else "")

    def first_over(self, bar: float) -> int | None:
        """Give the throw number at which the path is first seen at the bar, None if it never is."""
        over = self.throws[self.log10_evalues >= bar]
        return int(over[0]) if over.size else None


def bar_of(audit: Audit) -> float:
    """Give log10 e at which the first subject is accused."""
    return float(np.log10(max(1, sum(each.kind != "log" for each in audit.findings)) / audit.alpha))


def paths(audit: Audit, sheets: Sheets | None = None) -> tuple[Path, ...]:
    """Follow dice, boxes and tables, the accused first, then by evidence; those with none are left out.

    Parameters
    ----------
    sheets
        The sums of the audit's tallies, if they are at hand.
    """
    chosen = [
        each
        for each in audit.findings
        if each.kind in FOLLOWED and (each.verdict is Verdict.CROOKED or (each.n and each.log10_evalue > 0))
    ]
    chosen.sort(key=lambda each: (each.verdict is not Verdict.CROOKED, -each.log10_evalue))
    if not chosen:
        return ()
    frame = sheets.frame if sheets else frame_of(audit.tallies)
    throws = np.arange(1, frame.blocks + 1) << audit.tallies.timeline.shift
    return tuple(_path(audit, frame, each, throws) for each in chosen[:MOST_PATHS])


def _path(audit: Audit, frame: Frame, finding: Finding, throws: NDArray[np.int64]) -> Path:
    """Follow one subject."""
    chosen = frame.spell_codes[FOLLOWED[finding.kind]] == finding.code
    moves = np.zeros((frame.blocks, FACES + 1, FACES), dtype=np.int64)
    np.add.at(moves, frame.spell_block[chosen], frame.spells[chosen])
    so_far = moves.cumsum(axis=0)
    if finding.attack is not None and finding.attack.id == "repeats":
        return Path(finding, "repeats", throws, lock_log10_evalue(so_far[:, 1:], "repeats", audit.null))
    return Path(finding, "faces", throws, log10_evalue(face_battery(audit.null), so_far.sum(axis=1)))
