"""Limits of hold are those of the exact law of the total."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from math import lcm

import pytest

from payouts import hold
from payouts.errors import PayoutError, SolverLimitError
from payouts.hold import Interval, limits_of_hold, sum_law, total_law

PASS = {-100: Fraction(244, 495), 100: Fraction(251, 495)}
PLACE = {-1400: Fraction(5, 11), 1200: Fraction(6, 11)}
FIRE = {-99900: Fraction(1, 6000), -1200: Fraction(1, 20), 0: Fraction(1, 10), 100: Fraction(5099, 6000)}
LAWS = pytest.mark.parametrize("law", [PASS, PLACE, FIRE], ids=["pass", "place", "fire"])


def convolved(law: Mapping[int, Fraction], games: int) -> dict[int, Fraction]:
    """Exact law of the total, one game after another, in whole numbers over a power of one denominator."""
    whole = lcm(*(chance.denominator for chance in law.values()))
    weights = {amount: int(chance * whole) for amount, chance in law.items()}
    total = {0: 1}
    for _ in range(games):
        after: Counter[int] = Counter()
        for amount, weight in total.items():
            for won, share in weights.items():
                after[amount + won] += weight * share
        total = after
    return {amount: Fraction(weight, whole**games) for amount, weight in sorted(total.items())}


def quantile(exact: Mapping[int, Fraction], probability: float) -> int:
    rising = accumulate(map(float, exact.values()))
    return next(amount for amount, below in zip(exact, rising, strict=True) if below >= probability)


@LAWS
@pytest.mark.parametrize("games", [1, 2, 7, 40])
def test_chances_are_those_of_exact_convolution(law: Mapping[int, Fraction], games: int) -> None:
    total = total_law(law, games)
    got = {total.first + i * total.step: chance for i, chance in enumerate(total.chances) if chance > 0}
    exact = convolved(law, games)
    assert total.slack == 0
    assert (
        sum(abs(float(exact.get(amount, Fraction(0))) - got.get(amount, 0)) for amount in exact | got)
        <= 2 * total.error
    )


@LAWS
def test_limits_are_quantiles_of_the_exact_law(law: Mapping[int, Fraction]) -> None:
    exact = convolved(law, 30)
    ((_, rows, *_),) = ((row.games, row.limits) for row in limits_of_hold(law, [30]))
    assert rows == tuple((p, Interval(quantile(exact, p), quantile(exact, p))) for p, _ in rows)


def test_the_chance_that_the_house_loses_is_that_of_the_exact_law() -> None:
    exact = float(sum(chance for amount, chance in convolved(PASS, 25).items() if amount < 0))
    low, high = limits_of_hold(PASS, [25])[0].loss
    assert low <= exact <= high <= low + 1e-11


@pytest.mark.parametrize("points", [16, 25, 100])
@LAWS
def test_limits_on_a_coarse_lattice_still_hold_the_exact_ones(
    law, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounding moves amounts by at most `slack`: the interval must contain the exact limit."""
    exact = convolved(law, 30)
    monkeypatch.setattr(hold, "POINTS", points)
    total = total_law(law, 30)
    for probability in (0.01, 0.3, 0.5, 0.99):
        limit = total.limit(probability)
        assert limit.low <= quantile(exact, probability) <= limit.high
    assert total.slack > 0 or len(total.chances) <= points


def test_a_million_games_of_pass_are_near_the_normal_law_and_exactly_known() -> None:
    """Mean 10**6 * 100 * 7/495, deviation 1000 * 99.99: 0.5 % limit of the normal law 1,156,587, lattice of 200."""
    limits = dict(limits_of_hold(PASS, [10**6], [0.005, 0.5])[0].limits)
    assert limits[0.005].low == limits[0.005].high
    assert abs(limits[0.005].low - 1_156_587) <= 400
    assert abs(limits[0.5].low - 1_414_141) <= 200


@pytest.mark.parametrize(("law", "games"), [(PASS, 10**8), (FIRE, 10**6)], ids=["pass", "fire"])
def test_errors_stay_small_over_very_many_games(law: Mapping[int, Fraction], games: int) -> None:
    """The interval of a limit is narrower than a tenth of the total's standard deviation."""
    mean = sum(won * chance for won, chance in law.items())
    variance = float(sum(won**2 * chance for won, chance in law.items()) - mean**2)
    (row,) = limits_of_hold(law, [games], [0.05])
    ((_, limit),) = row.limits
    assert row.error < 1e-5
    assert limit.high - limit.low < 0.1 * (games * variance) ** 0.5


def test_a_sure_game_has_one_amount() -> None:
    assert total_law({5: Fraction(1)}, 10).limit(0.5) == Interval(50, 50)


@pytest.mark.parametrize("law", [{}, {1: Fraction(1, 2)}, {1: Fraction(3, 2), 2: Fraction(-1, 2)}])
def test_a_law_that_is_none_is_refused(law: Mapping[int, Fraction]) -> None:
    with pytest.raises(PayoutError, match="law must have chances"):
        total_law(law, 1)


def test_no_games_and_too_many_are_refused() -> None:
    with pytest.raises(PayoutError, match="games must be at least 1"):
        total_law(PASS, 0)
    with pytest.raises(SolverLimitError, match="games must be at most 1000000000"):
        total_law(PASS, 10**9 + 1)
    with pytest.raises(SolverLimitError, match="steps of its lattice"):
        total_law({10**9 + 1: Fraction(1, 2), 0: Fraction(1, 4), 1: Fraction(1, 4)}, 1)


@pytest.mark.parametrize("probability", [0.0, 1.0, 1e-17])
def test_a_probability_within_the_error_of_zero_or_one_is_refused(probability: float) -> None:
    with pytest.raises(PayoutError, match="probability must be between"):
        total_law(PASS, 100).limit(probability)


def test_games_of_several_kinds_sum_to_the_law_of_all_their_outcomes() -> None:
    laws = (
        {35: Fraction(1, 3), -20: Fraction(2, 3)},
        {5: Fraction(1, 2), -7: Fraction(1, 4), 0: Fraction(1, 4)},
        {100: Fraction(1, 6), -15: Fraction(5, 6)},
    )
    parts = [(law, games, 0.0) for law, games in zip(laws, (2, 3, 1), strict=True)]
    due = {0: Fraction(1)}
    for law, games, _ in parts:
        for _ in range(games):
            longer: dict[int, Fraction] = {}
            for amount, chance in due.items():
                for more, likely in law.items():
                    longer[amount + more] = longer.get(amount + more, Fraction(0)) + chance * likely
            due = longer
    total = sum_law(parts)
    assert total.slack == 0
    found = {total.first + total.step * place: chance for place, chance in enumerate(total.chances) if chance}
    assert found == pytest.approx({amount: float(chance) for amount, chance in due.items()}, abs=1e-15)


def test_no_part_has_no_law() -> None:
    with pytest.raises(PayoutError, match="one or more"):
        sum_law([])
