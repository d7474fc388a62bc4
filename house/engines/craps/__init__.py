"""Craps as a table plays it: pure functions from a state, its schedules and a command to a new state and movements."""

from house.engines.craps.betting import place
from house.engines.craps.calls import tell
from house.engines.craps.changes import press, reduce, take_down
from house.engines.craps.exposure import exposure, greatest_winnings
from house.engines.craps.offers import Offer, open_bets
from house.engines.craps.rail import join, leave
from house.engines.craps.state import CrapsState, Schedules, riding
from house.engines.craps.throwing import throw
from house.engines.craps.working import call, is_working

__all__ = [
    "CrapsState",
    "Offer",
    "Schedules",
    "call",
    "exposure",
    "greatest_winnings",
    "is_working",
    "join",
    "leave",
    "open_bets",
    "place",
    "press",
    "reduce",
    "riding",
    "take_down",
    "tell",
    "throw",
]
