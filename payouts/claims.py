"""Does a published percentage hold? If not, under which reading, unit, base or rounding would it?

A claim is a schedule file whose `[declared]` table holds what was published. The schedule is solved as written; where
the exact figure does not round half up to the printed one, the ways in which a publisher may have meant or reckoned it
otherwise are tried, the fewest departures from the file first.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from payouts.craps.edges import EdgeRow, edges, edges_by_stake
from payouts.craps.settling import legal_stakes
from payouts.craps.terms import Base, CommissionRounding, CrapsSchedule, DontBar, When
from payouts.errors import Fault, PayoutError, ScheduleError
from payouts.header import read_header
from payouts.hooligan.players import Player
from payouts.hooligan.readings import all_readings, single_readings, under
from payouts.hooligan.schedule import HooliganSchedule
from payouts.hooligan.solver import mean_payout
from payouts.reading import Percentage, Section, read_toml
from payouts.schedule import read

MOST_EXPLANATIONS = 12
MOST_STAKES = 200
"""Stakes of a bet, from the smallest up, at which a claim about craps is tried."""


@dataclass(frozen=True, slots=True, order=True)
class Explanation:
    """A way in which a claim holds.

    Parameters
    ----------
    departures
        In what it departs from the file as written, in words: readings as the file would say them, a unit, a base, a
        rounding; empty where the claim holds as it is.
    edge
        House edge under it; for Hooligan within the solver's error.
    """

    departures: tuple[str, ...]
    edge: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one claim.

    Parameters
    ----------
    key
        What it is about: a bet ("place.6") or a kind of player ("optimal").
    edges
        Exact house edge as written, by spot ("" where there is none to choose).
    holds
        Whether each of them rounds half up to the printed digits.
    explanations
        Ways in which the claim would hold, the fewest departures first; at most `MOST_EXPLANATIONS`.
    """

    key: str
    claimed: Percentage
    edges: dict[str, Fraction]
    holds: bool
    explanations: tuple[Explanation, ...]


def check_claims(text: str, file: str) -> tuple[Verdict, ...]:
    """Check every percentage that the text of a schedule file declares.

    Raises
    ------
    ScheduleError
        When the file has faults other than a wrong claim or a player's edge, or declares nothing.
    """
    root = read_toml(text, file)
    declared = read_header(root).declared
    if not declared:
        raise ScheduleError((Fault(file, "declared", "nothing", "a table with at least one percentage"),))
    table = {key: value for key, value in tomllib.loads(text).items() if key != "declared"}
    schedule = _read(table, file)
    if isinstance(schedule, HooliganSchedule):
        return tuple(_hooligan_verdict(schedule, kind, claim, file) for kind, claim in declared.items())
    return tuple(_craps_verdict(table, schedule, key, claim, file) for key, claim in declared.items())


def document(verdicts: Iterable[Verdict]) -> dict[str, Any]:
    """What `floorman claim --json` prints: each claim, whether it holds, and under what it would."""
    return {
        "claims": [
            {
                "key": each.key,
                "claimed": str(each.claimed),
                "holds": each.holds,
                "edges": {spot: float(edge) for spot, edge in each.edges.items()},
                "right": {spot: str(Percentage.of(edge, each.claimed.decimals)) for spot, edge in each.edges.items()},
                "would_hold": [
                    {"departures": list(way.departures), "edge": float(way.edge)} for way in each.explanations
                ],
            }
            for each in verdicts
        ]
    }


def _read(table: dict[str, Any], file: str) -> CrapsSchedule | HooliganSchedule:
    """Read a schedule without holding it to the guard: a claim may be about any schedule."""
    return read(Section({**table, "player_edge_accepted": True}, file))


def _rounded(claim: Percentage, edge: Fraction) -> str | None:
    """How an edge becomes the printed percentage: "" half up, "rounded down" or "rounded up", None if not at all."""
    scale = 100 * 10**claim.decimals
    if claim.holds(edge):
        return ""
    printed = claim.value * scale
    return {edge * scale // 1: "rounded down", -(-edge * scale // 1): "rounded up"}.get(printed)


def _explained(claim: Percentage, tried: Iterable[tuple[tuple[str, ...], Fraction]]) -> tuple[Explanation, ...]:
    found = []
    for departures, edge in tried:
        rounding = _rounded(claim, edge)
        if rounding is not None:
            found.append(Explanation((*departures, rounding) if rounding else departures, edge))
    return tuple(sorted(found, key=lambda each: len(each.departures))[:MOST_EXPLANATIONS])


def _hooligan_verdict(schedule: HooliganSchedule, kind: str, claim: Percentage, file: str) -> Verdict:
    if kind not in set(Player):
        bound = "a kind of player (" + ", ".join(Player) + ")"
        raise ScheduleError((Fault(file, f"declared.{kind}", str(claim), bound),))
    edge = _hooligan_edge(schedule, Player(kind))
    holds = claim.holds(edge)
    tried = _hooligan_departures(schedule, Player(kind)) if not holds else ()
    explanations = _explained(claim, [((), edge), *tried])
    return Verdict(key=kind, claimed=claim, edges={"": edge}, holds=holds, explanations=explanations)


def _hooligan_departures(schedule: HooliganSchedule, kind: Player) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Edges under other units, readings, players and costs, alone and in pairs of unit and reading."""
    to_one = tuple(replace(band, pays_minor=band.pays_minor + schedule.stake_minor) for band in schedule.bands)
    units = {(): schedule, ('pays are "to 1": the stake is returned on top',): replace(schedule, bands=to_one)}
    readings = {each.rules: each for each in (*single_readings(schedule), *all_readings(schedule))}
    for unit, priced in units.items():
        for reading in readings.values():
            words = tuple(f"{option} = {_shown(value)}" for option, value in reading.changed.items())
            if unit or words:
                yield unit + words, _hooligan_edge(under(priced, reading.rules), kind)
    for other in Player:
        if other is not kind:
            yield (f"against the player {other}",), _hooligan_edge(schedule, other)
    if schedule.trade_cost != 1:
        yield ("trade_cost = 1",), _hooligan_edge(replace(schedule, trade_cost=Fraction(1)), kind)


def _shown(value: int | str | bool) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


def _hooligan_edge(schedule: HooliganSchedule, kind: Player) -> Fraction:
    return 1 - schedule.trade_cost * Fraction(mean_payout(schedule.rules, schedule.law, kind)) / schedule.stake_minor


COMMISSION: dict[str, type[When] | type[Base] | type[CommissionRounding]] = {
    "when": When,
    "base": Base,
    "rounding": CommissionRounding,
}
"""What a publisher may have meant otherwise about a commission."""

BASES = {
    "": "edge_made",
    "per bet resolved": "edge_resolved",
    "per throw": "edge_per_throw",
    "element of risk, with full odds": "element_of_risk",
}
"""Bases of a percentage of craps, as departures from per bet made."""


def _craps_verdict(table: dict[str, Any], schedule: CrapsSchedule, key: str, claim: Percentage, file: str) -> Verdict:
    bet, _, spot = key.partition(".")
    rows = [row for row in edges(schedule, bet) if spot in ("", row.variant)] if bet in schedule.bets else []
    if not rows:
        bound = "about a bet on offer and one of its spots"
        raise ScheduleError((Fault(file, f"declared.{key}", str(claim), bound),))
    exact = {row.variant: row.edge_made for row in rows}
    holds = all(claim.holds(edge) for edge in exact.values())
    explanations = _explained_at(claim, rows, ())
    if not holds:
        for words, changed in _craps_departures(table, bet):
            explanations += _explained_at(claim, _rows_under(changed, file, bet, spot), (words,))
        explanations += _explained_at_stakes(claim, schedule, rows)
    ordered = tuple(sorted(explanations, key=lambda each: len(each.departures))[:MOST_EXPLANATIONS])
    return Verdict(key=key, claimed=claim, edges=exact, holds=holds, explanations=ordered)


def _explained_at(claim: Percentage, rows: list[EdgeRow], unit: tuple[str, ...]) -> tuple[Explanation, ...]:
    """Ways in which a claim holds under each base, at all spots or at one of them."""
    found: list[Explanation] = []
    for base, field in BASES.items():
        figures = {row.variant: getattr(row, field) for row in rows}
        for spot, edge in figures.items():
            if edge is not None:
                where = (f"on {spot} alone",) if len(figures) > 1 else ()
                departures = unit + ((base,) if base else ()) + where
                found += _explained(claim, [(departures, edge)])
        everywhere = [edge for edge in figures.values() if edge is not None]
        if len(figures) > 1 and everywhere and all(claim.holds(edge) for edge in everywhere):
            found.append(Explanation(unit + ((base,) if base else ()), everywhere[0]))
    return tuple(found)


def _explained_at_stakes(claim: Percentage, schedule: CrapsSchedule, rows: list[EdgeRow]) -> tuple[Explanation, ...]:
    """The smallest stake, if any of the first `MOST_STAKES`, at which rounding and commission make a claim hold."""
    found = []
    for row in rows:
        low, high, step = legal_stakes(schedule, row.bet, row.variant)
        tried = range(low, min(high, low + MOST_STAKES * step) + 1, step)
        for stake, edge in edges_by_stake(schedule, row.bet, row.variant, tried):
            if stake != row.stake_minor and claim.holds(edge):
                where = (f"on {row.variant} alone",) if len(rows) > 1 else ()
                found.append(Explanation((f"at a stake of {schedule.header.money(stake)}", *where), edge))
                break
    return tuple(found)


def _craps_departures(table: dict[str, Any], bet: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the file may say otherwise about a bet, one thing at a time, each with the file as it then is."""
    terms = table["bets"][bet]
    pays = _other_unit(terms.get("pays"))
    if pays is not None:
        yield "prices in the other unit", _with_terms(table, bet, pays=pays)
    commission = terms.get("commission", {})
    for option, words in COMMISSION.items():
        for word in words if commission else ():
            if word != commission[option]:
                changed = commission | {option: word.value}
                yield f'commission.{option} = "{word}"', _with_terms(table, bet, commission=changed)
    own = table.get("table", {})
    for bar in DontBar:
        if bet in ("dont_pass", "dont_come") and bar != own.get("dont_bar", DontBar.TWELVE):
            yield f'table.dont_bar = "{bar}"', {**table, "table": {**own, "dont_bar": bar.value}}


def _with_terms(table: dict[str, Any], bet: str, **changed: Any) -> dict[str, Any]:
    """The file with some terms of a bet changed."""
    return {**table, "bets": {**table["bets"], bet: {**table["bets"][bet], **changed}}}


def _rows_under(table: dict[str, Any], file: str, bet: str, spot: str) -> list[EdgeRow]:
    """Figures of a bet under a changed file; none where that is no schedule."""
    try:
        other = _read(table, file)
        assert isinstance(other, CrapsSchedule), "a change of terms is no change of game"
        return [row for row in edges(other, bet) if spot in ("", row.variant)]
    except PayoutError:
        return []


def _other_unit(pays: Any) -> Any:
    """Prices with "to" and "for" changed for one another; None where there are none."""
    if isinstance(pays, dict):
        return {key: _other_unit(price) for key, price in pays.items()}
    if not isinstance(pays, str):
        return None
    return pays.replace(" to ", " for ") if " to " in pays else pays.replace(" for ", " to ")
