"""Bulk Hooligan against a plain loop over the rules: games of the simple player, in one run.

On a busy core of the machine this was written on: plain loop 610 games a second, bulk play 75,000. What is asserted is
the ratio, with room for a busier machine.
"""

import random
from time import process_time

import numpy as np

from payouts.hooligan.last_frame import MAKE, with_kept
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganRules, Position, choose, dice_to_throw, legal_choices, name, start, throw
from payouts.hooligan.schedule import HooliganSchedule
from payouts.schedule import load, shipped
from payouts.simulation.hooligan import simulate_hooligan

LEAST = 20


def plain(games: int) -> float:
    """Play games by the rules, one choice and one throw after another; return the mean score."""
    rules, rng = HooliganRules(), random.Random(1)
    total = 0
    for _ in range(games):
        position = start(rules)
        while not position.is_over:
            if position.pending:
                position = choose(rules, position, _choice(rules, position))
            else:
                faces = tuple(rng.randrange(1, 7) for _ in dice_to_throw(rules, position))
                position = throw(rules, position, faces)
        total += position.score
    return total / games


def _choice(rules: HooliganRules, position: Position):
    """Name the number that shows most, the higher of equals; keep what makes the last straight most often."""
    if position.open_numbers:
        return name(max(position.open_numbers, key=lambda number: (position.dice.count(number), number)))
    left = rules.throws_per_frame - position.throws_made
    return max(
        legal_choices(rules, position),
        key=lambda choice: with_kept(rules, MAKE, left, tuple(sorted(position.dice[slot] for slot in choice.slots))),
    )


def main() -> None:
    """Print games a second and assert the ratio."""
    schedule = load(shipped("hooligan", "scarne-quarter"))
    assert isinstance(schedule, HooliganSchedule)
    plain(20)
    began = process_time()
    mean = plain(500)
    slow = 500 / (process_time() - began)
    simulate_hooligan(schedule, Player.SIMPLE, 10, np.random.default_rng(1))
    began = process_time()
    play = simulate_hooligan(schedule, Player.SIMPLE, 100_000, np.random.default_rng(1))
    fast = play.games / (process_time() - began)
    print(f"plain loop {slow:,.0f} games a second, bulk {fast:,.0f}: {fast / slow:.0f} times (at least {LEAST})")
    # The deviation of a score is below 14: six standard errors of the plain mean are 3.8.
    assert abs(mean - play.score_mean().value) < 3.8
    assert fast > LEAST * slow


if __name__ == "__main__":
    main()
