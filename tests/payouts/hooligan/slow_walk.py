"""A slow solver in exact fractions that walks the rules module itself, event by event; for reduced games.

It knows nothing of frames, tallies or plans: a position's value is the mean over all throws, or the best over all legal
choices, of the positions that `choose` and `throw` lead to.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

from payouts.hooligan.rules import Choice, HooliganRules, Position, choose, dice_to_throw, legal_choices, start, throw

Worth = tuple[Fraction, ...]
"""What a player compares, the first first."""
Policy = Callable[[Position, tuple[Choice | None, ...]], Choice | None]


def key(position: Position) -> tuple[object, ...]:
    """All that matters for the rest of a game: of the sheet the open boxes and the sum, of dice no places."""
    open_boxes = tuple(box for box, points in enumerate(position.sheet) if points is None)
    lying = position.dice if position.pending else tuple(position.dice[slot] for slot in position.aside)
    count = position.count if position.point else 0
    dice = () if position.point else tuple(sorted(lying))
    return open_boxes, position.score, position.throws_made, dice, position.point, count, position.pending


class SlowWalk:
    """Values of positions for a player who maximises `worth` of the final score, or who follows a policy."""

    def __init__(self, rules: HooliganRules, worth: Callable[[int], Worth], policy: Policy | None = None) -> None:
        self.rules = rules
        self.worth = worth
        self.policy = policy
        self.known: dict[tuple[object, ...], Worth] = {}

    def value(self, position: Position) -> Worth:
        """Worth of a position."""
        known = self.known.get(key(position))
        if known is None:
            known = self.known[key(position)] = self._value(position)
        return known

    def _value(self, position: Position) -> Worth:
        if position.is_over:
            return self.worth(position.score)
        choices: tuple[Choice | None, ...] = legal_choices(self.rules, position)
        if not position.pending:
            choices = (None, *choices)
        if self.policy is not None:
            return self.after(position, self.policy(position, choices))
        return max(self.after(position, choice) for choice in choices)

    def after(self, position: Position, choice: Choice | None) -> Worth:
        """Worth after a choice; None is to throw."""
        if choice is not None:
            return self.value(choose(self.rules, position, choice))
        dice, faces = len(dice_to_throw(self.rules, position)), range(1, self.rules.faces + 1)
        ways = Counter(tuple(sorted(outcome)) for outcome in product(faces, repeat=dice))
        worths = [(count, self.value(throw(self.rules, position, outcome))) for outcome, count in ways.items()]
        return tuple(
            sum((count * worth[place] for count, worth in worths), Fraction()) / len(faces) ** dice
            for place in range(len(worths[0][1]))
        )

    def game(self) -> Worth:
        """Worth of a game before its first throw."""
        return self.value(start(self.rules))
