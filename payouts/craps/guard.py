"""The guard: no bet without an edge at any legal stake, no odds above true odds, no claim that is not so.

"Any legal stake" is finite work. Winnings rounded down to chips, and commission rounded to chips, repeat with a period
in the stake but for a straight line. Between two stakes where the commission's minimum or the cap on winnings begins to
hold, and on stakes that leave the same remainder by the period, the house's gain is a straight line in the stake, so
its edge is monotone: the worst stake is among those within two periods of such a stake or of the limits. Where the edge
without rounding, less all that rounding of commission could give away, is above 0 at the smallest stake, no stake need
be tried.
"""

from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from math import ceil, lcm

from payouts.chain import MOST_STATES, solve
from payouts.craps.bets import Group
from payouts.craps.returns import mean_return, wager_return
from payouts.craps.settling import (
    commission_unit,
    default_stake,
    legal_stakes,
    payable_unit,
    prices,
)
from payouts.craps.terms import Base, Commission, CommissionRounding, CrapsSchedule, When
from payouts.errors import Fault, SolverLimitError
from payouts.machine import Outcome
from payouts.reading import Percentage

MOST_STAKES_TRIED = 200_000
"""Stakes that are tried for one spot before a schedule is refused as too fine to be judged."""

_BOUND = "an edge above 0 at every legal stake, or player_edge_accepted = true"


def judge(
    schedule: CrapsSchedule, file: str, unread: Collection[str] = ()
) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Judge every bet and every claim of a schedule.

    Parameters
    ----------
    file
        Name that faults show.
    unread
        Bets of the file that are not in the schedule because of their faults; claims about them are passed over.

    Returns
    -------
    tuple of faults and warnings
        What refuses the file, and the player's edges that it accepts, a sentence each.
    """
    faults = [*_too_large(schedule, file)]
    if faults:
        return tuple(faults), ()
    warnings: list[str] = []
    for name, terms in schedule.bets.items():
        if terms.bet.booked_as_parts:
            continue
        faults.extend(_without_stake(schedule, name, file))
        if terms.bet.group is Group.ODDS:
            faults.extend(_above_true_odds(schedule, name, file))
            continue
        accepted = schedule.header.player_edge_accepted or terms.player_edge_accepted
        for key, shown in _player_edges(schedule, name):
            if accepted:
                warnings.append(f"{key}: the player's edge is accepted: {shown}")
            else:
                faults.append(Fault(file, key, shown, _BOUND))
    faults.extend(_wrong_claims(schedule, file, unread))
    return tuple(dict.fromkeys(faults)), tuple(dict.fromkeys(warnings))


def _too_large(schedule: CrapsSchedule, file: str) -> Iterator[Fault]:
    """Bets that are too large to be solved."""
    for name in schedule.bets:
        try:
            for spot in schedule.spots(name):
                for leg in schedule.legs(name, spot):
                    solve(leg.machine)
        except SolverLimitError:
            yield Fault(file, f"bets.{name}", "more", f"a bet of at most {MOST_STATES} states")


def worst(schedule: CrapsSchedule, bet: str, spot: str) -> tuple[int, Fraction] | None:
    """Find the legal stake with the least edge, where an edge of 0 or less is possible.

    Returns
    -------
    tuple of int and Fraction, or None
        The stake in minor units and its edge per bet made; None if the edge is above 0 at every legal stake.

    Raises
    ------
    OverflowError
        If more than `MOST_STAKES_TRIED` stakes would have to be tried.
    """
    low, high, _ = legal = legal_stakes(schedule, bet, spot)
    if low > high or _certain(schedule, bet, spot, low):
        return None
    found = _least_edge(schedule, bet, spot, _stakes_to_try(schedule, bet, spot, legal))
    return found if found[1] <= 0 else None


def _least_edge(schedule: CrapsSchedule, bet: str, spot: str, stakes: Iterable[int]) -> tuple[int, Fraction]:
    """Stake with the least edge, the smallest of them, and that edge."""
    edges = []
    for stake in stakes:
        at_risk, mean = mean_return(schedule, bet, spot, stake)
        edges.append((-mean / at_risk, stake))
    edge, stake = min(edges)
    return stake, edge


def _certain(schedule: CrapsSchedule, bet: str, spot: str, low: int) -> bool:
    """Tell without trying stakes that the edge is above 0 from the stake `low` up.

    Rounding of winnings and a cap on them only help the house. So a bet has an edge if it has one without rounding and
    commission; or if it has none then, but is charged a minimum; or if the edge with commission outweighs at `low` all
    that rounding of commission can give away.
    """
    commission = schedule.bets[bet].commission
    edge, winning = _edge_without_rounding(schedule, bet, spot)
    if commission is None or edge > 0:
        return edge > 0
    if edge == 0 and commission.minimum_minor > 0:
        return True
    if schedule.bets[bet].limits.max_winnings_minor is not None:
        return False
    taken = winning if commission.when is When.WIN else Fraction(1)
    reckoned = 1 if commission.base is Base.BET else schedule.bets[bet].price(spot).to_one
    given = _given_away(commission, schedule.table.rounding.unit_minor)
    return (edge + taken * commission.rate * reckoned) * low > taken * given


def _edge_without_rounding(schedule: CrapsSchedule, bet: str, spot: str) -> tuple[Fraction, Fraction]:
    """Edge per unit staked without rounding and commission, and the chance to win on the first leg."""
    legs = schedule.legs(bet, spot)
    units = sum(leg.weight for leg in legs)
    edge = Fraction(0)
    for leg in legs:
        for payment, chance in solve(leg.machine).endings:
            gain = payment.odds.to_one if payment.odds else -(payment.outcome is Outcome.LOSE)
            edge -= Fraction(leg.weight, units) * chance * gain
    won = (chance for payment, chance in solve(legs[0].machine).endings if payment.odds)
    return edge, sum(won, Fraction(0))


def _given_away(commission: Commission, chip_minor: int) -> Fraction:
    """Most commission that rounding gives away, minor units."""
    by_rounding = {CommissionRounding.DOWN: Fraction(1), CommissionRounding.NEAREST: Fraction(1, 2)}
    by_base = commission.rate * chip_minor if commission.base is Base.WIN else Fraction(0)
    return by_rounding.get(commission.rounding, Fraction(0)) * commission.unit_minor + by_base


def _stakes_to_try(schedule: CrapsSchedule, bet: str, spot: str, legal: tuple[int, int, int]) -> Iterator[int]:
    low, high, unit = legal
    period = lcm(unit, payable_unit(schedule, bet, spot), commission_unit(schedule.bets[bet], spot))
    turns = sorted({low, high, *(turn for turn in _turns(schedule, bet, spot) if low < turn < high)})
    if min(high - low, 4 * period * len(turns)) // unit > MOST_STAKES_TRIED:
        raise OverflowError
    tried = -1
    for turn in turns:
        first = max(low, tried + unit, (turn - 2 * period) // unit * unit)
        last = min(high, turn + 2 * period)
        for stake in range(first, last + 1, unit):
            yield stake
            tried = stake


def _turns(schedule: CrapsSchedule, bet: str, spot: str) -> Iterator[int]:
    """Stakes at which a minimum of commission or a cap on winnings begins or ceases to hold."""
    terms, legs = schedule.bets[bet], schedule.legs(bet, spot)
    units, cap, commission = sum(leg.weight for leg in legs), terms.limits.max_winnings_minor, terms.commission
    if cap is not None:
        for leg in legs:
            yield from (ceil(cap * units / (odds.to_one * leg.weight)) for odds in prices(leg.machine))
    if commission is not None and commission.rate:
        share = commission.rate * (1 if commission.base is Base.BET else terms.price(spot).to_one)
        yield ceil(commission.minimum_minor / share)


def _player_edges(schedule: CrapsSchedule, name: str) -> Iterator[tuple[str, str]]:
    """Key and words of each player's edge of a bet; spots that share stake and edge are named once."""
    seen = set()
    for spot in schedule.spots(name):
        key = f"bets.{name}.{spot}".rstrip(".")
        try:
            found = worst(schedule, name, spot)
        except OverflowError:
            found = _least_edge(schedule, name, spot, legal_stakes(schedule, name, spot)[:2])
            if found[1] > 0:
                yield key, f"terms too fine to be judged: more than {MOST_STAKES_TRIED} stakes before they repeat"
                continue
        if found is not None and found not in seen:
            seen.add(found)
            stake, edge = found
            yield key, f"an edge of {edge} ({Percentage.of(edge, 4)}) at a stake of {schedule.header.money(stake)}"


def _without_stake(schedule: CrapsSchedule, name: str, file: str) -> Iterator[Fault]:
    for spot in schedule.spots(name):
        low, high, unit = legal_stakes(schedule, name, spot)
        if low > high:
            bound = f"limits that leave a stake that can be paid (a multiple of {schedule.header.money(unit)})"
            yield Fault(file, f"bets.{name}.limits", f"none for {name} {spot}".strip(), bound)


def _above_true_odds(schedule: CrapsSchedule, name: str, file: str) -> Iterator[Fault]:
    for spot in schedule.spots(name):
        endings = solve(schedule.legs(name, spot)[0].machine).endings
        won = sum((chance for payment, chance in endings if payment.odds), Fraction(0))
        true = (1 - won) / won
        price = schedule.bets[name].price(spot)
        if price.to_one > true:
            bound = f"at most true odds, {true.numerator} to {true.denominator}"
            yield Fault(file, f"bets.{name}.pays.{spot}", str(price), bound)


def _wrong_claims(schedule: CrapsSchedule, file: str, unread: Collection[str]) -> Iterator[Fault]:
    for claim, percentage in schedule.header.declared.items():
        name, _, spot = claim.partition(".")
        key = f"declared.{claim}"
        if name in unread:
            continue
        if name not in schedule.bets or (spot and spot not in schedule.spots(name)):
            yield Fault(file, key, str(percentage), "a claim about a bet on offer and one of its spots")
            continue
        for each in (spot,) if spot else schedule.spots(name):
            edge = wager_return(schedule, name, each, default_stake(schedule, name, each)).edge_made
            if not percentage.holds(edge):
                right = Percentage.of(edge, percentage.decimals)
                yield Fault(
                    file, key, str(percentage), f"{right}, the exact edge of {name} {each}".rstrip() + f" being {edge}"
                )
