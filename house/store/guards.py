"""Triggers that keep the books where our code would not: the same rules on both databases.

A rule is a condition that must never be true of a row that is written. They are put in place again after every
migration, since a migration that rebuilds a table loses its triggers without a word, and then looked for.
"""

from dataclasses import dataclass

from sqlalchemy import CheckConstraint, Connection, inspect, text

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
    """Put every guard in place, over what stands."""
    if connection.dialect.name == "sqlite":
        for guard in GUARDS:
            for statement in _sqlite(guard):
                connection.exec_driver_sql(statement)
        return
    statements = [statement for guard in GUARDS for statement in _postgresql(guard)]
    for guard in GUARDS:
        if guard.event == "DELETE":
            statements += _no_truncate(guard.table)
    connection.exec_driver_sql(";".join(statements))  # one way to the server and back


def _sqlite(guard: Guard) -> tuple[str, ...]:
    body = f"BEGIN SELECT RAISE(ABORT, '{guard.message}'); END"
    return (
        f"DROP TRIGGER IF EXISTS {guard.name}",
        f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table} WHEN {guard.never} {body}",
    )


def _postgresql(guard: Guard) -> tuple[str, ...]:
    row = "OLD" if guard.event == "DELETE" else "NEW"
    fault = f"RAISE EXCEPTION '{guard.message}' USING ERRCODE = 'check_violation';"
    return (
        (
            f"CREATE OR REPLACE FUNCTION {guard.name}() RETURNS trigger LANGUAGE plpgsql AS $guard$"
            f" BEGIN IF {guard.never} THEN {fault} END IF; RETURN {row}; END $guard$"
        ),
        (
            f"CREATE OR REPLACE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table}"
            f" FOR EACH ROW EXECUTE FUNCTION {guard.name}()"
        ),
    )


def _no_truncate(table: str) -> tuple[str, ...]:
    name = f"{table}_no_truncate"
    fault = f"RAISE EXCEPTION 'rows of {table} stand for ever' USING ERRCODE = 'check_violation';"
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $guard$ BEGIN {fault} END $guard$",
        f"CREATE OR REPLACE TRIGGER {name} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {name}()",
    )


_TRIGGERS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}


def missing(connection: Connection) -> tuple[str, ...]:
    """Name the triggers and CHECKs that ought to stand in the database and do not."""
    present = set(connection.execute(text(_TRIGGERS[connection.dialect.name])).scalars())
    for found in inspect(connection).get_multi_check_constraints().values():
        present |= {str(check["name"]) for check in found}
    checks = {
        str(constraint.name)
        for table in Row.metadata.tables.values()
        for constraint in table.constraints
        if isinstance(constraint, CheckConstraint)
    }
    return tuple(sorted(({guard.name for guard in GUARDS} | checks) - present))
