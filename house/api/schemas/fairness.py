"""The house's own generator over the wire: promises, seeds, draws and their proof."""

from typing import Annotated

from pydantic import Field

from house.api.schemas.fields import ID, Answered, Asked, Count, DieSerial, Face, PlayerId, TableId
from house.api.schemas.play import ChoiceText, Settled
from house.service import generator

_HEX = "0" * 64
Commitment = Annotated[
    str,
    Field(
        pattern=r"^[0-9a-f]{64}$",
        min_length=64,
        max_length=64,
        description="Promise of a seed of the house: SHA-256 of a domain and the seed, in hex",
        examples=["7ad320ec17aff14ddc3f445a5ca4e754c705c79ddff62a226142c13c3c2671a1"],
    ),
]
Seed = Annotated[str, Field(description="A seed of the house: 32 bytes in hex", examples=[_HEX])]
ClientSeed = Annotated[
    str,
    Field(
        pattern=ID,
        min_length=1,
        max_length=64,
        description="The player's own seed, named after the commitment was seen",
        examples=["lucky-seven"],
    ),
]
Nonce = Annotated[Count, Field(description="Which throw under the seed, from 0 without gaps")]
Faces = Annotated[
    list[Face], Field(description="Faces in the order of the dice; none where it is not thrown yet", examples=[[4, 6]])
]


class NewClientSeed(Asked):
    """The player's own seed for the commitment in use."""

    commitment: Commitment
    client: ClientSeed

    def command(self, player: str) -> generator.SetClientSeed:
        """The command that takes it."""
        return generator.SetClientSeed(player=player, commitment=self.commitment, client=self.client)


class NewReveal(Asked):
    """The end of the seed in use, and the player's own seed for the next commitment."""

    next_commitment: Commitment
    client: ClientSeed

    def command(self, player: str) -> generator.RevealSeed:
        """The command that reveals the seed in use."""
        return generator.RevealSeed(player=player, next_commitment=self.next_commitment, client=self.client)


class NewDraw(Asked):
    """A throw for the house to draw."""

    choice: Annotated[ChoiceText | None, Field(description="Hooligan: the choice before this throw; null for none")] = (
        None
    )


class Seeds(Answered):
    """A player's seeds as everyone may see them."""

    player: PlayerId
    commitment: Commitment
    client: Annotated[ClientSeed | None, Field(description="The player's own seed; null until he names one")]
    nonce: Nonce
    next_commitment: Commitment


class Revealed(Answered):
    """A revealed seed, the throws drawn under it, and the seeds from now on."""

    commitment: Commitment
    seed: Seed
    throws: Count
    seeds: Annotated[Seeds, Field(description="The seeds from now on")]


class Drawn(Answered):
    """A throw of the generator: what it showed, by what it can be computed again, and what it settled."""

    commitment: Commitment
    client: ClientSeed
    nonce: Nonce
    dice: Annotated[list[DieSerial], Field(description="Dice of the throw, in the order of the faces")]
    faces: Faces
    settled: Annotated[Settled, Field(description="What the throw did")]


class DrawnThrow(Answered):
    """One throw of the generator."""

    nonce: Nonce
    client: ClientSeed
    table: TableId
    throw: Annotated[Count, Field(description="Number of the throw at its table")]
    faces: Faces


class Proof(Answered):
    """What is known of a seed of the house, and a page of the throws that it drew."""

    player: PlayerId
    number: Annotated[Count, Field(description="Which of the player's seeds, from 0")]
    commitment: Commitment
    seed: Annotated[Seed | None, Field(description="The seed in hex; null while it is secret")]
    committed: Annotated[Count, Field(description="Record of the history that published the commitment")]
    revealed: Annotated[Count | None, Field(description="Record that published the seed; null while it is secret")]
    throws: Annotated[Count, Field(description="Throws drawn under the seed so far, or reserved")]
    draws: Annotated[list[DrawnThrow], Field(description="Throws of this page, by nonce")]
    next: Annotated[
        str | None, Field(description="Link to the next page; null on the last", examples=["/v1/seeds/7ad3?after=499"])
    ] = None
