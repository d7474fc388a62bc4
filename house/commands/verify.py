"""`floorman verify`: whether an exported history is the one that was signed, with the public key alone."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from house.commands.output import Exit, Json, give_up, print_json
from house.showing import console, table


def verify(
    folder: Annotated[Path, typer.Argument(help="What `floorman export FOLDER` wrote.", exists=True, file_okay=False)],
    key: Annotated[Path, typer.Option(help="File with the house's public key.", exists=True, dir_okay=False)],
    checkpoint: Annotated[
        list[Path] | None,
        typer.Option(help="Checkpoints kept from before, which must be continued.", exists=True, dir_okay=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check every record against the signed checkpoints, and play every settlement again from the records.

    Nothing else is read: no database, no network. Exit code 1 if anything does not hold; the first bad record is named.
    Records after the last checkpoint do not hold: an export ends with a checkpoint over all of it. A history that was
    cut exactly at an older checkpoint looks like an older export: a later checkpoint that you kept elsewhere shows it.

    Example: floorman verify build/evidence --key house.pub
    """
    from house.service.evidence import verify as verify_export
    from integrity.errors import ProofError
    from integrity.proof.notes import read_public_key

    try:
        public = read_public_key(key.read_text(encoding="utf-8", errors="replace"))
    except ProofError as error:
        give_up(f"{key}: {error}")
    found = verify_export(folder, public, tuple(checkpoint or ()))
    if as_json:
        print_json({"holds": found.holds, **asdict(found)})
    else:
        console().print(found.check.reason, markup=False)
        console().print(
            f"{found.records:,} records played again: {found.settlements:,} settlements, {found.entries:,} entries."
        )
        if found.discrepancies:
            rows = ((d.invariant, d.where, d.found, d.due) for d in found.discrepancies)
            console().print(table("Does not follow", ("invariant", "where", "found", "due"), rows, left=4))
    raise typer.Exit(Exit.DONE if found.holds else Exit.BAD_ANSWER)
