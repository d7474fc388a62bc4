"""A table's stiff sheet: what lay in the rack at the beginning and the end of a period, what came and went, the win."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Period:
    """A gaming day, or the entries and records of a shift: from the first to the one before `end`.

    Parameters
    ----------
    day
        The gaming day, YYYY-MM-DD; None for a shift.
    entries, records
        Numbers (first, end) of what is in it.
    """

    name: str
    day: str | None
    entries: tuple[int, int]
    records: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The stiff sheet of a table, or of all of them, over a period; minor units.

    Parameters
    ----------
    opener_minor, closer_minor
        What the rack held at the beginning and at the end.
    fills_minor, credits_minor
        By slips that stand.
    drop_minor
        Bought in at the table, for cash and on markers.
    markers_minor
        The part of the drop that was on markers.
    """

    opener_minor: int = 0
    fills_minor: int = 0
    credits_minor: int = 0
    drop_minor: int = 0
    markers_minor: int = 0
    closer_minor: int = 0

    @property
    def win_minor(self) -> int:
        """Closer, credits and drop less opener and fills.

        >>> Sheet(opener_minor=500, fills_minor=100, credits_minor=50, drop_minor=80, closer_minor=520).win_minor
        50
        """
        return self.closer_minor + self.credits_minor + self.drop_minor - self.opener_minor - self.fills_minor

    @property
    def hold(self) -> Fraction | None:
        """Win over drop; None where nothing was dropped.

        >>> Sheet(opener_minor=500, drop_minor=200, closer_minor=350).hold
        Fraction(1, 4)
        """
        return Fraction(self.win_minor, self.drop_minor) if self.drop_minor else None

    def __add__(self, other: "Sheet") -> "Sheet":
        return Sheet(
            opener_minor=self.opener_minor + other.opener_minor,
            fills_minor=self.fills_minor + other.fills_minor,
            credits_minor=self.credits_minor + other.credits_minor,
            drop_minor=self.drop_minor + other.drop_minor,
            markers_minor=self.markers_minor + other.markers_minor,
            closer_minor=self.closer_minor + other.closer_minor,
        )
