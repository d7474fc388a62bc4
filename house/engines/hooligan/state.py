"""The state of a Hooligan counter: at most one game, a player's against the house or one among peers."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from house.domain.ids import PlayerId, RoundId, WagerId
from payouts.hooligan.rules import Position


class Decides(StrEnum):
    """Who wins or pays in peer play."""

    HIGH = "high"  # the highest wins
    LOW = "low"  # the lowest pays
    TWO_LOW = "two_low"  # the two lowest pay


@dataclass(frozen=True, slots=True, kw_only=True)
class BankGame:
    """A player's game against the house.

    Parameters
    ----------
    stake
        Minor units paid to play.
    schedule
        Fingerprint of the schedule under which the game is played to its end.
    """

    round: RoundId
    player: PlayerId
    wager: WagerId
    stake: int
    schedule: str
    position: Position


@dataclass(frozen=True, slots=True)
class Contest:
    """Players who throw one hand of five dice each, for the total; those who throw come first to last.

    Parameters
    ----------
    totals
        Totals of the players who have thrown.
    """

    players: tuple[PlayerId, ...]
    totals: tuple[int, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether all have thrown."""
        return len(self.totals) == len(self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerGame:
    """A game among 2 to 12 players; it moves no money.

    Parameters
    ----------
    groups
        Players from first to last to play; those in one group have tied so far and throw again for their order.
    contest
        The hand of five that is being thrown: for the order of play, or at the end for the deciding place.
    positions
        A game for each player, in order of play; empty until the order stands.
    turn
        Index in `positions` of the player whose frame it is.
    decided
        Players who won, or who pay, as far as that is decided.
    """

    round: RoundId
    decides: Decides
    schedule: str
    groups: tuple[tuple[PlayerId, ...], ...]
    contest: Contest | None = None
    positions: tuple[Position, ...] = ()
    turn: int = 0
    decided: tuple[PlayerId, ...] = ()

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Players, in order of play as far as it stands."""
        return tuple(player for group in self.groups for player in group)

    @property
    def is_over(self) -> bool:
        """Whether all frames are played and nothing is tied."""
        return bool(self.positions) and all(each.is_over for each in self.positions) and self.contest is None


Game = BankGame | PeerGame


@dataclass(frozen=True, slots=True)
class HooliganState:
    """A counter between two commands; a game that is over stays to be seen until the next begins.

    One game at a time: a counter has one box of dice, and the game that has it must end before the next begins.
    """

    game: Game | None = None

    @property
    def in_progress(self) -> bool:
        """Whether a game is being played."""
        if isinstance(self.game, BankGame):
            return not self.game.position.is_over
        return self.game is not None and not self.game.is_over

    def to_json(self) -> dict[str, Any]:
        """Plain values for JSON, from which `from_json` makes an equal state."""
        if self.game is None:
            return {"mode": "", "game": None}
        return {"mode": "bank" if isinstance(self.game, BankGame) else "peer", "game": asdict(self.game)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "HooliganState":
        """Read what `to_json` wrote, as such or after a trip through JSON text.

        Examples
        --------
        >>> game = PeerGame(round=RoundId("1"), decides=Decides.LOW, schedule="f", groups=((PlayerId("ann"),),))
        >>> HooliganState.from_json(HooliganState(game).to_json()) == HooliganState(game)
        True
        """
        match values["mode"]:
            case "bank":
                return cls(_bank_game(values["game"]))
            case "peer":
                return cls(_peer_game(values["game"]))
        return cls()


def _position(values: dict[str, Any]) -> Position:
    tuples = {key: tuple(values[key]) for key in ("sheet", "dice", "aside")}
    return Position(**{**values, **tuples})


def _bank_game(values: dict[str, Any]) -> BankGame:
    return BankGame(**{**values, "position": _position(values["position"])})


def _peer_game(values: dict[str, Any]) -> PeerGame:
    contest = values["contest"]
    read = {
        "decides": Decides(values["decides"]),
        "groups": tuple(tuple(group) for group in values["groups"]),
        "contest": contest and Contest(tuple(contest["players"]), tuple(contest["totals"])),
        "positions": tuple(_position(position) for position in values["positions"]),
        "decided": tuple(values["decided"]),
    }
    return PeerGame(**{**values, **read})
