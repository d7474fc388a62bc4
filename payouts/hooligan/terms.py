"""Read the keys of a Hooligan schedule file, and hold the whole to the guard and to what it declares."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from payouts.errors import Fault
from payouts.header import Header
from payouts.hooligan.rules import HooliganKeep, HooliganRules, Natural
from payouts.hooligan.schedule import Band, HooliganSchedule
from payouts.reading import Percentage, Section, refuse

__all__ = ["Band", "HooliganSchedule", "parse_terms", "read_rules"]

LEAST_TRADE_COST = Fraction(1, 10**6)

KINDS = ("optimal", "score", "simple", "blind")
"""Kinds of player, by which a percentage may be declared."""


def parse_terms(root: Section, header: Header) -> HooliganSchedule:
    """Read the keys of a Hooligan schedule that follow its head, and check the whole.

    Raises
    ------
    ScheduleError
        With every fault of the file at once; when there is none, with the guard's refusal and every wrong claim.
    """
    rules = read_rules(root.section("rules"))
    schedule = HooliganSchedule(
        header=header,
        stake_minor=root.money("stake", header.decimals),
        trade_cost=root.fraction("trade_cost", LEAST_TRADE_COST, Fraction(1), default=Fraction(1)),
        rules=rules,
        bands=_read_bands(root, header, rules),
    )
    for kind in header.declared:
        if kind not in KINDS:
            root.fault(f"declared.{kind}", "a kind of player (" + ", ".join(KINDS) + ")", header.declared[kind])
    root.finish()
    return _judged(schedule, root.file)


def read_rules(section: Section) -> HooliganRules:
    """Read the readings of the rules; those left out are the defaults."""
    default = HooliganRules()
    return HooliganRules(
        throws_per_frame=section.integer("throws_per_frame", 1, 5, default=default.throws_per_frame),
        natural=section.choice("natural", Natural, default=default.natural),
        point_must_show=section.boolean("point_must_show", default=default.point_must_show),
        hooligan_keep=section.choice("hooligan_keep", HooliganKeep, default=default.hooligan_keep),
        may_stop_early=section.boolean("may_stop_early", default=default.may_stop_early),
    )


def _read_bands(root: Section, header: Header, rules: HooliganRules) -> tuple[Band, ...]:
    sections = root.sections("pays")
    if not sections:
        root.fault("pays", "at least one band of scores", "none")
    read = [(_read_band(section, header, rules), section) for section in sections]
    placed = sorted(((band, section) for band, section in read if band is not None), key=lambda each: each[0])
    for (before, _), (band, section) in pairwise(placed):
        if band.low <= before.high:
            section.fault("score", f"above {before.high}, where the band from {before.low} ends")
    return tuple(band for band, _ in placed)


def _read_band(section: Section, header: Header, rules: HooliganRules) -> Band | None:
    pays_minor = section.money("pays", header.decimals)
    score, top = section.raw("score"), rules.perfect_score
    match score:
        case [int(low), int(high)] if bool not in (type(low), type(high)) and 0 <= low <= high <= top:
            return Band(low, high, pays_minor)
    section.fault("score", f"two rising scores [low, high] from 0 to {top}")
    return None


def _judged(schedule: HooliganSchedule, file: str) -> HooliganSchedule:
    """Hold the schedule to the guard, for which the best player decides, and to what it declares.

    The edge is held to be above zero only if it is so by more than the solver's error bound.
    """
    from payouts.hooligan.percentages import house_edge_bounds

    accepted = schedule.header.player_edge_accepted
    low, edge, _ = house_edge_bounds(schedule, "optimal")
    found = Percentage.of(Fraction(edge), 4)
    stake = schedule.header.money(schedule.stake_minor)
    guard = f"a house edge above zero against the best player, at a stake of {stake}"
    faults = [Fault(file, "pays", f"{found} (optimal)", guard)] if low <= 0 and not accepted else []
    for kind, claim in schedule.header.declared.items():
        below, middle, above = house_edge_bounds(schedule, kind)
        if not claim.holds(Fraction(below)) and not claim.holds(Fraction(above)):
            right = Percentage.of(Fraction(middle), claim.decimals)
            faults.append(Fault(file, f"declared.{kind}", str(claim), f"the exact figure, {right}"))
    refuse(faults)
    if low > 0:
        return schedule
    warning = f"hooligan at a stake of {stake}: the edge against the best player is {found} (accepted)"
    return replace(schedule, warnings=(warning,))
