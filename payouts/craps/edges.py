"""Every figure of every bet of a schedule, in rows: what `floorman edge craps` prints."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import sqrt

from payouts.craps.lines import ODDS_BEHIND, line_return
from payouts.craps.returns import Return, wager_return
from payouts.craps.settling import check_stake, default_stake, legal_stakes
from payouts.craps.terms import CrapsSchedule
from payouts.currency import money_text
from payouts.dice import FAIR, Dice
from payouts.errors import PayoutError

Json = str | float | None


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """The exact figures of one bet at one spot and stake.

    Parameters
    ----------
    variant
        The spot, "" where there is none to choose.
    stake_minor
        Stake, minor units, commission up front not in it.
    edge_made, edge_resolved
        House edge over the sum at risk (stake and commission up front), ties counted and ties left out; `edge_resolved`
        is None if every bet ties.
    edge_per_throw
        `edge_made` over `expected_throws`.
    variance
        Of the net gain, in units of the sum at risk, squared.
    element_of_risk
        For a bet on the line: expected loss over the expected sum staked, with the full odds of the table behind it.
    """

    bet: str
    variant: str
    stake_minor: int
    edge_made: Fraction
    edge_resolved: Fraction | None
    edge_per_throw: Fraction
    win: Fraction
    tie: Fraction
    lose: Fraction
    variance: Fraction
    expected_throws: Fraction
    element_of_risk: Fraction | None

    @property
    def standard_deviation(self) -> float:
        """Of the net gain, in units of the sum at risk."""
        return sqrt(self.variance)


def edges(
    schedule: CrapsSchedule, bet: str | None = None, stake_minor: int | None = None, dice: Dice = FAIR
) -> tuple[EdgeRow, ...]:
    """Figures of every bet on offer, or of one.

    Parameters
    ----------
    bet
        Id of the only bet that is wanted.
    stake_minor
        Stake on each; the smallest stake that is paid exactly if left out. Without `bet`, bets whose limits or parts do
        not take this stake are left out.

    Raises
    ------
    PayoutError
        If the bet is not on offer, or does not take the stake.
    """
    if bet is not None and bet not in schedule.bets:
        raise PayoutError(f"bet must be one of {', '.join(schedule.bets)}, got {bet}")
    rows = []
    for name in schedule.bets if bet is None else (bet,):
        for spot in schedule.spots(name):
            stake = default_stake(schedule, name, spot) if stake_minor is None else stake_minor
            try:
                _check(schedule, name, spot, stake)
            except PayoutError:
                if bet is not None:
                    raise
                continue
            rows.append(_row(schedule, name, spot, stake, dice))
    return tuple(rows)


def edges_by_stake(
    schedule: CrapsSchedule, bet: str, spot: str, stakes_minor: Iterable[int], dice: Dice = FAIR
) -> tuple[tuple[int, Fraction], ...]:
    """Edge per bet made as a function of the stake: rounding, commission and caps make it one.

    Returns
    -------
    tuple of (stake in minor units, edge)
        For each of the given stakes that is legal.
    """
    low, high, step = legal_stakes(schedule, bet, spot)
    return tuple(
        (stake, wager_return(schedule, bet, spot, stake, dice).edge_made)
        for stake in stakes_minor
        if low <= stake <= high and stake % step == 0
    )


def _check(schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int) -> None:
    limits = schedule.bets[bet].limits
    if not limits.min_minor <= stake_minor <= limits.max_minor:
        money = schedule.header.money
        bounds = f"from {money(limits.min_minor)} to {money(limits.max_minor)}"
        raise PayoutError(f"stake must be {bounds} on {bet}, got {money(stake_minor)}")
    check_stake(schedule, bet, spot, stake_minor)


def _row(schedule: CrapsSchedule, bet: str, spot: str, stake_minor: int, dice: Dice) -> EdgeRow:
    brought: Return = wager_return(schedule, bet, spot, stake_minor, dice)
    with_odds = bet in ODDS_BEHIND and ODDS_BEHIND[bet] in schedule.bets
    return EdgeRow(
        bet=bet,
        variant=spot,
        stake_minor=stake_minor,
        edge_made=brought.edge_made,
        edge_resolved=brought.edge_resolved,
        edge_per_throw=brought.edge_per_throw,
        win=brought.win,
        tie=brought.tie,
        lose=brought.lose,
        variance=brought.variance / brought.at_risk_minor**2,
        expected_throws=brought.throws,
        element_of_risk=line_return(schedule, bet, spot, dice=dice).element_of_risk if with_odds else None,
    )


_FRACTIONS = (
    "edge_made",
    "edge_resolved",
    "edge_per_throw",
    "element_of_risk",
    "win",
    "tie",
    "lose",
    "variance",
    "expected_throws",
)


def as_json(schedule: CrapsSchedule, row: EdgeRow) -> dict[str, Json]:
    """Row as JSON: fractions as "a/b", each with a decimal twin; what is undefined is null.

    With loaded dice integers may have thousands of digits, more than Python writes of an int; a Decimal has no limit.
    """
    document: dict[str, Json] = {
        "bet": row.bet,
        "variant": row.variant,
        "stake": money_text(row.stake_minor, schedule.header.decimals),
    }
    for name in _FRACTIONS:
        value: Fraction | None = getattr(row, name)
        document[name] = None if value is None else f"{Decimal(value.numerator)}/{Decimal(value.denominator)}"
        document[f"{name}_decimal"] = None if value is None else float(value)
    document["standard_deviation"] = row.standard_deviation
    return document
