"""Design of Hooligan schedules: what is found is closest, and the bounds that prove it are true."""

import json
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from payouts.design import Grid, design, document, schedule_text
from payouts.errors import PayoutError, SolverLimitError
from payouts.hooligan.percentages import figures
from payouts.hooligan.rules import HooliganRules, Natural
from payouts.hooligan.schedule import HooliganSchedule
from payouts.hooligan.solver import mean_payout, solve
from payouts.schedule import parse

ONE_THROW = HooliganRules(throws_per_frame=1)
SMALL = HooliganRules(2, natural=Natural.OPTIONAL, dice=3, faces=4)


def edge(grid: Grid, prices: tuple[int, ...]) -> float:
    starts = dict(zip(grid.thresholds, prices, strict=True))
    pays, now = [], 0
    for score in range(grid.rules.perfect_score + 1):
        now = starts.get(score, now)
        pays.append(now)
    return 1 - float(grid.trade_cost) * mean_payout(grid.rules, pays) / grid.stake_minor


@pytest.mark.parametrize("target", [0.05, 0.15, 0.3, 0.9])
def test_closest_schedule_of_a_grid_is_found_as_by_solving_all_of_it(target: float) -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 46, 52), prices_minor=tuple(range(50, 501, 50)), rules=SMALL)
    found = design(grid, target)
    edges = {prices: edge(grid, prices) for prices in combinations(grid.prices_minor, 3)}
    closest = min(abs(each - target) for each in edges.values())
    assert found.proved
    assert found.points == len(edges) == 120
    assert found.best is not None
    assert abs(found.best.house_edge - target) == pytest.approx(closest, abs=1e-12)
    assert found.best.house_edge == pytest.approx(edges[found.best.prices_minor], abs=1e-12)


def test_most_of_a_large_grid_is_never_solved() -> None:
    prices = tuple(range(50, 1250, 50))
    grid = Grid(stake_minor=25, thresholds=(44, 50, 56, 62), prices_minor=prices, rules=ONE_THROW)
    found = design(grid, 0.15)
    assert found.points == 10_626  # 24 prices, 4 bands: 24! / (4! 20!)
    assert found.proved
    assert found.solves < 400


def test_trade_counts_at_its_cost() -> None:
    cash = Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(50, 100, 150, 200, 250), rules=SMALL)
    trade = Grid(
        stake_minor=100,
        thresholds=(40, 50),
        prices_minor=(100, 200, 300, 400, 500),
        rules=SMALL,
        trade_cost=Fraction(1, 2),
    )
    in_cash, in_trade = design(cash, 0.4).best, design(trade, 0.4).best
    assert in_cash is not None
    assert in_trade is not None
    assert in_trade.prices_minor == tuple(2 * price for price in in_cash.prices_minor)
    assert in_trade.house_edge == pytest.approx(in_cash.house_edge, rel=1e-12)


def test_equal_bands_are_allowed_when_the_ladder_need_not_rise() -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(80, 160), rules=SMALL, gap=0)
    assert design(grid, 0.1).points == 3
    assert design(Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(80, 160), rules=SMALL), 0.1).points == 1


def test_bands_keep_their_gap() -> None:
    prices = tuple(range(50, 501, 50))
    wide = Grid(stake_minor=100, thresholds=(40, 46, 52), prices_minor=prices, rules=SMALL, gap=3)
    found = design(wide, 0.3)
    # Ten prices, three bands at least 3 places apart: as 10 - 2 * 2 = 6 prices that only rise, 6! / (3! 3!).
    assert found.points == 20
    listed = [each.prices_minor for each in (found.best, *found.others) if each]
    assert all(one + 150 <= other for pays in listed for one, other in pairwise(pays))


def test_wanted_hit_chance_is_met() -> None:
    grid = Grid(stake_minor=100, thresholds=(34, 46), prices_minor=tuple(range(20, 400, 20)), rules=SMALL)
    free = design(grid, 0.2).best
    assert free is not None
    held = design(grid, 0.2, hit_chance=(0.0, free.hit_chance - 0.002))
    assert held.proved
    assert held.best is not None
    assert held.best.hit_chance <= free.hit_chance - 0.002


def test_impossible_hit_chance_leaves_no_schedule_and_says_so() -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(50, 100, 150), rules=SMALL)
    found = design(grid, 0.2, hit_chance=(0.999, 1.0))
    assert (found.best, found.proved, found.solves) == (None, True, 0)


def test_search_that_is_cut_short_proves_nothing() -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 46, 52), prices_minor=tuple(range(50, 501, 50)), rules=SMALL)
    found = design(grid, 0.15, most_solves=1)
    assert (found.solves, found.proved) == (1, False)


def test_hit_chance_is_that_of_the_best_players_law() -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(50, 100), rules=SMALL)
    best = design(grid, 0.2).best
    assert best is not None
    pays = [0] * 40 + [50] * 10 + [100] * (SMALL.perfect_score - 49)
    assert best.hit_chance == pytest.approx(float(solve(SMALL, pays).law[40:].sum()), rel=1e-12)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"thresholds": (50, 40)}, "thresholds"),
        ({"thresholds": ()}, "thresholds"),
        ({"thresholds": (40, 336)}, "thresholds"),
        ({"prices_minor": (0, 100)}, "prices_minor"),
        ({"stake_minor": 0}, "stake_minor"),
        ({"trade_cost": Fraction(0)}, "trade_cost"),
    ],
)
def test_grid_that_is_none_is_refused_by_name(change: dict[str, object], named: str) -> None:
    usual: dict[str, object] = {"stake_minor": 100, "thresholds": (40, 50), "prices_minor": (50, 100)}
    with pytest.raises(PayoutError, match=f"{named} must be"):
        Grid(**{**usual, **change})  # type: ignore[arg-type]


def test_target_of_the_whole_stake_and_grids_too_large_are_refused() -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 50), prices_minor=tuple(range(1, 2000)))
    with pytest.raises(PayoutError, match="target must be"):
        design(grid, 1.0)
    with pytest.raises(SolverLimitError, match="grid must have at most 1000000 schedules, got 1997001"):
        design(grid, 0.1)


def test_fewer_prices_than_rising_bands_are_refused() -> None:
    with pytest.raises(PayoutError, match="prices_minor must be enough for 2 bands"):
        design(Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(50,), rules=SMALL), 0.1)


def test_designed_schedule_is_written_as_a_file_that_loads_with_its_percentage() -> None:
    grid = Grid(
        stake_minor=100,
        thresholds=(60, 75, 90),
        prices_minor=tuple(range(200, 2001, 200)),
        trade_cost=Fraction(3, 4),
        rules=HooliganRules(throws_per_frame=2, natural=Natural.BONUS),
    )
    best = design(grid, 0.2).best
    assert best is not None
    read = parse(schedule_text(grid, best, "made"), "made.toml")
    assert isinstance(read, HooliganSchedule)
    assert read.rules == grid.rules
    assert read.trade_cost == Fraction(3, 4)
    assert tuple(band.pays_minor for band in read.bands) == best.prices_minor
    assert figures(read).house_edge == pytest.approx(best.house_edge, rel=1e-12)


def test_document_is_plain_values() -> None:
    grid = Grid(stake_minor=100, thresholds=(40, 50), prices_minor=(50, 100, 150), rules=SMALL)
    written = json.loads(json.dumps(document(grid, design(grid, 0.2))))
    assert written["proved"] is True
    assert written["best"]["prices_minor"][0] in grid.prices_minor
