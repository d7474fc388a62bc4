"""How the demo's people bet at craps: each habit looks at the layout and names the bets of its window."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Bet = dict[str, Any]
Riding = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """The layout as one player sees it before a throw.

    Parameters
    ----------
    point
        The point, or None on a come-out.
    throws
        Throws in the shooter's hand so far.
    riding
        The player's own wagers.
    """

    point: int | None
    throws: int
    riding: tuple[Riding, ...]

    def wager(self, bet: str, spot: str = "") -> Riding | None:
        """The player's wager on a bet, or None."""
        return next((one for one in self.riding if one["bet"] == bet and spot in ("", one["spot"])), None)


Habit = Callable[[View], Iterator[Bet]]

TAKEN = {4: 45_00, 5: 60_00, 6: 75_00, 8: 75_00, 9: 60_00, 10: 45_00}
"""Greatest odds behind 15.00 at a table of 3-4-5 times."""

LAID = {4: 60_00, 5: 45_00, 6: 36_00, 8: 36_00, 9: 45_00, 10: 60_00}
"""Odds laid against a point to win 30.00."""


def right_way(view: View) -> Iterator[Bet]:
    """Pass line with full odds."""
    return _line(view, "pass", "odds", TAKEN)


def wrong_way(view: View) -> Iterator[Bet]:
    """Don't pass, laying odds."""
    return _line(view, "dont_pass", "lay_odds", LAID)


def _line(view: View, flat: str, odds: str, stakes: Mapping[int, int]) -> Iterator[Bet]:
    line = view.wager(flat)
    if view.point is None:
        if line is None:
            yield {"bet": flat, "stake_minor": 15_00}
    elif line is not None and view.wager(odds) is None:
        yield {"bet": odds, "stake_minor": stakes[view.point], "parent": line["id"]}


def place_inside(view: View) -> Iterator[Bet]:
    """The place numbers 5, 6, 8 and 9, but for the point."""
    if view.point is not None:
        for spot, stake in (("5", 15_00), ("6", 18_00), ("8", 18_00), ("9", 15_00)):
            if view.point != int(spot) and view.wager("place", spot) is None:
                yield {"bet": "place", "spot": spot, "stake_minor": stake}


def come_and_come_again(view: View) -> Iterator[Bet]:
    """Pass, then come bets until three numbers work."""
    flats = [one for one in view.riding if one["bet"] in ("pass", "come")]
    if view.point is None and view.wager("pass") is None:
        yield {"bet": "pass", "stake_minor": 15_00}
    elif view.point is not None and len(flats) < 3:
        yield {"bet": "come", "stake_minor": 15_00}


def field_every_throw(view: View) -> Iterator[Bet]:
    """The field, always."""
    if view.wager("field") is None:
        yield {"bet": "field", "stake_minor": 15_00}


def hard_numbers(view: View) -> Iterator[Bet]:
    """The four hardways once a point is on."""
    if view.point is not None:
        for spot in ("4", "6", "8", "10"):
            if view.wager("hardway", spot) is None:
                yield {"bet": "hardway", "spot": spot, "stake_minor": 5_00}


def center_of_the_table(view: View) -> Iterator[Bet]:
    """A proposition every second throw: they take turns."""
    turns = ("any_seven", "yo", "any_craps", "hi_lo", "horn", "c_and_e")
    bet = turns[view.throws // 2 % len(turns)]
    if view.throws % 2 and view.wager(bet) is None:
        yield {"bet": bet, "stake_minor": 8_00}


HABITS: Mapping[str, tuple[str, Habit]] = {
    "ruth": ("Ruth Right", right_way),
    "wes": ("Wes Wrong", wrong_way),
    "ines": ("Ines Inside", place_inside),
    "cole": ("Cole Comes", come_and_come_again),
    "fay": ("Fay Field", field_every_throw),
    "hal": ("Hal Hardway", hard_numbers),
    "pru": ("Pru Center", center_of_the_table),
}
"""The craps players: id, name and habit."""
