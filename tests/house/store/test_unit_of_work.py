"""The single writer: groups, savepoints, a bounded queue, an orderly end."""

from collections.abc import Iterator
from concurrent.futures import Future, wait
from threading import Event

import pytest
from sqlalchemy import Engine, event, text

from house.domain.gaming_day import GamingDays
from house.store import database, records
from house.store.unit_of_work import HouseBusy, StorageFull, Unit, Writer, moment, uuid7

DAYS = GamingDays("UTC", 6)
AT = moment(1_800_000_000_000_000)


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    made = database.write_engine(database_url)
    database.upgrade(made)
    yield made
    made.dispose()


@pytest.fixture
def writer(engine: Engine) -> Iterator[Writer]:
    made = Writer(engine, lambda: AT, DAYS, queue_limit=100)
    yield made
    made.close()


def note(unit: Unit) -> int:
    with unit.savepoint():
        return records.append(unit, "note", None, {})


def fail(unit: Unit) -> int:
    with unit.savepoint():
        records.append(unit, "note", None, {})
        raise ZeroDivisionError


def hold(writer: Writer) -> tuple["Future[None]", Event]:
    """Keep the writer busy until the event is set."""
    go = Event()
    return writer.submit(lambda _: go.wait(10) and None), go


def test_what_waits_is_committed_as_one_group_and_numbered_in_order(writer: Writer, engine: Engine) -> None:
    commits: list[int] = []
    event.listen(engine, "commit", lambda _: commits.append(1))
    first, go = hold(writer)
    futures = [writer.submit(note) for _ in range(40)]
    go.set()
    wait([first, *futures])
    assert [future.result() for future in futures] == list(range(40))
    assert len(commits) <= 3  # the one that held, and what came behind it


def test_a_command_that_fails_leaves_no_gap_and_no_trace_while_its_group_goes_on(
    writer: Writer, engine: Engine
) -> None:
    _, go = hold(writer)
    futures = [writer.submit(work) for work in (note, fail, note)]
    go.set()
    assert futures[0].result() == 0
    with pytest.raises(ZeroDivisionError):
        futures[1].result()
    assert futures[2].result() == 1
    with engine.connect() as connection:
        assert records.count(connection) == 2


def test_an_answer_comes_after_its_commit(writer: Writer, engine: Engine) -> None:
    number = writer.submit(note).result()
    reader = database.read_engine(engine.url.render_as_string(hide_password=False))
    with reader.connect() as other:
        assert other.execute(text("SELECT MAX(number) FROM record")).scalar_one() == number
    reader.dispose()


def test_a_full_queue_refuses_at_once_and_recovers(engine: Engine) -> None:
    writer = Writer(engine, lambda: AT, DAYS, queue_limit=3)
    first, go = hold(writer)
    while writer.waiting:
        pass
    taken = [writer.submit(note) for _ in range(3)]
    with pytest.raises(HouseBusy):
        writer.submit(note)
    go.set()
    wait([first, *taken])
    assert writer.submit(note).result() == 3
    writer.close()


def test_closing_finishes_what_was_taken_and_refuses_the_rest(engine: Engine) -> None:
    writer = Writer(engine, lambda: AT, DAYS, queue_limit=100)
    _, go = hold(writer)
    futures = [writer.submit(note) for _ in range(70)]
    go.set()
    writer.close()
    assert [future.result() for future in futures] == list(range(70))
    with pytest.raises(HouseBusy):
        writer.submit(note)


def test_a_database_that_is_full_fails_the_group_as_a_whole_and_heals(tmp_path_factory: pytest.TempPathFactory) -> None:
    engine = database.write_engine(f"sqlite:///{tmp_path_factory.mktemp('full') / 'house.db'}")
    database.upgrade(engine)
    limit: list[int] = []

    def bound(connection: object, *_: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]
        cursor.execute(f"PRAGMA max_page_count = {limit[0] if limit else 2**30}")

    event.listen(engine, "checkout", bound)
    writer = Writer(engine, lambda: AT, DAYS, queue_limit=100)

    def large(unit: Unit) -> int:
        with unit.savepoint():
            return records.append(unit, "note", None, {"text": "x" * 2_000_000})

    writer.submit(note).result()
    limit.append(1)
    _, go = hold(writer)
    group = [writer.submit(note), writer.submit(large)]
    go.set()
    for future in group:
        with pytest.raises(StorageFull):
            future.result()
    limit.clear()
    assert writer.submit(note).result() == 1
    writer.close()
    engine.dispose()


def test_two_writers_of_one_house_take_turns_and_number_without_gap(engine: Engine, database_url: str) -> None:
    other = database.write_engine(database_url)
    writers = [Writer(engine, lambda: AT, DAYS, 1000), Writer(other, lambda: AT, DAYS, 1000)]
    futures = [writer.submit(note) for _ in range(50) for writer in writers]
    assert sorted(future.result() for future in futures) == list(range(100))
    for writer in writers:
        writer.close()
    other.dispose()


def test_ids_of_entries_are_version_seven_and_sort_by_time() -> None:
    ids = [uuid7(moment(AT_MS * 1000)) for AT_MS in range(10**12, 10**12 + 50)]
    assert ids == sorted(ids)
    assert {one[14] for one in ids} == {"7"}
    assert {one[19] for one in ids} <= set("89ab")
    assert {len(one) for one in ids} == {36}


def test_a_connection_that_the_server_ends_is_made_again_and_what_it_held_is_not_done(postgresql_url: str) -> None:
    engine = database.write_engine(postgresql_url)
    database.upgrade(engine)
    other = database.read_engine(postgresql_url)
    writer = Writer(engine, lambda: AT, DAYS, queue_limit=100)

    def ended(unit: Unit) -> int:
        number = note(unit)
        own = unit.connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with other.connect() as administrator:
            administrator.execute(text("SELECT pg_terminate_backend(:own)"), {"own": own})
        return number + note(unit)

    assert writer.submit(note).result() == 0
    with pytest.raises(HouseBusy):
        writer.submit(ended).result()
    assert writer.submit(note).result() == 1  # what the ended connection wrote is gone
    writer.close()
    other.dispose()
    engine.dispose()
