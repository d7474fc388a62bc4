"""What a felt prints at each of its spots: the bet's name there and the odds as the schedule pays them."""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from house.console import figures
from payouts.craps.settling import legal_stakes, prices
from payouts.craps.terms import CrapsSchedule
from payouts.odds import Odds

SPELLED = {6: "SIX", 9: "NINE"}
"""Numbers that a felt spells, because they are read from both sides of the table."""

_BIG = {"6": "Big six", "8": "Big eight"}
_SEGMENTS = {"left": "2, 3, 4", "centre": "4, 9, 10", "right": "10, 11, 12"}
_BY_SPOT: Mapping[str, Callable[[str], str]] = {
    "big": lambda spot: _BIG[spot],
    "hardway": lambda spot: f"Hard {spot}",
    "hop": lambda spot: f"Hop {spot}",
    "segmented_field": lambda spot: f"Segmented field {_SEGMENTS.get(spot, spot)}",
}
"""How a bet is called at a spot where its name and the spot do not say it."""


def name(schedule: CrapsSchedule, bet: str, spot: str) -> str:
    """Call a bet at a spot, as a dealer does; a bet that the schedule does not offer by its id.

    Examples
    --------
    >>> from payouts.schedule import load, shipped
    >>> strip = load(shipped("craps", "strip-345x"))
    >>> name(strip, "place", "6"), name(strip, "big", "8"), name(strip, "dont_pass", "")
    ('Place 6', 'Big eight', "Don't pass")
    """
    if bet in _BY_SPOT and spot:
        return _BY_SPOT[bet](spot)
    terms = schedule.bets.get(bet)
    called = bet.replace("_", " ") if terms is None else terms.bet.names[0]
    return f"{called[:1].upper()}{called[1:]} {spot}".rstrip()


@lru_cache(maxsize=4096)
def odds(schedule: CrapsSchedule, bet: str, spot: str) -> tuple[tuple[str, str], ...]:
    """Prices at a spot: what each is for, "" where there is only one, and the price as it is printed.

    Parts that are paid alike are named together; a bet that is an order for others has no price of its own.

    Examples
    --------
    >>> from payouts.schedule import load, shipped
    >>> strip = load(shipped("craps", "strip-345x"))
    >>> odds(strip, "place", "6"), odds(strip, "field", "")[:2]
    ((('', '7 to 6'),), (('2', '2 to 1'), ('3, 4, 9, 10, 11', '1 to 1')))
    """
    terms, legs = schedule.bets[bet], schedule.legs(bet, spot)
    if terms.bet.booked_as_parts:
        return ()
    if len(legs) > 1:
        return _together((leg.label, str(price)) for leg in legs for price in prices(leg.machine))
    single = tuple(dict.fromkeys(map(str, prices(legs[0].machine))))
    if len(single) == 1:
        return (("", single[0]),)
    return _together((_key(key), str(price)) for key, price in sorted(terms.pays.items(), key=_order))


def _together(priced: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Name everything that one price is for beside it."""
    found: dict[str, list[str]] = {}
    for key, price in priced:
        found.setdefault(price, []).append(key)
    if len(found) == 1:
        return (("", next(iter(found))),)
    return tuple((", ".join(keys), price) for price, keys in found.items())


def _order(item: tuple[str, Odds]) -> tuple[int, str]:
    key = item[0]
    return (int(key) if key.isdigit() else 0, key)


def _key(key: str) -> str:
    return key.replace("_", " ")


def paid(schedule: CrapsSchedule, bet: str, spot: str) -> str:
    """Say the prices at a spot in one line: "7 to 6", "2 to 1 on 2, 3 to 1 on 12"; "" for an order."""
    return ", ".join(f"{price} on {key}" if key else price for key, price in odds(schedule, bet, spot))


@lru_cache(maxsize=4096)
def sentence(schedule: CrapsSchedule, bet: str, spot: str) -> str:
    """Say a spot for those who do not see it: "Place 6, pays 7 to 6".

    Examples
    --------
    >>> from payouts.schedule import load, shipped
    >>> sentence(load(shipped("craps", "strip-345x")), "buy", "4")
    'Buy 4, pays 2 to 1 less 5% commission'
    >>> sentence(load(shipped("craps", "strip-345x")), "inside", "")
    'Inside, an order: place 5, 6, 8, 9'
    """
    called, terms = name(schedule, bet, spot), schedule.bets[bet]
    if terms.bet.orders:
        return f"{called}, an order: {_ordered(terms.bet.orders)}"
    commission = "" if terms.commission is None else f" less {float(terms.commission.rate * 100):g}% commission"
    return f"{called}, pays {paid(schedule, bet, spot)}{commission}"


@lru_cache(maxsize=4096)
def bounds(schedule: CrapsSchedule, bet: str, spot: str) -> str:
    """Say what may be staked at a spot.

    Examples
    --------
    >>> from payouts.schedule import load, shipped
    >>> bounds(load(shipped("craps", "strip-345x")), "place", "6")
    '$15 to $5,000, by $1'
    """
    least, most, unit = legal_stakes(schedule, bet, spot)
    low, high, step = (figures.chips(minor, schedule.header.currency) for minor in (least, most, unit))
    return f"{low} to {high}, by {step}"


def _ordered(orders: tuple[tuple[str, str, int], ...]) -> str:
    """Parts of an order, by bet."""
    spots: dict[str, list[str]] = {}
    for bet, spot, _ in orders:
        spots.setdefault(bet.replace("_", " "), []).append(spot)
    return " and ".join(f"{bet} {', '.join(filter(None, listed))}".rstrip() for bet, listed in spots.items())


def offered(schedule: CrapsSchedule) -> tuple[tuple[str, str], ...]:
    """Every bet at every spot that a schedule offers, in its order."""
    return tuple((bet, spot) for bet in schedule.bets for spot in schedule.spots(bet))
