"""Rows D05 and D06 of the service's cases: limits that players set themselves, over gaming days and cooling off."""

from datetime import UTC, datetime, timedelta

from house.domain.limits import Measure, Span
from house.domain.refusals import Refusal, Refused
from house.service import limits
from house.service.desk import open_house
from tests.house.pits import Pit
from tests.house.service.test_limits import DAY, field, limit, refused


def test_d06_a_lower_limit_holds_at_once_and_a_higher_one_after_cooling_off_and_a_second_word(pit: Pit) -> None:
    pit.open_craps()
    confirm = limits.ConfirmLimit(player="ann", measure=Measure.STAKE, span=Span.DAY)
    pit.do(limit(Measure.STAKE, Span.DAY, 100_00))
    asked = pit.do(limit(Measure.STAKE, Span.DAY, 200_00)).limits[0]
    assert (asked.amount_minor, asked.raised_to_minor) == (100_00, 200_00)
    no = refused(pit, field(150_00))
    assert no.refusal is Refusal.PLAYER_LIMIT
    assert str(asked.raised_from) in no.message  # when a raise takes effect
    assert refused(pit, confirm).refusal is Refusal.COOLING_OFF
    pit.clock.now += timedelta(hours=23, minutes=59)
    assert refused(pit, confirm).refusal is Refusal.COOLING_OFF
    assert refused(pit, field(150_00)).refusal is Refusal.PLAYER_LIMIT
    pit.clock.now += timedelta(minutes=1)
    assert refused(pit, field(150_00)).refusal is Refusal.PLAYER_LIMIT  # without the second word nothing changes
    assert pit.do(confirm).limits[0].amount_minor == 200_00
    pit.do(field(150_00))
    lower = pit.do(limit(Measure.STAKE, Span.DAY, 160_00)).limits[0]
    assert (lower.amount_minor, lower.raise_pending) == (160_00, False)
    assert refused(pit, field(20_00)).limit == "1000"


def test_d06_raising_then_lowering_ends_the_raise_and_removing_is_a_raise(sqlite_pit: Pit) -> None:
    confirm = limits.ConfirmLimit(player="ann", measure=Measure.LOSS, span=Span.WEEK)
    sqlite_pit.do(limit(Measure.LOSS, Span.WEEK, 100_00))
    sqlite_pit.do(limit(Measure.LOSS, Span.WEEK, 500_00))
    sqlite_pit.do(limit(Measure.LOSS, Span.WEEK, 50_00))
    sqlite_pit.clock.now += DAY
    assert refused(sqlite_pit, confirm).refusal is Refusal.NOT_FOUND
    assert sqlite_pit.do(limit(Measure.LOSS, Span.WEEK, None)).limits[0].amount_minor == 50_00
    sqlite_pit.clock.now += DAY
    assert sqlite_pit.do(confirm).limits[0].amount_minor is None


def test_d06_the_lowest_of_overlapping_limits_holds(sqlite_pit: Pit) -> None:
    sqlite_pit.open_craps()
    for measure, span, amount in (
        (Measure.STAKE, Span.DAY, 300_00),
        (Measure.STAKE, Span.WEEK, 80_00),
        (Measure.LOSS, Span.MONTH, 200_00),
    ):
        sqlite_pit.do(limit(measure, span, amount))
    no = refused(sqlite_pit, field(310_00))
    assert (no.refusal, no.limit) == (Refusal.PLAYER_LIMIT, "8000")


def test_d05_a_days_limit_ends_with_the_gaming_day_also_when_clocks_change(sqlite_pit: Pit) -> None:
    # 6:00 in New York is 11:00 UTC in winter, 10:00 UTC from 8 March 2026 on: the gaming day of 7 March has 23 hours.
    # Clocks go back on 1 November 2026: the gaming day of 31 October ends at 11:00 UTC, after 25 hours.
    sqlite_pit.open_craps()
    sqlite_pit.house.close()
    sqlite_pit.house = open_house(sqlite_pit.url, clock=sqlite_pit.clock, zone="America/New_York", cut_over_hour=6)
    sqlite_pit.do(limit(Measure.STAKE, Span.DAY, 100_00))

    def takes(now: str) -> bool:
        sqlite_pit.clock.now = datetime.fromisoformat(now).replace(tzinfo=UTC)
        try:
            sqlite_pit.do(field(100_00))
        except Refused as no:
            return no.refusal is not Refusal.PLAYER_LIMIT
        return True

    moments = ("2026-03-07T11:00:00", "2026-03-08T09:59:00", "2026-03-08T10:00:00", "2026-03-09T09:59:00")
    assert [takes(now) for now in moments] == [True, False, True, False]
    moments = ("2026-10-31T10:00:00", "2026-11-01T10:59:00", "2026-11-01T11:00:00")
    assert [takes(now) for now in moments] == [True, False, True]
