"""The law of the final score under a sweep's play: one forward pass over the plan."""

from dataclasses import dataclass

import numpy as np

from payouts.hooligan.rules import Natural
from payouts.hooligan.solver.plan import Layer, Plan
from payouts.hooligan.solver.sweep import Bools, LayerPlay, Sweep, closed_columns
from payouts.hooligan.solver.trie import Floats, Ints


@dataclass(slots=True, eq=False)
class _Carried:
    """Chances on their way down a plan.

    Parameters
    ----------
    reach
        Chance of each cell. Shape (cells,).
    straights
        Where a natural is a bonus: chance of each straight that goes on in the layer with the box closed. Shape
        (straights, cells).
    room
        Room for chances at the nodes of a trie, used again by every layer. Shape (2, nodes times cells).
    compiled
        Whether the compiled loops are used.
    """

    reach: Floats
    straights: Floats
    room: Floats
    compiled: bool


def final_law(solved: Sweep, start: int) -> Floats:
    """Chance of each final cell for a player who begins in the cell `start`.

    Returns
    -------
    Shape of `plan.final`; it sums to 1 within `error_bound`.
    """
    plan = solved.plan
    assert solved.layers, "a law needs the play of the sweep"
    room = max(len(layer.trie.parent) * len(layer.set_of) for layer in plan.layers)
    carried = _Carried(np.zeros(plan.size), np.empty((0, 0)), np.empty((2, room)), solved.compiled)
    carried.reach[start] = 1.0
    for layer, play in zip(reversed(plan.layers), reversed(solved.layers), strict=True):
        _pass_layer(plan, layer, play, carried)
    waiting = carried.reach[plan.last_frame]
    carried.reach[plan.last_made] += waiting * solved.last_chance
    carried.reach[plan.last_missed] += waiting * (1 - solved.last_chance)
    return carried.reach[plan.final]


def _pass_layer(plan: Plan, layer: Layer, play: LayerPlay, carried: _Carried) -> None:
    """Send what has reached the cells of a layer on to the cells after a frame."""
    rules, trie = plan.rules, layer.trie
    waiting = carried.reach[layer.cells]
    named: list[Floats] = []
    for throw in range(1, rules.throws_per_frame + 1):
        nodes, room = (each[: len(trie.parent) * len(waiting)].reshape(len(trie.parent), -1) for each in carried.room)
        nodes[: trie.leaves.start] = 0.0
        if throw == 1:
            for weights, segment in zip(layer.first_weights, layer.segments, strict=True):
                np.multiply(weights[trie.leaves, None], waiting[segment], out=nodes[trie.leaves, segment])
            _pass_straights(plan, layer, play.takes, nodes, carried)
        else:
            np.multiply(trie.leaf_weights[:, None], waiting, out=nodes[trie.leaves])
        if carried.compiled:
            chosen, waiting = _climb_compiled(layer, nodes, play.own[throw - 1])
        else:
            chosen, waiting = _climb(layer, nodes, play.own[throw - 1], room)
        named.insert(0, chosen.reshape(len(layer.sets[0]), rules.dice + 1, -1))
    ended = _throw_out(plan, play, named, carried.compiled)
    carried.reach += np.bincount(layer.next_cell.ravel(), ended.ravel(), plan.size)


def _pass_straights(plan: Plan, layer: Layer, takes: Bools, nodes: Floats, carried: _Carried) -> None:
    """Send naturals on: taken, played as any throw, or with the box closed in the same frame."""
    columns = np.arange(nodes.shape[1])
    if not layer.hooligan_open:
        for which, share in enumerate(carried.straights):
            nodes[layer.straight_nodes[which, layer.set_of], columns] += share
        carried.straights = np.empty((0, 0))
        return
    share = plan.straight_chance * carried.reach[layer.cells]
    if plan.rules.natural is Natural.BONUS:
        below = plan.layers[plan.layers.index(layer) - 1]
        carried.straights = np.zeros((len(layer.straight_nodes), len(below.set_of)))
        cells, inside = closed_columns(plan, layer)
        carried.straights[:, cells] = share[inside]
        carried.reach[layer.natural_cell[~inside]] += share[~inside] * len(layer.straight_nodes)
        return
    for which, taken in enumerate(takes):
        carried.reach[layer.natural_cell] += share * taken
        nodes[layer.straight_nodes[which, layer.set_of], columns] += share * ~taken


def _climb(layer: Layer, nodes: Floats, own: Bools, room: Floats) -> tuple[Floats, Floats]:
    """Send the chance of each tally up the trie to the option that is best for it, or to taking up all dice.

    Returns
    -------
    Chance of each option, of shape (options, cells), and of taking up, of shape (cells,).
    """
    trie = layer.trie
    chosen = np.zeros((trie.options, nodes.shape[1]))
    for depth in range(len(trie.levels) - 1, -1, -1):
        here, mine = nodes[trie.levels[depth]], room[trie.levels[depth]]
        np.multiply(here, own[trie.levels[depth]], out=mine)
        listed, sums = trie.option_sums[depth]
        chosen[listed] += sums @ mine
        here -= mine
        if depth:
            for run, parents in trie.runs[depth]:
                nodes[parents] += nodes[run]
    return chosen, here.sum(axis=0)


def _climb_compiled(layer: Layer, nodes: Floats, own: Bools) -> tuple[Floats, Floats]:
    """Do as `_climb` by the compiled loop."""
    from payouts.hooligan.solver.compiled import climb

    chosen, again = np.zeros((layer.trie.options, nodes.shape[1])), np.zeros(nodes.shape[1])
    climb(nodes, own.view(np.uint8), (layer.trie.parent, layer.trie.option), chosen, again)
    return chosen, again


def _throw_out(plan: Plan, play: LayerPlay, named: list[Floats], compiled: bool) -> Floats:
    """Throw named points to the end of the frame.

    Parameters
    ----------
    named
        Mass of each option, by throws left. Each of shape (open, dice + 1, cells).

    Returns
    -------
    Mass of each final count of hits. Shape (open, counts, cells).
    """
    rules = plan.rules
    most = rules.dice * rules.throws_per_frame
    stopped = np.zeros((named[0].shape[0], most + 1, named[0].shape[2]))
    counted = named[-1]
    for left in range(rules.throws_per_frame - 1, 0, -1):
        rows = rules.dice * (rules.throws_per_frame - left) + 1
        if play.goes_on:
            going = play.goes_on[left - 1]
            stopped[:, :rows] += counted * ~going
            counted = counted * going
        counted = _throw_once(plan.hits[:rows, : rows + rules.dice], counted, compiled)
        counted[:, : rules.dice + 1] += named[left - 1]
    stopped += counted
    return stopped


def _throw_once(hits: Floats, counted: Floats, compiled: bool) -> Floats:
    """Chance of each count of hits after one throw more. Shape (open, columns of `hits`, cells)."""
    if not compiled:
        chances: Floats = hits.T @ counted
        return chances
    from payouts.hooligan.solver.compiled import throw_out

    after = np.zeros((counted.shape[0], hits.shape[1], counted.shape[2]))
    throw_out(hits, counted, after)
    return after


def chosen_options(layer: Layer, own: Bools) -> Ints:
    """Option that the play takes for each tally; `Trie.options` stands for taking up all dice.

    Returns
    -------
    Shape (tallies, cells), the tallies in the order of `tallies.tallies`.
    """
    trie = layer.trie
    chosen = np.empty(own.shape, dtype=np.int64)
    for depth, level in enumerate(trie.levels):
        before = chosen[trie.parent[level]] if depth else trie.options
        chosen[level] = np.where(own[level], trie.option[level][:, None], before)
    return chosen[list(trie.node_of.values())]
