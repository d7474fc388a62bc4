"""The cage over the wire: players and money."""

from typing import Annotated

from pydantic import Field

from house.api.schemas.fields import Amount, Answered, Asked, Balance, Lookalikes, PersonName, PlayerId
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
    lookalikes: Lookalikes


class Sum(Asked):
    """A sum of money that changes hands."""

    amount_minor: Amount


class PlayerBalance(Answered):
    """A player's money."""

    player: PlayerId
    wallet_minor: Balance
    riding_minor: Balance
    trade_minor: Balance
    marker_minor: Balance


class Vault(Answered):
    """The house's own money in the cage, its players', and what its tables may still lose."""

    vault_minor: Balance
    deposits_minor: Annotated[int, Field(description="What players and dealers own", examples=[1250000])]
    capital_minor: Balance
    reserved_minor: Annotated[int, Field(description="What tables may lose beyond their racks", examples=[20000])]
    free_minor: Annotated[int, Field(description="Vault less reserve; below 0 the house is short", examples=[80000])]
