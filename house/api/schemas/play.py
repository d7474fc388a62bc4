"""Play over the wire: wagers, games of Hooligan, throws, and what they move."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from house.api.schemas.fields import (
    Amount,
    Answered,
    Asked,
    BetId,
    BoxSerial,
    Calls,
    Count,
    DieSerial,
    EngineState,
    Face,
    PlayerId,
    RoundId,
    Spot,
    TableId,
    WagerId,
)
from house.domain.throws import DieState
from house.service import hooligan, throws
from house.service import wagers as layout

Toke = Annotated[bool, Field(strict=True, description="A bet for the dealers", examples=[False])]
ShownFace = Annotated[Face | None, Field(description="Face shown; null where it could not be read")]
StateOfDie = Annotated[
    Literal["ok", "cocked", "off", "foul", "void"],
    Field(description="How the die came to rest; any state but ok voids the throw", examples=["ok"]),
]
Source = Annotated[
    Literal["dealer", "camera", "import", "rng"], Field(description="Who read the dice", examples=["dealer"])
]
ChoiceText = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        pattern=r"^[a-z_]+( [0-9])*$",
        description="A choice of the player, as the state's game offers it",
        examples=["name 6", "take_up", "keep 0 2 3"],
    ),
]


class Movement(Answered):
    """What one wager's money did; minor units."""

    wager: WagerId
    player: PlayerId
    bet: BetId
    spot: Spot
    result: Annotated[
        Literal["staked", "won", "lost", "tied", "returned"],
        Field(description="What happened to the wager", examples=["won"]),
    ]
    staked: Count
    returned: Count
    lost: Count
    winnings: Annotated[Count, Field(description="Paid beside the stake, commission not taken from it")]
    commission: Count
    commission_back: Count
    breakage: Annotated[Count, Field(description="What rounding left with the house")]
    held: Annotated[Count, Field(description="Winnings above the schedule's greatest, which are not paid")]
    resolved: Annotated[Count, Field(description="Stake that this step decided; percentages are measured against it")]
    odds: Annotated[str, Field(description="The price paid, as printed", examples=["7 to 6"])]
    toke: Toke


class Bet(Asked):
    """One bet of a betting window."""

    player: PlayerId
    bet: BetId
    spot: Spot = ""
    stake_minor: Amount
    parent: Annotated[WagerId | None, Field(description="For odds: the wager behind which they lie")] = None
    toke: Toke = False

    def asked(self) -> layout.Bet:
        """The bet as the service takes it."""
        return layout.Bet(
            player=self.player,
            bet=self.bet,
            spot=self.spot,
            stake_minor=self.stake_minor,
            parent=self.parent,
            toke=self.toke,
        )


class Bets(Asked):
    """All bets of a window: all are placed or none."""

    bets: Annotated[list[Bet], Field(min_length=1, max_length=500, description="Bets, in the order they are made")]

    def command(self, table: str) -> layout.PlaceBets:
        """The command that places them."""
        return layout.PlaceBets(table=table, bets=tuple(bet.asked() for bet in self.bets))


class TakeDown(Asked):
    """A wager to take down."""

    wager: WagerId
    stake_minor: Annotated[Amount | None, Field(description="How much of it; null for all")] = None


class TakeDowns(Asked):
    """Wagers to take down: all or none."""

    wagers: Annotated[list[TakeDown], Field(min_length=1, max_length=500, description="Wagers")]

    def command(self, table: str) -> layout.TakeDownBets:
        """The command that takes them down."""
        downs = tuple(layout.TakeDown(wager=down.wager, stake_minor=down.stake_minor) for down in self.wagers)
        return layout.TakeDownBets(table=table, wagers=downs)


class Press(Asked):
    """A wager and the stake to add to it."""

    wager: WagerId
    stake_minor: Amount


class Presses(Asked):
    """Wagers to press: all or none."""

    wagers: Annotated[list[Press], Field(min_length=1, max_length=500, description="Wagers")]

    def command(self, table: str) -> layout.PressBets:
        """The command that presses them."""
        presses = tuple(layout.Press(wager=one.wager, stake_minor=one.stake_minor) for one in self.wagers)
        return layout.PressBets(table=table, wagers=presses)


class WagerCall(Asked):
    """A wager and what it is called."""

    wager: WagerId
    call: Annotated[
        Literal["working", "off", "rule"],
        Field(description="Working, off, or back to the rule of the table", examples=["working"]),
    ]


class WagerCalls(Asked):
    """Wagers called working or off: all or none."""

    calls: Annotated[list[WagerCall], Field(min_length=1, max_length=500, description="Calls")]

    def command(self, table: str) -> layout.CallWagers:
        """The command that calls them."""
        calls = tuple(layout.WagerCall(wager=call.wager, call=layout.Call(call.call)) for call in self.calls)
        return layout.CallWagers(table=table, calls=calls)


class AtTheRail(Asked):
    """A player who comes to the rail or leaves it."""

    player: PlayerId


class Moved(Answered):
    """What a command did at a craps table."""

    table: TableId
    movements: list[Movement]
    calls: Calls
    wagers: Annotated[list[WagerId], Field(description="Ids of the bets placed, in their order")]
    state: EngineState


class Riding(Answered):
    """The wagers that ride at a table."""

    items: Annotated[list[dict[str, Any]], Field(description="Wagers: id, player, bet, spot, stake_minor")]


class NewGame(Asked):
    """A game of Hooligan against the house."""

    player: PlayerId

    def command(self, table: str) -> hooligan.StartGame:
        """The command that takes the stake and starts the game."""
        return hooligan.StartGame(table=table, player=self.player)


class NewPeerGame(Asked):
    """A game of Hooligan among players, for drinks."""

    players: Annotated[list[PlayerId], Field(min_length=2, max_length=12, description="Players")]
    decides: Annotated[
        Literal["high", "low", "two_low"],
        Field(description="High man wins, low man pays, or the two low men pay", examples=["low"]),
    ]

    def command(self, table: str) -> hooligan.StartPeerGame:
        """The command that starts the game."""
        decides = hooligan.Decides(self.decides)
        return hooligan.StartPeerGame(table=table, players=tuple(self.players), decides=decides)


class NewChoice(Asked):
    """A choice without a throw behind it: one that ends the last frame."""

    choice: ChoiceText


class GameMoved(Answered):
    """A game of Hooligan after a step."""

    table: TableId
    round: RoundId
    movements: list[Movement]
    calls: Calls
    state: EngineState


class ThrownDie(Asked):
    """One die of a throw."""

    die: DieSerial
    face: ShownFace
    state: StateOfDie = "ok"


class NewThrow(Asked):
    """A throw, with the choice that the player made before it."""

    dice: Annotated[list[ThrownDie], Field(min_length=1, max_length=5, description="Dice thrown, in order of slots")]
    choice: Annotated[ChoiceText | None, Field(description="Hooligan: the choice before this throw; null for none")] = (
        None
    )
    shooter: Annotated[PlayerId | None, Field(description="Who throws; null for the one whose turn it is")] = None
    source: Source = "dealer"

    def command(self, table: str) -> throws.Throw:
        """The command that settles the throw."""
        return throws.Throw(
            table=table,
            dice=tuple(throws.Thrown(die=die.die, face=die.face, state=DieState(die.state)) for die in self.dice),
            choice=self.choice,
            shooter=self.shooter,
            source=throws.Source(self.source),
        )


class Settled(Answered):
    """What a throw did."""

    table: TableId
    throw: Annotated[Count, Field(description="Number of the throw at its table, from 0 without gaps")]
    round: RoundId
    void: Annotated[bool, Field(description="Whether it counts for nothing and is thrown again", examples=[False])]
    movements: list[Movement]
    calls: Calls
    state: EngineState


class ThrowRow(Answered):
    """One die of one throw: a row of the throw log."""

    throw: Count
    at: Annotated[datetime, Field(description="When it was thrown, UTC", examples=["2026-11-29T21:04:05Z"])]
    table: TableId
    game: Annotated[str, Field(description="Game", examples=["craps"])]
    round: RoundId
    method: Annotated[str, Field(description="How the dice were thrown", examples=["hand"])]
    box: Annotated[BoxSerial | None, Field(description="Dice box, or null")]
    shooter: Annotated[PlayerId | None, Field(description="Who threw, or null")]
    slot: Annotated[int, Field(description="Place of the die in the throw, from 0", examples=[0])]
    die: Annotated[DieSerial | None, Field(description="Serial of the die, or null")]
    face: ShownFace
    state: Annotated[str, Field(description="How the die came to rest", examples=["ok"])]
    stake_class: Annotated[int | None, Field(description="Quartile of the stakes riding, 0 to 3", examples=[2])]
    source: Annotated[str, Field(description="Who read the dice", examples=["dealer"])]
    gaming_day: Annotated[str, Field(description="Gaming day", examples=["2026-11-29"])]
