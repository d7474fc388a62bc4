"""`floorman db`: the house's database, made ready and checked."""

from dataclasses import asdict

import typer

from house.commands.output import DatabaseUrl, Exit, Json, print_json
from house.settings import load_settings
from house.showing import console, table

db = typer.Typer(no_args_is_help=True, help="The house's database.")


@db.command()
def init(database: DatabaseUrl = None, as_json: Json = False) -> None:
    """Make the schema or bring it up to date, and publish the schedules of config/.

    Example: floorman db init --database sqlite:///build/house/house.db
    """
    from house.app import open_settings
    from house.service.schedules import schedules

    with open_settings(load_settings(options={"--database": database})) as house:
        published = schedules(house)
    if as_json:
        print_json({"schedules": [{"game": s.game, "name": s.name, "version": s.version} for s in published]})
        return
    rows = ((s.game, s.name, s.version, s.fingerprint[:16]) for s in published)
    console().print(table("Published schedules", ("game", "name", "version", "fingerprint"), rows, left=2))


@db.command()
def check(database: DatabaseUrl = None, as_json: Json = False) -> None:
    """Re-derive every balance and invariant, and replay every settlement; exit code 1 if anything does not hold.

    Example: floorman db check --database sqlite:///build/demo/house.db
    """
    from house.app import open_existing
    from house.service.reports import check as check_books

    with open_existing(load_settings(options={"--database": database})) as house:
        found = check_books(house)
    if as_json:
        print_json(asdict(found))
    else:
        counts = f"{found.entries:,} entries, {found.records:,} records, {found.throws:,} throws"
        console().print(f"{counts}, {found.settlements:,} settlements replayed")
        if found.discrepancies:
            rows = ((d.invariant, d.where, d.found, d.due) for d in found.discrepancies)
            console().print(table("Does not hold", ("invariant", "where", "found", "due"), rows, left=4))
        else:
            console().print("Every invariant holds.")
    raise typer.Exit(Exit.BAD_ANSWER if found.discrepancies else Exit.DONE)
