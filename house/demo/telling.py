"""The demo's words: tables of the evening for people."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rich.table import Table

from house.commands.output import table
from house.demo.doors import Books
from house.demo.script import Answer
from integrity.audit import Audit
from payouts.currency import money_text

Edges = Mapping[tuple[str, str, str], Fraction]
"""Exact house percentages, per bet made, by game, bet and spot."""


def money(minor: int) -> str:
    """Dollars with thousands apart.

    >>> money(-1234567)
    '-12,345.67'
    """
    whole, _, cents = money_text(abs(minor), 2).partition(".")
    return f"{'-' if minor < 0 else ''}{int(whole):,}.{cents or '00'}"


def percent(share: Fraction) -> str:
    """A share as a percentage with two digits.

    >>> percent(Fraction(7, 495))
    '1.41 %'
    """
    return f"{float(100 * share):.2f} %"


def tables_opened(tables: Iterable[Answer]) -> Table:
    """What was opened, with what."""
    rows = (
        (
            opened["table"],
            f"{opened['schedule']} v{opened['schedule_version']}",
            opened["fingerprint"][:12],
            " ".join(opened["dice"]),
            opened["box"] or "from the hand",
            money(opened["opener_minor"]),
        )
        for opened in tables
    )
    return table("The house opens", ("table", "schedule", "fingerprint", "dice", "box", "opener"), rows, left=5)


def tables_closed(books: Books) -> Table:
    """Opener, closer and win of every table, and of the house."""
    rows = [
        (shut["table"], f"{shut['throws']:,}", *(money(shut[f"{what}_minor"]) for what in ("opener", "closer", "win")))
        for shut in books.tables
    ]
    throws = sum(shut["throws"] for shut in books.tables)
    return table(
        "The tables close",
        ("table", "throws", "opener", "closer", "win"),
        [*rows, ("together", f"{throws:,}", "", "", money(books.win))],
    )


def balance(books: Books) -> Table:
    """Every comparison that must be 0.00."""
    rows = [(what, money(difference)) for what, difference in books.differences.items()]
    return table("The bank balances", ("difference", "amount"), rows)


def percentages(realised: Sequence[Answer], exact: Edges) -> Table:
    """Realised against exact house percentages, by game and bet."""
    rows = []
    for line in sorted(realised, key=lambda line: (line["game"], line["bet"], line["spot"])):
        edge = exact.get((line["game"], line["bet"], line["spot"]))
        rows.append(
            (
                line["game"],
                f"{line['bet']} {line['spot']}".strip(),
                f"{line['settled']:,}",
                money(line["handle_minor"]),
                money(line["house_minor"]),
                percent(Fraction(line["house_minor"], line["handle_minor"])),
                "" if edge is None else percent(edge),
            )
        )
    columns = ("game", "bet", "settled", "handle", "house won", "realised", "exact")
    return table("House percentages, realised against exact for fair dice", columns, rows, left=2)


def accusations(audit: Audit) -> Table:
    """Who is accused, on what evidence."""
    rows = [
        (
            f"{finding.kind} {finding.id}",
            finding.attack.id if finding.attack else "",
            f"{finding.log10_evalue:.1f}",
            f"{finding.adjusted:.1e}",
            finding.words,
        )
        for finding in audit.accused
    ]
    title = f"Audit of {audit.log}: {audit.throws:,} throws, {audit.void} void; verdict {audit.verdict}"
    return table(title, ("accused", "attack", "log10 e", "adjusted", "in words"), rows, left=2)
