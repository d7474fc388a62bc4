"""Bugs of public logs and audit trails (part B of the service's case list), as far as the bank and its throw log go."""

import csv
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError

from house.domain.refusals import Refusal, Refused
from house.service import cage, reports, surveillance, wagers
from house.service.desk import House, inspect_house, open_house, submit
from house.service.throws import Throw, Thrown
from house.store import database
from tests.house.pits import Pit
from tests.house.tampering import edit

FIELD = wagers.Bet(player="ann", bet="field", stake_minor=15_00)


def tampered(pit: Pit, *statements: str) -> House:
    """Close the house, edit its file as someone with the file would, and open it to be inspected."""
    pit.house.close()
    edit(pit.url, *statements)
    pit.house = inspect_house(pit.url)
    return pit.house


def played(pit: Pit) -> None:
    pit.open_craps()
    for faces in ((4, 5), (1, 2), (3, 3), (2, 5)):
        pit.bet(FIELD)
        pit.throw(*faces)


def test_b03_throws_and_bets_from_many_threads_leave_no_gap_and_no_false_alarm(pit: Pit) -> None:
    pit.open_craps()
    commands = [
        (Throw(table="c1", dice=(Thrown(die="c1-d0", face=1), Thrown(die="c1-d1", face=3))), f"throw-{number}")
        for number in range(32)
    ]
    futures = [submit(pit.house, command, key) for command, key in commands]
    assert sorted(future.result().answer.throw for future in futures) == list(range(32))
    assert reports.check(pit.house).discrepancies == ()


PAYS, LOGGED = "a settlement is what its schedule pays", "a throw is logged as it was recorded"
EDITS = {
    "a face": ("UPDATE throw_die SET face = 6 WHERE number = 1 AND slot = 0", LOGGED),
    "a face in the record": (
        """UPDATE record SET body = replace(body, '"faces":[1,2]', '"faces":[1,1]') WHERE kind = 'throw'""",
        PAYS,
    ),
    "a payment": ("UPDATE settlement SET winnings = winnings + 1 WHERE winnings > 0", PAYS),
    "a stake in the record": (
        """UPDATE record SET body = replace(body, '"stake":1500', '"stake":1600') WHERE kind = 'bet'""",
        PAYS,
    ),
    "a throw that is gone": (
        "DELETE FROM throw_die WHERE number = 3; DELETE FROM throw WHERE number = 3",
        "throws of a table are numbered without a gap",
    ),
    "a record that is gone": ("DELETE FROM record WHERE number = 9", "records are numbered without a gap"),
    "a settlement that is gone": (
        "DELETE FROM settlement WHERE record = (SELECT MAX(record) FROM settlement)",
        PAYS,
    ),
    "a record that no engine understands": (
        "UPDATE record SET body = replace(body, 'faces', 'fates') WHERE kind = 'throw'",
        "a record can be played again",
    ),
    "a wallet": (
        "UPDATE account SET balance = balance - 100 WHERE name = 'player:ann:wallet'",
        "a balance is the sum of its postings",
    ),
    "the state": (
        """UPDATE gaming_table SET state = replace(state, '"hand":2', '"hand":3')""",
        "the state is what the records make it",
    ),
    "money moved between accounts in pairs": (
        """UPDATE posting SET amount = amount + 5 WHERE seq = 8 AND line = 0;
        UPDATE posting SET amount = amount - 5 WHERE seq = 8 AND line = 1""",
        "an entry books its settlement",
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_b10_an_edit_of_the_file_is_found_by_deriving_everything_again(sqlite_pit: Pit, what: str) -> None:
    played(sqlite_pit)
    assert reports.check(sqlite_pit.house).discrepancies == ()
    statements, invariant = EDITS[what]
    house = tampered(sqlite_pit, *statements.split(";"))
    assert invariant in {one.invariant for one in reports.check(house).discrepancies}


def engine_of(pit: Pit) -> Engine:
    return database.write_engine(pit.url)


def test_b06_insert_or_replace_does_not_pass_the_triggers(sqlite_pit: Pit) -> None:
    played(sqlite_pit)
    engine = engine_of(sqlite_pit)
    replace = text("INSERT OR REPLACE INTO throw_die VALUES ('c1', 0, 0, 'c1-d0', 6, 'ok')")
    with pytest.raises(IntegrityError, match="for ever"), engine.begin() as connection:
        connection.execute(replace)
    engine.dispose()


def test_b06_every_connection_says_that_its_triggers_recurse(sqlite_pit: Pit) -> None:
    engine = engine_of(sqlite_pit)
    with engine.connect() as connection:
        found = [
            connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("recursive_triggers", "foreign_keys")
        ]
    engine.dispose()
    assert found == [1, 1]


def test_b07_a_table_that_is_rebuilt_gets_its_triggers_back_and_a_lost_check_is_named(sqlite_pit: Pit) -> None:
    sqlite_pit.house.close()
    engine = create_engine(sqlite_pit.url)
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE copied AS SELECT * FROM throw_die"))
        connection.execute(text("DROP TABLE throw_die"))
        connection.execute(text("ALTER TABLE copied RENAME TO throw_die"))
    engine.dispose()
    with pytest.raises(AssertionError, match="ck_throw_die_face_of_a_die"):
        open_house(sqlite_pit.url)


def test_b18_a_clock_that_steps_back_refuses_nothing_and_the_order_is_by_number(pit: Pit) -> None:
    pit.open_craps()
    pit.throw(1, 3)
    pit.clock.now -= timedelta(hours=1)
    pit.throw(2, 3)
    pit.clock.now += timedelta(days=1)
    pit.throw(2, 6)
    rows = surveillance.throws(pit.house, "c1")
    assert [row.throw for row in rows] == [0, 0, 1, 1, 2, 2]
    assert rows[2].at < rows[0].at < rows[4].at
    assert reports.check(pit.house).discrepancies == ()


def test_b22_no_cell_of_an_export_can_be_a_formula(sqlite_pit: Pit, tmp_path: Path) -> None:
    sqlite_pit.open_craps()
    for bad in ("=HYPERLINK(1)", "+1", "-1", "@x", "\tx", "\rx"):
        command = Throw(table="c1", dice=(Thrown(die="c1-d0", face=1), Thrown(die="c1-d1", face=3)), shooter=bad)
        with pytest.raises(Refused) as refused:
            sqlite_pit.do(command)
        assert refused.value.refusal is Refusal.NOT_YOUR_TURN
        with pytest.raises(Refused) as named:
            sqlite_pit.do(cage.RegisterPlayer(player=bad, name=bad))
        assert named.value.refusal is Refusal.BAD_VALUE
    sqlite_pit.throw(1, 3)
    assert surveillance.export(sqlite_pit.house, tmp_path / "log.csv") == 2
    with (tmp_path / "log.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_b16_a_record_has_one_form_without_floats(sqlite_pit: Pit) -> None:
    played(sqlite_pit)
    commits: list[str] = []
    event.listen(sqlite_pit.house._write_engine, "commit", lambda _: commits.append("commit"))
    with sqlite_pit.house.read() as connection:
        bodies = connection.execute(text("SELECT body FROM record ORDER BY number")).scalars().all()
    assert len(bodies) > 10
    for body in bodies:
        value = json.loads(body, parse_float=lambda number: pytest.fail(f"a float: {number}"))
        assert json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False) == body
    assert commits == []


def test_d05_the_gaming_day_is_stored_on_each_row_by_zone_and_cut_over(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.house.close()
    sqlite_pit.house = open_house(sqlite_pit.url, clock=sqlite_pit.clock, zone="America/New_York", cut_over_hour=6)
    days = []
    # 6:00 in New York is 11:00 UTC in winter and 10:00 UTC after the clocks went forward on 8 March 2026.
    for now in ("2026-03-07T10:59:00", "2026-03-07T11:00:00", "2026-03-08T09:59:00", "2026-03-08T10:00:00"):
        sqlite_pit.clock.now = datetime.fromisoformat(now).replace(tzinfo=UTC)
        sqlite_pit.throw(1, 3)
        days.append(surveillance.throws(sqlite_pit.house, "c1")[-1].gaming_day)
    assert days == ["2026-03-06", "2026-03-07", "2026-03-07", "2026-03-08"]
