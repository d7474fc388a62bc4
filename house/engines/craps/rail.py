"""Who shoots: players join the rail at its end, and the dice go round."""

from dataclasses import replace

from house.domain.ids import PlayerId
from house.domain.refusals import Refusal, Refused
from house.engines.craps.state import CrapsState
from house.engines.protocol import Played


def join(state: CrapsState, player: PlayerId) -> Played[CrapsState]:
    """Take the last place at the rail.

    Raises
    ------
    Refused
        ALREADY_EXISTS when the player stands there.
    """
    if player in state.rail:
        raise Refused(Refusal.ALREADY_EXISTS, "the player is at the rail", field="player", value=player)
    return Played(replace(state, rail=(*state.rail, player)))


def leave(state: CrapsState, player: PlayerId) -> Played[CrapsState]:
    """Leave the rail; the player's bets ride on.

    A shooter who leaves gives the dice to the next player, who goes on with the hand and its point.

    Raises
    ------
    Refused
        NOT_FOUND when the player is not there.
    """
    if player not in state.rail:
        raise Refused(Refusal.NOT_FOUND, "the player is not at the rail", field="player", value=player)
    calls = ("new shooter coming out" if state.point is None else "new shooter",) if player == state.rail[0] else ()
    return Played(replace(state, rail=tuple(other for other in state.rail if other != player)), calls=calls)


def pass_dice(rail: tuple[PlayerId, ...]) -> tuple[PlayerId, ...]:
    """The rail after a seven-out: its first shooter is its last.

    >>> pass_dice((PlayerId("ann"), PlayerId("bob")))
    ('bob', 'ann')
    """
    return rail[1:] + rail[:1]
