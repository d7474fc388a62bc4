"""`floorman report sheet`, `expected`, `book`, `statement`, `mispays`: the house's reports from its database."""

import json
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from house.service import shifts, slips, wagers
from tests.house.commands.conftest import Run
from tests.house.pits import Pit

DAY = "2026-07-01"


@pytest.fixture
def database(sqlite_pit: Pit) -> str:
    """URL of a house that played and closed: 100.00 dropped, 10.00 won, one shift."""
    sqlite_pit.open_craps(opener=1_000_00)
    sqlite_pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=100_00))
    sqlite_pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
    sqlite_pit.throw(2, 3)
    sqlite_pit.do(shifts.EndShift(name="swing"))
    sqlite_pit.house.close()
    return sqlite_pit.url


@pytest.mark.parametrize("period", [DAY, "1"])
def test_a_stiff_sheet_is_a_table_a_document_and_files(run: Run, database: str, tmp_path: Path, period: str) -> None:
    files = {form: tmp_path / f"sheet.{form}" for form in ("csv", "jsonl", "html")}
    asked = [word for form, file in files.items() for word in (f"--{form}", str(file))]
    code, out, _ = run("report", "sheet", period, "--database", database, *asked, "--json")
    assert code == 0
    line, total = json.loads(out)["rows"]
    assert (line["table"], line["drop_minor"], line["win_minor"], line["hold"]) == ("c1", 100_00, 10_00, "1/10")
    assert total["table"] == "total"
    assert "1000.00" in files["csv"].read_text()
    assert "1,000.00" in files["html"].read_text()
    assert json.loads(files["jsonl"].read_text().splitlines()[1]) == line
    code, out, _ = run("report", "sheet", period, "--database", database)
    assert (code, "10.00 %" in out, "Root" in out) == (0, True, True)


def test_expected_win_book_and_statement(run: Run, database: str) -> None:
    code, out, _ = run("report", "expected", DAY, "--database", database, "--json")
    facts = json.loads(out)["facts"]
    # The field of double-odds pays 2 to 1 on 2 and 12: it costs 1/18 of 10.00.
    assert (code, facts["Wagers decided (n)"], facts["Theoretical win"]) == (0, "1", "0.56 (exactly 500/9 minor units)")
    told = run("report", "expected", DAY, "--database", database)[1]
    assert "Theoretical win: 0.56\n" in told
    code, out, _ = run("report", "book", DAY, "--database", database, "--json")
    assert sum(row["amount_minor"] for row in json.loads(out)["rows"]) == 0
    code, out, _ = run("report", "statement", "ann", DAY, DAY, "--database", database, "--json")
    assert json.loads(out)["facts"]["Wallet and riding after"] == "10090.00"


def test_a_mispay_is_a_bad_answer(run: Run, database: str) -> None:
    assert run("report", "mispays", "--database", database)[0] == 0
    engine = create_engine(database)
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER settlement_no_update"))
        connection.execute(text("UPDATE settlement SET lost = 900 WHERE lost = 1000"))
    engine.dispose()
    code, out, _ = run("report", "mispays", "--database", database, "--json")
    assert (code, bool(json.loads(out)["rows"])) == (1, True)


@pytest.mark.parametrize("asked", [["sheet", "2026-7-1"], ["sheet", "99"], ["statement", "nobody", DAY, DAY]])
def test_what_is_not_there_is_said(run: Run, database: str, asked: list[str]) -> None:
    code, _, err = run("report", *asked, "--database", database)
    assert (code, err.startswith("floorman: ")) == (2, True)
