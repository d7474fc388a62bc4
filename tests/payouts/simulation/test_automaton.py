"""Wagers are compiled to the smallest automaton that behaves as their machines do."""

import numpy as np
import pytest

from payouts.craps.decisions import Race, ends
from payouts.craps.terms import CrapsSchedule
from payouts.dice import THROWS, index, totals
from payouts.errors import PayoutError, SolverLimitError
from payouts.machine import LOSE, Machine, Outcome, Payment, State, Step, Throw, win
from payouts.odds import Odds
from payouts.schedule import load, shipped, shipped_names
from payouts.simulation import automaton
from payouts.simulation.automaton import HALF, OPEN, OUTCOMES, Automaton, Part, Wager, compile_wagers


def follow(auto: Automaton, throws: list[Throw]) -> list[tuple[list[int], list[int]]]:
    """Gains and outcomes of every wager on each throw."""
    state, seen = 0, []
    for throw in throws:
        at = index(throw)
        seen.append((auto.gain[:, state, at].tolist(), auto.outcome[:, state, at].tolist()))
        state = int(auto.successor[state, at])
    return seen


def test_the_line_has_a_come_out_and_a_state_for_each_point(bets) -> None:
    assert compile_wagers([bets.wager("pass", bets.line(), 10)]).states == 1 + 6


def test_place_bets_beside_the_line_need_no_further_states(bets) -> None:
    assert compile_wagers(bets.pass_and_places()).states == 1 + 6


def test_a_bet_of_one_throw_needs_one_state_however_the_puck_moves(bets) -> None:
    field = Race(ends((totals(2, 3, 4, 9, 10, 11, 12), win(Odds(1, 1))), rest=LOSE))
    assert compile_wagers([bets.wager("field", field, 5)]).states == 1


def test_tables_say_what_the_machines_say_on_any_throws(bets) -> None:
    """A thousand throws of a fixed seed, each machine stepped by itself, place bets only with the puck on."""
    throws = [THROWS[i] for i in np.random.default_rng(1).integers(0, 36, 1000)]
    wagers = bets.pass_and_places()
    states: list[State] = [w.parts[0].machine.start() for w in wagers]
    expected = []
    for throw in throws:
        on = states[0] != (0,)
        gains, outcomes = [], []
        for i, w in enumerate(wagers):
            step: Step = states[i] if i and not on else w.parts[0].machine.step(states[i], throw)
            if isinstance(step, Payment):
                gains.append(w.parts[0].gain(step))
                outcomes.append(OUTCOMES[step.outcome])
                states[i] = w.parts[0].machine.start()
            else:
                gains.append(0)
                outcomes.append(OPEN)
                states[i] = step
        expected.append((gains, outcomes))
    assert follow(compile_wagers(wagers), throws) == expected


def test_a_bet_is_stepped_only_while_it_works(bets) -> None:
    auto = compile_wagers(bets.pass_and_places())
    assert auto.stepped[:, 0].tolist() == [True, False, False]
    assert auto.stepped[:, 1:].all()


def test_odds_behind_a_flat_bet_come_back_when_it_ends_without_them(bets) -> None:
    """Case B3: a come on 6 wins on a come-out with its odds off; the odds come back unpaid."""
    odds = bets.wager(
        "come odds 6",
        bets.place(6, Odds(6, 5)),
        50,
        made=lambda situation: situation.others[1] == (6,),
        working=bets.point_is_on,
        behind=1,
    )
    come = bets.wager("come", bets.line(), 10, made=bets.point_is_on)
    auto = compile_wagers([bets.wager("pass", bets.line(), 10), come, odds])
    seen = follow(auto, [(2, 2), (3, 3), (2, 2), (3, 3)])
    tie, won = OUTCOMES[Outcome.TIE], OUTCOMES[Outcome.WIN]
    assert seen[2] == ([10, 0, 0], [won, OPEN, OPEN])
    assert seen[3] == ([0, 10, 0], [OPEN, won, tie])


def test_odds_are_on_again_with_the_puck(bets) -> None:
    """Case B9: off on one come-out, paid after the next point is set."""
    odds = bets.wager(
        "come odds 6",
        bets.place(6, Odds(6, 5)),
        50,
        made=lambda situation: situation.others[1] == (6,),
        working=bets.point_is_on,
        behind=1,
    )
    come = bets.wager("come", bets.line(), 10, made=bets.point_is_on)
    auto = compile_wagers([bets.wager("pass", bets.line(), 10), come, odds])
    seen = follow(auto, [(2, 2), (3, 3), (2, 2), (4, 4), (3, 3)])
    assert seen[4][0] == [0, 10, 60]


def test_parts_of_one_bet_end_together_and_their_sum_decides(bets) -> None:
    """Case D13: horn with one unit on each of 2, 3, 11, 12 gains 27 on a 12 and 12 on an 11."""
    parts = tuple(
        Part(Race(ends((totals(total), win(Odds(pays, 1))), rest=LOSE)), bets.gain(1))
        for total, pays in ((2, 30), (3, 15), (11, 15), (12, 30))
    )
    auto = compile_wagers([Wager("horn", parts, 4)])
    assert auto.states == 1
    assert auto.gain[0, 0, index((6, 6))] == 27
    assert auto.gain[0, 0, index((5, 6))] == 12
    assert auto.outcome[0, 0, index((5, 6))] == OUTCOMES[Outcome.WIN]
    assert auto.gain[0, 0, index((1, 6))] == -4
    assert auto.outcome[0, 0, index((1, 6))] == OUTCOMES[Outcome.LOSE]


def test_a_bet_ends_with_the_last_of_its_parts(bets) -> None:
    parts = (
        Part(Race(ends((totals(11), win(Odds(15, 1))), rest=LOSE)), bets.gain(1)),
        Part(bets.place(6, Odds(7, 6)), bets.gain(6)),
    )
    auto = compile_wagers([Wager("pair", parts, 7)])
    assert follow(auto, [(5, 6), (5, 5), (3, 3)]) == [([0], [0]), ([0], [0]), ([22], [OUTCOMES[Outcome.WIN]])]


def test_no_wager_is_refused() -> None:
    with pytest.raises(PayoutError, match="at least one bet"):
        compile_wagers([])


def test_a_wager_behind_a_later_one_is_refused(bets) -> None:
    with pytest.raises(PayoutError, match="listed before odds"):
        compile_wagers([bets.wager("odds", bets.place(6, Odds(6, 5)), 5, behind=0)])


class Endless:
    """A bet that moves on once and never ends."""

    def start(self) -> State:
        return (0,)

    def step(self, state: State, throw: Throw) -> Step:
        return (1,)


class Growing:
    """A bet that counts its throws and never ends."""

    def start(self) -> State:
        return (0,)

    def step(self, state: State, throw: Throw) -> Step:
        return (state[0] + 1,)


def test_wagers_that_cannot_come_back_to_their_start_are_refused(bets) -> None:
    with pytest.raises(PayoutError, match="come back to their start"):
        compile_wagers([bets.wager("first", bets.line(), 1), bets.wager("end", Endless(), 1, made=bets.point_is_on)])


def test_more_states_than_the_limit_are_refused(bets, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(automaton, "MAX_STATES", 100)
    with pytest.raises(SolverLimitError, match="at most 100 states"):
        compile_wagers([bets.wager("growing", Growing(), 1)])


def shipped_machines() -> set[Machine]:
    schedules = [load(shipped("craps", name)) for name in shipped_names("craps")]
    return {
        leg.machine
        for schedule in schedules
        if isinstance(schedule, CrapsSchedule)
        for bet in schedule.bets
        for spot in schedule.spots(bet)
        for leg in schedule.legs(bet, spot)
    }


def test_no_shipped_bet_tells_the_two_dice_apart() -> None:
    """The automaton steps each pair of faces in one order; checked on the first 40 states of every machine."""
    machines = shipped_machines()
    assert len(machines) > 100
    for machine in machines:
        states = [machine.start()]
        for state in states:
            for first, second in HALF:
                step = machine.step(state, (first, second))
                assert step == machine.step(state, (second, first))
                if not isinstance(step, Payment) and step not in states and len(states) < 40:
                    states.append(step)
