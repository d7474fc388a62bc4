"""`floorman claim`: does a published percentage hold, and under which reading would it?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import Exit, Json, print_json, working
from house.showing import console, table

if TYPE_CHECKING:
    from payouts.claims import Verdict


def claim(
    file: Annotated[Path, typer.Argument(help="A schedule file whose [declared] table holds what was published.")],
    as_json: Json = False,
) -> None:
    """Check published percentages: does each hold as the file is written, or under which reading, unit or rounding?

    Exit code 1 when a claim does not hold as written.

    Example: floorman claim published.toml
    """
    from payouts.claims import check_claims, document
    from payouts.reading import read_file

    text = read_file(file)
    with working("solving what may have been meant"):
        verdicts = check_claims(text, str(file))
    if as_json:
        print_json(document(verdicts))
    else:
        for verdict in verdicts:
            _show(verdict)
    raise typer.Exit(Exit.DONE if all(verdict.holds for verdict in verdicts) else Exit.BAD_ANSWER)


def _show(verdict: "Verdict") -> None:
    from payouts.reading import Percentage

    decimals = verdict.claimed.decimals
    exact = (f"{spot} {Percentage.of(edge, decimals)}".strip() for spot, edge in verdict.edges.items())
    holds = "holds" if verdict.holds else "does not hold"
    console().print(f"{verdict.key}: {verdict.claimed} {holds}; exact {', '.join(exact)}")
    if verdict.holds:
        return
    if not verdict.explanations:
        console().print("It holds under no reading, unit, base or rounding that was tried.")
        return
    rows = (("; ".join(way.departures), f"{100 * float(way.edge):.6f} %") for way in verdict.explanations)
    console().print(table("It would hold", ("under", "edge"), rows))
