"""The cage: players, their money, and the house's own. All amounts are minor units of the house's currency."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from sqlalchemy import Connection

from house.domain.bookings import entries_of
from house.domain.ids import PlayerId, check_id, check_name
from house.domain.ledger import (
    GREATEST_MINOR,
    SUSPENSE,
    TOKES,
    marker,
    riding,
    trade,
    wallet,
)
from house.domain.names import skeleton
from house.domain.people import Scope
from house.domain.refusals import Refusal, Refused
from house.service.desk import Command, House, Work
from house.service.solvency import Vault, check_reserve, vault_of
from house.store import ledger, records
from house.store import players as store
from house.store.ledger import Booking
from house.store.players import StoredPlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A registered player; the id is opaque, the name is kept apart from every record of play.

    Parameters
    ----------
    lookalikes
        Ids of others whose name looks the same.
    """

    player: str
    name: str
    lookalikes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """A player's money.

    Parameters
    ----------
    trade_minor
        Won in trade: goods at face value, not cashed.
    marker_minor
        What the player owes on signed markers.
    """

    player: str
    wallet_minor: int
    riding_minor: int
    trade_minor: int
    marker_minor: int = 0


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
        new = StoredPlayer(player, name, skeleton(name))
        store.add(work.unit, new)
        ledger.open_accounts(work.unit, (wallet(player), riding(player), trade(player), marker(player)))
        records.append(work.unit, "user_event", None, {"event": "registered", "player": player})
        return _players(work.connection, [new])[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class FundHouse(Command[Vault]):
    """Put the house's own money into the vault: what openers and winnings are paid from."""

    scope: ClassVar[Scope] = Scope.VAULT_WRITE
    amount_minor: int

    def run(self, work: Work) -> Vault:
        """Book the capital."""
        _book(work, "capital", self.amount_minor)
        return vault_of(work.connection)


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawCapital(Command[Vault]):
    """Take the house's own money out of the vault; it leaves what tables may still lose.

    Refused: BAD_VALUE, INSUFFICIENT_FUNDS.
    """

    scope: ClassVar[Scope] = Scope.VAULT_WRITE
    approval: ClassVar[Scope | None] = Scope.SLIPS_APPROVE
    amount_minor: int

    def run(self, work: Work) -> Vault:
        """Book the withdrawal."""
        _book(work, "withdrawal", self.amount_minor)
        check_reserve(work.connection, "amount_minor", self.amount_minor)
        return vault_of(work.connection)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn(Command[Balance]):
    """Take a player's money at the cage. Refused: BAD_VALUE, NOT_FOUND."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book money into the deposits and the wallet."""
        player = known_player(work.connection, self.player)
        _book(work, "buy_in", self.amount_minor, player)
        return balance_of(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut(Command[Balance]):
    """Pay a player out at the cage. Refused: BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book money out of the wallet and the deposits."""
        player = known_player(work.connection, self.player)
        _book(work, "cash_out", self.amount_minor, player)
        return balance_of(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toke(Command[Balance]):
    """Give the dealers a plain tip from a player's wallet. Refused: BAD_VALUE, NOT_FOUND, INSUFFICIENT_FUNDS."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    player: str
    amount_minor: int

    def run(self, work: Work) -> Balance:
        """Book money from the wallet to the dealers."""
        player = known_player(work.connection, self.player)
        _book(work, "toke", self.amount_minor, player)
        return balance_of(work.connection, player)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokeBox:
    """The dealers' money that is not paid out yet.

    Parameters
    ----------
    owed_minor
        What they owe, who were paid tokes that a correction took back; withheld from the box before they are paid.
    """

    tokes_minor: int
    owed_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PayTokes(Command[TokeBox]):
    """Pay the dealers out of their box, once what they owe is withheld. Refused: BAD_VALUE, INSUFFICIENT_FUNDS."""

    scope: ClassVar[Scope] = Scope.CAGE_WRITE
    amount_minor: int

    def run(self, work: Work) -> TokeBox:
        """Book money from the dealers out of the deposits, and what they owe to the vault."""
        check_amount(self.amount_minor, "amount_minor")
        box = _toke_box(work.connection)
        if self.amount_minor > (left := max(0, box.tokes_minor - box.owed_minor)):
            message = "the dealers' box does not hold the amount beyond what they owe"
            value, limit = str(self.amount_minor), f"at most {left}"
            raise Refused(Refusal.INSUFFICIENT_FUNDS, message, "amount_minor", value, limit)
        noted = {"amount": self.amount_minor, "player": None, "withheld": box.owed_minor}
        book_event(work, "cage", "toke_paid", None, noted, field="amount_minor")
        return _toke_box(work.connection)


def _toke_box(connection: Connection) -> TokeBox:
    return TokeBox(tokes_minor=ledger.normal(connection, TOKES), owed_minor=-ledger.normal(connection, SUSPENSE))


def _book(work: Work, event: str, amount: int, player: str | None = None) -> None:
    check_amount(amount, "amount_minor")
    book_event(work, "cage", event, None, {"amount": amount, "player": player}, field="amount_minor")


def book_event(
    work: Work,
    kind: str,
    event: str,
    table: str | None,
    body: Mapping[str, Any],
    *,
    field: str,
    reason: str | None = None,
) -> int:
    """Note an event, of a table or of the cage, and book what `bookings` says of it; the number of its record.

    Refused: as `ledger.post`, naming the field.
    """
    entries = entries_of(event, table, body)
    assert entries is not None, f"{event} is an event that books"
    made = [Booking(entry, table, reason=reason) for entry in entries]
    return ledger.book(work.unit, kind, table, {"event": event, **body}, made, field=field)


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
        return balance_of(connection, known_player(connection, player))


def balance_of(connection: Connection, player: PlayerId) -> Balance:
    """Read a player's money."""
    accounts = {"wallet_minor": wallet(player), "riding_minor": riding(player), "trade_minor": trade(player)}
    accounts["marker_minor"] = marker(player)
    found = {one.account: one.normal for one in ledger.balances(connection, [one.name for one in accounts.values()])}
    return Balance(player=player, **{field: found[account.name] for field, account in accounts.items()})


def player(house: House, player: str) -> Player:
    """Return a player as registered. Refused: NOT_FOUND."""
    with house.read() as connection:
        found = store.get(connection, player)
        if found is None:
            raise unknown_player(player, "player")
        return _players(connection, [found])[0]


def players(house: House, after: str = "", limit: int = 500) -> tuple[Player, ...]:
    """List players by id."""
    with house.read() as connection:
        return _players(connection, store.after(connection, after, limit))


def _players(connection: Connection, found: Sequence[StoredPlayer]) -> tuple[Player, ...]:
    alike = store.alike(connection, {one.skeleton for one in found})
    return tuple(
        Player(
            player=one.id, name=one.name, lookalikes=tuple(other for other in alike[one.skeleton] if other != one.id)
        )
        for one in found
    )


def vault(house: House) -> Vault:
    """Return the house's own money, its players' and its capital."""
    with house.read() as connection:
        return vault_of(connection)


def tokes(house: House) -> TokeBox:
    """Return the dealers' money, and what they owe."""
    with house.read() as connection:
        return _toke_box(connection)
