"""Tables open, change and close."""

from dataclasses import replace
from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.service import cage, equipment, reports, schedules, tables, wagers
from house.service.hooligan import StartGame
from payouts.errors import ScheduleError
from tests.house.pits import CONFIG, Pit


def refused(pit: Pit, command: Any) -> tuple[Refusal, str]:
    with pytest.raises(Refused) as caught:
        pit.do(command)
    return caught.value.refusal, caught.value.field


OPEN = tables.OpenTable(
    table="c2", game="craps", schedule="double-odds", opener_minor=100_00, dice=("x0", "x1"), box="x-box"
)


def test_a_table_that_cannot_open_says_why_and_moves_nothing(pit: Pit) -> None:
    pit.open_craps()
    pit.do(equipment.RegisterEquipment(dice=("x0", "x1", "x2"), boxes=("x-box",)))
    vault = cage.vault(pit.house)
    cases = {
        "a known id": (replace(OPEN, table="c1"), (Refusal.ALREADY_EXISTS, "table")),
        "a bad id": (replace(OPEN, table="../c"), (Refusal.BAD_VALUE, "table")),
        "an unknown game": (replace(OPEN, game="poker"), (Refusal.BAD_VALUE, "game")),
        "an unknown schedule": (replace(OPEN, schedule="none"), (Refusal.NOT_FOUND, "schedule")),
        "an unknown version": (replace(OPEN, version=9), (Refusal.NOT_FOUND, "schedule")),
        "the other game's schedule": (replace(OPEN, game="hooligan"), (Refusal.NOT_FOUND, "schedule")),
        "too few dice": (replace(OPEN, dice=("x0",)), (Refusal.NOT_IN_PLAY, "dice")),
        "an unknown die": (replace(OPEN, dice=("x0", "y")), (Refusal.NOT_FOUND, "dice[1]")),
        "an unknown box": (replace(OPEN, box="y"), (Refusal.NOT_FOUND, "box")),
        "another table's die": (replace(OPEN, dice=("x0", "c1-d1")), (Refusal.NOT_IN_PLAY, "dice[1]")),
        "another table's box": (replace(OPEN, box="c1-box"), (Refusal.NOT_IN_PLAY, "box")),
        "more than the vault": (replace(OPEN, opener_minor=10**12), (Refusal.INSUFFICIENT_FUNDS, "opener_minor")),
        "an opener below 0": (replace(OPEN, opener_minor=-1), (Refusal.BAD_VALUE, "opener_minor")),
    }
    assert {what: refused(pit, command) for what, (command, _) in cases.items()} == {
        what: due for what, (_, due) in cases.items()
    }
    assert cage.vault(pit.house) == vault
    assert [view.table for view in tables.tables(pit.house)] == ["c1"]
    assert pit.do(OPEN).float_minor == 100_00


def test_closing_brings_the_float_home_and_sets_dice_and_box_free(pit: Pit) -> None:
    pit.open_craps()
    vault = cage.vault(pit.house).vault_minor
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
    assert refused(pit, tables.CloseTable(table="c1")) == (Refusal.BETS_RIDING, "table")
    pit.throw(2, 3)
    closed = pit.do(tables.CloseTable(table="c1"))
    assert closed == tables.TableClosed(
        table="c1", opener_minor=50_000_00, closer_minor=50_010_00, win_minor=10_00, throws=1
    )
    # The opener comes home, with the 10.00 that were ann's.
    assert cage.vault(pit.house).vault_minor == vault + 50_010_00
    assert [piece.table for piece in (*equipment.dice(pit.house), *equipment.boxes(pit.house))] == [None] * 3
    assert refused(pit, tables.CloseTable(table="c1")) == (Refusal.TABLE_CLOSED, "table")
    assert reports.check(pit.house).discrepancies == ()


def test_a_rack_that_paid_out_more_than_it_held_is_made_good_by_the_vault(pit: Pit) -> None:
    pit.open_craps(opener=0)
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
    pit.throw(4, 5)
    assert tables.table(pit.house, "c1").float_minor == -10_00
    assert pit.do(tables.CloseTable(table="c1")).win_minor == -10_00
    assert reports.check(pit.house).discrepancies == ()


def test_a_counter_with_a_game_in_progress_stays_open(pit: Pit) -> None:
    pit.open_hooligan()
    pit.do(StartGame(table="h1", player="ann"))
    assert refused(pit, tables.CloseTable(table="h1")) == (Refusal.BETS_RIDING, "table")


def test_a_bet_is_settled_by_the_version_under_which_it_was_made(pit: Pit) -> None:
    pit.open_craps()
    text = (CONFIG / "craps" / "double-odds.toml").read_text(encoding="utf-8")
    second = text.replace("version = 1", "version = 2").replace('12 = "2 to 1"', '12 = "3 to 1"')
    assert second.count('12 = "3 to 1"') == 1  # the field
    pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
    published = schedules.publish(pit.house, second)
    assert pit.do(tables.ChangeSchedule(table="c1")).fingerprint == published.fingerprint
    pit.bet(wagers.Bet(player="bob", bet="field", stake_minor=10_00))
    settled = pit.throw(6, 6)
    assert {movement.player: movement.winnings for movement in settled.movements} == {"ann": 20_00, "bob": 30_00}
    assert {(line.version, line.winnings_minor) for line in reports.realised(pit.house)} == {(1, 20_00), (2, 30_00)}
    assert reports.check(pit.house).discrepancies == ()


def test_a_published_version_never_changes(pit: Pit) -> None:
    pit.publish("craps", "double-odds")
    text = (CONFIG / "craps" / "double-odds.toml").read_text(encoding="utf-8")
    first = schedules.schedules(pit.house)
    schedules.publish(pit.house, text + "\n# another comment, the same schedule\n")
    assert schedules.schedules(pit.house) == first
    with pytest.raises(Refused) as caught:
        schedules.publish(pit.house, text.replace('12 = "2 to 1"', '12 = "3 to 1"'))
    assert caught.value.refusal is Refusal.SCHEDULE_CHANGED
    with pytest.raises(ScheduleError):
        schedules.publish(pit.house, text.replace("version = 1", "version = 0"))
    assert schedules.schedules(pit.house) == first


def test_a_schedule_in_another_currency_is_refused(pit: Pit) -> None:
    text = (CONFIG / "craps" / "double-odds.toml").read_text(encoding="utf-8")
    with pytest.raises(Refused) as caught:
        schedules.publish(pit.house, text.replace('currency = "USD"', 'currency = "EUR"'))
    assert (caught.value.refusal, caught.value.limit) == (Refusal.BAD_VALUE, "USD")
