"""The ledger's rules: accounts, entries that sum to zero, and how a wager's money becomes postings.

Amounts are signed integers in minor units, debits positive, so that all accounts together are 0. A chip on its way has
two sides: what the house owes (wallets, stakes riding, tokes) and where the money lies. What players and dealers own
lies in `cage:deposits`, always to the cent: whatever changes the one changes the other in the same entry. The house's
own money lies in `cage:vault`, in the racks and in the drop boxes. A stake that loses moves from the deposits to the
table's rack, and winnings move back; a buy-in at a table puts its cash into the drop box, and its chips go from the
rack to the deposits. So openers, fills and withdrawals can spend the house's own money alone, no throw is ever short of
money, and

    float = opener + fills - credits - drop + what the bets brought
    win = closer + credits + drop - opener - fills = what the bets brought

whatever was bought in where, and on a marker or for cash.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from house.domain.ids import PlayerId, TableId

GREATEST_MINOR = 2**53 - 1
"""Largest amount that is kept, in minor units; every JSON reader holds it exactly."""


class AccountKind(StrEnum):
    """The five kinds of account."""

    ASSET = "asset"
    LIABILITY = "liability"
    EQUITY = "equity"
    INCOME = "income"
    EXPENSE = "expense"


SIDE = {
    AccountKind.ASSET: 1,
    AccountKind.EXPENSE: 1,
    AccountKind.LIABILITY: -1,
    AccountKind.EQUITY: -1,
    AccountKind.INCOME: -1,
}
"""What a signed balance is multiplied by to read it in the normal sense of its kind."""


@dataclass(frozen=True, slots=True)
class Account:
    """An account to which postings are made; `floor` is the least balance in the normal sense, None for no floor."""

    name: str
    kind: AccountKind
    floor: int | None = None


VAULT = Account("cage:vault", AccountKind.ASSET, floor=0)
"""The house's own money in the cage."""
DEPOSITS = Account("cage:deposits", AccountKind.ASSET, floor=0)
"""The money of players and dealers: what stands behind wallets, stakes riding and tokes, and nothing else."""
BANK = Account("house:bank", AccountKind.EQUITY)
"""Capital put in less what was withdrawn; below 0 where the house has taken its winnings home."""
VARIANCE = Account("house:variance", AccountKind.INCOME)
"""What counts of drop boxes found over their slips, less what they found short."""
WIN = Account("house:win", AccountKind.INCOME)
BREAKAGE = Account("house:breakage", AccountKind.INCOME, floor=0)
TOKES = Account("house:tokes", AccountKind.LIABILITY, floor=0)
TOKES_RIDING = Account("house:tokes:riding", AccountKind.LIABILITY, floor=0)
SUSPENSE = Account("suspense", AccountKind.LIABILITY)
"""Below 0: what dealers owe, who were paid tokes that a correction took back; withheld from what they are paid next."""
ADJUSTMENTS = Account("house:adjustments", AccountKind.INCOME)
"""What adjustments brought: money taken from players less money given to them."""
ROUNDS = Account("house:rounds:float", AccountKind.ASSET)
"""What rounds of other systems brought, as a table's rack; no floor: a win is paid though the house is short."""
ROUNDS_WIN = Account("house:rounds:win", AccountKind.INCOME)
"""What the house won in rounds of other systems."""
HOUSE_ACCOUNTS = (
    *(VAULT, DEPOSITS, BANK, WIN, BREAKAGE, VARIANCE, TOKES, TOKES_RIDING, SUSPENSE),
    *(ADJUSTMENTS, ROUNDS, ROUNDS_WIN),
)


def wallet(player: PlayerId) -> Account:
    """What a player may bet or take home."""
    return Account(f"player:{player}:wallet", AccountKind.LIABILITY, floor=0)


def riding(player: PlayerId) -> Account:
    """What a player has on layouts."""
    return Account(f"player:{player}:riding", AccountKind.LIABILITY, floor=0)


def trade(player: PlayerId) -> Account:
    """What a player has won in trade, at face value; it is not cashed."""
    return Account(f"player:{player}:trade", AccountKind.LIABILITY, floor=0)


def marker(player: PlayerId) -> Account:
    """What a player owes the house on signed markers."""
    return Account(f"player:{player}:marker", AccountKind.ASSET, floor=0)


def table_float(table: TableId) -> Account:
    """A table's rack. It has no floor: winnings are paid even when a fill is late."""
    return Account(f"house:table:{table}:float", AccountKind.ASSET)


def drop_box(table: TableId) -> Account:
    """A table's drop box: cash that was bought in at the table and is not counted yet."""
    return Account(f"house:table:{table}:drop", AccountKind.ASSET, floor=0)


class EntryKind(StrEnum):
    """What an entry books."""

    CAPITAL = "capital"
    WITHDRAWAL = "withdrawal"
    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    TOKE = "toke"
    OPENER = "opener"
    CLOSER = "closer"
    BET_PLACED = "bet_placed"
    BET_SETTLE_WIN = "bet_settle_win"
    BET_SETTLE_LOSS = "bet_settle_loss"
    BET_SETTLE_TIE = "bet_settle_tie"
    BET_RETURNED = "bet_returned"
    FILL = "fill"
    CREDIT = "credit"
    SLIP_VOID = "slip_void"
    DROP = "drop"
    DROP_COUNT = "drop_count"
    TOKE_PAID = "toke_paid"
    MARKER = "marker"
    MARKER_PAID = "marker_paid"
    ROUND_BET = "round_bet"
    ROUND_WIN = "round_win"
    ROUND_LOST = "round_lost"
    ROUND_SWEEP = "round_sweep"
    ROUND_ROLLBACK = "round_rollback"
    CORRECTION = "correction"
    ADJUSTMENT = "adjustment"
    LENT = "lent"  # what somebody was short of after one of those two: owed from then on
    COLLECTED = "collected"


@dataclass(frozen=True, slots=True)
class Posting:
    """One line of an entry: an account's name and a signed amount, never 0."""

    account: str
    amount: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Postings of one event, at least two, which sum to 0."""

    kind: EntryKind
    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        assert len(self.postings) >= 2, "an entry has two lines or more"
        assert sum(posting.amount for posting in self.postings) == 0, "an entry sums to 0"
        assert all(0 < abs(posting.amount) <= GREATEST_MINOR for posting in self.postings), "a line moves an amount"


def moves(kind: EntryKind, *pairs: tuple[Account, Account, int]) -> Entry:
    """Book amounts in one entry, one line an account: to the account debited (first) from the one credited.

    >>> moves(EntryKind.BUY_IN, (DEPOSITS, wallet(PlayerId("ann")), 100)).postings[1]
    Posting(account='player:ann:wallet', amount=-100)
    """
    net: dict[str, int] = {}
    for debit, credit, amount in pairs:
        net[debit.name] = net.get(debit.name, 0) + amount
        net[credit.name] = net.get(credit.name, 0) - amount
    return Entry(kind, tuple(Posting(account, amount) for account, amount in net.items() if amount))


class Place(StrEnum):
    """Where a wager's money may be, whatever the wager."""

    WALLET = "wallet"
    RIDING = "riding"
    BACK = "back"  # where stakes and commissions that come back go
    PAID = "paid"  # where winnings go
    FEE = "fee"  # who pays commission
    WIN = "win"
    BREAKAGE = "breakage"
    FLOAT = "float"
    DEPOSITS = "deposits"


FLOWS: tuple[tuple[str, Place, Place], ...] = (
    ("staked", Place.WALLET, Place.RIDING),
    ("returned", Place.RIDING, Place.BACK),
    ("lost", Place.RIDING, Place.WIN),
    ("lost", Place.FLOAT, Place.DEPOSITS),
    ("winnings", Place.WIN, Place.PAID),
    ("winnings", Place.DEPOSITS, Place.FLOAT),
    ("commission", Place.FEE, Place.WIN),
    ("commission", Place.FLOAT, Place.DEPOSITS),
    ("commission_back", Place.WIN, Place.BACK),
    ("commission_back", Place.DEPOSITS, Place.FLOAT),
    ("breakage", Place.WIN, Place.BREAKAGE),
)
"""Amount of a movement, account debited, account credited. The win bears the full price; breakage is its own income."""

TRADE_FLOWS = (*(flow for flow in FLOWS if flow[0] != "winnings"), ("winnings", Place.WIN, Place.PAID))
"""The same where winnings are goods: they leave the rack alone."""


def places(
    player: PlayerId, table: TableId, *, toke: bool = False, in_trade: bool = False, staking: bool = False
) -> dict[Place, str]:
    """Names of the accounts of one wager, by place.

    A toke is staked by a player and belongs to the dealers from then on: what comes back or is won is theirs, and so is
    a later commission. Winnings in trade go to the trade account.

    Parameters
    ----------
    staking
        Whether this is the player's own act of putting the money down.
    """
    own = wallet(player).name
    back = TOKES.name if toke else own
    return {
        Place.WALLET: own,
        Place.RIDING: TOKES_RIDING.name if toke else riding(player).name,
        Place.BACK: back,
        Place.PAID: trade(player).name if in_trade and not toke else back,
        Place.FEE: own if staking else back,
        Place.WIN: WIN.name,
        Place.BREAKAGE: BREAKAGE.name,
        Place.FLOAT: table_float(table).name,
        Place.DEPOSITS: DEPOSITS.name,
    }


def postings(
    amounts: Mapping[str, int], accounts: Mapping[Place, str], flows: tuple[tuple[str, Place, Place], ...] = FLOWS
) -> tuple[Posting, ...]:
    """Turn the amounts of a movement into postings, one line an account; none if no money moves.

    Examples
    --------
    >>> for line in postings({"lost": 5}, places(PlayerId("ann"), TableId("t"))):
    ...     print(line.account, line.amount)
    player:ann:riding 5
    house:win -5
    house:table:t:float 5
    cage:deposits -5
    """
    net: dict[str, int] = {}
    for name, debit, credit in flows:
        if amount := amounts.get(name, 0):
            net[accounts[debit]] = net.get(accounts[debit], 0) + amount
            net[accounts[credit]] = net.get(accounts[credit], 0) - amount
    return tuple(Posting(account, amount) for account, amount in net.items() if amount)
