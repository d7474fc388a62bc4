"""What a Hooligan schedule keeps: the house percentage against each kind of player, with the law behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from payouts.currency import money_text
from payouts.hooligan.players import Player
from payouts.hooligan.rules import HooliganRules
from payouts.hooligan.schedule import HooliganSchedule, reading_fingerprint
from payouts.hooligan.solver import error_bound, mean_payout, settled_law, solve


@dataclass(frozen=True, slots=True, kw_only=True)
class BandFigures:
    """A band of scores: how often a player reaches it, and its share of what he receives.

    Parameters
    ----------
    share
        Of the mean payout, 0 to 1; None when the player receives nothing at all.
    """

    low: int
    high: int
    pays_minor: int
    chance: float
    share: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFigures:
    """A schedule against one kind of player.

    Parameters
    ----------
    mean_minor
        Mean payout of a game, minor units at face value.
    house_edge
        1 - trade cost x mean payout / stake.
    payout_sd_minor
        Standard deviation of the payout, minor units at face value.
    law
        Chance of each final score, from 0.
    error
        Bound of the relative error of `mean_minor` and of every chance.
    """

    player: Player
    mean_minor: float
    house_edge: float
    score_mean: float
    score_sd: float
    payout_sd_minor: float
    hit_chance: float
    law: tuple[float, ...]
    bands: tuple[BandFigures, ...]
    error: float


def figures(schedule: HooliganSchedule, player: Player | str = Player.OPTIMAL) -> PlayerFigures:
    """Solve a schedule against one kind of player.

    Notes
    -----
    Exact but for rounding: a dynamic programme over every position, in float64 within `error`.
    """
    pays = schedule.law
    mean, law = _solved(schedule.rules, pays, Player(player))
    score_mean, score_sd = _moments(law, range(len(law)))
    _, payout_sd = _moments(law, pays)
    return PlayerFigures(
        player=Player(player),
        mean_minor=mean,
        house_edge=_edge(schedule, mean),
        score_mean=score_mean,
        score_sd=score_sd,
        payout_sd_minor=payout_sd,
        hit_chance=sum(chance for chance, paid in zip(law, pays, strict=True) if paid),
        law=law,
        bands=tuple(_band_figures(schedule, law, mean)),
        error=error_bound(schedule.rules),
    )


def _solved(rules: HooliganRules, pays: Sequence[int], player: Player) -> tuple[float, tuple[float, ...]]:
    """Mean payout in minor units, and the law of the score; of a player whom no payout moves by one sweep for all."""
    settled = settled_law(rules, player)
    if settled is None:
        solved = solve(rules, pays, player)
        return solved.mean, tuple(map(float, solved.law))
    return sum(chance * paid for chance, paid in zip(settled, pays, strict=True)), settled


def all_figures(schedule: HooliganSchedule) -> dict[Player, PlayerFigures]:
    """Solve a schedule against every kind of player."""
    return {player: figures(schedule, player) for player in Player}


def _band_figures(schedule: HooliganSchedule, law: tuple[float, ...], mean: float) -> list[BandFigures]:
    bands = []
    for band in schedule.bands:
        chance = sum(law[band.low : band.high + 1])
        share = chance * band.pays_minor / mean if mean else None
        bands.append(BandFigures(low=band.low, high=band.high, pays_minor=band.pays_minor, chance=chance, share=share))
    return bands


def _moments(law: tuple[float, ...], values: Sequence[int]) -> tuple[float, float]:
    """Mean and standard deviation of values under a law."""
    mean = sum(chance * value for chance, value in zip(law, values, strict=True))
    return mean, sqrt(sum(chance * (value - mean) ** 2 for chance, value in zip(law, values, strict=True)))


def _edge(schedule: HooliganSchedule, mean_minor: float) -> float:
    return 1 - float(schedule.trade_cost) * mean_minor / schedule.stake_minor


def house_edge_bounds(schedule: HooliganSchedule, player: Player | str) -> tuple[float, float, float]:
    """House edge against a kind of player, between bounds that hold it: least, as computed, greatest."""
    mean = mean_payout(schedule.rules, schedule.law, Player(player))
    error = error_bound(schedule.rules)
    low, middle, high = (_edge(schedule, mean * factor) for factor in (1 + error, 1.0, 1 - error))
    return low, middle, high


def document(schedule: HooliganSchedule, players: tuple[Player, ...] = tuple(Player)) -> dict[str, Any]:
    """What `floorman edge hooligan --json` prints; numbers are numbers, undefined is None.

    `return` is the mean payout in currency units and `house_edge` is 1 - trade_cost x return / stake.
    """
    header = schedule.header
    unit = 10**header.decimals
    return {
        "schedule": header.name,
        "version": header.version,
        "fingerprint": schedule.fingerprint,
        "rules": schedule.rules.to_json(),
        "rules_fingerprint": reading_fingerprint(schedule.rules),
        "currency": header.currency,
        "stake": money_text(schedule.stake_minor, header.decimals),
        "trade_cost": float(schedule.trade_cost),
        "players": {player.value: _player_json(figures(schedule, player), unit) for player in players},
    }


def _player_json(solved: PlayerFigures, unit: int) -> dict[str, Any]:
    return {
        "return": solved.mean_minor / unit,
        "house_edge": solved.house_edge,
        "score_mean": solved.score_mean,
        "score_sd": solved.score_sd,
        "payout_sd": solved.payout_sd_minor / unit,
        "hit_chance": solved.hit_chance,
        "relative_error": solved.error,
        "score_law": list(solved.law),
        "bands": [
            {
                "score": [band.low, band.high],
                "pays": band.pays_minor / unit,
                "chance": band.chance,
                "share": band.share,
            }
            for band in solved.bands
        ],
    }
