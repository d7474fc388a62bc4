"""R10: a clock that steps back and forth, over gaming days and changes of summer time, refuses nothing."""

import json
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest

from house.domain.gaming_day import GamingDays
from house.service import reports, wagers
from house.service.desk import open_house
from house.store import records
from house.store.unit_of_work import moment
from tests.figures import Figure
from tests.house.pits import Clock, Pit

pytestmark = pytest.mark.soak

ZONE, CUT_OVER = "America/New_York", 6
EDGES = tuple(
    datetime.fromisoformat(edge).astimezone(UTC)
    for edge in (
        "2026-03-08T06:59:59+00:00",  # a second before clocks go from 2 to 3
        "2026-11-01T05:59:59+00:00",  # and before they go from 2 to 1 again
        "2026-03-08T09:59:59+00:00",  # a second before the gaming day of 23 hours ends: 6 in the morning, summer time
        "2026-11-01T10:59:59+00:00",  # and the one of 25 hours
        "2026-07-01T09:59:59+00:00",
    )
)
STEPS = (timedelta(hours=-1), timedelta(days=1), timedelta(0), timedelta(seconds=-1), timedelta(days=-1))


@pytest.mark.parametrize("seed", range(4))
def test_r10_a_wandering_clock_refuses_nothing_and_the_order_is_by_number(
    sqlite_url: str, clock: Clock, seed: int, figure: Figure
) -> None:
    rng = Random(seed)
    pit = Pit(open_house(sqlite_url, clock=clock, zone=ZONE, cut_over_hour=CUT_OVER), sqlite_url, clock)
    pit.fund()
    pit.seat("ann", 1_000_000_00 // 10)
    pit.open_craps()
    for number in range(250):
        clock.now = rng.choice(EDGES) if number % 5 == 0 else clock.now + rng.choice(STEPS)
        pit.bet(wagers.Bet(player="ann", bet="field", stake_minor=10_00))
        pit.throw(rng.randint(1, 6), rng.randint(1, 6))
    days = GamingDays(ZONE, CUT_OVER)
    with pit.house.read() as connection:
        bodies = [json.loads(one.text) for one in records.stored(connection)]
    assert [body["record"] for body in bodies] == list(range(len(bodies)))
    assert all(body["gaming_day"] == days.of(moment(body["at_us"])).isoformat() for body in bodies)
    back = sum(after["at_us"] < before["at_us"] for before, after in pairwise(bodies))
    assert back > 50
    assert [body["number"] for body in bodies if body["kind"] == "throw"] == list(range(250))
    assert reports.check(pit.house).discrepancies == ()
    pit.house.close()
    figure("R10", **{f"steps_back_{seed}": back}, refusals=0)
