"""`floorman export`: the throw log to a file, or the whole history with its proofs to a folder."""

from pathlib import Path
from typing import Annotated

import typer

from house.commands.output import DatabaseUrl, Json, give_up, print_json


def export(
    out: Annotated[Path, typer.Argument(help="File to write (.jsonl, .csv, .parquet), or folder for the history.")],
    database: DatabaseUrl = None,
    table: Annotated[str | None, typer.Option(help="Throw log: one table; without it, all of them.")] = None,
    as_json: Json = False,
) -> None:
    """Write the throw log, one row a die, as `floorman audit` reads it; or every record and checkpoint of the history.

    A name without an ending is a folder, and `floorman verify` checks what is written there.

    Example: floorman export throws.parquet --database sqlite:///build/demo/house.db
    """
    from house.app import open_existing
    from house.service import evidence, surveillance
    from house.settings import load_settings

    history = not out.suffix
    if history and table is not None:
        give_up("--table is for throw logs: a history is proved as a whole or not at all")
    with open_existing(load_settings(options={"--database": database})) as house:
        count = evidence.export(house, out) if history else surveillance.export(house, out, table)
    if as_json:
        print_json({"folder": str(out), "records": count} if history else {"file": str(out), "rows": count})
    else:
        typer.echo(f"{count:,} {'records' if history else 'rows'} in {out}")
