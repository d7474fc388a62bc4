"""The felt of a craps table as SVG: every bet of the schedule in its place, what rides on it, and the puck."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from house.console import figures
from house.console.drawing import chips, printed, side
from house.console.drawing.chips import Chip, Seat
from house.console.drawing.cloth import RING, cloth, shut
from house.console.drawing.layout import COLLECTED, Area, Panel, Spot, collected_at, panels
from house.console.drawing.side import NARROW
from house.console.drawing.svg import element, group, picture, text
from house.domain.wagers import Wager
from house.engines.craps import CrapsState, Schedules, is_working
from house.engines.craps.betting import why_closed
from house.engines.craps.state import number_of
from payouts.craps.bets import Group
from payouts.craps.catalogue import CATALOGUE
from payouts.craps.terms import CrapsSchedule

FORM = "bet"
"""Id of the form to which the buttons of the felt belong; it chooses the player and the chips."""
FIELD = "at"
"""Name of the buttons; the value of each is the bet and its spot, "place:6"."""

Place = tuple[str, str]
"""Where chips lie: a bet and its spot, or "number" or "behind" and a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Who looks at a felt.

    Parameters
    ----------
    seats
        Colour and initials of each player whose chips may lie on it.
    bets
        Whether the viewer may place bets: then every spot is a button.
    """

    seats: Mapping[str, Seat]
    bets: bool = False


def felt(schedules: Schedules, state: CrapsState, viewer: Viewer) -> Markup:
    """Draw a felt: a section with a drawing for each of its panels.

    The players' side comes in two shapes, for wide screens and for narrow ones; the style sheet shows one of them.
    """
    now = _Now(
        point=state.point,
        lying=_lying(schedules, state, viewer.seats),
        closed=_closed(schedules.current, state),
        made=_gathered(state),
    )
    return group(*(_panel(panel, schedules.current, now, viewer.bets) for panel in laid_out(schedules.current)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Now:
    """What lies on a felt at a moment.

    Parameters
    ----------
    lying
        Chips by place.
    closed
        For each spot why no bet may be made there, "" where one may.
    made
        What bets over a hand have gathered, by spot.
    """

    point: int | None
    lying: Mapping[Place, list[Chip]]
    closed: Mapping[Spot, str]
    made: Mapping[Spot, tuple[int, ...]]


FLATS = frozenset(bet.id for bet in CATALOGUE.values() if bet.group is Group.LINE)
"""Bets that stand on a number once they have one."""


@lru_cache(maxsize=64)
def laid_out(schedule: CrapsSchedule) -> tuple[Panel, ...]:
    """Panels of a schedule's felt."""
    return panels(schedule, (side.wide, side.narrow))


def place_of(wager: Wager, parent: Wager | None = None) -> Place:
    """Where a wager lies: odds with their flat bet, come bets that have a number in its box.

    Parameters
    ----------
    parent
        The flat wager that it stands behind.
    """
    if parent is not None:
        return place_of(parent)
    if wager.bet in ("come", "dont_come") and number_of(wager):
        return ("number" if wager.bet == "come" else "behind", str(number_of(wager)))
    return wager.bet, wager.spot


def _lying(schedules: Schedules, state: CrapsState, seats: Mapping[str, Seat]) -> dict[Place, list[Chip]]:
    """Chips by place, those of one player that lie in one way together, in the order of the first."""
    by_id = {wager.id: wager for wager in state.wagers}
    sums: dict[tuple[Place, str, bool, bool, bool], int] = {}
    for wager in state.wagers:
        parent = by_id.get(wager.parent) if wager.parent else None
        off = not is_working(wager, state.point, schedules.of(wager))
        key = (place_of(wager, parent), wager.player, parent is not None, off, wager.toke)
        sums[key] = sums.get(key, 0) + wager.stake
    found: dict[Place, list[Chip]] = {}
    for (place, player, behind, off, toke), amount in sums.items():
        said = figures.chips(amount, schedules.current.header.currency)
        chip = Chip(seat=seats[player], amount=said, behind=behind, off=off, toke=toke)
        found.setdefault(place, []).append(chip)
    return found


def _gathered(state: CrapsState) -> dict[Spot, tuple[int, ...]]:
    """What the bets that ride over a hand have gathered: totals shown, or how often a repeater's was."""
    found: dict[Spot, tuple[int, ...]] = {}
    for wager in state.wagers:
        seen = wager.legs[0].state
        if wager.bet in COLLECTED:
            shown = {total for total, had in zip(COLLECTED[wager.bet], seen, strict=True) if had}
            found[wager.bet, ""] = tuple(sorted(shown.union(found.get((wager.bet, ""), ()))))
        elif wager.bet == "repeater" and seen[0]:
            found[wager.bet, wager.spot] = (max(seen[0], *found.get((wager.bet, wager.spot), (0,))),)
    return found


def _closed(schedule: CrapsSchedule, state: CrapsState) -> dict[Spot, str]:
    """For each spot why no bet may be made there now, "" where one may."""
    numbers: dict[str, set[str]] = {}
    for wager in state.wagers:
        if wager.bet in FLATS:
            numbers.setdefault(wager.bet, set()).add(str(number_of(wager)))
    closed: dict[Spot, str] = {}
    for bet, spot in printed.offered(schedule):
        terms = schedule.bets[bet].bet
        behind = any(spot in numbers.get(parent, ()) for parent in terms.parents)
        alone = "no flat bet stands on this number" if terms.parents and not behind else ""
        closed[bet, spot] = why_closed(state, terms) or alone
    return closed


def _panel(panel: Panel, schedule: CrapsSchedule, now: _Now, buttons: bool) -> Markup:
    places = [((area.bet, area.spot), area.box) for area in panel.areas]
    places += [(("number", str(one.total)), one.come) for one in panel.numbers]
    places += [(("behind", str(one.total)), one.behind) for one in panel.numbers]
    drawn = group(
        *(shut(area) for area in panel.areas if now.closed[area.bet, area.spot]),
        cloth(panel, schedule),
        *(_made(area, now.made.get((area.bet, area.spot), ())) for area in panel.areas),
        _puck(panel, now.point),
        *(chips.draw(now.lying[place], *box) for place, box in places if place in now.lying),
        aria_hidden="true",
    )
    taps = (_button(panel, area, schedule, now.closed[area.bet, area.spot]) for area in panel.areas if buttons)
    drawing = picture(panel.width, panel.height, drawn, *taps, class_="felt")
    heading = element("h3", panel.title, class_="felt-title")
    return element("section", heading, drawing, class_=f"felt-panel {panel.name}", aria_label=panel.title)


def _made(area: Area, made: Iterable[int]) -> Markup:
    """Mark what a bet over a hand has gathered: totals in their rings, or how often a repeater's was shown."""
    if area.kind == "collect":
        rings = collected_at(area)
        return group(*(_marked(total, *rings[total]) for total in made))
    x, y, width, _ = area.box
    return group(*(_marked(times, x + width - RING - 3, y + RING + 3) for times in made))


def _marked(number: int, x: float, y: float) -> Markup:
    return group(
        element("circle", cx=x, cy=y, r=RING, class_="made"), text(str(number), x, y + 4.5, "made-word", font_size=14.5)
    )


def _puck(panel: Panel, point: int | None) -> Markup:
    """The puck: ON in the box of the point, OFF in its place of rest."""
    if panel.rest is None:
        return Markup()
    x, y = panel.rest
    radius = 17.0 if panel.width > NARROW else 15.0 if point is None else 12.0
    for number in panel.numbers:
        if number.total == point:
            x, y = number.box.x + number.box.width - radius - 2, number.box.y + radius + 2
    word = "OFF" if point is None else "ON"
    return group(
        element("circle", cx=x, cy=y, r=radius),
        element("circle", cx=x, cy=y, r=radius - 3.5, class_="edge"),
        text(word, x, y + 4.5, "puck-word"),
        class_=f"puck {word.lower()}",
    )


def _button(panel: Panel, area: Area, schedule: CrapsSchedule, closed: str) -> Markup:
    """The spot as a button over what is printed; closed while no bet may be made there."""
    said = printed.sentence(schedule, area.bet, area.spot)
    button = element(
        "button",
        id=f"{panel.name.split()[-1]}-{area.bet}-{area.spot}".rstrip("-"),
        form=FORM,
        name=FIELD,
        value=f"{area.bet}:{area.spot}",
        disabled=bool(closed),
        aria_label=f"{said}; closed: {closed}" if closed else said,
        title=printed.bounds(schedule, area.bet, area.spot),
    )
    x, y, width, height = area.box
    return element("foreignObject", button, x=x, y=y, width=width, height=height)
