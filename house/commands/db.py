"""`floorman db`: the house's database, made ready, checked, copied, restored and brought up to date."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from house.commands.output import DatabaseUrl, Exit, Json, print_json, without_password
from house.settings import load_settings
from house.showing import console, table

if TYPE_CHECKING:
    from house.store.checks import Discrepancy

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
        found = check_books(house, signs=True)
    if as_json:
        print_json(asdict(found))
    else:
        counts = f"{found.entries:,} entries, {found.records:,} records, {found.throws:,} throws"
        console().print(f"{counts}, {found.settlements:,} settlements replayed")
        _print(found.discrepancies)
    raise typer.Exit(Exit.BAD_ANSWER if found.discrepancies else Exit.DONE)


def _print(discrepancies: "Sequence[Discrepancy]") -> None:
    if discrepancies:
        rows = ((d.invariant, d.where, d.found, d.due) for d in discrepancies)
        console().print(table("Does not hold", ("invariant", "where", "found", "due"), rows, left=4))
    else:
        console().print("Every invariant holds.")


@db.command()
def backup(
    file: Annotated[Path, typer.Argument(help="File of the copy; replaced if it is there.", dir_okay=False)],
    database: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Copy the database while the house is open, with the checkpoints and the public key beside.

    The key that signs is not copied: keep it apart, once. PostgreSQL is copied by pg_dump, which must be installed.

    Example: floorman db backup copies/house-2026-11-29.db
    """
    from house.app import sealing
    from house.service.backup import backup as copy

    settings = load_settings(options={"--database": database})
    records = copy(settings.database, sealing(settings), file)
    if as_json:
        print_json({"file": str(file), "records": records})
    else:
        console().print(f"{records:,} records in {file}")


@db.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A copy made by floorman db backup.")],
    database: DatabaseUrl = None,
    unsigned: Annotated[
        bool, typer.Option("--unsigned", help="Take a copy without checkpoints or key: nobody can tell a forged one.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make a house from a copy where none is, and check its history and its books; exit code 1 if they do not hold.

    Nothing is overwritten. The checkpoints and the public key must lie beside the copy, as it was made. Put the key
    that signs beside its checkpoints before the house is served.

    Example: floorman db restore copies/house-2026-11-29.db --database sqlite:///build/restored/house.db
    """
    from house.app import sealing
    from house.service.backup import restore as bring_back
    from house.service.backup import unsigned as lacking

    settings = load_settings(options={"--database": database})
    found, lacks = bring_back(file, settings.database, sealing(settings), unproved=unsigned), lacking(file)
    place = without_password(settings.database)
    if as_json:
        print_json({"database": place, "discrepancies": [asdict(one) for one in found], "unsigned": lacks})
    else:
        console().print(f"{place} is a copy of {file}" if not found else f"{file} is not restored")
        _print(found)
        if lacks and not found:
            console().print(f"It was not compared with what was signed: {lacks}.")
    raise typer.Exit(Exit.BAD_ANSWER if found else Exit.DONE)


@db.command()
def upgrade(database: DatabaseUrl = None, as_json: Json = False) -> None:
    """Bring the schema of a database that is there up to date; none goes back. Make a copy before.

    Example: floorman db upgrade --database sqlite:///build/house/house.db
    """
    from house.app import open_existing
    from house.store import database as store

    settings = load_settings(options={"--database": database})
    with open_existing(settings) as house, house.read() as connection:
        before = store.revision(connection)
    engine = store.write_engine(settings.database)
    try:
        store.upgrade(engine)
        with engine.connect() as connection:
            after = store.revision(connection)
    finally:
        engine.dispose()
    if as_json:
        print_json({"before": before, "after": after})
    else:
        console().print(f"The schema was {before or 'not there'} and is {after}; every trigger and CHECK stands.")
