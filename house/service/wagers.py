"""Wagers at a craps table: all bets of a window in one command, take-downs, working calls, the rail."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from house.domain.people import Scope
from house.engines.protocol import Movement, Result
from house.service.cage import known_player, unknown_player
from house.service.desk import Command, House, Work
from house.service.games import GAMES
from house.service.generator import reserve
from house.service.play import Step, in_round, known_table, open_table, play, state_of
from house.store import players


class Call(StrEnum):
    """What a player may call a wager: working, off, or back to the rule of the table."""

    WORKING = "working"
    OFF = "off"
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """One bet of a window.

    Parameters
    ----------
    bet
        Id of the bet, as the schedule names it.
    spot
        Where on the layout: a number ("6"), a hop ("2-3"), or "".
    parent
        For odds: the wager behind which they lie.
    toke
        A bet for the dealers: same rules, kept apart in the accounts.
    """

    player: str
    bet: str
    stake_minor: int
    spot: str = ""
    parent: str | None = None
    toke: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDown:
    """A wager to take down; `stake_minor` of it, or all of it."""

    wager: str
    stake_minor: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """A wager and the stake to add to it."""

    wager: str
    stake_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerCall:
    """A wager and what it is called."""

    wager: str
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What a command did at a table.

    Parameters
    ----------
    wagers
        Ids of the wagers of a `PlaceBets`, in its order.
    state
        The engine's state after it, as JSON.
    """

    table: str
    movements: tuple[Movement, ...]
    calls: tuple[str, ...]
    wagers: tuple[str, ...]
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceBets(Command[Moved]):
    """Put bets on the layout: all or none; bets of several players may come in one command.

    Raises
    ------
    Refused
        By the engine (field names the bet's index, "bets[2].stake_minor"), and INSUFFICIENT_FUNDS, NOT_FOUND,
        TABLE_CLOSED; where the house draws, as `generator.reserve`.
    """

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    bets: tuple[Bet, ...]

    def run(self, work: Work) -> Moved:
        """Name the wagers and play them."""
        table = open_table(work.connection, self.table, "craps")
        known = players.known(work.connection, {bet.player for bet in self.bets})
        for index, bet in enumerate(self.bets):
            if bet.player not in known:
                raise unknown_player(bet.player, f"bets[{index}].player")
        bets = [
            {
                "wager": f"{table.id}-{table.wagers + number}",
                "player": bet.player,
                "bet": bet.bet,
                "spot": bet.spot,
                "stake": bet.stake_minor,
                "parent": bet.parent,
                "toke": bet.toke,
            }
            for number, bet in enumerate(self.bets)
        ]
        named = replace(in_round(table), wagers=table.wagers + len(bets))
        return _moved(play(work, named, "bet", {"op": "place", "bets": bets}, reserve(work, named), field="bets"))


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDownBets(Command[Moved]):
    """Take wagers down, whole or in part; all or none. Refused: CONTRACT_BET, NOT_FOUND, TABLE_CLOSED."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    wagers: tuple[TakeDown, ...]

    def run(self, work: Work) -> Moved:
        """Take them down in order."""
        items = [{"wager": one.wager, "stake": one.stake_minor} for one in self.wagers]
        return _change(work, self.table, "take_down", items)


@dataclass(frozen=True, slots=True, kw_only=True)
class PressBets(Command[Moved]):
    """Add to wagers that ride; all or none. Refused: as `PlaceBets`, and BET_CLOSED where a wager has moved on."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    wagers: tuple[Press, ...]

    def run(self, work: Work) -> Moved:
        """Press them in order."""
        return _change(
            work, self.table, "press", [{"wager": one.wager, "stake": one.stake_minor} for one in self.wagers]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWagers(Command[Moved]):
    """Call wagers working or off; all or none. Refused: NOT_FOUND, BET_CLOSED, TABLE_CLOSED."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    calls: tuple[WagerCall, ...]

    def run(self, work: Work) -> Moved:
        """Call them in order."""
        items = [{"wager": one.wager, "working": WORKING[one.call]} for one in self.calls]
        return _change(work, self.table, "call", items)


WORKING = {Call.WORKING: True, Call.OFF: False, Call.RULE: None}


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinRail(Command[Moved]):
    """Let a player stand at the rail: the dice come to players in the order in which they joined."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    player: str

    def run(self, work: Work) -> Moved:
        """Join."""
        player = known_player(work.connection, self.player)
        table = open_table(work.connection, self.table, "craps")
        return _moved(play(work, table, "rail", {"op": "join", "player": player}))


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveRail(Command[Moved]):
    """Let a player leave the rail; his wagers stay."""

    scope: ClassVar[Scope] = Scope.WAGERS_WRITE
    table: str
    player: str

    def run(self, work: Work) -> Moved:
        """Leave."""
        player = known_player(work.connection, self.player)
        table = open_table(work.connection, self.table, "craps")
        return _moved(play(work, table, "rail", {"op": "leave", "player": player}))


def _change(work: Work, table_id: str, op: str, items: list[dict[str, Any]]) -> Moved:
    table = in_round(open_table(work.connection, table_id, "craps"))
    return _moved(play(work, table, "bet", {"op": op, "wagers": items}, field="wagers"))


def _moved(step: Step) -> Moved:
    staked = dict.fromkeys(one.wager for one in step.played.movements if one.result is Result.STAKED)
    return Moved(
        table=step.table.id,
        movements=step.played.movements,
        calls=step.played.calls,
        wagers=tuple(staked),
        state=step.state,
    )


def riding(house: House, table_id: str) -> tuple[Mapping[str, Any], ...]:
    """List the wagers riding at a table: wager, player, bet, spot, stake_minor, schedule, toke, parent, working."""
    with house.read() as connection:
        table = known_table(connection, table_id)
        return tuple(asdict(wager) for wager in GAMES[table.game].riding(state_of(table)))
