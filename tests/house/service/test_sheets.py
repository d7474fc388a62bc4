"""Shifts, stiff sheets, theoretical win, the day's book, statements, the mispay audit, and papers of them."""

import csv
import json
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from io import StringIO
from math import comb
from typing import Any

import pytest
from sqlalchemy import text

from house.api.deps import shown
from house.api.schemas.shifts import StiffSheet
from house.domain.refusals import Refusal, Refused
from house.domain.slips import SlipKind
from house.service import (
    adjustments,
    books,
    cage,
    corrections,
    expected,
    markers,
    papers,
    reports,
    sheets,
    shifts,
    slips,
    tables,
    wagers,
)
from house.service.papers import Form
from tests.house.pits import Pit

SEVEN = wagers.Bet(player="ann", bet="any_seven", stake_minor=10_00)


def played(pit: Pit, rounds: int = 6) -> None:
    """Let ann and bob bet on any seven, which wins in every sixth round."""
    for number in range(rounds):
        pit.bet(SEVEN, replace(SEVEN, player="bob", stake_minor=30_00))
        pit.throw(*((3, 4) if number == 5 else (1, 3)))


def test_a_shift_begins_where_the_one_before_ended(pit: Pit) -> None:
    pit.open_craps(opener=1_000_00)
    pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=200_00))
    pit.bet(SEVEN)
    pit.throw(1, 3)
    counted = shifts.RackCount(table="c1", counted_minor=809_00)
    ended = pit.do(shifts.EndShift(name="day", counts=(counted,)))
    assert ended.counts[0].difference_minor == -1_00
    pit.do(slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=50_00))
    pit.bet(SEVEN)
    pit.throw(1, 3)
    pit.do(tables.CloseTable(table="c1"))
    first, second = (sheets.sheet_of_shift(pit.house, number) for number in (1, 2))
    (one,), (two,) = first.lines, second.lines
    # opener, fills, credits, drop, closer, win: 1,000 - 200 dropped + 10 won = 810; then + 50 filled + 10 won = 870.
    names = ("opener_minor", "fills_minor", "credits_minor", "drop_minor", "closer_minor", "win_minor")
    assert [getattr(one, name) for name in names] == [1_000_00, 0, 0, 200_00, 810_00, 10_00]
    assert [getattr(two, name) for name in names] == [810_00, 50_00, 0, 0, 870_00, 10_00]
    assert (one.hold, two.hold, one.counted_minor) == (Fraction(1, 20), None, 809_00)
    with pytest.raises(Refused) as unknown:
        sheets.sheet_of_shift(pit.house, 3)
    assert unknown.value.refusal is Refusal.NOT_FOUND
    assert reports.check(pit.house).discrepancies == ()


def test_a_gaming_day_has_a_sheet_of_its_own_and_the_days_add_up(pit: Pit) -> None:
    pit.open_craps("c1", opener=1_000_00)
    pit.open_craps("c2", opener=500_00)
    played(pit)
    pit.clock.now += timedelta(days=1)
    played(pit, 2)
    pit.do(tables.CloseTable(table="c1"))
    days = [sheets.sheet_of_day(pit.house, day) for day in ("2026-07-01", "2026-07-02")]
    # Six rounds of 40.00: five lost, one paid 4 to 1: 200 - 160 = 40.00. Two more lost: 80.00.
    assert [[line.win_minor for line in day.lines] for day in days] == [[40_00, 0], [80_00, 0]]
    assert [day.total.win_minor for day in days] == [40_00, 80_00]
    assert days[1].lines[0].opener_minor == days[0].lines[0].closer_minor == 1_040_00
    (alone,) = sheets.sheet_of_day(pit.house, "2026-07-02", "c1").lines
    assert (alone, alone.closer_minor) == (days[1].lines[0], 1_120_00)
    with pytest.raises(Refused):
        sheets.sheet_of_day(pit.house, "2026-7-1")


def test_an_evening_worked_by_hand_comes_out_so_on_its_sheet(pit: Pit) -> None:
    # Rack, in dollars: opener 1,000; ann buys in 200 in cash -> 800; bob takes a marker of 100 -> 700; fill 1 of 300
    # -> 1,000; fill 2 of 50 is void; credit of 100 -> 900; ann loses 40 on any seven -> 940; the dealers win 4 to 1
    # on a toke of 10 -> 900; ann wins 30 on a field of 15 by a two, which was a seven: she loses 15 instead -> 915.
    # Win = 915 + 100 + (200 + 100) - 1,000 - 300 = 15 = 40 - 40 + 15; hold = 15 / 300 = 1/20. The box is 5 short, and
    # a dispute costs 7: neither is on the table's win.
    pit.open_craps(opener=1_000_00)
    pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=200_00))
    pit.do(markers.SetCreditLine(player="bob", line_minor=100_00))
    pit.do(markers.IssueMarker(player="bob", amount_minor=100_00, table="c1"))
    for kind, amount in ((SlipKind.FILL, 300_00), (SlipKind.FILL, 50_00), (SlipKind.CREDIT, 100_00)):
        pit.do(slips.WriteSlip(kind=kind, table="c1", amount_minor=amount))
    pit.do(slips.VoidSlip(kind=SlipKind.FILL, number=2, reason="wrong table"))
    pit.bet(replace(SEVEN, stake_minor=40_00))
    pit.throw(1, 3)
    pit.bet(replace(SEVEN, player="bob", toke=True))
    pit.throw(3, 4)
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=15_00))
    pit.throw(1, 1)
    seven = (corrections.Shown(face=3), corrections.Shown(face=4))
    pit.do(corrections.CorrectThrow(table="c1", throw=2, dice=seven, reason=corrections.Reason.MISREAD))
    why: dict[str, Any] = {"direction": adjustments.Direction.TO_PLAYER, "cause": adjustments.Cause.DISPUTE}
    pit.do(adjustments.Adjust(player="bob", amount_minor=7_00, table="c1", throw=0, **why))
    pit.do(slips.CountDrop(table="c1", counted_minor=195_00))
    pit.do(tables.CloseTable(table="c1"))
    (line,) = sheets.sheet_of_shift(pit.house, 1).lines
    in_rack = (line.opener_minor, line.fills_minor, line.credits_minor, line.closer_minor)
    assert in_rack == (1_000_00, 300_00, 100_00, 915_00)
    assert (line.drop_minor, line.markers_minor, line.variance_minor) == (300_00, 100_00, -5_00)
    assert (line.win_minor, line.hold) == (15_00, Fraction(1, 20))
    accounts = {one.account: one.balance_minor for one in reports.trial_balance(pit.house).accounts}
    assert (accounts["house:win"], accounts["house:variance"], accounts["house:adjustments"]) == (15_00, -5_00, -7_00)
    # The vault began with 1,000,000; to it came the win, from it went what the box was short of, the dispute, and the
    # chips of the marker, which bob owes.
    assert accounts["cage:vault"] == 1_000_000_00 + 15_00 - 5_00 - 7_00 - 100_00
    assert reports.check(pit.house).discrepancies == ()


def test_the_sheet_of_a_quiet_shift_stays_as_it_was_when_its_tables_close(pit: Pit) -> None:
    pit.open_craps("c1", opener=1_000_00)
    pit.open_craps("c2", opener=500_00)
    pit.do(shifts.EndShift(name="day"))
    pit.do(shifts.EndShift(name="swing"))
    before = sheets.sheet_of_shift(pit.house, 2)
    pit.clock.now += timedelta(days=2)
    pit.do(tables.CloseTable(table="c1"))
    after = sheets.sheet_of_shift(pit.house, 2)
    assert (after.lines, after.total) == (before.lines, before.total)
    assert (after.total.opener_minor, after.total.closer_minor) == (1_500_00, 1_500_00)
    quiet = sheets.sheet_of_day(pit.house, "2026-07-02")  # and so on the day between, on which nothing was booked
    assert [(line.table, line.opener_minor, line.closer_minor) for line in quiet.lines] == [
        ("c1", 1_000_00, 1_000_00),
        ("c2", 500_00, 500_00),
    ]


def test_racks_are_counted_once_at_open_tables(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    one = shifts.RackCount(table="c1", counted_minor=1)
    for counts, due in (((one, one), Refusal.BAD_VALUE), ((replace(one, table="x"),), Refusal.NOT_FOUND)):
        with pytest.raises(Refused) as no:
            sqlite_pit.do(shifts.EndShift(name="day", counts=counts))
        assert no.value.refusal is due
    assert shifts.shifts(sqlite_pit.house) == ()


def test_theoretical_win_is_judged_by_the_exact_law_of_what_was_decided(sqlite_pit: Pit) -> None:
    # Any seven at 4 to 1 costs a sixth: of 6 rounds of 40.00 the house expects 40.00. Wins go with the binomial law of
    # 6 throws at 1/6 each: with k sevens it wins (6 - k) 40 - k 160 = 240 - 200 k.
    sqlite_pit.open_craps()
    played(sqlite_pit)
    found = expected.expected_of_day(sqlite_pit.house, "2026-07-01")
    assert (found.wagers, found.handle_minor) == (12, 240_00)
    assert (found.theoretical_minor, found.actual_minor) == (Fraction(40_00), 40_00)
    at_most = {240_00 - 200_00 * k: sum(_sevens(j) for j in range(k, 7)) for k in range(7)}
    for probability, low, high in found.limits:
        due = min(amount for amount, chance in at_most.items() if chance >= probability)
        assert (low, high) == (due, due)
    assert found.verdict == "inside"
    assert found.left_out == ()


def test_a_day_is_judged_by_the_gaming_days_of_its_records_though_the_clock_went_back(pit: Pit) -> None:
    # Two rounds of 40.00 on the 2nd, three on the 1st after the clock was set back, two on the 2nd again; a seven pays
    # the fourth of them. The house expects a sixth of what was bet, and what a day won is what its stiff sheet says.
    pit.open_craps()
    first, second = pit.clock.now, pit.clock.now + timedelta(days=1)
    for now, faces in ((second, [(1, 3)] * 2), (first, [(1, 3), (3, 4), (1, 3)]), (second, [(1, 3)] * 2)):
        pit.clock.now = now
        for thrown in faces:
            pit.bet(SEVEN, replace(SEVEN, player="bob", stake_minor=30_00))
            pit.throw(*thrown)
    days = ("2026-07-01", "2026-07-02", "2026-07-03")
    found = [expected.expected_of_day(pit.house, day) for day in days]
    assert [(one.wagers, one.handle_minor) for one in found] == [(6, 120_00), (8, 160_00), (0, 0)]
    assert [one.theoretical_minor for one in found] == [20_00, Fraction(160_00, 6), 0]
    assert [one.actual_minor for one in found] == [80_00 - 160_00, 160_00, 0]
    assert [sheets.sheet_of_day(pit.house, day).total.win_minor for day in days] == [-80_00, 160_00, 0]


def _sevens(count: int) -> float:
    return comb(6, count) * 5 ** (6 - count) / 6**6


def test_a_table_that_wins_too_much_is_said_to_be_outside(sqlite_pit: Pit) -> None:
    # 40 passes of any seven without a seven have a chance of (5/6)^40 = 0.07 %: beyond the 99.5 % limit.
    sqlite_pit.open_craps()
    for _ in range(40):
        sqlite_pit.bet(SEVEN)
        sqlite_pit.throw(1, 3)
    assert expected.expected_of_shift(sqlite_pit.house, 1, "c1").verdict == "outside 99 %"


def test_the_days_book_has_every_line_and_a_statement_those_of_one_player(pit: Pit) -> None:
    pit.open_craps()
    played(pit, 2)
    book = books.day_book(pit.house, "2026-07-01")
    assert sum(line.amount_minor for line in book.lines) == 0
    assert len({line.seq for line in book.lines}) == reports.trial_balance(pit.house).entries
    (part,) = {line.seq for line in books.day_book(pit.house, "2026-07-01", after=0, limit=1).lines}
    assert part == 1
    found = books.statement(pit.house, "bob", "2026-07-01", "2026-07-01")
    assert (found.before_minor, found.after_minor) == (0, 10_000_00 - 60_00)
    assert {line.account for line in found.lines} == {"player:bob:wallet", "player:bob:riding"}
    later = books.statement(pit.house, "bob", "2026-07-02", "2026-07-31")
    assert (later.before_minor, later.after_minor, later.lines) == (10_000_00 - 60_00, 10_000_00 - 60_00, ())


def test_the_mispay_audit_names_the_record_and_the_money(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    played(sqlite_pit)
    assert books.mispays(sqlite_pit.house).differences == ()
    with sqlite_pit.house._write_engine.begin() as connection:
        connection.execute(text("DROP TRIGGER settlement_no_update"))
        (record,) = connection.execute(text("SELECT record FROM settlement WHERE winnings = 12000")).scalars()
        connection.execute(text("UPDATE settlement SET winnings = 12500 WHERE winnings = 12000"))
    wrong = books.mispays(sqlite_pit.house).differences
    assert [(one.record, one.overpaid_minor) for one in wrong if one.record is not None] == [(record, 5_00)]


def any_paper(pit: Pit) -> papers.Paper:
    return papers.sheet(sheets.sheet_of_shift(pit.house, 1))


def test_b22_a_report_as_csv_has_no_cell_that_is_a_formula(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(SEVEN)
    sqlite_pit.throw(3, 4)
    paper = any_paper(sqlite_pit)
    evil = replace(paper, rows=(*paper.rows, ("=HYPERLINK(1)", *paper.rows[0][1:])), facts=(("@x", "+1"),))
    rows = list(csv.reader(StringIO(papers.as_csv(evil), newline="")))
    assert not [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert rows[1][7] == "(40.00)"  # the house lost 40.00: below 0 in brackets
    assert "'=HYPERLINK(1)" in rows[3][0]


def test_a_report_as_json_lines_keeps_whole_minor_units_and_exact_fractions(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=30_00))
    sqlite_pit.bet(SEVEN)
    sqlite_pit.throw(1, 3)
    head, line, total = map(json.loads, papers.as_jsonl(any_paper(sqlite_pit)).splitlines())
    assert (line["table"], line["win_minor"], line["hold"], line["hold_decimal"]) == ("c1", 10_00, "1/3", 1 / 3)
    assert (total["table"], head["made"]["note"]) == ("total", None)


def test_a_report_as_a_page_escapes_what_it_shows(sqlite_pit: Pit) -> None:
    sqlite_pit.do(shifts.EndShift(name="<script>alert(1)</script>"))
    page = papers.WRITERS[Form.HTML][1](any_paper(sqlite_pit))
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_what_went_through_a_table_in_a_day_is_told_though_no_amount_may_be_so_large(pit: Pit) -> None:
    much = 2**51
    pit.do(cage.FundHouse(amount_minor=much))
    pit.open_craps(opener=much)
    for player in ("ann", "bob", "ann", "bob"):
        pit.do(slips.TableBuyIn(table="c1", player=player, amount_minor=much))
        pit.do(slips.CountDrop(table="c1", counted_minor=much))
        pit.do(slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=much))
        pit.do(cage.CashOut(player=player, amount_minor=much))
    made = sheets.sheet_of_day(pit.house, pit.house.gaming_day())
    answered = shown(StiffSheet, made)
    assert (answered.total.drop_minor, answered.total.fills_minor, answered.total.win_minor) == (2**53, 2**53, 0)
    assert str(2**53) in papers.as_jsonl(papers.sheet(made))
