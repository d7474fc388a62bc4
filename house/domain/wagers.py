"""A wager: a stake on a bet, from the moment it is placed until it is settled."""

from dataclasses import dataclass

from house.domain.ids import PlayerId, WagerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A bet that a player asks for.

    Parameters
    ----------
    wager
        Id of the wager to be; the caller's, never used before at the table.
    spot
        Where on the layout: "" or "6" or "1-2", as the bet takes.
    stake
        Minor units.
    parent
        The flat wager that odds stand behind; None for every other bet.
    toke
        A bet for the dealers: same rules, kept apart in the accounts.
    """

    wager: WagerId
    player: PlayerId
    bet: str
    stake: int
    spot: str = ""
    parent: WagerId | None = None
    toke: bool = False


@dataclass(frozen=True, slots=True)
class RidingLeg:
    """A part of a wager that is not settled yet.

    Parameters
    ----------
    index
        Which leg of the bet: a horn has four, most bets one.
    stake
        Minor units.
    state
        State of the leg's machine.
    """

    index: int
    stake: int
    state: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wager:
    """A stake that rides on the layout.

    Parameters
    ----------
    schedule
        Fingerprint of the schedule under which the wager was made, and by which it is settled.
    called
        What its player called it since the puck last moved: True working, False off, None nothing.
    commission
        Minor units of commission paid up front, which come back if the wager is taken down.
    """

    id: WagerId
    player: PlayerId
    bet: str
    spot: str
    legs: tuple[RidingLeg, ...]
    schedule: str
    parent: WagerId | None = None
    called: bool | None = None
    toke: bool = False
    commission: int = 0

    @property
    def stake(self) -> int:
        """What rides, in minor units."""
        return sum(leg.stake for leg in self.legs)
