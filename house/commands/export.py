"""`floorman export`: the throw log to a file."""

from pathlib import Path
from typing import Annotated

import typer

from house.commands.output import DatabaseUrl, Json, print_json


def export(
    out: Annotated[Path, typer.Argument(help="File to write: .jsonl, .csv or .parquet.", dir_okay=False)],
    database: DatabaseUrl = None,
    table: Annotated[str | None, typer.Option(help="One table; without it, all of them.")] = None,
    as_json: Json = False,
) -> None:
    """Write the throw log, one row a die, in the format that `floorman audit` reads.

    Example: floorman export throws.parquet --database sqlite:///build/demo/house.db
    """
    from house.app import open_existing
    from house.service.surveillance import export as export_log
    from house.settings import load_settings

    with open_existing(load_settings(options={"--database": database})) as house:
        rows = export_log(house, out, table)
    if as_json:
        print_json({"file": str(out), "rows": rows})
    else:
        typer.echo(f"{rows:,} rows in {out}")
