"""Evidence over time: log10 e after each block of throws, for the subjects of an audit that show most."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.audit import Audit
from integrity.effects import HELD
from integrity.evidence import LOCKS, Frame, Kind, frame_of
from integrity.findings import Finding, Sheets, Verdict
from integrity.locks import Lock, lock_battery, lock_log10_evalue, lock_log_e
from integrity.observations import FACES
from integrity.sequential import face_battery, log10_evalue
from integrity.tails import LN10

MOST_PATHS: Final = 6
FOLLOWED: Final[Mapping[str, Kind]] = {"die": "die", "box": "box", "table": "table"}
"""Kinds of subjects whose moves are known by blocks of throws; pairs of dice are known by blocks of their own."""


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The evidence of one subject, nothing set aside: throw numbers (blocks,) at the ends of blocks, log10 e there.

    `of` says of what: "repeats" for who repeats most of all, how a pair is held, "faces" for everybody else.
    """

    finding: Finding
    of: str
    throws: NDArray[np.int64]
    log10_evalues: NDArray[np.float64]

    @property
    def name(self) -> str:
        """Name the subject, and its evidence if that is not of the faces."""
        return f"{self.finding.kind} {self.finding.id}" + ("" if self.of == "faces" else f", {_OF[self.of]}")

    def first_over(self, bar: float) -> int | None:
        """Give the throw number at which the path is first seen at the bar, None if it never is."""
        over = self.throws[self.log10_evalues >= bar]
        return int(over[0]) if over.size else None


_OF: Final = {"repeats": "repeats", "equal": "equal", "seven": "sevens", "eleven": "elevens", "no_seven": "no sevens"}


def bar_of(audit: Audit) -> float:
    """Give log10 e at which the first subject is accused."""
    return float(np.log10(max(1, sum(each.kind != "log" for each in audit.findings)) / audit.alpha))


def followed(finding: Finding) -> bool:
    """Tell whether what speaks against a subject is known over time.

    The log keeps no blocks of shooters, places in the throw and stakes, nor of all pairs in a box or at a table.
    """
    held = finding.attack is not None and finding.attack.id in HELD
    return finding.kind == "pair" if held else finding.kind in FOLLOWED


def paths(audit: Audit, sheets: Sheets | None = None) -> tuple[Path, ...]:
    """Follow dice, pairs, boxes and tables, the accused first, then by evidence; those with none are left out.

    Parameters
    ----------
    sheets
        The sums of the audit's tallies, if they are at hand.
    """
    chosen = [
        each
        for each in audit.findings
        if followed(each) and (each.verdict is Verdict.CROOKED or (each.n and each.log10_evalue > 0))
    ]
    chosen.sort(key=lambda each: (each.verdict is not Verdict.CROOKED, -each.log10_evalue))
    if not chosen or audit.tallies.unordered:
        return ()
    frame = sheets.frame if sheets else frame_of(audit.tallies)
    return tuple(_path(audit, frame, each) for each in chosen[:MOST_PATHS])


def unfollowed(audit: Audit) -> tuple[Finding, ...]:
    """Give the accused whose evidence is not known over time."""
    return tuple(each for each in audit.accused if audit.tallies.unordered or not followed(each))


def _path(audit: Audit, frame: Frame, finding: Finding) -> Path:
    """Follow one subject."""
    attack = finding.attack.id if finding.attack is not None else ""
    if finding.kind == "pair":
        return _pair_path(audit, frame, finding, next(lock for lock in LOCKS if lock == attack))
    throws = np.arange(1, frame.blocks + 1) << audit.tallies.timeline.shift
    chosen = frame.spell_codes[FOLLOWED[finding.kind]] == finding.code
    moves = np.zeros((frame.blocks, FACES + 1, FACES), dtype=np.int64)
    np.add.at(moves, frame.spell_block[chosen], frame.spells[chosen])
    so_far = moves.cumsum(axis=0)
    if attack == "repeats":
        return Path(finding, "repeats", throws, lock_log10_evalue(so_far[:, 1:], "repeats", audit.null))
    return Path(finding, "faces", throws, log10_evalue(face_battery(audit.null), so_far.sum(axis=1)))


def _pair_path(audit: Audit, frame: Frame, finding: Finding, lock: Lock) -> Path:
    """Follow a pair of dice by how it is held most."""
    held = audit.tallies.pair_blocks
    low, high, block = held.spelt()
    names = frame.pair_names[finding.code]
    chosen = (low == names[0]) & (high == names[1])
    counts = np.zeros((int(block.max(initial=-1)) + 1, FACES, FACES), dtype=np.int64)
    np.add.at(counts, block[chosen], held.counts.counts[chosen])
    most = frame.most_dice if names == (-1, -1) else 2
    log_e = lock_log_e(lock_battery(lock, audit.null), counts.cumsum(axis=0), dice=np.full(len(counts), most))
    return Path(finding, lock, np.arange(1, len(counts) + 1) << held.shift, log_e / LN10)
