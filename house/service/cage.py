"""The cage: players, their money, and the house's own. All amounts are minor units of the house's currency."""

from dataclasses import dataclass
from typing import ClassVar

from sqlalchemy import Connection

from house.domain.ids import PlayerId, check_id, check_name
from house.domain.ledger import BANK, GREATEST_MINOR, TOKES, VAULT, Account, EntryKind, riding, trade, transfer, wallet
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.desk import Command, House, Work
from house.store import ledger, records
from house.store import players as store
from house.store.ledger import Booking


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A registered player; the id is opaque, the name is kept apart from every record of play."""

    player: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """A player's money: in the wallet, riding on layouts, and won in trade: goods at face value, not cashed."""

    player: str
    wallet_minor: int
    riding_minor: int
    trade_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """What lies in the cage's vault, and the capital that the house put in."""

    vault_minor: int
    capital_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer(Command[Player]):
    """Register a player under an id of the caller's. Refused: BAD_VALUE, ALREADY_EXISTS."""

    scope: ClassVar[Scope] = Scope.PLAYERS_WRITE
    player: str
    name: str

    def run(self, work: Work) -> Player:
        """Add the player and open the accounts."""
        player = PlayerId(check_id(self.player, "player"))
        name = check_name(self.name)
        if store.known(work.connection, [player]):
            raise Refused(Refusal.ALREADY_EXISTS, "a player with this id is registered", "player", player)
        store.add(work.unit, player, name)
        ledger.open_accounts(work.unit, (wallet(player), riding(player), trade(player)))
        records.append(work.unit, "user_event", None, {"event": "registered", "player": player})
        return Player(player=player, name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class FundHouse(Command[Vault]):
    """Put the house's own money into the vault: what openers and winnings are paid from."""

    scope: ClassVar[Scope] = Scope.VAULT_WRITE
    amount_minor: int

    def run(self, work: Work) -> Vault:
        """Book the capital."""
        _book(work, EntryKind.CAPITAL, (VAULT, BANK), self.amount_minor, None)
        return _vault(work.connection)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn(Command[Balance]):
    """Take a player's money at the cage. Refused: BAD_VALUE, NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book money into the vault and the wallet."""
        player = known_player(work.connection, self.player)
        _book(work, EntryKind.BUY_IN, (VAULT, wallet(player)), self.amount_minor, player)
        return _balance(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut(Command[Balance]):
    """Pay a player out at the cage. Refused: BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book money out of the wallet and the vault."""
        player = known_player(work.connection, self.player)
        _book(work, EntryKind.CASH_OUT, (wallet(player), VAULT), self.amount_minor, player)
        return _balance(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toke(Command[Balance]):
    """Give the dealers a plain tip from a player's wallet. Refused: BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book money from the wallet to the dealers."""
        player = known_player(work.connection, self.player)
        _book(work, EntryKind.TOKE, (wallet(player), TOKES), self.amount_minor, player)
        return _balance(work.connection, player)


def _book(work: Work, kind: EntryKind, accounts: tuple[Account, Account], amount: int, player: str | None) -> None:
    """Note and book an amount, from the account credited (second) to the one debited."""
    check_amount(amount, "amount_minor")
    noted = {"event": kind.value, "amount": amount, "player": player}
    ledger.book(work.unit, "cage", None, noted, [Booking(transfer(kind, *accounts, amount))], field="amount_minor")


def check_amount(amount: int, field: str, least: int = 1) -> None:
    """Check an amount in minor units. Refused: BAD_VALUE."""
    if type(amount) is not int or not least <= amount <= GREATEST_MINOR:
        limit = f"a whole number from {least} to {GREATEST_MINOR}"
        raise Refused(Refusal.BAD_VALUE, f"{field} must be {limit}", field, str(amount)[:40], limit)


def known_player(connection: Connection, player: str, field: str = "player") -> PlayerId:
    """Check that a player is registered. Refused: NOT_FOUND."""
    if not store.known(connection, [player]):
        raise unknown_player(player, field)
    return PlayerId(player)


def unknown_player(player: str, field: str) -> Refused:
    """Say that a player is not registered."""
    return Refused(Refusal.NOT_FOUND, "no player with this id is registered", field, player[:64])


def balance(house: House, player: str) -> Balance:
    """Return a player's money. Refused: NOT_FOUND."""
    with house.read() as connection:
        return _balance(connection, known_player(connection, player))


def _balance(connection: Connection, player: PlayerId) -> Balance:
    accounts = {"wallet_minor": wallet(player), "riding_minor": riding(player), "trade_minor": trade(player)}
    found = {one.account: one.normal for one in ledger.balances(connection, [one.name for one in accounts.values()])}
    return Balance(player=player, **{field: found[account.name] for field, account in accounts.items()})


def players(house: House, after: str = "", limit: int = 500) -> tuple[Player, ...]:
    """List players by id."""
    with house.read() as connection:
        return tuple(Player(player=one.id, name=one.name) for one in store.after(connection, after, limit))


def vault(house: House) -> Vault:
    """Return the vault and the capital."""
    with house.read() as connection:
        return _vault(connection)


def _vault(connection: Connection) -> Vault:
    return Vault(vault_minor=ledger.normal(connection, VAULT), capital_minor=ledger.normal(connection, BANK))
