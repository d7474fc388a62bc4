"""Money over the counter, and names."""

from typing import Any

import pytest

from house.domain.refusals import Refusal, Refused
from house.service import cage, reports
from house.service.desk import open_house, perform
from tests.house.pits import Pit


def refused(pit: Pit, command: Any, key: str | None = None) -> Refused:
    with pytest.raises(Refused) as caught:
        pit.do(command, key)
    return caught.value


def test_money_comes_in_and_goes_out_at_the_cage(pit: Pit) -> None:
    assert pit.do(cage.BuyIn(player="ann", amount_minor=500)).wallet_minor == 10_000_00 + 500
    assert pit.do(cage.CashOut(player="ann", amount_minor=10_000_00)).wallet_minor == 500
    pit.do(cage.Toke(player="ann", amount_minor=200))
    accounts = {line.account: line.balance_minor for line in reports.trial_balance(pit.house).accounts}
    assert accounts["house:tokes"] == 200
    assert accounts["player:ann:wallet"] == 300
    # The vault holds the house's million; bob's ten thousand, what ann left and the dealers' money lie apart.
    assert cage.vault(pit.house) == cage.Vault(
        vault_minor=1_000_000_00,
        deposits_minor=10_000_00 + 500,
        capital_minor=1_000_000_00,
        reserved_minor=0,
        free_minor=1_000_000_00,
    )
    assert reports.check(pit.house).discrepancies == ()


def test_a_wallet_is_never_overdrawn_and_the_refusal_says_what_there_is(pit: Pit) -> None:
    no = refused(pit, cage.CashOut(player="ann", amount_minor=10_000_01))
    assert (no.refusal, no.field, no.value, no.limit) == (
        Refusal.INSUFFICIENT_FUNDS,
        "amount_minor",
        "1000001",
        "at most 1000000",
    )
    assert refused(pit, cage.Toke(player="bob", amount_minor=10_000_01)).refusal is Refusal.INSUFFICIENT_FUNDS
    assert pit.do(cage.CashOut(player="ann", amount_minor=10_000_00)).wallet_minor == 0


def test_a_wallet_that_is_short_is_named_however_much_lies_in_the_cage(pit: Pit) -> None:
    # Others' deposits of 10,000.00 and the vault's million pay for nobody's wallet.
    no = refused(pit, cage.CashOut(player="ann", amount_minor=900_000_00))
    assert (no.message, no.limit) == ("player:ann:wallet does not hold the amount", "at most 1000000")
    both = refused(pit, cage.CashOut(player="ann", amount_minor=2_000_000_00))
    assert (both.message, both.limit) == ("player:ann:wallet does not hold the amount", "at most 1000000")


def test_nobody_unknown_has_money(pit: Pit) -> None:
    for command in (
        cage.BuyIn(player="x", amount_minor=1),
        cage.CashOut(player="x", amount_minor=1),
        cage.Toke(player="x", amount_minor=1),
    ):
        no = refused(pit, command)
        assert (no.refusal, no.field) == (Refusal.NOT_FOUND, "player")
    with pytest.raises(Refused, match="not_found"):
        cage.balance(pit.house, "x")


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256, "a\n"])
def test_a_write_needs_a_proper_key(sqlite_pit: Pit, key: str) -> None:
    with pytest.raises(Refused) as caught:
        perform(sqlite_pit.house, cage.BuyIn(player="ann", amount_minor=1), key)
    assert caught.value.refusal is Refusal.IDEMPOTENCY_KEY_MISSING


@pytest.mark.parametrize("player", ["", "=a", "a b", "a/b", "x" * 65, "ann\n", "ännchen"])
def test_an_id_is_plain(sqlite_pit: Pit, player: str) -> None:
    assert refused(sqlite_pit, cage.RegisterPlayer(player=player, name="A")).refusal is Refusal.BAD_VALUE


def test_d04_ids_are_opaque_and_a_name_is_brought_to_one_form_once(sqlite_pit: Pit) -> None:
    # Fullwidth and superscript letters have one compatible form; bringing it to that form again changes nothing.
    first = sqlite_pit.do(cage.RegisterPlayer(player="p1", name="ᴮᴵᴳ ᴮᴵᴿᴰ"))
    second = sqlite_pit.do(cage.RegisterPlayer(player="p2", name=first.name))
    assert first.name == second.name == "BIG BIRD"
    assert refused(sqlite_pit, cage.RegisterPlayer(player="p1", name="Other")).refusal is Refusal.ALREADY_EXISTS


def test_players_are_listed_in_pages(sqlite_pit: Pit) -> None:
    for number in range(5):
        sqlite_pit.seat(f"p{number}", 0)
    first = cage.players(sqlite_pit.house, limit=4)
    rest = cage.players(sqlite_pit.house, after=first[-1].player, limit=4)
    assert [one.player for one in (*first, *rest)] == ["ann", "bob", "p0", "p1", "p2", "p3", "p4"]


def test_the_books_stay_in_the_currency_in_which_they_began(pit: Pit) -> None:
    with pytest.raises(ValueError, match="currency must be USD"):
        open_house(pit.url, currency="EUR")


def test_no_record_of_play_names_a_person(sqlite_pit: Pit) -> None:
    sqlite_pit.do(cage.RegisterPlayer(player="p1", name="Zebulon Quill"))
    with sqlite_pit.house.read() as connection:
        bodies = connection.exec_driver_sql("SELECT body FROM record").scalars().all()
    assert not [body for body in bodies if "Zebulon" in body]


def test_sums_that_the_books_cannot_hold_are_refused_and_whatever_comes_next_is_done(pit: Pit) -> None:
    """One amount is within its bounds; what an account, or a day of a player, would come to is not."""
    huge = 2**53 - 1
    for command in (cage.FundHouse(amount_minor=huge), cage.BuyIn(player="ann", amount_minor=huge)):
        no = refused(pit, command, f"huge-{type(command).__name__}")
        assert (no.refusal, no.limit) == (Refusal.BAD_VALUE, f"amounts whose sums are at most {huge}")
        assert refused(pit, command, f"huge-{type(command).__name__}").replayed
    half = 2**52
    pit.do(cage.BuyIn(player="ann", amount_minor=half))
    pit.do(cage.CashOut(player="ann", amount_minor=half))
    assert refused(pit, cage.BuyIn(player="ann", amount_minor=half)).refusal is Refusal.BAD_VALUE
    pit.do(cage.BuyIn(player="bob", amount_minor=1))
    assert reports.check(pit.house).discrepancies == ()
