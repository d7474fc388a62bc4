"""The accounts of bulk play: every wager's figures and every session's, each with its interval.

Intervals of bounded means are empirical Bernstein bounds (Maurer and Pontil 2009, theorem 4): they hold at any number
of bets, which is taken as given, also where a rare win has not come yet. Quantiles use the inequality of Dvoretzky,
Kiefer and Wolfowitz with Massart's constant (1990). Only the mean net of a session is asymptotic.
"""

from dataclasses import dataclass
from math import ceil, floor, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from payouts.errors import PayoutError
from payouts.machine import Outcome
from payouts.simulation.automaton import OPEN, OUTCOMES
from payouts.simulation.play import Play

TIE = OUTCOMES[Outcome.TIE]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A simulated figure and an interval that covers the true one with at least the level asked; None is no bound."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Account:
    """One wager over all sessions; money in minor units, edges and chances from the house's side per unit of stake.

    `edge_made` counts ties, `edge_resolved` leaves them out and is None where every bet tied. `throws_up` is the mean
    number of throws that a bet saw while it worked.
    """

    label: str
    stake_minor: int
    bets: int
    handle_minor: int
    net_minor: int
    win: Estimate
    tie: Estimate
    lose: Estimate
    edge_made: Estimate
    edge_resolved: Estimate | None
    throws_up: float


@dataclass(frozen=True, slots=True)
class Sessions:
    """How sessions ended for the player, minor units.

    `quantiles` are of the net, as (probability, estimate); `mean` is asymptotic; `lowest` is the lowest running net of
    all; `edge_handle` is the house's win over all that was staked.
    """

    sessions: int
    mean: Estimate
    deviation: float
    quantiles: tuple[tuple[float, Estimate], ...]
    lowest: int
    edge_handle: float


def accounts(play: Play, level: float = 0.99) -> tuple[Account, ...]:
    """Add up every wager of a play; each interval covers with at least `level`.

    Raises
    ------
    PayoutError
        A level outside (0, 1).
    """
    check_level(level)
    return tuple(_account(play, index, level) for index in range(len(play.automaton.wagers)))


def sessions(
    play: Play, level: float = 0.99, at: tuple[float, ...] = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
) -> Sessions:
    """Describe the sessions of a play that kept them.

    Raises
    ------
    PayoutError
        A play that did not keep running nets, fewer than two sessions, or a level outside (0, 1).
    """
    check_level(level)
    if play.net is None or play.low is None:
        raise PayoutError("play must have kept its running nets, got one that did not")
    if play.sessions < 2:
        raise PayoutError(f"sessions must be at least 2, got {play.sessions}")
    mean, deviation = float(play.net.mean()), float(play.net.std(ddof=1))
    half = NormalDist().inv_cdf((1 + level) / 2) * deviation / sqrt(play.sessions)
    ordered = np.sort(play.net)
    slack = sqrt(log(2 / (1 - level)) / (2 * play.sessions))
    handle = sum(account.handle_minor for account in accounts(play, level))
    return Sessions(
        sessions=play.sessions,
        mean=Estimate(mean, mean - half, mean + half),
        deviation=deviation,
        quantiles=tuple((p, _quantile(ordered, p, slack)) for p in at),
        lowest=int(play.low.min()),
        edge_handle=-int(play.net.sum()) / handle,
    )


def ruin(play: Play, bank_minor: int, level: float = 0.99) -> Estimate:
    """Estimate the chance that a session's running net reaches minus `bank_minor`."""
    check_level(level)
    if play.low is None:
        raise PayoutError("play must have kept its low points, got one that did not")
    if bank_minor < 1:
        raise PayoutError(f"bank_minor must be at least 1, got {bank_minor}")
    reached = int((play.low <= -bank_minor).sum())
    return mean_of(np.array([0, 1]), np.array([play.sessions - reached, reached]), level, (0.0, 1.0))


def _account(play: Play, index: int, level: float) -> Account:
    automaton = play.automaton
    wager, outcome = automaton.wagers[index], automaton.outcome[index]
    by_outcome = np.bincount(outcome.ravel(), weights=play.counts.ravel(), minlength=4).astype(np.int64)
    bets = int(by_outcome[1:].sum())
    if bets == 0:
        raise PayoutError(f"throws must be enough for {wager.label} to end once, got {play.throws}")
    chances = {end: share_of(int(by_outcome[code]), bets, level) for end, code in OUTCOMES.items()}
    made, resolved = outcome != OPEN, (outcome != OPEN) & (outcome != TIE)
    handle = bets * wager.stake_minor
    return Account(
        label=wager.label,
        stake_minor=wager.stake_minor,
        bets=bets,
        handle_minor=handle,
        net_minor=int((play.counts * automaton.gain[index]).sum()),
        win=chances[Outcome.WIN],
        tie=chances[Outcome.TIE],
        lose=chances[Outcome.LOSE],
        edge_made=_edge(play, index, made, level),
        edge_resolved=_edge(play, index, resolved, level) if play.counts[resolved].any() else None,
        throws_up=int(play.counts[automaton.stepped[index]].sum()) / bets,
    )


def _edge(play: Play, index: int, among: NDArray[np.bool_], level: float) -> Estimate:
    """House edge per unit of stake over the bets whose (state, throw) is `among` those given."""
    gain = play.automaton.gain[index]
    values, codes = np.unique(gain[among], return_inverse=True)
    counts = np.bincount(codes, weights=play.counts[among], minlength=len(values)).astype(np.int64)
    losses = -values / play.automaton.wagers[index].stake_minor
    return mean_of(losses, counts, level)


def share_of(count: int, of: int, level: float) -> Estimate:
    """Estimate a chance from so many of so many."""
    return mean_of(np.array([0, 1]), np.array([of - count, count]), level, (0.0, 1.0))


def mean_of(
    values: NDArray[np.float64] | NDArray[np.int64],
    counts: NDArray[np.int64],
    level: float,
    clip: tuple[float, float] | None = None,
) -> Estimate:
    """Estimate the mean of independent values that came `counts` times, out of a range that `values` spans.

    Parameters
    ----------
    clip
        What the mean cannot pass.
    """
    check_level(level)
    n = int(counts.sum())
    mean = float((values * counts).sum() / n)
    if n < 2:
        return Estimate(mean, *(clip or (None, None)))
    variance = float((counts * (values - mean) ** 2).sum() / (n - 1))
    weight = log(4 / (1 - level))
    half = sqrt(2 * variance * weight / n) + 7 * float(np.ptp(values)) * weight / (3 * (n - 1))
    low, high = mean - half, mean + half
    return Estimate(mean, max(low, clip[0]), min(high, clip[1])) if clip else Estimate(mean, low, high)


def _quantile(ordered: NDArray[np.int64], p: float, slack: float) -> Estimate:
    """Quantile of sorted values; None for an end that the sessions cannot bound."""
    n = len(ordered)
    low, high = ceil((p - slack) * n) - 1, floor((p + slack) * n)
    return Estimate(
        float(ordered[min(max(ceil(p * n) - 1, 0), n - 1)]),
        float(ordered[low]) if low >= 0 else None,
        float(ordered[high]) if high < n else None,
    )


def check_level(level: float) -> None:
    """Refuse a level outside (0, 1)."""
    if not 0 < level < 1:
        raise PayoutError(f"level must be between 0 and 1, got {level}")
