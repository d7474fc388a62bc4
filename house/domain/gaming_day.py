"""The gaming day: it begins at a cut-over hour of a named zone, and is stored on every row that it concerns."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


@dataclass(frozen=True, slots=True)
class GamingDays:
    """The house's division of time into gaming days.

    Parameters
    ----------
    zone
        Name in the time zone database, like "America/New_York".
    cut_over_hour
        Hour of the wall clock, 0 to 23, at which a new gaming day begins.

    Raises
    ------
    ValueError
        For an unknown zone or an hour out of range.
    """

    zone: str
    cut_over_hour: int

    def __post_init__(self) -> None:
        if not 0 <= self.cut_over_hour <= 23:
            raise ValueError(f"cut_over_hour must be from 0 to 23, got {self.cut_over_hour}")
        try:
            ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"zone must be a name of the time zone database, got {self.zone!r}") from None

    def of(self, at: datetime) -> date:
        """Gaming day to which an aware time belongs.

        The wall clock decides, so a day in which clocks change has 23 or 25 hours.

        Examples
        --------
        >>> from datetime import UTC
        >>> GamingDays("America/New_York", 6).of(datetime(2026, 7, 2, 9, 59, tzinfo=UTC))
        datetime.date(2026, 7, 1)
        >>> GamingDays("America/New_York", 6).of(datetime(2026, 7, 2, 10, 0, tzinfo=UTC))
        datetime.date(2026, 7, 2)
        """
        assert at.tzinfo is not None, "at must be aware"
        wall = at.astimezone(ZoneInfo(self.zone))
        return wall.date() - timedelta(days=wall.hour < self.cut_over_hour)

    def end(self, day: date) -> datetime:
        """The first moment that is no more of a gaming day, in UTC.

        Examples
        --------
        >>> GamingDays("America/New_York", 6).end(date(2026, 10, 31)).isoformat()  # the day on which clocks go back
        '2026-11-01T11:00:00+00:00'
        """
        cut = datetime.combine(day + timedelta(days=1), time(self.cut_over_hour), ZoneInfo(self.zone))
        return cut.astimezone(UTC)
