"""Bulk play: what the counts, the running nets and the seeds must say, in both engines."""

import sys
from fractions import Fraction

import numpy as np
import pytest

from payouts.dice import FAIR, Dice
from payouts.errors import PayoutError
from payouts.simulation import play as module
from payouts.simulation.automaton import compile_wagers
from payouts.simulation.draws import UNIT, draws
from payouts.simulation.play import Engine, fastest, simulate

LOADED = Dice.of([Fraction(1, 8), *[Fraction(1, 6)] * 4, Fraction(5, 24)])
BOTH = pytest.mark.parametrize("engine", list(Engine))


def rng(seed: int = 11) -> np.random.Generator:
    return np.random.default_rng(seed)


@BOTH
def test_every_session_has_at_least_the_throws_asked(bets, engine: Engine) -> None:
    play = simulate(compile_wagers(bets.pass_and_places()), 77, 1001, rng(), engine=engine)
    assert play.engine is engine
    assert 77 * 1001 <= play.throws < 77 * (1001 + 200)


@BOTH
def test_sessions_are_whole_cycles_so_that_as_many_throws_enter_a_state_as_leave_it(bets, engine: Engine) -> None:
    auto = compile_wagers(bets.pass_and_places())
    play = simulate(auto, 50, 333, rng(), engine=engine)
    entered = np.bincount(auto.successor.ravel(), weights=play.counts.ravel(), minlength=auto.states)
    assert entered.tolist() == play.counts.sum(axis=1).tolist()


@BOTH
@pytest.mark.parametrize("dice", [FAIR, LOADED], ids=["fair", "loaded"])
def test_running_nets_add_up_to_the_dot_product_of_counts_and_gains(bets, engine: Engine, dice: Dice) -> None:
    auto = compile_wagers(bets.pass_and_places())
    play = simulate(auto, 40, 500, rng(), dice=dice, engine=engine)
    assert play.net is not None
    assert int(play.net.sum()) == int((play.counts * auto.gain.sum(axis=0)).sum())


@BOTH
def test_the_low_point_is_never_above_the_end_or_the_beginning(bets, engine: Engine) -> None:
    play = simulate(compile_wagers(bets.pass_and_places()), 300, 100, rng(), engine=engine)
    assert play.net is not None
    assert play.low is not None
    assert (play.low <= np.minimum(play.net, 0)).all()
    assert (play.low < np.minimum(play.net, 0)).any()


@BOTH
def test_one_throw_bets_lose_their_low_point_exactly(bets, engine: Engine) -> None:
    """A bet that always loses 1: after n throws net and low point are both -n."""
    from payouts.craps.decisions import Race, ends
    from payouts.machine import LOSE

    auto = compile_wagers([bets.wager("never", Race(ends(rest=LOSE)), 1)])
    play = simulate(auto, 5, 17, rng(), engine=engine)
    assert play.net is not None
    assert play.low is not None
    assert play.net.tolist() == play.low.tolist() == [-17] * 5
    assert play.throws == 85


@BOTH
def test_the_same_seed_plays_the_same_sessions(bets, engine: Engine) -> None:
    auto = compile_wagers(bets.pass_and_places())
    first, second, other = (simulate(auto, 40, 400, rng(seed), engine=engine) for seed in (5, 5, 6))
    assert (first.counts == second.counts).all()
    assert (first.counts != other.counts).any()


@BOTH
def test_untracked_play_counts_the_same_throws(bets, engine: Engine) -> None:
    auto = compile_wagers(bets.pass_and_places())
    tracked, bare = (simulate(auto, 40, 400, rng(), engine=engine, track=track) for track in (True, False))
    assert (tracked.counts == bare.counts).all()
    assert bare.net is None
    assert bare.low is None


@BOTH
@pytest.mark.parametrize("pairs", [True, False], ids=["pairs", "singles"])
@pytest.mark.parametrize("dice", [FAIR, LOADED], ids=["fair", "loaded"])
def test_throws_follow_the_law_of_the_dice(bets, engine: Engine, pairs: bool, dice: Dice, monkeypatch) -> None:
    """Chi-square, 35 degrees of freedom, 2,000,000 throws; under the law above 88.6 with chance 1.5e-6."""
    monkeypatch.setattr(module, "PAIR_CELLS", module.PAIR_CELLS if pairs else 0)
    play = simulate(compile_wagers([bets.wager("pass", bets.line(), 1)]), 400, 5000, rng(2), dice=dice, engine=engine)
    expected = play.throws * np.array(dice.weights) / dice.whole
    seen = play.counts.sum(axis=0)
    assert float(((seen - expected) ** 2 / expected).sum()) < 88.6


@BOTH
def test_two_throws_of_a_draw_are_independent(bets, engine: Engine) -> None:
    """In state and throw: on a point the throws follow the same law as on a come-out; bound as above."""
    play = simulate(compile_wagers([bets.wager("pass", bets.line(), 1)]), 400, 5000, rng(3), engine=engine)
    for row in play.counts:
        expected = row.sum() / 36
        assert float(((row - expected) ** 2 / expected).sum()) < 95


def test_progress_reports_nearly_all_throws(bets) -> None:
    told: list[int] = []
    simulate(compile_wagers(bets.pass_and_places()), 10_000, 10, rng(), progress=told.append)
    assert sum(told) == 10_000 * 8
    assert len(told) == 2


@pytest.mark.parametrize(("sessions", "throws", "name"), [(0, 1, "sessions"), (1, 0, "throws")])
def test_nothing_to_play_is_refused(bets, sessions: int, throws: int, name: str) -> None:
    with pytest.raises(PayoutError, match=f"{name} must be at least 1, got 0"):
        simulate(compile_wagers(bets.pass_and_places()), sessions, throws, rng())


@pytest.mark.parametrize("throws", [1, 2])
def test_an_alias_table_meets_every_chance_to_one_part_in_two_to_the_31(throws: int) -> None:
    """The chance of a cell by the table: kept below its threshold, or the alias of others."""
    table = draws(LOADED, throws)
    chance = np.zeros(table.cells)
    kept = table.threshold.astype(np.float64) / UNIT
    np.add.at(chance, np.arange(table.cells), kept / table.cells)
    np.add.at(chance, table.alias, (1 - kept) / table.cells)
    single = [Fraction(weight, LOADED.whole) for weight in LOADED.weights]
    exact = single if throws == 1 else [one * two for one in single for two in single]
    assert max(abs(float(chance[i]) - float(exact[i])) for i in range(table.cells)) < 2**-31


def test_faces_that_never_show_are_never_drawn(bets) -> None:
    dice = Dice.of([Fraction(0), Fraction(1, 5), Fraction(1, 5), Fraction(1, 5), Fraction(1, 5), Fraction(1, 5)])
    play = simulate(compile_wagers([bets.wager("pass", bets.line(), 1)]), 100, 1000, rng(), dice=dice)
    assert play.counts[:, :6].sum() == 0
    assert play.counts[:, ::6].sum() == 0


def test_without_numba_numpy_plays(bets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "payouts.simulation.kernels", raising=False)
    assert fastest() is Engine.NUMPY
    auto = compile_wagers(bets.pass_and_places())
    assert simulate(auto, 10, 10, rng()).engine is Engine.NUMPY
    with pytest.raises(PayoutError, match="engine must be numpy"):
        simulate(auto, 10, 10, rng(), engine=Engine.NUMBA)
