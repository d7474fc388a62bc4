"""Evidence over time: log10 e after each block of throws, of everybody accused and of those who show most."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrity.audit import Audit, judged
from integrity.evidence import SHARES, Frame, Kind, Subject, Sums, View, attack_log_e, by_name, frame_of, most_dice
from integrity.findings import LOG_SHARE, Finding, Sheets, Verdict
from integrity.fit import FAIR_D6
from integrity.observations import FACES, NO_TIME
from integrity.tails import LN10
from integrity.tallies import Tallies

MOST_PATHS: Final = 6
"""Paths given, unless more are accused."""
EXACT: Final = 1e-9

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The evidence of one subject as the audit would have weighed it after each block of throws.

    `throws` (blocks,) are the numbers of the last throws of blocks, `log10_evalues` log10 e there, `times` microseconds
    since 1970 by which all throws up to there were over, or `NO_TIME`. `bar` is log10 e at which it is accused.
    """

    finding: Finding
    bar: float
    throws: Codes
    log10_evalues: NDArray[np.float64]
    times: Codes

    @property
    def name(self) -> str:
        """Name the subject."""
        return self.finding.subject

    @property
    def exact(self) -> bool:
        """Tell whether it ends at the evidence of the finding; else rows that the finding sets aside are in it."""
        return abs(float(self.log10_evalues[-1]) - self.finding.log10_evalue) <= EXACT

    @property
    def accused(self) -> bool:
        """Tell whether its subject is accused."""
        return self.finding.verdict is Verdict.CROOKED

    def first_over(self) -> int | None:
        """Give the throw number at which the path is first seen at its bar, None if it never is."""
        at = self._crossing()
        return None if at is None else int(self.throws[at])

    def time_over(self) -> datetime | None:
        """Give the time by which it was there, None if it never was or throws have no time."""
        at = self._crossing()
        if at is None or self.times[at] == NO_TIME:
            return None
        return moment(int(self.times[at]))

    def _crossing(self) -> int | None:
        over = np.flatnonzero(self.log10_evalues >= self.bar)
        return int(over[0]) if over.size else None


def moment(at: int) -> datetime:
    """Give microseconds since 1970 as a time."""
    return datetime.fromtimestamp(at // 1_000_000, UTC)


def bar_of(audit: Audit, rank: int = 0) -> float:
    """Give log10 e at which the first subject is accused, or another one after so many."""
    tested = sum(each.kind != "log" for each in audit.findings)
    return float(np.log10(max(1, tested - rank) / ((1 - LOG_SHARE) * audit.alpha)))


def unfollowed(audit: Audit) -> tuple[Finding, ...]:
    """Give the accused whose evidence is not known over time: counts have no order."""
    return tuple(each for each in audit.accused if audit.tallies.unordered or each.code < 0)


def paths(audit: Audit, sheets: Sheets | None = None) -> tuple[Path, ...]:
    """Follow everybody accused, then others by evidence up to six together; others without any are left out.

    Parameters
    ----------
    sheets
        The sums of the audit's tallies, if they are at hand.
    """
    judged_ones = [each for each in audit.findings if each.code >= 0]
    accused = [each for each in judged_ones if each.verdict is Verdict.CROOKED]
    others = [each for each in judged_ones if each.verdict is not Verdict.CROOKED and each.n and each.log10_evalue > 0]
    if audit.tallies.unordered or not accused + others:
        return ()
    frame = sheets.frame if sheets else frame_of(audit.tallies)
    frame = frame if audit.plan else judged(audit.tallies, frame)
    found, view = [], View.of(frame)
    for rank, each in enumerate(accused):
        found.append(_path(audit, frame, each, rank, view))
        view = view if audit.plan else view.without(frame, (_kind(each), each.code))
    found.sort(key=lambda path: -path.finding.log10_evalue)
    others.sort(key=lambda each: -each.log10_evalue)
    rest = others[: max(0, MOST_PATHS - len(found))]
    return (*found, *(_path(audit, frame, each, len(accused), view) for each in rest))


def _kind(finding: Finding) -> Kind:
    assert finding.kind != "log"
    return finding.kind


def _path(audit: Audit, frame: Frame, finding: Finding, rank: int, view: View) -> Path:
    """Follow one subject, accused after so many; `view` shows the rows that those left."""
    tallies, kind, code = audit.tallies, _kind(finding), finding.code
    own, block, counts = _counts(tallies, frame, (kind, code), view)
    shift = max(own, tallies.timeline.shift, tallies.times.shift)
    blocks = ((frame.blocks - 1) >> (shift - tallies.timeline.shift)) + 1
    so_far = _by_block(counts, block >> (shift - own), blocks).cumsum(axis=0)
    law = FAIR_D6 if audit.plan else audit.null
    codes = len(frame.pair_names) if kind == "pair" else int(frame.cell_codes[kind].max()) + 1
    most = np.full(blocks, most_dice(frame, kind, codes)[code])
    spells = _spells(frame, (kind, code), view, np.arange(1, blocks + 1) << (shift - tallies.timeline.shift))
    sums = Sums(so_far[:, : FACES + 1], so_far[:, FACES + 1 :], spells, most)
    log_e = np.logaddexp.reduce(np.stack(list(attack_log_e(kind, sums, law).values())), axis=0)
    ends = (np.arange(1, blocks + 1) << shift) - 1
    last = max(int(tallies.by_table.last.max()), (blocks - 1) << shift)
    times = tallies.times.by_block(_tables(frame, kind, code), shift, blocks)
    return Path(finding, bar_of(audit, rank), np.minimum(ends, last), log_e / LN10, times)


def _counts(tallies: Tallies, frame: Frame, subject: Subject, view: View) -> tuple[int, Codes, Codes]:
    """Give how many bits make a block, the blocks (n,) of a subject, and its moves and pairs there, (n, 13, 6).

    Moves of a die are those in the view, whose rows the timeline tells apart; for all others nothing is set aside.
    """
    kind, code = subject
    if kind == "pair":
        held, names = tallies.pair_blocks, frame.pair_names[code]
        low, high, block = held.spelt()
        rows = (low == names[0]) & (high == names[1])
        pairs = by_name(tallies, (low[rows], high[rows]), held.counts.counts[rows])
        return held.shift, block[rows], np.pad(pairs, ((0, 0), (FACES + 1, 0), (0, 0)))
    if kind == "die":
        rows = (frame.spell_codes["die"] == code) & view.spells
        moves = np.pad(frame.spells[rows], ((0, 0), (0, FACES), (0, 0)))
        return tallies.timeline.shift, frame.spell_block[rows], moves
    shared = tallies.shared.kinds[kind]
    codes, block = shared.spelt()
    return shared.shift, block[codes == code], shared.counts.counts[codes == code]


def _by_block(counts: Codes, block: Codes, blocks: int) -> Codes:
    """Add up counts (n, ...) by block (n,); shape (blocks, ...)."""
    total = np.zeros((blocks, *counts.shape[1:]), dtype=np.int64)
    np.add.at(total, block, counts)
    return total


def _spells(frame: Frame, subject: Subject, view: View, ends: Codes) -> Codes:
    """Give the faces by block of the timeline as they were known at the ends (n,) of blocks, shape (n, blocks, 6)."""
    kind, code = subject
    if "switched" not in SHARES[kind]:
        return np.zeros((len(ends), 0, FACES), dtype=np.int64)
    rows = frame.spell_codes[kind] == code
    rows = rows & view.spells if kind == "die" else rows
    faces = _by_block(frame.spells[rows].sum(axis=1), frame.spell_block[rows], frame.blocks)
    return np.where((np.arange(frame.blocks) < ends[:, None])[:, :, None], faces, 0)


def _tables(frame: Frame, kind: Kind, code: int) -> Codes:
    """Find the tables at which a subject was."""
    dice = frame.cell_codes["die"]
    rows = np.isin(dice, frame.pair_names[code]) if kind == "pair" else frame.cell_codes[kind] == code
    return np.unique(frame.cell_codes["table"][rows])
