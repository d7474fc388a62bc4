"""What is corrected later: why, how entries are taken back, and who owes what was spent meanwhile.

A correction takes back every entry that the throw made, by entries of its own, and books what is due. Where a wallet
no longer holds what is taken back, the house lends the rest: the wallet is brought to 0 with the house's own money, and
the player owes it by name (`owed`). What the dealers' box no longer holds is owed by them, in suspense, and withheld
from it before they are paid again. So a correction is never refused because somebody was quick, and no balance falls
below its floor.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum

from house.domain.ids import PlayerId
from house.domain.ledger import (
    ADJUSTMENTS,
    DEPOSITS,
    SUSPENSE,
    TOKES,
    VAULT,
    Account,
    AccountKind,
    Entry,
    EntryKind,
    Posting,
    moves,
    wallet,
)


class Reason(StrEnum):
    """Why a throw is corrected."""

    MISKEYED = "miskeyed"  # read well and keyed wrong
    MISREAD = "misread"  # read wrong, by a person or a camera
    MISCALLED = "miscalled"  # called no throw, or not called so


class Cause(StrEnum):
    """Why money is adjusted."""

    MISREAD = "misread"  # the throw showed something else, and the table has thrown since
    MISPAID = "mispaid"  # chips were pushed wrongly
    LATE_BET = "late_bet"  # a bet was taken that should not have been, or refused that should have been taken
    DISPUTE = "dispute"  # decided for the player, or against him
    WRITTEN_OFF = "written_off"  # what he owes is forgiven


class Direction(StrEnum):
    """Whom an adjustment pays."""

    TO_PLAYER = "to_player"
    FROM_PLAYER = "from_player"


def owed(player: PlayerId) -> Account:
    """What a player owes since a correction or an adjustment took more than his wallet held."""
    return Account(f"player:{player}:owed", AccountKind.ASSET, floor=0)


def taken_back(lines: Iterable[tuple[str, int]]) -> Entry:
    """The entry that undoes another one, given the lines of that."""
    return Entry(EntryKind.CORRECTION, tuple(Posting(account, -amount) for account, amount in lines))


def net_of(entries: Iterable[Entry]) -> dict[str, int]:
    """Sum of the lines of entries, by account.

    >>> net_of([taken_back([("a", 5), ("b", -5)]), taken_back([("a", -2), ("c", 2)])])
    {'a': -3, 'b': 5, 'c': -2}
    """
    net: dict[str, int] = {}
    for entry in entries:
        for line in entry.postings:
            net[line.account] = net.get(line.account, 0) + line.amount
    return net


def covering(net: Mapping[str, int], balances: Mapping[str, int]) -> tuple[Entry, ...]:
    """Entries by which nobody is short after amounts `net` are added to signed `balances`; sorted by account.

    What a wallet or the dealers' box lacks is owed from then on; of a debt that is taken back, what was paid already is
    given back.
    """
    after = {account: balances.get(account, 0) + net[account] for account in sorted(net)}
    entries = [_cover(account, balance) for account, balance in after.items()]
    return tuple(entry for entry in entries if entry is not None)


def _cover(account: str, balance: int) -> Entry | None:
    owner, _, what = account.rpartition(":")
    player = PlayerId(owner.removeprefix("player:"))
    if what == "owed" and balance < 0:
        return moves(EntryKind.LENT, (owed(player), wallet(player), -balance), (DEPOSITS, VAULT, -balance))
    if account == SUSPENSE.name and balance < 0:
        return moves(EntryKind.LENT, (SUSPENSE, TOKES, -balance), (DEPOSITS, VAULT, -balance))
    if balance <= 0 or not (account == TOKES.name or what in ("wallet", "trade")):
        return None
    debtor = SUSPENSE if account == TOKES.name else owed(player)
    backed = () if what == "trade" else ((DEPOSITS, VAULT, balance),)
    return moves(EntryKind.LENT, (debtor, Account(account, AccountKind.LIABILITY), balance), *backed)


def adjusted(player: PlayerId, direction: Direction, amount: int) -> Entry:
    """Book an amount between the house and a player's wallet, and move the money that stands behind it."""
    pairs = ((ADJUSTMENTS, wallet(player), amount), (DEPOSITS, VAULT, amount))
    if direction is Direction.FROM_PLAYER:
        pairs = ((wallet(player), ADJUSTMENTS, amount), (VAULT, DEPOSITS, amount))
    return moves(EntryKind.ADJUSTMENT, *pairs)


def collected(player: PlayerId, amount: int) -> Entry:
    """Take an amount that a player owes from his wallet."""
    return moves(EntryKind.COLLECTED, (wallet(player), owed(player), amount), (VAULT, DEPOSITS, amount))
