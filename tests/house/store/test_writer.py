"""The single writer: groups, savepoints, a bounded queue, an orderly end."""

from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import OperationalError

from house.domain.gaming_day import GamingDays
from house.store import database, records
from house.store.unit_of_work import Unit, moment
from house.store.writer import NOTES, HouseBusy, StorageFull, Writer, passes

DAYS = GamingDays("UTC", 6)
AT = moment(1_800_000_000_000_000)


@pytest.fixture
def engine(migrated_url: str) -> Iterator[Engine]:
    made = database.write_engine(migrated_url)
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


def test_two_writers_of_one_house_take_turns_and_number_without_gap(engine: Engine, migrated_url: str) -> None:
    other = database.write_engine(migrated_url)
    writers = [Writer(engine, lambda: AT, DAYS, 1000), Writer(other, lambda: AT, DAYS, 1000)]
    futures = [writer.submit(note) for _ in range(50) for writer in writers]
    assert sorted(future.result() for future in futures) == list(range(100))
    for writer in writers:
        writer.close()
    other.dispose()


@pytest.fixture
def on_postgresql(postgresql_url: str) -> Iterator[Engine]:
    made = database.write_engine(postgresql_url)
    database.upgrade(made)
    yield made
    made.dispose()


def end_backend(engine: Engine, backend: int) -> None:
    """End a connection of the server from another one, and wait until it is gone."""
    url = engine.url.render_as_string(hide_password=False)
    with psycopg.connect(url, autocommit=True) as administrator:
        administrator.execute("SELECT pg_terminate_backend(%s, 5000)", (backend,))


def backend_of(unit: Unit) -> int:
    return int(unit.connection.execute(text("SELECT pg_backend_pid()")).scalar_one())


def test_a_connection_that_the_server_ends_is_made_again_and_the_group_carried_out_once(on_postgresql: Engine) -> None:
    writer = Writer(on_postgresql, lambda: AT, DAYS, queue_limit=100)
    _, go = hold(writer)
    tries: list[int] = []

    def ended_once(unit: Unit) -> int:
        number = note(unit)
        tries.append(number)
        if len(tries) == 1:
            end_backend(on_postgresql, backend_of(unit))
        note(unit)
        return number

    futures = [writer.submit(note), writer.submit(ended_once), writer.submit(note)]
    go.set()
    assert [future.result() for future in futures] == [0, 1, 3]
    assert tries == [1, 1]  # what the ended connection wrote is gone, and its number given again
    assert (writer.done.retries, writer.done.failed) == (1, 0)
    writer.close()
    with on_postgresql.connect() as connection:
        assert records.count(connection) == 4


@pytest.mark.parametrize("went_through", [True, False], ids=["after the commit", "before it"])
def test_a_connection_lost_in_its_commit_is_asked_of_the_history(on_postgresql: Engine, went_through: bool) -> None:
    """The answer to COMMIT is lost; the next try finds whether the records stand, and does not write them twice."""
    writer = Writer(on_postgresql, lambda: AT, DAYS, queue_limit=100)
    assert writer.submit(note).result() == 0
    lost: list[int] = []
    commit = on_postgresql.dialect.do_commit

    def cut_off(connection: Any) -> None:
        if lost:
            return commit(connection)
        lost.append(1)
        if went_through:
            commit(connection)
        end_backend(on_postgresql, connection.driver_connection.info.backend_pid)
        return connection.driver_connection.execute("SELECT 1") if went_through else commit(connection)

    on_postgresql.dialect.do_commit = cut_off  # type: ignore[method-assign]
    assert [writer.submit(note).result() for _ in range(2)] == [1, 2]
    writer.close()
    assert (lost, writer.done.retries) == ([1], 1)
    with on_postgresql.connect() as connection:
        assert records.count(connection) == 3


def test_a_connection_that_is_ended_at_every_try_is_given_up(
    on_postgresql: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("house.store.writer.PAUSES_S", (0.0, 0.0))
    writer = Writer(on_postgresql, lambda: AT, DAYS, queue_limit=100)
    tries: list[int] = []

    def ended(unit: Unit) -> int:
        tries.append(note(unit))
        end_backend(on_postgresql, backend_of(unit))
        return note(unit)

    with pytest.raises(HouseBusy):
        writer.submit(ended).result()
    assert tries == [0, 0, 0]
    assert writer.submit(note).result() == 0
    writer.close()


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03"])
def test_a_conflict_is_carried_out_again(on_postgresql: Engine, code: str) -> None:
    writer = Writer(on_postgresql, lambda: AT, DAYS, queue_limit=100)
    tries: list[int] = []

    def in_conflict(unit: Unit) -> int:
        tries.append(1)
        number = note(unit)
        if len(tries) == 1:
            block = f"DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '{code}'; END $$"
            unit.connection.exec_driver_sql(block)
        return number

    assert writer.submit(in_conflict).result() == 0
    assert (len(tries), writer.done.retries) == (2, 1)
    writer.close()


def test_a_writer_that_hangs_keeps_the_others_out_for_ten_seconds_at_most(on_postgresql: Engine) -> None:
    with on_postgresql.connect() as connection:
        shown = {
            name: connection.execute(text(f"SHOW {name}")).scalar_one()
            for name in ("lock_timeout", "idle_in_transaction_session_timeout", "synchronous_commit")
        }
    assert shown == {
        "lock_timeout": "10s",
        "idle_in_transaction_session_timeout": "1min",
        "synchronous_commit": "on",
    }


def test_a_locked_sqlite_file_passes_and_a_broken_one_does_not(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'house.db'}", connect_args={"timeout": 0})
    with engine.connect() as one, engine.connect() as other:
        one.exec_driver_sql("CREATE TABLE t (a)")
        one.exec_driver_sql("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError) as locked:
            other.exec_driver_sql("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError) as wrong:
            other.exec_driver_sql("SELECT * FROM nothing")
    engine.dispose()
    assert (passes(locked.value), passes(wrong.value)) == (True, False)


def test_whoever_asks_is_told_which_records_were_written(writer: Writer) -> None:
    told: dict[str, Any] = {}
    NOTES.set(told)
    assert writer.submit(lambda unit: note(unit) + note(unit)).result() == 1
    assert told == {"records": (0, 1)}


def test_times_are_counted_by_kind_of_command(writer: Writer) -> None:
    for name in ("throw", "bet", "throw"):
        writer.submit(note, name).result()
    assert {name: sum(times.counts) for name, times in writer.done.times.items()} == {"throw": 2, "bet": 1}
    assert all(times.sum_s > 0 for times in writer.done.times.values())


def test_listeners_hear_of_every_commit_and_of_its_size(writer: Writer) -> None:
    heard: list[int] = []
    writer.listeners.append(heard.append)
    for _ in range(3):
        writer.submit(note).result()
    writer.close()
    assert heard == [1, 2, 3]
