"""The audit in writing: text that is read in a minute, JSON for machines, HTML with pictures for the file."""

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.metadata import version
from textwrap import fill
from typing import Any, Final

from integrity.audit import Audit
from integrity.evidence import frame_of
from integrity.findings import FEWEST_THROWS, LOG_SHARE, Finding, Sheets, Verdict
from integrity.intervals import simultaneous
from integrity.observations import NO_TIME
from integrity.paths import Path, bar_of, moment, paths, unfollowed
from integrity.power import smallest_size
from integrity.sparklines import BLOCKS, crossing, told

VERSION: Final = version("floorman")
WIDTH: Final = 100
MOST_LINES: Final = 8
"""Findings that accuse nobody, refusals and notes shown in the text; the JSON has all."""

VERDICTS: Final = {
    Verdict.NO_DATA: "No throw could be counted: nothing was tested.",
    Verdict.LOG_SUSPECT: "The log itself is suspect; what it says about dice cannot be relied on.",
    Verdict.CROOKED: "Crooked: {accused}.",
    Verdict.NOT_SHOWN: "Nobody is shown crooked. That is not a certificate: see what could not have been seen.",
    Verdict.TOO_FEW: "Too few throws to tell: {throws} counted, at least 30 needed.",
}


def text(audit: Audit, signs: str = BLOCKS) -> str:
    """Write the audit as plain text; evidence over time is drawn with eight `signs`, low to high."""
    parts = [_title(audit), fill(f"VERDICT  {verdict(audit)}", WIDTH, subsequent_indent=" " * 9)]
    parts += [_paragraph(finding.words) for finding in _bad(audit)]
    if audit.accused and not audit.plan:
        parts.append("\n".join([*told(paths(audit), signs), *filter(None, [undrawn(audit)])]))
    others = [finding for finding in audit.findings if not _is_bad(finding) and finding.kind != "log"]
    rest = sorted((finding for finding in others if finding.n), key=lambda finding: -finding.log10_evalue)
    if rest:
        title = f"Not accused ({len(others)}), strongest evidence first"
        more = [f"  ... and {len(others) - MOST_LINES} more"] if len(others) > MOST_LINES else []
        parts.append("\n".join([title, *_table(rest[:MOST_LINES]), *more]))
    parts += [_listed("Refused rows", audit.refusals, audit.refused), _listed("Notes", audit.notes, len(audit.notes))]
    if audit.findings:
        parts += [fill(line, WIDTH) for line in (budget(audit), unseen(audit))]
    return "\n\n".join(part for part in parts if part) + "\n"


def verdict(audit: Audit) -> str:
    """Say the overall verdict in a sentence."""
    accused = ", ".join(f"{finding.kind.replace('_', ' ')} {finding.id}" for finding in audit.accused)
    said = VERDICTS[audit.verdict].format(accused=accused, throws=audit.throws)
    if audit.verdict is Verdict.LOG_SUSPECT and accused:
        return f"{said} By what it says {accused} would be accused."
    return said


def _bad(audit: Audit) -> list[Finding]:
    """Give the findings against somebody, that against the log itself first: all others rest on it."""
    return sorted((each for each in audit.findings if _is_bad(each)), key=lambda each: each.kind != "log")


def _is_bad(finding: Finding) -> bool:
    return finding.verdict in {Verdict.CROOKED, Verdict.LOG_SUSPECT}


def _sentence(words: str) -> str:
    """Begin with a capital: the first word is a kind of subject, never its id."""
    return words[0].upper() + words[1:]


def _paragraph(words: str) -> str:
    """Set a finding off with a mark."""
    return fill(_sentence(words), WIDTH, initial_indent="* ", subsequent_indent="  ")


def _title(audit: Audit) -> str:
    """Identify the log: its name, hash and what was counted."""
    counted = (
        f"{audit.throws:,} throws counted ({audit.dice:,} dice), {audit.void:,} void, {audit.missing:,} missing, "
        f"{audit.refused:,} rows refused"
    )
    return "\n".join(
        [
            f"AUDIT    {audit.log}  (by floorman {VERSION})",
            *([f"SHA-256  {audit.sha256}"] if audit.sha256 else []),
            f"LOG      {counted}",
        ]
    )


def _table(findings: Sequence[Finding]) -> list[str]:
    """Set findings in columns."""
    rows = [("subject", "looked at", "log10 e", "p", "strongest look", "effect")]
    for each in findings:
        pvalue = "-" if each.pvalue is None else f"{each.pvalue:.2g}"
        look = each.attack.name if each.attack else "-"
        effect = (
            "-"
            if each.effect is None
            else f"{each.effect.what} {each.effect.value:.1%} (fair {each.effect.expected:.1%})"
        )
        rows.append((each.subject, f"{each.n:,}", _weight(each), pvalue, look, effect))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    right = {1, 2, 3}
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _listed(title: str, lines: Iterable[str], total: int) -> str:
    """List the first lines of many."""
    shown = list(lines)[:MOST_LINES]
    more = [f"  ... and {total - len(shown):,} more"] if total > len(shown) else []
    return "\n".join([title, *(f"  {line}" for line in shown), *more]) if shown else ""


def budget(audit: Audit) -> str:
    """Say what the verdict may be wrong by."""
    tested = sum(finding.kind != "log" for finding in audit.findings)
    if audit.plan:
        plan = audit.plan
        return (
            f"Plan: {plan.test} for the attack {plan.attack!r} on the first {plan.throws:,} throws of each of at most "
            f"{plan.subjects} subjects, alpha {plan.alpha:.2%} shared by Bonferroni; the smallest size shown with a "
            f"chance of {plan.power:.0%} is {plan.smallest_size or 0:.3g}. The planned p-values decide."
        )
    return (
        f"Error rate: in a log of fair dice, boxes and hands the chance that anybody at all is accused is at most "
        f"{audit.alpha:.2%}, however the moment of the audit is chosen ({1 - LOG_SHARE:.0%} of it shared by Holm over "
        f"{tested} subjects on 1/e, the rest for the checks of the log). E-values decide; p-values only describe."
    )


def unseen(audit: Audit) -> str:
    """Say what could not have been seen, for the middle die, box and pair of the log."""
    tested = max(1, sum(finding.kind != "log" for finding in audit.findings))
    said = []
    for kinds, attack, what in _BLIND_SPOTS:
        known = [finding for finding in audit.findings if finding.kind in kinds and finding.code >= 0]
        sizes = sorted(finding.n for finding in known if finding.n)
        middle = sizes[len(sizes) // 2] if sizes else 0
        size = smallest_size(attack, middle, alpha=audit.alpha, dice=tested) if middle else None
        if size is not None:
            said.append(what.format(n=f"{middle:,}", size=size))
    if said:
        seen = f"{'; '.join(said)}, even by a test planned for it, more than one time in ten."
    elif audit.throws < FEWEST_THROWS:
        seen = "nearly everything; there are too few throws."
    elif buried := sum(finding.set_aside > 0 and not finding.n for finding in audit.findings):
        seen = (
            f"anything else. All throws of {buried} other subjects passed through somebody accused: put that right and "
            "audit what is thrown afterwards."
        )
    else:
        seen = "anything about a single die or box, which the log does not tell apart."
    return f"What could not have been seen: {seen}"


_BLIND_SPOTS: Final = (
    (
        {"die", "slot"},
        "load",
        "a die with {n} throws that favours one face by less than {size:.3f} of probability is missed",
    ),
    ({"box"}, "repeats", "a box with {n} dice thrown in which fewer than {size:.1%} of them are held is missed"),
    ({"pair"}, "equal", "two dice with {n} throws that are held together in fewer than {size:.1%} of them are missed"),
)
"""By kinds of subject: the attack whose smallest visible size is told."""


def document(audit: Audit) -> dict[str, Any]:
    """Give the whole report as JSON's plain values: the audit's record, what its page says, and what its pictures show.

    `faces` are counts by die with bounds that hold together; `over_time` is log10 e at throw numbers and the times by
    which these were over, with the throw and time at which who is accused was over the `bar`, and whether the path ends
    at the evidence of its finding or has rows in it that the finding sets aside; `not_over_time` names the accused that
    have no path.
    """
    judged = bool(audit.findings)
    sheets = Sheets(frame_of(audit.tallies)) if judged else None
    return audit.record() | {
        "made_by": f"floorman {VERSION}",
        "error_rate": budget(audit) if judged else None,
        "unseen": unseen(audit) if judged else None,
        "bar": bar_of(audit),
        "faces": [_faces(audit, sheets, each) for each in audit.findings if each.kind == "die"] if sheets else [],
        "over_time": [_followed(each) for each in paths(audit, sheets)],
        "not_over_time": [{each.kind: each.id} for each in unfollowed(audit)],
    }


def _followed(path: Path) -> dict[str, Any]:
    """Give a path as plain values."""
    time = path.time_over() if path.accused else None
    return {
        "subject": {path.finding.kind: path.finding.id},
        "attack": path.finding.attack.id if path.finding.attack else None,
        "bar": path.bar,
        "throws": path.throws.tolist(),
        "times": [None if at == NO_TIME else f"{moment(at):%Y-%m-%dT%H:%M:%SZ}" for at in path.times.tolist()],
        "log10_evalues": path.log10_evalues.tolist(),
        "ends_at_finding": path.exact,
        "alarm": path.first_over() if path.accused else None,
        "alarm_time": None if time is None else f"{time:%Y-%m-%dT%H:%M:%SZ}",
    }


def _faces(audit: Audit, sheets: Sheets, finding: Finding) -> dict[str, Any]:
    """Give the faces of a die, nothing set aside."""
    counts = sheets.of(sheets.everything, "die").moves[finding.code].sum(axis=0)
    low, high = simultaneous(counts, audit.alpha)
    return {"die": finding.id, "counts": counts.tolist(), "low": low.tolist(), "high": high.tolist()}


def undrawn(audit: Audit) -> str:
    """Say whose evidence the report cannot follow over time; nothing where it follows everybody accused."""
    names = ", ".join(f"{each.kind.replace('_', ' ')} {each.id}" for each in unfollowed(audit))
    if not names:
        return ""
    return f"Not drawn over time: {names}. The log has counts, and no order."


def when(audit: Audit) -> list[str]:
    """Say of each accused that is followed over time when it was over the bar, in words."""
    return [f"{each.name}: {crossing(each)}" for each in paths(audit) if each.accused and not audit.plan]


def record(audit: Audit) -> str:
    """Write the report as one JSON document; what is undefined is null."""
    return json.dumps(document(audit), ensure_ascii=False, allow_nan=False, indent=2)


PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Audit of {log}</title><style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
h1 {{ font-size: 1.4rem; }} h2 {{ font-size: 1.1rem; margin-top: 2rem; }} code {{ font-size: .85rem; }}
table {{ border-collapse: collapse; }} th, td {{ text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top;
border-bottom: 1px solid #ddd; }} td.n {{ text-align: right; font-variant-numeric: tabular-nums; }}
.bad {{ border-left: 4px solid #b00; padding-left: .8rem; }} figure {{ margin: 1rem 0; }}
svg {{ max-width: 100%; height: auto; }}
</style></head><body>
<h1>Audit of {log}</h1>
{body}
</body></html>
"""


def html(audit: Audit) -> str:
    """Write the audit as one self-contained HTML page, with pictures where matplotlib is installed."""
    style = "bad" if audit.accused or audit.verdict is Verdict.LOG_SUSPECT else ""
    body = [
        f"<p>{escape(_title(audit).splitlines()[-1][9:])}. Audited by floorman {VERSION}.</p>",
        f"<p>SHA-256 <code>{audit.sha256}</code></p>" if audit.sha256 else "",
        f"<p class='{style}'><strong>{escape(verdict(audit))}</strong></p>",
        *(f"<p class='bad'>{escape(_sentence(finding.words))}</p>" for finding in _bad(audit)),
        f"<p>{escape(budget(audit))}</p><p>{escape(unseen(audit))}</p>",
        f"<p>{escape(undrawn(audit))}</p>" if undrawn(audit) else "",
        _html_list("When the accused were over the bar", when(audit)),
        *(f"<h2>{escape(title)}</h2><figure>{picture}</figure>" for title, picture in _pictures(audit)),
        "<h2>Every finding</h2>",
        _html_table(audit.findings),
        _html_list("Refused rows", audit.refusals),
        _html_list("Notes", audit.notes),
    ]
    return PAGE.format(log=escape(audit.log), body="\n".join(part for part in body if part))


def _pictures(audit: Audit) -> list[tuple[str, str]]:
    """Draw the pictures, if there is anything to draw with."""
    try:
        from integrity.plots import pictures
    except ModuleNotFoundError:
        return [("Pictures", "<p>The extra <code>plots</code> is not installed.</p>")]
    return pictures(audit)


def _weight(finding: Finding) -> str:
    """Write log10 e without a negative zero."""
    return f"{finding.log10_evalue:.2f}".replace("-0.00", "0.00")


def _test(finding: Finding) -> str:
    """Write which test gave p: its name, statistic and degrees of freedom."""
    if finding.test is None or finding.statistic is None:
        return "-"
    degrees = f" on {finding.df} df" if finding.df is not None else ""
    return f"{finding.test} {finding.statistic:,.6g}{degrees}"


def _html_table(findings: Iterable[Finding]) -> str:
    """Set every finding in a table."""
    titles = ("subject", "verdict", "attack", "looked at", "log10 e", "adjusted", "p", "test", "law", "effect")
    rows = []
    for each in findings:
        cells = (
            (each.subject, ""),
            (str(each.verdict).replace("_", " "), ""),
            (each.attack.name if each.attack else "-", ""),
            (f"{each.n:,}", "n"),
            (_weight(each), "n"),
            (f"{each.adjusted:.2g}", "n"),
            ("-" if each.pvalue is None else f"{each.pvalue:.2g}", "n"),
            (_test(each), ""),
            (each.law, ""),
            (str(each.effect or "-"), ""),
        )
        rows.append("<tr>" + "".join(f"<td class='{style}'>{escape(cell)}</td>" for cell, style in cells) + "</tr>")
    head = "".join(f"<th>{title}</th>" for title in titles)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _html_list(title: str, lines: Sequence[str]) -> str:
    """List lines under a title."""
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<h2>{title}</h2><ul>{items}</ul>" if lines else ""
