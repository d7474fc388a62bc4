"""The best choice in any position, with the cost of every other."""

from dataclasses import dataclass

from payouts.errors import PayoutError
from payouts.hooligan.last_frame import AVOID, MAKE, with_kept
from payouts.hooligan.players import Player, preferences
from payouts.hooligan.rules import (
    HOOLIGAN_POINTS,
    STOP,
    TAKE_UP,
    Choice,
    ChoiceKind,
    Position,
    legal_choices,
)
from payouts.hooligan.solver import Solution
from payouts.hooligan.tallies import hit_chances


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice that is open, and what it is worth.

    Parameters
    ----------
    choice
        None: to throw on, where the frame might be stopped instead.
    mean_minor
        Mean payout from here on if the player takes this choice and then plays on as his kind does; minor units.
    cost_minor
        What the player's own choice, the first of the list, is worth more.
    """

    choice: Choice | None
    mean_minor: float
    cost_minor: float


def advise(solved: Solution, position: Position) -> tuple[Advice, ...]:
    """Value every choice that is open, in the order in which the solution's player prefers them.

    Raises
    ------
    PayoutError
        When no choice is open, or play cannot reach the position.

    Examples
    --------
    >>> from payouts.hooligan.rules import HooliganRules, start, throw
    >>> from payouts.hooligan.solver import solve
    >>> rules = HooliganRules()
    >>> most = solve(rules, range(336))
    >>> str(advise(most, throw(rules, start(rules), (2, 2, 2, 3, 3)))[0].choice)
    'name 2'
    """
    choices: tuple[Choice | None, ...] = legal_choices(solved.rules, position)
    if not choices:
        raise PayoutError("position must be one in which a choice is open, got one where none is")
    if STOP in choices:
        choices = (None, *choices)
    valued = [(_rank(solved, position, choice), _value(solved, position, choice), choice) for choice in choices]
    valued.sort(key=lambda each: each[:2], reverse=True)
    best = valued[0][1]
    return tuple(Advice(choice, value, best - value) for _, value, choice in valued)


def _value(solved: Solution, position: Position, choice: Choice | None) -> float:
    """Mean payout after a choice; None is to throw on."""
    rules = solved.rules
    left = rules.throws_per_frame - position.throws_made
    if choice is None:
        return _going_on(solved, position, position.point, position.count, left)
    match choice.kind:
        case ChoiceKind.NAME:
            return _named(solved, position, choice.point, position.dice.count(choice.point), left)
        case ChoiceKind.TAKE_UP:
            cell = _cell(solved, position.open_numbers, position.hooligan_open, position.score)
            return float(solved.swept.before[position.throws_made - 1, cell])
        case ChoiceKind.STOP:
            return _frame_ended(solved, position, position.point, position.count)
        case ChoiceKind.TAKE:
            return _next(solved, position.open_numbers, False, position.score + HOOLIGAN_POINTS)
        case ChoiceKind.DECLINE:
            return _next(solved, (), False, position.score)
        case ChoiceKind.KEEP:
            return _kept(solved, position, choice.slots, left)


def _cell(solved: Solution, numbers: tuple[int, ...], hooligan_open: bool, score: int) -> int:
    cell = solved.swept.plan.cell(numbers, hooligan_open, score)
    if cell < 0:
        raise PayoutError(f"position must be one that play can reach, got a score of {score} with {numbers} open")
    return cell


def _next(solved: Solution, numbers: tuple[int, ...], hooligan_open: bool, score: int) -> float:
    return float(solved.swept.values[_cell(solved, numbers, hooligan_open, score)])


def _frame_ended(solved: Solution, position: Position, point: int, count: int) -> float:
    numbers = tuple(number for number in position.open_numbers if number != point)
    return _next(solved, numbers, position.hooligan_open, position.score + point * count)


def _named(solved: Solution, position: Position, point: int, count: int, left: int) -> float:
    """Mean payout with the point named, before the next throw; the best player stops where he may and it pays."""
    if left == 0:
        return _frame_ended(solved, position, point, count)
    going = _going_on(solved, position, point, count, left)
    if solved.rules.may_stop_early and solved.player is Player.OPTIMAL:
        return max(going, _frame_ended(solved, position, point, count))
    return going


def _going_on(solved: Solution, position: Position, point: int, count: int, left: int) -> float:
    after = enumerate(hit_chances(solved.rules, count))
    return sum(float(weight) * _named(solved, position, point, count + hits, left - 1) for hits, weight in after)


def _kept(solved: Solution, position: Position, slots: tuple[int, ...], left: int) -> float:
    """Mean payout of a last frame with these dice kept, for a player who wants a straight or wants none."""
    kept = tuple(sorted(position.dice[slot] for slot in slots))
    made, missed = (_next(solved, (), False, position.score + points) for points in (HOOLIGAN_POINTS, 0))
    wish = AVOID if solved.player is Player.OPTIMAL and missed > made else MAKE
    chance = float(with_kept(solved.rules, wish, left, kept))
    return chance * made + (1 - chance) * missed


def _rank(solved: Solution, position: Position, choice: Choice | None) -> float:
    """How a player prefers a choice before he looks at the payout; all alike for the best player."""
    if solved.player is Player.OPTIMAL:
        return 0
    if choice is None or choice.kind in (ChoiceKind.STOP, ChoiceKind.DECLINE):
        return -1 if choice else 0
    if not position.open_numbers:
        return _last_rank(solved, position, choice)
    numbers = tuple(sorted(position.open_numbers, reverse=True))
    ranks = preferences(solved.rules, solved.player)[numbers, position.hooligan_open][position.throws_made - 1]
    if choice.kind is ChoiceKind.TAKE:
        return ranks.take
    if choice == TAKE_UP:
        return ranks.again
    place = numbers.index(choice.point) * (solved.rules.dice + 1)
    return ranks.named[place + position.dice.count(choice.point)]


def _last_rank(solved: Solution, position: Position, choice: Choice) -> float:
    """Every other player wants the last Hooligan, and prefers the dice that make it most often."""
    if choice.kind is ChoiceKind.TAKE:
        return 1
    kept = tuple(sorted(position.dice[slot] for slot in choice.slots))
    return float(with_kept(solved.rules, MAKE, solved.rules.throws_per_frame - position.throws_made, kept))
