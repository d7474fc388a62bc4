"""The accounts of play: figures with intervals that hold."""

from fractions import Fraction

import numpy as np
import pytest

from payouts.craps.decisions import Race, ends
from payouts.dice import totals
from payouts.errors import PayoutError
from payouts.machine import LOSE, TIE, win
from payouts.odds import Odds
from payouts.simulation.accounts import Estimate, accounts, ruin, sessions
from payouts.simulation.automaton import compile_wagers
from payouts.simulation.play import Play, simulate


def played(wagers, count: int = 1000, throws: int = 1000, seed: int = 7, **options) -> Play:
    return simulate(compile_wagers(wagers), count, throws, np.random.default_rng(seed), **options)


def covers(estimate: Estimate | None, exact: Fraction) -> bool:
    assert estimate is not None
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low <= exact <= estimate.high


def test_intervals_cover_the_exact_figures_of_line_dont_and_place(bets) -> None:
    """Level 1 - 1e-6 for each of 8 intervals: false alarms below 1e-5. Figures: reference table of edges."""
    wagers = (bets.wager("pass", bets.line(), 10), bets.wager("dont", bets.dont(), 10),
              bets.wager("place 6", bets.place(6, Odds(7, 6)), 12))  # fmt: skip
    line, dont, place = accounts(played(wagers), 1 - 1e-6)
    assert covers(line.edge_made, Fraction(7, 495))
    assert covers(line.win, Fraction(244, 495))
    assert covers(dont.edge_made, Fraction(3, 220))
    assert covers(dont.edge_resolved, Fraction(27, 1925))
    assert covers(dont.tie, Fraction(1, 36))
    assert covers(dont.win, Fraction(949, 1980))
    assert covers(place.edge_made, Fraction(1, 66))
    assert covers(place.lose, Fraction(6, 11))


def test_an_interval_is_narrow_enough_to_be_useful(bets) -> None:
    """A million throws decide 296,000 pass bets: at 99 % the half-width is about sqrt(2 ln 400 / n) = 0.0064."""
    (line,) = accounts(played([bets.wager("pass", bets.line(), 10)]))
    assert line.edge_made.low is not None
    assert line.edge_made.high is not None
    assert 0.012 < line.edge_made.high - line.edge_made.low < 0.014


def test_a_bet_that_has_not_won_yet_has_an_interval_all_the_same(bets) -> None:
    parts = tuple(ends((totals(2), win(Odds(1000, 1))), rest=LOSE))
    (account,) = accounts(played([bets.wager("aces", Race(parts), 1)], 1, 3, seed=1))
    assert account.win == Estimate(0.0, 0.0, 1.0)
    assert account.net_minor == -3


def test_money_of_an_account_adds_up(bets) -> None:
    play = played(bets.pass_and_places(), 100, 100)
    assert play.net is not None
    books = accounts(play)
    assert sum(book.net_minor for book in books) == int(play.net.sum())
    for book in books:
        assert book.handle_minor == book.bets * book.stake_minor
        assert book.edge_made.value == pytest.approx(-book.net_minor / book.handle_minor, abs=1e-12)
        assert book.win.value + book.tie.value + book.lose.value == pytest.approx(1, abs=1e-12)


def test_throws_up_counts_only_throws_on_which_the_bet_works(bets) -> None:
    """A place 6 ends with 11 throws of 36 and works with the puck on: 36/11 throws; a line bet lasts 557/165.

    Standard errors over 10**6 throws are about 0.007; the tolerance is five of them.
    """
    line, place, _ = accounts(played(bets.pass_and_places()))
    assert line.throws_up == pytest.approx(557 / 165, abs=0.035)
    assert place.throws_up == pytest.approx(36 / 11, abs=0.035)


def test_an_edge_where_every_bet_ties_has_no_resolved_bets(bets) -> None:
    (account,) = accounts(played([bets.wager("tie", Race(ends(rest=TIE)), 1)], 2, 10))
    assert account.edge_resolved is None
    assert account.edge_made.value == 0


def test_sessions_describe_the_players_end(bets) -> None:
    """Mean of a session by Wald's identity within six standard errors: false alarm 2e-9."""
    play = played([bets.wager("pass", bets.line(), 100)], 2000, 200)
    told = sessions(play, at=(0.05, 0.5, 0.95))
    (account,) = accounts(play)
    assert told.mean.value * told.sessions == pytest.approx(account.net_minor, rel=1e-9)
    assert told.edge_handle == pytest.approx(-account.net_minor / account.handle_minor)
    expected = -100 * 7 / 495 * account.bets / told.sessions
    assert abs(told.mean.value - expected) < 6 * told.deviation / told.sessions**0.5
    low, median, high = (estimate for _, estimate in told.quantiles)
    assert low.value < median.value < high.value
    assert median.low is not None
    assert median.high is not None
    assert median.low <= median.value <= median.high
    assert low.low is not None
    assert low.low <= low.value
    assert told.lowest <= low.value


def test_quantiles_that_few_sessions_cannot_bound_say_so(bets) -> None:
    told = sessions(played([bets.wager("pass", bets.line(), 1)], 10, 50), at=(0.01, 0.99))
    assert told.quantiles[0][1].low is None
    assert told.quantiles[1][1].high is None


def test_ruin_counts_sessions_whose_low_point_reaches_the_bank(bets) -> None:
    play = played([bets.wager("never", Race(ends(rest=LOSE)), 1)], 10, 20)
    assert ruin(play, 20).value == 1
    assert ruin(play, 21).value == 0
    assert ruin(play, 21).high == 1.0


@pytest.mark.parametrize("level", [0.0, 1.0, -1.0])
def test_a_level_outside_zero_and_one_is_refused(bets, level: float) -> None:
    play = played([bets.wager("pass", bets.line(), 1)], 2, 10)
    for told in (accounts, sessions):
        with pytest.raises(PayoutError, match="level must be between 0 and 1"):
            told(play, level)


def test_sessions_and_ruin_refuse_a_play_that_kept_no_nets(bets) -> None:
    play = played([bets.wager("pass", bets.line(), 1)], 2, 10, track=False)
    with pytest.raises(PayoutError, match="running nets"):
        sessions(play)
    with pytest.raises(PayoutError, match="low points"):
        ruin(play, 5)


def test_one_session_and_an_empty_bank_are_refused(bets) -> None:
    with pytest.raises(PayoutError, match="sessions must be at least 2"):
        sessions(played([bets.wager("pass", bets.line(), 1)], 1, 10))
    with pytest.raises(PayoutError, match="bank_minor must be at least 1"):
        ruin(played([bets.wager("pass", bets.line(), 1)], 2, 10), 0)
