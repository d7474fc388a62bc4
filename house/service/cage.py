"""The cage: players, their money, and the house's own. All amounts are minor units of the house's currency."""

from dataclasses import dataclass

from house.service.desk import Command, House


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A registered player; the id is opaque, the name is kept apart from every record of play."""

    player: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """A player's money: in the wallet, and riding on layouts."""

    player: str
    wallet_minor: int
    riding_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vault:
    """What lies in the cage's vault, and the capital that the house put in."""

    vault_minor: int
    capital_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterPlayer(Command[Player]):
    """Register a player under an id of the caller's. Refused: ALREADY_EXISTS."""

    player: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FundHouse(Command[Vault]):
    """Put the house's own money into the vault: what openers and winnings are paid from."""

    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn(Command[Balance]):
    """Take a player's money at the cage. Refused: NOT_FOUND."""

    player: str
    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut(Command[Balance]):
    """Pay a player out at the cage. Refused: NOT_FOUND, INSUFFICIENT_FUNDS."""

    player: str
    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Toke(Command[Balance]):
    """Give the dealers a plain tip from a player's wallet. Refused: NOT_FOUND, INSUFFICIENT_FUNDS."""

    player: str
    amount_minor: int


def balance(house: House, player: str) -> Balance:
    """Return a player's money. Refused: NOT_FOUND."""
    raise NotImplementedError


def players(house: House, after: str = "", limit: int = 500) -> tuple[Player, ...]:
    """List players by id."""
    raise NotImplementedError


def vault(house: House) -> Vault:
    """Return the vault and the capital."""
    raise NotImplementedError
