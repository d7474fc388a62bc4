"""The sheet of a craps schedule."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from payouts.chain import solve
from payouts.craps.edges import EdgeRow, edges
from payouts.craps.lines import ODDS_BEHIND, line_return
from payouts.craps.returns import Return, wager_return
from payouts.craps.terms import CrapsSchedule, CrapsTable
from payouts.dice import THROWS
from payouts.hold import Interval
from payouts.machine import Payment
from payouts.odds import Odds
from payouts.par.document import Column, Kind, Sheet, Table, Value, head_facts
from payouts.par.risk import RISK_NOTES, Game, funnel_of

FUNNEL_BET = "pass"
HOLD_PROBABILITIES = (0.005, 0.995)


def craps_sheet(schedule: CrapsSchedule, games: tuple[int, ...], ruin_chances: tuple[float, ...]) -> Sheet:
    """Make the sheet, every bet at the smallest stake that is paid exactly, with fair dice."""
    header = schedule.header
    rows = edges(schedule)
    returns = [wager_return(schedule, row.bet, row.variant, row.stake_minor) for row in rows]
    shown = next((i for i, row in enumerate(rows) if row.bet == FUNNEL_BET), 0)
    return Sheet(
        title=f"Craps: {header.name}, version {header.version}",
        header=header,
        fingerprint=schedule.fingerprint,
        facts=head_facts(header, schedule.fingerprint) + _facts(schedule),
        tables=(
            _bets(rows, returns),
            _prices(schedule, rows, returns),
            _lines(schedule),
            _hold(rows, returns, games),
            _ruin(rows, returns, ruin_chances),
            _sensitivity(schedule, rows, returns),
        ),
        notes=(*_NOTES, *RISK_NOTES),
        funnel=funnel_of(f"{header.name}, {_name(rows[shown])}", house_game(returns[shown])),
    )


def house_game(brought: Return) -> Game:
    """Law of what the house wins on one bet."""
    return _game(brought.law, brought.at_risk_minor)


@lru_cache(maxsize=4096)
def _game(law: tuple[tuple[int, Fraction], ...], at_risk_minor: int) -> Game:
    return Game({-net: chance for net, chance in reversed(law)}, at_risk_minor)


def _name(row: EdgeRow) -> str:
    return f"{row.bet} {row.variant}".strip()


_TABLE_FACTS: dict[str, tuple[str, Callable[[CrapsTable], str]]] = {
    "points": ("Points", lambda table: ", ".join(map(str, table.points))),
    "dont_bar": ("Don't bets bar", lambda table: table.dont_bar.value),
    "odds_limit": (
        "Odds, multiples of the flat bet",
        lambda table: ", ".join(f"{multiple} on {point}" for point, multiple in table.odds_limit.items()),
    ),
    "come_out": (
        "Working on a come-out",
        lambda table: ", ".join(f"{word} {'on' if works else 'off'}" for word, works in table.come_out.items()),
    ),
    "after_win": ("After a win", lambda table: table.after_win.value),
}


def _facts(schedule: CrapsSchedule) -> tuple[tuple[str, str, str], ...]:
    table, header = schedule.table, schedule.header
    return (
        *((f"table.{key}", title, told(table)) for key, (title, told) in _TABLE_FACTS.items()),
        (
            "table.rounding",
            "Rounding of winnings",
            f"{table.rounding.rule}, to {header.money(table.rounding.unit_minor)}",
        ),
        ("table.exposure", "Exposure", header.money(table.exposure_minor) if table.exposure_minor else "no bound"),
        *((f"declared.{bet}", f"Declared: {bet}", str(claim)) for bet, claim in header.declared.items()),
    )


def _bets(rows: tuple[EdgeRow, ...], returns: list[Return]) -> Table:
    columns = (
        Column("bet", "Bet"),
        Column("stake", "Stake", Kind.MONEY),
        Column("win", "Win", Kind.SHARE),
        Column("tie", "Tie", Kind.SHARE),
        Column("lose", "Lose", Kind.SHARE),
        Column("edge_made", "House edge, bet made", Kind.SHARE),
        Column("edge_resolved", "House edge, resolved", Kind.SHARE),
        Column("edge_per_throw", "House edge, throw", Kind.SHARE),
        Column("element_of_risk", "Element of risk, full odds", Kind.SHARE),
        Column("deviation", "Deviation per unit", Kind.NUMBER),
        Column("volatility_index", "Volatility index", Kind.NUMBER),
        Column("expected_throws", "Throws", Kind.NUMBER),
    )
    cells: list[tuple[Value, ...]] = []
    for row, brought in zip(rows, returns, strict=True):
        chances = (row.win, row.tie, row.lose)
        edge = (row.edge_made, row.edge_resolved, row.edge_per_throw, row.element_of_risk)
        index = house_game(brought).volatility_index
        cells.append((_name(row), row.stake_minor, *chances, *edge, row.standard_deviation, index, row.expected_throws))
    return Table("bets", "Bets", columns, tuple(cells), "Edges are of the sum at risk: stake and commission up front.")


def _prices(schedule: CrapsSchedule, rows: tuple[EdgeRow, ...], returns: list[Return]) -> Table:
    """List what each bet can bring, with its ways of 36 where one throw decides it."""
    columns = (
        Column("bet", "Bet"),
        Column("net", "Player's net", Kind.MONEY),
        Column("chance", "Chance", Kind.SHARE),
        Column("ways", "Ways of 36", Kind.WHOLE),
        Column("one_in", "One bet in", Kind.ONE_IN),
        Column("contribution", "Contribution to the edge", Kind.SHARE),
    )
    cells: list[tuple[Value, ...]] = []
    for row, brought in zip(rows, returns, strict=True):
        for net, chance in brought.law:
            ways = int(chance * len(THROWS)) if brought.throws == 1 else None
            cells.append((_name(row), net, chance, ways, chance, -net * chance / brought.at_risk_minor))
    return Table(
        "prices", "Ways and contributions", columns, tuple(cells), "The contributions of a bet add up to its edge made."
    )


def _lines(schedule: CrapsSchedule) -> Table:
    """Percentages by player: bets on the line without odds, at single odds, and at the table's full odds."""
    columns = (
        Column("player", "Player"),
        Column("at_risk", "Staked per flat unit", Kind.NUMBER),
        Column("element_of_risk", "Element of risk", Kind.SHARE),
        Column("loss", "Loss per flat unit", Kind.SHARE),
        Column("deviation", "Deviation per flat unit", Kind.NUMBER),
    )
    full = dict(schedule.table.odds_limit)
    kinds = {"flat": {}, "single odds": dict.fromkeys(full, 1), "full odds": full}
    cells: list[tuple[Value, ...]] = []
    for bet, behind in ODDS_BEHIND.items():
        for spot in schedule.spots(bet) if {bet, behind} <= set(schedule.bets) else ():
            for kind, multiples in kinds.items():
                brought = line_return(schedule, bet, spot, multiples)
                name = f"{bet} {spot}".strip()
                cells.append(
                    (f"{name}, {kind}", brought.at_risk, brought.element_of_risk, -brought.mean,
                     float(brought.variance) ** 0.5)
                )  # fmt: skip
    return Table("players", "Percentages by player on the line", columns, tuple(cells))


def _hold(rows: tuple[EdgeRow, ...], returns: list[Return], games: tuple[int, ...]) -> Table:
    columns = [Column("bet", "Bet"), Column("edge", "Edge", Kind.SHARE)]
    for count in games:
        columns += [
            *(Column(f"hold_{count}_{p:g}", f"Hold, {count:,} bets, {p:.1%}", Kind.SHARE) for p in HOLD_PROBABILITIES),
            Column(f"loss_{count}", f"House loses, {count:,} bets", Kind.SHARE),
        ]
    cells = tuple(
        (_name(row), brought.edge_made, *_limits(brought.law, brought.at_risk_minor, games))
        for row, brought in zip(rows, returns, strict=True)
    )
    note = (
        "Each bet by itself, one after another at its stake. Hold is win over handle, at the 0.5 % and 99.5 % limits."
    )
    return Table("hold", "Limits of hold", tuple(columns), cells, note)


@lru_cache(maxsize=4096)
def _limits(law: tuple[tuple[int, Fraction], ...], at_risk_minor: int, games: tuple[int, ...]) -> tuple[Value, ...]:
    game = _game(law, at_risk_minor)
    cells: list[Value] = []
    for row in game.limits(games):
        limits = dict(row.limits)
        cells += [*(game.hold(limits[p], row.games) for p in HOLD_PROBABILITIES), row.loss]
    return tuple(cells)


def _ruin(rows: tuple[EdgeRow, ...], returns: list[Return], chances: tuple[float, ...]) -> Table:
    columns = (
        Column("bet", "Bet"),
        Column("stake", "Stake", Kind.MONEY),
        *(Column(f"bank_{chance:g}", f"Bank, ruin {chance:.4%}", Kind.MONEY) for chance in chances),
    )
    cells = tuple(
        (_name(row), row.stake_minor, *_banks(brought.law, brought.at_risk_minor, chances))
        for row, brought in zip(rows, returns, strict=True)
    )
    note = "The bet by itself, made without end at this stake; none where the house has no edge."
    return Table("ruin", "Bank for a chance of ruin", columns, cells, note)


@lru_cache(maxsize=4096)
def _banks(
    law: tuple[tuple[int, Fraction], ...], at_risk_minor: int, chances: tuple[float, ...]
) -> tuple[Interval | None, ...]:
    return tuple(_game(law, at_risk_minor).bank(chance) for chance in chances)


def _sensitivity(schedule: CrapsSchedule, rows: tuple[EdgeRow, ...], returns: list[Return]) -> Table:
    """House edge with each price one step higher: its chance times the step is what the edge loses."""
    columns = (
        Column("bet", "Bet"),
        Column("part", "Part"),
        Column("price", "Price"),
        Column("higher", "One step higher"),
        Column("moves", "House edge moves by", Kind.SHARE),
        Column("edge_then", "House edge then", Kind.SHARE),
    )
    cells: list[tuple[Value, ...]] = []
    for row, brought in zip(rows, returns, strict=True):
        legs = schedule.legs(row.bet, row.variant)
        units = sum(leg.weight for leg in legs)
        for leg in legs:
            for payment, chance in solve(leg.machine).endings:
                if payment.odds is None:
                    continue
                staked = Fraction(leg.weight * row.stake_minor, units * brought.at_risk_minor)
                moves = -staked * chance * _step(payment)
                higher = str(_higher(payment.odds))
                cells.append((_name(row), leg.label, str(payment.odds), higher, moves, row.edge_made + moves))
    note = "At exact winnings: rounding, caps and commission of the win are left as they are."
    return Table("sensitivity", "Sensitivity to each price", columns, tuple(cells), note)


def _higher(odds: Odds) -> Odds:
    return Odds(odds.numerator + 1, odds.denominator, odds.unit)


def _step(payment: Payment) -> Fraction:
    assert payment.odds is not None, "only wins have a price"
    return _higher(payment.odds).to_one - payment.odds.to_one


_NOTES = (
    "House edges: each bet is a small machine over throws, the one that settles it, solved as an absorbing chain.",
    "Chances and edges are exact fractions; percentages are rounded only to be shown. Two fair dice.",
    "Edge made counts ties, edge resolved leaves them out, edge of a throw is edge made over the expected throws.",
    "Element of risk: expected loss over all that is staked, with the full odds of the table behind the flat bet.",
)
