"""Gaming days across clock changes."""

from datetime import UTC, date, datetime, timedelta

import pytest

from house.domain.gaming_day import GamingDays


def hours_of(days: GamingDays, day: date) -> int:
    """How many hours of UTC belong to a gaming day."""
    start = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=1)
    return sum(days.of(start + timedelta(hours=hour)) == day for hour in range(96))


@pytest.mark.parametrize(
    ("day", "hours"),
    # Clocks in New York go forward on 8 March 2026 and back on 1 November, both at 2:00, before the cut-over at 6:00,
    # so it is the gaming day of the evening before that is short or long.
    [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 7, 1), 24)],
)
def test_a_gaming_day_lasts_as_long_as_its_wall_clock(day: date, hours: int) -> None:
    assert hours_of(GamingDays("America/New_York", 6), day) == hours


def test_the_cut_over_is_on_the_wall_clock_in_summer_and_winter() -> None:
    days = GamingDays("Europe/London", 4)
    assert days.of(datetime(2026, 1, 5, 3, 59, 59, tzinfo=UTC)) == date(2026, 1, 4)
    assert days.of(datetime(2026, 1, 5, 4, 0, tzinfo=UTC)) == date(2026, 1, 5)
    assert days.of(datetime(2026, 6, 5, 2, 59, 59, tzinfo=UTC)) == date(2026, 6, 4)  # 3:59:59 of summer time
    assert days.of(datetime(2026, 6, 5, 3, 0, tzinfo=UTC)) == date(2026, 6, 5)


@pytest.mark.parametrize(
    ("zone", "hour"), [("Mars/Olympus", 6), ("", 6), ("../etc/passwd", 6), ("UTC", 24), ("UTC", -1)]
)
def test_an_unknown_zone_or_hour_is_refused(zone: str, hour: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        GamingDays(zone, hour)
