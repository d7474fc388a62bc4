"""Reports as papers: one form for each of them, and ways to write it: CSV, JSON Lines, a page to print and sign."""

import csv
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from html import escape
from io import StringIO
from typing import Any

from house.service.books import Book, BookLine, Mispays, Statement
from house.service.expected import Expected
from house.service.proofs import Made
from house.service.sheets import SheetLine, StiffSheet
from payouts.currency import DECIMALS, money_text


class Form(StrEnum):
    """Ways to write a paper."""

    CSV = "csv"
    JSONL = "jsonl"
    HTML = "html"


Value = str | int | Fraction | None


Facts = tuple[tuple[str, str | Fraction], ...]


class Kind(StrEnum):
    """What a column holds."""

    TEXT = "text"
    COUNT = "count"
    MONEY = "money"  # minor units
    SHARE = "share"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name for machines, its title for people."""

    id: str
    title: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True)
class Paper:
    """A report: a table with what stands above and below it.

    Parameters
    ----------
    facts
        What the report is of: title, and text or an amount in minor units, exact.
    signed_by
        Who signs it on paper.
    """

    name: str
    title: str
    facts: Facts
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...]
    made: Made
    signed_by: tuple[str, ...] = ()


def _columns(*named: tuple[str, str, Kind]) -> tuple[Column, ...]:
    return tuple(Column(*one) for one in named)


_SHEET = _columns(
    ("table", "Table", Kind.TEXT),
    ("opener_minor", "Opener", Kind.MONEY),
    ("fills_minor", "Fills", Kind.MONEY),
    ("credits_minor", "Credits", Kind.MONEY),
    ("drop_minor", "Drop", Kind.MONEY),
    ("markers_minor", "of it markers", Kind.MONEY),
    ("closer_minor", "Closer", Kind.MONEY),
    ("win_minor", "Win", Kind.MONEY),
    ("hold", "Hold", Kind.SHARE),
    ("variance_minor", "Drop count over", Kind.MONEY),
    ("counted_minor", "Rack counted", Kind.MONEY),
)


def row_of(columns: Iterable[Column], line: object) -> tuple[Value, ...]:
    """The row of a line whose attributes are named as the columns."""
    return tuple(getattr(line, column.id) for column in columns)


def sheet(report: StiffSheet) -> Paper:
    """The stiff sheet."""
    lines: tuple[SheetLine, ...] = (*report.lines, report.total)
    return Paper(
        "stiff-sheet",
        f"Stiff sheet: {report.period}",
        (("Period", report.period),),
        _SHEET,
        tuple(row_of(_SHEET, line) for line in lines),
        (
            "Win = closer + credits + drop - opener - fills. Hold = win / drop; none where nothing was dropped.",
            "Buy-ins at the cage are no drop. Tokes and counts of drop boxes over or short are no part of the win.",
        ),
        report.made,
        ("Floorman", "Cage"),
    )


_BOOK = _columns(
    ("seq", "Entry", Kind.COUNT),
    ("kind", "Kind", Kind.TEXT),
    ("at_us", "Microseconds since 1970", Kind.COUNT),
    ("table", "Table", Kind.TEXT),
    ("round", "Round", Kind.TEXT),
    ("wager", "Wager", Kind.TEXT),
    ("account", "Account", Kind.TEXT),
    ("amount_minor", "Amount, debits positive", Kind.MONEY),
    ("actor", "By", Kind.TEXT),
    ("authorised_by", "Approved by", Kind.TEXT),
    ("reason", "Reason", Kind.TEXT),
    ("record", "Record", Kind.COUNT),
)


def _book_rows(lines: Iterable[BookLine]) -> tuple[tuple[Value, ...], ...]:
    return tuple(row_of(_BOOK, line) for line in lines)


def book(report: Book, gaming_day: str) -> Paper:
    """The day's book."""
    facts = (("Gaming day", gaming_day), ("Lines", str(len(report.lines))))
    return Paper("day-book", f"Book of {gaming_day}", facts, _BOOK, _book_rows(report.lines), (), report.made)


def statement(report: Statement, first: str, last: str) -> Paper:
    """A player's statement; his name is not in the history, and not on it."""
    facts = (
        ("Player", report.player),
        ("Gaming days", f"{first} to {last}"),
        ("Wallet and riding before", Fraction(report.before_minor)),
        ("Wallet and riding after", Fraction(report.after_minor)),
    )
    notes = ("A credit (below 0) is the player's; a debit was taken from him.",)
    title = f"Statement of {report.player}"
    return Paper("statement", title, facts, _BOOK, _book_rows(report.lines), notes, report.made)


_LIMIT = _columns(
    ("probability", "Probability not to win more", Kind.SHARE),
    ("low_minor", "Limit, at least", Kind.MONEY),
    ("high_minor", "Limit, at most", Kind.MONEY),
)


def expected(report: Expected) -> Paper:
    """Theoretical against actual win."""
    facts: Facts = (
        ("Period", report.period),
        ("Table", report.table or "all"),
        ("Wagers decided (n)", f"{report.wagers:,}"),
        ("Handle", Fraction(report.handle_minor)),
        ("Theoretical win", report.theoretical_minor),
        ("Actual win", Fraction(report.actual_minor)),
        ("Verdict", f"actual win is {report.verdict}" if report.verdict != "none" else "nothing to judge"),
        *((f"Left out: {bet}", f"{count:,} wagers") for bet, count in report.left_out),
    )
    rows = tuple((Fraction(str(probability)), low, high) for probability, low, high in report.limits)
    title = f"Theoretical and actual win: {report.period}"
    return Paper("expected-win", title, facts, _LIMIT, rows, report.notes, report.made)


_MISPAY = _columns(
    ("record", "Record", Kind.COUNT),
    ("overpaid_minor", "Overpaid", Kind.MONEY),
    ("invariant", "What does not hold", Kind.TEXT),
    ("where", "Where", Kind.TEXT),
    ("found", "Found", Kind.TEXT),
    ("due", "Due", Kind.TEXT),
)


def mispays(report: Mispays) -> Paper:
    """The mispay audit."""
    facts = (("Settlements computed again", f"{report.settlements:,}"), ("Differences", f"{len(report.differences):,}"))
    rows = tuple(row_of(_MISPAY, one) for one in report.differences)
    notes = ("Overpaid is what players received above what the schedule pays; below 0, what they are owed.",)
    return Paper("mispay-audit", "Mispay audit", facts, _MISPAY, rows, notes, report.made, ("Auditor",))


def _money(made: Made) -> Callable[[int], str]:
    decimals = DECIMALS[made.currency]
    return lambda minor: money_text(minor, decimals)


def _cell(column: Column, value: Value, made: Made) -> str:
    """A cell for people and spreadsheets: money with its decimals, in brackets below 0; shares in percent."""
    if value is None:
        return ""
    if column.kind is Kind.MONEY:
        text = _money(made)(abs(int(value)))
        return f"({text})" if int(value) < 0 else text
    if column.kind is Kind.SHARE:
        share = Fraction(value) * 100
        text = f"{float(abs(share)):.2f} %"
        return f"({text})" if share < 0 else text
    return str(value)


def _read(column: Column, value: Value, made: Made) -> str:
    """A cell for people alone, who read thousands apart; a moment is no count to them."""
    text = _cell(column, value, made)
    return apart(text) if column.kind in (Kind.MONEY, Kind.COUNT) and column.id != "at_us" else text


def apart(text: str) -> str:
    """Write the thousands of a plain number apart.

    >>> apart("(1234567.50)"), apart("-999"), apart("")
    ('(1,234,567.50)', '-999', '')
    """
    return _WHOLE.sub(lambda digits: f"{int(digits[0]):,}", text, count=1) if text else text


_WHOLE = re.compile("[0-9]+", re.ASCII)


def shown(paper: Paper) -> list[list[str]]:
    """The rows of a paper for people."""
    return [
        [_read(column, value, paper.made) for column, value in zip(paper.columns, row, strict=True)]
        for row in paper.rows
    ]


def facts_of(paper: Paper) -> tuple[tuple[str, str], ...]:
    """What a paper is of, for people: amounts to the nearest minor unit, thousands apart."""
    return tuple(
        (name, fact if isinstance(fact, str) else apart(_plain(fact, paper.made))) for name, fact in paper.facts
    )


def _plain(amount: Fraction, made: Made) -> str:
    return _money(made)(round(amount))


def _exactly(fact: str | Fraction, made: Made) -> str:
    """A fact for machines: an amount to the nearest minor unit, and exactly where it is none."""
    if isinstance(fact, str):
        return fact
    text = _plain(fact, made)
    return text if fact.denominator == 1 else f"{text} (exactly {fact} minor units)"


_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?", re.ASCII)


def safe_cell(text: str) -> str:
    """Keep a spreadsheet from taking text for a formula; a number below 0 is none.

    >>> safe_cell("=HYPERLINK(1)"), safe_cell("ann"), safe_cell("-4"), safe_cell("-4+A1")
    ("'=HYPERLINK(1)", 'ann', '-4', "'-4+A1")
    """
    return f"'{text}" if text.startswith(_FORMULA) and _NUMBER.fullmatch(text) is None else text


def proof(made: Made) -> tuple[tuple[str, str], ...]:
    """What a paper says of the history at which it was made."""
    signed: tuple[tuple[str, str], ...] = (("Signed", "by nobody"),)
    if made.note is not None:
        signed = (("Signed records", str(made.signed_records)), ("Signed root", str(made.signed_root)))
    return (("Currency", made.currency), ("Records", str(made.records)), ("Root", made.root), *signed)


def as_csv(paper: Paper) -> str:
    """Write a paper for a spreadsheet: the table, then what it is of and the history at which it was made."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe_cell(column.title) for column in paper.columns])
    for row in paper.rows:
        cells = zip(paper.columns, row, strict=True)
        writer.writerow([safe_cell(_cell(column, value, paper.made)) for column, value in cells])
    writer.writerow([])
    facts = ((name, fact if isinstance(fact, str) else _plain(fact, paper.made)) for name, fact in paper.facts)
    writer.writerows([safe_cell(name), safe_cell(text)] for name, text in (*facts, *proof(paper.made)))
    return out.getvalue()


def as_json(paper: Paper) -> dict[str, Any]:
    """Write a paper as values for one JSON document; money is whole minor units, a share "a/b" with its twin."""
    made: dict[str, Any] = {name: getattr(paper.made, name) for name in Made.__slots__}
    rows = [dict(_pairs(paper.columns, row)) for row in paper.rows]
    facts = {name: _exactly(fact, paper.made) for name, fact in paper.facts}
    head = {"report": paper.name, "title": paper.title, "facts": facts, "notes": list(paper.notes)}
    return {**head, "made": made, "rows": rows}


def as_jsonl(paper: Paper) -> str:
    """Write a paper as JSON Lines: first what it is of, then a line for each row."""
    head = as_json(paper)
    rows = head.pop("rows")
    return "".join(json.dumps(one, ensure_ascii=False, allow_nan=False) + "\n" for one in (head, *rows))


def _pairs(columns: Iterable[Column], row: Iterable[Value]) -> Iterable[tuple[str, Any]]:
    for column, value in zip(columns, row, strict=True):
        if isinstance(value, Fraction):
            yield column.id, f"{value.numerator}/{value.denominator}"
            yield f"{column.id}_decimal", float(value)
        else:
            yield column.id, value


_STYLE = (
    "body{font:14px/1.45 system-ui,sans-serif;margin:2rem;color:#111;background:#fff}"
    "h1{font-size:1.3rem}table{border-collapse:collapse;margin:1rem 0}"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid #bbb;text-align:left}"
    "td.figure,th.figure{text-align:right;font-variant-numeric:tabular-nums}"
    "tbody tr:last-child td{border-bottom:2px solid #111}"
    ".proof{font:12px/1.4 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}"
    ".line{display:inline-block;min-width:16rem;margin:2.5rem 2rem 0 0;border-top:1px solid #111}"
    "@media print{body{margin:0}@page{size:landscape;margin:12mm}}"
)


def as_html(paper: Paper) -> str:
    """Write a paper as one page to print, with lines to sign; it needs no other file."""
    title = escape(paper.title)
    figure = [" class=figure" if column.kind is not Kind.TEXT else "" for column in paper.columns]
    head = "".join(f"<th scope=col{c}>{escape(one.title)}</th>" for one, c in zip(paper.columns, figure, strict=True))
    body = "".join(f"<tr>{_row(row, figure)}</tr>" for row in shown(paper))
    notes = "".join(f"<li>{escape(note)}</li>" for note in paper.notes)
    lines = "".join(f"<span class=line>{escape(who)}, date</span>" for who in paper.signed_by)
    note = "" if paper.made.note is None else f"<div class=proof>{escape(paper.made.note)}</div>"
    return (
        f"<!doctype html>\n<html lang=en>\n<head><meta charset=utf-8><title>{title}</title>"
        f"<meta name=viewport content='width=device-width'><style>{_STYLE}</style></head>\n<body><main>\n"
        f"<h1>{title}</h1>\n<table>{_facts(facts_of(paper))}</table>\n"
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>\n<ul>{notes}</ul>\n{lines}\n"
        f"<h2>The history at which it was made</h2>\n<table class=proof>{_facts(proof(paper.made))}</table>{note}\n"
        "</main></body>\n</html>\n"
    )


def _row(row: Iterable[str], figure: list[str]) -> str:
    return "".join(f"<td{c}>{escape(text)}</td>" for text, c in zip(row, figure, strict=True))


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<tr><th scope=row>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts)


WRITERS: Mapping[Form, tuple[str, Callable[[Paper], str]]] = {
    Form.CSV: ("text/csv; charset=utf-8", as_csv),
    Form.JSONL: ("application/jsonl", as_jsonl),
    Form.HTML: ("text/html; charset=utf-8", as_html),
}
"""Media type and writer of each form of a paper."""
