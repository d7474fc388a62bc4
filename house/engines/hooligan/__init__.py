"""The engine of a Hooligan counter: state and command to state, movements and calls; it moves no money itself."""

from house.engines.hooligan.counter import (
    choice_json,
    choose,
    dice_to_throw,
    must_choose,
    open_choices,
    position,
    read_choice,
    shooter,
    start_game,
    start_peer_game,
    throw,
)
from house.engines.hooligan.state import BankGame, Decides, HooliganState, PeerGame

__all__ = [
    "BankGame",
    "Decides",
    "HooliganState",
    "PeerGame",
    "choice_json",
    "choose",
    "dice_to_throw",
    "must_choose",
    "open_choices",
    "position",
    "read_choice",
    "shooter",
    "start_game",
    "start_peer_game",
    "throw",
]
