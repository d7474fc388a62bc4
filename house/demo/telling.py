"""The demo's words: tables of the evening for people."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table

from house.demo.doors import Books
from house.demo.script import Answer
from house.service.incidents import Incident
from house.showing import table
from integrity.audit import Audit
from integrity.proof.offline import Check
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


def aside(shooter: int, die: str, game: int, box: str) -> str:
    """What only the audience is told."""
    return (
        f"[dim]Aside: the house does not know that from shooter {shooter} on die {die} is loaded (six +0.10), and that "
        f"from game {game} on box {box} lets one die repeat its face in one throw of four.[/dim]"
    )


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
    return table("The bank balances" if books.sound else "The bank does not balance", ("difference", "amount"), rows)


def replayed(books: Books) -> str:
    """What the check of the books re-derived."""
    counts = f"{books.check['entries']:,} ledger entries, {books.check['settlements']:,} settlements"
    return f"{counts} replayed from the records: {len(books.check['discrepancies'])} wrong.\n"


def history(check: Check, folder: Path, database: Path) -> str:
    """Whether the exported history is the one that the house signed, and how to check it."""
    shown = f"floorman verify {folder} --key {database}.pub"
    words = "as the house signed them" if check.holds else f"NOT AS THE HOUSE SIGNED THEM: {check.reason}"
    return f"{check.proved:,} records of the history, in one Merkle tree: {words}. Check it yourself: {shown}\n"


def raised(incidents: Sequence[Incident]) -> Table:
    """What the laboratory raised while the dice were thrown."""
    rows = (
        (
            one.table,
            one.accused,
            one.attack,
            f"{one.throw:,}",
            one.log10_evalue,
            one.bar,
            " ".join(one.dice),
            one.box or "",
        )
        for one in incidents
    )
    columns = ("table", "about", "fits", "throw", "log10 e", "bar", "dice", "box")
    return table("Raised live, during the evening, out of one budget of false alarms", columns, rows, left=3)


def percentages(realised: Sequence[Answer], exact: Edges) -> Table:
    """Realised against exact house percentages, by game and bet, each game's sum below its bets."""
    rows: list[tuple[str, ...]] = []
    for game in sorted({line["game"] for line in realised}):
        lines = sorted(
            (line for line in realised if line["game"] == game), key=lambda line: (line["bet"], line["spot"])
        )
        due = [exact[game, line["bet"], line["spot"]] * line["handle_minor"] for line in lines]
        rows += [
            _row(game, f"{line['bet']} {line['spot']}".strip(), [line], each)
            for line, each in zip(lines, due, strict=True)
        ]
        rows.append(_row(game, "all together", lines, sum(due, Fraction(0))))
    columns = ("game", "bet", "settled", "handle", "house won", "realised", "exact")
    return table("House percentages: realised, and exact per bet made with fair dice", columns, rows, left=2)


def _row(game: str, name: str, lines: Sequence[Answer], due: Fraction) -> tuple[str, ...]:
    settled, handle, won = (sum(line[key] for line in lines) for key in ("settled", "handle_minor", "house_minor"))
    share, exact = Fraction(won, handle), due / handle
    return game, name, f"{settled:,}", money(handle), money(won), percent(share), percent(exact)


def accusations(audit: Audit) -> tuple[RenderableType, ...]:
    """Who is accused, on what evidence; and in words."""
    title = f"{audit.log}: {audit.throws:,} throws, {audit.void} void, verdict {audit.verdict}"
    columns = ("accused", "attack", "log10 e", "adjusted", "against")
    rows = (
        (
            f"{finding.kind} {finding.id}",
            finding.attack.name if finding.attack else "",
            f"{finding.log10_evalue:.1f}",
            f"{finding.adjusted:.1e}",
            f"{audit.alpha:g}",
        )
        for finding in audit.accused
    )
    words = (f"* {finding.words}" for finding in audit.accused)
    return "", table(title, columns, rows, left=2), *words


def ending(sound: bool, named: bool) -> str:
    """The last line of the story."""
    bank = "The bank balances to the cent" if sound else "THE BANK IS OFF"
    names = "the loaded die and the crooked box are named, and nobody else" if named else "THE WRONG ONES ARE NAMED"
    return f"\n[bold]{bank}; {names}.[/bold]"
