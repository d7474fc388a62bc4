"""Databases as an earlier version of the schema left them, with rows in them."""

from dataclasses import dataclass

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from house.domain.gaming_day import GamingDays
from house.domain.ledger import BANK, HOUSE_ACCOUNTS, VAULT
from house.store import database, guards, ledger, records, tree
from house.store.rows import Row
from house.store.unit_of_work import Unit, moment
from integrity.proof.tree import Frontier

AT = moment(1_800_000_000_000_000)


def revisions() -> list[str]:
    """Every version of the schema, the first one first."""
    return [one.revision for one in ScriptDirectory(str(database.MIGRATIONS)).walk_revisions()][::-1]


def make(engine: Engine, revision: str, rows: int) -> None:
    """Make a database of a version of the schema, with so many records, entries of two postings each."""
    with engine.begin() as connection:
        command.upgrade(database.migrations(connection), revision)
    with engine.begin() as connection:
        unit = Unit(connection, GamingDays("UTC", 6), AT)
        ledger.open_accounts(unit, HOUSE_ACCOUNTS)
        for number in range(rows):
            _enter(unit, number)
        connection.execute(
            text("UPDATE account SET balance = (SELECT COALESCE(SUM(amount), 0) FROM posting WHERE account = name)")
        )


def _enter(unit: Unit, number: int) -> None:
    """Write a record and the entry that it makes, by the columns of the first version."""
    record = records.append(unit, "note", None, {"number": number})
    lines = [
        {"seq": number, "line": line, "account": account, "amount": 100 - 200 * line}
        for line, account in enumerate((VAULT.name, BANK.name))
    ]
    for table, values in {
        "posting": lines,
        "entry": [
            {
                "seq": number,
                "id": f"entry-{number}",
                "kind": "capital",
                "record": record,
                "at_us": unit.at_us,
                "gaming_day": unit.gaming_day,
                "actor": "house",
            }
        ],
    }.items():
        unit.connection.execute(Row.metadata.tables[table].insert(), values)


@dataclass(frozen=True)
class Found:
    """What a database holds, and by which rules it is kept; `missing` guards of the newest schema alone."""

    revision: str | None
    missing: tuple[str, ...]
    foreign_keys: dict[str, set[tuple[tuple[str, ...], str, tuple[str, ...]]]]
    counts: dict[str, int]
    frontier: Frontier


def look(engine: Engine) -> Found:
    """Look at a database."""
    with engine.connect() as connection:
        inspector, revision = inspect(connection), database.revision(connection)
        return Found(
            revision=revision,
            missing=guards.missing(connection) if revision == revisions()[-1] else (),
            foreign_keys={
                name: {
                    (tuple(key["constrained_columns"]), key["referred_table"], tuple(key["referred_columns"]))
                    for key in inspector.get_foreign_keys(name)
                }
                for name in inspector.get_table_names()
                if name != "alembic_version"
            },
            counts={
                name: connection.execute(text(f"SELECT COUNT(*) FROM {name}")).scalar_one()
                for name in ("record", "entry", "posting", "tree_node", "account")
            },
            frontier=tree.frontier(connection, records.next_number(connection)),
        )


def due_foreign_keys() -> dict[str, set[tuple[tuple[str, ...], str, tuple[str, ...]]]]:
    """The foreign keys that the rows ask for."""
    return {
        name: {
            (
                tuple(element.parent.name for element in key.elements),
                key.referred_table.name,
                tuple(element.column.name for element in key.elements),
            )
            for key in table.foreign_key_constraints
        }
        for name, table in Row.metadata.tables.items()
    }
