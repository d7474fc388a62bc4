"""Read the part of a schedule file that is about craps: the table, its bets, their prices and limits."""

import re
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction

from payouts.craps.catalogue import CATALOGUE, COME_OUT_WORDS
from payouts.craps.custom import read_bet
from payouts.craps.guard import judge
from payouts.craps.puck import BOX_NUMBERS, CRAPLESS_NUMBERS
from payouts.craps.terms import (
    AfterWin,
    Base,
    Bet,
    BetTerms,
    Commission,
    CommissionRounding,
    CrapsSchedule,
    CrapsTable,
    DontBar,
    Limits,
    When,
)
from payouts.currency import MAX_MINOR
from payouts.header import Header
from payouts.odds import Odds, Rounding, RoundingRule
from payouts.reading import Section, refuse

MAX_ODDS_MULTIPLE = 10_000
_COMMISSIONED = ("buy", "lay")
_JUDGED_BY = ("currency", "table.points", "table.dont_bar", "table.rounding")
"""Keys without which no bet can be judged."""
_PRICING = {
    (True, False): 'one price like "1 to 1"',
    (False, True): 'a table of prices like {6 = "7 to 6"}',
    (True, True): 'one price like "1 to 1" or a table of prices like {6 = "7 to 6"}',
}


def parse_terms(root: Section, header: Header) -> CrapsSchedule:
    """Read a craps schedule and judge it; bets that are read without fault are judged even if others are not.

    Raises
    ------
    ScheduleError
        With every fault of the file, the edges and claims that are refused among them.
    """
    table_section, bets_section = root.section("table"), root.section("bets")
    sections = {name: bets_section.section(name, required=True) for name in bets_section.keys}
    table = _table(table_section, header, odds_offered=bool({"odds", "lay_odds"} & {*sections}))
    bets = {name: _terms(section, name, table, header) for name, section in sections.items()}
    if not bets:
        root.fault("bets", "a table with at least one bet", "nothing")
    _check_together(sections, bets, table)
    faults = root.faults()
    if any(fault.key.startswith(_JUDGED_BY) for fault in faults):
        refuse(faults)
    unread = {name for name, section in sections.items() if section.faults()}
    unread |= {name for name, terms in bets.items() if unread & {order for order, _, _ in terms.bet.orders}}
    schedule = CrapsSchedule(header, table, {name: terms for name, terms in bets.items() if name not in unread})
    refused, warnings = judge(schedule, root.file, unread)
    refuse((*faults, *refused))
    return replace(schedule, warnings=warnings)


def _table(section: Section, header: Header, odds_offered: bool) -> CrapsTable:
    points = _points(section)
    rounding = section.section("rounding")
    exposure = section.money("exposure", header.decimals) if section.has("exposure") else None
    return CrapsTable(
        points=points,
        dont_bar=section.choice("dont_bar", DontBar, DontBar.TWELVE),
        odds_limit=_odds_limit(section, points, odds_offered),
        come_out=_come_out(section.section("come_out")),
        after_win=section.choice("after_win", AfterWin, AfterWin.STAY),
        rounding=Rounding(
            rounding.money("unit", header.decimals, default=1),
            rounding.choice("rule", RoundingRule, RoundingRule.DOWN),
        ),
        exposure_minor=exposure,
    )


def _points(section: Section) -> tuple[int, ...]:
    value = section.raw("points")
    if value is None and not section.has("points"):
        return BOX_NUMBERS
    numbers = value if isinstance(value, list) and all(type(each) is int for each in value) else []
    fitting = {*BOX_NUMBERS} <= {*numbers} <= {*CRAPLESS_NUMBERS} and len({*numbers}) == len(numbers)
    if not fitting:
        section.fault("points", "a list of 4, 5, 6, 8, 9, 10, each once, and any of 2, 3, 11, 12")
        return BOX_NUMBERS
    return tuple(sorted(numbers))


def _odds_limit(section: Section, points: tuple[int, ...], required: bool) -> Mapping[int, int]:
    limits = section.section("odds_limit", required=required)
    if not section.has("odds_limit"):
        return {}
    return {point: limits.integer(str(point), 0, MAX_ODDS_MULTIPLE) for point in points}


def _come_out(section: Section) -> Mapping[str, bool]:
    words = dict(COME_OUT_WORDS)
    for word in words:
        if section.has(word):
            said = section.raw(word)
            if said not in ("on", "off"):
                section.fault(word, '"on" or "off"')
            words[word] = said == "on"
        else:
            section.raw(word)
    return words


def _terms(terms: Section, name: str, table: CrapsTable, header: Header) -> BetTerms:
    if name in CATALOGUE:
        bet = CATALOGUE[name]
        pays = _pays(terms, bet, table)
    elif terms.has("shape") and re.fullmatch("[a-z][a-z0-9_]{0,39}", name):
        bet, pays = read_bet(terms, name)
    else:
        return _unknown(terms, name)
    return BetTerms(
        bet=bet,
        pays=pays,
        limits=_limits(terms.section("limits"), table, header),
        commission=_commission(terms, header) if name in _COMMISSIONED and terms.has("commission") else None,
        player_edge_accepted=terms.boolean("player_edge_accepted", default=False),
    )


def _unknown(terms: Section, name: str) -> BetTerms:
    """Note a bet that there is not, with the one that may be meant; its other keys are no faults of their own."""
    for key in terms.keys:
        terms.raw(key)
    meant = "".join(f" ({close}?)" for close in get_close_matches(name, CATALOGUE, 1))
    terms.fault("", f"a bet of the catalogue{meant}, or one that the file defines with a shape", name)
    return BetTerms(CATALOGUE["pass"], {}, Limits(1, 1, 1))


def _pays(terms: Section, bet: Bet, table: CrapsTable) -> Mapping[str, Odds]:
    keys = bet.prices.keys(table.points)
    if not bet.prices.single and not keys:
        return {}
    if isinstance(terms.raw("pays"), str) and bet.prices.single:
        return {"": terms.odds("pays")}
    if not keys or not isinstance(terms.raw("pays"), dict):
        terms.fault("pays", _PRICING[bet.prices.single, bool(keys)])
        return {}
    pays = terms.section("pays")
    wanted = keys if bet.prices.every else [key for key in keys if pays.has(key)]
    if not wanted:
        terms.fault("pays", f"a price for at least one of {', '.join(keys[:24])}")
    read = {key: pays.odds(key) for key in wanted}
    for key in keys:
        pays.raw(key)
    return read


def _limits(section: Section, table: CrapsTable, header: Header) -> Limits:
    chip = table.rounding.unit_minor
    increment = section.money("increment", header.decimals, default=chip)
    least = section.money("min", header.decimals, default=increment)
    most = section.money("max", header.decimals, default=max(least, table.exposure_minor or MAX_MINOR))
    unread = {section.dotted("min"), section.dotted("max")} & {fault.key for fault in section.faults()}
    if most < least and not unread:
        section.fault("max", f"at least min ({least} minor units)")
    cap = section.money("max_winnings", header.decimals) if section.has("max_winnings") else None
    section.raw("max_winnings")
    return Limits(least, most, increment, cap)


def _commission(terms: Section, header: Header) -> Commission:
    section = terms.section("commission")
    return Commission(
        rate=section.fraction("rate", Fraction(0), Fraction(1)),
        base=section.choice("base", Base),
        when=section.choice("when", When),
        rounding=section.choice("rounding", CommissionRounding),
        unit_minor=section.money("unit", header.decimals, default=1),
        minimum_minor=section.money("minimum", header.decimals, low=0, default=0),
    )


def _check_together(sections: Mapping[str, Section], bets: Mapping[str, BetTerms], table: CrapsTable) -> None:
    """Note bets that do not go with the table or with the other bets on offer."""
    for name, terms in bets.items():
        note = sections[name].fault
        if name in ("dont_pass", "dont_come") and table.points != BOX_NUMBERS:
            note("", "absent: a don't bet is not offered at a table where 2, 3, 11 or 12 is a point", "a bet")
        if terms.bet.parents and not {*terms.bet.parents} & {*bets}:
            note("", f"offered with one of {', '.join(terms.bet.parents)}", "a bet without them")
        for bet, spot, _ in terms.bet.orders:
            if bet not in bets or (spot and spot not in bets[bet].pays and "" not in bets[bet].pays):
                note("", f"offered with {bet} {spot}".strip(), "a bet without it")
