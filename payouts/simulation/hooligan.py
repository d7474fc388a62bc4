"""Hooligan played in bulk: real dice, real choices, the play of a solved player looked up in its arrays.

All games of a batch go through their frames together. What is thrown are faces, and what is scored is counted from
them; from the solution come only the choices. It is therefore a check of the solver's law, and an answer for dice that
are not fair, against which the player plays as if they were.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from payouts.errors import PayoutError
from payouts.hooligan.last_frame import AVOID, MAKE, Wish, with_kept
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HOOLIGAN_POINTS, HooliganKeep, HooliganRules, Natural
from payouts.hooligan.schedule import HooliganSchedule
from payouts.hooligan.solver import Solution, solve
from payouts.hooligan.solver.plan import Layer
from payouts.hooligan.solver.sweep import LayerPlay
from payouts.hooligan.solver.trie import trie
from payouts.simulation.accounts import Estimate, mean_of, share_of

BATCH = 1 << 15
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HooliganPlay:
    """Games of one player.

    Attributes
    ----------
    scores
        (perfect score + 1,) how often each final score came.
    """

    schedule: HooliganSchedule
    player: Player
    scores: Ints

    @property
    def games(self) -> int:
        """Number of games."""
        return int(self.scores.sum())

    def mean_minor(self, level: float = 0.99) -> Estimate:
        """Mean payout of a game at face value, minor units."""
        return mean_of(np.array(self.schedule.law), self.scores, level)

    def house_edge(self, level: float = 0.99) -> Estimate:
        """Estimate 1 - trade cost x mean payout / stake."""
        cost = float(self.schedule.trade_cost) / self.schedule.stake_minor
        return mean_of(1 - cost * np.array(self.schedule.law), self.scores, level)

    def score_mean(self, level: float = 0.99) -> Estimate:
        """Mean final score."""
        return mean_of(np.arange(len(self.scores)), self.scores, level)

    def bands(self, level: float = 0.99) -> tuple[tuple[int, int, Estimate], ...]:
        """Estimate the chance of each band of the schedule, as (low, high, chance)."""
        return tuple(
            (band.low, band.high, share_of(int(self.scores[band.low : band.high + 1].sum()), self.games, level))
            for band in self.schedule.bands
        )


def simulate_hooligan(
    schedule: HooliganSchedule,
    player: Player,
    games: int,
    rng: np.random.Generator,
    *,
    die: Sequence[Fraction] | None = None,
    progress: Callable[[int], None] | None = None,
) -> HooliganPlay:
    """Play games of a kind of player at a schedule.

    Parameters
    ----------
    die
        Chance of each face, the same for all dice; fair if None. The player's choices are those for fair dice.
    progress
        Called now and then with the number of games played since the last call.

    Raises
    ------
    PayoutError
        Fewer than one game, or chances of faces that are none.
    """
    if games < 1:
        raise PayoutError(f"games must be at least 1, got {games}")
    solved = solve(schedule.rules, schedule.law, player)
    book, dice = _Book(solved), _Dice(rng, solved.swept.plan.rules, die)
    scores = np.zeros(schedule.rules.perfect_score + 1, np.int64)
    for first in range(0, games, BATCH):
        size = min(BATCH, games - first)
        scores += np.bincount(_play(book, dice, size), minlength=len(scores))
        if progress:
            progress(size)
    return HooliganPlay(schedule, player, scores)


class _Dice:
    """Throws dice for many games at once."""

    def __init__(self, rng: np.random.Generator, rules: HooliganRules, die: Sequence[Fraction] | None) -> None:
        if die is not None and (len(die) != rules.faces or min(die) < 0 or sum(die) != 1):
            raise PayoutError(f"die must have {rules.faces} chances of at least 0 that sum to 1, got {list(die)}")
        self.rng = rng
        self.rules = rules
        self.rising = None if die is None else np.cumsum([float(chance) for chance in die])[:-1]

    def thrown(self, games: int) -> Ints:
        """(games, dice) faces."""
        shape = (games, self.rules.dice)
        if self.rising is None:
            return self.rng.integers(1, self.rules.faces + 1, shape)
        return np.searchsorted(self.rising, self.rng.random(shape), side="right") + 1


class _Book:
    """A solution with its positions between frames looked up by array.

    Attributes
    ----------
    cells
        (2 * sets of open numbers as bits + box, score) cell of a position; -1 for none.
    layers
        (cells,) number of the layer of each cell; -1 for none.
    """

    def __init__(self, solved: Solution) -> None:
        plan = solved.swept.plan
        self.solved, self.plan = solved, plan
        self.cells = np.full((2 << plan.rules.faces, plan.rules.perfect_score + 1), -1)
        self.layers = np.full(plan.size, -1)
        for number, layer in enumerate(plan.layers):
            self.layers[layer.cells] = number
            for numbers, segment in zip(layer.sets, layer.segments, strict=True):
                bits = sum(1 << (number - 1) for number in numbers)
                cells = layer.cells.start + np.arange(segment.start, segment.stop)
                self.cells[2 * bits + layer.hooligan_open, plan.keys[cells]] = cells
        last = np.arange(plan.last_frame.start, plan.last_frame.stop)
        self.cells[1, plan.keys[last]] = last


@dataclass(slots=True, eq=False)
class _Games:
    """Games between frames: open numbers as bits, Hooligan open or not, score. Each of shape (games,)."""

    open: Ints
    box: Ints
    score: Ints


def _play(book: _Book, dice: _Dice, size: int) -> Ints:
    """Play games to their end and return their scores."""
    rules = dice.rules
    everything = (1 << rules.faces) - 1
    games = _Games(np.full(size, everything), np.ones(size, np.int64), np.zeros(size, np.int64))
    for _ in range(rules.faces + 1):
        running = np.flatnonzero(games.open)
        _frame(book, dice, games, running)
    last = np.flatnonzero(games.box)
    games.score[last] += HOOLIGAN_POINTS * _last_frame(book, dice, games.score[last])
    return games.score


def _frame(book: _Book, dice: _Dice, games: _Games, running: Ints) -> None:
    """Play one frame of each running game."""
    rules = dice.rules
    faces = dice.thrown(len(running))
    natural = _is_straight(faces) & (games.box[running] == 1)
    if rules.natural is not Natural.OPTIONAL:
        games.score[running[natural]] += HOOLIGAN_POINTS
        games.box[running[natural]] = 0
    if rules.natural is Natural.AUTOMATIC:
        running, faces, natural = running[~natural], faces[~natural], natural[~natural]
    cells = book.cells[2 * games.open[running] + games.box[running], games.score[running]]
    layers = book.layers[cells]
    for layer in np.unique(layers):
        among = np.flatnonzero(layers == layer)
        column = cells[among] - book.plan.layers[layer].cells.start
        _LayerFrame(book.solved, int(layer), column).play(dice, games, running[among], faces[among], natural[among])


def _is_straight(faces: Ints) -> NDArray[np.bool_]:
    ordered = np.sort(faces, axis=1)
    return np.asarray((np.diff(ordered, axis=1) == 1).all(axis=1))


class _LayerFrame:
    """One frame of games whose cells lie in one layer of the plan, each in its column."""

    def __init__(self, solved: Solution, layer: int, column: Ints) -> None:
        self.layer: Layer = solved.swept.plan.layers[layer]
        self.plays: LayerPlay = solved.swept.layers[layer]
        self.rules = solved.swept.plan.rules
        self.column = column
        self.numbers = np.array(self.layer.sets)[self.layer.set_of[column]]
        self.place = np.full(len(column), -1)
        self.count = np.zeros(len(column), np.int64)

    def play(self, dice: _Dice, games: _Games, running: Ints, faces: Ints, natural: NDArray[np.bool_]) -> None:
        """Play the frame, whose first throw lies, and write it into the games."""
        taken = natural & self._takes(faces)
        games.score[running[taken]] += HOOLIGAN_POINTS
        games.box[running[taken]] = 0
        going = ~taken
        for left in range(self.rules.throws_per_frame - 1, -1, -1):
            self._name(faces, left)
            if left:
                faces = dice.thrown(len(running))
                going &= (self.place < 0) | self._goes_on(left)
                self._hit(faces, going)
        point = np.take_along_axis(self.numbers, self.place[:, None], axis=1)[:, 0]
        games.score[running] += np.where(taken, 0, point * self.count)
        games.open[running] &= ~np.where(taken, 0, 1 << (point - 1))

    def _takes(self, faces: Ints) -> NDArray[np.bool_]:
        """Tell who takes an optional natural; the straights are numbered by their lowest face."""
        if not self.layer.hooligan_open or self.rules.natural is not Natural.OPTIONAL:
            return np.zeros(len(faces), np.bool_)
        which = np.minimum(faces.min(axis=1) - 1, len(self.plays.takes) - 1)
        return np.asarray(self.plays.takes[which, self.column])

    def _name(self, faces: Ints, left: int) -> None:
        """Name the point of games that have none and do not take up their dice."""
        own = self.plays.own[self.rules.throws_per_frame - 1 - left]
        parent, option = self.layer.trie.parent, self.layer.trie.option
        waiting = np.flatnonzero(self.place < 0)
        tallies = (faces[waiting, :, None] == self.numbers[waiting, None, :]).sum(axis=1)
        digits = (self.rules.dice + 1) ** np.arange(self.numbers.shape[1])
        node = _nodes(self.rules, self.numbers.shape[1])[tallies @ digits]
        while len(waiting):
            chosen = own[node, self.column[waiting]]
            done = waiting[chosen]
            self.place[done], self.count[done] = np.divmod(option[node[chosen]], self.rules.dice + 1)
            node, waiting = parent[node[~chosen]], waiting[~chosen]
            node, waiting = node[node >= 0], waiting[node >= 0]

    def _goes_on(self, left: int) -> NDArray[np.bool_]:
        if not self.plays.goes_on:
            return np.ones(len(self.column), np.bool_)
        return np.asarray(self.plays.goes_on[left - 1][self.place, self.count, self.column])

    def _hit(self, faces: Ints, going: NDArray[np.bool_]) -> None:
        """Count the dice thrown that show the point; those put aside are not thrown."""
        named = going & (self.place >= 0)
        point = np.take_along_axis(self.numbers, np.maximum(self.place, 0)[:, None], axis=1)
        thrown = np.arange(self.rules.dice) < (self.rules.dice - self.count % self.rules.dice)[:, None]
        self.count += ((faces == point) & thrown & named[:, None]).sum(axis=1)


def _last_frame(book: _Book, dice: _Dice, score: Ints) -> NDArray[np.bool_]:
    """Play the last frame of games with Hooligan alone open; tell which make it."""
    rules, plan, values = dice.rules, book.plan, book.solved.swept.values
    faces = np.sort(dice.thrown(len(score)), axis=1)
    made = _is_straight(faces)
    if rules.hooligan_keep is HooliganKeep.NONE:
        for _ in range(rules.throws_per_frame - 1):
            made |= _is_straight(dice.thrown(len(score)))
        return made
    at = book.cells[1, score] - plan.last_frame.start
    wanted = (values[plan.last_made[at]] >= values[plan.last_missed[at]]) | (book.solved.player is not Player.OPTIMAL)
    over = made.copy()
    if rules.natural is Natural.OPTIONAL:
        made &= wanted
    digits = rules.faces ** np.arange(rules.dice)
    for left in range(rules.throws_per_frame - 1, 0, -1):
        code = (faces - 1) @ digits
        kept = np.where(wanted[:, None], _keeps(rules, MAKE, left)[code], _keeps(rules, AVOID, left)[code])
        stops = ~over & kept.all(axis=1)
        made[stops] = _is_straight(faces[stops])
        over |= stops
        faces = np.sort(np.where(kept, faces, dice.thrown(len(score))), axis=1)
    made[~over] = _is_straight(faces[~over])
    return made


@lru_cache(maxsize=64)
def _keeps(rules: HooliganRules, wish: Wish, left: int) -> NDArray[np.bool_]:
    """(faces ** dice, dice) dice kept of each hand in rising order; its lowest face is the last digit of its code."""
    keeps = np.zeros((rules.faces**rules.dice, rules.dice), np.bool_)
    patterns = [kept for size in range(rules.dice, -1, -1) for kept in combinations(range(rules.dice), size)]
    for hand in product(range(1, rules.faces + 1), repeat=rules.dice):
        if list(hand) == sorted(hand):
            values = {kept: with_kept(rules, wish, left, tuple(hand[slot] for slot in kept)) for kept in patterns}
            best = wish.better(values.values())
            code = sum((face - 1) * rules.faces**place for place, face in enumerate(hand))
            keeps[code, list(next(kept for kept in patterns if values[kept] == best))] = True
    return keeps


@lru_cache(maxsize=64)
def _nodes(rules: HooliganRules, numbers: int) -> Ints:
    """Node of each tally over so many open numbers, by its code in base dice + 1, the first number last."""

    nodes = np.full((rules.dice + 1) ** numbers, -1)
    for tally, node in trie(rules, numbers).node_of.items():
        nodes[sum(count * (rules.dice + 1) ** place for place, count in enumerate(tally))] = node
    return nodes
