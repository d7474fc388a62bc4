"""The sheet of a schedule: its figures hang together, and its three writings say the same."""

import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import pytest

from payouts.craps.edges import edges
from payouts.craps.terms import CrapsSchedule
from payouts.hold import Interval, limits_of_hold
from payouts.hooligan.percentages import figures
from payouts.hooligan.players import Player
from payouts.hooligan.schedule import HooliganSchedule
from payouts.par import par_sheet
from payouts.par.document import Column, Kind, Sheet, Table
from payouts.par.hooligan import house_game
from payouts.par.writing import as_html, as_json, as_text, shown
from payouts.ruin import bank_for_ruin
from payouts.schedule import load, shipped, shipped_names


@pytest.fixture(scope="module")
def strip() -> CrapsSchedule:
    schedule = load(shipped("craps", "strip-345x"))
    assert isinstance(schedule, CrapsSchedule)
    return schedule


@pytest.fixture(scope="module")
def craps(strip: CrapsSchedule) -> Sheet:
    return par_sheet(strip, games=(100, 1000), ruin_chances=(0.01,))


@pytest.fixture(scope="module")
def trade() -> HooliganSchedule:
    schedule = load(shipped("hooligan", "bar-trade"))
    assert isinstance(schedule, HooliganSchedule)
    return schedule


@pytest.fixture(scope="module")
def hooligan(trade: HooliganSchedule) -> Sheet:
    return par_sheet(trade, games=(100, 1000))


@pytest.fixture(scope="module", params=["craps", "hooligan"])
def sheet(request: pytest.FixtureRequest) -> Sheet:
    return request.getfixturevalue(request.param)


def table(sheet: Sheet, key: str) -> Table:
    return next(table for table in sheet.tables if table.key == key)


def rows(sheet: Sheet, key: str) -> list[dict[str, Any]]:
    found = table(sheet, key)
    return [dict(zip((column.key for column in found.columns), row, strict=True)) for row in found.rows]


def test_every_bet_and_every_edge_is_that_of_the_exact_rows(craps: Sheet, strip: CrapsSchedule) -> None:
    exact = {f"{row.bet} {row.variant}".strip(): row for row in edges(strip)}
    assert {row["bet"]: row["edge_made"] for row in rows(craps, "bets")} == {
        name: row.edge_made for name, row in exact.items()
    }
    assert rows(craps, "bets")[0]["edge_made"] == Fraction(7, 495)
    assert rows(craps, "bets")[0]["expected_throws"] == Fraction(557, 165)


def test_contributions_of_every_bet_add_up_to_its_edge(craps: Sheet) -> None:
    for bet in rows(craps, "bets"):
        of_bet = [row for row in rows(craps, "prices") if row["bet"] == bet["bet"]]
        assert sum(row["contribution"] for row in of_bet) == bet["edge_made"]
        assert sum(row["chance"] for row in of_bet) == 1


def test_ways_are_out_of_thirty_six_for_bets_of_one_throw_alone(craps: Sheet) -> None:
    field = {row["net"]: row["ways"] for row in rows(craps, "prices") if row["bet"] == "field"}
    assert sorted(field.values()) == [1, 1, 14, 20]
    assert sum(field.values()) == 36
    assert {row["ways"] for row in rows(craps, "prices") if row["bet"] == "pass"} == {None}


def test_line_bets_are_told_for_players_with_and_without_odds(craps: Sheet) -> None:
    """Reference table: 7/495 flat, 7/825 at single odds, 7/1870 at 3-4-5x."""
    told = {row["player"]: row["element_of_risk"] for row in rows(craps, "players")}
    assert told["pass, flat"] == Fraction(7, 495)
    assert told["pass, single odds"] == Fraction(7, 825)
    assert told["pass, full odds"] == Fraction(7, 1870)
    assert told["dont_pass, full odds"] == Fraction(3, 1100)


@pytest.mark.parametrize(
    ("bet", "price", "higher", "edge"),
    [
        ("hop 1-2", "15 to 1", "16 to 1", Fraction(1, 18)),
        ("place 6", "7 to 6", "8 to 6", -Fraction(2, 33)),
        ("pass", "1 to 1", "2 to 1", Fraction(7, 495) - Fraction(244, 495)),
    ],
)
def test_a_price_one_step_higher_moves_the_edge_by_its_chance(
    craps: Sheet, bet: str, price: str, higher: str, edge: Fraction
) -> None:
    """Hop easy at 16 to 1 is 1/18 by the reference table; place 6 at 8 to 6: (6 - 5 x 8/6) / 11."""
    row = next(row for row in rows(craps, "sensitivity") if row["bet"] == bet)
    assert (row["price"], row["higher"], row["edge_then"]) == (price, higher, edge)


def test_the_edge_of_a_composite_moves_by_the_share_of_its_parts(craps: Sheet) -> None:
    """Horn: 31 instead of 30 to 1 on the 2 for a quarter of the stake gives back 1/4 x 1/36."""
    row = next(row for row in rows(craps, "sensitivity") if row["bet"] == "horn" and row["part"] == "2")
    assert row["moves"] == -Fraction(1, 144)


def test_limits_and_banks_of_craps_are_those_of_one_bet(craps: Sheet) -> None:
    law = {1500: Fraction(251, 495), -1500: Fraction(244, 495)}
    limits = dict(limits_of_hold(law, [1000])[0].limits)
    hold = next(row for row in rows(craps, "hold") if row["bet"] == "pass")
    assert hold["hold_1000_0.005"] == (limits[0.005].low / 1_500_000, limits[0.005].high / 1_500_000)
    bank = next(row for row in rows(craps, "ruin") if row["bet"] == "pass")
    assert bank["bank_0.01"] == bank_for_ruin(law, 0.01)


def test_percentages_by_player_are_those_of_the_solver(hooligan: Sheet, trade: HooliganSchedule) -> None:
    told = {row["player"]: row["house_edge"] for row in rows(hooligan, "players")}
    assert told == {player.value: figures(trade, player).house_edge for player in Player}


def test_bands_of_every_player_cost_what_the_house_does_not_keep(hooligan: Sheet) -> None:
    for row in rows(hooligan, "players"):
        bands = rows(hooligan, f"bands_{row['player']}")
        assert sum(band["contribution"] for band in bands) == pytest.approx(1 - row["house_edge"], abs=1e-12)
        assert sum(band["chance"] for band in bands) == pytest.approx(1, abs=1e-12)
        assert sum(band["share"] for band in bands) == pytest.approx(1, abs=1e-12)


def test_a_payout_in_trade_costs_the_house_its_share(trade: HooliganSchedule) -> None:
    game = house_game(trade, figures(trade))
    assert trade.trade_cost != 1
    assert sum(game.law.values()) == 1
    assert float(game.edge) == pytest.approx(figures(trade).house_edge, abs=1e-12)
    assert max(game.law) == trade.stake_minor * game.scale


def test_one_unit_more_costs_at_least_its_chance_and_one_less_saves_at_most_it(
    hooligan: Sheet, trade: HooliganSchedule
) -> None:
    """The best player's return is convex in the payouts: the chord above lies over the tangent, that below under it."""
    unit = int(Fraction(re.findall(r"[0-9.]+", table(hooligan, "sensitivity").title)[0]) * 100)
    for row, band in zip(rows(hooligan, "sensitivity"), figures(trade).bands, strict=True):
        tangent = band.chance * unit * float(trade.trade_cost) / trade.stake_minor
        assert -row["moves_more"] >= tangent - 1e-12
        assert row["moves_less"] is None or row["moves_less"] <= tangent + 1e-12


def test_hold_of_hooligan_is_win_over_handle(hooligan: Sheet, trade: HooliganSchedule) -> None:
    for row in rows(hooligan, "hold"):
        for p in ("0.005", "0.5", "0.995"):
            low, high = row[f"hold_{p}"]
            handle = row["games"] * trade.stake_minor
            assert row[f"win_{p}"].low <= low * handle + 1e-6
            assert row[f"win_{p}"].high >= high * handle - 1e-6
            assert row[f"win_{p}"].high - row[f"win_{p}"].low <= 1


def test_the_json_is_json_with_twins_of_fractions(sheet: Sheet) -> None:
    document = as_json(sheet)
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["fingerprint"] == sheet.fingerprint
    assert set(document["tables"]) == {table.key for table in sheet.tables}


def test_fractions_and_money_in_json(craps: Sheet) -> None:
    first = as_json(craps)["tables"]["bets"][0]
    assert (first["edge_made"], first["edge_made_decimal"]) == ("7/495", 7 / 495)
    assert first["stake"] == "15.00"
    assert as_json(craps)["tables"]["ruin"][0]["bank_0.01"] == ["2445.00", "2445.00"]


def test_the_text_says_every_fact_row_and_note(sheet: Sheet) -> None:
    text = as_text(sheet)
    assert sheet.fingerprint in text
    assert all(value in text for _, _, value in sheet.facts)
    assert all(f"* {note}" in text for note in sheet.notes)
    assert len(text.splitlines()) > sum(len(table.rows) for table in sheet.tables)


class Page(HTMLParser):
    """Open elements, and what was found."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells = 0
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        self.cells += tag == "td"
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_needs_no_other_file(sheet: Sheet) -> None:
    page = Page()
    page.feed(as_html(sheet, {"hold_funnel": "<svg xmlns='x'/>"}))
    assert page.open == []
    assert page.cells == len(sheet.facts) + sum(len(table.rows) * len(table.columns) for table in sheet.tables)
    assert [address.split(",")[0] for address in page.addresses] == ["data:image/svg+xml;base64"]


def test_markup_in_a_schedules_notes_is_text(craps: Sheet) -> None:
    from dataclasses import replace

    nasty = replace(craps, facts=(("notes", "Notes", "<script>alert('x')</script>"),), title="<b>")
    page = as_html(nasty)
    assert "<script>" not in page
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        (Kind.SHARE, None, "-"),
        (Kind.SHARE, Fraction(0), "0.0000 %"),
        (Kind.SHARE, 1e-7, "1.00e-05 %"),
        (Kind.SHARE, (0.0, 2e-9), "below 2.00e-07 %"),
        (Kind.SHARE, (0.25, 0.25), "25.0000 %"),
        (Kind.SHARE, (0.25, 0.26), "25.0000 % to 26.0000 %"),
        (Kind.MONEY, -5, "-0.05"),
        (Kind.MONEY, Interval(100, 100), "1.00"),
        (Kind.WHOLE, 1000000, "1,000,000"),
        (Kind.ONE_IN, Fraction(2, 36), "18.0"),
        (Kind.ONE_IN, 0.0, "never"),
        (Kind.NUMBER, Fraction(557, 165), "3.37576"),
    ],
)
def test_a_value_is_shown_by_its_kind(kind: Kind, value: Any, text: str) -> None:
    assert shown(Column("x", "X", kind), value, 2) == text


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game in ("craps", "hooligan") for name in shipped_names(game)]
)
def test_every_shipped_schedule_has_its_sheet(game: str, name: str) -> None:
    schedule = load(shipped(game, name))
    written = par_sheet(schedule, games=(100,), ruin_chances=(0.01,))
    assert schedule.fingerprint in as_text(written)
    assert json.dumps(as_json(written), allow_nan=False)


def test_sheets_without_choices_of_games_have_those_of_their_game(trade: HooliganSchedule) -> None:
    assert [row["games"] for row in rows(par_sheet(trade), "hold")] == [100, 1_000, 10_000, 100_000, 1_000_000]
