"""`floorman certificate`: a solved game of Hooligan written down, and checked without solving."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer

from house.commands.asked import Schedule, hooligan_schedule
from house.commands.output import Exit, Json, give_up, print_json, working, write
from house.showing import console, table

certificate = typer.Typer(
    no_args_is_help=True, help="The best player's game of Hooligan written down, and checked without solving."
)


@certificate.command("write")
def write_certificate(
    file: Annotated[Path, typer.Argument(help="File to write, JSON.", dir_okay=False)],
    *,
    schedule: Schedule = "scarne-quarter",
    exact: Annotated[bool, typer.Option("--exact", help="In fractions, without any error; takes longer.")] = False,
    as_json: Json = False,
) -> None:
    """Write the worth of every position and the best choice in it, so that anybody can check the percentage.

    Example: floorman certificate write scarne.json --schedule scarne-quarter
    """
    from payouts.hooligan.certificate import certificate as of_solution
    from payouts.hooligan.certificate import exact_certificate
    from payouts.hooligan.solver import solve

    terms = hooligan_schedule(schedule)
    with working("solving"):
        written = exact_certificate(terms.rules, terms.law) if exact else of_solution(solve(terms.rules, terms.law))
    write(file, json.dumps(written, separators=(",", ":")) + "\n")
    told = {"file": str(file), "fingerprint": terms.fingerprint, "positions": len(written["positions"])}
    if as_json:
        print_json(told | {"exact": exact})
    else:
        typer.echo(f"{told['positions']:,} positions in {file}")


@certificate.command("check")
def check_certificate(
    file: Annotated[Path, typer.Argument(help="A certificate, JSON.", dir_okay=False)],
    *,
    schedule: Annotated[
        str | None, typer.Option(help="Hold it to the rules and payouts of this schedule as well.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every claim of a certificate against its neighbours; exit code 1 if one does not hold.

    Example: floorman certificate check scarne.json --schedule scarne-quarter
    """
    from payouts.hooligan.checker import CertificateError, verify

    document = _read(file)
    edge: float | None = None
    fault: str | None = None
    told: dict[str, Any] = {"file": str(file), "mean": None, "relative_error": None, "positions": None}
    try:
        terms = None if schedule is None else hooligan_schedule(schedule)
        if terms is not None and (terms.rules.to_json(), list(terms.law)) != (
            document.get("rules"),
            document.get("pays"),
        ):
            raise CertificateError(f"rules and pays must be those of {terms.header.name}, got others")
        with working("checking every position"):
            proof = verify(document)
        exact = proof.proved_error == 0
        told |= {
            "mean": str(proof.mean) if exact else float(proof.mean),
            "relative_error": float(proof.proved_error),
            "positions": proof.positions,
        }
        if terms is not None:
            edge = float(1 - terms.trade_cost * Fraction(proof.mean) / terms.stake_minor)
    except CertificateError as error:
        fault = str(error)
    told |= {"holds": fault is None, "fault": fault, "house_edge": edge}
    if as_json:
        print_json(told)
    else:
        _show(told)
    raise typer.Exit(Exit.DONE if fault is None else Exit.BAD_ANSWER)


def _show(told: dict[str, Any]) -> None:
    if not told["holds"]:
        console().print(f"{told['file']} does not hold: {told['fault']}")
        return
    rows = [
        ("positions checked", f"{told['positions']:,}"),
        ("mean payout, minor units", f"{_number(told['mean']):.12g}"),
        ("proved within", f"{told['relative_error']:.2g}" if told["relative_error"] else "exact"),
    ]
    if told["house_edge"] is not None:
        rows.append(("house keeps", f"{100 * told['house_edge']:.6f} %"))
    console().print(table(f"{told['file']} holds", ("", "figure"), rows))


def _number(mean: str | float) -> float:
    return float(Fraction(mean))


def _read(file: Path) -> dict[str, Any]:
    """Read a JSON object."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        give_up(f"{file} must be a readable file, got {error.strerror or error}")
    except (ValueError, RecursionError) as error:
        give_up(f"{file} must be JSON, got {error}")
    if not isinstance(document, dict):
        give_up(f"{file} must be an object of JSON, got {type(document).__name__}")
    return document
