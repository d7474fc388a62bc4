"""One backward sweep over a plan: the value of every cell for a player, and what he does there.

Everything is a sum of products of numbers that are not negative, or the greater of two, so that no digits cancel. Each
throw adds the rounding of at most 253 products and sums; over the at most 7 x throws_per_frame throws of a game the
relative error of a value is below `error_bound(rules)`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from payouts.hooligan.last_frame import AVOID, MAKE, chance
from payouts.hooligan.players import Player, Ranks, preferences
from payouts.hooligan.rules import HooliganRules, Natural
from payouts.hooligan.solver.plan import Layer, Plan
from payouts.hooligan.solver.trie import TIE, Floats, Ints, Trie

Bools = NDArray[np.bool_]


def error_bound(rules: HooliganRules) -> float:
    """Bound of the relative error of values and of chances by rounding.

    A throw's mean is a sum of at most 252 products of rounded weights (254 roundings of 2**-53 each, counted twice for
    the frame's law of hits); a game has at most (faces + 1) * throws_per_frame throws.

    >>> error_bound(HooliganRules()) < 1.2e-12
    True
    """
    return 2 * 254 * rules.throws_per_frame * (rules.faces + 1) * 2.0**-53


@dataclass(frozen=True, slots=True, eq=False)
class Prefers:
    """Ranks of a layer after one throw, compared at each node of its trie.

    Parameters
    ----------
    strict, tie
        Whether the node's own option ranks above, or level with, all before it. Shape (nodes, sets).
    take_strict, take_tie
        Likewise for taking a natural against the best option of each straight. Shape (straights, sets).
    """

    strict: Bools
    tie: Bools
    take_strict: Bools
    take_tie: Bools


@dataclass(frozen=True, slots=True, eq=False)
class LayerPlay:
    """What a player does in the cells of a layer.

    Parameters
    ----------
    own
        After each throw, whether the node's own option is better than all before it. Each of shape (nodes, cells).
    goes_on
        With 1, 2, ... throws left, whether a frame whose point is named goes on; empty where it must. Each of shape
        (open, counts, cells).
    takes
        Whether an optional natural is taken at each straight. Shape (straights, cells), or empty.
    """

    own: tuple[Bools, ...]
    goes_on: tuple[Bools, ...]
    takes: Bools


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """Values of every cell, and the play behind them.

    Parameters
    ----------
    values
        Mean payout from each cell on. Shape (cells,).
    before
        Mean payout before each throw of a frame but the first, with no point named. Shape (throws - 1, cells).
    last_chance
        Chance of the last frame that the player chooses. Shape of `plan.last_frame`.
    compiled
        Whether the compiled loops are used.
    """

    plan: Plan
    values: Floats
    before: Floats
    last_chance: Floats
    layers: tuple[LayerPlay, ...]
    compiled: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """What a sweep has so far, and room that every layer uses again."""

    plan: Plan
    player: Player
    values: Floats
    before: Floats
    nodes: Floats
    mine: Floats
    bar: Floats
    own: Bools  # room where the play is not kept
    keeps_play: bool
    compiled: bool


def sweep(
    plan: Plan, paid: Floats, player: Player = Player.OPTIMAL, *, keep_play: bool = True, compiled: bool = False
) -> Sweep:
    """Solve for a player, from the last frame to the first.

    Parameters
    ----------
    paid
        What the final cells receive, not negative. Shape of `plan.final`.
    keep_play
        Whether the play is wanted beside the values.
    compiled
        Whether to use the compiled loops of the extra `fast`: for the best player's options, and for any player's law.
    """
    values = np.zeros(plan.size)
    values[plan.final] = paid
    last_chance = _last_frame(plan, values, player)
    room = max(len(layer.trie.parent) * len(layer.set_of) for layer in plan.layers)
    work = _Work(
        plan=plan,
        player=player,
        values=values,
        before=np.zeros((plan.rules.throws_per_frame - 1, plan.size)),
        nodes=np.empty(room),
        mine=np.empty(room),
        bar=np.empty(room),
        own=np.empty(room, np.bool_),
        keeps_play=keep_play,
        compiled=compiled,
    )
    plays: list[LayerPlay] = []
    at_straights: Floats = np.empty((0, 0))
    for layer in plan.layers:
        play, at_straights = _layer(work, layer, at_straights)
        if keep_play:
            plays.append(play)
    return Sweep(plan, values, work.before, last_chance, tuple(plays), compiled)


def _last_frame(plan: Plan, values: Floats, player: Player) -> Floats:
    """Value the cells with Hooligan alone open; the best player makes it or misses it, whichever pays."""
    make, avoid = float(chance(plan.rules, MAKE)), float(chance(plan.rules, AVOID))
    made, missed = values[plan.last_made], values[plan.last_missed]
    wanted = (made >= missed) | (player is not Player.OPTIMAL)
    chances = np.where(wanted, make, avoid)
    values[plan.last_frame] = chances * made + (1 - chances) * missed
    return chances


def _layer(work: _Work, layer: Layer, closed_at_straights: Floats) -> tuple[LayerPlay, Floats]:
    """Value the cells of a layer; also what each straight is worth when it is played as any throw."""
    rules, trie = work.plan.rules, layer.trie
    named, goes_on = _frame_values(work, layer)
    played: list[Bools] = []
    again: Floats | None = None
    for throw in range(rules.throws_per_frame, 0, -1):
        prefers = layer_preferences(rules, layer, work.player, throw)
        nodes, own = best_options(work, layer, named[rules.throws_per_frame - throw], again, prefers)
        played.insert(0, own)
        if throw > 1:
            again = trie.leaf_weights @ nodes[trie.leaves]
            work.before[throw - 2, layer.cells] = again
    at_straights = nodes[layer.straight_nodes[:, layer.set_of], np.arange(nodes.shape[1])]
    takes = np.empty((0, 0), dtype=np.bool_)
    if layer.hooligan_open:
        first = np.empty(nodes.shape[1])
        for weights, segment in zip(layer.first_weights, layer.segments, strict=True):
            first[segment] = weights[trie.leaves] @ nodes[trie.leaves, segment]
        gained, takes = _naturals(work, layer, at_straights, closed_at_straights, prefers)
        first += work.plan.straight_chance * gained
    else:
        first = trie.leaf_weights @ nodes[trie.leaves]
    work.values[layer.cells] = first
    return LayerPlay(tuple(played), goes_on, takes), at_straights


def _frame_values(work: _Work, layer: Layer) -> tuple[list[Floats], tuple[Bools, ...]]:
    """Value of each option after each throw, by throws left, and where a named frame goes on.

    Returns
    -------
    Values of the options, from no throw left to all but one, each of shape (options, cells); then, with one throw left
    and more, whether a frame that may be stopped goes on.
    """
    rules, hits = work.plan.rules, work.plan.hits
    ended = work.values.take(layer.next_cell)
    options = len(layer.sets[0]) * (rules.dice + 1)
    counted, goes_on = ended, []
    named = [ended[:, : rules.dice + 1].reshape(options, -1)]
    for left in range(1, rules.throws_per_frame):
        rows = rules.dice * (rules.throws_per_frame - left) + 1
        counted = _throw_once(hits[:rows, : rows + rules.dice], counted[:, : rows + rules.dice], work.compiled)
        if rules.may_stop_early and work.player is Player.OPTIMAL:
            going = counted >= ended[:, :rows]
            counted = np.where(going, counted, ended[:, :rows])
            goes_on.append(going)
        named.append(counted[:, : rules.dice + 1].reshape(options, -1))
    return named, tuple(goes_on)


def _throw_once(hits: Floats, counted: Floats, compiled: bool) -> Floats:
    """Value of each count of hits with one throw more to come. Shape (open, rows of `hits`, cells)."""
    if not compiled:
        values: Floats = hits @ counted
        return values
    from payouts.hooligan.solver.compiled import throw_on

    after = np.empty((counted.shape[0], hits.shape[0], counted.shape[2]))
    throw_on(hits, counted, after)
    return after


def best_options(
    work: _Work, layer: Layer, named: Floats, again: Floats | None, prefers: Prefers | None
) -> tuple[Floats, Bools]:
    """Value at every node of the trie, and whether the node's own option makes it.

    Parameters
    ----------
    named
        Value of each option. Shape (options, cells).
    again
        Value of taking up all dice, None after the last throw. Shape (cells,).
    """
    trie = layer.trie
    shape = len(trie.parent), named.shape[1]
    nodes = work.nodes[: shape[0] * shape[1]].reshape(shape)
    scratch, bar = (each[: nodes.size].reshape(shape) for each in (work.mine, work.bar))
    own: Bools = np.empty(shape, np.bool_) if work.keeps_play else work.own[: nodes.size].reshape(shape)
    if work.compiled and prefers is None:
        from payouts.hooligan.solver import compiled

        other = np.full(shape[1], -1.0) if again is None else again
        compiled.best_options(named, other, (trie.parent, trie.option), nodes, own.view(np.uint8))
        return nodes, own
    for depth, level in enumerate(trie.levels):
        here, mine, mark = nodes[level], scratch[level], own[level]
        if depth == 0 and again is None:
            named.take(trie.option[level], axis=0, out=here, mode="clip")
            mark[:] = True
            continue
        named.take(trie.option[level], axis=0, out=mine, mode="clip")
        if depth == 0:
            here[:] = again
        else:
            before = trie.levels[depth - 1]
            nodes[before].take(trie.parent[level] - before.start, axis=0, out=here, mode="clip")
        if prefers is None:
            if work.keeps_play:
                np.multiply(here, TIE, out=bar[level])
                np.greater(mine, bar[level], out=mark)
            np.maximum(mine, here, out=here)
        else:
            prefers.strict[level].take(layer.set_of, axis=1, out=mark, mode="clip")
            if prefers.tie[level].any():
                mark |= prefers.tie[level][:, layer.set_of] & (mine > here * TIE)
            np.copyto(here, mine, where=mark)
    return nodes, own


def _naturals(
    work: _Work, layer: Layer, at_straights: Floats, closed_at_straights: Floats, prefers: Prefers | None
) -> tuple[Floats, Bools]:
    """Value of a first throw that is a straight, summed over the straights, and where an optional natural is taken."""
    taken = np.broadcast_to(work.values[layer.natural_cell], at_straights.shape)
    match work.plan.rules.natural:
        case Natural.AUTOMATIC:
            return taken.sum(axis=0), np.ones(taken.shape, np.bool_)
        case Natural.BONUS:
            columns, inside = closed_columns(work.plan, layer)
            gained = taken.copy()
            gained[:, inside] = closed_at_straights[:, columns]
            return gained.sum(axis=0), np.zeros(taken.shape, np.bool_)
        case Natural.OPTIONAL:
            takes = taken >= at_straights
            if prefers is not None:
                takes &= prefers.take_tie[:, layer.set_of]
                takes |= prefers.take_strict[:, layer.set_of]
            return np.where(takes, taken, at_straights).sum(axis=0), takes


def closed_columns(plan: Plan, layer: Layer) -> tuple[Ints, Bools]:
    """Columns, in the layer with the box closed, of the cells after a natural; and where that cell is in this layer.

    In a plan of needs the natural may be all that was wanted, or not enough whatever follows; such a cell is decided.
    """
    below = plan.layers[plan.layers.index(layer) - 1]
    inside: Bools = (below.cells.start <= layer.natural_cell) & (layer.natural_cell < below.cells.stop)
    columns: Ints = layer.natural_cell[inside] - below.cells.start
    return columns, inside


@lru_cache(maxsize=512)
def layer_preferences(rules: HooliganRules, layer: Layer, player: Player, throw: int) -> Prefers | None:
    """Compare the ranks of a player at the nodes of a layer's trie; None for the best player."""
    if player is Player.OPTIMAL:
        return None
    table = preferences(rules, player)
    ranks = [table[numbers, layer.hooligan_open][throw - 1] for numbers in layer.sets]
    last = throw == rules.throws_per_frame
    return _compare(layer.trie, layer.straight_nodes, ranks, last)


def _compare(trie: Trie, straight_nodes: Ints, ranks: list[Ranks], last: bool) -> Prefers:
    named = np.array([each.named for each in ranks]).T[trie.option]
    again = np.array([each.again for each in ranks])
    best = np.empty_like(named)
    strict, tie = np.empty(named.shape, np.bool_), np.empty(named.shape, np.bool_)
    for depth, level in enumerate(trie.levels):
        floor = np.full_like(again, -2) if last else again
        other = floor[None, :] if depth == 0 else best[trie.parent[level]]
        strict[level], tie[level] = named[level] > other, named[level] == other
        best[level] = np.maximum(named[level], other)
    take = np.array([each.take for each in ranks])
    played = best[straight_nodes, np.arange(len(ranks))]
    return Prefers(strict, tie, take > played, take == played)
