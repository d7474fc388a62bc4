"""Pictures of an audit as SVG text: faces with their intervals, order of faces, dice thrown together, evidence."""

import io
from collections.abc import Sequence
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from integrity.audit import Audit
from integrity.evidence import frame_of
from integrity.findings import Finding, Sheets, Verdict
from integrity.intervals import simultaneous
from integrity.paths import MOST_PATHS, Path, bar_of, paths

MOST_PANELS: Final = 8
FACE_NUMBERS: Final = np.arange(1, 7)


def pictures(audit: Audit) -> list[tuple[str, str]]:
    """Draw everything that the audit has counts for: titles and SVG, in the order of reading."""
    sheets = Sheets(frame_of(audit.tallies))
    drawn = [(title, draw(audit, sheets)) for title, draw in _PICTURES]
    return [(title, svg) for title, svg in drawn if svg]


def _svg(figure: Figure) -> str:
    """Write a figure as SVG, the same bytes for the same audit."""
    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "floorman", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()[out.getvalue().index("<svg") :]


def _of(audit: Audit, *kinds: str) -> list[Finding]:
    """Choose the findings to draw, those set aside among them: the accused first, then by evidence."""
    chosen = [each for each in audit.findings if each.kind in kinds and (each.n or each.set_aside)]
    return sorted(chosen, key=lambda each: (each.verdict is not Verdict.CROOKED, -each.log10_evalue))[:MOST_PANELS]


def _grid(panels: int) -> tuple[Figure, Sequence[Any]]:
    """Make a figure of small panels."""
    columns = min(4, panels)
    lines = -(-panels // columns)
    width, height = 2.6 * columns, 2.1 * lines
    figure = Figure(figsize=(width, height))
    edges = {"left": 0.5 / width, "right": 1 - 0.1 / width, "bottom": 0.4 / height, "top": 1 - 0.25 / height}
    figure.subplots_adjust(**edges, wspace=0.25, hspace=0.3)
    return figure, list(np.atleast_1d(figure.subplots(lines, columns, sharex=True, sharey=True)).ravel())


def faces(audit: Audit, sheets: Sheets) -> str:
    """Draw the shares of faces by die with simultaneous intervals."""
    found = _of(audit, "die") or _of(audit, "slot")
    if not found:
        return ""
    counts = [_counts(sheets, each)[0].sum(axis=0) for each in found]
    figure, panels = _grid(len(found))
    for panel, each, faces_seen in zip(panels, found, counts, strict=False):
        low, high = simultaneous(faces_seen, audit.alpha)
        share = faces_seen / faces_seen.sum()
        colour = "#b00" if each.verdict is Verdict.CROOKED else "#356"
        panel.errorbar(FACE_NUMBERS, share, yerr=(share - low, high - share), fmt="o", ms=3, color=colour, elinewidth=1)
        panel.step(np.arange(0.5, 7.5), [*audit.null, audit.null[-1]], where="post", color="#999", lw=0.8)
        panel.set_title(f"{each.subject} (n={faces_seen.sum():,})", fontsize=7)
        panel.set_xticks(FACE_NUMBERS)
        panel.tick_params(labelsize=7)
    return _finish(figure, panels, len(found))


def _finish(figure: Figure, panels: Sequence[Any], used: int) -> str:
    """Hide the panels left over and write the figure."""
    for panel in panels[used:]:
        panel.set_visible(False)
    return _svg(figure)


def _counts(sheets: Sheets, finding: Finding) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give all moves (7, 6) and pairs (6, 6) of a finding's subject, nothing set aside."""
    assert finding.kind != "log"
    total = sheets.of(sheets.everything, finding.kind)
    return total.moves[finding.code], total.togethers[finding.code]


def _heat(found: Sequence[Finding], tables: Sequence[NDArray[np.int64]], axes: tuple[str, str]) -> str:
    """Draw 6 x 6 tables as standardised residuals from independence."""
    if not found:
        return ""
    figure, panels = _grid(len(found))
    for panel, each, table in zip(panels, found, tables, strict=False):
        counts = table.astype(np.float64)
        n = max(counts.sum(), 1.0)
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / n
        residual = np.divide(counts - expected, np.sqrt(expected), out=np.zeros_like(counts), where=expected > 0)
        panel.imshow(residual, cmap="RdBu_r", vmin=-5, vmax=5, origin="lower", extent=(0.5, 6.5, 0.5, 6.5))
        panel.set_title(f"{each.subject} (n={int(counts.sum()):,})", fontsize=7)
        panel.set_xticks(FACE_NUMBERS)
        panel.set_yticks(FACE_NUMBERS)
        panel.tick_params(labelsize=7)
    figure.supxlabel(axes[1], fontsize=8)
    figure.supylabel(axes[0], fontsize=8)
    return _finish(figure, panels, len(found))


def transitions(audit: Audit, sheets: Sheets) -> str:
    """Draw previous face by face for boxes and dice."""
    found = [each for each in _of(audit, "box", "die", "slot") if _counts(sheets, each)[0][1:].any()]
    return _heat(found, [_counts(sheets, each)[0][1:] for each in found], ("previous", "face"))


def pairs(audit: Audit, sheets: Sheets) -> str:
    """Draw the faces of pairs of dice thrown together."""
    found = _of(audit, "pair")
    return _heat(found, [_counts(sheets, each)[1] for each in found], ("first", "second"))


def evidence(audit: Audit, _: Sheets) -> str:
    """Draw log10 e of every subject against the bar."""
    found = sorted((f for f in audit.findings if f.kind != "log" and f.n), key=lambda f: f.log10_evalue)[-30:]
    if not found:
        return ""
    height = 0.22 * len(found) + 1
    figure = Figure(figsize=(8, height))
    figure.subplots_adjust(left=0.3, right=0.98, bottom=0.6 / height, top=1 - 0.1 / height)
    panel = figure.subplots()
    colours = ["#b00" if each.verdict is Verdict.CROOKED else "#689" for each in found]
    panel.barh([each.subject for each in found], [each.log10_evalue for each in found], color=colours)
    panel.axvline(bar_of(audit), color="#b00", lw=0.8, ls="--")
    panel.set_xscale("symlog", linthresh=2)
    panel.set_xlabel("log10 e; dashed: the bar for the first accusation", fontsize=8)
    panel.tick_params(labelsize=7)
    return _svg(figure)


def over_time(audit: Audit, sheets: Sheets) -> str:
    """Draw log10 e over time for everybody accused and who has most evidence, and where each first met its bar."""
    found = paths(audit, sheets)
    if not found:
        return ""
    rows = -(-len(found) // MOST_PATHS)
    height = 3.0 * rows
    figure = Figure(figsize=(8, height))
    figure.subplots_adjust(left=0.08, right=0.98, bottom=0.54 / height, top=1 - 0.15 / height, hspace=0.25)
    for row, panel in enumerate(np.atleast_1d(figure.subplots(rows, sharex=True))):
        _lines(panel, found[MOST_PATHS * row : MOST_PATHS * (row + 1)])
    panel.set_xlabel("throw number", fontsize=8)
    return _svg(figure)


def _lines(panel: Any, found: Sequence[Path]) -> None:
    """Draw some paths in one panel; the bar is that of the first."""
    for each in found:
        (line,) = panel.plot(each.throws, each.log10_evalues, lw=1, label=each.name)
        alarm = each.first_over()
        if alarm is not None and each.accused:  # others share what passed through these
            panel.axvline(alarm, color=line.get_color(), lw=0.6, ls=":")
            panel.annotate(f"throw {alarm:,}", (alarm, each.bar), fontsize=7, rotation=90, va="bottom", ha="right")
    panel.axhline(found[0].bar, color="#b00", lw=0.8, ls="--")
    panel.set_ylabel("log10 e", fontsize=8)
    panel.legend(fontsize=7, frameon=False)
    panel.tick_params(labelsize=7)


_PICTURES: Final = (
    ("Evidence", evidence),
    (
        "Evidence over time, as the audit would weigh it after each block of throws; dotted: an accused over its bar",
        over_time,
    ),
    ("Faces, with intervals that hold together", faces),
    ("Order: previous face by face, residuals from independence", transitions),
    ("Together: faces of two dice of a throw, residuals from independence", pairs),
)
