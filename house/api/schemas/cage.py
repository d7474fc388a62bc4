"""The cage over the wire: players and money."""

from house.api.schemas.fields import Amount, Answered, Asked, Balance, PersonName, PlayerId
from house.service import cage


class NewPlayer(Asked):
    """A player to register."""

    player: PlayerId
    name: PersonName

    def command(self) -> cage.RegisterPlayer:
        """The command that registers the player."""
        return cage.RegisterPlayer(player=self.player, name=self.name)


class Player(Answered):
    """A registered player."""

    player: PlayerId
    name: PersonName


class Sum(Asked):
    """A sum of money that changes hands."""

    amount_minor: Amount


class PlayerBalance(Answered):
    """A player's money."""

    player: PlayerId
    wallet_minor: Balance
    riding_minor: Balance
    trade_minor: Balance


class Vault(Answered):
    """The cage's vault, and the house's capital in it."""

    vault_minor: Balance
    capital_minor: Balance
