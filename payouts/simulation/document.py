"""Bulk play as values for JSON: what `floorman simulate` prints, the exact figures beside the simulated ones."""

from fractions import Fraction
from typing import Any

from payouts.chain import solve
from payouts.craps.terms import CrapsSchedule
from payouts.currency import money_text
from payouts.dice import FAIR, Dice
from payouts.hooligan.percentages import figures
from payouts.simulation.accounts import Account, Estimate, accounts, sessions
from payouts.simulation.automaton import Wager
from payouts.simulation.hooligan import HooliganPlay
from payouts.simulation.play import Play


def craps_document(schedule: CrapsSchedule, play: Play, level: float = 0.99, dice: Dice = FAIR) -> dict[str, Any]:
    """Describe a play of standing wagers.

    `exact_edge` is the exact edge per bet made of a wager by itself, None for odds, which may come back undecided.
    Estimates are {"value", "low", "high"}, money is text in units of the currency.
    """
    books = accounts(play, level)
    document: dict[str, Any] = {
        "schedule": schedule.header.name,
        "fingerprint": schedule.fingerprint,
        "engine": play.engine.value,
        "level": level,
        "sessions": play.sessions,
        "throws": play.throws,
        "bets": [
            _account_json(schedule, wager, book, dice) for wager, book in zip(play.automaton.wagers, books, strict=True)
        ],
    }
    handle = sum(book.handle_minor for book in books)
    document["edge_handle"] = -sum(book.net_minor for book in books) / handle
    if play.net is not None and play.sessions > 1:
        document["session"] = _sessions_json(schedule, play, level)
    return document


def hooligan_document(play: HooliganPlay, level: float = 0.99, fair: bool = True) -> dict[str, Any]:
    """Describe games of one player; `exact_...` are the solver's figures, None where the dice were not fair."""
    schedule = play.schedule
    unit = 10**schedule.header.decimals
    exact = figures(schedule, play.player) if fair else None
    mean = play.mean_minor(level)
    return {
        "schedule": schedule.header.name,
        "fingerprint": schedule.fingerprint,
        "player": play.player.value,
        "level": level,
        "games": play.games,
        "return": _estimate_json(mean, 1 / unit),
        "house_edge": _estimate_json(play.house_edge(level)),
        "score_mean": _estimate_json(play.score_mean(level)),
        "exact_house_edge": exact.house_edge if exact else None,
        "exact_score_mean": exact.score_mean if exact else None,
        "bands": [
            {
                "score": [low, high],
                "chance": _estimate_json(chance),
                "exact_chance": exact.bands[place].chance if exact else None,
            }
            for place, (low, high, chance) in enumerate(play.bands(level))
        ],
        "scores": play.scores.tolist(),
    }


def exact_edge(wager: Wager, dice: Dice = FAIR) -> Fraction:
    """House edge of a wager by itself, per bet made, from the exact chain of its parts."""
    mean = sum(
        (part.gain(payment) * chance for part in wager.parts for payment, chance in solve(part.machine, dice).endings),
        Fraction(0),
    )
    return -mean / wager.stake_minor


def _account_json(schedule: CrapsSchedule, wager: Wager, book: Account, dice: Dice) -> dict[str, Any]:
    bet, _, spot = wager.label.partition(" ")
    decimals = schedule.header.decimals
    exact = None if wager.behind is not None else exact_edge(wager, dice)
    return {
        "bet": bet,
        "variant": spot,
        "stake": money_text(book.stake_minor, decimals),
        "bets": book.bets,
        "handle": money_text(book.handle_minor, decimals),
        "net": money_text(book.net_minor, decimals),
        "win": _estimate_json(book.win),
        "tie": _estimate_json(book.tie),
        "lose": _estimate_json(book.lose),
        "edge_made": _estimate_json(book.edge_made),
        "edge_resolved": None if book.edge_resolved is None else _estimate_json(book.edge_resolved),
        "throws_up": book.throws_up,
        "exact_edge": None if exact is None else f"{exact.numerator}/{exact.denominator}",
        "exact_edge_decimal": None if exact is None else float(exact),
    }


def _sessions_json(schedule: CrapsSchedule, play: Play, level: float) -> dict[str, Any]:
    told = sessions(play, level)
    unit = 10**schedule.header.decimals
    return {
        "net_mean": _estimate_json(told.mean, 1 / unit),
        "net_sd": told.deviation / unit,
        "net_quantiles": [
            {"probability": p, "net": _estimate_json(estimate, 1 / unit)} for p, estimate in told.quantiles
        ],
        "lowest": money_text(told.lowest, schedule.header.decimals),
    }


def _estimate_json(estimate: Estimate, scale: float = 1.0) -> dict[str, float | None]:
    return {
        name: None if value is None else value * scale
        for name, value in (("value", estimate.value), ("low", estimate.low), ("high", estimate.high))
    }
