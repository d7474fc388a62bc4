"""Chips on a felt: whose they are, what they are worth, and where they lie on their spot."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from house.console.drawing.svg import element, group, text

COLOURS = 8
"""Colours of players; the ninth has the first's, and other initials."""
_RADIUS, _LINE, _GAP = 12.5, 27.0, 3.0
_SMALL, _SMALL_DIGIT = 20.0, 6.2
_DIGIT, _EDGE = 7.8, 9.0


@dataclass(frozen=True, slots=True)
class Seat:
    """How a player's chips are told from others': colour, from 0, and initials."""

    colour: int
    initials: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """What one player has at one place in one way.

    Parameters
    ----------
    amount
        As it is called over the layout: "$25".
    behind
        Odds, which lie behind their flat bet.
    off
        Does not work on the next throw.
    toke
        A bet for the dealers.
    """

    seat: Seat
    amount: str
    behind: bool = False
    off: bool = False
    toke: bool = False

    @property
    def words(self) -> str:
        """What is printed on it."""
        return f"+{self.amount}" if self.behind else self.amount

    @property
    def width(self) -> float:
        """Units across, with its amount beside the disc."""
        return 2 * _RADIUS + _EDGE + _DIGIT * len(self.words)


def seats(players: Iterable[str]) -> dict[str, Seat]:
    """Give each player a colour by his place and the shortest initials that nobody before him has.

    Examples
    --------
    >>> {player: seat.initials for player, seat in seats(["ann", "bob", "anna-2"]).items()}
    {'ann': 'AN', 'bob': 'BO', 'anna-2': 'AN2'}
    """
    found: dict[str, Seat] = {}
    taken: set[str] = set()
    for place, player in enumerate(dict.fromkeys(players)):
        plain = "".join(letter for letter in player if letter.isalnum()).upper()
        tries = (plain[:2], plain[:2] + plain[-1:], plain[:1] + plain[-2:], plain[:3])
        initials = next((one for one in tries if one not in taken), str(place + 1))
        taken.add(initials)
        found[player] = Seat(place % COLOURS, initials)
    return found


def disc(seat: Seat, x: float, y: float, *, off: bool = False, toke: bool = False) -> Markup:
    """Draw a chip seen from above; (x, y) is its middle."""
    kind = f"chip c{seat.colour}" + (" off" if off else "") + (" toke" if toke else "")
    return group(
        element("circle", cx=x, cy=y, r=_RADIUS),
        element("circle", cx=x, cy=y, r=_RADIUS - 1.6, class_="edge"),
        text(seat.initials, x, y + 4, "initials" if len(seat.initials) < 3 else "initials three"),
        _lammer(x, y + _RADIUS - 2) if off else Markup(),
        class_=kind,
    )


def _lammer(x: float, y: float) -> Markup:
    """The button that a dealer puts on a bet that is off."""
    plate = element("rect", x=x - 11, y=y - 5, width=22, height=10, rx=3)
    return group(plate, text("OFF", x, y + 3, "off-word"), class_="lammer")


def draw(chips: Sequence[Chip], x: float, y: float, width: float, height: float) -> Markup:
    """Lay chips on a spot, from its lower right: each with its amount, or as a row of discs where they are too many.

    Parameters
    ----------
    x, y, width, height
        The spot.
    """
    if not chips:
        return Markup()
    places = _places(chips, width, height)
    if places is None:
        return _crowd(chips, x, y, width, height)
    return group(*(_one(chip, x + left, y + top) for chip, (left, top) in zip(chips, places, strict=True)))


def _places(chips: Sequence[Chip], width: float, height: float) -> list[tuple[float, float]] | None:
    """Upper left corner of each chip with its amount, in lines from below; None where they do not fit."""
    places: list[tuple[float, float]] = []
    right, bottom = width - _GAP, height - _GAP
    for chip in chips:
        if right - chip.width < _GAP and right < width - _GAP:
            right, bottom = width - _GAP, bottom - _LINE
        if right - chip.width < 0 or bottom - 2 * _RADIUS < 0:
            return None if len(chips) > 1 else [((width - chip.width) / 2, bottom - 2 * _RADIUS)]
        right -= chip.width
        places.append((right, bottom - 2 * _RADIUS))
        right -= _GAP
    return places


def _one(chip: Chip, x: float, y: float) -> Markup:
    plate = element(
        "rect", x=x + _RADIUS, y=y + 3, width=chip.width - _RADIUS, height=2 * _RADIUS - 6, rx=9, class_="plate"
    )
    middle = x + _RADIUS + chip.width / 2 + 1
    words = text(chip.words, middle, y + _RADIUS + 4.5, "amount")
    return group(plate, words, disc(chip.seat, x + _RADIUS, y + _RADIUS, off=chip.off, toke=chip.toke))


def _crowd(chips: Sequence[Chip], x: float, y: float, width: float, height: float) -> Markup:
    """Small chips beside each other, each over its amount, and how many more there are."""
    step = max(_SMALL, *(_SMALL_DIGIT * len(chip.words) + 4 for chip in chips))
    most = max(1, int((width - 2 * _GAP) // step))
    shown, more = (chips, 0) if len(chips) <= most else (chips[: most - 1], len(chips) - most + 1)
    middle = x + width - _GAP - step * (len(shown) + bool(more) - 0.5)
    top = y + height - _GAP - _SMALL - 9
    small = (_small(chip, middle + place * step, top, step) for place, chip in enumerate(shown))
    rest = text(f"+{more}", middle + len(shown) * step, top + 18, "amount more") if more else Markup()
    return group(*small, rest)


def _small(chip: Chip, x: float, top: float, width: float) -> Markup:
    """A small chip over its amount; (x, top) is the middle of its upper edge."""
    scale = _SMALL / 2 / _RADIUS
    seen = group(
        disc(chip.seat, 0, 0, off=chip.off, toke=chip.toke),
        transform=f"translate({x:.1f} {top + _SMALL / 2:.1f}) scale({scale:.2f})",
    )
    plate = element("rect", x=x - width / 2 + 0.5, y=top + _SMALL - 2, width=width - 1, height=12, rx=4, class_="plate")
    return group(plate, text(chip.words, x, top + _SMALL + 7.5, "amount small"), seen)


def legend(seats: Mapping[str, Seat], edge: float = 30) -> dict[str, Markup]:
    """A chip for each player as a picture of its own, to stand beside the player's name."""
    scale = f"{-_RADIUS - 1:g} {-_RADIUS - 1:g} {2 * _RADIUS + 2:g} {2 * _RADIUS + 2:g}"
    return {
        player: element(
            "svg", disc(seat, 0, 0), viewBox=scale, width=edge, height=edge, class_="chip-mark", aria_hidden="true"
        )
        for player, seat in seats.items()
    }
