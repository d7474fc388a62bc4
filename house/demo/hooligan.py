"""An evening at the Hooligan counter: game after game, two boxes in turn, the dice changed between them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from house.demo.craps import read
from house.demo.dice import Box, Die, Hand
from house.demo.script import Script, post
from payouts.hooligan.advice import advise
from payouts.hooligan.players import Player
from payouts.hooligan.rules import (
    Choice,
    HooliganRules,
    Position,
    choose,
    dice_to_throw,
    start,
    throw,
)
from payouts.hooligan.schedule import HooliganSchedule
from payouts.hooligan.solver import solve

COUNTER = "hooligan-1"
SCHEDULE = "scarne-quarter"
SETS = tuple(tuple(Die(f"H-{5 * crew + place:02d}") for place in range(1, 6)) for crew in range(2))
"""The counter's dice, all honest, by set of five."""
HONEST = (Box("B-1"), Box("B-2"))
CROOKED = Box("B-3", repeats=0.25)
"""A box with a false lip: in one throw of four, one die slides out as it lay."""
GAMES_A_BOX = 10
BUY_IN = 200_00
Policy = Callable[[Position], Choice]


PLAYERS: Mapping[str, tuple[str, Player]] = {
    "otto": ("Otto Optimal", Player.OPTIMAL),
    "stella": ("Stella Score", Player.SCORE),
    "sid": ("Sid Simple", Player.SIMPLE),
    "bea": ("Bea Blind", Player.BLIND),
}
"""The Hooligan players: id, name and kind."""


def policies(schedule: HooliganSchedule) -> dict[str, Policy]:
    """How every player chooses under a schedule: as the solved play of the kind does."""
    return {player: _policy(schedule, kind) for player, (_, kind) in PLAYERS.items()}


_solve = cache(solve)
"""Each kind of player is solved once, however many evenings are played."""


def _policy(schedule: HooliganSchedule, kind: Player) -> Policy:
    solved = _solve(schedule.rules, schedule.law, kind)

    def choose_best(position: Position) -> Choice:
        choice = advise(solved, position)[0].choice
        assert choice is not None, "a choice that is pending must be made"
        return choice

    return choose_best


@dataclass(frozen=True, slots=True)
class Evening:
    """How long the evening is, and when the cheat begins; counted in games."""

    games: int = 120
    cheat_from: int = 24

    def box(self, game: int) -> Box:
        """The box of a game, from 0: two in turn; the crooked one takes the second one's place."""
        second = CROOKED if game >= self.cheat_from else HONEST[1]
        return (HONEST[0], second)[game // GAMES_A_BOX % 2]

    def dice(self, game: int) -> tuple[Die, ...]:
        """The set of a game: it changes half as often as the box, so that each set is thrown from each box."""
        return SETS[game // (2 * GAMES_A_BOX) % 2]


def evening(
    plan: Evening,
    rules: HooliganRules,
    players: Mapping[str, Policy],
    *,
    rng: Random,
    progress: Callable[[int], None],
) -> Script[int]:
    """Play the evening, telling `progress` the games so far; return what players bought in for meanwhile: nothing."""
    hand = Hand(rng)
    names = tuple(players)
    for game in range(plan.games):
        box, dice = plan.box(game), plan.dice(game)
        if game and (box, dice) != (plan.box(game - 1), plan.dice(game - 1)):
            serials = [die.serial for die in dice]
            yield post(f"/tables/{COUNTER}/dice-changes", dice=serials, box=box.serial)
        player = names[game % len(names)]
        yield post(f"/tables/{COUNTER}/games", player=player)
        yield from _game(rules, players[player], hand, dice, box)
        progress(game + 1)
    return 0


def _game(rules: HooliganRules, policy: Policy, hand: Hand, dice: tuple[Die, ...], box: Box) -> Script[None]:
    """Play one game: every throw is one request, with the choice before it."""
    position, choice = start(rules), None
    while not position.is_over:
        if position.pending:
            choice = policy(position)
            position = choose(rules, position, choice)
            if position.is_over:
                yield post(f"/tables/{COUNTER}/choices", choice=str(choice))
                return
        thrown = tuple(dice[slot] for slot in dice_to_throw(rules, position))
        faces = hand.throw(thrown, box)
        spoken = {} if choice is None else {"choice": str(choice)}
        settled = yield post(f"/tables/{COUNTER}/throws", dice=read(hand.rng, thrown, faces), **spoken)
        choice = None
        if not settled["void"]:
            position = throw(rules, position, faces)
