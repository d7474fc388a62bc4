"""The ledger's rules: accounts, entries that sum to zero, and how a wager's money becomes postings.

Amounts are signed integers in minor units, debits positive, so that all accounts together are 0. A chip on its way has
two sides: what the house owes (wallets, stakes riding, tokes) and where the money lies (the vault, the racks). Money in
the vault stands behind every wallet and every stake that rides; a stake that loses moves from the vault to the table's
rack, and winnings move back. So a table's float is its opener plus all that its bets brought, and the vault holds the
capital that is not in racks, plus everything that players own: it cannot run dry through play while the house has the
money for what its tables lose. A house that paid out more than it has is refused further steps until it is funded.
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
BANK = Account("house:bank", AccountKind.EQUITY, floor=0)
WIN = Account("house:win", AccountKind.INCOME)
BREAKAGE = Account("house:breakage", AccountKind.INCOME, floor=0)
TOKES = Account("house:tokes", AccountKind.LIABILITY, floor=0)
TOKES_RIDING = Account("house:tokes:riding", AccountKind.LIABILITY, floor=0)
SUSPENSE = Account("suspense", AccountKind.LIABILITY)
HOUSE_ACCOUNTS = (VAULT, BANK, WIN, BREAKAGE, TOKES, TOKES_RIDING, SUSPENSE)


def wallet(player: PlayerId) -> Account:
    """What a player may bet or take home."""
    return Account(f"player:{player}:wallet", AccountKind.LIABILITY, floor=0)


def riding(player: PlayerId) -> Account:
    """What a player has on layouts."""
    return Account(f"player:{player}:riding", AccountKind.LIABILITY, floor=0)


def trade(player: PlayerId) -> Account:
    """What a player has won in trade, at face value; it is not cashed."""
    return Account(f"player:{player}:trade", AccountKind.LIABILITY, floor=0)


def table_float(table: TableId) -> Account:
    """A table's rack. It has no floor: winnings are paid even when a fill is late."""
    return Account(f"house:table:{table}:float", AccountKind.ASSET)


class EntryKind(StrEnum):
    """What an entry books."""

    CAPITAL = "capital"
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
    DROP = "drop"
    TOKE_PAID = "toke_paid"
    MARKER = "marker"
    MARKER_PAID = "marker_paid"
    ROUND_BET = "round_bet"
    ROUND_WIN = "round_win"
    ROUND_ROLLBACK = "round_rollback"
    CORRECTION = "correction"
    ADJUSTMENT = "adjustment"


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


def transfer(kind: EntryKind, debit: Account, credit: Account, amount: int) -> Entry:
    """Book one amount, in minor units, at least 1.

    >>> transfer(EntryKind.BUY_IN, VAULT, wallet(PlayerId("ann")), 100).postings[1]
    Posting(account='player:ann:wallet', amount=-100)
    """
    return Entry(kind, (Posting(debit.name, amount), Posting(credit.name, -amount)))


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
    VAULT = "vault"


FLOWS: tuple[tuple[str, Place, Place], ...] = (
    ("staked", Place.WALLET, Place.RIDING),
    ("returned", Place.RIDING, Place.BACK),
    ("lost", Place.RIDING, Place.WIN),
    ("lost", Place.FLOAT, Place.VAULT),
    ("winnings", Place.WIN, Place.PAID),
    ("winnings", Place.VAULT, Place.FLOAT),
    ("commission", Place.FEE, Place.WIN),
    ("commission", Place.FLOAT, Place.VAULT),
    ("commission_back", Place.WIN, Place.BACK),
    ("commission_back", Place.VAULT, Place.FLOAT),
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
        Place.VAULT: VAULT.name,
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
    cage:vault -5
    """
    net: dict[str, int] = {}
    for name, debit, credit in flows:
        if amount := amounts.get(name, 0):
            net[accounts[debit]] = net.get(accounts[debit], 0) + amount
            net[accounts[credit]] = net.get(accounts[credit], 0) - amount
    return tuple(Posting(account, amount) for account, amount in net.items() if amount)
