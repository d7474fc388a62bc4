"""The second line: triggers and CHECKs refuse what our code would never write, on both databases."""

from collections.abc import Iterator

import pytest
from sqlalchemy import CheckConstraint, Connection, Engine, event, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from house.store import database, guards
from house.store.rows import Row
from tests.house.pits import drop_database, new_database

LEAF = "0" * 64
HOUSE = """
INSERT INTO account VALUES ('vault', 'asset', 1, 0, 0);
INSERT INTO account VALUES ('wallet', 'liability', -1, 0, 0);
INSERT INTO record VALUES (0, 'cage', NULL, '{}', 'LEAF');
INSERT INTO tree_node VALUES (8, 0, 'LEAF');
INSERT INTO posting VALUES (0, 0, 'vault', 100);
INSERT INTO posting VALUES (0, 1, 'wallet', -100);
INSERT INTO entry (seq, id, kind, record, at_us, gaming_day, actor)
  VALUES (0, 'e0', 'buy_in', 0, 1, '2026-07-01', 'house');
INSERT INTO schedule VALUES ('craps', 's', 1, 'f', '', 1);
INSERT INTO gaming_table (id, game, fingerprint, status, method, opener, state, round, rounds, wagers, next_throw,
 riding, exposure, stakes_seen, state_before, opened_us)
 VALUES ('t', 'craps', 'f', 'open', 'box', 0, '{}', '', 0, 0, 0, 0, 0, '{}', '', 1);
INSERT INTO die VALUES ('d', NULL, 1, 'reserve', '', '', '', 1);
INSERT INTO throw (table_id, number, at_us, round, method, source, void, gaming_day, record)
 VALUES ('t', 0, 1, 'r', 'box', 'dealer', FALSE, '2026-07-01', 0);
INSERT INTO throw_die VALUES ('t', 0, 0, 'd', 6, 'ok');
INSERT INTO answer VALUES ('key', 'f', FALSE, '{}', 1);
""".replace("LEAF", LEAF)


def furnished(url: str) -> Iterator[Engine]:
    made = database.write_engine(url)
    database.upgrade(made)
    with made.begin() as connection:
        for statement in HOUSE.split(";\n"):
            if statement.strip():
                connection.execute(text(statement))
    yield made
    made.dispose()


@pytest.fixture
def engine(migrated_url: str) -> Iterator[Engine]:
    yield from furnished(migrated_url)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def standing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A database of each kind in which nothing that is tried leaves a trace."""
    if request.param == "sqlite":
        yield from furnished(f"sqlite:///{tmp_path_factory.mktemp('guards') / 'house.db'}")
    else:
        server, template = (request.getfixturevalue(name) for name in ("postgresql_server", "house_template"))
        url = new_database(server, template)
        yield from furnished(url)
        drop_database(url)


NEW_ENTRY = (
    "INSERT INTO entry (seq, id, kind, record, at_us, gaming_day, actor)"
    " VALUES ({seq}, 'e1', '{kind}', 0, 1, '2026-07-01', 'house')"
)
NEW_THROW = (
    "INSERT INTO throw (table_id, number, at_us, round, method, source, void, gaming_day, record)"
    " VALUES ('t', {number}, 1, 'r', '{method}', 'dealer', FALSE, '2026-07-01', 0)"
)
FORBIDDEN = {
    "update of a posting": ("UPDATE posting SET amount = 1 WHERE amount = 100", "for ever"),
    "delete of a posting": ("DELETE FROM posting", "for ever"),
    "update of an entry": ("UPDATE entry SET kind = 'toke'", "for ever"),
    "delete of an entry": ("DELETE FROM entry", "for ever"),
    "update of a record": ("UPDATE record SET body = '[]'", "for ever"),
    "delete of a record": ("DELETE FROM record", "for ever"),
    "update of a node of the tree": ("UPDATE tree_node SET place = 1", "for ever"),
    "delete of a node of the tree": ("DELETE FROM tree_node", "for ever"),
    "a node that is no hash": ("INSERT INTO tree_node VALUES (8, 1, 'f')", "hash_has_32_bytes"),
    "a leaf in the tree of nodes": (f"INSERT INTO tree_node VALUES (0, 1, '{LEAF}')", "place_in_tree"),
    "a record without its hash": ("INSERT INTO record VALUES (1, 'cage', NULL, '{}', '')", "leaf_has_32_bytes"),
    "update of a throw": ("UPDATE throw SET void = TRUE", "for ever"),
    "delete of a throw": ("DELETE FROM throw", "for ever"),
    "update of a face": ("UPDATE throw_die SET face = 1", "for ever"),
    "delete of a die of a throw": ("DELETE FROM throw_die", "for ever"),
    "update of an answer": ("UPDATE answer SET body = ''", "for ever"),
    "delete of an answer": ("DELETE FROM answer", "for ever"),
    "update of a schedule": ("UPDATE schedule SET body = 'x'", "for ever"),
    "delete of an account": ("DELETE FROM account", "for ever"),
    "another floor of an account": ("UPDATE account SET lowest = -100 WHERE name = 'wallet'", "only the balance"),
    "a balance below its floor": ("UPDATE account SET balance = 1 WHERE name = 'wallet'", "not_below_floor"),
    "a posting to an entry that stands": ("INSERT INTO posting VALUES (0, 2, 'vault', 5)", "before their entry"),
    "a posting of 0": ("INSERT INTO posting VALUES (1, 0, 'vault', 0)", "amount_moves"),
    "a posting beyond the bound": ("INSERT INTO posting VALUES (1, 0, 'vault', 9007199254740992)", "amount_bounds"),
    "an entry without postings": (NEW_ENTRY.format(seq=1, kind="buy_in"), "two lines"),
    "a record with a gap before it": (
        f"INSERT INTO record VALUES (2, 'cage', NULL, '{{}}', '{LEAF}')",
        "without a gap",
    ),
    "a throw with a gap before it": (NEW_THROW.format(number=2, method="box"), "without a gap"),
    "a throw by an unknown method": (NEW_THROW.format(number=1, method="sleeve"), "method_known"),
    "a face of seven": ("INSERT INTO throw_die VALUES ('t', 0, 1, 'd', 7, 'ok')", "face_of_a_die"),
    "a die that is ok and shows nothing": (
        "INSERT INTO throw_die VALUES ('t', 0, 1, 'd', NULL, 'ok')",
        "ok_shows_a_face",
    ),
    "a second house": ("INSERT INTO house VALUES (2, 'USD', 'UTC', 6)", "one_house"),
}


@pytest.mark.parametrize("what", FORBIDDEN)
def test_the_database_itself_refuses(standing: Engine, what: str) -> None:
    statement, message = FORBIDDEN[what]
    with pytest.raises(IntegrityError, match=message), standing.begin() as connection:
        connection.execute(text(statement))


@pytest.mark.parametrize(
    ("seq", "amounts"),
    [(1, (100, -99)), (1, (100,)), (2, (100, -100))],
    ids=["out of balance", "one line", "a gap before it"],
)
def test_the_database_refuses_an_entry(engine: Engine, seq: int, amounts: tuple[int, ...]) -> None:
    with engine.connect() as connection:
        for line, amount in enumerate(amounts):
            connection.execute(text(f"INSERT INTO posting VALUES ({seq}, {line}, 'vault', {amount})"))
        with pytest.raises(IntegrityError, match=r"two lines|without a gap"):
            connection.execute(text(NEW_ENTRY.format(seq=seq, kind="buy_in")))


def test_the_database_refuses_postings_without_their_entry_at_the_commit(engine: Engine) -> None:
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(text("INSERT INTO posting VALUES (1, 0, 'vault', 5), (1, 1, 'wallet', -5)"))


def test_a_sound_entry_is_taken(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO posting VALUES (1, 0, 'vault', 5), (1, 1, 'wallet', -5)"))
        connection.execute(text(NEW_ENTRY.format(seq=1, kind="buy_in")))
        assert connection.execute(text("SELECT COUNT(*) FROM entry")).scalar_one() == 2


def drop_one(connection: Connection, trigger: str, table: str) -> None:
    on = f" ON {table}" if connection.dialect.name == "postgresql" else ""
    connection.execute(text(f"DROP TRIGGER {trigger}{on}"))


def test_a_trigger_that_is_gone_is_named_and_put_back_at_the_next_opening(engine: Engine) -> None:
    with engine.begin() as connection:
        assert guards.missing(connection) == ()
        drop_one(connection, "posting_no_update", "posting")
        assert guards.missing(connection) == ("posting_no_update",)
    database.upgrade(engine)
    with engine.begin() as connection:
        assert guards.missing(connection) == ()


def test_checks_that_are_gone_are_named(engine: Engine) -> None:
    gone = Row.metadata.tables["tree_node"].constraints
    checks = {str(one.name) for one in gone if isinstance(one, CheckConstraint)}
    assert len(checks) >= 2
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE tree_node"))
        assert checks < set(guards.missing(connection))


def test_a_trigger_that_says_something_else_is_put_right_and_one_that_stands_is_let_be(engine: Engine) -> None:
    weakened = {
        "sqlite": (
            "DROP TRIGGER posting_no_update",
            "CREATE TRIGGER posting_no_update BEFORE UPDATE ON posting WHEN 1 = 0 BEGIN SELECT 1; END",
        ),
        "postgresql": (
            (
                "CREATE OR REPLACE FUNCTION posting_no_update() RETURNS trigger LANGUAGE plpgsql"
                " AS $guard$ BEGIN RETURN NEW; END $guard$"
            ),
        ),
    }[engine.dialect.name]
    with engine.begin() as connection:
        for statement in weakened:
            connection.exec_driver_sql(statement)
    written: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *said: written.append(said[2]))
    database.upgrade(engine)
    assert [one for one in written if "TRIGGER" in one and "posting_no_update" not in one] == []
    with pytest.raises(IntegrityError, match="for ever"), engine.begin() as connection:
        connection.execute(text("UPDATE posting SET amount = 1 WHERE amount = 100"))
    written.clear()
    database.upgrade(engine)
    assert [one for one in written if "TRIGGER" in one] == []


def test_a_reading_connection_cannot_write(engine: Engine, migrated_url: str) -> None:
    reader = database.read_engine(migrated_url)
    with pytest.raises(DBAPIError, match="read"), reader.begin() as connection:
        connection.execute(text("INSERT INTO die VALUES ('x', NULL, 1, 'reserve', '', '', '', 1)"))
    reader.dispose()
