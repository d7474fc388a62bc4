"""Fills, credits, the drop, markers and tokes: what they book, who must want them, and that it all checks."""

from typing import Any

import pytest
from sqlalchemy import text

from house.domain.people import ROLES, Actor, PersonId, Role
from house.domain.refusals import Refusal, Refused
from house.domain.slips import SlipKind
from house.service import cage, markers, reports, sheets, slips, tables, wagers
from house.service.desk import perform
from tests.house.pits import Pit

FLOORMAN = Actor(PersonId("floorman-1"), ROLES[Role.FLOORMAN])
CAGE = Actor(PersonId("cage-1"), ROLES[Role.CAGE])
FIELD = wagers.Bet(player="ann", bet="field", stake_minor=100_00)


def refused(pit: Pit, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value


def sound(pit: Pit) -> bool:
    return reports.check(pit.house).discrepancies == ()


def fill(amount: int, **more: Any) -> slips.WriteSlip:
    return slips.WriteSlip(kind=SlipKind.FILL, table="c1", amount_minor=amount, **more)


def credit(amount: int) -> slips.WriteSlip:
    return slips.WriteSlip(kind=SlipKind.CREDIT, table="c1", amount_minor=amount)


def test_fills_and_credits_move_chips_and_are_numbered_densely_within_their_kind(pit: Pit) -> None:
    pit.open_craps(opener=1_000_00)
    vault = cage.vault(pit.house).vault_minor
    numbers = [pit.do(one).number for one in (fill(500_00), credit(200_00), fill(100_00))]
    assert numbers == [1, 1, 2]
    assert tables.table(pit.house, "c1").float_minor == 1_000_00 + 500_00 - 200_00 + 100_00
    assert cage.vault(pit.house).vault_minor == vault - 400_00
    assert refused(pit, fill(10**12)).refusal is Refusal.INSUFFICIENT_FUNDS
    assert pit.do(fill(1_00)).number == 3  # a refused slip used no number
    assert sound(pit)


def test_a_slip_needs_a_second_person_of_the_cage(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    for second in (None, FLOORMAN, Actor(PersonId("floorman-2"), ROLES[Role.FLOORMAN])):
        with pytest.raises(Refused) as alone:
            perform(sqlite_pit.house, fill(1_00), f"fill-{second}"[:50].replace(" ", "_"), FLOORMAN, second)
        assert alone.value.refusal is Refusal.SECOND_PERSON_NEEDED
    made = perform(sqlite_pit.house, fill(1_00), "fill", FLOORMAN, CAGE).answer
    assert (made.by, made.second) == ("floorman-1", "cage-1")
    with sqlite_pit.house.read() as connection:
        (names,) = connection.execute(text("SELECT actor, authorised_by, reason FROM entry WHERE kind = 'fill'"))
    assert tuple(names) == ("floorman-1", "cage-1", "fill 1")


def test_the_chips_of_a_slip_are_worth_its_amount(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    chips = {100_00: 4, 25_00: 4}
    assert sqlite_pit.do(fill(500_00, denominations=chips)).denominations == chips
    assert slips.slips(sqlite_pit.house, SlipKind.FILL)[0].denominations == chips
    for wrong in ({100_00: 4}, {100_00: 6, 50_00: -2}, {0: 5}):
        no = refused(sqlite_pit, fill(500_00, denominations=wrong))
        assert (no.refusal, no.field) == (Refusal.BAD_VALUE, "chips")


def test_a_slip_is_voided_by_a_counter_entry_and_keeps_its_number(pit: Pit) -> None:
    pit.open_craps(opener=1_000_00)
    pit.do(fill(500_00))
    void = slips.VoidSlip(kind=SlipKind.FILL, number=1, reason="wrong table")
    assert pit.do(void).voided == "wrong table"
    assert tables.table(pit.house, "c1").float_minor == 1_000_00
    assert refused(pit, void).refusal is Refusal.STATE_CHANGED
    assert pit.do(fill(50_00)).number == 2
    assert [one.voided for one in slips.slips(pit.house, SlipKind.FILL)] == ["wrong table", None]
    assert refused(pit, slips.VoidSlip(kind=SlipKind.CREDIT, number=1, reason="none")).refusal is Refusal.NOT_FOUND
    assert refused(pit, slips.VoidSlip(kind=SlipKind.FILL, number=2, reason=" ")).field == "reason"
    (line,) = sheets.sheet_of_shift(pit.house, 1).lines
    assert (line.fills_minor, line.credits_minor, line.win_minor) == (50_00, 0, 0)
    assert sound(pit)


def test_a_rack_gives_no_more_credit_than_it_holds(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps(opener=100_00)
    no = refused(sqlite_pit, credit(150_00))
    assert (no.refusal, no.field, no.limit) == (Refusal.INSUFFICIENT_FUNDS, "amount_minor", "at most 10000")
    assert sqlite_pit.do(credit(100_00)).number == 1


def test_what_is_bought_in_at_a_table_is_drop_and_no_win(pit: Pit) -> None:
    pit.open_craps(opener=1_000_00)
    drop = slips.TableBuyIn(table="c1", player="ann", amount_minor=300_00)
    assert pit.do(drop).wallet_minor == 10_000_00 + 300_00
    view = tables.table(pit.house, "c1")
    assert (view.float_minor, view.drop_minor) == (700_00, 300_00)
    pit.bet(FIELD)
    pit.throw(2, 3)  # 5 loses the field
    (line,) = sheets.sheet_of_shift(pit.house, 1).lines
    # win = closer 800 + credits 0 + drop 300 - opener 1,000 - fills 0 = 100; hold = 100 / 300.
    assert (line.opener_minor, line.drop_minor, line.closer_minor) == (1_000_00, 300_00, 800_00)
    assert (line.win_minor, line.hold) == (100_00, pytest.approx(1 / 3))
    assert pit.do(tables.CloseTable(table="c1")).win_minor == 100_00
    assert sound(pit)


def test_a_buy_in_at_the_cage_is_no_drop_and_hold_is_undefined(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.bet(FIELD)
    sqlite_pit.throw(2, 3)
    (line,) = sheets.sheet_of_shift(sqlite_pit.house, 1).lines
    assert (line.drop_minor, line.win_minor, line.hold) == (0, 100_00, None)


@pytest.mark.parametrize("found", [0, 5_00, -5_00])
def test_a_drop_box_is_counted_into_the_vault_and_what_differs_is_booked_apart(sqlite_pit: Pit, found: int) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.do(slips.TableBuyIn(table="c1", player="ann", amount_minor=300_00))
    sqlite_pit.do(tables.CloseTable(table="c1"))
    vault = cage.vault(sqlite_pit.house).vault_minor
    counted = sqlite_pit.do(slips.CountDrop(table="c1", counted_minor=300_00 + found))
    assert (counted.slips_minor, counted.variance_minor) == (300_00, found)
    assert cage.vault(sqlite_pit.house).vault_minor == vault + 300_00 + found
    assert sheets.sheet_of_shift(sqlite_pit.house, 1).total.variance_minor == found
    assert sound(sqlite_pit)


def test_markers_are_owed_up_to_a_line_count_as_drop_and_are_no_win(pit: Pit) -> None:
    pit.open_craps(opener=1_000_00)
    marker = markers.IssueMarker(player="ann", amount_minor=400_00, table="c1")
    assert refused(pit, marker).refusal is Refusal.ABOVE_MAXIMUM
    pit.do(markers.SetCreditLine(player="ann", line_minor=500_00))
    assert pit.do(marker) == markers.Credit(player="ann", owed_minor=400_00, line_minor=500_00)
    assert refused(pit, marker).limit == "50000"
    pit.do(markers.IssueMarker(player="ann", amount_minor=100_00))  # at the cage, from the vault
    assert cage.balance(pit.house, "ann").wallet_minor == 10_000_00 + 500_00
    (line,) = sheets.sheet_of_shift(pit.house, 1).lines
    assert (line.drop_minor, line.markers_minor, line.win_minor) == (400_00, 400_00, 0)
    vault = cage.vault(pit.house)
    pit.do(markers.RedeemMarker(player="ann", amount_minor=200_00))
    assert pit.do(markers.RedeemMarker(player="ann", amount_minor=300_00, cash=False)).owed_minor == 0
    assert refused(pit, markers.RedeemMarker(player="ann", amount_minor=1)).refusal is Refusal.INSUFFICIENT_FUNDS
    assert cage.vault(pit.house).vault_minor == vault.vault_minor + 500_00
    assert cage.vault(pit.house).deposits_minor == vault.deposits_minor - 300_00
    assert sound(pit)


def test_tokes_are_paid_to_the_dealers_and_are_no_win(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    sqlite_pit.do(cage.Toke(player="ann", amount_minor=30_00))
    assert refused(sqlite_pit, cage.PayTokes(amount_minor=31_00)).refusal is Refusal.INSUFFICIENT_FUNDS
    assert sqlite_pit.do(cage.PayTokes(amount_minor=20_00)) == cage.TokeBox(tokes_minor=10_00, owed_minor=0)
    assert sheets.sheet_of_shift(sqlite_pit.house, 1).total.win_minor == 0
    assert sound(sqlite_pit)
