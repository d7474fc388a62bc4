"""Triggers that keep the books where our code would not: the same rules on both databases.

A rule is a condition that must never be true of a row that is written. They are looked for after every migration, word
for word, since a migration that rebuilds a table loses its triggers without one, and put in place where they are not.
"""

import re
from dataclasses import dataclass

from sqlalchemy import CheckConstraint, Connection, text
from sqlalchemy.exc import IntegrityError

from house.store.rows import Row


@dataclass(frozen=True, slots=True)
class Guard:
    """A rule: before `event` on `table`, refuse with `message` if `never` holds of NEW or OLD."""

    name: str
    table: str
    event: str
    never: str
    message: str


_FOR_EVER = (
    "schedule",
    "entry",
    "posting",
    "record",
    "tree_node",
    "throw",
    "throw_die",
    "settlement",
    "draw",
    "answer",
    "piece_event",
    "equipment_count",
    "watch",
    "watch_span",
    "incident_event",
    "correction",
    "correction_die",
    "undone",
    "transfer",
    "round_end",
    "slip",
    "slip_void",
    "shift",
    "rack_count",
    "approval",
)


def _for_ever(table: str) -> tuple[Guard, ...]:
    message = f"rows of {table} stand for ever"
    return tuple(Guard(f"{table}_no_{event.lower()}", table, event, "1 = 1", message) for event in ("UPDATE", "DELETE"))


GUARDS: tuple[Guard, ...] = (
    *(guard for table in _FOR_EVER for guard in _for_ever(table)),
    Guard("account_no_delete", "account", "DELETE", "1 = 1", "accounts stand for ever"),
    Guard(
        "account_only_balance",
        "account",
        "UPDATE",
        "NEW.name <> OLD.name OR NEW.kind <> OLD.kind OR NEW.side <> OLD.side"
        " OR COALESCE(NEW.lowest, 1) <> COALESCE(OLD.lowest, 1)",
        "only the balance of an account changes",
    ),
    Guard(
        "posting_before_entry",
        "posting",
        "INSERT",
        "EXISTS (SELECT 1 FROM entry WHERE entry.seq = NEW.seq)",
        "postings are written before their entry",
    ),
    Guard(
        "entry_sums_to_zero",
        "entry",
        "INSERT",
        "(SELECT SUM(posting.amount) <> 0 OR COUNT(*) < 2 FROM posting WHERE posting.seq = NEW.seq)",
        "an entry has two lines or more, which sum to 0",
    ),
    Guard(
        "entry_dense",
        "entry",
        "INSERT",
        "NEW.seq <> (SELECT COALESCE(MAX(entry.seq), -1) + 1 FROM entry)",
        "entries are numbered without a gap",
    ),
    Guard(
        "record_dense",
        "record",
        "INSERT",
        "NEW.number <> (SELECT COALESCE(MAX(record.number), -1) + 1 FROM record)",
        "records are numbered without a gap",
    ),
    Guard(
        "throw_dense",
        "throw",
        "INSERT",
        "NEW.number <> (SELECT COALESCE(MAX(throw.number), -1) + 1 FROM throw WHERE throw.table_id = NEW.table_id)",
        "throws of a table are numbered without a gap",
    ),
    Guard("person_no_delete", "person", "DELETE", "1 = 1", "people stand for ever"),
    Guard("person_same_id", "person", "UPDATE", "NEW.id <> OLD.id", "the id of a person never changes"),
    Guard("api_key_no_delete", "api_key", "DELETE", "1 = 1", "keys stand for ever"),
    Guard(
        "api_key_only_use_and_revocation",
        "api_key",
        "UPDATE",
        "NEW.prefix <> OLD.prefix OR NEW.person <> OLD.person OR NEW.digest <> OLD.digest OR NEW.scopes <> OLD.scopes"
        " OR NEW.expires_us <> OLD.expires_us OR (OLD.revoked_us IS NOT NULL AND NEW.revoked_us IS NULL)",
        "of a key only its use and its revocation are noted",
    ),
    Guard(
        "slip_dense",
        "slip",
        "INSERT",
        "NEW.number <> (SELECT COALESCE(MAX(slip.number), 0) + 1 FROM slip WHERE slip.kind = NEW.kind)",
        "slips of a kind are numbered without a gap",
    ),
    Guard(
        "shift_dense",
        "shift",
        "INSERT",
        "NEW.number <> (SELECT COALESCE(MAX(shift.number), 0) + 1 FROM shift)",
        "shifts are numbered without a gap",
    ),
    Guard(
        "correction_of_last_throw",
        "correction",
        "INSERT",
        "NEW.number <> (SELECT MAX(throw.number) FROM throw WHERE throw.table_id = NEW.table_id)",
        "only the last throw of a table is corrected",
    ),
    *(
        Guard(f"{table}_no_delete", table, "DELETE", "1 = 1", f"rows of {table} stand for ever")
        for table in ("die", "box", "incident")
    ),
    *(
        Guard(
            f"{table}_destroyed_stays",
            table,
            "UPDATE",
            "NEW.serial <> OLD.serial OR OLD.state = 'destroyed'",
            f"a {table} keeps its serial, and stays destroyed",
        )
        for table in ("die", "box")
    ),
    Guard(
        "incident_closed_stays",
        "incident",
        "UPDATE",
        "NEW.number <> OLD.number OR NEW.raised <> OLD.raised OR OLD.status = 'closed'",
        "an incident that is closed stays closed",
    ),
    Guard("seed_no_delete", "seed", "DELETE", "1 = 1", "seeds stand for ever"),
    Guard(
        "seed_only_client_and_reveal",
        "seed",
        "UPDATE",
        "OLD.revealed IS NOT NULL OR NEW.commitment <> OLD.commitment OR NEW.player <> OLD.player"
        " OR NEW.number <> OLD.number OR NEW.secret <> OLD.secret OR NEW.committed <> OLD.committed",
        "only the client seed of a seed changes, until it is revealed",
    ),
    Guard(
        "draw_dense",
        "draw",
        "INSERT",
        "NEW.nonce <> (SELECT COALESCE(MAX(draw.nonce), -1) + 1 FROM draw WHERE draw.seed = NEW.seed)",
        "nonces of a seed are used without a gap",
    ),
    Guard(
        "draw_under_secret_seed",
        "draw",
        "INSERT",
        "EXISTS (SELECT 1 FROM seed WHERE seed.commitment = NEW.seed AND seed.revealed IS NOT NULL)",
        "a seed that is revealed draws no throw",
    ),
)


def install(connection: Connection) -> None:
    """Put every guard in place that does not stand there word for word; one that stands is let be, without a lock."""
    _INSTALL[connection.dialect.name](connection)


def _sqlite(connection: Connection) -> None:
    found = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    standing = {row.name: row.sql for row in found}
    for guard in GUARDS:
        body = f"BEGIN SELECT RAISE(ABORT, '{guard.message}'); END"
        made = f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table} WHEN {guard.never} {body}"
        if standing.get(guard.name) != made:
            connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {guard.name}")
            connection.exec_driver_sql(made)


_STANDING = text("""
    SELECT tgname, relname, tgtype, prosrc
    FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid
    JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND tgenabled = 'O' AND tgqual IS NULL
""")
_TYPES = {"INSERT": 7, "DELETE": 11, "UPDATE": 19, "TRUNCATE": 34}
"""What pg_trigger.tgtype says of a trigger before an event: for each row, of a TRUNCATE for the statement."""


def _postgresql(connection: Connection) -> None:
    standing = {(name, table, kind): source for name, table, kind, source in connection.execute(_STANDING)}
    statements: list[str] = []
    for (name, table, event), source in _functions().items():
        if standing.get((name, table, _TYPES[event])) != source:
            each = "STATEMENT" if event == "TRUNCATE" else "ROW"
            statements += (
                f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $guard${source}$guard$",
                f"CREATE OR REPLACE TRIGGER {name} BEFORE {event} ON {table} FOR EACH {each} EXECUTE FUNCTION {name}()",
            )
    if statements:
        connection.exec_driver_sql(";".join(statements))  # one way to the server and back


def _functions() -> dict[tuple[str, str, str], str]:
    """Body of the function of every trigger in PostgreSQL, by name, table and event; rows for ever stand a TRUNCATE."""
    found = {}
    for guard in GUARDS:
        row = "OLD" if guard.event == "DELETE" else "NEW"
        fault = f"IF {guard.never} THEN {_raised(guard.message)} END IF; RETURN {row};"
        found[guard.name, guard.table, guard.event] = f" BEGIN {fault} END "
        if guard.event == "DELETE":
            fault = _raised(f"rows of {guard.table} stand for ever")
            found[f"{guard.table}_no_truncate", guard.table, "TRUNCATE"] = f" BEGIN {fault} END "
    return found


def _raised(message: str) -> str:
    return f"RAISE EXCEPTION '{message}' USING ERRCODE = 'check_violation';"


_INSTALL = {"sqlite": _sqlite, "postgresql": _postgresql}

_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}

_CHECK = re.compile(r'CONSTRAINT\s+"?(\w+)"?\s+CHECK\b')
"""A named CHECK, as SQLite keeps it in the text of its table."""


def _checks(connection: Connection) -> set[str]:
    """Name the CHECKs that stand, by one question; SQLAlchemy's inspector asks for each table."""
    if connection.dialect.name == "postgresql":
        here = "SELECT conname FROM pg_constraint WHERE contype = 'c' AND connamespace = current_schema()::regnamespace"
        return set(connection.execute(text(here)).scalars())
    made = connection.execute(text("SELECT sql FROM sqlite_master WHERE type = 'table'")).scalars()
    return {name for sql in made for name in _CHECK.findall(sql or "")}


def missing(connection: Connection) -> tuple[str, ...]:
    """Name the triggers and CHECKs that ought to stand in the database and do not."""
    triggers = connection.execute(text(_TRIGGERS[connection.dialect.name])).scalars()
    present = {*triggers, *_checks(connection)}
    checks = {
        str(constraint.name)
        for table in Row.metadata.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, CheckConstraint)
    }
    return tuple(sorted(({guard.name for guard in GUARDS} | checks) - present))


def is_of_bounds(error: IntegrityError) -> bool:
    """Tell whether a write was refused because an amount or a sum would lie beyond what its column may hold."""
    return "_bounds" in str(error.orig).partition("\n")[0]
