"""Entries that sum to zero, and the way of a wager's money."""

import pytest

from house.domain.ids import PlayerId, TableId
from house.domain.ledger import (
    DEPOSITS,
    FLOWS,
    TRADE_FLOWS,
    WIN,
    Entry,
    EntryKind,
    Posting,
    moves,
    places,
    postings,
    wallet,
)

ANN, TABLE = PlayerId("ann"), TableId("t")
WALLET, RIDING = "player:ann:wallet", "player:ann:riding"
FLOAT = "house:table:t:float"


def booked(amounts: dict[str, int], **how: bool) -> dict[str, int]:
    flows = TRADE_FLOWS if how.get("in_trade") else FLOWS
    return {line.account: line.amount for line in postings(amounts, places(ANN, TABLE, **how), flows)}


# Debits are positive: a wallet that grows is credited, a rack that grows is debited.
MOVES = [
    ({"staked": 100}, {}, {WALLET: 100, RIDING: -100}),
    (
        {"staked": 100, "commission": 5},
        {"staking": True},
        {WALLET: 105, RIDING: -100, "house:win": -5, FLOAT: 5, DEPOSITS.name: -5},
    ),
    ({"lost": 100}, {}, {RIDING: 100, "house:win": -100, FLOAT: 100, DEPOSITS.name: -100}),
    ({"returned": 100}, {}, {RIDING: 100, WALLET: -100}),
    (
        {"returned": 600, "winnings": 700},
        {},
        {RIDING: 600, WALLET: -1300, "house:win": 700, FLOAT: -700, DEPOSITS.name: 700},
    ),
    # 5.00 at 7 to 6 in whole dollars: 5.83 due, 5.00 paid, 0.83 breakage; the win bears the full price.
    (
        {"winnings": 500, "breakage": 83},
        {},
        {"house:win": 583, "house:breakage": -83, WALLET: -500, FLOAT: -500, DEPOSITS.name: 500},
    ),
    ({"winnings": 100, "commission": 5}, {}, {WALLET: -95, "house:win": 95, FLOAT: -95, DEPOSITS.name: 95}),
    (
        {"returned": 100, "commission_back": 5},
        {},
        {RIDING: 100, WALLET: -105, "house:win": 5, FLOAT: -5, DEPOSITS.name: 5},
    ),
    ({"staked": 100}, {"toke": True, "staking": True}, {WALLET: 100, "house:tokes:riding": -100}),
    (
        {"returned": 100, "winnings": 100, "commission": 5},
        {"toke": True},
        {"house:tokes:riding": 100, "house:tokes": -195, "house:win": 95, FLOAT: -95, DEPOSITS.name: 95},
    ),
    ({"winnings": 400}, {"in_trade": True}, {"house:win": 400, "player:ann:trade": -400}),
]


@pytest.mark.parametrize(("amounts", "how", "due"), MOVES, ids=[str(move[:2]) for move in MOVES])
def test_a_movement_books_as_derived_by_hand_and_sums_to_zero(
    amounts: dict[str, int], how: dict[str, bool], due: dict[str, int]
) -> None:
    assert booked(amounts, **how) == due
    assert sum(due.values()) == 0


def test_a_movement_without_money_books_nothing() -> None:
    assert booked({"winnings": 0, "lost": 0, "resolved": 500}) == {}


def test_an_entry_of_one_line_or_out_of_balance_cannot_be_made() -> None:
    with pytest.raises(AssertionError):
        Entry(EntryKind.BUY_IN, (Posting(DEPOSITS.name, 0),))
    with pytest.raises(AssertionError):
        Entry(EntryKind.BUY_IN, (Posting(DEPOSITS.name, 100), Posting(WIN.name, -99)))
    with pytest.raises(AssertionError):
        moves(EntryKind.BUY_IN, (DEPOSITS, wallet(ANN), 0))
